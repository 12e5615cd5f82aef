"""What a visitor uploads, and how it is read: files, choices, and the documents that come of both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bpe_core import BpeError
from bpe_core.documents import Documents, TablePreview, read_files, shown_name, table_columns
from pages.ui.corpus import MOST_TEXT_BYTES
from pages.ui.tasks import Task
from pages.ui.words import plural


class Upload(NamedTuple):
    """A file as it came: an id for this upload, the name it claims, its bytes."""

    file_id: str
    name: str
    content: bytes


@dataclass(frozen=True)
class Choices:
    """How files are read; the options of `bpe_core.documents.read_documents`, which tells what they mean."""

    split: str = "file"
    encoding: str | None = None
    byte_order_mark: str = "drop"
    bad: str = "refuse"
    column: str | None = None
    group_column: str | None = None
    header: bool = True
    delimiter: str | None = None


class Draft:
    """Uploaded files with the choices made so far, and the reading of them that goes on meanwhile."""

    def __init__(self) -> None:
        self.file_ids: tuple[str, ...] = ()
        self.choices: Choices | None = None
        self.reading: Task[Documents] | None = None
        self.needs_encoding = self.has_mark = False

    def read(self, uploads: Sequence[Upload], choices: Choices) -> Task[Documents]:
        """Return the reading of these files with these choices, started again only if either changed."""
        file_ids = tuple(upload.file_id for upload in uploads)
        if self.reading is None or (file_ids, choices) != (self.file_ids, self.choices):
            self.stop()
            self.file_ids, self.choices = file_ids, choices
            self.reading = Task(lambda note: documents_of(uploads, choices, note))
        return self.reading

    def stop(self) -> None:
        """Stop reading."""
        if self.reading:
            self.reading.stop()


def documents_of(
    uploads: Sequence[Upload], choices: Choices, note: Callable[[float], bool] = lambda share: False
) -> Documents:
    """Return the documents of all files together.

    `note` is told the share that was read, and stops the reading by a true answer.
    Raises BpeError if no file can be read or if they hold more than a visitor may bring.
    """
    total = sum(len(upload.content) for upload in uploads) or 1
    files = ((upload.name, upload.content) for upload in uploads)
    documents = read_files(
        files, most_bytes=MOST_TEXT_BYTES, on_progress=lambda done: note(done / total), **vars(choices)
    )
    if documents.num_bytes > MOST_TEXT_BYTES:
        raise BpeError(
            f"These files hold {documents.num_bytes / 2**20:,.0f} MB of text together; "
            f"{MOST_TEXT_BYTES / 2**20:,.0f} MB are the limit for one visitor. Take away some of them."
        )
    return documents


def first_table(uploads: Sequence[Upload], choices: Choices) -> TablePreview | None:
    """Return the columns and first rows of the first file that is a table, None if there is none.

    A table that cannot be opened shows no columns; the reading tells what is wrong with it.
    """
    options = {**vars(choices), "column": None, "group_column": None, "most_bytes": MOST_TEXT_BYTES}
    for upload in uploads:
        try:
            preview = table_columns(upload.content, upload.name, **options)
        except BpeError:
            continue
        if preview:
            return preview
    return None


def name_of(uploads: Sequence[Upload]) -> str:
    """Return how to call these files together, a whole folder by its own name; as hostile as any file name.

    >>> name_of([Upload("1", "a.txt", b""), Upload("2", "b.txt", b"")])
    'a.txt and 1 more'
    >>> name_of([Upload("1", "notes/a.txt", b""), Upload("2", "notes/old/b.txt", b"")])
    'notes (2 files)'
    """
    folders = {upload.name.partition("/")[0] for upload in uploads}
    if len(folders) == 1 and all("/" in upload.name for upload in uploads):
        return f"{shown_name(folders.pop())} ({plural(len(uploads), 'file')})"
    more = f" and {len(uploads) - 1:,} more" if len(uploads) > 1 else ""
    return shown_name(uploads[0].name) + more
