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

CASE_KEY = "compare_case"


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


def use_case(place: int | None) -> None:
    """Let the rules of this classic case be in view from the next run on, or the sidebar's vocabulary again (None)."""
    state.set_value(CASE_KEY, place)


def draw_rules(found: Subject) -> None:
    """Draw what the classic case in view shows, its rules, and the way back."""
    if found.case is None:
        return
    row = st.container(horizontal=True, vertical_alignment="center")
    row.info(escape_markdown(f"{found.case.shows} {rules_sentence(found.case)} Source: {found.case.source}."))
    row.button("Back to my text's vocabulary", key="compare_back", on_click=use_case, args=(None,))


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
