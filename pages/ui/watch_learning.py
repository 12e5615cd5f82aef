"""The segment "Learning" of the page Watch: which film, the film, and what was asked of it."""

from __future__ import annotations

import streamlit as st

from pages.ui import shell, state
from pages.ui.excerpt import EXCERPT_BYTES, Place
from pages.ui.merge_player import Asked, Film, merge_player, most_frequent_chunks, text_film
from pages.ui.run import Run
from pages.ui.text_models import chunks_model, excerpt_model
from pages.ui.why_panel import text_counts

THE_TEXT, THE_CHUNKS, TEXTBOOK = "the text", "distinct chunks", "a textbook trace"


@st.fragment
def text_view(run: Run, shown: str) -> None:
    """Draw the film of the text or of its distinct chunks; a pause reruns only this part of the page."""
    film = _film(run, shown)
    start = state.film_start(film.signature)
    k = min(state.film_place(film.signature), film.num_merges)
    asked = merge_player(
        film,
        key=state.FILM,
        start=start.k,
        watch=start.watch,
        flag=run.num_merges,
        counts=text_counts(run, k),
        on_stand=state.keep_film_place,
    )
    if asked:
        _answer(asked, run)


def learning_view(run: Run) -> None:
    """Draw the film that the visitor chose."""
    shown = st.segmented_control(
        "Show", [THE_TEXT, THE_CHUNKS, TEXTBOOK], default=THE_TEXT, required=True, key="watch_shown",
        label_visibility="collapsed", persist_state="session",
    )  # fmt: skip
    text_view(run, shown)


def _film(run: Run, shown: str) -> Film:
    training = run.training
    if shown == THE_CHUNKS:
        chunks, times = most_frequent_chunks(training.chunk_counts, EXCERPT_BYTES)
        return text_film(chunks_model(run, chunks), training, times)
    return text_film(excerpt_model(run, Place(0, 0)), training)


def _answer(asked: Asked, run: Run) -> None:
    if asked.what == "vocabulary":
        state.set_value(state.VOCABULARY_RANK, min(asked.k, run.training.tokenizer.num_merges - 1))
        st.switch_page(shell.page_file("vocabulary"))
