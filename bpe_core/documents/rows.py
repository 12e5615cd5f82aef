"""A table: its columns, and its rows one by one, each cell as it was written.

No cell is taken for a number, a date or a missing value: "NA", "null" and "007"
stay text, and a line break in quotes stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

Cell = str | bytes | list | dict | None


class Row(NamedTuple):
    """The wanted cells of one row of data (numbered from 1), which begins in `line`; or why it cannot be read.

    A cell is None where the row has no value for its column, and a list or dict where JSON has one.
    A problem may stand for several rows from this one on.
    """

    row: int
    line: int | None
    cells: tuple[Cell, ...]
    problem: str | None = None
    num_rows: int = 1


class Table(NamedTuple):
    """The columns that hold text, and `rows(columns)`, which reads the cells of some of them.

    `other_columns` hold no text but can tell groups; `listed` is False if there may be columns besides these.
    """

    columns: tuple[str, ...]
    rows: Callable[[tuple[str, ...]], Iterator[Row]]
    other_columns: tuple[str, ...] = ()
    listed: bool = True
    notes: tuple[str, ...] = ()


def column_name(name: str) -> str:
    """Return a column's name, in which bytes that are no text are `?`, so that it can be shown and chosen."""
    return name.encode("utf-8", "replace").decode()
