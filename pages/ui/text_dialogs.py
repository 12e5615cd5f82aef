"""The dialogs of the sidebar: which one is open, and the one for pasting."""

from __future__ import annotations

import streamlit as st

from bpe_core import BpeError
from bpe_core.documents import documents_of_text
from pages.ui import state
from pages.ui.about_corpus import about_dialog
from pages.ui.corpus import MOST_TEXT_BYTES, Corpus
from pages.ui.inputs import chosen_text
from pages.ui.literal import escape_markdown
from pages.ui.run import Run
from pages.ui.sidebar import Waiting
from pages.ui.upload_dialog import SPLIT_HELP, SPLITS, upload_dialog

PASTED_SPLITS = {**SPLITS, "file": "the whole text"}


def draw_open_dialog(opened: Run | Waiting | BpeError) -> None:
    """Draw the dialog that the visitor opened, if any; the Session keeps it open through reruns of the page."""
    if state.session().dialog == "about" and not isinstance(opened, BpeError):
        run = opened if isinstance(opened, Run) else None
        about_dialog(chosen_text(), run.settings if run else opened.why.request.settings, run)
    if state.session().dialog == "paste":
        paste_dialog()
    if state.session().dialog == "upload":
        upload_dialog()


@st.dialog("Paste a text", width="large", on_dismiss=state.close_dialog)
def paste_dialog() -> None:
    """Let the visitor paste a text, and use it exactly as it stands in the box."""
    text = st.text_area("Text", height=260, placeholder="Any language, code or data.", key=state.PASTED)
    split = st.selectbox(
        "One document is", list(PASTED_SPLITS), format_func=PASTED_SPLITS.get, key="pasted_split", help=SPLIT_HELP
    )
    if not st.button("Use this text", type="primary", shortcut="Ctrl+Enter"):
        return
    if not text:
        st.error("The box is empty. Paste some text first.")
        return
    try:
        use_pasted_text(text, split)
    except BpeError as error:
        st.error(escape_markdown(str(error)))
        return
    st.rerun()


def use_pasted_text(text: str, split: str) -> None:
    """Make a pasted text the visitor's own.

    Raises BpeError if it cannot be used.
    """
    if len(text) > MOST_TEXT_BYTES:
        raise BpeError(f"This text has more than {MOST_TEXT_BYTES >> 20} MB, the limit for one visitor. Paste a part.")
    state.use_own_text(Corpus.of_documents("Pasted text", documents_of_text(text, "Pasted text", split=split)))
