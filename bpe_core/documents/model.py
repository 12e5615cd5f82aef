"""Documents: texts, where each came from, and the report of how they were read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from bpe_core.documents.report import FileReport, Report, shown_name
from bpe_core.documents.texts import Texts


class Origin(NamedTuple):
    """Where a document came from: its file, and there the line and the row (of data, from 1) where it begins."""

    file: str
    line: int | None
    row: int | None

    def __str__(self) -> str:
        line = f", line {self.line:,}" if self.line is not None else ""
        row = f", row {self.row:,}" if self.row is not None else ""
        return shown_name(self.file) + row + line


@dataclass(frozen=True, eq=False)
class Documents:
    """Documents and their origins. Iterate it for the texts: `count_chunks(documents)`.

    Document i is from file `file_numbers[i]` of `report.files` and begins in line `lines[i]`
    and row `rows[i]` there (from 1; 0 where a file has none). With a group column its
    group is `group_names[group_numbers[i]]`; without, both are empty.
    """

    documents: Texts
    report: Report
    file_numbers: np.ndarray
    lines: np.ndarray
    rows: np.ndarray
    group_names: tuple[str, ...] = ()
    group_numbers: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.documents)

    def __iter__(self) -> Iterator[str]:
        return iter(self.documents)

    @property
    def num_bytes(self) -> int:
        """UTF-8 bytes of all documents."""
        return self.documents.num_bytes

    @property
    def files(self) -> tuple[FileReport, ...]:
        """The files read; `file_numbers` count in this order."""
        return self.report.files

    def origin(self, number: int) -> Origin:
        """Return where document `number` came from."""
        line, row = int(self.lines[number]), int(self.rows[number])
        return Origin(self.files[int(self.file_numbers[number])].name, line or None, row or None)

    def selected(self, numbers: np.ndarray) -> Documents:
        """Return the documents with these numbers, in this order; the report stays that of the whole reading."""
        groups = None if self.group_numbers is None else self.group_numbers[numbers]
        return replace(
            self,
            documents=self.documents.selected(numbers),
            file_numbers=self.file_numbers[numbers],
            lines=self.lines[numbers],
            rows=self.rows[numbers],
            group_numbers=groups,
        )

    def of_file(self, number: int) -> Documents:
        """Return the documents of file `number` of `files`."""
        return self.selected(np.flatnonzero(self.file_numbers == number))
