"""The tab At your budgets: the figures at the numbers of merges that the visitor asks for, as a table and as CSV."""

from __future__ import annotations

import re
from typing import NamedTuple

import pandas as pd
import streamlit as st

from bpe_core import BpeError, ChunkCounts, Tokenizer
from bpe_core.budgets import USUAL_BUDGETS, BudgetRow, SideFigures, budget_table, check_budget
from bpe_core.formats.manifest import merges_sha256
from bpe_core.round_trip import round_trip
from bpe_core.training_cost import TrainingCost, training_cost
from pages.ui.cached import cached_chunk_counts
from pages.ui.compression_memory import already, remembered
from pages.ui.run import Run
from pages.ui.words import file_size, number, plural

BUDGETS = "compression_budgets"
BUDGETS_HELP = "Numbers of merges, a space between; all stands for as many as were learned. Thousands may have a comma."
ROUND_TRIP_HELP = "Every distinct chunk of both sides was encoded at this size and put together again, byte for byte."
SHA_HELP = "SHA-256 of the merges up to this size, as the lines of a vocab.bpe file. The same merges, the same digest."
COST_HELP = "Learns once more, in a process of its own that does nothing else, and measures that."
_GROUPED = re.compile(r"[1-9]\d{0,2}(,\d{3})+")
_MOST_BUDGETS = 50
_SIDES = {"train": "train", "held-out": "held_out"}


class CheckedRow(NamedTuple):
    """A row of the budget table with its proof: whether both sides come back byte for byte, and the merges' digest."""

    row: BudgetRow
    comes_back: bool
    sha256: str


def parse_budgets(text: str) -> list[int | None]:
    """Return the budgets in `text`, None for "all".

    >>> parse_budgets("0 256, 5,000 all")
    [0, 256, 5000, None]

    Raises BpeError for one that is not a non-negative whole number.
    """
    words = [word.rstrip(",") for word in re.split(r"[\s;]+", text)]
    words = [word for word in words if word]
    if not words:
        raise BpeError("No budget is given. Write some numbers of merges, such as 0 256 1,000 all.")
    if len(words) > _MOST_BUDGETS:
        raise BpeError(f"{len(words)} budgets are more than this table shows. Give at most {_MOST_BUDGETS}.")
    for word in words:
        if "," in word and not _GROUPED.fullmatch(word):
            raise BpeError(f"The budget {word!r} is not clear. Put a space between two budgets.")
    return [check_budget(word) for word in words]


def draw_budgets(run: Run) -> None:
    """Draw the tab."""
    usual = " ".join("all" if budget is None else number(budget) for budget in USUAL_BUDGETS)
    budgets = parse_budgets(st.text_input("Merges", usual, key=BUDGETS, persist_state="session", help=BUDGETS_HELP))
    with st.spinner("Encoding both sides at each budget, to check that they come back…"):
        rows = checked_rows(run, tuple(budgets))
    frame = budget_frame(rows)
    reached = [row.row.reached for row in rows]
    marks = ["" if is_reached else " (not reached)" for is_reached in reached]
    st.dataframe(
        frame.assign(budget=frame["budget"] + marks),
        hide_index=True,
        column_config={
            "budget": st.column_config.TextColumn(),
            "round trip": st.column_config.TextColumn(help=ROUND_TRIP_HELP),
            "SHA-256 of the merges": st.column_config.TextColumn(help=SHA_HELP, width="medium"),
            **{name: _number_column(name) for name in frame if frame[name].dtype != object},
        },
    )
    if not all(reached):
        learned = plural(rows[reached.index(False)].row.learned, "merge")
        st.caption(f"Not reached: training stopped at {learned}, and the row shows the figures there.")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button("Table as CSV", frame.to_csv(index=False), "compression.csv", "text/csv", on_click="ignore")
        _draw_cost(run)


def _number_column(name: str) -> dict:
    return st.column_config.NumberColumn(format="%.3f" if "/ token" in name else "localized")


