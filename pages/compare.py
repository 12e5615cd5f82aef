"""Compare: one vocabulary, several ways to cut, and where they part."""

import streamlit as st

from pages.ui import shell
from pages.ui.compare_sentence import presets_input, sentence_input, share_input
from pages.ui.compare_view import draw_lanes
from pages.ui.compare_vocabularies import draw_rules_of, vocabulary_input
from pages.ui.compare_ways import ways_input

ANSWER = "One vocabulary, several rules. Outlined pieces are ones BPE does not make."

run = shell.open_page("Other ways to cut", ANSWER)
box, beside = st.columns([2.6, 1], gap="medium", vertical_alignment="top")
with box:
    sentence = sentence_input()
with beside:
    presets_input(run)
    share_input(sentence)
ways, vocabulary = st.columns([2.6, 1], gap="medium", vertical_alignment="top")
with ways:
    chosen = ways_input()
with vocabulary:
    subject = vocabulary_input(run)
draw_rules_of(subject)
with shell.errors_shown():
    draw_lanes(run, subject, sentence, chosen)
