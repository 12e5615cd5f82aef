"""What every page stands in: the list of pages, the router, the sidebar, the page's head."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.navigation.page import StreamlitPage

from bpe_core import BpeError
from pages.ui import inputs, state
from pages.ui.cached import cached_training
from pages.ui.compression_split import draw_use_everywhere, sides_input
from pages.ui.literal import escape_markdown
from pages.ui.run import Run, check_not_empty
from pages.ui.text_dialogs import draw_open_dialog
from pages.ui.words import number, plural

_FOLDER = Path(__file__).parent.parent
_TITLES = {"train": "Your text", "vocabulary": "Vocabulary"}
_STYLE = (Path(__file__).parent / "shell.css").read_text()


def run_app() -> None:
    """Route to the page of the address; app.py calls this once per run."""
    state.session().shell_has_run = True
    st.navigation(_pages(), position="top").run()


def open_page(heading: str, answer: str | Callable[[Run], str], *, split: bool = False) -> Run:
    """Draw the sidebar and the head of a page; return the training that the page is about.

    `answer` is the sentence under the heading, or how to make it from the Run. With
    `split` the page learns from the training side of the text and measures on the rest.

    The first call of every page. On a fresh server Streamlit may run a page's file
    without app.py; then this starts the router and runs again. Ends the run with a
    message if the text or the settings are not usable.
    """
    if not state.session().shell_has_run:
        st.navigation(_pages(), position="top")
        st.rerun()
    st.html(f"<style>{_STYLE}</style>")
    head = st.container()
    draw_open_dialog()
    try:
        run = _sidebar(split)
        sentence = answer if isinstance(answer, str) else answer(run)
    except BpeError as error:
        _draw_head(head, heading, answer if isinstance(answer, str) else "", "")
        st.error(escape_markdown(str(error)))
        st.stop()
    _draw_head(head, heading, sentence, run.text_line)
    return run


@contextmanager
def errors_shown() -> Iterator[None]:
    """Show a BpeError of the block as a message in its place; any other error stays loud."""
    try:
        yield
    except BpeError as error:
        st.error(escape_markdown(str(error)))


def page_file(name: str) -> str:
    """Return the path of a page for st.switch_page and st.page_link."""
    return str(_FOLDER / f"{name}.py")


def _pages() -> list[StreamlitPage]:
    """The pages in their order; the start page also answers at the address of its file, by a hidden second page."""
    first = next(iter(_TITLES))
    start = st.Page(page_file(first), title=_TITLES[first], url_path="start", default=True)
    others = [st.Page(page_file(name), title=title) for name, title in _TITLES.items() if name != first]
    return [start, *others, st.Page(page_file(first), title=_TITLES[first], url_path=first, visibility="hidden")]


def _draw_head(place: DeltaGenerator, heading: str, answer: str, text_line: str) -> None:
    lines = f"<h1>{escape(heading)}</h1><p>{escape(answer)}</p><p class='text-line'>{escape(text_line)}</p>"
    place.html(f"<div class='head'>{lines}</div>")


def _sidebar(split: bool) -> Run:
    """Draw the text, the size and the settings; return the training they ask for."""
    with st.sidebar:
        corpus = inputs.text_input()
        facts, size, ended = st.container(), st.container(), st.container()
        settings = inputs.settings_input()
        check_not_empty(corpus)
        sides = sides_input(corpus) if split or state.learns_from_training_side() else None
        if sides:
            draw_use_everywhere()
            corpus = sides.train
        with ended, st.spinner("Learning…"):
            training = cached_training(
                corpus, settings.pattern, settings.largest_size, settings.specials, settings.min_count
            )
        counts = training.chunk_counts
        facts.caption(
            f"{number(counts.num_bytes)} bytes, {plural(counts.num_documents, 'document')}  \n"
            f"{number(counts.num_chunks)} chunks, {number(len(counts))} distinct"
        )
        smallest = 256 + len(settings.specials)
        with size:
            vocab_size = inputs.size_input(smallest, smallest + training.tokenizer.num_merges)
        run = Run(corpus, settings, training, vocab_size, sides)
        ended.caption(run.stop_sentence)
        _privacy_note()
    return run


def _privacy_note() -> None:
    st.caption("Kept in this server's memory for this visit only: never in a file, a log or a link.")
    if state.session().own_corpus:
        st.button("Forget my text", on_click=state.forget_own_text)
