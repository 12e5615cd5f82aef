"""The rows of a CSV or TSV text."""

from __future__ import annotations

import csv
from collections.abc import Generator, Iterator
from functools import partial
from itertools import islice
from typing import NamedTuple

from bpe_core.documents.report import counted, shown_name
from bpe_core.documents.rows import Row, Table, column_name
from bpe_core.errors import BpeError

_SEGMENT = 1 << 20
_MOST_RESTARTS = 20  # a file in which quotes open again and again would else be read from each of them to its end


class _Record(NamedTuple):
    """A record's first line, its fields, and what is wrong with it."""

    line: int
    fields: list[str]
    problem: str | None = None


def csv_table(data: bytes, name: str, *, delimiter: str, header: bool = True, quotes: bool = True) -> Table:
    """Return the table in `data`, which is UTF-8. Without `header` the columns are named "column 1", "column 2", …

    Raises BpeError for a delimiter that cannot be one, and if there is no row to take the columns from.
    """
    if len(delimiter) != 1 or delimiter in '"\r\n':
        raise BpeError(f"The delimiter must be one character, and no quote or line break, not {delimiter!r}.")
    csv.field_size_limit(2**31 - 1)  # the default refuses cells of more than 131,072 characters
    records = partial(_records, data, delimiter, quotes)
    first = next((fields for _, fields, problem in records() if fields and not problem), None)
    if first is None:
        raise BpeError(f"{shown_name(name)} holds no row that can be read as a table. If it is text, name it .txt.")
    columns = _distinct(first) if header else tuple(f"column {number}" for number in range(1, len(first) + 1))
    notes = _header_notes(name, columns, header, delimiter)
    return Table(columns, lambda wanted: _csv_rows(records(), columns, wanted, header), notes=notes)


def _csv_rows(
    records: Iterator[_Record],
    columns: tuple[str, ...],
    wanted: tuple[str, ...],
    header: bool,
) -> Iterator[Row]:
    places = [columns.index(column) for column in wanted]
    row, to_skip = 0, header
    for line, fields, problem in records:
        if to_skip and fields and not problem:
            to_skip = False
            continue
        row += 1
        if problem or not fields:
            yield Row(row, line, (None,) * len(wanted), problem)
        elif len(fields) != len(columns):
            wrong = f"it has {counted(len(fields), 'cell')}, the table has {counted(len(columns), 'column')}"
            yield Row(row, line, (), wrong)
        else:
            yield Row(row, line, tuple(fields[place] for place in places))


def _records(data: bytes, delimiter: str, quotes: bool) -> Iterator[_Record]:
    """All records. A quote that never ends would swallow the rest: only its line is given up, and reading goes on."""
    start = 0
    for _ in range(_MOST_RESTARTS):
        unended = yield from _records_from(start, data, delimiter, quotes)
        if unended is None:
            return
        yield _Record(unended, [], "it opens a quote that never ends")
        start = unended
    yield _Record(start + 1, [], "quotes open again and again and never end; nothing was read from here on")


def _records_from(start: int, data: bytes, delimiter: str, quotes: bool) -> Generator[_Record, None, int | None]:
    """The records after `start` lines; returns the line of a quote that never ends, if there is one."""
    quoting = csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE
    reader = csv.reader(islice(_lines(data), start, None), delimiter=delimiter, quoting=quoting, strict=True)
    while True:
        line = start + reader.line_num + 1
        try:
            yield _Record(line, next(reader))
        except StopIteration:
            return None
        except csv.Error as error:
            if "unexpected end of data" in str(error):
                return line
            yield _Record(line, [], "a cell in it goes on after its closing quote; a quote in a cell is written twice")


def _lines(data: bytes) -> Iterator[str]:
    """Each line with its end (line feed, carriage return or both); bytes that are no text become lone surrogates."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", start + _SEGMENT) + 1 or len(data)
        for line in data[start:end].splitlines(keepends=True):
            yield line.decode("utf-8", "surrogateescape")
        start = end


def _distinct(names: list[str]) -> tuple[str, ...]:
    """Column names as written; a repeated or empty one is numbered."""
    taken: dict[str, None] = {}
    for number, name in enumerate(names, 1):
        name = column_name(name) or f"column {number}"
        copy, candidate = 2, name
        while candidate in taken:
            candidate, copy = f"{name} ({copy})", copy + 1
        taken[candidate] = None
    return tuple(taken)


def _header_notes(name: str, columns: tuple[str, ...], header: bool, delimiter: str) -> tuple[str, ...]:
    notes = []
    if header and (doubtful := next((each for each in columns if _is_no_name(each)), None)) is not None:
        notes.append(
            f"The first row of {shown_name(name)} was taken for the names of the columns, but {shown_name(doubtful)!r} "
            "hardly is one. If the file has no header, say so: else its first row is lost."
        )
    other = next((each for each in ";\t,|" if each != delimiter and each in columns[0]), None)
    if len(columns) == 1 and other:
        shown = {"\t": "a tab"}.get(other, f'"{other}"')
        notes.append(
            f"{shown_name(name)} has one column, and its name holds {shown}. Is that the delimiter? Choose it."
        )
    return tuple(notes)


def _is_no_name(column: str) -> bool:
    return len(column) > 80 or "\n" in column or column.replace(".", "").replace("-", "").isdecimal()
