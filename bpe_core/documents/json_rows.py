"""The rows of a JSON-lines text, numbers as written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice

from bpe_core.documents.report import shown_name
from bpe_core.documents.rows import Cell, Row, Table, column_name
from bpe_core.errors import BpeError

_LOOKED_AT = 1_000
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)  # numbers as written


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
            value = _DECODER.decode(text)
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
    return {column_name(key): _as_written(cell) for key, cell in record.items()}, None


def _as_written(value: Cell | bool) -> Cell:
    return ("true" if value else "false") if isinstance(value, bool) else value


def _line_feed_lines(data: bytes) -> Iterator[str]:
    start = 0
    while start < len(data):
        end = data.find(b"\n", start) + 1 or len(data)
        yield data[start:end].decode("utf-8", "surrogateescape")
        start = end
