"""Cuts: how one order cuts every distinct chunk of a text, as a row of token ends."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bpe_core.chunks import ChunkCounts


@dataclass(frozen=True, eq=False)
class Cuts:
    """The cut of each distinct chunk of `chunk_counts` under `order`.

    `ends` has a bool per byte of `chunk_counts.data`: is it the last byte of a token?
    """

    order: str
    chunk_counts: ChunkCounts
    ends: np.ndarray

    def tokens(self, number: int) -> list[bytes]:
        """Return the tokens of distinct chunk `number`, left to right."""
        start, end = self.chunk_counts.offsets[number : number + 2].tolist()
        chunk = self.chunk_counts.data[start:end].tobytes()
        return cut_at(chunk, np.flatnonzero(self.ends[start:end]) + 1)

    @cached_property
    def tokens_per_chunk(self) -> np.ndarray:
        """Tokens of each distinct chunk (int64)."""
        return per_chunk(self.ends, self.chunk_counts)

    @cached_property
    def num_tokens(self) -> int:
        """Tokens of the whole text, repeats included."""
        return int(self.tokens_per_chunk @ self.chunk_counts.counts)

    def distinct_tokens(self) -> set[bytes]:
        """Return every byte string that is a token somewhere in the text."""
        content, start, found = self.chunk_counts.data.tobytes(), 0, set()
        for end in (np.flatnonzero(self.ends) + 1).tolist():
            found.add(content[start:end])
            start = end
        return found


def cut_at(chunk: bytes, ends: np.ndarray) -> list[bytes]:
    """Return `chunk` cut at `ends`, the last of which is its length.

    >>> cut_at(b"abc", np.array([2, 3]))
    [b'ab', b'c']
    """
    start, tokens = 0, []
    for end in ends.tolist():
        tokens.append(chunk[start:end])
        start = end
    return tokens


def per_chunk(marks: np.ndarray, chunk_counts: ChunkCounts) -> np.ndarray:
    """Return how many bytes of each distinct chunk are marked (int64)."""
    if not len(chunk_counts):
        return np.empty(0, np.int64)
    return np.add.reduceat(marks, chunk_counts.offsets[:-1], dtype=np.int64)
