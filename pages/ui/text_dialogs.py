"""The two dialogs by which visitors bring a text of their own: paste and upload."""

from __future__ import annotations

import streamlit as st

from bpe_core import BpeError
from pages.ui import state
from pages.ui.corpus import Corpus
from pages.ui.literal import escape_markdown


def draw_open_dialog() -> None:
    """Draw the dialog that the visitor opened, if any; the Session keeps it open through reruns of the page."""
    dialogs = {"paste": paste_dialog, "upload": upload_dialog}
    if name := state.session().dialog:
        dialogs[name]()


@st.dialog("Paste a text", width="large", on_dismiss=state.close_dialog)
def paste_dialog() -> None:
    """Let the visitor paste a text; it becomes one document, exactly as it stands in the box."""
    text = st.text_area("Text", height=260, placeholder="Any language, code or data.", key="pasted")
    if not st.button("Use this text", type="primary", shortcut="Ctrl+Enter"):
        return
    if not text:
        st.error("The box is empty. Paste some text first.")
        return
    state.use_own_text(Corpus("Pasted text", (text,)))
    st.rerun()


@st.dialog("Upload files", width="large", on_dismiss=state.close_dialog)
def upload_dialog() -> None:
    """Let the visitor bring text files, several at once; each file is one document."""
    files = st.file_uploader("Text files in UTF-8", accept_multiple_files=True, key="uploaded")
    if not files:
        return
    try:
        documents = tuple(_utf8_text(file.getvalue(), file.name) for file in files)
    except BpeError as error:
        st.error(escape_markdown(str(error)))
        return
    if st.button("Use these files" if len(files) > 1 else "Use this file", type="primary"):
        name = files[0].name if len(files) == 1 else f"{files[0].name} and {len(files) - 1} more"
        state.use_own_text(Corpus(name, documents))
        st.rerun()


def _utf8_text(content: bytes, name: str) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise BpeError(
            f"{name} is not UTF-8 text: the first bad byte is at offset {error.start:,}, line {line:,}. "
            "Save it as UTF-8 and upload it again."
        ) from None
