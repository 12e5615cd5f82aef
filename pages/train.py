"""Your text: what it looks like in tokens, at every vocabulary size."""

import streamlit as st

from pages.ui import shell, state
from pages.ui.excerpt import Place, excerpt_input
from pages.ui.loaded_words import one_size_sentence
from pages.ui.text_models import excerpt_model
from pages.ui.token_view import text_view
from pages.ui.try_it import ids_view, sentence_view, two_sizes_view, word_history_view

ANSWER = "Drag the bar: the same text at every vocabulary size. Nothing is trained again."
TRY_IT = {
    "When does my word become one token?": word_history_view,
    "A sentence, its tokens and ids": sentence_view,
    "Ids, and what they spell": ids_view,
    "One sentence at two sizes": two_sizes_view,
}

run = shell.open_page("Your text, in tokens", lambda run: one_size_sentence(run) if run.why_no_sizes else ANSWER)
view, place = st.container(), Place(0, 0)
with shell.errors_shown():
    place = excerpt_input(run.corpus.documents)
with view:
    shown = excerpt_model(run, place)
    watched = text_view(
        shown.model,
        size=run.vocab_size,
        key="text_view",
        told=state.size_told("text_view"),
        on_size_change=lambda: state.take_size_told("text_view", run.size_key),
        wanted_merges=run.settings.largest_size - run.smallest_size,
        stop_sentence=run.stop_sentence,
        sweep=state.first_sight_of("sweep"),
        on_watch=None if run.loaded else lambda: None,
        found=place.wanted,
        hit=shown.hit,
    )
if watched is not None:
    state.watch_merges_of(watched)
    shell.go_to_page("watch")

st.subheader("Try it")
# A published vocabulary travels with every strip of tokens, some MB of it: then only the open tab is drawn.
tabs = st.tabs(list(TRY_IT), key="try_it", on_change="rerun" if run.loaded else "ignore")
for tab, draw in zip(tabs, TRY_IT.values(), strict=True):
    if tab.open or not run.loaded:
        with tab, shell.errors_shown():
            draw(run)
