"""What follows from one text's tokens at every size: `totals[k]` is the number of tokens after k merges.

Bytes saved: a text starts as one token per byte and a merge that fires closes one gap,
so each token saved is a token of the byte text that is no longer needed.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from bpe_core.chunks import ChunkCounts
from bpe_core.errors import BpeError

MOST_POINTS = 2_000
"""The most points of a line on a chart."""


def per_token(amount: int, totals: np.ndarray) -> np.ndarray:
    """Return `amount` (bytes, or characters) ÷ tokens at every size; NaN where there are no tokens.

    >>> per_token(12, np.array([12, 6, 4]))
    array([1., 2., 3.])
    """
    tokens = np.asarray(totals, np.float64)
    return np.divide(amount, tokens, out=np.full(len(tokens), np.nan), where=tokens > 0)


def gap_percent(train: np.ndarray, held_out: np.ndarray) -> np.ndarray:
    """Return by how many percent a token covers less on the held-out side than on the training side.

    >>> gap_percent(np.array([4.0, 5.0]), np.array([4.0, 4.0]))
    array([ 0., 20.])
    """
    return 100 * (1 - held_out / train)


def saved_per_entry(totals: np.ndarray, k: int, over: int = 100) -> float | None:
    """Return the tokens that each of the last `over` entries before k merges saves on average; None after 0 merges.

    Of fewer than `over` merges all are taken.

    >>> saved_per_entry(np.array([20, 14, 12, 11]), 3, over=2), saved_per_entry(np.array([20, 14]), 0)
    (1.5, None)

    Raises BpeError if there are fewer than k merges.
    """
    if not 0 <= k < len(totals):
        raise BpeError(f"There is no size of {k} merges here: give 0 to {len(totals) - 1}.")
    merges = min(k, over)
    return (int(totals[k - merges]) - int(totals[k])) / merges if merges else None


def stops_paying(totals: np.ndarray, share: float, over: int = 100) -> int | None:
    """Return the first number of merges after which `over` more save less than `share` of the tokens; None if never.

    Only sizes that have `over` more merges after them are judged.

    >>> stops_paying(np.array([100, 60, 40, 39, 39]), 0.05, over=1)
    2

    Raises BpeError for a share outside 0 to 1, or an `over` below 1.
    """
    if not 0 <= share <= 1:
        raise BpeError(f"The threshold is {share}, but it is a share of the tokens. Give a number from 0 to 1.")
    if over < 1:
        raise BpeError(f"The gain is told over {over} merges. Give 1 or more.")
    before, after = totals[:-over], totals[over:]
    low = np.flatnonzero(before - after < share * before)
    return int(low[0]) if len(low) else None


def decimated(num_points: int, most: int = MOST_POINTS, keep: Iterable[int] = ()) -> np.ndarray:
    """Return which of `num_points` points to draw: at most `most`, spaced evenly on a log scale, none invented.

    The first, the last and those of `keep` that exist are always among them.

    >>> decimated(10_000, 6, keep=[500])
    array([   0,   99,  500, 9999])
    >>> decimated(3)
    array([0, 1, 2])

    Raises BpeError if more points must be kept than may be drawn.
    """
    if num_points <= most:
        return np.arange(num_points)
    must = {0, num_points - 1, *(point for point in keep if 0 <= point < num_points)}
    if len(must) > most:
        raise BpeError(f"{len(must):,} points must be kept, but at most {most:,} may be drawn. Keep fewer.")
    spaced = np.geomspace(1, num_points, most - len(must)).astype(np.int64) - 1 if most > len(must) else []
    return np.union1d(np.array(sorted(must)), spaced).astype(np.int64)


def known_share(train: ChunkCounts, held_out: ChunkCounts) -> float | None:
    """Return the share of held-out chunks, repeats included, that the training side has too; None if there are none.

    >>> low = ChunkCounts.from_counts({b"low": 1})
    >>> known_share(low, ChunkCounts.from_counts({b"low": 3, b"new": 1}))
    0.75
    """
    known = set(train)
    shared = sum(count for chunk, count in held_out.items() if chunk in known)
    return shared / held_out.num_chunks if held_out.num_chunks else None
