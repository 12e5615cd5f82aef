"""Gap ranks: one number for each gap between two neighbouring bytes, and all that follows from it.

    gap rank = the rank of the merge that closes the gap (0 is the first merge learned);
    NEVER = no merge closes it; WALL = a chunk's edge, which no merge may cross.

Arrays only: a text of n bytes has n - 1 gaps. k always counts merges: "after k merges".
"""

from __future__ import annotations

import numpy as np

NEVER = 2**31 - 2
WALL = 2**31 - 1


def token_lengths(gap_ranks: np.ndarray, k: int) -> np.ndarray:
    """Return the bytes of each token of a text after k merges, left to right.

    `gap_ranks` belong to at least one byte: an empty text has no gaps to give.

    >>> token_lengths(np.array([0, NEVER, 1]), 1), token_lengths(np.array([0, NEVER, 1]), 2)
    (array([2, 1, 1]), array([2, 2]))
    """
    ends = np.append(np.flatnonzero(gap_ranks >= k) + 1, len(gap_ranks) + 1)
    return np.diff(ends, prepend=0)


def last_merges(gap_ranks: np.ndarray, k: int) -> np.ndarray:
    """Return for each token after k merges the rank of the merge that made it; -1 for a single byte.

    A token's last merge is the highest rank inside it.

    >>> last_merges(np.array([0, 3, NEVER]), 4)
    array([ 3, -1])
    """
    inside = np.append(np.where(gap_ranks < k, gap_ranks, -1), -1)
    starts = np.append(0, np.flatnonzero(gap_ranks >= k) + 1)
    return np.maximum.reduceat(inside, starts)


def totals_by_size(gap_ranks: np.ndarray, num_merges: int) -> np.ndarray:
    """Return the number of tokens after 0, 1, … `num_merges` merges.

    >>> totals_by_size(np.array([0, NEVER, 1]), 2)
    array([4, 3, 2])
    """
    closed = np.bincount(gap_ranks[gap_ranks < num_merges], minlength=num_merges)
    return len(gap_ranks) + 1 - np.concatenate([[0], np.cumsum(closed)])


def packed(gap_ranks: np.ndarray) -> np.ndarray:
    """Return the same gap ranks in 16 bits if every rank is below 65,534, else in 32.

    In 16 bits 65,534 is NEVER and 65,535 WALL, in 32 the two largest numbers; unsigned, little-endian.

    >>> packed(np.array([7, NEVER, WALL]))
    array([    7, 65534, 65535], dtype=uint16)
    """
    ranks = gap_ranks[gap_ranks < NEVER]
    small = not len(ranks) or int(ranks.max()) < 65_534
    top = 65_535 if small else 2**32 - 1
    values = np.where(gap_ranks == WALL, top, np.where(gap_ranks == NEVER, top - 1, gap_ranks))
    return values.astype("<u2" if small else "<u4")
