"""Why this pair? What the rail beside the film shows where the film stands: counted on the server, at a pause only."""

from __future__ import annotations

from typing import Any

import streamlit as st

from bpe_core.pair_counts import PairCount, top_pairs
from bpe_core.reference import REFERENCE_LIMIT
from bpe_core.traces import Trace
from pages.ui.merge_player.films import trace_symbols
from pages.ui.run import Run

BARS = 10
TIED_SENT = 60


def text_counts(run: Run, k: int) -> dict[str, Any]:
    """Return the most frequent pairs of the whole text after k merges, for the rail; a side is a symbol."""
    return _text_counts(run.corpus.digest, run.settings, run.learned_size, k, run)


@st.cache_resource(max_entries=1024, show_spinner=False)
def _text_counts(digest: str, settings: object, learned: int, k: int, _run: Run) -> dict[str, Any]:
    run, top = _run, top_pairs(_run.training, k, BARS)
    return {
        "k": k,
        "pairs": [_as_pair(pair) for pair in top.best],
        "tied": [pair[:2] for pair in top.tied[:TIED_SENT]],
        "num_tied": len(top.tied),
        "rule": "smallest pair",
        "stops": run.stop_sentence if k == run.training.tokenizer.num_merges else "",
        "what_if": len(run.training.chunk_counts.data) <= REFERENCE_LIMIT,
    }


def trace_counts(made: Trace, ties: str, k: int) -> dict[str, Any]:
    """Return the most frequent pairs of a textbook trace after k merges; a side is a list of single symbols."""
    counts = made.counts[k]
    tied = [pair for pair, count in counts if count == counts[0][1]]
    sides = {pair: trace_symbols(made, pair) for pair, _ in counts[: max(BARS, min(len(tied), TIED_SENT))]}
    pairs = [dict(zip(("left", "right"), sides[pair], strict=True), count=count) for pair, count in counts[:BARS]]
    stopped = f"It stopped here, because {made.stopped_because}." if k == len(made.steps) else ""
    return {
        "k": k,
        "pairs": pairs,
        "tied": [sides[pair] for pair in tied[:TIED_SENT]],
        "num_tied": len(tied),
        "rule": ties,
        "stops": stopped,
        "what_if": False,
    }


def _as_pair(pair: PairCount) -> dict[str, int]:
    return dict(zip(("left", "right", "count"), pair, strict=True))
