"""A small line chart as SVG text: for a report that one can open anywhere, without any library."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import numpy as np

_WIDTH, _HEIGHT = 760, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 140, 24, 44
_STRETCH = 8  # merges up to this rank are spread about evenly, later ones by their logarithm
_MOST_POINTS = 400


class ChartLine(NamedTuple):
    """A curve: its values after 0, 1, … merges, its name, colour and dashes (as in SVG; "" is a solid line)."""

    name: str
    values: np.ndarray
    colour: str
    dashes: str = ""


def line_chart(lines: Sequence[ChartLine], y_title: str, x_title: str, wanted: int = 0) -> str:
    """Return an SVG element that shows `lines` over the number of merges, on a logarithmic scale.

    Each line's last value stands at its end. If more merges were `wanted` than a
    line has, the rest of the axis says "not reached".

    >>> line_chart([ChartLine("a <b>", np.array([1.0, 2.0]), "#000")], "bytes per token", "merges")[:4]
    '<svg'
    """
    learned = len(lines[0].values) - 1
    last = max(learned, wanted, 1)
    low, high = _range(lines)
    # Points in the order of merges, evenly apart on the axis; every one is an exact value.
    merges = np.unique(np.rint(np.expm1(np.linspace(0, np.log1p(learned / _STRETCH), _MOST_POINTS)) * _STRETCH))
    merges = merges.astype(np.int64)

    def x_of(merges: np.ndarray | float) -> np.ndarray | float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * np.log1p(merges / _STRETCH) / np.log1p(last / _STRETCH)

    def y_of(value: np.ndarray | float) -> np.ndarray | float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (high - value) / (high - low)

    parts = [*_y_axis(low, high, y_of, y_title), *_x_axis(last, x_of, x_title)]
    if wanted > learned:
        parts += _not_reached(float(x_of(learned)))
    heights = _apart([float(y_of(line.values[-1])) for line in lines])
    for line, height in zip(lines, heights, strict=True):
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(x_of(merges), y_of(line.values[merges]), strict=True))
        dashes = f' stroke-dasharray="{line.dashes}"' if line.dashes else ""
        parts.append(f'<polyline points="{points}" fill="none" stroke="{line.colour}" stroke-width="2"{dashes}/>')
        parts.append(_text(float(x_of(learned)) + 6, height + 4, f"{line.name} {line.values[-1]:.2f}"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="12" fill="currentColor">{"".join(parts)}</svg>'
    )


def _range(lines: Sequence[ChartLine]) -> tuple[float, float]:
    low = min(float(line.values.min()) for line in lines)
    high = max(float(line.values.max()) for line in lines)
    room = (high - low or 1.0) * 0.06
    return max(0.0, low - room), high + room


def _y_axis(low: float, high: float, y_of: object, title: str) -> list[str]:
    step = 10 ** np.floor(np.log10((high - low) / 2))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= 6)
    parts = [_text(_LEFT, _TOP - 8, title)]
    for value in np.arange(np.ceil(low / step), high / step) * step:
        y = float(y_of(value))
        parts.append(f'<path d="M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}" stroke="currentColor" stroke-opacity="0.15"/>')
        parts.append(_text(_LEFT - 8, y + 4, f"{value:,.10g}", "end"))
    return parts


def _x_axis(last: int, x_of: object, title: str) -> list[str]:
    ticks = [0, *(10**power for power in range(1, 8) if 10**power <= last)]
    floor = _HEIGHT - _BOTTOM
    parts = [f'<path d="M{_LEFT} {floor}H{_WIDTH - _RIGHT}" stroke="currentColor" stroke-opacity="0.5"/>']
    parts += [_text(float(x_of(tick)), floor + 18, f"{tick:,}", "middle") for tick in ticks]
    return [*parts, _text((_LEFT + _WIDTH - _RIGHT) / 2, floor + 36, title, "middle")]


def _not_reached(start: float) -> list[str]:
    width, height = _WIDTH - _RIGHT - start, _HEIGHT - _TOP - _BOTTOM
    return [
        f'<rect x="{start:.1f}" y="{_TOP}" width="{width:.1f}" height="{height}" fill-opacity="0.07"/>',
        f'<path d="M{start:.1f} {_TOP}V{_HEIGHT - _BOTTOM}" stroke="currentColor" stroke-dasharray="2 3"/>',
        _text(start + 6, _HEIGHT - _BOTTOM - 8, "not reached"),
    ]


def _apart(heights: list[float], least: float = 16) -> list[float]:
    """The heights, moved down where two would be closer than `least`."""
    moved = list(heights)
    above = -np.inf
    for number in sorted(range(len(heights)), key=heights.__getitem__):
        above = moved[number] = max(heights[number], above + least)
    return moved


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
