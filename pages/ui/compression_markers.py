"""The vertical lines of the charts: where the visitor is, where training stopped, where more merges stop paying."""

from __future__ import annotations

from bpe_core.curves import stops_paying
from pages.ui.chart_values import Marker
from pages.ui.compression_curves import STRIDE, Curve
from pages.ui.run import Run
from pages.ui.words import number, plural


def your_marker(run: Run) -> Marker:
    """Return the line at the size in view."""
    return _marker(run, "you", run.num_merges, strong=True)


def markers_of(run: Run) -> list[Marker]:
    """Return the size in view, and where training stopped if that was early."""
    learned = run.training.tokenizer.num_merges
    return [your_marker(run), *([_marker(run, "stopped", learned)] if run.stopped_early else [])]


def paying_markers(run: Run, held_out: Curve, threshold: float) -> list[Marker]:
    """Return from where STRIDE more merges save less than `threshold` percent of the tokens; none if nowhere."""
    at = stops_paying(held_out.totals, threshold / 100, STRIDE)
    return [] if at is None else [_marker(run, f"under {threshold:g} %", at)]


def _marker(run: Run, name: str, merges: int, strong: bool = False) -> Marker:
    aside = f"(size {number(run.smallest_size + merges)})"
    return Marker(merges, f"{name}: {plural(merges, 'merge')}", aside, strong)
