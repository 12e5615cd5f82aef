"""Which pair is next: the pairs that are followed, with exact counts, best first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from heapq import heapify, heappop, heappush, heapreplace
from typing import NamedTuple

import numpy as np


def pair_key(left: int, right: int) -> int:
    """Return the pair as one number; the order of numbers is that of pairs."""
    return left << 32 | right


def split_key(key: int) -> tuple[int, int]:
    """Return the pair that `pair_key` made this number of."""
    return key >> 32, key & 0xFFFFFFFF


class Born(NamedTuple):
    """A pair that came into being: its count then, and where it stands (positions of its left token).

    Positions ascend: they come in order from the text, and merging takes and gives them in that order.
    So in a run like `aaa` the leftmost pair is joined first.
    """

    key: int
    count: int
    positions: np.ndarray | list[int]


class Chosen(NamedTuple):
    """The best pair. `is_fresh`: it still stands at all of `positions`, since none was taken away from it."""

    left: int
    right: int
    count: int
    tied: int
    positions: np.ndarray | list[int]
    is_fresh: bool


class PairQueue:
    """Pairs of at least `threshold` occurrences.

    Counts only fall, so the heap holds each pair under a count that is too high at
    worst; it is put right when it comes to the top. `_pairs_of_count` tells how many
    pairs share a count, which is how many were tied.
    """

    def __init__(self, born: Iterable[Born], threshold: int) -> None:
        self.threshold = threshold
        self._counts = {pair.key: pair.count for pair in born}
        self._heap = [(-count, key, count, positions) for key, count, positions in born]
        heapify(self._heap)
        self._pairs_of_count: defaultdict[int, int] = defaultdict(int)
        for count in self._counts.values():
            self._pairs_of_count[count] += 1

    def take_best(self) -> Chosen | None:
        """Return the pair of highest count, on a tie the smallest, and follow it no longer; None if none is left."""
        heap = self._heap
        while heap:
            negative, key, count_when_born, positions = heap[0]
            count = self._counts.get(key)
            if count is None:
                heappop(heap)
            elif count != -negative:
                heapreplace(heap, (-count, key, count_when_born, positions))
            else:
                heappop(heap)
                tied = self._pairs_of_count[count]
                self._forget(key, count)
                return Chosen(*split_key(key), count, tied, positions, count == count_when_born)
        return None

    def add(self, pair: Born) -> None:
        """Follow a pair that came into being with at least `threshold` occurrences."""
        self._counts[pair.key] = pair.count
        self._pairs_of_count[pair.count] += 1
        heappush(self._heap, (-pair.count, pair.key, pair.count, pair.positions))

    def lower(self, keys: Iterable[int], amounts: Iterable[int]) -> None:
        """Take the amounts from the counts of pairs, as far as they are followed."""
        counts, pairs_of_count, threshold = self._counts, self._pairs_of_count, self.threshold
        for key, amount in zip(keys, amounts, strict=True):
            count = counts.get(key)
            if count is None:
                continue
            pairs_of_count[count] -= 1
            count -= amount
            if count < threshold:
                del counts[key]
            else:
                counts[key] = count
                pairs_of_count[count] += 1

    def _forget(self, key: int, count: int) -> None:
        del self._counts[key]
        self._pairs_of_count[count] -= 1
