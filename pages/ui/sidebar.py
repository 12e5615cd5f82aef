"""The sidebar: what we look at. The text, the size, the settings, how learning goes, and where the text is kept."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bpe_core import Training
from pages.ui import inputs, state
from pages.ui.compression_split import draw_use_everywhere, sides_input
from pages.ui.corpus import Corpus
from pages.ui.estimates import Estimate
from pages.ui.forgetting import forget_own_text
from pages.ui.jobs import Job, Request
from pages.ui.learning import training_for, was_stopped
from pages.ui.learning_view import draw_other_job, draw_stopped
from pages.ui.literal import escape_markdown
from pages.ui.loaded import LoadedVocabulary
from pages.ui.loaded_input import loaded_run, vocabulary_input
from pages.ui.run import Run, check_not_empty
from pages.ui.words import file_size, number, percent, plural


class Waiting(NamedTuple):
    """A text that has not been learned from yet, and what it waits for."""

    corpus: Corpus
    why: Job | Estimate

    @property
    def text_line(self) -> str:
        """The line under the heading. Holds the corpus's name."""
        return f"{self.corpus.name} · {file_size(self.corpus.num_bytes)} · not learned yet"


def draw_sidebar(split: bool) -> Run | Waiting:
    """Draw the sidebar; return the training it asks for, or what that waits for.

    With `split` the page learns from the training side of the text. Raises BpeError
    if the text or the settings cannot be used.
    """
    with st.sidebar:
        text = corpus = inputs.text_input()
        facts, about, vocabulary, size, ended, settings_place, sides_place = (st.container() for _ in range(7))
        with vocabulary:
            loaded = vocabulary_input(learned_only=split)
        with about:
            _draw_about(text)
        _draw_privacy_note()
        if loaded:
            return _draw_loaded(text, loaded, facts, size)
        with settings_place:
            settings = inputs.settings_input()
        check_not_empty(corpus)
        with sides_place:
            sides = sides_input(corpus) if split or state.learns_from_training_side() else None
            if sides:
                draw_use_everywhere()
                corpus = sides.train
        with ended, st.spinner("Learning…"):
            training = training_for(Request(corpus, settings), text)
        with ended:
            draw_other_job(training)
        if not isinstance(training, Training):
            return Waiting(corpus, training)
        smallest = 256 + len(settings.specials)
        with size:
            vocab_size = inputs.size_input(smallest, smallest + training.tokenizer.num_merges)
        run = Run(corpus, settings, training, vocab_size, sides)
        _draw_facts(facts, run)
        with ended:
            st.caption(run.stop_sentence)
            if was_stopped(training):
                draw_stopped(training)
    return run


def _draw_loaded(text: Corpus, loaded: LoadedVocabulary, facts: DeltaGenerator, size: DeltaGenerator) -> Run:
    """Draw what belongs to a loaded vocabulary: its size, but no settings, for nothing is learned."""
    check_not_empty(text)
    with size, st.spinner("Counting chunks…"):
        run = loaded_run(text, loaded)
    _draw_facts(facts, run)
    return run


def _draw_facts(place: DeltaGenerator, run: Run) -> None:
    counts = run.training.chunk_counts
    num_bytes, part = plural(counts.num_bytes, "byte"), "document"
    if run.sides and run.sides.share_kept_back:
        num_bytes = (
            f"{number(counts.num_bytes)} of {number(run.sides.whole.num_bytes)} bytes "
            f"({percent(run.sides.share_kept_back, 1)} held back)"
        )
        part = run.sides.part
    place.caption(
        f"{num_bytes}, {plural(counts.num_documents, part)}  \n"
        f"{plural(counts.num_chunks, 'chunk')}, {number(len(counts))} distinct"
    )


def _draw_about(text: Corpus) -> None:
    """Draw how the visitor's own text was read, and the way to everything about a text."""
    if text is state.session().own_corpus:
        report = text.read.report
        note = report.all_notes[-1] if report.all_notes else ""
        st.caption(escape_markdown(f"Read: {report.summary}. {note}"))
    st.button("About this text…", on_click=state.open_dialog, args=("about",), width="stretch")


def _draw_privacy_note() -> None:
    st.caption("Kept in this server's memory for this visit only: never in a file, a log or a link.")
    if state.session().own_corpus:
        st.button("Forget my text", on_click=forget_own_text, help="Drops your text and what was learned from it.")
