"""The column Save: a format, the proof that it holds the vocabulary, what it cannot carry, and the files."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from bpe_core.formats import FORMATS, Proof
from bpe_core.visible import BYTE_ALPHABET, visible
from pages.ui import state
from pages.ui.files_proof import Refused, is_proved, proof_of, proof_sentence, zip_of
from pages.ui.literal import escape_markdown
from pages.ui.run import Run
from pages.ui.words import file_size, number, plural

ALL = "all"
FORMATS_SHOWN = {
    "huggingface": ("tokenizer.json", "For Hugging Face tokenizers and transformers."),
    "gpt2": ("encoder.json + vocab.bpe", "The pair of files that GPT-2 was published in."),
    "tiktoken": ("rank file for tiktoken", "Tokens with their ranks, and the Python lines that load them."),
    "csv": ("CSV", "One token on each line, for a spreadsheet or your own code."),
    "manifest": ("manifest", "Everything: how it was learned, digests of the texts, the merges and the vocabulary."),
    ALL: ("all of them in one zip", "A folder for each format that can hold this vocabulary."),
}
"""Each format's title and what it is for."""

_SPELLED = {"gpt2", "huggingface", "csv", ALL}  # formats that spell tokens in the byte alphabet


def save_view(run: Run) -> None:
    """Draw the column."""
    st.subheader("Save")
    name = run.vocabulary_name if run.loaded else f"The vocabulary {run.vocabulary_name}"
    size = f"with all its {number(run.vocab_size)} tokens" if run.why_no_sizes else f"at size {number(run.vocab_size)}"
    st.caption(f"{escape_markdown(name)}, {size}.")
    chosen = st.selectbox(
        "Format", list(FORMATS_SHOWN), format_func=lambda format: FORMATS_SHOWN[format][0], key="save_format",
        persist_state="session",
    )  # fmt: skip
    st.caption(FORMATS_SHOWN[chosen][1])
    formats = FORMATS if chosen == ALL else (chosen,)
    if run.loaded and _waits(run, formats):
        return
    with st.spinner("Writing, loading back and comparing…"):
        proofs = [proof_of(run, format) for format in formats]
    for proof in proofs:
        _draw_proof(proof, FORMATS_SHOWN[proof.format][0] if chosen == ALL else "")
    held = [proof for proof in proofs if isinstance(proof, Proof) and proof.holds]
    if held:
        _draw_downloads(run, held, chosen)
    if chosen in _SPELLED:
        draw_byte_alphabet()
    if held and chosen != ALL:
        _draw_limits(held[0])


def _waits(run: Run, formats: Sequence[str]) -> bool:
    """Whether the proof waits for the visitor's word, which it asks for: 50,000 tokens and more take some seconds."""
    agreed, key = state.session().agreed, ("proof", run.settings, run.vocab_size, formats)
    if key in agreed or all(is_proved(run, format) for format in formats):
        return False
    st.button(
        "Write it and prove it", key="prove", on_click=agreed.add, args=(key,), width="stretch",
        help=f"Writing {number(run.vocab_size)} tokens, loading them back and comparing takes some seconds.",
    )  # fmt: skip
    return True


def draw_byte_alphabet() -> None:
    """Draw why a space is Ġ in these files, and one click away the symbol of each of the 256 bytes."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"These files spell each byte as one visible symbol: a space is {BYTE_ALPHABET[32]}.")
        with st.popover("The 256 symbols"):
            st.write(
                "GPT-2's byte alphabet. The 188 bytes that print in Latin-1 stand for themselves; the other 68, among "
                "them the space and the line feed, take the letters from U+0100 on, so that no file holds blanks."
            )
            st.dataframe(
                byte_alphabet_table(), hide_index=True, key="byte_alphabet", height=420,
                alt="Each byte with its symbol in files",
            )  # fmt: skip


def byte_alphabet_table() -> pd.DataFrame:
    """Return each byte by value, in hex, as this app shows it, and its symbol in files."""
    rows = [
        {"byte": byte, "hex": f"{byte:02X}", "here": visible(bytes([byte])), "in files": symbol}
        for byte, symbol in enumerate(BYTE_ALPHABET)
    ]
    return pd.DataFrame(rows)


def _draw_proof(proof: Proof | Refused, title: str) -> None:
    before = f"**{title}** · " if title else ""
    if isinstance(proof, Refused):
        st.warning(before + escape_markdown(f"Not possible for this vocabulary. {proof.why}"))
        return
    if not proof.holds:
        st.warning(before + escape_markdown(f"{proof_sentence(proof)} So it is not offered; choose another format."))
        return
    st.success(before + escape_markdown(proof_sentence(proof)), icon=":material/check:")


def _draw_limits(proof: Proof) -> None:
    if proof.limits:
        with st.expander(f"What this format cannot carry ({len(proof.limits)})"):
            for limit in proof.limits:
                st.caption(escape_markdown(limit))


def _draw_downloads(run: Run, proofs: list[Proof], chosen: str) -> None:
    files = {} if chosen == ALL else dict(proofs[0].files)
    for name, content in files.items():
        st.download_button(
            f"Save {name} · {file_size(len(content))}", content, name, key=f"save_{name}", on_click="ignore",
            width="stretch", type="primary" if len(files) == 1 else "secondary",
        )  # fmt: skip
    if len(files) != 1:
        count = plural(sum(len(proof.files) for proof in proofs), "file")
        st.download_button(
            f"Save one zip of {count}", lambda: zip_of(proofs), zip_name(run, chosen), "application/zip",
            key="save_zip", on_click="ignore", type="primary", width="stretch",
        )  # fmt: skip
    if chosen == "tiktoken":
        st.code(next(content for name, content in files.items() if name.endswith(".py")).decode(), language=None)


def zip_name(run: Run, chosen: str) -> str:
    """Return the name of the zip: it holds the size and the format, and nothing of the visitor's."""
    return f"vocabulary-{run.vocab_size}-{chosen}.zip"
