"""The upper half of Compression: the conclusion, the chart and the figures at the size in view."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import NamedTuple

import numpy as np
import streamlit as st

from bpe_core.curves import decimated, saved_per_entry, stops_paying
from pages.ui import state
from pages.ui.chart_values import Level, Line, Marker, SizesChart, Strip
from pages.ui.charts import CONFIG, plain, sizes_figure
from pages.ui.compression_curves import STRIDE, Curve, Curves, Gain, curves_of, merge_words
from pages.ui.compression_others import other_tokenizers
from pages.ui.run import Run
from pages.ui.words import number, plural, ratio

BYTES, CHARACTERS, TOKENS = "bytes per token", "characters per token", "tokens"
_STYLE = (Path(__file__).parent / "compression.css").read_text()
MEASURES = (BYTES, CHARACTERS, TOKENS)
LOG, LINEAR = "log", "linear"
CHART = "compression_chart"


def conclusion(run: Run) -> str:
    """Return what a reader should conclude at the size in view, in two sentences."""
    curves, k = curves_of(run), run.num_merges
    train, held_out = float(curves.train.bytes_per_token[k]), float(curves.held_out.bytes_per_token[k])
    return (
        f"At size {number(run.vocab_size)} a token covers {ratio(train)} bytes of the training text and "
        f"{ratio(held_out)} bytes of text it never saw: {gap_words(float(curves.gap[k]))}. {advice(curves, k)}"
    )


def gap_words(gap: float) -> str:
    """Return a gap in percent in words.

    >>> gap_words(4.2), gap_words(-1.04), gap_words(0.3)
    ('4 % less', '1 % more', 'about the same')
    """
    if abs(gap) < 0.5:
        return "about the same"
    return f"{abs(gap):.0f} % {'less' if gap > 0 else 'more'}"


def advice(curves: Curves, merges: int) -> str:
    """Return whether more merges would pay on unseen text, told by what the next ones save on either side."""
    train, held_out = curves.train.next_gain(merges), curves.held_out.next_gain(merges)
    if not train.merges:
        return "Nothing more was learned."
    these = f"The next {plural(train.merges, 'merge')} would save {_percent(held_out)} of its tokens"
    if not held_out.tokens:
        return (
            f"The next {plural(train.merges, 'merge')} would save nothing there: they only memorise the training text."
        )
    if held_out.share < train.share / 2:
        return f"{these}, against {_percent(train)} on the training text: from here it mostly memorises."
    if held_out.share / held_out.merges < 0.005 / 100:
        return f"{these}: there is little left to gain."
    return f"{these}: a bigger vocabulary still pays."


class Shown(NamedTuple):
    """What the visitor chose to see in the chart. `threshold` is in percent of the tokens; None hides it."""

    measure: str
    log: bool
    gap: bool
    threshold: float | None
    others: bool


def draw_chart(run: Run) -> None:
    """Draw the controls, the chart and the figures beside it."""
    curves = curves_of(run)
    chart, figures = st.columns([2.6, 1], gap="medium")
    with chart:
        shown = _controls()
        figure = sizes_figure(_chart(run, curves, shown))
        st.plotly_chart(
            figure,
            key=CHART,
            on_select=lambda: _move_size(run.smallest_size),
            selection_mode="points",
            config=CONFIG,
            height=int(figure.layout.height),
            alt=f"{shown.measure} at every vocabulary size, on the training side and the held-out side",
        )
    with figures:
        st.html(_figures(run, curves))


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
    return Shown(measure, scale == LOG, gap, least if wants else None, others)


def _chart(run: Run, curves: Curves, shown: Shown) -> SizesChart:
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
    if not shown.others or shown.measure == TOKENS:
        return []
    values = [
        (row.bytes_per_token if shown.measure == BYTES else row.characters_per_token, row.name)
        for row in other_tokenizers(run)
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


def _figures(run: Run, curves: Curves) -> str:
    """The figures at the size in view as a small table in HTML; it holds numbers and our own words only."""
    k = run.num_merges
    sides = curves.train, curves.held_out
    rows = [
        ("bytes per token", [ratio(side.bytes_per_token[k]) for side in sides]),
        ("characters per token", [ratio(side.characters_per_token[k]) for side in sides]),
        ("tokens", [number(int(side.totals[k])) for side in sides]),
        (_saved_words(k), [ratio(saved_per_entry(side.totals, k, STRIDE), 1) for side in sides]),
        (
            f"saved by the next {plural(sides[0].next_gain(k).merges, 'merge')}",
            [_percent(side.next_gain(k)) for side in sides],
        ),
    ]
    wide = [
        ("gap: held-out below train", f"{float(curves.gap[k]):.1f} %"),
        ("held-out chunks that are in train", f"{100 * curves.known:.1f} %"),
    ]
    head = f"<tr><th>At size {number(run.vocab_size)}</th><th>train</th><th>held-out</th></tr>"
    body = "".join(f"<tr><th>{escape(name)}</th><td>{a}</td><td>{b}</td></tr>" for name, (a, b) in rows)
    body += "".join(f"<tr><th colspan='2'>{escape(name)}</th><td>{value}</td></tr>" for name, value in wide)
    note = "A text begins as one token for each byte, so each token fewer is a byte saved."
    return f"<style>{_STYLE}</style><table class='figures'>{head}{body}</table><p class='figures-note'>{note}</p>"


def _saved_words(merges: int) -> str:
    last = min(merges, STRIDE)
    return f"bytes saved by each of the last {plural(last, 'entry', 'entries')}" if last else "bytes saved by an entry"


def _percent(gain: Gain) -> str:
    return f"{100 * gain.share:.2f} %"
