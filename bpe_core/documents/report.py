"""What was read, and what was done with it: the record that goes with every Documents."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from bpe_core.errors import BpeError
from bpe_core.visible import visible

MOST_LISTED = 1_000
"""So many things left out are listed for each file; all are counted."""


def shown_name(name: str) -> str:
    """Return a file name fit for a sentence: nothing in it is hidden or reverses the line, and it is not endless.

    It may still hold `<` or `*`: whoever draws it escapes it, as all user text.

    >>> shown_name("safe\\u202egpj.txt")
    'safe⟨RLO⟩gpj.txt'
    """
    seen = "".join(each if each == " " else visible(each.encode("utf-8", "surrogatepass")) for each in name[:200])
    return seen if len(seen) <= 100 else f"{seen[:60]}…{seen[-39:]}"


def counted(number: int, thing: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "file"), counted(1200, "row")
    ('1 file', '1,200 rows')
    """
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


class LeftOut(NamedTuple):
    """Something that was not read: where it stands (line and row from 1, None if it has none), and why."""

    file: str
    line: int | None
    row: int | None
    reason: str

    @classmethod
    def because(cls, file: str, error: BpeError) -> LeftOut:
        """Return a whole file left out because of an error, which need not name the file again."""
        reason = str(error)
        name = shown_name(file) + " "
        return cls(file, None, None, "it " + reason[len(name) :] if reason.startswith(name) else reason)

    def __str__(self) -> str:
        row = f", row {self.row:,}" if self.row is not None else ""
        line = f", line {self.line:,}" if self.line is not None else ""
        return f"{shown_name(self.file)}{row}{line}: {self.reason}"


@dataclass(frozen=True)
class FileReport:
    """One file, or one member of an archive, and what became of it.

    `num_bytes` are the bytes of the file as given (a member's: unpacked). `encoding_by` says
    who decided: "default", "byte order mark" or "choice"; a Parquet file and a pasted text have "format".
    `byte_order_mark` is "none", "dropped" or "kept". `empty` counts documents of no
    character, which are skipped. `left_out` lists the first documents that could
    not be read, `num_left_out` counts all. `columns` and `preview` (the first three
    rows) are empty unless the file is a table. `notes` are sentences for the reader.
    """

    name: str
    kind: str
    num_bytes: int
    sha256: str
    encoding: str
    encoding_by: str
    byte_order_mark: str = "none"
    split: str = "file"
    num_documents: int = 0
    empty: int = 0
    num_left_out: int = 0
    left_out: tuple[LeftOut, ...] = ()
    column: str | None = None
    group_column: str | None = None
    columns: tuple[str, ...] = ()
    preview: tuple[tuple[str, ...], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def shows_lines(self) -> bool:
        """Whether a line feed in a document ends a line of the file; in JSON it is written as two characters."""
        return self.kind not in ("jsonl", "parquet")


@dataclass(frozen=True)
class Report:
    """All files of one reading; `left_out_files` are files and archive members of which nothing was read."""

    files: tuple[FileReport, ...]
    left_out_files: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()
    num_left_out_files: int = field(default=-1)

    def __post_init__(self) -> None:
        if self.num_left_out_files < 0:
            object.__setattr__(self, "num_left_out_files", len(self.left_out_files))

    @property
    def num_documents(self) -> int:
        """Documents read."""
        return sum(file.num_documents for file in self.files)

    @property
    def empty(self) -> int:
        """Empty documents, which were skipped."""
        return sum(file.empty for file in self.files)

    @property
    def num_left_out(self) -> int:
        """Documents that could not be read."""
        return sum(file.num_left_out for file in self.files)

    @property
    def all_notes(self) -> tuple[str, ...]:
        """The notes of the whole reading, then those of each file."""
        return self.notes + tuple(note for file in self.files for note in file.notes)

    @property
    def summary(self) -> str:
        """One line for the sidebar.

        >>> Report((FileReport("a.txt", "text", 3, "", "UTF-8", "default", num_documents=1),)).summary
        '1 document; UTF-8'
        """
        parts = [counted(self.num_documents, "document")]
        if self.empty:
            parts.append(f"{self.empty:,} empty, skipped")
        if self.num_left_out:
            parts.append(f"{self.num_left_out:,} not readable, left out")
        if self.num_left_out_files:
            parts.append(f"{counted(self.num_left_out_files, 'file')} left out")
        parts.append(", ".join(_distinct(_encoding_words(file) for file in self.files)))
        return "; ".join(part for part in parts if part)


def _encoding_words(file: FileReport) -> str:
    mark = "" if file.byte_order_mark == "none" else f" (byte order mark {file.byte_order_mark})"
    return file.encoding + mark


def _distinct(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(words))
