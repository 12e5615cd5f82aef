"""The tokens of all distinct chunks as one linked list in arrays, so that a merge touches only its own places."""

from __future__ import annotations

import numpy as np

from bpe_core.chunks import ChunkCounts
from bpe_core.merging.stopping import Check, go_on

WALL = -1
"""Stands between chunks, where a token would stand."""
GONE = -2
"""Stands where a token was that has become part of the one to its left."""

_BLOCK = 2**16


class LinkedTokens:
    """`WALL token token WALL token … WALL`; a position keeps its place when its neighbours merge.

    At each position: `tokens` the id; `weights` how often its chunk occurs; `following`
    and `previous` the positions of the neighbours. Those of a training are as small as
    they can be (mostly int16 or int32), since memory is what takes time. Chunks of one token are left
    out, because nothing can happen to them.
    """

    def __init__(self, tokens: np.ndarray, weights: np.ndarray) -> None:
        number = np.int32 if len(tokens) < 2**31 else np.int64
        self.following, self.previous = np.empty(len(tokens), number), np.empty(len(tokens), number)
        self._hold(tokens, weights)

    def _hold(self, tokens: np.ndarray, weights: np.ndarray) -> None:
        """Take these as the tokens, one beside the other."""
        self.tokens, self.weights = tokens, weights
        self.following, self.previous = self.following[: len(tokens)], self.previous[: len(tokens)]
        for start in range(0, len(tokens), _BLOCK):
            here = np.arange(start, min(start + _BLOCK, len(tokens)), dtype=self.following.dtype)
            np.add(here, 1, out=self.following[start : start + _BLOCK])
            np.subtract(here, 1, out=self.previous[start : start + _BLOCK])
        # The same memory, an element at a time as a Python int: memoryviews are quicker at that.
        self.token_at, self.weight_at = memoryview(tokens), memoryview(weights)
        self.following_at, self.previous_at = memoryview(self.following), memoryview(self.previous)

    @classmethod
    def of_chunks(cls, chunk_counts: ChunkCounts, num_ids: int, check: Check = go_on) -> LinkedTokens:
        """Return the bytes of all chunks of two bytes or more; tokens will have ids below `num_ids`."""
        lengths = chunk_counts.lengths
        is_long = lengths > 1
        content = chunk_counts.data[np.repeat(is_long, lengths)]
        counts, lengths = chunk_counts.counts[is_long], lengths[is_long]
        tokens = np.full(len(content) + len(counts) + 1, WALL, np.int16 if num_ids <= 2**15 else np.int32)
        is_token = np.ones(len(tokens), bool)
        is_token[np.cumsum(lengths + 1) - lengths - 1] = is_token[-1] = False
        check()
        tokens[is_token] = content
        check()
        counts = counts.astype(np.int32 if counts.max(initial=0) < 2**31 else np.int64)
        weights = np.repeat(np.append(counts, counts.dtype.type(0)), np.append(lengths + 1, 1))
        check()
        return cls(tokens, weights)

    def compact(self, check: Check = go_on) -> None:
        """Leave out what is gone, and chunks that have become one token; positions change."""
        left = self.tokens != GONE
        tokens, weights = self.tokens[left], self.weights[left]
        check()
        is_wall = tokens == WALL
        is_alone = np.zeros(len(tokens), bool)
        is_alone[1:-1] = is_wall[:-2] & is_wall[2:] & ~is_wall[1:-1]
        left = ~is_alone
        left[1:] &= ~is_alone[:-1]  # the wall after it
        check()
        self._hold(tokens[left], weights[left])

    @property
    def has_pairs(self) -> bool:
        """Whether two tokens stand side by side anywhere; to be asked right after compacting."""
        return len(self.tokens) > 1