def checked_rows(run: Run, budgets: tuple[int | None, ...]) -> list[CheckedRow]:
    """Return the rows of the table, each with its proof, in the order of `budgets`."""
    held_out = cached_chunk_counts(run.sides.held_out, run.settings.pattern)
    key = ("budgets", run.settings, run.sides.held_out.digest, run.training.tokenizer.num_merges, budgets)
    return remembered(run.corpus, key, lambda: _checked_rows(run, held_out, budgets))


def budget_frame(rows: list[CheckedRow]) -> pd.DataFrame:
    """Return the table for the screen and for CSV; ratios in full."""
    columns: dict[str, list] = {
        "budget": ["all" if row.requested is None else number(row.requested) for row, *_ in rows],
        "merges learned": [row.learned for row, *_ in rows],
    }
    sides = {side: _side_columns([getattr(row, field) for row, *_ in rows]) for side, field in _SIDES.items()}
    for name in sides["train"]:
        columns |= {f"{side} {name}": figures[name] for side, figures in sides.items()}
    columns["round trip"] = ["holds" if row.comes_back else "FAILS" for row in rows]
    columns["SHA-256 of the merges"] = [row.sha256 for row in rows]
    return pd.DataFrame(columns)


def _side_columns(figures: list[SideFigures]) -> dict[str, list]:
    return {
        "bytes / token": [side.bytes_per_token for side in figures],
        "characters / token": [side.characters_per_token for side in figures],
        "tokens": [side.num_tokens for side in figures],
        "bytes": [side.num_bytes for side in figures],
        "characters": [side.num_characters for side in figures],
    }


def _checked_rows(run: Run, held_out: ChunkCounts, budgets: tuple[int | None, ...]) -> list[CheckedRow]:
    tokenizer = run.training.tokenizer
    proofs: dict[int, tuple[bool, str]] = {}
    rows = []
    for row in budget_table(run.training, held_out, budgets):
        if row.learned not in proofs:
            prefix = tokenizer.with_vocab_size(run.smallest_size + row.learned)
            proofs[row.learned] = _comes_back(prefix, row, run.training.chunk_counts, held_out), merges_sha256(prefix)
        rows.append(CheckedRow(row, *proofs[row.learned]))
    return rows


def _comes_back(tokenizer: Tokenizer, row: BudgetRow, train: ChunkCounts, held_out: ChunkCounts) -> bool:
    """Whether both sides come back, in exactly as many tokens as the table says."""
    trips = round_trip(tokenizer, train), round_trip(tokenizer, held_out)
    counted = [trip.num_tokens for trip in trips] == [row.train.num_tokens, row.held_out.num_tokens]
    return counted and all(trip.holds for trip in trips)


def _draw_cost(run: Run) -> None:
    key = ("cost", run.settings)
    if st.button("Measure time and memory", key="compression_cost", help=COST_HELP):
        with st.spinner("Learning once more…"):
            remembered(run.corpus, key, lambda: _cost(run))
    if cost := already(run.corpus, key):
        st.caption(cost_words(cost))


def _cost(run: Run) -> TrainingCost:
    settings = run.settings
    return training_cost(
        run.training.chunk_counts, settings.largest_size, specials=settings.specials, min_count=settings.min_count
    )


def cost_words(cost: TrainingCost) -> str:
    """Return what a training took, in a sentence.

    >>> cost_words(TrainingCost(1698, 0.4321, 80_000_000, 50_000_000))
    'One training to 1,698 merges serves the whole table: 0.43 s, 80.0 MB at most, of which 50.0 MB before it began.'
    """
    memory = ""
    if cost.peak_bytes is not None:
        memory = f", {file_size(cost.peak_bytes)} at most, of which {file_size(cost.bytes_before or 0)} before it began"
    return f"One training to {plural(cost.merges, 'merge')} serves the whole table: {cost.seconds:.2f} s{memory}."
