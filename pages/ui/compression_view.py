"""The upper half of Compression: the chart with its controls, and the figures beside it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import streamlit as st

from bpe_core.curves import decimated, stops_paying
from pages.ui import state
from pages.ui.chart_values import Level, Line, Marker, SizesChart, Strip
from pages.ui.charts import PICTURES, config, plain, sizes_figure
from pages.ui.compression_curves import STRIDE, Curve, Curves, curves_of, merge_words
from pages.ui.compression_figures import figures_html
from pages.ui.compression_others import other_tokenizers
from pages.ui.run import Run
from pages.ui.words import number, plural, ratio

BYTES, CHARACTERS, TOKENS = "bytes per token", "characters per token", "tokens"
MEASURES = (BYTES, CHARACTERS, TOKENS)
LOG, LINEAR = "log", "linear"
CHART = "compression_chart"


class Shown(NamedTuple):
    """What the visitor chose to see in the chart. `threshold` is in percent of the tokens; None hides it."""

    measure: str = BYTES
    log: bool = True
    gap: bool = False
    threshold: float | None = None
    others: bool = False
    picture: str = PICTURES[0]


def draw_chart(run: Run) -> None:
    """Draw the controls, the chart and the figures beside it."""
    curves = curves_of(run)
    shown = _controls()
    chart, figures = st.columns([2.6, 1], gap="medium")
    with chart:
        figure = sizes_figure(chart_of(run, curves, shown))
        st.plotly_chart(
            figure,
            key=CHART,
            on_select=lambda: _move_size(run.smallest_size),
            selection_mode="points",
            config=config("bytes-per-token", shown.picture),
            height=int(figure.layout.height),
            alt=f"{shown.measure} at every vocabulary size, on the training side and the held-out side",
        )
    with figures:
        st.html(figures_html(run, curves))


def _controls() -> Shown:
    row = st.container(horizontal=True, vertical_alignment="center")
    measure = row.segmented_control(
        "What is measured", MEASURES, default=BYTES, required=True, key="compression_measure",
        persist_state="session", label_visibility="collapsed",
    )  # fmt: skip
    scale = row.segmented_control(
        "Scale", (LOG, LINEAR), default=LOG, required=True, key="compression_scale",
        persist_state="session", label_visibility="collapsed",
    )  # fmt: skip
    with row.popover("Add a line"):
        gap = st.checkbox("The gap between both sides, in percent", key="compression_gap", persist_state="session")
        wants = st.checkbox(f"Where {STRIDE} more merges stop paying", key="compression_pays", persist_state="session")
        least = st.number_input(
            "They pay while they save this share of the held-out tokens, in %", 0.0, 100.0, 1.0, 0.1,
            key="compression_threshold", persist_state="session", disabled=not wants,
        )  # fmt: skip
        others = st.checkbox(
            "Other tokenizers, as chosen in the tab below", key="compression_levels", persist_state="session"
        )
    with row.popover("Save"):
        picture = st.segmented_control(
            "The camera in the chart's corner saves it as", PICTURES, default="SVG", required=True,
            key="compression_picture", persist_state="session",
        )  # fmt: skip
        st.caption("The tabs below save the table as CSV, and all of it as a report.")
    return Shown(measure, scale == LOG, gap, least if wants else None, others, picture)


def chart_of(run: Run, curves: Curves, shown: Shown) -> SizesChart:
    """Return what the chart shows, as plain values."""
    merges = decimated(curves.learned + 1, keep=[run.num_merges])
    gap = [Strip("held-out below train, in percent", curves.gap[merges], ".2f")] if shown.gap else []
    lines = ("train", curves.train), ("held-out", curves.held_out)
    return SizesChart(
        merges=merges,
        lines=[_line(name, curve, shown.measure, merges) for name, curve in lines],
        learned=curves.learned,
        wanted=run.settings.largest_size - run.smallest_size,
        y_title=shown.measure,
        hovers=list(map(plain, merge_words(curves.training, merges))),
        strips=[*gap, pair_count_strip(curves, merges)],
        markers=_markers(run, curves, shown.threshold),
        levels=_levels(run, shown),
        log=shown.log,
        digits=",d" if shown.measure == TOKENS else ".3f",
        smallest_size=run.smallest_size,
    )


def _levels(run: Run, shown: Shown) -> list[Level]:
    in_use = state.chosen_loaded()
    if shown.measure == TOKENS or not (shown.others or in_use):
        return []
    values = [
        (row.bytes_per_token if shown.measure == BYTES else row.characters_per_token, row.name)
        for row in other_tokenizers(run)
        if shown.others or row.name == in_use.name
    ]
    return [Level(value, name) for value, name in values if value is not None]


def _line(name: str, curve: Curve, measure: str, merges: np.ndarray) -> Line:
    values = {BYTES: curve.bytes_per_token, CHARACTERS: curve.characters_per_token, TOKENS: curve.totals}[measure]
    last = values[-1]
    return Line(name, values[merges], f"{name} {number(int(last)) if measure == TOKENS else ratio(float(last))}")


def pair_count_strip(curves: Curves, merges: np.ndarray) -> Strip:
    """Return how often each drawn merge's pair occurred when it was learned."""
    counts = np.append(0, curves.training.counts)[merges]
    return Strip("how often the pair occurred when it was learned", counts, ",d", log=True, first=1)


def _markers(run: Run, curves: Curves, threshold: float | None) -> list[Marker]:
    learned = curves.learned
    markers = [Marker(run.num_merges, f"you: {number(run.vocab_size)}", strong=True)]
    if run.stopped_early:
        markers.append(Marker(learned, f"stopped: {plural(learned, 'merge')}"))
    if threshold is not None:
        at = stops_paying(curves.held_out.totals, threshold / 100, STRIDE)
        if at is not None:
            markers.append(Marker(at, f"under {threshold:g} % from {number(run.smallest_size + at)}", row=1))
    return markers


def _move_size(smallest_size: int) -> None:
    """Move the vocabulary size to the merges at the point that was clicked."""
    chosen = state.chosen_points(CHART)
    if chosen:
        state.set_value(state.SIZE, smallest_size + int(chosen[0]["customdata"][0]))
