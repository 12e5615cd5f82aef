"""What the ways to cut make of a whole text: figures of every order, and the chunks that part two of them.

Draws nothing. `note(share)` is told how much is done; a true answer stops the work, which then returns None.
"""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from bpe_core import BpeError, ChunkCounts, Tokenizer
from bpe_core.disagreement import (
    Disagreement,
    PartedChunk,
    disagreement,
    most_frequent_parted,
    shortest_parted,
)
from bpe_core.orders import NEED_MERGES, ORDERS, Cuts, cut_all
from bpe_core.visible import visible
from pages.ui.compare_tasks import Note
from pages.ui.compare_ways import Chosen

MOST_PARTED = 100
"""So many of the most frequent chunks that part two orders are listed."""


class Parted(NamedTuple):
    """The chunks that two orders cut differently: the shortest (None if there is none) and the most frequent."""

    first: str
    second: str
    shortest: PartedChunk | None
    frequent: list[PartedChunk]


class Figures(NamedTuple):
    """Every order that can run against rank order; `cannot` says why others cannot; `parted` is against rank order."""

    rows: list[Disagreement]
    cannot: dict[str, str]
    parted: dict[str, Parted]


def orders_that_run(tokenizer: Tokenizer) -> tuple[list[str], dict[str, str]]:
    """Return the orders that this vocabulary can have, and for each other one why it cannot.

    >>> orders_that_run(Tokenizer.from_merges([]))[1]
    {}
    """
    why = tokenizer.why_no_prefixes
    cannot = {order: why for order in ORDERS if why and order in NEED_MERGES}
    return [order for order in ORDERS if order not in cannot], cannot


def figures_of(tokenizer: Tokenizer, chunk_counts: ChunkCounts, p: float, seed: int, note: Note) -> Figures | None:
    """Return the figures of all orders on one text."""
    orders, cannot = orders_that_run(tokenizer)
    rank, rows, parted = None, [], {}
    for place, order in enumerate(orders):
        cuts = _cuts(tokenizer, chunk_counts, order, p, seed, _part(note, place, len(orders)))
        if cuts is None:
            return None
        rank = rank or cuts
        rows.append(disagreement(tokenizer, cuts, rank))
        if cuts is not rank:
            parted[order] = parted_by(cuts, rank)
    return Figures(rows, cannot, parted)


def parted_pair(
    tokenizer: Tokenizer, chunk_counts: ChunkCounts, orders: tuple[str, str], p: float, seed: int, note: Note
) -> Parted | None:
    """Return the chunks that part any two orders.

    Raises BpeError for an order that this vocabulary cannot have.
    """
    cuts = [_cuts(tokenizer, chunk_counts, order, p, seed, _part(note, place, 2)) for place, order in enumerate(orders)]
    return None if None in cuts else parted_by(*cuts)


def parted_by(first: Cuts, second: Cuts) -> Parted:
    """Return the chunks that these two cuts of one text part."""
    return Parted(
        first.order, second.order, shortest_parted(first, second), most_frequent_parted(first, second, MOST_PARTED)
    )


def check_countable(tokenizer: Tokenizer) -> None:
    """Raise BpeError for a tokenizer that changes text, or takes tokens out of it, before it is cut into chunks."""
    if tokenizer.normalization or tokenizer.prefix_space or tokenizer.added_tokens:
        raise BpeError(
            "This vocabulary changes a text, or takes whole tokens out of it, before it is cut into chunks. "
            "So its ways to cut are compared on your sentence only, and not over the whole text."
        )


def _cuts(tokenizer: Tokenizer, chunk_counts: ChunkCounts, order: str, p: float, seed: int, note: Note) -> Cuts | None:
    return cut_all(
        tokenizer, chunk_counts, order, p=p, seed=seed, on_progress=lambda done, wanted: note(done / max(wanted, 1))
    )


def _part(note: Note, place: int, parts: int) -> Note:
    """How much of all is done, when a share of part `place` is."""
    return lambda share: note((place + share) / parts)


# --- as tables ------------------------------------------------------------------------------


def figures_table(found: Figures, chosen: Chosen) -> pd.DataFrame:
    """Return a row for each order; shares as numbers from 0 to 1."""
    return pd.DataFrame(
        [
            {
                "way to cut": chosen.name(row.order),
                "tokens": row.num_tokens,
                "v. BPE": row.more_tokens,
                "chunks cut differently": row.chunks_apart,
                "distinct chunks cut differently": row.distinct_chunks_apart,
                "boundaries agree": row.boundary_f1,
                "all in vocabulary": row.in_vocabulary,
                "technical name": row.order,
            }
            for row in found.rows
        ]
    )


def parted_table(found: Parted, chosen: Chosen) -> pd.DataFrame:
    """Return the most frequent chunks that part two orders, with both cuts as readable text."""
    first, second = chosen.name(found.first), chosen.name(found.second)
    return pd.DataFrame(
        [(visible(row.chunk), row.count, cut_text_of(row.first), cut_text_of(row.second)) for row in found.frequent],
        columns=["chunk", "times", first, second],
    )


def cut_text_of(tokens: tuple[bytes, ...]) -> str:
    """Return a cut as readable text.

    >>> cut_text_of((b" the", b"re"))
    '·the | re'
    """
    return " | ".join(map(visible, tokens))
