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
from pages.ui import state
from pages.ui.learning_view import draw_instead_of_page
from pages.ui.literal import escape_markdown
from pages.ui.run import Run
from pages.ui.sidebar import Waiting, draw_sidebar
from pages.ui.text_dialogs import draw_open_dialog

_FOLDER = Path(__file__).parent.parent
_TITLES = {"train": "Your text", "watch": "Watch", "compression": "Compression", "vocabulary": "Vocabulary"}
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
        run = draw_sidebar(split)
        if isinstance(run, Waiting):
            _draw_head(head, heading, answer if isinstance(answer, str) else "", run.text_line)
            draw_instead_of_page(run.why)
            st.stop()
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
