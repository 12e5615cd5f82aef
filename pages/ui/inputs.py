"""Groups of widgets that return plain values: the text, the settings, the size."""

from __future__ import annotations

import streamlit as st

from bpe_core import PATTERN_NAMES, Pattern, custom_pattern, named_pattern
from bpe_core.samples import SAMPLES, sample
from pages.ui import state
from pages.ui.cached import cached_sample
from pages.ui.corpus import Corpus
from pages.ui.run import Settings
from pages.ui.words import number

CUSTOM = "your own regex"
OWN_TITLE = "Your own text"
PATTERN_HELP = (
    "The text is first cut into chunks (about: words). Merges never cross a chunk. The names are those of published "
    "models. four-type cuts between spaces, letters, digits and everything else. none leaves each document whole."
)
SIZE_HELP = "256 single bytes, plus one entry for each merge, plus special tokens if you set any."


def text_input() -> Corpus:
    """Let the visitor choose the text: a sample, or their own by a dialog."""
    state.show_own_text_if_new()
    state.look_for_lost_text(OWN_TITLE)
    own = state.session().own_corpus
    options = [*(candidate.key for candidate in SAMPLES), *([state.OWN_TEXT] if own else [])]
    st.selectbox(
        "Text", options, format_func=_text_title, key=state.TEXT, bind="query-params", persist_state="session",
        on_change=state.let_lost_text_go,
    )  # fmt: skip
    if state.session().text_is_lost:
        st.warning("Your text is no longer on the server. Choose a sample or bring it again.")
        st.button("Go on with the sample", on_click=state.let_lost_text_go, width="stretch")
    paste, upload = st.columns(2)
    paste.button("Paste…", width="stretch", on_click=state.open_dialog, args=("paste",))
    upload.button("Upload…", width="stretch", on_click=state.open_dialog, args=("upload",))
    return chosen_text()


def chosen_text() -> Corpus:
    """Return the text that is chosen in the sidebar."""
    own, chosen = state.session().own_corpus, state.value(state.TEXT, SAMPLES[0].key)
    return own if chosen == state.OWN_TEXT and own else cached_sample(chosen)


def settings_input() -> Settings:
    """Let the visitor set how the text is cut and how much is learned."""
    with st.expander("Settings"):
        return Settings(_pattern_input(), _specials_input(), _largest_size_input(), _min_count_input())


def size_input(smallest: int, largest: int) -> int:
    """Let the visitor type the vocabulary size; the size bar in the page moves the same number.

    The field has no limits of its own: the browser would refuse a number beyond them with hardly a word.
    """
    state.keep_size_between(smallest, largest)
    size = st.number_input(
        f"Vocabulary size, of {number(largest)} learned",
        value=min(max(state.DEFAULT_SIZE, smallest), largest),
        step=1,
        key=state.SIZE,
        bind="query-params",
        persist_state="session",
        help=SIZE_HELP,
    )
    return _allowed_size(size, state.SIZE, smallest, largest, "learned")


def _allowed_size(size: int, key: str, smallest: int, largest: int, how: str) -> int:
    """Return `size`, and say why the one that was asked for is not shown, if it is none."""
    if not smallest <= size <= largest:  # it came by the address, in this run; the next one moves it
        st.rerun()
    state.note_size(key, size)
    if (refused := state.refused_size(key)) is not None:
        asked, limits = f"You asked for {number(refused)}.", f"{number(smallest)} to {number(largest)}"
        low = f"{number(smallest)} are there before any merge: single bytes, and special tokens if you set any."
        high = f"No more than {number(largest)} were {how}."
        st.warning(f"{asked} Sizes go from {limits}. {low if refused < smallest else high}")
    return size


def loaded_size_input(smallest: int, largest: int, key: str) -> int:
    """Let the visitor type the size of a loaded vocabulary, which begins with all of it."""
    state.keep_size_between(smallest, largest, key)
    size = st.number_input(
        f"Vocabulary size, of {number(largest)} loaded", value=largest, step=1, key=key,
        persist_state="session", help="The first merges of the loaded vocabulary alone, as its makers had them then.",
    )  # fmt: skip
    return _allowed_size(size, key, smallest, largest, "loaded")


def _text_title(key: str) -> str:
    return OWN_TITLE if key == state.OWN_TEXT else sample(key).title


def _pattern_input() -> Pattern:
    name = st.selectbox(
        "How the text is cut",
        [*PATTERN_NAMES, CUSTOM],
        PATTERN_NAMES.index("gpt2"),
        key=state.PATTERN,
        help=PATTERN_HELP,
        persist_state="session",
    )
    if name != CUSTOM:
        return named_pattern(name)
    source = st.text_input(
        "Your regex",
        r"\s*\w+|\s*[^\w\s]+|\s+",
        key=state.CUSTOM_REGEX,
        help="Syntax of the Python package regex. Every match is a chunk; together they must cover the whole text.",
        persist_state="session",
    )
    return custom_pattern(source)


def _specials_input() -> tuple[str, ...]:
    lines = st.text_area(
        "Special tokens, one per line",
        key=state.SPECIALS,
        placeholder="<|endoftext|>",
        help="Names that get their own id before anything is learned. Text that spells one stays ordinary text.",
        persist_state="session",
    )
    return tuple(line for line in lines.split("\n") if line)


def _largest_size_input() -> int:
    return st.number_input(
        "Largest size to learn, 256 to 65,536",
        256,
        65_536,
        8_192,
        key=state.LARGEST_SIZE,
        help="Learning happens once, up to this size. Every smaller size is then there at once.",
        persist_state="session",
    )


def _min_count_input() -> int:
    return st.number_input(
        "Least count of a pair",
        1,
        1_000_000,
        2,
        key=state.MIN_COUNT,
        help="Learning stops when no pair occurs this often. 2 is usual; 1 learns until nothing is left to join.",
        persist_state="session",
    )
