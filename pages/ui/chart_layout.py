"""Where the parts of a chart stand: its panels, its axes and the room around them, as Plotly's settings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pages.ui.chart_scale import axis_position
from pages.ui.chart_values import Level, Line, SizesChart

INK, PAPER = "#000037", "#000038"
"""Streamlit puts its theme's colours of text and page in place of these two (7.1 of Plotly, 1.67 of Streamlit)."""

ROW_PX = 18
"""The height of one row of markers' words."""

_STRIP_PX, _TITLE_PX, _BOTTOM_PX = 52, 24, 44


def base_layout(height: int, top: int, right: int = 110) -> dict:
    """Return what all charts share; `top` and `right` are margins in pixels."""
    return {
        "height": height,
        "margin": {"l": 8, "r": right, "t": top, "b": _BOTTOM_PX},
        "showlegend": False,
        "hovermode": "x unified",
        "hoverlabel": {"font": {"color": INK}, "bgcolor": PAPER},
        "dragmode": False,
    }


def height_range(lines: Sequence[Line], levels: Sequence[Level] = ()) -> tuple[float, float]:
    """Return the lowest and the highest value of an axis that shows all of these, with a little room."""
    values = np.concatenate([line.values for line in lines] + [[level.value for level in levels]])
    low, high = float(np.min(values)), float(np.max(values))
    room = (high - low or 1.0) * 0.08
    return max(0.0, low - room), high + room


def layout(chart: SizesChart) -> dict:
    """Return the layout of the curves with their strips under them."""
    last = float(axis_position(max(chart.wanted, chart.learned), chart.log))
    strip_axes = {f"yaxis{number + 2}": _strip_axis(chart, number) for number in range(len(chart.strips))}
    top = 8 + ROW_PX * max(1, len(chart.markers))
    right = 70 if chart.wanted > chart.learned else 110  # labels stand over what was not reached, or right of it all
    return base_layout(_panel_px(chart) + _BOTTOM_PX + top, top, right) | {
        "hoversubplots": "axis",
        "clickmode": "event+select",
        "xaxis": _x_axis(chart, last),
        "yaxis": {
            "title": {"text": chart.y_title, "standoff": 6},
            "range": list(height_range(chart.lines, chart.levels)),
            "fixedrange": True,
            "domain": panels(chart)[0],
        },
        **strip_axes,
    }


def _panel_px(chart: SizesChart) -> int:
    """Pixels of the main panel and its strips."""
    return chart.height + (_STRIP_PX + _TITLE_PX) * len(chart.strips)


def panels(chart: SizesChart) -> list[tuple[float, float]]:
    """Return where the main panel and the strips stand, as shares of all panels from the bottom."""
    strips = [strip_domain(chart, number) for number in range(len(chart.strips))]
    floor = strips[0][1] + _TITLE_PX / _panel_px(chart) if strips else 0.0
    return [(floor, 1.0), *strips]


def strip_domain(chart: SizesChart, number: int) -> tuple[float, float]:
    """Return where a strip stands, as shares of all panels from the bottom; the first strip is the highest."""
    below = (len(chart.strips) - 1 - number) * (_STRIP_PX + _TITLE_PX)
    return below / _panel_px(chart), (below + _STRIP_PX) / _panel_px(chart)


def _strip_axis(chart: SizesChart, number: int) -> dict:
    strip = chart.strips[number]
    return {
        "domain": strip_domain(chart, number),
        "type": "log" if strip.log else "linear",
        "fixedrange": True,
        "nticks": 3,
        "showgrid": False,
        "zeroline": False,
        "rangemode": "tozero",
        "tickformat": ",~g",
        "tickfont": {"size": 11},
    }


def _x_axis(chart: SizesChart, last: float) -> dict:
    axis = {
        "title": {"text": "merges learned", "standoff": 6},
        "range": [-last * 0.005 if last else -1, last or 1],
        "fixedrange": True,
        "showgrid": False,
        "zeroline": False,
        "anchor": "free",
        "position": 0,
        "unifiedhovertitle": {"text": chart.title},
    }
    if not chart.log:
        return axis | {"tickformat": ",d"}
    ticks = [0, *(10**power for power in range(1, 7) if 10**power <= max(chart.wanted, chart.learned))]
    places = [float(axis_position(tick, log=True)) for tick in ticks]
    return axis | {"tickvals": places, "ticktext": [f"{tick:,}" for tick in ticks]}
