"""The tab At other sizes: the figures of every way at about twelve vocabulary sizes, computed when asked for."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from bpe_core.disagreement import SizeRow, disagreement_by_size, sizes_to_compare
from pages.ui import state
from pages.ui.chart_values import MOST_LINES
from pages.ui.charts import PICTURES, config
from pages.ui.compare_chart import MEASURES, ways_figure
from pages.ui.compare_corpus import Measured
from pages.ui.compare_tasks import Note, result_or_progress
from pages.ui.compare_ways import OTHERS, Chosen
from pages.ui.literal import escape_markdown
from pages.ui.run import Run

WANTED_KEY = "compare_sizes_wanted"
WHAT_TO_SEE = (
    "**What to see here.** Counted in tokens, *highest rank first* looks harmless while the vocabulary is small and is "
    "ruinous in a large one. On 1 MB of English it makes 0.4 % more tokens at 300 entries, though 7 % of the chunks "
    "already part, and 129 % more at 4,096. *Longest match* stays within half a percent and still cuts many distinct "
    "chunks differently. *Fewest tokens* is the floor: lowest rank first misses it by 0.2 % on the text it learned "
    "from at 4,096, and by more where a vocabulary meets a language it was not made for (GPT-2's on German: 2.9 %)."
)
"""Measured on the diary of Samuel Pepys (Project Gutenberg), and on the German Declaration of Human Rights."""

_DEFAULT_LINES = [order for order in OTHERS if order != "leftmost pair"][:MOST_LINES]


def draw_sizes(run: Run, measured: Measured) -> None:
    """Draw the chart, its progress, or the button that asks for it."""
    st.markdown(WHAT_TO_SEE)
    tokenizer = run.training.tokenizer
    if tokenizer.why_no_prefixes:
        st.info(escape_markdown(f"This vocabulary has one size only, because {tokenizer.why_no_prefixes}."))
        return
    sizes = sizes_to_compare(run.smallest_size, run.learned_size)
    if not state.value(WANTED_KEY):
        label = f"Compare at {len(sizes)} sizes" if len(sizes) > 1 else "Compare at its one size"
        st.button(label, key="compare_sizes", on_click=state.set_value, args=(WANTED_KEY, True))
        return
    rows = _rows(run, measured, sizes)
    if rows:
        _draw_chart(run, measured, rows)


def _rows(run: Run, measured: Measured, sizes: list[int]) -> list[SizeRow] | None:
    chosen = measured.chosen
    wanted = len(sizes) * len(OTHERS)

    def work(note: Note) -> list[SizeRow]:
        return disagreement_by_size(
            run.training.tokenizer, measured.chunk_counts, OTHERS, sizes, p=chosen.p, seed=chosen.seed,
            on_progress=lambda done, wanted: note(done / wanted),
        )  # fmt: skip

    key = ("sizes", run.settings, run.learned_size, chosen.p, chosen.seed)
    sentence = f"Cutting the whole text in every way at {len(sizes)} sizes."
    return result_or_progress("sizes", measured.corpus, key, work, sentence, lambda rows: len(rows) == wanted)


def _draw_chart(run: Run, measured: Measured, rows: list[SizeRow]) -> None:
    chosen = measured.chosen
    row = st.container(horizontal=True, vertical_alignment="bottom")
    measure = row.segmented_control(
        "What is compared", list(MEASURES), default="chunks", required=True, key="sizes_measure",
        persist_state="session",
    )  # fmt: skip
    picture = row.segmented_control(
        "The camera saves", PICTURES, default=PICTURES[0], required=True, key="sizes_picture", persist_state="session",
    )  # fmt: skip
    orders = st.multiselect(
        "Lines", OTHERS, _DEFAULT_LINES, key="sizes_lines", format_func=chosen.name, max_selections=MOST_LINES,
        persist_state="session",
    )  # fmt: skip
    if not orders:
        st.info("Choose a way to cut, and its line is drawn here.")
        return
    names = {order: chosen.name(order) for order in orders}
    figure = ways_figure(rows, names, MEASURES[measure], run.smallest_size, run.vocab_size)
    st.plotly_chart(
        figure, key="sizes_chart", config=config("ways-to-cut", picture), height=int(figure.layout.height),
        alt=f"{MEASURES[measure].title}, at every compared size, a line for each way to cut",
    )  # fmt: skip
    st.download_button(
        "Save as CSV", lambda: sizes_table(rows, chosen).to_csv(index=False), measured.file_name("ways_at_sizes"),
        "text/csv", on_click="ignore", key="save_sizes",
    )  # fmt: skip


def sizes_table(rows: list[SizeRow], chosen: Chosen) -> pd.DataFrame:
    """Return a row for each size and way; shares as numbers from 0 to 1."""
    return pd.DataFrame(
        [{"vocabulary size": size, "way": chosen.name(row.order), **row._asdict()} for size, row in rows]
    )
