"""A table -> documents: one row is one document, its text the cell in the chosen column."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import NamedTuple

import numpy as np

from bpe_core.documents.contents import too_big
from bpe_core.documents.model import Documents
from bpe_core.documents.report import MOST_LISTED, FileReport, LeftOut, Report, shown_name
from bpe_core.documents.rows import Cell, Row, Table
from bpe_core.documents.stopping import Tell, say_nothing
from bpe_core.documents.texts import Texts
from bpe_core.errors import BpeError

_PREVIEWED_CHARACTERS = 200
_ROWS_BETWEEN_TELLING = 1_024


class TablePreview(NamedTuple):
    """The columns that can be chosen, the first rows (cells cut at 200 characters), and the column with most text.

    `group_columns` can tell groups: these columns, and those that hold no text.
    """

    name: str
    kind: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    suggested: str
    group_columns: tuple[str, ...]
    notes: tuple[str, ...]


def table_preview(table: Table, name: str, kind: str) -> TablePreview:
    """Return the columns of a table with its first three rows."""
    readable = (row.cells for row in table.rows(table.columns) if not row.problem and any(row.cells))
    looked_at = list(islice(readable, 50))
    weights = [sum(_length(cells[at]) for cells in looked_at) for at in range(len(table.columns))]
    suggested = table.columns[weights.index(max(weights))]
    rows = tuple(tuple(_previewed(cell) for cell in cells) for cells in looked_at[:3])
    return TablePreview(name, kind, table.columns, rows, suggested, table.columns + table.other_columns, table.notes)


def _length(cell: Cell) -> int:
    return len(cell) if isinstance(cell, str | bytes) else 0


def _previewed(cell: Cell) -> str:
    text = _shown(cell)
    return text if len(text) <= _PREVIEWED_CHARACTERS else text[:_PREVIEWED_CHARACTERS] + "…"


def _shown(cell: Cell) -> str:
    """The cell as text to show or to group by: what is no text in it is replaced."""
    if isinstance(cell, bytes):
        return cell.decode("utf-8", "replace")
    text = json.dumps(cell, ensure_ascii=False) if isinstance(cell, list | dict) else cell or ""
    return text.encode("utf-8", "replace").decode()


def chosen_column(table: Table, name: str, column: str | None) -> str:
    """Return the column to read: the one chosen, the only one, or the one called "text".

    Raises BpeError if there is no such column, or if one has to be chosen.
    """
    if column is None:
        if len(table.columns) == 1:
            return table.columns[0]
        if "text" in table.columns:
            return "text"
        raise BpeError(
            f"{shown_name(name)} has {len(table.columns):,} columns: {_listed(table.columns)}. "
            "Choose the one that holds the text."
        )
    if column not in table.columns and table.listed:
        raise _no_column(table, name, column)
    return column


def _no_column(table: Table, name: str, column: str) -> BpeError:
    why = "holds no text" if column in table.other_columns else "is not there"
    return BpeError(
        f"The column {shown_name(column)!r} of {shown_name(name)} {why}. Choose one of: {_listed(table.columns)}."
    )


def _listed(columns: tuple[str, ...]) -> str:
    more = f" and {len(columns) - 20:,} more" if len(columns) > 20 else ""
    return ", ".join(shown_name(column) for column in columns[:20]) + more


@dataclass
class _Reading:
    """What is gathered while the rows go by."""

    name: str
    most_bytes: int
    tell: Tell
    lines: array[int] = field(default_factory=lambda: array("q"))
    rows: array[int] = field(default_factory=lambda: array("q"))
    groups: list[str] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    num_left_out: int = 0
    empty: int = 0

    def texts(self, rows: Iterator[Row]) -> Iterator[bytes]:
        """Yield the text of each row that has one."""
        left = self.most_bytes
        for row in rows:
            if row.row % _ROWS_BETWEEN_TELLING == 0:
                self.tell(self.most_bytes - left)
            piece, problem = (b"", row.problem) if row.problem else _text(row.cells[0])
            if problem:
                self._leave_out(row, problem)
            elif not piece:
                self.empty += 1
            else:
                left -= len(piece)
                if left < 0:
                    raise too_big(self.name, self.most_bytes)
                self._keep(row)
                yield piece

    def _keep(self, row: Row) -> None:
        self.lines.append(row.line or 0)
        self.rows.append(row.row)
        self.groups.extend(_shown(cell) for cell in row.cells[1:])

    def _leave_out(self, row: Row, problem: str) -> None:
        self.num_left_out += row.num_rows
        if len(self.left_out) < MOST_LISTED:
            self.left_out.append(LeftOut(self.name, row.line, row.row, problem))


def _text(cell: Cell) -> tuple[bytes, str | None]:
    """The cell's UTF-8, or why it has none."""
    if isinstance(cell, list | dict):
        return b"", "its value is a list or an object, not a text"
    try:
        if isinstance(cell, bytes):
            cell.decode()
            return cell, None
        return (cell or "").encode(), None
    except UnicodeError:
        return b"", "its text holds bytes that are no text, or half a character (a lone surrogate)"


def table_documents(
    table: Table,
    file: FileReport,
    column: str | None,
    group_column: str | None,
    most_bytes: int,
    tell: Tell = say_nothing,
) -> Documents:
    """Return the documents of a table; there may be none. `file` tells what is known of it already.

    Raises BpeError if the column or the group column is not there, or has to be chosen.
    """
    column = chosen_column(table, file.name, column)
    if group_column is not None:
        _check_group_column(table, file.name, group_column)
    reading = _Reading(file.name, most_bytes, tell)
    wanted = (column,) if group_column is None else (column, group_column)
    texts = Texts.of(reading.texts(table.rows(wanted)))
    if not len(texts) and column not in table.columns:
        raise _no_column(table, file.name, column)
    report = replace(
        file,
        split="row",
        num_documents=len(texts),
        empty=reading.empty,
        num_left_out=reading.num_left_out,
        left_out=tuple(reading.left_out),
        column=column,
        group_column=group_column,
        columns=table.columns,
        preview=table_preview(table, file.name, file.kind).rows,
        notes=file.notes + table.notes,
    )
    file_numbers = np.zeros(len(texts), np.int64)
    lines, rows = np.array(reading.lines, np.int64), np.array(reading.rows, np.int64)
    if group_column is None:
        return Documents(texts, Report((report,)), file_numbers, lines, rows)
    numbers = {name: number for number, name in enumerate(dict.fromkeys(reading.groups))}
    group_numbers = np.array([numbers[name] for name in reading.groups], np.int64)
    return Documents(texts, Report((report,)), file_numbers, lines, rows, tuple(numbers), group_numbers)


def _check_group_column(table: Table, name: str, group_column: str) -> None:
    columns = table.columns + table.other_columns
    if table.listed and group_column not in columns:
        raise BpeError(
            f"{shown_name(name)} has no column {shown_name(group_column)!r} to tell groups. "
            f"Choose one of: {_listed(columns)}."
        )
