"""What every page stands in: the list of pages, the router, the sidebar, the page's head."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import NoReturn

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from bpe_core import BpeError
from pages.ui import state
from pages.ui.learning_view import draw_instead_of_page
from pages.ui.literal import escape_markdown
from pages.ui.run import Run
from pages.ui.sidebar import Waiting, draw_sidebar
from pages.ui.text_dialogs import draw_open_dialog

_FOLDER = Path(__file__).parent.parent
_TITLES = {
    "train": "Your text",
    "watch": "Watch",
    "compare": "Compare",
    "compression": "Compression",
    "vocabulary": "Vocabulary",
    "files": "Load & save",
}
_SPLITTING = {"compression"}  # pages that learn from the training side of the text and measure on the rest
_STYLE = (Path(__file__).parent / "shell.css").read_text()


def run_app() -> None:
    """Draw the sidebar and route to the page of the address; app.py calls this once per run.

    The sidebar belongs to the app and not to a page: so its inputs, and what they
    write into the address, outlive a change of page.
    """
    _spare_the_collector()
    page = st.navigation(_pages(), position="top")
    st.html(f"<style>{_STYLE}</style>")
    state.come_to(page.url_path)
    state.session().opened = _opened(split=page.url_path in _SPLITTING)
    page.run()


def _spare_the_collector() -> None:
    """Keep what is loaded by now out of garbage collection until a visit ends.

    Streamlit collects after every run, while all visitors wait. The libraries alone are
    some 120,000 objects, which took 0.15 s each time. A visit that ended is garbage, so
    its end puts everything back, and the next run collects it and spares what is left.
    """
    _until_this_visit_ends()
    if not gc.get_freeze_count():
        gc.collect()
        gc.freeze()


def let_all_be_collected(_: object = None) -> None:
    """Put everything back into garbage collection, until the next run."""
    gc.unfreeze()


@st.cache_resource(scope="session", show_spinner=False, on_release=let_all_be_collected)
def _until_this_visit_ends() -> None:
    """Nothing is kept; its release is how Streamlit tells that a visit ended."""


def open_page(heading: str, answer: str | Callable[[Run], str]) -> Run:
    """Draw the head of a page; return the training that the page is about.

    `answer` is the sentence under the heading, or how to make it from the Run.

    The first call of every page. On a fresh server Streamlit may run a page's file
    without app.py; then this starts the router and runs again. Ends the run with a
    message if the text or the settings are not usable.
    """
    ready, state.session().opened = state.session().opened, None  # of this run, never of an earlier one
    if ready is None:
        st.navigation(_pages(), position="top")
        st.rerun()
    opened, sentence = _with_answer(ready, answer)
    _draw_head(heading, sentence, "" if isinstance(opened, BpeError) else opened.text_line)
    draw_open_dialog(opened)
    if isinstance(opened, Run):
        return opened
    if isinstance(opened, BpeError):
        st.error(escape_markdown(str(opened)))
    else:
        draw_instead_of_page(opened.why)
    st.stop()


def _with_answer(
    opened: Run | Waiting | BpeError, answer: str | Callable[[Run], str]
) -> tuple[Run | Waiting | BpeError, str]:
    """Return what was opened with its sentence; an answer that cannot be given takes the place of the page."""
    if isinstance(answer, str):
        return opened, answer
    try:
        return opened, answer(opened) if isinstance(opened, Run) else ""
    except BpeError as error:
        return error, ""


def _opened(split: bool) -> Run | Waiting | BpeError:
    """What the sidebar asks for: a training, one that is not there yet, or what cannot be done."""
    try:
        return draw_sidebar(split)
    except BpeError as error:
        return error


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


def go_to_page(name: str) -> NoReturn:
    """End this run and open another page; the choices made in widgets stay."""
    st.switch_page(page_file(name), query_params=[])  # without it Streamlit refuses while a widget is bound to the URL


def _pages() -> list[StreamlitPage]:
    """The pages in their order; the start page also answers at the address of its file, by a hidden second page."""
    first = next(iter(_TITLES))
    start = st.Page(page_file(first), title=_TITLES[first], url_path="start", default=True)
    others = [st.Page(page_file(name), title=title) for name, title in _TITLES.items() if name != first]
    return [start, *others, st.Page(page_file(first), title=_TITLES[first], url_path=first, visibility="hidden")]


def _draw_head(heading: str, answer: str, text_line: str) -> None:
    lines = f"<h1>{escape(heading)}</h1><p>{escape(answer)}</p><p class='text-line'>{escape(text_line)}</p>"
    st.html(f"<div class='head'>{lines}</div>")
