"""Rank order for very many chunks at once, in rounds: in each, every chunk joins its own lowest pair everywhere.

For nested vocabularies only: their tokens are made of earlier ones, so joining a pair
never brings a lower one, and joining all its occurrences at once is the same as one
after the other. Knows symbols (0-255 a byte, 256 + rank a merge); ids live elsewhere.
"""

from __future__ import annotations

import numpy as np

from bpe_core.encoding.pair_table import PairTable
from bpe_core.gaps import NEVER
from bpe_core.merging.overlaps import every_second
from bpe_core.ragged import gathered


def encode_chunks(
    data: np.ndarray, offsets: np.ndarray, table: PairTable, num_merges: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the tokens of all chunks as symbols side by side (int32), and where each chunk's begin and end.

    Chunk i is the bytes `data[offsets[i]:offsets[i + 1]]`, not empty. Only the first
    `num_merges` merges of `table` are used.

    >>> table = PairTable(np.array([[97, 98], [256, 99]]))
    >>> encode_chunks(np.frombuffer(b"abcab", np.uint8), np.array([0, 3, 5]), table, 1)
    (array([256,  99, 256], dtype=int32), array([0, 2, 3]))
    """
    numbers = np.arange(len(offsets) - 1)
    lengths = np.diff(offsets)
    symbols = data.astype(np.int32)
    ranks = np.full(len(symbols), NEVER, np.int32)
    ranks[:-1] = table.ranks_of_bytes.take(symbols[:-1] * 256 + symbols[1:])
    ranks[ranks >= num_merges] = NEVER
    ranks[offsets[1:] - 1] = NEVER
    done = []
    while len(numbers):
        lowest = np.minimum.reduceat(ranks, np.cumsum(lengths) - lengths)
        goes_on = lowest < NEVER
        if not goes_on.all():
            at = np.repeat(goes_on, lengths)
            done.append((numbers[~goes_on], lengths[~goes_on], symbols[~at]))
            numbers, lengths, lowest = numbers[goes_on], lengths[goes_on], lowest[goes_on]
            symbols, ranks = symbols[at], ranks[at]
        if len(numbers):
            symbols, ranks, lengths = _round(symbols, ranks, lengths, lowest, table, num_merges)
    return _in_order(done)


def _round(
    symbols: np.ndarray, ranks: np.ndarray, lengths: np.ndarray, lowest: np.ndarray, table: PairTable, num_merges: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Join in each chunk all occurrences of its pair of `lowest` rank; return what is left of the three arrays."""
    at = np.flatnonzero(ranks == np.repeat(lowest, lengths))
    at = at.compress(every_second(np.diff(at) == 1))
    symbols[at] = ranks.take(at) + 256
    stays = np.ones(len(symbols), bool)
    stays[at + 1] = False
    lengths = np.add.reduceat(stays, np.cumsum(lengths) - lengths, dtype=np.int64)
    symbols, ranks = symbols.compress(stays), ranks.compress(stays)
    at -= np.arange(len(at))  # each place moved left by the joins before it
    _look_up(symbols, ranks, at, np.cumsum(lengths) - 1, table, num_merges)
    _look_up(symbols, ranks, at[at > 0] - 1, np.cumsum(lengths) - 1, table, num_merges)
    return symbols, ranks, lengths


def _look_up(
    symbols: np.ndarray, ranks: np.ndarray, at: np.ndarray, last: np.ndarray, table: PairTable, num_merges: int
) -> None:
    """Write the ranks of the pairs at positions `at`; the `last` symbol of a chunk has no pair."""
    followed = at[at < len(symbols) - 1]
    found = table.ranks(symbols.take(followed), symbols.take(followed + 1))
    found[found >= num_merges] = NEVER
    ranks[followed] = found
    ranks[last] = NEVER


def _in_order(done: list[tuple[np.ndarray, np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Put the chunks, each finished in some round, back into their order."""
    if not done:
        return np.empty(0, np.int32), np.zeros(1, np.int64)
    numbers, lengths, symbols = (np.concatenate(column) for column in zip(*done, strict=True))
    order = np.empty(len(numbers), np.int64)
    order[numbers] = np.arange(len(numbers))
    return gathered(symbols, np.append(0, np.cumsum(lengths)), order)
