"""What pages say where a loaded vocabulary stands and a learned one would show more."""

from __future__ import annotations

import streamlit as st

from pages.ui import state
from pages.ui.literal import escape_markdown
from pages.ui.run import Run
from pages.ui.token_view import TextModel, text_view
from pages.ui.words import number, plural, ratio


def one_size_sentence(run: Run) -> str:
    """Return how a vocabulary without smaller sizes does on the text, and why it has none. Holds a name and a token."""
    return (
        f"{number(run.num_tokens)} tokens in all, {ratio(run.bytes_per_token)} bytes per token. "
        f"No bar to drag: {run.loaded.name} has no smaller sizes, because {run.why_no_sizes}."
    )


def merges_sentence(run: Run) -> str:
    """Return what Watch shows of a loaded vocabulary. Holds its name."""
    return f"The merges of {run.loaded.name} at work on this text."


def draw_not_known(run: Run, model: TextModel | None) -> None:
    """Draw, in place of the film of learning, what is known: the order of the merges, with a bar to follow it by.

    `model` is the excerpt at every size, or None if the vocabulary has one size only.
    """
    st.info(
        f"How {escape_markdown(run.loaded.name)} was learned is not known: its files hold no text and no counts, only "
        f"{plural(run.training.tokenizer.num_merges, 'merge')} in their order. "
        + ("Drag the bar to follow it through this text." if model else "Encoding a word shows them at work.")
    )
    if model:
        key = "loaded_merges"
        text_view(
            model, size=run.vocab_size, key=key, told=state.size_told(key),
            on_size_change=lambda: state.take_size_told(key, run.size_key),
        )  # fmt: skip
