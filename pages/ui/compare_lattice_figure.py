"""The lattice of a short chunk as a Plotly figure: an arc for each token that fits, thick where a cut takes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import plotly.graph_objects as go

from bpe_core.lattice import Edge, Lattice
from bpe_core.visible import visible
from pages.ui.charts import GREY, INK, PAPER, plain

_ARC = np.linspace(0, 1, 25)
_MOST_LABELS = 60


def lattice_figure(found: Lattice, used: Mapping[Edge, float]) -> go.Figure:
    """Return the lattice; `used` tells of some edges how often a cut takes them, from 0 to 1: the more, the thicker."""
    figure = go.Figure()
    figure.add_trace(_arcs(found.edges, {"color": GREY, "width": 1}))
    for edge, share in used.items():
        figure.add_trace(_arcs([edge], {"width": 1.5 + 4 * share, "color": _ACCENT}))
    figure.add_trace(_nodes(found))
    figure.add_trace(_labels(found, used))
    figure.add_trace(_bytes(found))
    figure.update_layout(
        height=340, margin={"l": 8, "r": 8, "t": 8, "b": 8}, showlegend=False, dragmode=False, hovermode="closest",
        hoverlabel={"font": {"color": INK}, "bgcolor": PAPER},
        xaxis={"visible": False, "fixedrange": True, "range": [-0.3, len(found.chunk) + 0.3]},
        yaxis={"visible": False, "fixedrange": True, "range": [-0.9, max(map(_height, found.edges)) + 0.7]},
    )  # fmt: skip
    return figure


_ACCENT = "#D6477A"  # reads on light and dark paper


def _height(edge: Edge) -> float:
    return (edge.end - edge.start - 1) ** 0.8


def _arcs(edges: Iterable[Edge], line: dict) -> go.Scatter:
    x, y = [], []
    for edge in edges:
        x += [*(edge.start + (edge.end - edge.start) * _ARC), None]
        y += [*(4 * _height(edge) * _ARC * (1 - _ARC)), None]
    return go.Scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip")


def _nodes(found: Lattice) -> go.Scatter:
    places = list(range(len(found.chunk) + 1))
    return go.Scatter(x=places, y=[0] * len(places), mode="markers", marker={"size": 9, "color": INK}, hoverinfo="skip")


def _labels(found: Lattice, used: Mapping[Edge, float]) -> go.Scatter:
    """The longer tokens over their arcs: those that a cut takes, and others while there is room."""
    longer = [edge for edge in found.edges if edge.end - edge.start > 1]
    shown = [edge for edge in longer if edge in used] + [edge for edge in longer if edge not in used][:_MOST_LABELS]
    text = [plain(visible(found.chunk[edge.start : edge.end])) for edge in shown]
    return go.Scatter(
        x=[(edge.start + edge.end) / 2 for edge in shown],
        y=[_height(edge) + 0.08 for edge in shown],
        text=[f"<b>{words}</b>" if edge in used else words for words, edge in zip(text, shown, strict=True)],
        customdata=[edge.token_id for edge in shown],
        mode="text", textposition="top center", textfont={"size": 13, "color": INK},
        hovertemplate="%{text}, id %{customdata}<extra></extra>",
    )  # fmt: skip


def _bytes(found: Lattice) -> go.Scatter:
    return go.Scatter(
        x=[place + 0.5 for place in range(len(found.chunk))], y=[-0.45] * len(found.chunk), mode="text",
        text=[plain(visible(found.chunk[place : place + 1])) for place in range(len(found.chunk))],
        textfont={"size": 15, "color": INK}, hoverinfo="skip",
    )  # fmt: skip
