"""The sentence that the lanes cut: its box, what puts another one there, and whether the address may hold it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from bpe_core import Tokenizer
from bpe_core.counterexamples import counterexamples
from pages.ui import state
from pages.ui.compare_cases import keep_case_in_address, take_case_from_address, use_case
from pages.ui.compare_ways import WAYS_KEY, show_ways
from pages.ui.literal import escape_markdown
from pages.ui.run import Run
from pages.ui.watch_encoding import unseen_word

SENTENCE_KEY, SHARE_KEY, ADDRESS = "compare_sentence", "share_sentence", "sentence"
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
    with st.popover("Find me one", width="stretch"):
        st.button(
            "The shortest in this text that parts the lanes", key="preset_shortest", on_click=find, width="stretch"
        )
        st.caption("Classic cases: each puts a word, its rules and its ways to cut into the lanes.")
        for place, case in enumerate(counterexamples()):
            _preset(f"{case.text}: {case.shows}", case.text, case.orders, place)
        word = unseen_word(run.training.chunk_counts)
        label = f"{word}, never seen in this text: the list of merges forwards and backwards"
        _preset(label, word, ("rank", "reversed pass", "reversed priority"))
        if is_gpt4(run.tokenizer):
            _preset(f"{GPT4_WORD}, with this vocabulary", GPT4_WORD, ("rank", "longest match", "fewest tokens"))


def is_gpt4(tokenizer: Tokenizer) -> bool:
    """Return whether this is the vocabulary of GPT-4: its pattern, and about its 100,000 tokens."""
    return tokenizer.pattern.name == "cl100k" and len(tokenizer.ids_of_tokens) in _GPT4_TOKENS


def _preset(label: str, sentence: str, orders: tuple[str, ...], case: int | None = None) -> None:
    show = partial(_show_preset, sentence, orders, case)
    st.button(escape_markdown(label), on_click=show, width="stretch", key=f"preset_{case}_{sentence}")


def _show_preset(sentence: str, orders: tuple[str, ...], case: int | None) -> None:
    use_case(case, WAYS_KEY, SENTENCE_KEY)
    state.set_value(WAYS_KEY, [order for order in orders if order != "rank"])
    state.set_value(SENTENCE_KEY, sentence)


def _take_from_address() -> None:
    """A sentence that came with a link is shown, and stays in the address; so does a classic case."""
    if not state.first_sight_of("compare"):
        return
    take_case_from_address()
    if given := st.query_params.get(ADDRESS):
        state.set_value(SENTENCE_KEY, given[:MOST_SHARED])
        state.set_value(SHARE_KEY, True)
