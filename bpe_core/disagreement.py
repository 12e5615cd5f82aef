"""Where two ways of cutting one text part, over all of its chunks.

Counting tokens hides the answer, so chunks and boundaries are compared. A boundary
is a place inside a chunk where a token ends; the ends of chunks are no boundaries,
because every way of cutting has them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from bpe_core.chunks import ChunkCounts
from bpe_core.errors import BpeError
from bpe_core.orders import Cuts, cut_all
from bpe_core.orders.cuts import per_chunk
from bpe_core.tokenizer import Tokenizer


class Disagreement(NamedTuple):
    """One order against another (rank order, usually) on one text; shares run from 0 to 1.

    `more_tokens` is the change of the number of tokens, as a share. `chunks_apart` is
    the share of chunk occurrences that are cut differently, `distinct_chunks_apart`
    that of distinct chunks. `boundary_f1` is 2 × shared boundaries ÷ (boundaries of the
    one + boundaries of the other), each as often as its chunk occurs; 1 if neither has
    any. Shares of an empty text are None. `in_vocabulary`: is every token an entry?
    """

    order: str
    num_tokens: int
    more_tokens: float | None
    chunks_apart: float | None
    distinct_chunks_apart: float | None
    boundary_f1: float | None
    in_vocabulary: bool


class PartedChunk(NamedTuple):
    """A chunk that two orders cut differently, with both cuts."""

    chunk: bytes
    count: int
    first: tuple[bytes, ...]
    second: tuple[bytes, ...]


class SizeRow(NamedTuple):
    """How far one order stands from rank order at one vocabulary size."""

    vocab_size: int
    disagreement: Disagreement


def disagreement(tokenizer: Tokenizer, cuts: Cuts, against: Cuts) -> Disagreement:
    """Return how far `cuts` stand from `against`; both must be cuts of the same chunks.

    >>> counts = ChunkCounts.from_counts({b"abc": 3, b"b": 1})
    >>> tokenizer = Tokenizer.from_merges([(98, 99), (97, 98)], "none")
    >>> rank, longest = (cut_all(tokenizer, counts, order) for order in ("rank", "longest match"))
    >>> found = disagreement(tokenizer, longest, rank)
    >>> found.more_tokens, found.chunks_apart, found.distinct_chunks_apart, found.boundary_f1
    (0.0, 0.75, 0.5, 0.0)

    Raises BpeError for cuts of different texts.
    """
    counts = cuts.chunk_counts
    parted = parted_chunks(cuts, against)
    inner = _boundaries(cuts), _boundaries(against)
    shared = int(per_chunk(cuts.ends & against.ends, counts) @ counts.counts) - counts.num_chunks
    return Disagreement(
        cuts.order,
        cuts.num_tokens,
        _share(cuts.num_tokens - against.num_tokens, against.num_tokens),
        _share(int(counts.counts[parted].sum()), counts.num_chunks),
        _share(int(parted.sum()), len(counts)),
        (2 * shared / sum(inner) if sum(inner) else 1.0) if len(counts) else None,
        cuts.distinct_tokens() <= tokenizer.ids_of_tokens.keys(),
    )


def parted_chunks(first: Cuts, second: Cuts) -> np.ndarray:
    """Return for each distinct chunk whether the two cut it differently (bool).

    Raises BpeError for cuts of different texts.
    """
    one, other = first.chunk_counts, second.chunk_counts
    if not (np.array_equal(one.offsets, other.offsets) and np.array_equal(one.data, other.data)):
        raise BpeError("These are cuts of two different texts. Cut one text both ways to compare them.")
    return per_chunk(first.ends != second.ends, one) > 0


def most_frequent_parted(first: Cuts, second: Cuts, number: int = 20) -> list[PartedChunk]:
    """Return the `number` most frequent chunks that the two cut differently; of equal counts the first seen leads."""
    counts = first.chunk_counts.counts
    places = np.flatnonzero(parted_chunks(first, second))
    order = places[np.argsort(-counts[places], kind="stable")][:number]
    return [_parted_chunk(first, second, place) for place in order.tolist()]


def shortest_parted(first: Cuts, second: Cuts) -> PartedChunk | None:
    """Return the chunk of fewest bytes that parts the two, of several the most frequent; None if none does."""
    counts = first.chunk_counts
    places = np.flatnonzero(parted_chunks(first, second))
    if not len(places):
        return None
    best = np.lexsort((-counts.counts[places], counts.lengths[places]))[0]
    return _parted_chunk(first, second, int(places[best]))


def disagreement_by_size(
    tokenizer: Tokenizer,
    chunk_counts: ChunkCounts,
    orders: Sequence[str],
    vocab_sizes: Iterable[int],
    *,
    p: float | None = None,
    seed: int | None = None,
    on_progress: Callable[[int, int], bool | None] | None = None,
) -> list[SizeRow]:
    """Return one row for each size and order, against rank order at that size.

    `on_progress(rows done, rows wanted)` may say stop; then the rows so far are returned.

    >>> tokenizer = Tokenizer.from_merges([(98, 99), (97, 98)], "none")
    >>> rows = disagreement_by_size(tokenizer, ChunkCounts.from_counts({b"abc": 1}), ["longest match"], [257, 258])
    >>> [(row.vocab_size, row.disagreement.chunks_apart) for row in rows]
    [(257, 0.0), (258, 1.0)]

    Raises BpeError for a size that the vocabulary cannot have, or an order it cannot have.
    """
    sizes, rows = list(vocab_sizes), []
    for size in sizes:
        smaller = tokenizer.with_vocab_size(size)
        rank = cut_all(smaller, chunk_counts, "rank")
        for order in orders:
            cuts = cut_all(smaller, chunk_counts, order, p=p, seed=seed)
            rows.append(SizeRow(size, disagreement(smaller, cuts, rank)))
            if on_progress and on_progress(len(rows), len(sizes) * len(orders)):
                return rows
    return rows


def sizes_to_compare(smallest: int, largest: int, number: int = 12) -> list[int]:
    """Return at most `number` sizes from `smallest` to `largest`, both included, further apart as merges grow.

    >>> sizes_to_compare(256, 8192, 5)
    [256, 264, 344, 1096, 8192]
    >>> sizes_to_compare(256, 256)
    [256]
    """
    merges = largest - smallest
    spaced = np.geomspace(1, merges + 1, number).round().astype(int) - 1
    return sorted({smallest, largest, *(smallest + spaced).tolist()})


def _boundaries(cuts: Cuts) -> int:
    return cuts.num_tokens - cuts.chunk_counts.num_chunks


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _parted_chunk(first: Cuts, second: Cuts, number: int) -> PartedChunk:
    cut_first, cut_second = tuple(first.tokens(number)), tuple(second.tokens(number))
    return PartedChunk(b"".join(cut_first), int(first.chunk_counts.counts[number]), cut_first, cut_second)
