"""Compare over a whole text: the table of all ways to cut it."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import NamedTuple

import streamlit as st

from bpe_core import ChunkCounts, Tokenizer
from bpe_core.disagreement import Disagreement
from pages.ui.cached import cached_chunk_counts
from pages.ui.compare_cases import Subject
from pages.ui.compare_figures import (
    Figures,
    check_countable,
    figures_of,
    figures_table,
)
from pages.ui.compare_tasks import result_or_progress
from pages.ui.compare_ways import WAYS, Chosen
from pages.ui.corpus import Corpus
from pages.ui.literal import escape_markdown
from pages.ui.run import Run
from pages.ui.words import percent

LEARNED_TEXT, HELD_OUT = "the text it learned from", "the held-out text"
HELP = {
    "tokens": "Tokens of the whole text, repeats included.",
    "v. BPE": "How many more tokens than lowest rank first, in percent of its tokens.",
    "chunks cut differently": "Of all chunks of the text, the share that this way cuts differently.",
    "distinct chunks cut differently": "The same, each different chunk counted once.",
    "boundaries agree": "F1: twice the token ends inside chunks that both have, divided by those of the one and the "
    "other. 1 where they are all the same.",
    "all in vocabulary": "Whether every token that this way makes is an entry of the vocabulary.",
}
APART = ("chunks cut differently", "distinct chunks cut differently")


class Measured(NamedTuple):
    """A text that the ways are compared on: its chunks, and what names this comparison among all."""

    corpus: Corpus
    chunk_counts: ChunkCounts
    tokenizer: Tokenizer
    chosen: Chosen
    key: Hashable
    side: str

    def file_name(self, *words: str | int) -> str:
        """Return how to call a file of these figures; the two sides of one text have two names."""
        side = ["held_out"] if self.side == HELD_OUT else []
        return "_".join(map(str, [*words, *side])) + ".csv"


def measured_input(run: Run, subject: Subject, chosen: Chosen) -> Measured:
    """Return the text to compare on: what was learned from, or what was held back if something was.

    Raises BpeError for a vocabulary that cannot be compared over a text.
    """
    check_countable(subject.tokenizer)
    side = LEARNED_TEXT
    if run.sides:
        side = st.segmented_control(
            "Compare on", [LEARNED_TEXT, HELD_OUT], default=LEARNED_TEXT, required=True, key="compare_side",
            persist_state="session",
        )  # fmt: skip
    corpus = run.sides.held_out if side == HELD_OUT else run.corpus
    counts = cached_chunk_counts(corpus, subject.tokenizer.pattern)
    return Measured(corpus, counts, subject.tokenizer, chosen, figures_key(subject, side, chosen), side)


def figures_for(measured: Measured) -> Figures | None:
    """Return the figures of all ways, or draw how far they are."""
    work = partial(figures_of, measured.tokenizer, measured.chunk_counts, measured.chosen.p, measured.chosen.seed)
    return result_or_progress("figures", measured.corpus, measured.key, work, "Cutting the whole text in every way.")


def draw_figures(measured: Measured, found: Figures) -> None:
    """Draw the table of all ways, what it says, and what cannot be."""
    table = figures_table(found, measured.chosen)
    st.text(what_it_says(found))
    shares = {
        "v. BPE": st.column_config.NumberColumn(format="%+.2f %%", help=HELP["v. BPE"]),
        **{name: st.column_config.NumberColumn(format="%.2f %%", help=HELP[name]) for name in APART},
    }
    shown = table.drop(columns="technical name")
    shown[list(shares)] *= 100
    st.dataframe(
        shown, hide_index=True, key="ways_table", height="content",
        alt="Every way to cut, held against lowest rank first, over the whole text",
        column_config=shares | {
            "tokens": st.column_config.NumberColumn(format="localized", help=HELP["tokens"]),
            "boundaries agree": st.column_config.NumberColumn(format="%.3f", help=HELP["boundaries agree"]),
            "all in vocabulary": st.column_config.CheckboxColumn(help=HELP["all in vocabulary"]),
        },
    )  # fmt: skip
    for order, why in found.cannot.items():
        st.caption(escape_markdown(f"{WAYS[order].name} cannot run on this vocabulary, because {why}."))
    st.download_button(
        "Save as CSV", lambda: table.to_csv(index=False),
        measured.file_name("ways_to_cut", measured.tokenizer.vocab_size), "text/csv",
        on_click="ignore", key="save_ways",
    )  # fmt: skip


def what_it_says(found: Figures) -> str:
    """Return what the row of longest match says, in one sentence: counting tokens hides what is cut differently."""
    row = next(row for row in found.rows if row.order == "longest match")
    if not row.chunks_apart:
        return "Longest match cuts every chunk of this text as lowest rank first does."
    return (
        f"Longest match makes {change_in_words(row)}, yet it cuts {percent(row.chunks_apart)} of the chunks and "
        f"{percent(row.distinct_chunks_apart)} of the distinct ones differently. Counting tokens alone hides that."
    )


def change_in_words(row: Disagreement) -> str:
    """Return how many more or fewer tokens a way makes, in words.

    >>> change_in_words(Disagreement("fewest tokens", 99, -0.01, 0.0, 0.0, 1.0, True))
    '1.00\\xa0% fewer tokens'
    """
    if not row.more_tokens:
        return "just as many tokens"
    return f"{percent(abs(row.more_tokens))} {'more' if row.more_tokens > 0 else 'fewer'} tokens"


def figures_key(subject: Subject, side: str, chosen: Chosen) -> Hashable:
    """Return what names the figures of this vocabulary on this side of a text, among all that are remembered."""
    return "ways", subject.identity, side, chosen.p, chosen.seed
