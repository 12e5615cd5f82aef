"""Watch: how BPE learns, merge by merge, and how it cuts a text, pass by pass."""

import streamlit as st

from pages.ui import shell, state
from pages.ui.loaded_words import merges_sentence
from pages.ui.watch_encoding import encoding_view
from pages.ui.watch_learning import TEXTBOOK, THE_CHUNKS, learning_view

ENCODING = "Encoding a word"

ANSWER = "It joins the pair that occurs most, everywhere at once, and repeats."

run = shell.open_page("Watch it learn", lambda run: merges_sentence(run) if run.loaded else ANSWER)
state.give_back(state.WATCH_SEGMENT)
with st.container(horizontal=True, horizontal_alignment="distribute"):
    segment = st.segmented_control(
        "What to watch", [state.LEARNING, ENCODING], default=state.LEARNING, required=True, key=state.WATCH_SEGMENT,
        label_visibility="collapsed", persist_state="session", bind="query-params",
    )  # fmt: skip
    state.keep_for_return(state.WATCH_SEGMENT)
    shown = state.THE_TEXT
    if segment == state.LEARNING:
        films = [state.THE_TEXT, THE_CHUNKS, TEXTBOOK]
        shown = st.segmented_control(
            "Show", films, default=state.THE_TEXT, required=True, key=state.WATCH_SHOWN,
            label_visibility="collapsed", persist_state="session",
        )  # fmt: skip
if segment == state.LEARNING:
    learning_view(run, shown)
else:
    encoding_view(run)
