"""One file that is no archive, or one member of an archive -> Documents."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from bpe_core.documents.archives import Member
from bpe_core.documents.contents import MOST_BYTES, TABLES, check_content, kind_of
from bpe_core.documents.csv_rows import csv_table
from bpe_core.documents.encodings import Decoded, decoded
from bpe_core.documents.json_rows import jsonl_table
from bpe_core.documents.model import Documents
from bpe_core.documents.parquet import parquet_table
from bpe_core.documents.plain import text_documents
from bpe_core.documents.report import FileReport, counted, shown_name
from bpe_core.documents.rows import Table
from bpe_core.documents.stopping import OnBytes, Tell, telling
from bpe_core.documents.tables import table_documents
from bpe_core.errors import BpeError


@dataclass(frozen=True)
class Choices:
    """How files are read: the options of `read_documents`, which tells what they mean."""

    encoding: str | None = None
    column: str | None = None
    split: str = "file"
    bad: str = "refuse"
    byte_order_mark: str = "drop"
    header: bool = True
    delimiter: str | None = None
    quotes: bool = True
    group_column: str | None = None
    most_bytes: int = MOST_BYTES
    on_progress: OnBytes | None = None

    @property
    def tell(self) -> Tell:
        """What to tell the bytes read so far."""
        return telling(self.on_progress)


def read_member(member: Member, choices: Choices) -> Documents:
    """Return the documents of one file; the end of its name tells how to read it.

    Raises BpeError if no document can be read.
    """
    kind = kind_of(member.inner_name)
    notes = member.notes + check_content(member.content, member.name, kind)
    if kind in TABLES:
        table, file = opened_table(member, kind, choices)
        file = replace(file, notes=notes + file.notes)
        return not_empty(
            table_documents(table, file, choices.column, choices.group_column, choices.most_bytes, choices.tell)
        )
    text = _decoded(member, choices)
    file = file_report(text, member.content, member.name, kind)
    return not_empty(text_documents(text, replace(file, notes=notes + file.notes), choices.split))


def opened_table(member: Member, kind: str, choices: Choices) -> tuple[Table, FileReport]:
    """Return the table in a file whose name says that it is one, and what is known of the file so far.

    Raises BpeError if it cannot be read as such a table.
    """
    if kind == "parquet":
        table = parquet_table(member.content, member.name, choices.most_bytes)
        text = Decoded(b"", "UTF-8", "format", "none", (), sound=True)
        return table, file_report(text, member.content, member.name, kind)
    # The mark stands before the table and is part of no cell, so it is never kept.
    text = _decoded(member, replace(choices, byte_order_mark="drop"))
    if kind == "jsonl":
        table = jsonl_table(text.data, member.name)
    else:
        delimiter = choices.delimiter or {"csv": ",", "tsv": "\t"}[kind]
        table = csv_table(text.data, member.name, delimiter=delimiter, header=choices.header, quotes=choices.quotes)
    return table, file_report(text, member.content, member.name, kind)


def _decoded(member: Member, choices: Choices) -> Decoded:
    return decoded(
        member.content,
        member.name,
        choices.encoding,
        byte_order_mark=choices.byte_order_mark,
        bad=choices.bad,
        cut_short=member.cut_short,
        tell=choices.tell,
    )


def file_report(text: Decoded, content: bytes, name: str, kind: str) -> FileReport:
    """Return what is known of a file once its bytes are text."""
    sha256 = hashlib.sha256(content).hexdigest()
    return FileReport(
        name, kind, len(content), sha256, text.encoding, text.encoding_by, text.byte_order_mark, notes=text.notes
    )


def not_empty(documents: Documents) -> Documents:
    """Return the documents of one file.

    Raises BpeError if there are none, and says why.
    """
    if len(documents):
        return documents
    (file,) = documents.files
    name = shown_name(file.name)
    if file.left_out:
        raise BpeError(
            f"No document of {name} can be read: {file.num_left_out:,} left out, {file.empty:,} empty. The first is "
            f"{file.left_out[0]}. Choose another encoding, column or delimiter, or repair the file."
        )
    if file.column is not None:
        raise BpeError(
            f"{name} holds no text in its column {shown_name(file.column)!r}: {counted(file.empty, 'empty row')}, "
            "no other. Choose another column."
        )
    raise BpeError(f"{name} is empty ({file.num_bytes:,} bytes, no text). Choose a file that holds text.")
