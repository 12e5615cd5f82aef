"""Known merges on one long chunk: rank after rank, each at all its places at once."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush

import numpy as np

from bpe_core.merging.one_merge import FEW, merge
from bpe_core.merging.pair_queue import Born, Chosen, pair_key, split_key
from bpe_core.merging.token_slots import EDGE, TokenSlots


def encode_long_chunk(chunk: np.ndarray, ranks: Mapping[int, int], num_merges: int) -> np.ndarray:
    """Return the tokens of `chunk` (bytes) as symbols: 0-255 a byte, 256 + rank a merge.

    For nested vocabularies. `ranks` gives the rank of each pair by its `pair_key`;
    only the first `num_merges` are used. Work grows with the length and the ranks that occur.

    >>> encode_long_chunk(np.frombuffer(b"abcab", np.uint8), {pair_key(97, 98): 0, pair_key(256, 99): 1}, 2)
    array([257, 256], dtype=int32)
    """
    tokens = TokenSlots(np.concatenate([[EDGE], chunk, [EDGE]]).astype(np.int32), np.ones(len(chunk) + 2, np.int32))
    waiting = _Waiting(ranks, num_merges)
    for pair in _first_pairs(chunk):
        waiting.add(pair)
    while waiting.ranks:
        rank = heappop(waiting.ranks)
        pair = waiting.places.pop(rank)
        left, right = split_key(pair.key)
        chosen = Chosen(left, right, pair.count, tied=0, positions=pair.positions, is_fresh=False)
        merge(tokens, waiting, chosen, 256 + rank, FEW)
    return tokens.tokens[tokens.tokens >= 0]


class _Waiting:
    """Takes the place of training's queue: pairs that are rules wait for their rank, the others are forgotten."""

    threshold = 1

    def __init__(self, known: Mapping[int, int], num_merges: int) -> None:
        self._known, self._num_merges = known, num_merges
        self.ranks: list[int] = []
        self.places: dict[int, Born] = {}

    def add(self, pair: Born) -> None:
        rank = self._known.get(pair.key, self._num_merges)
        if rank < self._num_merges:
            heappush(self.ranks, rank)
            self.places[rank] = pair

    def lower(self, *_: object) -> None:
        """Counts do not matter here."""


def _first_pairs(chunk: np.ndarray) -> list[Born]:
    """The pairs of bytes of `chunk` and where they stand in the slots, which begin with an edge."""
    pairs = chunk[:-1].astype(np.uint16) * 256 + chunk[1:]
    order = np.argsort(pairs, kind="stable")
    starts = np.flatnonzero(np.diff(pairs.take(order), prepend=-1))
    keys = pairs.take(order.take(starts)).tolist()
    rows = zip(keys, starts.tolist(), [*starts.tolist(), len(order)][1:], strict=True)
    return [Born(pair_key(key >> 8, key & 255), end - start, order[start:end] + 1) for key, start, end in rows]
