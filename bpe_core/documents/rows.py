"""The rows of a CSV, TSV or JSON-lines text, each cell as it was written.

No cell is taken for a number, a date or a missing value: "NA", "null" and "007"
stay text, and a line break in quotes stays as it is.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Generator, Iterator
from functools import partial
from itertools import islice
from typing import NamedTuple

from bpe_core.documents.report import counted, shown_name
from bpe_core.errors import BpeError

_SEGMENT = 1 << 20
_MOST_RESTARTS = 20  # a file in which quotes open again and again would else be read from each of them to its end
_LOOKED_AT = 1_000


Cell = str | bytes | list | dict | None


class Row(NamedTuple):
    """The wanted cells of one row of data (numbered from 1), which begins in `line`; or why it cannot be read.

    A cell is None where the row has no value for its column, and a list or dict where JSON has one.
    """

    row: int
    line: int | None
    cells: tuple[Cell, ...]
    problem: str | None = None


class Table(NamedTuple):
    """The columns that hold text, and `rows(columns)`, which reads the cells of some of them.

    `other_columns` hold no text but can tell groups; `listed` is False if there may be columns besides these.
    """

    columns: tuple[str, ...]
    rows: Callable[[tuple[str, ...]], Iterator[Row]]
    other_columns: tuple[str, ...] = ()
    listed: bool = True
    notes: tuple[str, ...] = ()


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
    records: Iterator[tuple[int, list[str], str | None]],
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


def _records(data: bytes, delimiter: str, quotes: bool) -> Iterator[tuple[int, list[str], str | None]]:
    """Each record's first line, its fields, and what is wrong with it.

    A quote that never ends would swallow the rest of the file: only its line is given up, and reading goes on after it.
    """
    start = 0
    for _ in range(_MOST_RESTARTS):
        unended = yield from _records_from(start, data, delimiter, quotes)
        if unended is None:
            return
        yield unended, [], "it opens a quote that never ends"
        start = unended
    yield start + 1, [], "quotes open again and again and never end; nothing was read from here on"


def _records_from(
    start: int, data: bytes, delimiter: str, quotes: bool
) -> Generator[tuple[int, list[str], str | None], None, int | None]:
    """The records after `start` lines; returns the line of a quote that never ends, if there is one."""
    quoting = csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE
    reader = csv.reader(islice(_lines(data), start, None), delimiter=delimiter, quoting=quoting, strict=True)
    while True:
        line = start + reader.line_num + 1
        try:
            yield line, next(reader), None
        except StopIteration:
            return None
        except csv.Error as error:
            if "unexpected end of data" in str(error):
                return line
            yield (
                line,
                [],
                "a quoted cell in it goes on after its closing quote; a quote inside a cell is written twice",
            )


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
        name = _without_surrogates(name) or f"column {number}"
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


def jsonl_table(data: bytes, name: str) -> Table:
    """Return the table in `data`: each line one JSON object, whose keys are the columns, or one value ("value").

    Numbers stay as written. Columns are looked for in the first 1,000 lines.

    Raises BpeError if no line of these is JSON.
    """
    columns: dict[str, None] = {}
    problem = ""
    for line, record, wrong in islice(_json_records(data), _LOOKED_AT):
        problem = problem or (wrong and f" Line {line}: {wrong}.") or ""
        columns.update(dict.fromkeys(record))
    array = (
        f"{shown_name(name)} begins like one JSON array; JSON lines have one object per line, without commas between."
    )
    is_array = data.lstrip().startswith(b"[")
    if not columns:
        hint = " " + array if is_array else ""
        raise BpeError(f"{shown_name(name)} holds no line that is a JSON object or text.{problem}{hint}")
    notes = (array,) if is_array else ()
    return Table(tuple(columns), lambda wanted: _jsonl_rows(data, wanted), listed=False, notes=notes)


def _jsonl_rows(data: bytes, wanted: tuple[str, ...]) -> Iterator[Row]:
    for row, (line, record, problem) in enumerate(_json_records(data), 1):
        yield Row(row, line, tuple(map(record.get, wanted)), problem)


def _json_records(data: bytes) -> Iterator[tuple[int, dict, str | None]]:
    """Each line that is not blank: its number, its object, and what is wrong with it."""
    for line, text in enumerate(_line_feed_lines(data), 1):
        if not text.strip(" \t\r\n"):
            continue
        try:
            value = json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
        except json.JSONDecodeError as error:
            yield line, {}, f"it is not JSON ({error.msg}, column {error.colno})"
        except RecursionError:
            yield line, {}, "its lists and objects stand too deep inside each other"
        else:
            yield line, *_record(value)


def _record(value: object) -> tuple[dict, str | None]:
    if isinstance(value, list):
        return {}, "it is a list, not an object or a text"
    record = value if isinstance(value, dict) else {"value": value}
    return {_without_surrogates(key): _as_written(cell) for key, cell in record.items()}, None


def _as_written(value: Cell | bool) -> Cell:
    return ("true" if value else "false") if isinstance(value, bool) else value


def _without_surrogates(name: str) -> str:
    """A column's name, in which bytes that are no text are `?`, so that it can be shown and chosen."""
    return name.encode("utf-8", "replace").decode()


def _line_feed_lines(data: bytes) -> Iterator[str]:
    start = 0
    while start < len(data):
        end = data.find(b"\n", start) + 1 or len(data)
        yield data[start:end].decode("utf-8", "surrogateescape")
        start = end
