"""Compare: one vocabulary, several ways to cut, and where they part."""

from functools import partial

import streamlit as st

from pages.ui import shell
from pages.ui.compare_cases import draw_rules, subject
from pages.ui.compare_corpus import draw_figures, figures_for, measured_input
from pages.ui.compare_parted import draw_parted, show_shortest
from pages.ui.compare_sentence import presets_input, sentence_input, share_input
from pages.ui.compare_sizes import draw_sizes
from pages.ui.compare_view import draw_lanes
from pages.ui.compare_ways import ways_input
from pages.ui.literal import escape_markdown

ANSWER = "The same tokens can cut a word in several ways. Outlined pieces are ones that BPE does not make."

run = shell.open_page("Other ways to cut", ANSWER)
box, beside = st.columns([2.6, 1], gap="medium")
with box:
    sentence = sentence_input()
    chosen = ways_input()
vocabulary = subject(run)
with beside:
    presets_input(run, partial(show_shortest, run, vocabulary, chosen))
    share_input(sentence)
draw_rules(vocabulary)
with shell.errors_shown():
    draw_lanes(run, vocabulary, sentence, chosen)

heading = st.empty()
heading.subheader(escape_markdown(f"Over all of {run.corpus.name}"))
if vocabulary.case:
    st.caption("A classic case has too few rules for a whole text. Go back to your text's vocabulary to compare.")
    st.stop()
with shell.errors_shown():
    measured = measured_input(run, vocabulary, chosen)
    heading.subheader(escape_markdown(f"Over all of {measured.corpus.name}"))
    with st.container():
        found = figures_for(measured)
        if found:
            draw_figures(measured, found)
    parted, sizes = st.tabs(["Chunks that part two ways", "At other sizes"])
    if found:
        with parted:
            draw_parted(measured, found)
    with sizes:
        draw_sizes(run, measured)
