"""Watch: how BPE learns, merge by merge, and how it cuts a text, pass by pass."""

import streamlit as st

from pages.ui import shell
from pages.ui.watch_encoding import encoding_view
from pages.ui.watch_learning import TEXTBOOK, THE_CHUNKS, THE_TEXT, learning_view

LEARNING, ENCODING = "Learning", "Encoding a word"

run = shell.open_page("Watch it learn", "It joins the pair that occurs most, everywhere at once, and repeats.")
with st.container(horizontal=True, horizontal_alignment="distribute"):
    segment = st.segmented_control(
        "What to watch", [LEARNING, ENCODING], default=LEARNING, required=True, key="watch_segment",
        label_visibility="collapsed", persist_state="session", bind="query-params",
    )  # fmt: skip
    shown = THE_TEXT
    if segment == LEARNING:
        shown = st.segmented_control(
            "Show", [THE_TEXT, THE_CHUNKS, TEXTBOOK], default=THE_TEXT, required=True, key="watch_shown",
            label_visibility="collapsed", persist_state="session",
        )  # fmt: skip
if segment == LEARNING:
    learning_view(run, shown)
else:
    encoding_view(run)
