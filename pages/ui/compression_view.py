"""The upper half of Compression: the chart with its controls, and the figures beside it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import streamlit as st

from bpe_core import Training
from bpe_core.curves import decimated
from pages.ui import state
from pages.ui.chart_values import Level, Line, SizesChart, Strip
from pages.ui.charts import PICTURES, config, plain, sizes_figure
from pages.ui.compression_curves import STRIDE, Curve, Curves, curves_of, merge_words, train_curve
from pages.ui.compression_figures import figures_html, train_figures_html
from pages.ui.compression_markers import markers_of, paying_markers
from pages.ui.compression_others import other_tokenizers
from pages.ui.compression_sides import documents_of, why_not_divided
from pages.ui.run import Run
from pages.ui.words import number, percent, ratio

BYTES, CHARACTERS, TOKENS = "bytes per token", "characters per token", "tokens"
MEASURES = (BYTES, CHARACTERS, TOKENS)
LOG, LINEAR = "log", "linear"
CHART = "compression_chart"
CLICK = "Click the chart to choose a size."
KEYBOARD_HELP = "By keyboard: the field “Vocabulary size” in the sidebar does the same."
ALONE = (
    "so nothing can be held back to test on. The line shows the text itself. "
    "To test on unseen text, bring a longer text, or choose a second text under Held back."
)


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
    if not run.sides:
        draw_text_alone(run)
        return
    curves = curves_of(run)
    st.caption(caption_words(run), help=KEYBOARD_HELP)
    shown = _controls()
    chart, figures = st.columns([2.6, 1], gap="medium")
    with chart:
        alt = f"{shown.measure} at every vocabulary size, on the training side and the held-out side"
        _draw_figure(run, chart_of(run, curves, shown), alt, shown.picture)
    with figures:
        st.html(figures_html(run, curves))


def draw_text_alone(run: Run) -> None:
    """Draw the line of the text itself and its figures, where nothing can be held back."""
    st.info(f"{why_not_divided(documents_of(run.corpus))}, {ALONE}")
    st.caption(CLICK, help=KEYBOARD_HELP)
    chart, figures = st.columns([2.6, 1], gap="medium")
    with chart:
        _draw_figure(run, chart_alone(run), f"{BYTES} at every vocabulary size, on the text itself", PICTURES[0])
    with figures:
        st.html(train_figures_html(run))


def caption_words(run: Run) -> str:
    """Return how this page's numbers come to differ from other pages', if they do, and what the chart can do."""
    share = run.sides.share_kept_back
    if not share or state.learns_from_training_side():
        return CLICK
    return (
        f"This page keeps {percent(share, 1)} of the text back and learns again from the rest, so its numbers differ "
        f"a little from the other pages. {CLICK}"
    )


def _draw_figure(run: Run, chart: SizesChart, alt: str, picture: str) -> None:
    figure = sizes_figure(chart)
    st.plotly_chart(
        figure,
        key=CHART,
        on_select=lambda: _move_size(run.smallest_size),
        selection_mode="points",
        config=config("bytes-per-token", picture),
        height=int(figure.layout.height),
        alt=alt,
    )


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
    pays = [] if shown.threshold is None else paying_markers(run, curves.held_out, shown.threshold)
    lines = ("train", curves.train), ("held-out", curves.held_out)
    return SizesChart(
        merges=merges,
        lines=[_line(name, curve, shown.measure, merges) for name, curve in lines],
        learned=curves.learned,
        wanted=run.settings.largest_size - run.smallest_size,
        y_title=shown.measure,
        hovers=list(map(plain, merge_words(curves.training, merges))),
        strips=[*gap, pair_count_strip(curves.training, merges)],
        markers=[*markers_of(run), *pays],
        levels=_levels(run, shown),
        log=shown.log,
        digits=",d" if shown.measure == TOKENS else ".3f",
        smallest_size=run.smallest_size,
    )


def chart_alone(run: Run) -> SizesChart:
    """Return the chart of the text that was learned from, alone."""
    curve, learned = train_curve(run), run.training.tokenizer.num_merges
    merges = decimated(learned + 1, keep=[run.num_merges])
    return SizesChart(
        merges=merges,
        lines=[_line("train", curve, BYTES, merges)],
        learned=learned,
        wanted=run.settings.largest_size - run.smallest_size,
        y_title=BYTES,
        hovers=list(map(plain, merge_words(run.training, merges))),
        strips=[pair_count_strip(run.training, merges)],
        markers=markers_of(run),
        digits=".3f",
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


def pair_count_strip(training: Training, merges: np.ndarray) -> Strip:
    """Return how often each drawn merge's pair occurred when it was learned."""
    counts = np.append(0, training.counts)[merges]
    return Strip("how often the pair occurred when it was learned", counts, ",d", log=True, first=1)


def _move_size(smallest_size: int) -> None:
    """Move the vocabulary size to the merges at the point that was clicked."""
    chosen = state.chosen_points(CHART)
    if chosen:
        state.set_value(state.SIZE, smallest_size + int(chosen[0]["customdata"][0]))
