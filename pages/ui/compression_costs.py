"""The tab What size costs: parameters of the embedding, entries hardly used, and how evenly tokens are used."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from bpe_core import ChunkCounts
from bpe_core.budgets import embedding_cost
from bpe_core.curves import decimated
from bpe_core.measures import token_histogram
from bpe_core.usage import USUAL_ALPHA, rarely_used, renyi_efficiency
from pages.ui.cached import cached_chunk_counts
from pages.ui.chart_values import Line
from pages.ui.charts import config, parameters_figure
from pages.ui.compression_curves import Curves, curves_of
from pages.ui.compression_figures import HELD_OUT_HELP
from pages.ui.compression_memory import remembered
from pages.ui.run import Run
from pages.ui.words import number, percent, plural, ratio

FOR_WHOM = (
    "For those who build a language model: each entry of the vocabulary costs the model numbers to learn, "
    "called parameters; this weighs them against the shorter text."
)
CAUTIONS_HELP = "Perplexity: how many equally likely tokens a model hesitates between, on average."
TIED, UNTIED = "one table (tied)", "two tables (untied)"
TABLES_HELP = (
    "A model turns ids into vectors with one table, and its answer into ids with another. "
    "Tied: both are the same table, V · d numbers. Untied: 2 · V · d."
)
USED_HELP = "An entry that is hardly ever used is hardly ever trained, and its vector stays near chance."
RENYI_HELP = (
    "Rényi efficiency tells how evenly the entries are used: 1 means that all are used equally often. "
    "Zouhar et al. (2023) found that it goes with translation "
    "quality; Cognetta et al. (2024) show how to raise it while the tokenizer gets worse. So read it, do not chase it."
)


class Uses(NamedTuple):
    """How one side uses the vocabulary in view: uses of each symbol (0–255 a byte, then the merges), and evenness."""

    histogram: np.ndarray
    efficiency: float | None

    def share_below(self, least: int) -> float | None:
        """The share of learned entries that are used fewer than `least` times; None if nothing is learned."""
        return rarely_used(self.histogram[256:], least).share


def draw_costs(run: Run) -> None:
    """Draw the tab."""
    curves = curves_of(run)
    st.caption(FOR_WHOM)
    width, tables = _width_input()
    parameters = embedding_cost(run.vocab_size, width, tied=tables == 1).parameters
    st.markdown(
        f"At size {number(run.vocab_size)} and width {number(width)} the embedding takes "
        f"**{number(parameters)} parameters** "
        f"({'V · d' if tables == 1 else '2 · V · d'} = {'' if tables == 1 else '2 × '}{number(run.vocab_size)} × "
        f"{number(width)})."
    )
    st.plotly_chart(
        _figure(run, curves, tables * width), key="compression_costs", config=config("embedding-parameters"), height=300
    )
    _draw_uses(run)
    _draw_cautions(run, curves)


def _width_input() -> tuple[int, int]:
    """The width of the model, and the number of its tables."""
    row = st.container(horizontal=True, vertical_alignment="bottom")
    width = row.number_input(
        "Width d of the model", 1, 1_000_000, 768, key="compression_width", persist_state="session", width=200
    )
    tables = row.segmented_control(
        "Tables", (TIED, UNTIED), default=TIED, required=True, key="compression_tables", persist_state="session",
        help=TABLES_HELP,
    )  # fmt: skip
    return width, 1 if tables == TIED else 2


def _figure(run: Run, curves: Curves, per_entry: int) -> go.Figure:
    merges = decimated(curves.learned + 1, keep=[run.num_merges])
    lines = [
        Line(name, curve.bytes_per_token[merges], f"{name} {ratio(float(curve.bytes_per_token[-1]))}")
        for name, curve in (("train", curves.train), ("held-out", curves.held_out))
    ]
    parameters = per_entry * (run.smallest_size + merges)
    return parameters_figure(parameters, lines, per_entry * run.vocab_size, "bytes per token")


def _draw_uses(run: Run) -> None:
    train, held_out = (
        remembered(run.corpus, ("uses", run.settings, side, run.vocab_size), lambda counts=counts: _uses(run, counts))
        for side, counts in (
            ("train", run.training.chunk_counts),
            (run.sides.held_out.digest, cached_chunk_counts(run.sides.held_out, run.settings.pattern)),
        )
    )
    entries = plural(run.num_merges, "learned entry", "learned entries")
    st.markdown(f"**How the {entries} are used**", help=HELD_OUT_HELP)
    least = st.number_input(
        "Used fewer times than", 1, 1_000_000, 10, key="compression_least_uses", persist_state="session", width=200,
        help=USED_HELP,
    )  # fmt: skip
    rows = {
        f"learned entries used fewer than {number(least)} times": [
            percent(side.share_below(least), 1) for side in (train, held_out)
        ],
        "learned entries never used": [percent(side.share_below(1), 1) for side in (train, held_out)],
        f"Rényi efficiency (α = {USUAL_ALPHA})": [ratio(side.efficiency, 3) for side in (train, held_out)],
    }
    columns = {
        "": list(rows),
        "train": [row[0] for row in rows.values()],
        "held-out": [row[1] for row in rows.values()],
    }
    st.dataframe(columns, hide_index=True, width="content")
    st.caption(RENYI_HELP)


def _uses(run: Run, counts: ChunkCounts) -> Uses:
    histogram = token_histogram(run.tokenizer, counts)
    return Uses(histogram, renyi_efficiency(histogram))


def _draw_cautions(run: Run, curves: Curves) -> None:
    st.markdown("**What a bigger vocabulary does not do**", help=CAUTIONS_HELP)
    st.markdown(
        f"- Doubling the vocabulary does not halve the text. {_doubling(run, curves)}\n"
        "- Fewer tokens do not mean a better model. Schmidt et al. (*Tokenization Is More Than Compression*, 2024) "
        "trained 64 models and found no such rule.\n"
        "- Perplexity per token cannot be compared between vocabularies, because their tokens differ in length. "
        "Likelihood per byte can: divide the loss of the whole text by its bytes.\n"
        "- In a small model the table is a large part. In Gemma 3 1B, with 262 thousand entries, 302 of 1,000 million "
        "parameters are the embedding (Gemma 3 report, 2025, table 1)."
    )


def _doubling(run: Run, curves: Curves) -> str:
    """What doubling does here: to the size in view, or from half of it if twice is not there."""
    sizes = [(run.vocab_size, 2 * run.vocab_size), (run.vocab_size // 2, run.vocab_size // 2 * 2)]
    for small, big in sizes:
        if small >= run.smallest_size and big <= run.learned_size:
            before, after = (int(curves.held_out.totals[size - run.smallest_size]) for size in (small, big))
            return (
                f"Here, from {number(small)} to {number(big)} entries, the held-out text shrinks from {number(before)} "
                f"to {number(after)} tokens: by {percent(1 - after / before, 1)}."
            )
    return ""
