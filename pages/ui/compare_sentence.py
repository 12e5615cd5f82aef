"""The sentence that the lanes cut: its box, what puts another one there, and whether the address may hold it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import streamlit as st

from bpe_core import Tokenizer
from bpe_core.counterexamples import counterexamples
from pages.ui import state
from pages.ui.compare_cases import keep_case_in_address, take_case_from_address, use_case
from pages.ui.compare_ways import WAYS_KEY, show_ways
from pages.ui.literal import escape_markdown
from pages.ui.run import Run
from pages.ui.watch_encoding import unseen_word

SENTENCE_KEY, SHARE_KEY, FIND_KEY, ADDRESS = "compare_sentence", "share_sentence", "find_me_one", "sentence"
DEFAULT_SENTENCE = "The unhappiness of an unseen stranger, reëntered."
MOST_CHARACTERS = 20_000
MOST_SHARED = 200
"""A sentence of so many characters may stand in the address; a longer one would make it too long to send."""

GPT4_WORD = "supercalifragilistic"
_GPT4_TOKENS = range(99_000, 101_000)
SHARE_HELP = (
    f"On: whoever gets this page's address sees your sentence, if it has {MOST_SHARED} characters or fewer. "
    "Off: the address holds the ways and the size alone."
)


class _Preset(NamedTuple):
    """A word with the orders that cut it apart, and the number of the classic case that brings its own rules."""

    label: str
    sentence: str
    orders: tuple[str, ...]
    case: int | None = None


def sentence_input() -> str:
    """Let the visitor type the sentence."""
    _take_from_address()
    return st.text_area(
        "A sentence or a word", DEFAULT_SENTENCE, key=SENTENCE_KEY, max_chars=MOST_CHARACTERS, height=68,
        persist_state="session", placeholder="Type something to cut.", label_visibility="collapsed",
    )  # fmt: skip


def share_input(sentence: str) -> None:
    """Let the visitor agree that the address holds the sentence; a classic case stands in it anyway."""
    keep_case_in_address()
    agreed = st.toggle("Sentence in the address", key=SHARE_KEY, help=SHARE_HELP, persist_state="session")
    if agreed and 0 < len(sentence) <= MOST_SHARED:
        if st.query_params.get(ADDRESS) != sentence:
            st.query_params[ADDRESS] = sentence
    elif ADDRESS in st.query_params:
        del st.query_params[ADDRESS]
    if agreed and len(sentence) > MOST_SHARED:
        st.caption(f"Too long for the address: more than {MOST_SHARED} characters.")


def show_sentence(sentence: str, *orders: str) -> None:
    """Let the lanes show this sentence from the next run on, with these orders among them; from a callback."""
    state.set_value(SENTENCE_KEY, sentence[:MOST_CHARACTERS])
    show_ways(*orders)


def presets_input(run: Run, find: Callable[[], None]) -> None:
    """Offer the shortest word of the text that parts the lanes (`find`), and the classic cases, each by one click."""
    presets = _presets(run)
    labels = ["The shortest in this text that parts the lanes", *(escape_markdown(each.label) for each in presets)]
    st.menu_button(
        "Find me one", range(len(labels)), format_func=labels.__getitem__, key=FIND_KEY,
        on_click=_find, args=(presets, find), width="stretch",
        help="A word that shows how the ways differ. Each classic case comes with its own rules and ways to cut.",
    )  # fmt: skip


def _presets(run: Run) -> list[_Preset]:
    cases = enumerate(counterexamples())
    presets = [_Preset(f"{case.text}: {case.title}", case.text, case.orders, place) for place, case in cases]
    word = unseen_word(run.training.chunk_counts)
    presets.append(_Preset(f"{word}: never seen in this text", word, ("rank", "reversed pass", "reversed priority")))
    if is_gpt4(run.tokenizer):
        label = f"{GPT4_WORD}, with this vocabulary"
        presets.append(_Preset(label, GPT4_WORD, ("rank", "longest match", "fewest tokens")))
    return presets


def _find(presets: Sequence[_Preset], find: Callable[[], None]) -> None:
    chosen = state.value(FIND_KEY)
    if chosen == 0:
        find()
    elif chosen:
        _show(presets[chosen - 1])


def _show(preset: _Preset) -> None:
    use_case(preset.case, WAYS_KEY, SENTENCE_KEY)
    state.set_value(WAYS_KEY, [order for order in preset.orders if order != "rank"])
    state.set_value(SENTENCE_KEY, preset.sentence)


def is_gpt4(tokenizer: Tokenizer) -> bool:
    """Return whether this is the vocabulary of GPT-4: its pattern, and about its 100,000 tokens."""
    return tokenizer.pattern.name == "cl100k" and len(tokenizer.ids_of_tokens) in _GPT4_TOKENS


def _take_from_address() -> None:
    """A sentence that came with a link is shown, and stays in the address; so does a classic case."""
    if not state.first_sight_of("compare"):
        return
    if case := take_case_from_address():
        state.set_value(SENTENCE_KEY, case.text)
    if given := st.query_params.get(ADDRESS):
        state.set_value(SENTENCE_KEY, given[:MOST_SHARED])
        state.set_value(SHARE_KEY, True)
