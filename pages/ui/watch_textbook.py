"""Textbook traces as films: presets exactly as printed, and the reader's own few words."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from bpe_core.chunks import check_text
from bpe_core.reference import TIE_RULES, word_counts
from bpe_core.traces import Trace, trace
from bpe_core.visible import visible
from pages.ui import shell, state
from pages.ui.merge_player import merge_player, trace_film
from pages.ui.merge_player.textbook import CHARACTERS, PRESETS, Preset, cut_by, preset_trace, readable
from pages.ui.why_panel import trace_counts
from pages.ui.words import plural

OWN_WORDS = "Your own few words"
_MOST_OWN_MERGES = 60
_OWN_TEXT = "low low low low low lower lower newest newest newest newest newest newest widest widest widest"


@st.fragment
def textbook_view() -> None:
    """Let the reader choose a trace; draw its film, its merges, and other words cut by them."""
    with shell.errors_shown():
        preset, made = _chosen_trace()
        _draw_film(preset, made)
        st.caption(f"{preset.what_to_see}  \nPrinted in: {preset.source}. Alphabet: {preset.alphabet}. "
                   f"Rule for ties: {preset.ties}. It stopped, because {made.stopped_because}.")  # fmt: skip
        merges, words = st.columns([3, 2])
        with merges:
            _draw_merges(made)
        with words:
            _draw_cuts(preset, made)


def _chosen_trace() -> tuple[Preset, Trace]:
    titles = [preset.title for preset in PRESETS]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        title = st.selectbox("Trace", [*titles, OWN_WORDS], key="trace", persist_state="session", width=330)
        if title != OWN_WORDS:
            return PRESETS[titles.index(title)], preset_trace(titles.index(title))
        words = st.text_input("Your words", _OWN_TEXT, key="own_words", persist_state="session", help=_WORDS_HELP)
        ties = st.selectbox("Rule for ties", TIE_RULES, 1, key="own_ties", persist_state="session", width=160)
    check_text(words)
    counts = word_counts(words)
    made = trace(counts, _MOST_OWN_MERGES, ties=ties, alphabet=CHARACTERS)
    return Preset(OWN_WORDS, "nowhere yet", counts, _MOST_OWN_MERGES, ties, CHARACTERS, (), _END_HELP), made


def _draw_film(preset: Preset, made: Trace) -> None:
    film = trace_film(made)
    start = state.film_start(film.signature)
    k = min(state.film_place(film.signature), film.num_merges)
    merge_player(
        film, key=state.FILM, start=start.k, flag=-1, counts=trace_counts(made, preset.ties, k),
        on_stand=state.keep_film_place, on_ask=lambda: None,
    )  # fmt: skip


def _draw_merges(made: Trace) -> None:
    rows = [
        {"rank": step.rank, "left": readable(step.left), "right": readable(step.right),
         "new symbol": readable(step.left + step.right), "counted": step.count, "joined": step.replaced,
         "tied": step.tied, "symbols after": made.totals[step.rank + 1]}
        for step in made.steps
    ]  # fmt: skip
    st.subheader(plural(len(rows), "merge"))
    st.dataframe(pd.DataFrame(rows), hide_index=True, key="trace_merges", alt="The merges of this trace, in order")


def _draw_cuts(preset: Preset, made: Trace) -> None:
    st.subheader("Words cut by these merges")
    wanted = st.text_input("Another word", key="trace_word", placeholder="slowest")
    check_text(wanted)
    words = [*preset.try_words, *([wanted] if wanted else [])] or [word.decode() for word in list(preset.words)[:8]]
    cuts = {word: cut_by(made, preset.alphabet, word) for word in words}
    rows = [{"word": visible(word.encode()), "cut": "  ".join(cut), "symbols": len(cut)} for word, cut in cuts.items()]
    st.dataframe(pd.DataFrame(rows), hide_index=True, key="trace_cuts", alt="Words and how these merges cut them")


_WORDS_HELP = "Split at white space; a word that stands here three times counts three times."
_END_HELP = "Every word ends in the mark </w>, so that est at the end of a word is not est inside one."
