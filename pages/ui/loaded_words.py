"""What pages say where a loaded vocabulary stands and a learned one would show more."""

from __future__ import annotations

import streamlit as st

from pages.ui.literal import escape_markdown
from pages.ui.run import Run
from pages.ui.words import number, plural, ratio


def one_size_sentence(run: Run) -> str:
    """Return how a vocabulary without smaller sizes does on the text, and why it has none. Holds a name and a token."""
    return (
        f"{number(run.num_tokens)} tokens in all, {ratio(run.bytes_per_token)} bytes per token. "
        f"No bar to drag: {run.loaded.name} has no smaller sizes, because {run.why_no_sizes}."
    )


def draw_not_known(run: Run) -> None:
    """Draw, in place of the film of learning, what is known: the order of the merges, and where it can be seen."""
    st.info(
        f"How {escape_markdown(run.loaded.name)} was learned is not known: its files hold no text and no counts, only "
        f"{plural(run.training.tokenizer.num_merges, 'merge')} in their order. " + _where_order_shows(run)
    )


def _where_order_shows(run: Run) -> str:
    if run.why_no_sizes:
        return "Encoding a word shows them at work."
    return (
        "The bar on Your text follows that order through this text, Vocabulary lists it, and Encoding a word shows it "
        "at work."
    )
