"""What a chart shows, as plain values: lines, levels, markers and strips over the number of merges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

MOST_LINES = 6
"""Lines that can be told apart by colour in both themes and for every kind of colour vision."""


@dataclass(frozen=True)
class Line:
    """One curve: a value at each of the drawn points, or at the first of them, and a label at its end."""

    name: str
    values: np.ndarray
    label: str = ""


@dataclass(frozen=True)
class Marker:
    """A vertical line at a number of merges, with words in a row of their own above it.

    `aside` follows the words where there is room: not on a phone.
    """

    merges: int
    words: str
    aside: str = ""
    strong: bool = False


@dataclass(frozen=True)
class Level:
    """A horizontal line: a value that has no sizes, such as another tokenizer's."""

    value: float
    words: str


@dataclass(frozen=True)
class SizesChart:
    """Curves over the number of merges.

    All arrays belong to `merges`, the drawn points. `learned` merges were learned and
    `wanted` asked for; what lies between is drawn as not reached. `hovers` tell of
    each point what was learned last there. `strips` are small panels under the same axis.
    """

    merges: np.ndarray
    lines: Sequence[Line]
    learned: int
    wanted: int
    y_title: str
    hovers: Sequence[str] = ()
    strips: Sequence[Strip] = ()
    markers: Sequence[Marker] = ()
    levels: Sequence[Level] = ()
    log: bool = True
    digits: str = ".2f"
    smallest_size: int = 256
    height: int = 320
    title: str = "Click to move your size here."


@dataclass(frozen=True)
class Strip:
    """A panel of one quantity under the chart."""

    title: str
    values: np.ndarray
    digits: str
    log: bool = False
    first: int = 0
