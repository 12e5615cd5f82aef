"""The dialog by which visitors bring files: drop, choose how they become documents, see what was read, use it."""

from __future__ import annotations

import pandas as pd
import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from bpe_core import BpeError
from bpe_core.documents import ENCODINGS, Documents, LeftOut, TablePreview, shown_name
from pages.ui import state
from pages.ui.corpus import MOST_TEXT_BYTES, Corpus
from pages.ui.literal import escape_markdown
from pages.ui.reading import Choices, Draft, Upload, first_table, name_of
from pages.ui.tasks import result_shown
from pages.ui.words import file_size, number, plural

FILES, FOLDER = "Files", "A whole folder"
SPLITS = {"file": "one file", "line": "one line", "blank lines": "one paragraph (up to a blank line)"}
SPLIT_HELP = "Merges never cross a document. In a table each row is a document, whatever is chosen here."
MARKS = {"drop": "leave it out", "keep": "keep it as text"}
BAD = {"refuse": "leave out the whole file", "skip": "leave out only the documents that hold it"}
_NOT_IN_ENCODING = "Choose its encoding"
_MOST_SHOWN = 5


def close_upload() -> None:
    """Close the dialog and drop what was uploaded in it."""
    if state.session().draft:
        state.session().draft.stop()
    _drop_uploaded_bytes()
    state.session().draft = None
    state.session().uploads += 1  # the next dialog has a new, empty uploader
    state.close_dialog()


@st.dialog("Upload files", width="large", on_dismiss=close_upload)
def upload_dialog() -> None:
    """Let the visitor bring files, and say how they become documents."""
    session = state.session()
    if session.dialog != "upload":  # its button has just closed it
        st.rerun()
    session.draft = session.draft or Draft()
    uploads = _uploader(session.uploads)
    if not uploads:
        session.draft.stop()
        return
    place = st.container()
    choices = _choices_input(uploads, session.draft)
    try:
        with place:
            reading = session.draft.read(uploads, choices)
            documents = result_shown(reading, f"Reading {_size_of(uploads)}. Close this window to stop.")
    except BpeError as error:
        _note_what_is_needed(session.draft, None, error)
        place.error(escape_markdown(str(error)))
        return
    _note_what_is_needed(session.draft, documents, None)
    with place:
        _draw_report(documents)
    label = f"Use {'this document' if len(documents) == 1 else f'these {number(len(documents))} documents'}"
    st.button(label, type="primary", on_click=_use, args=(name_of(uploads), documents))


def _uploader(serial: int) -> list[Upload]:
    what = st.segmented_control("What to upload", [FILES, FOLDER], default=FILES, required=True, key="upload_what")
    files = st.file_uploader(
        f"Texts, tables (csv, tsv, jsonl, parquet) and archives (zip, gz), up to {MOST_TEXT_BYTES >> 20} MB of text",
        accept_multiple_files="directory" if what == FOLDER else True,
        key=f"uploaded_{serial}_{what}",
    )
    return [Upload(file.file_id, file.name, file.getvalue()) for file in files]


def _choices_input(uploads: list[Upload], draft: Draft) -> Choices:
    split = st.selectbox(
        "In a text, one document is", list(SPLITS), format_func=SPLITS.get, key="upload_split", help=SPLIT_HELP
    )
    asked_for = st.container()
    with st.expander("How the files are read"):
        folded = st.container()
        header = st.checkbox("The first row of a .csv or .tsv names the columns", value=True, key="upload_header")
        delimiter = st.text_input(
            "What parts the cells, if not comma or tab", max_chars=1, key="upload_delimiter", placeholder=";"
        )
    with asked_for if draft.needs_encoding else folded:
        encoding, bad = _encoding_input()
    with asked_for if draft.has_mark else folded:
        mark = st.selectbox(
            "A byte order mark at the start", list(MARKS), format_func=MARKS.get, key="upload_byte_order_mark"
        )
    choices = Choices(split, encoding, mark, bad, header=header, delimiter=delimiter or None)
    return _with_columns(choices, first_table(uploads, choices))


