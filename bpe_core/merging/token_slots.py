"""The tokens of all distinct chunks in arrays, laid out so that a merge touches only its own places."""

from __future__ import annotations

import numpy as np

from bpe_core.chunks import ChunkCounts
from bpe_core.merging.stopping import Check, go_on

EDGE = -1
"""Stands between chunks, where a token would stand (`gaps.WALL` is what stands between them in gap ranks)."""
GONE = -2
"""Stands where a token began that has become part of the one to its left."""


class TokenSlots:
    """`EDGE token token EDGE token … EDGE`: at first each has one slot; a token that a merge makes keeps those of both.

    So a position never changes, and nothing needs to point at a neighbour: it is as many slots
    away as a token is long. `tokens` holds the id at a token's first slot (and GONE where another once began);
    `endings` the id at its last slot, which tells a token what stands before it (the boundary tags of
    Knuth, The Art of Computer Programming, 2.5); other slots of `endings` are out of date. `weights`
    tells how often the chunk occurs. Numbers are as small as they can be, since memory is what takes
    time. Chunks of one token are left out, because nothing can happen to them.

    >>> tokens = TokenSlots.of_chunks(ChunkCounts.from_counts({b"abab": 3, b"cd": 2}), 300)
    >>> tokens.tokens.tolist()
    [-1, 97, 98, 97, 98, -1, 99, 100, -1]
    >>> tokens.weights.tolist()  # an edge has the weight of the chunk after it
    [3, 3, 3, 3, 3, 2, 2, 2, 0]
    """

    def __init__(self, tokens: np.ndarray, weights: np.ndarray) -> None:
        self.endings = np.empty_like(tokens)
        self._hold(tokens, weights)

    def _hold(self, tokens: np.ndarray, weights: np.ndarray) -> None:
        """Take these as the tokens, each in a slot of its own."""
        self._sizes: dict[int, int] = {}
        self.tokens, self.weights, self.endings = tokens, weights, self.endings[: len(tokens)]
        self.endings[:] = tokens
        # The same memory, an element at a time as a Python int: memoryviews are quicker at that.
        self.token_at, self.ending_at, self.weight_at = map(memoryview, (tokens, self.endings, weights))

    def size(self, token_id: int) -> int:
        """How many slots a token of this id takes."""
        return self._sizes.get(token_id, 1)

    def set_size(self, token_id: int, size: int) -> None:
        """A new token takes so many slots."""
        self._sizes[token_id] = size

    @classmethod
    def of_chunks(cls, chunk_counts: ChunkCounts, num_ids: int, check: Check = go_on) -> TokenSlots:
        """Return the bytes of all chunks of two bytes or more; tokens will have ids below `num_ids`."""
        lengths = chunk_counts.lengths
        is_long = lengths > 1
        content = chunk_counts.data[np.repeat(is_long, lengths)]
        counts, lengths = chunk_counts.counts[is_long], lengths[is_long]
        tokens = np.full(len(content) + len(counts) + 1, EDGE, np.int16 if num_ids <= 2**15 else np.int32)
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
        check()
        tokens = self.tokens[left]
        check()
        weights = self.weights[left]
        check()
        is_edge = tokens == EDGE
        is_alone = np.zeros(len(tokens), bool)
        is_alone[1:-1] = is_edge[:-2] & is_edge[2:] & ~is_edge[1:-1]
        left = ~is_alone
        left[1:] &= ~is_alone[:-1]  # the edge after it
        check()
        self._hold(tokens[left], weights[left])

    @property
    def has_pairs(self) -> bool:
        """Whether two tokens stand side by side anywhere; to be asked right after compacting."""
        return len(self.tokens) > 1
