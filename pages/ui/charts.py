"""Values -> Plotly figures. No Streamlit here; every point drawn is an exact value, nothing between is made up.

Lines take the theme's colours in the order given, so they stand first in a figure;
all else is one grey that reads on light and dark paper. Names and tokens go
through `plain`, because Plotly reads a subset of HTML.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from pages.ui.chart_layout import INK, PAPER, ROW_PX, base_layout, height_range, layout, panels, strip_domain
from pages.ui.chart_scale import apart, axis_position
from pages.ui.chart_values import Level, Line, Marker, SizesChart, Strip

PICTURES = ("SVG", "PNG")
"""The formats in which Plotly's camera can save a chart."""

GREY = "#7C8694"
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
_LABEL_SHARE = 0.055  # of the height: the least distance between two labels at the ends of lines


def config(name: str, picture: str = "SVG") -> dict:
    """Return Plotly's settings: of its tool bar the camera alone, which saves `name` as one of `PICTURES`."""
    return {
        "displaylogo": False,
        "modeBarButtons": [["toImage"]],
        "toImageButtonOptions": {"format": picture.lower(), "filename": name, "scale": 1 if picture == "SVG" else 2},
    }


def plain(text: str) -> str:
    """Return `text` so that Plotly shows it letter by letter.

    >>> plain("<b>&amp;")
    '&lt;b>&amp;amp;'
    """
    return text.replace("&", "&amp;").replace("<", "&lt;")


def sizes_figure(chart: SizesChart) -> go.Figure:
    """Return the curves with their strips, markers and labels."""
    figure = go.Figure()
    positions = axis_position(chart.merges, chart.log)
    for number, line in enumerate(chart.lines):
        figure.add_trace(_line(chart, positions, number, line))
    for number, strip in enumerate(chart.strips):
        figure.add_trace(_strip(positions, number, strip))
        top = strip_domain(chart, number)[1]
        figure.add_annotation(
            x=0, xref="paper", y=top, yref="paper", text=strip.title, showarrow=False, xanchor="left",
            yanchor="bottom", font={"size": 12, "color": INK},
        )  # fmt: skip
    value_range = height_range(chart.lines, chart.levels)
    if chart.wanted > chart.learned:
        _add_not_reached(figure, chart, value_range)
    _add_levels(figure, chart.levels, value_range)
    for row, marker in enumerate(chart.markers):
        _add_marker(figure, chart, marker, row)
    ends = [float(positions[len(line.values) - 1]) for line in chart.lines]
    _add_end_labels(figure, chart.lines, ends, value_range)
    figure.update_layout(layout(chart))
    return figure


def parameters_figure(parameters: np.ndarray, lines: Sequence[Line], in_view: int, y_title: str) -> go.Figure:
    """Return curves over the parameters that a vocabulary costs; `in_view` are those at the size in view."""
    figure = go.Figure()
    for number, line in enumerate(lines):
        figure.add_trace(
            go.Scatter(
                x=parameters,
                y=line.values,
                mode="lines",
                line={"dash": _DASHES[number], "width": 2.5},
                hovertemplate=f"{plain(line.name)} <b>%{{y:.3f}}</b><extra></extra>",
            )
        )
    figure.add_vline(in_view, line={"width": 2, "color": INK})
    value_range = height_range(lines)
    _add_end_labels(figure, lines, [float(parameters[-1])] * len(lines), value_range)
    figure.update_layout(base_layout(height=300, top=12))
    figure.update_xaxes(title={"text": "parameters of the embedding", "standoff": 6}, tickformat="~s", hoverformat=",d")
    figure.update_xaxes(fixedrange=True, showgrid=False, zeroline=False)
    figure.update_yaxes(title={"text": y_title, "standoff": 6}, range=list(value_range), fixedrange=True)
    return figure


def _line(chart: SizesChart, positions: np.ndarray, number: int, line: Line) -> go.Scatter:
    hovers = chart.hovers or [""] * len(positions)
    sizes = [f"after {merges:,} merges, size {chart.smallest_size + merges:,}" for merges in chart.merges.tolist()]
    longest = max(range(len(chart.lines)), key=lambda each: len(chart.lines[each].values))
    last = "%{customdata[2]}<br>" if chart.hovers else ""
    heading = "%{customdata[1]}<br>" + last if number == longest else ""
    return go.Scatter(
        x=positions[: len(line.values)],
        y=line.values,
        name=plain(line.name),
        # A click can only choose a point that has a marker; these are too small to hide the line's dashes.
        mode="lines+markers",
        line={"dash": _DASHES[number], "width": 2.5},
        marker={"size": 6, "opacity": 0},
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
        customdata=list(zip(chart.merges.tolist(), sizes, hovers, strict=True)),
        hovertemplate=heading + f"{plain(line.name)} <b>%{{y:{chart.digits}}}</b><extra></extra>",
    )


