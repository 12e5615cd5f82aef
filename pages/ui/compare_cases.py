"""The vocabulary in view: the one of the sidebar, or the few rules of a classic case in its place."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

import streamlit as st

from bpe_core import Tokenizer
from bpe_core.counterexamples import Counterexample, counterexamples
from bpe_core.visible import visible
from pages.ui import state
from pages.ui.literal import escape_markdown
from pages.ui.run import Run

CASE_KEY, BEFORE_KEY, CASE_ADDRESS = "compare_case", "before_compare_case", "case"


class Subject(NamedTuple):
    """The vocabulary of all lanes. `identity` is equal for equal vocabularies; `case` is None for the sidebar's."""

    tokenizer: Tokenizer
    identity: Hashable
    case: Counterexample | None = None


def subject(run: Run) -> Subject:
    """Return the vocabulary in view."""
    place = state.value(CASE_KEY)
    if place is None:
        return Subject(run.tokenizer, (run.settings, run.learned_size, run.vocab_size))
    case = counterexamples()[place]
    return Subject(case.tokenizer, ("case", place), case)


def use_case(place: int | None, *widgets: str) -> None:
    """Let the rules of this classic case be in view from the next run on, or the sidebar's vocabulary again (None).

    What the `widgets` with these keys hold is kept for `leave_case`, if no case is in view yet.
    """
    if place is not None and state.value(CASE_KEY) is None:
        state.set_value(BEFORE_KEY, {key: state.value(key) for key in widgets})
    state.set_value(CASE_KEY, place)


def take_case_from_address() -> Counterexample | None:
    """Let the classic case that came with a link be in view, and return it."""
    given = st.query_params.get(CASE_ADDRESS, "")
    if given.isascii() and given.isdecimal() and int(given) < len(counterexamples()):
        state.set_value(CASE_KEY, int(given))
        return counterexamples()[int(given)]
    return None


def keep_case_in_address() -> None:
    """Write the classic case in view into the address, so that a link or a reload shows it again."""
    place = state.value(CASE_KEY)
    if place is not None:
        st.query_params[CASE_ADDRESS] = str(place)
    elif CASE_ADDRESS in st.query_params:
        del st.query_params[CASE_ADDRESS]


def leave_case() -> None:
    """Go back to the sidebar's vocabulary and to what stood in the inputs before the classic case; from a callback."""
    for key, value in (state.value(BEFORE_KEY) or {}).items():
        state.set_value(key, value)
    use_case(None)


def draw_rules(found: Subject) -> None:
    """Draw what the classic case in view shows, its rules, and the way back."""
    if found.case is None:
        return
    row = st.container(horizontal=True, vertical_alignment="center")
    row.info(escape_markdown(f"{found.case.shows} {rules_sentence(found.case)} Source: {found.case.source}."))
    row.button("Back to my sentence and vocabulary", key="compare_back", on_click=leave_case)


def rules_sentence(case: Counterexample) -> str:
    """Return the rules of a case in one sentence.

    >>> rules_sentence(counterexamples()[0])
    'Its only rules: rank 0 joins b + c, rank 1 joins a + b.'
    """
    vocabulary = case.tokenizer.vocabulary
    rules = [
        f"rank {rank} joins {' + '.join(visible(vocabulary[part]) for part in pair)}"
        for rank, pair, _ in case.tokenizer.merges
    ]
    return f"Its only rules: {', '.join(rules)}."
