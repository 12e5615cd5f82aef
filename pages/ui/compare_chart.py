"""The chart of Compare: what each way makes of a text, over the vocabulary sizes. No Streamlit here."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any, NamedTuple

import plotly.graph_objects as go

from bpe_core.disagreement import SizeRow
from pages.ui.chart_scale import apart, axis_position
from pages.ui.charts import INK, PAPER, plain

_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
_LABEL_LETTERS = 15  # in a row of a label, so that a narrow screen keeps room for the lines
_LABEL_SHARE = 0.12  # of the height: the least distance between two labels at the ends of lines, each of two rows
_TICK_DISTANCE = 0.15  # of the width, between two sizes that are written below the axis


class Measure(NamedTuple):
    """A column of the figures: its field, its words on the axis, and how its values are written."""

    field: str
    title: str
    format: str


MEASURES = {
    "tokens": Measure("more_tokens", "tokens, more or fewer than BPE", "+.1%"),
    "chunks": Measure("chunks_apart", "chunks cut differently", ".1%"),
    "distinct chunks": Measure("distinct_chunks_apart", "distinct chunks cut differently", ".1%"),
    "boundaries": Measure("boundary_f1", "boundaries that agree (F1)", ".3f"),
}


def ways_figure(
    rows: Sequence[SizeRow], names: dict[str, str], measure: Measure, smallest_size: int, in_view: int
) -> go.Figure:
    """Return one line for each order in `names`, called as they say, with a mark at the size in view."""
    figure, ends = go.Figure(), []
    for number, (order, name) in enumerate(names.items()):
        found = [row for row in rows if row.disagreement.order == order]
        values = [getattr(row.disagreement, measure.field) or 0.0 for row in found]
        sizes = [row.vocab_size for row in found]
        figure.add_trace(_line(number, name, sizes, values, smallest_size, measure))
        if values:
            ends.append((values[-1], name))
    _add_end_labels(figure, ends)
    figure.add_vline(_place(in_view, smallest_size), line={"width": 2, "color": INK})
    figure.update_layout(
        height=380, margin={"l": 8, "r": 112, "t": 12, "b": 44}, showlegend=False, hovermode="x unified",
        hoverdistance=-1,
        hoverlabel={"font": {"color": INK}, "bgcolor": PAPER}, dragmode=False,
        xaxis=_x_axis(sorted({row.vocab_size for row in rows}), smallest_size),
        yaxis={"title": {"text": measure.title, "standoff": 14}, "fixedrange": True, "tickformat": measure.format,
               "zeroline": True, "automargin": True},
    )  # fmt: skip
    return figure


def _place(vocab_size: int, smallest_size: int) -> float:
    return float(axis_position(vocab_size - smallest_size, log=True))


def _line(
    number: int, name: str, sizes: list[int], values: list[float], smallest_size: int, measure: Measure
) -> go.Scatter:
    heading = "size %{customdata:,}<br>" if number == 0 else ""
    return go.Scatter(
        x=[_place(size, smallest_size) for size in sizes], y=values, customdata=sizes, name=plain(name),
        mode="lines+markers", marker={"size": 6}, line={"dash": _DASHES[number % len(_DASHES)], "width": 2.5},
        hovertemplate=f"{heading}{plain(name)} <b>%{{y:{measure.format}}}</b><extra></extra>",
    )  # fmt: skip


def _add_end_labels(figure: go.Figure, ends: list[tuple[float, str]]) -> None:
    """A label right of each line's end; labels that would overlap are pushed apart."""
    values = [value for trace in figure.data for value in trace.y]
    least = (max(values, default=0) - min(values, default=0) or 1.0) * _LABEL_SHARE
    ends = sorted(ends)
    for (_, name), height in zip(ends, apart([value for value, _ in ends], least), strict=True):
        words = "<br>".join(map(plain, wrap(name, _LABEL_LETTERS)))
        figure.add_annotation(
            x=1, xref="paper", y=height, text=words, bgcolor=PAPER, showarrow=False, xanchor="left", align="left",
            yanchor="middle", xshift=4, font={"size": 13, "color": INK},
        )  # fmt: skip


def _x_axis(sizes: list[int], smallest_size: int) -> dict[str, Any]:
    places = [_place(size, smallest_size) for size in sizes]
    last = places[-1] if places and places[-1] > 0 else 1.0
    written: list[int] = []
    for number, place in enumerate(places):
        if not written or place - places[written[-1]] >= _TICK_DISTANCE * last:
            written.append(number)
    return {
        "title": {"text": "vocabulary size", "standoff": 6},
        "range": [-0.01 * last, 1.01 * last],
        "tickvals": [places[number] for number in written],
        "ticktext": [f"{sizes[number]:,}" for number in written],
        "fixedrange": True,
        "showgrid": False,
        "zeroline": False,
        "unifiedhovertitle": {"text": "All ways at this size"},
    }