def _encoding_input() -> tuple[str | None, str]:
    left, right = st.columns(2)
    encoding = left.selectbox(
        "Encoding",
        [None, *ENCODINGS],
        format_func=lambda code: ENCODINGS.get(code, "UTF-8, or as the byte order mark says"),
        key="upload_encoding",
        help="Nothing is guessed. Windows-1252 and Latin-1 are usual for older Western files.",
    )
    bad = right.selectbox("If a file is not in it", list(BAD), format_func=BAD.get, key="upload_bad")
    return encoding, bad


def _with_columns(choices: Choices, table: TablePreview | None) -> Choices:
    """Let the visitor choose the column of a table by a look at its first rows."""
    if table is None:
        return choices
    st.caption("The table's first rows; each row is a document. Choose the column that holds the text.")
    rows = {f"{at}. {name}": [row[at - 1] for row in table.rows] for at, name in enumerate(table.columns, 1)}
    st.dataframe(pd.DataFrame(rows), hide_index=True, alt="The first rows of the table")
    left, right = st.columns(2)
    suggested = table.columns.index(table.suggested)
    column = left.selectbox(
        "Text is in column",
        range(len(table.columns)),
        suggested,
        format_func=lambda at: f"{at + 1}. {shown_name(table.columns[at])}",
        key="upload_column",
    )
    group = right.selectbox(
        "Rows that belong together",
        [None, *range(len(table.group_columns))],
        format_func=lambda at: "each row stands alone" if at is None else f"same {shown_name(table.group_columns[at])}",
        key="upload_group",
        help="Rows of one group stay on one side when some text is held back from learning.",
    )
    group_column = None if group is None else table.group_columns[group]
    return Choices(**{**vars(choices), "column": table.columns[column], "group_column": group_column})


def _draw_report(documents: Documents) -> None:
    report = documents.report
    left_out = things_left_out(documents)
    draw = st.info if left_out else st.success
    draw(escape_markdown(f"{plural(len(report.files), 'file')} read: {report.summary}."))
    for note in report.all_notes[:_MOST_SHOWN]:
        st.warning(escape_markdown(note))
    if left_out:
        st.warning(left_out_list(left_out))


def things_left_out(documents: Documents) -> list[LeftOut]:
    """Return the files, archive members, rows and documents that were not read (the first 1,000 of each file)."""
    report = documents.report
    return [*report.left_out_files, *(each for file in report.files for each in file.left_out)]


def left_out_list(left_out: list[LeftOut], most: int = _MOST_SHOWN) -> str:
    """Return the first things left out, and why, as a markdown list."""
    more = [f"- and {number(len(left_out) - most)} more"] if len(left_out) > most else []
    return "\n".join(["Left out:\n", *(f"- {escape_markdown(str(each))}" for each in left_out[:most]), *more])


def _note_what_is_needed(draft: Draft, documents: Documents | None, error: BpeError | None) -> None:
    """Bring the choice of the encoding, or of the byte order mark, into view once a file turned out to need it."""
    reasons = [str(error)] if error else [each.reason for each in things_left_out(documents)]
    needs = draft.needs_encoding or any(_NOT_IN_ENCODING in reason for reason in reasons)
    marked = draft.has_mark or (documents and any(each.byte_order_mark != "none" for each in documents.files))
    if (needs, bool(marked)) != (draft.needs_encoding, draft.has_mark):
        draft.needs_encoding, draft.has_mark = needs, bool(marked)
        st.rerun()


def _size_of(uploads: list[Upload]) -> str:
    return f"{plural(len(uploads), 'file')}, {file_size(sum(len(upload.content) for upload in uploads))}"


def _use(name: str, documents: Documents) -> None:
    close_upload()
    state.use_own_text(Corpus.of_documents(name, documents))


def _drop_uploaded_bytes() -> None:
    """Let the server drop its copy of the uploaded files now, not when the visitor leaves."""
    context = get_script_run_ctx()
    draft = state.session().draft
    if context and draft and hasattr(context.uploaded_file_mgr, "remove_file"):
        for file_id in draft.file_ids:
            context.uploaded_file_mgr.remove_file(context.session_id, file_id)
