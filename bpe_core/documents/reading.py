"""The bytes of a file, or a pasted text -> Documents."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bpe_core.documents.archives import Member, members
from bpe_core.documents.contents import ARCHIVES, MOST_BYTES, TABLES, check_content, kind_of, too_big, why_passed_over
from bpe_core.documents.encodings import Decoded
from bpe_core.documents.joining import join_documents
from bpe_core.documents.model import Documents
from bpe_core.documents.one_file import Choices, file_report, not_empty, opened_table, read_member
from bpe_core.documents.plain import text_documents
from bpe_core.documents.report import LeftOut, counted, shown_name
from bpe_core.documents.splitting import check_split
from bpe_core.documents.stopping import OnBytes, telling
from bpe_core.documents.tables import TablePreview, table_preview
from bpe_core.errors import BpeError, Stopped


def read_documents(
    content: bytes,
    name: str,
    *,
    encoding: str | None = None,
    column: str | None = None,
    split: str = "file",
    bad: str = "refuse",
    byte_order_mark: str = "drop",
    header: bool = True,
    delimiter: str | None = None,
    quotes: bool = True,
    group_column: str | None = None,
    most_bytes: int = MOST_BYTES,
    on_progress: OnBytes | None = None,
) -> Documents:
    """Return the documents in the `content` of the file `name`, with a report of what was read and how.

    The end of the name tells a table (.csv, .tsv, .jsonl, .parquet) or an archive (.gz, .zip); all
    else is text. Nothing is normalised, stripped or line-ending-converted.

    `encoding`: one of ENCODINGS; without it the byte order mark decides, and without a mark it is UTF-8.
    `split`: one of SPLITS, for texts; in a table each row is a document, the cell in `column` (needed if there are
    several and none is called "text"). `bad`: "refuse" a text that is not in its encoding, or "skip" its bad
    documents. `byte_order_mark`: "drop" or "keep". For .csv and .tsv: whether the first row is a
    `header`, the `delimiter` (comma and tab), whether cells may stand in `quotes`. `group_column` tells the group
    of each row. More than `most_bytes`, counted unpacked, are refused. `on_progress` is told the bytes read so far;
    a true answer stops the reading.

    Rows and archive members that cannot be read are left out, counted and listed in the report.

    >>> documents = read_documents(b"one\\ntwo", "a.txt", split="line")
    >>> tuple(documents), documents.report.summary, str(documents.origin(1))
    (('one\\n', 'two'), '2 documents; UTF-8', 'a.txt, line 2')
    >>> tuple(read_documents(b"id,text\\n1,NA\\n2,\\n3,007\\n", "a.csv"))
    ('NA', '007')

    Raises BpeError if no document can be read; Stopped if `on_progress` says so.
    """
    choices = Choices(
        encoding, column, split, bad, byte_order_mark, header, delimiter, quotes, group_column, most_bytes, on_progress
    )
    check_split(split)
    return _read(content, name, choices)


def read_files(
    files: Iterable[tuple[str, bytes]], *, on_progress: OnBytes | None = None, **choices: str | int | bool | None
) -> Documents:
    """Return the documents of several files, given as (name, content), read with the options of `read_documents`.

    A file that cannot be read is left out and listed, as long as another can. So is a hidden file of a
    folder, whose files are named by their paths in it: "notes/.git/HEAD".

    >>> read_files([("a.txt", b"low"), ("b.txt", b"")]).report.summary
    '1 document; 1 file left out; UTF-8'

    Raises BpeError if no file can be read; Stopped if `on_progress` says so.
    """
    parts, left_out, done = [], [], 0
    for name, content in files:
        tell = telling(on_progress, done)
        tell(0)
        try:
            if why := _why_passed_over(name):
                left_out.append(LeftOut(name, None, None, why))
            else:
                parts.append(read_documents(content, name, on_progress=tell, **choices))
        except Stopped:
            raise
        except BpeError as error:
            left_out.append(LeftOut.because(name, error))
        done += len(content)
    if not parts and left_out:
        others = f" (None of the other {len(left_out) - 1:,} can be read either.)" if len(left_out) > 1 else ""
        raise BpeError(f"{left_out[0]}{others}")
    return join_documents(parts, left_out)


def documents_of_text(text: str, name: str = "pasted text", *, split: str = "file") -> Documents:
    """Return the documents of a text that is text already, such as a pasted one.

    >>> tuple(documents_of_text("one\\n\\ntwo", split="blank lines"))
    ('one\\n\\n', 'two')

    Raises BpeError if it is empty, or if it holds half a character (a lone surrogate).
    """
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise BpeError(
            f"{shown_name(name)} holds a lone surrogate, U+{ord(text[error.start]):04X}, at character {error.start:,}, "
            f"line {line:,}: half of a character, which has no UTF-8 bytes. Remove it."
        ) from None
    whole = Decoded(data, "UTF-8", "format", "none", (), sound=True)
    return not_empty(text_documents(whole, file_report(whole, data, name, "text"), split))


def table_columns(content: bytes, name: str, **choices: str | int | bool | None) -> TablePreview | None:
    """Return the columns of a table with its first three rows, to choose from; None if no table is read.

    Takes the options of `read_documents`. Of an archive, the first table in it is shown.

    >>> preview = table_columns(b"id,said\\n1,low\\n2,lower\\n", "a.csv")
    >>> preview.columns, preview.rows, preview.suggested
    (('id', 'said'), (('1', 'low'), ('2', 'lower')), 'said')

    Raises BpeError if the file cannot be read.
    """
    chosen = Choices(**choices)
    kind = kind_of(name)
    if _why_passed_over(name):
        return None
    if kind in ARCHIVES:
        check_content(content, name, kind)
        found = (each for each in members(content, name, kind, chosen.most_bytes) if isinstance(each, Member))
        member = next((each for each in found if kind_of(each.inner_name) in TABLES), None)
        if member is None:
            return None
    else:
        member = Member(name, name, content)
    kind = kind_of(member.inner_name)
    if kind not in TABLES:
        return None
    check_content(member.content, member.name, kind)
    return table_preview(opened_table(member, kind, chosen)[0], member.name, kind)


def _why_passed_over(name: str) -> str | None:
    """Why a file is not read, told by its path in the folder it came with; the folder itself was chosen."""
    return why_passed_over(name.partition("/")[2])


def _read(content: bytes, name: str, choices: Choices) -> Documents:
    kind = kind_of(name)
    if len(content) > choices.most_bytes:
        raise too_big(name, choices.most_bytes)
    if kind not in ARCHIVES:
        return read_member(Member(name, name, content), choices)
    check_content(content, name, kind)
    if kind == "gz":
        (member,) = members(content, name, kind, choices.most_bytes)
        return read_member(member, choices)
    return _read_zip(content, name, choices)


def _read_zip(content: bytes, name: str, choices: Choices) -> Documents:
    parts, left_out, done = [], [], 0
    for member in members(content, name, "zip", choices.most_bytes):
        if isinstance(member, LeftOut):
            left_out.append(member)
            continue
        tell = telling(choices.on_progress, done)
        tell(0)
        try:
            parts.append(read_member(member, replace(choices, on_progress=tell)))
        except Stopped:
            raise
        except BpeError as error:
            left_out.append(LeftOut.because(member.name, error))
        done += len(member.content)
    if not parts:
        if not left_out:
            raise BpeError(f"{shown_name(name)} holds no files. Choose another archive.")
        raise BpeError(
            f"Nothing in {shown_name(name)} can be read; {counted(len(left_out), 'file')} in it left out. "
            f"The first is {left_out[0]}"
        )
    return join_documents(parts, left_out)
