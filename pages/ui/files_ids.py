"""The tab Check my ids: texts with the ids that someone expects, and the convention at fault where ours differ."""

from __future__ import annotations

import streamlit as st

from bpe_core.formats import IdsCheck, check_ids, read_expected_ids
from bpe_core.visible import visible
from pages.ui.literal import escape_markdown
from pages.ui.run import Run
from pages.ui.words import number, plural

_EXAMPLE = '{"text": "hello world", "ids": [31373, 995]}'
_AROUND = 8  # ids shown on both sides of the first difference


def ids_check_view(run: Run) -> None:
    """Ask for texts with ids; show the first that the vocabulary in view encodes otherwise, and why."""
    st.write(
        "Another program gave other ids? Paste or upload lines of text and ids as it gives them. They are compared "
        f"with the vocabulary in view: {escape_markdown(run.vocabulary_name)}, size {number(run.vocab_size)}. Load "
        "another first if the ids are of another."
    )
    pasted = st.text_area(
        "Lines of JSON, one text with its ids on each", key="expected_ids", placeholder=_EXAMPLE, height=140,
        persist_state="session",
    )  # fmt: skip
    upload = st.file_uploader("Or a file of such lines (JSON lines, or one JSON list)", key="expected_ids_file")
    content = upload.getvalue() if upload else pasted.encode("utf-8", "surrogatepass")
    if not content.strip():
        return
    with st.spinner("Comparing…"):
        draw_check(check_ids(run.tokenizer, read_expected_ids(content, upload.name if upload else "The box")))


def draw_check(check: IdsCheck) -> None:
    """Draw the outcome: all equal, or the first line that is not, and the convention at fault."""
    if check.mismatch is None:
        st.success(f"The same ids on all {plural(check.num_lines, 'line')}.", icon=":material/check:")
        return
    st.error(f"The same ids on {number(check.num_equal)} of {plural(check.num_lines, 'line')}.")
    st.markdown(f"**{escape_markdown(check.fault)}**")
    st.caption(f"The first other one is line {number(check.mismatch.line)}, from id {number(check.position + 1)} on:")
    st.code(visible(check.mismatch.text.encode()), language=None, wrap_lines=True)
    st.code(ids_around(check), language=None)


def ids_around(check: IdsCheck) -> str:
    """Return expected and our ids around the first difference, one list on each line."""
    start = max(check.position - _AROUND, 0)
    lists = ("expected", check.mismatch.ids), ("here", check.our_ids)
    return "\n".join(f"{name:<9}{_some(ids, start, check.position + _AROUND)}" for name, ids in lists)


def _some(ids: list[int], start: int, end: int) -> str:
    shown = " ".join(map(str, ids[start:end])) or "nothing more"
    return f"{'… ' if start else ''}{shown}{' …' if end < len(ids) else ''}"