def _strip(positions: np.ndarray, number: int, strip: Strip) -> go.Scatter:
    shown = slice(strip.first, None)  # after 0 merges nothing was counted
    return go.Scatter(
        x=positions[shown],
        y=strip.values[shown],
        name=strip.title,
        yaxis=f"y{number + 2}",
        mode="lines",
        line={"width": 1.5, "color": GREY, "shape": "hv"},
        fill="tozeroy",
        fillcolor="rgba(124,134,148,0.35)",
        hovertemplate=f"{strip.title} <b>%{{y:{strip.digits}}}</b><extra></extra>",
    )


def _add_not_reached(figure: go.Figure, chart: SizesChart, value_range: tuple[float, float]) -> None:
    start, end = (float(axis_position(at, chart.log)) for at in (chart.learned, chart.wanted))
    low, high = value_range
    figure.add_trace(
        go.Scatter(
            x=[start, end, end, start, start],
            y=[low, low, high, high, low],
            mode="lines",
            line={"width": 0},
            fill="toself",
            fillpattern={"shape": "/", "fgcolor": GREY, "bgcolor": "rgba(0,0,0,0)", "fgopacity": 0.3, "size": 10},
            hoverinfo="skip",
        )
    )
    words = {"x": (start + end) / 2, "y": low, "yanchor": "bottom", "yshift": 4}
    figure.add_annotation(text="not reached", bgcolor=PAPER, font={"size": 12, "color": INK}, showarrow=False, **words)


def _add_levels(figure: go.Figure, levels: Sequence[Level], value_range: tuple[float, float]) -> None:
    """Horizontal lines with their names above them; names that would overlap are pushed apart."""
    least = (value_range[1] - value_range[0]) * _LABEL_SHARE
    height = -np.inf
    for level in sorted(levels, key=lambda level: level.value):
        height = max(level.value, height + least)
        figure.add_hline(level.value, line={"color": GREY, "width": 1.5, "dash": "dot"})
        figure.add_annotation(
            x=0, xref="paper", y=height, text=f"{plain(level.words)} {level.value:.2f}", showarrow=False,
            xanchor="left", yanchor="bottom", xshift=4, font={"size": 12, "color": INK},
        )  # fmt: skip


def _add_marker(figure: go.Figure, chart: SizesChart, marker: Marker, row: int) -> None:
    position = float(axis_position(marker.merges, chart.log))
    line = {"width": 2, "color": INK} if marker.strong else {"width": 1.5, "color": GREY, "dash": "dot"}
    for low, high in panels(chart):  # not through the titles between them
        figure.add_shape(type="line", x0=position, x1=position, y0=low, y1=high, yref="paper", line=line)
    to_the_left = position > float(axis_position(max(chart.wanted, chart.learned), chart.log)) / 2
    figure.add_annotation(
        x=position, y=1, yref="paper", text=_marker_text(marker), showarrow=False, font={"size": 12, "color": INK},
        xanchor="right" if to_the_left else "left", yanchor="bottom", xshift=5 if to_the_left else -5,
        yshift=ROW_PX * row,
    )  # fmt: skip


def _marker_text(marker: Marker) -> str:
    # compression.css hides what bears this name on a narrow screen; Plotly keeps styles, but no class.
    return plain(marker.words) + (f"<span style='--aside:1'> {plain(marker.aside)}</span>" if marker.aside else "")


def _add_end_labels(
    figure: go.Figure, lines: Sequence[Line], ends: list[float], value_range: tuple[float, float]
) -> None:
    """A label right of each line's end; labels that would overlap are pushed apart, in the order of their lines."""
    least = (value_range[1] - value_range[0]) * _LABEL_SHARE
    in_order = sorted(zip(lines, ends, strict=True), key=lambda pair: pair[0].values[-1])
    heights = apart([float(line.values[-1]) for line, _ in in_order], least)
    for (line, end), height in zip(in_order, heights, strict=True):
        figure.add_annotation(
            x=end, y=height, text=plain(line.label or line.name), bgcolor=PAPER, showarrow=False,
            xanchor="left", yanchor="middle", xshift=4, font={"size": 13, "color": INK},
        )  # fmt: skip
