"""About this text: what was read, its figures with examples, and the way to learn from a part of it."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from bpe_core.documents import Documents, Example, every_nth, first_bytes, without
from bpe_core.documents.marks import REASONS, Mark, marked
from bpe_core.visible import visible
from pages.ui import state
from pages.ui.corpus import Corpus
from pages.ui.corpus_figures import LONG_CHUNK_BYTES, MOST_FILES, Figures, corpus_figures
from pages.ui.literal import escape_markdown
from pages.ui.run import Run, Settings
from pages.ui.tasks import Task, result_shown
from pages.ui.upload_dialog import left_out_list, things_left_out
from pages.ui.words import file_size, number, plural, ratio

HELP = {
    "Distinct chunks": "Pieces into which the text is cut before anything is learned; merges never cross a chunk.",
    "Bytes per token": "UTF-8 bytes divided by tokens at the size in view.",
    "Exact duplicates": "Documents equal to an earlier one. A document that occurs n times weighs n times.",
    "Empty, skipped": "Documents and rows without a single character. They are not used.",
    "Blank": "Documents of whitespace alone. They are used.",
    "U+FFFD": "The replacement character �: most often the mark of a text decoded in the wrong encoding.",
    "Control characters": "U+0000 to U+001F without tab and line ends, U+007F to U+009F.",
}


@st.dialog("About this text", width="large", on_dismiss=state.close_dialog)
def about_dialog(corpus: Corpus, settings: Settings, run: Run | None) -> None:
    """Show what the corpus is, and let the visitor use a part of it."""
    if state.session().dialog != "about":  # a button has just closed it
        st.rerun()
    st.text(corpus.name)
    _draw_reading(corpus.read)
    figures, part, marks = st.tabs(["Figures", "Use a part", "Leave out documents"])
    with figures:
        _draw_figures(corpus, settings, run)
    with part:
        _draw_part(corpus)
    with marks:
        _draw_marks(corpus)


def _draw_reading(documents: Documents) -> None:
    report = documents.report
    st.caption(escape_markdown(f"{plural(len(report.files), 'file')} read: {report.summary}."))
    for note in report.all_notes[:10]:
        st.caption(escape_markdown(note))
    if left_out := things_left_out(documents):
        st.warning(left_out_list(left_out))
        st.download_button(
            "List of all left out, as CSV",
            lambda: pd.DataFrame(left_out).to_csv(index=False),
            "left_out.csv",
            "text/csv",
            on_click="ignore",
        )


def _draw_figures(corpus: Corpus, settings: Settings, run: Run | None) -> None:
    task = _figures_task(corpus, settings, run)
    every, *files = result_shown(task, "Counting.")
    names = [f"all {plural(len(files), 'file')}" if len(files) > 1 else "the text"]
    if len(files) > 1:
        names += [each.facts.file for each in files]
    shown = [every, *files][: len(names)]
    table = pd.DataFrame([each.row for each in shown])
    table.insert(0, "File", names)
    chosen = _chosen_cell(table)
    if every.longest_chunk.count > LONG_CHUNK_BYTES:
        st.warning(
            f"The longest chunk has {number(every.longest_chunk.count)} bytes. Chunks of more than "
            f"{number(LONG_CHUNK_BYTES)} bytes are rarely words: look for encoded data or text without spaces."
        )
    if len(files) > MOST_FILES:
        st.caption(f"Chunks and tokens are counted file by file for up to {MOST_FILES} files.")
    row, column = chosen or (0, _first_figure(every))
    _draw_examples(shown[row], column)


def _figures_task(corpus: Corpus, settings: Settings, run: Run | None) -> Task[tuple[Figures, ...]]:
    session = state.session()
    key = corpus.digest, settings.pattern, run and (run.training, run.vocab_size)
    if session.figures is None or session.figures[0] != key:
        tokenizer = run.tokenizer if run else None
        work = lambda note: corpus_figures(corpus.read, settings.pattern, tokenizer, note)  # noqa: E731
        session.figures = key, Task(work)
    return session.figures[1]


def _chosen_cell(table: pd.DataFrame) -> tuple[int, str] | None:
    """Draw the figures; return the row of the file and the name of the figure that was clicked."""
    st.caption("Click a number to see where it stands.")
    is_list = len(table) == 1  # of one text the figures stand below each other
    shown = pd.DataFrame(_listed(table), columns=["", "the text"]) if is_list else table
    event = st.dataframe(
        shown,
        hide_index=True,
        key="about_figures",
        on_select="rerun",
        selection_mode="single-cell",
        column_config={name: st.column_config.Column(help=text) for name, text in HELP.items()},
        alt="Figures of this corpus",
        height="content" if is_list else "auto",
    )
    if not event.selection.cells:
        return None
    row, column = event.selection.cells[0]
    return (0, shown.iloc[row, 0]) if is_list else (row, column)


def _listed(table: pd.DataFrame) -> list[tuple[str, str]]:
    return [(name, _in_words(table[name].iloc[0])) for name in table.columns if name != "File"]


def _in_words(value: object) -> str:
    if value is None or value != value:
        return "–"
    return ratio(value) if isinstance(value, float) else number(int(value))


def _first_figure(figures: Figures) -> str:
    return next(iter(figures.with_examples), "")


def _draw_examples(figures: Figures, name: str) -> None:
    count, examples = figures.with_examples.get(name, ("0", ()))
    if not examples:
        if name in figures.row and name not in figures.with_examples:
            st.caption("This figure has no single places to show.")
        return
    st.caption(f"{name}: {count}. The first places:")
    st.dataframe(_places(examples), hide_index=True, alt="Places where it stands")


def _places(examples: Sequence[Example]) -> pd.DataFrame:
    return pd.DataFrame(
        [(each.file, each.document + 1, each.line, each.row, visible(each.excerpt.encode())) for each in examples],
        columns=["file", "document", "line", "row", "text from there"],
    ).astype({"line": "Int64", "row": "Int64"})


def _draw_part(corpus: Corpus) -> None:
    st.caption(f"The text has {file_size(corpus.num_bytes)} in {plural(len(corpus.read), 'document')}.")
    left, right = st.columns(2)
    nth = left.number_input("Every n-th document", 1, max(1, len(corpus.read)), 1, key="part_nth")
    most = max(0.001, corpus.num_bytes / 1e6)
    megabytes = right.number_input("Of these the first MB", 0.001, most, most, format="%.3f", key="part_megabytes")
    documents = every_nth(corpus.read, nth) if nth > 1 else corpus.read
    if megabytes < most:
        documents = first_bytes(documents, int(megabytes * 1e6))
    st.caption(f"That is {file_size(documents.num_bytes)} in {plural(len(documents), 'document')}.")
    is_all = documents is corpus.read
    st.button("Use this part", type="primary", disabled=is_all, on_click=_use, args=(corpus, documents))
    if state.session().whole_corpus and corpus is state.session().own_corpus:
        st.button("Use the whole text again", on_click=state.use_whole_text)


def _draw_marks(corpus: Corpus) -> None:
    chosen = st.pills(
        "Mark documents that are or have", list(REASONS), selection_mode="multi", format_func=REASONS.get, key="marks"
    )
    marks = _marks(corpus, tuple(chosen))
    if not chosen:
        return
    st.caption(f"{number(len(marks))} of {plural(len(corpus.read), 'document')} marked.")
    if not marks:
        return
    st.dataframe(_marks_table(corpus.read, marks[:200]), hide_index=True, height=240, alt="Marked documents")
    leave_out, save = st.columns(2)
    leave_out.button(
        f"Leave out {plural(len(marks), 'document')} and learn again",
        type="primary",
        disabled=len(marks) == len(corpus.read),
        help="At least one document must remain.",
        on_click=_leave_out,
        args=(corpus, marks),
    )
    save.download_button(
        "The list as CSV",
        lambda: _marks_table(corpus.read, marks).to_csv(index=False),
        "marked_documents.csv",
        "text/csv",
        on_click="ignore",
    )


def _marks(corpus: Corpus, reasons: tuple[str, ...]) -> tuple[Mark, ...]:
    session = state.session()
    key = corpus.digest, reasons
    if session.marks is None or session.marks[0] != key:
        session.marks = key, Task(lambda note: marked(corpus.read, reasons))
    return result_shown(session.marks[1], "Looking at each document.")


def _marks_table(documents: Documents, marks: Sequence[Mark]) -> pd.DataFrame:
    rows = []
    for mark in marks:
        origin = documents.origin(mark.document)
        text = documents.documents
        start = int(text.starts[mark.document])
        excerpt = text.data[start : min(int(text.ends[mark.document]), start + 80)].decode(errors="ignore")
        why = ", ".join(REASONS[reason] for reason in mark.reasons)
        rows.append((origin.file, mark.document + 1, origin.line, origin.row, why, visible(excerpt.encode())))
    frame = pd.DataFrame(rows, columns=["file", "document", "line", "row", "why", "begins with"])
    return frame.astype({"line": "Int64", "row": "Int64"})


def _leave_out(corpus: Corpus, marks: Sequence[Mark]) -> None:
    _use(corpus, without(corpus.read, [mark.document for mark in marks]))


def _use(corpus: Corpus, documents: Documents) -> None:
    """Make some of the documents the visitor's text, and remember the whole for the way back."""
    session = state.session()
    whole = session.whole_corpus if session.whole_corpus and corpus is session.own_corpus else corpus
    state.use_own_text(Corpus.of_documents(f"{whole.name}, a part", documents, whole.text_digest), whole)
