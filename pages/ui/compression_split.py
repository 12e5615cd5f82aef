"""The sidebar's choice of what to hold back, and the switch that takes the training side to every page."""

from __future__ import annotations

import streamlit as st

from bpe_core.documents import ENCODINGS, Documents
from pages.ui import state
from pages.ui.compression_memory import remembered
from pages.ui.compression_sides import How, SecondText, Sides, SplitChoice, documents_of, possible_parts, sides_of
from pages.ui.corpus import Corpus
from pages.ui.literal import escape_markdown
from pages.ui.words import file_size, plural

_PART_NAMES = {None: "documents", "blank lines": "paragraphs", "line": "lines"}
HELP = "Text kept back from learning, to see how the vocabulary does on text it never saw."
SEED_HELP = "Decides by lot what is held back: another number other documents, the same number always the same ones."
NOTHING = "This text cannot be divided, so all of it is learned from. A second text can be measured on."
DROP_HELP = "A document on both sides would be measured on what was learned. Off: such a text is refused."
EVERYWHERE_HELP = (
    "On: the other pages show the training side and what was learned from it, so their numbers agree with this page. "
    "Off: they show the whole text and what was learned from all of it."
)


def sides_input(corpus: Corpus) -> Sides | None:
    """Let the visitor choose what to hold back from learning; return both sides.

    None if the text cannot be divided and nothing else was chosen. Raises BpeError if
    what the visitor chose cannot be made.
    """
    documents = documents_of(corpus)
    possible = remembered(corpus, "possible parts", lambda: possible_parts(documents))
    with st.expander("Held back", expanded=False):
        choice, second = _choice_input(documents, possible)
        if choice is None:
            st.caption(NOTHING)
            return None
        key = ("sides", choice, second.documents.sha256 if second else "")
        sides = remembered(corpus, key, lambda: sides_of(corpus, choice, second))
        _draw_notes(sides)
    return sides


def draw_use_everywhere() -> None:
    """Draw the switch that makes every page use the vocabulary of the training side."""
    st.toggle(
        "Use this vocabulary on every page",
        key=state.TRAINING_SIDE_EVERYWHERE,
        persist_state="session",
        help=EVERYWHERE_HELP,
    )


def _choice_input(
    documents: Documents, possible: tuple[str | None, ...]
) -> tuple[SplitChoice | None, Documents | None]:
    ways = [How.SHARE, How.TAIL, *([How.FILES] if len(documents.files) > 1 else [])]
    ways += [How.GROUPS] if documents.group_numbers is not None else []
    state.keep_among("held_out_how", [*ways, How.TEXT])
    how = st.selectbox("What is held back", [*ways, How.TEXT], key="held_out_how", help=HELP, persist_state="session")
    if how in (How.FILES, How.GROUPS):
        names = [file.name for file in documents.files] if how == How.FILES else list(documents.group_names)
        return SplitChoice(how, names=_names_input(how, names), drop=_drop_input()), None
    if how == How.TEXT:
        second = _second_text_input()
        return SplitChoice(how, drop=_drop_input()), second
    if not possible:
        return None, None
    share = st.number_input(
        "Share held back, in %", 0, 100, 20, key="held_out_share", persist_state="session", help=HELP
    )
    parts = _parts_input(possible)
    if how == How.TAIL:
        return SplitChoice(how, share, parts=parts, drop=_drop_input()), None
    seed = st.number_input("Seed", 0, 10**6, 0, key="held_out_seed", persist_state="session", help=SEED_HELP)
    return SplitChoice(how, share, seed, parts), None


def _parts_input(possible: tuple[str | None, ...]) -> str | None:
    """What is drawn by lot. Texts that begin with other parts have a widget of their own, so no choice carries over."""
    key = {3: "held_out_parts", 2: "held_out_parts_of_one", 1: "held_out_lines"}[len(possible)]
    return st.selectbox("In whole", possible, key=key, format_func=_PART_NAMES.__getitem__, persist_state="session")


def _names_input(how: How, names: list[str]) -> tuple[str, ...]:
    """The chosen names; the widget holds their numbers and shows them escaped, for they come from files."""
    numbers = list(range(len(names)))
    state.keep_among("held_out_names", numbers)
    chosen = st.multiselect(
        str(how).capitalize(),
        numbers,
        default=[len(names) - 1],
        format_func=lambda number: escape_markdown(names[number]),
        key="held_out_names",
        persist_state="session",
    )
    return tuple(names[number] for number in chosen)


def _drop_input() -> bool:
    return st.checkbox(
        "Drop held-out documents that are also learned from",
        key="held_out_drop",
        persist_state="session",
        help=DROP_HELP,
    )


def _second_text_input() -> Documents | None:
    encoding = st.selectbox("Its encoding", ENCODINGS, key="held_out_encoding", persist_state="session")
    file = st.file_uploader("A second text", key="held_out_file", help="Nothing is learned from it.")
    given = state.session().second_text
    if file and (given is None or given.file_id != file.file_id):
        given = state.session().second_text = SecondText(file.file_id, file.name, file.getvalue())
    if given is None:
        return None
    st.caption(f"{escape_markdown(given.name)}, {file_size(len(given.content))}")
    return given.read(encoding)


def _draw_notes(sides: Sides) -> None:
    split = sides.split
    learned, kept = split.train, split.held_out
    part = sides.part
    lines = [
        f"Learned from {plural(len(learned), part)}, {file_size(learned.num_bytes)}; measured on "
        f"{plural(len(kept), part)}, {file_size(kept.num_bytes)}: {escape_markdown(split.how)}."
    ]
    if split.duplicates_kept_together:
        lines.append(f"{plural(split.duplicates_kept_together, f'repeated {part}')} kept on the side of the first.")
    if split.duplicates_dropped:
        lines.append(f"{plural(split.duplicates_dropped, part)} dropped, because they are also learned from.")
    for line in [*lines, *([split.warning] if split.warning else [])]:
        st.caption(line)
