"""The pairs that could be joined next, counted afresh after any number of merges.

Training keeps these counts up to date as it goes and throws them away. Here they are
counted again from the gap ranks of the distinct chunks, so that any step can be
questioned later, without a replay.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bpe_core.gaps import WALL, last_merges
from bpe_core.training import Training


class PairCount(NamedTuple):
    """A pair of neighbouring symbols (0–255 a byte, 256 + rank a merge) and how often it occurs."""

    left: int
    right: int
    count: int


class TopPairs(NamedTuple):
    """The most frequent pairs, best first, and all that share the top count; equal counts in order of the pairs."""

    best: tuple[PairCount, ...]
    tied: tuple[PairCount, ...]


def top_pairs(training: Training, k: int, number: int = 10) -> TopPairs:
    """Return the `number` most frequent pairs of the training text after k merges; the first of them is merge k.

    Counts are weighted by the chunks' counts, and overlaps count: `aaa` holds `aa` twice.

    >>> from bpe_core.training import train
    >>> top = top_pairs(train({b"aaabdaaabac": 1}, 259), 1)
    >>> top.best[0], len(top.tied)
    (PairCount(left=97, right=98, count=2), 2)
    """
    lefts, rights, counts = pair_table(training, k)
    order = np.lexsort((rights, lefts, -counts))
    num_tied = int((counts == counts[order[0]]).sum()) if len(order) else 0
    ranked = [
        PairCount(*row)
        for row in zip(
            *(column[order[: max(number, num_tied)]].tolist() for column in (lefts, rights, counts)), strict=True
        )
    ]
    return TopPairs(tuple(ranked[:number]), tuple(ranked[:num_tied]))


def pair_table(training: Training, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return left symbols, right symbols and counts (int64) of every pair after k merges, in order of the pairs."""
    gap_ranks, chunk_counts = training.gap_ranks, training.chunk_counts
    last = last_merges(gap_ranks, k) if len(chunk_counts.data) else np.empty(0, np.int64)
    starts = np.append(0, np.flatnonzero(gap_ranks >= k) + 1)[: len(last)]
    symbols = np.where(last >= 0, last.astype(np.int64) + 256, chunk_counts.data[starts])
    inside = gap_ranks[starts[1:] - 1] < WALL
    weights = np.repeat(chunk_counts.counts, chunk_counts.lengths)[starts[:-1]][inside]
    return _summed(symbols[:-1][inside], symbols[1:][inside], weights)


def _summed(lefts: np.ndarray, rights: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Each distinct pair once, with the sum of its weights."""
    if not len(lefts):
        return (np.empty(0, np.int64),) * 3
    small = np.uint16 if max(lefts.max(), rights.max()) < 2**16 else np.int64  # numpy sorts 16 bits by radix
    order = np.lexsort((rights.astype(small), lefts.astype(small)))
    lefts, rights = lefts[order], rights[order]
    changes = (lefts[1:] != lefts[:-1]) | (rights[1:] != rights[:-1])
    firsts = np.flatnonzero(np.append(True, changes))
    return lefts[firsts], rights[firsts], np.add.reduceat(weights[order], firsts)
