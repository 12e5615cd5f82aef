"""The segment "Learning" of the page Watch: which film, the film, and what was asked of it."""

from __future__ import annotations

import streamlit as st

from pages.ui import shell, state
from pages.ui.excerpt import EXCERPT_BYTES, Place, excerpt_input
from pages.ui.loaded_words import draw_not_known
from pages.ui.merge_player import Film, merge_player, most_frequent_chunks, text_film
from pages.ui.run import Run
from pages.ui.text_models import chunks_model, excerpt_model
from pages.ui.token_view import TextModel
from pages.ui.watch_textbook import textbook_view
from pages.ui.what_if import what_if_dialog
from pages.ui.why_panel import text_counts

THE_CHUNKS, TEXTBOOK = "distinct chunks", "a textbook trace"


def learning_view(run: Run, shown: str) -> None:
    """Draw the film that the visitor chose, and below it which part of the text it shows."""
    if shown == TEXTBOOK:
        textbook_view()
        return
    if run.loaded:
        draw_not_known(run, None if run.why_no_sizes else text_or_chunks_model(run, shown))
        return
    view, place = st.container(), Place(0, 0)
    if shown == state.THE_TEXT:
        with shell.errors_shown():
            place = excerpt_input(run.corpus.documents)
    with view:
        text_film_view(run, text_or_chunks(run, shown, place))


@st.fragment
def text_film_view(run: Run, film: Film) -> None:
    """Draw the film of the text or of its distinct chunks; a pause reruns only this part of the page."""
    start = state.film_start(film.signature)
    k = min(state.film_place(film.signature), film.num_merges)
    asked = merge_player(
        film, key=state.FILM, start=start.k, watch=start.watch, flag=run.num_merges, counts=text_counts(run, k),
        on_stand=state.keep_film_place, on_ask=lambda: _use_size_if_asked(run),
    )  # fmt: skip
    if not asked:
        return
    if asked.what == "size":
        st.rerun()
    elif asked.what == "vocabulary" and asked.k < run.num_merges:
        state.set_value(state.VOCABULARY_RANK, asked.k)
        shell.go_to_page("vocabulary")
    elif asked.what == "what if":
        what_if_dialog(run)


def text_or_chunks(run: Run, shown: str, place: Place) -> Film:
    """Return the film of the excerpt at `place`, or of the most frequent distinct chunks."""
    training = run.training
    if shown == THE_CHUNKS:
        chunks, times = most_frequent_chunks(training.chunk_counts, EXCERPT_BYTES)
        return text_film(chunks_model(run, chunks), training, times)
    return text_film(excerpt_model(run, place).model, training)


def text_or_chunks_model(run: Run, shown: str) -> TextModel:
    """Return the model of the start of the text, or of its most frequent distinct chunks."""
    if shown == THE_CHUNKS:
        return chunks_model(run, most_frequent_chunks(run.training.chunk_counts, EXCERPT_BYTES)[0])
    return excerpt_model(run, Place(0, 0)).model


def _use_size_if_asked(run: Run) -> None:
    asked = state.component_value(state.FILM, "asked")
    if asked and asked["what"] == "size":
        state.choose_size(run.size_key, run.smallest_size + int(asked["k"]))
