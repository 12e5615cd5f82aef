"""Which pair is next: the pairs that are followed, with exact counts, best first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from heapq import heapify, heappop, heappush, heapreplace
from typing import NamedTuple, TypeAlias

import numpy as np

Positions: TypeAlias = "np.ndarray | list[int]"
"""Where a pair stands: the positions of its left token, ascending."""


def pair_key(left: int, right: int) -> int:
    """Return the pair as one number; the order of numbers is that of pairs."""
    return left << 32 | right


def split_key(key: int) -> tuple[int, int]:
    """Return the pair that `pair_key` made this number of."""
    return key >> 32, key & 0xFFFFFFFF


_KEY_BITS = 2**64 - 1


def _entry(key: int, count: int) -> int:
    """What stands in the heap for a pair: the smallest number is that of the best pair."""
    return key - (count << 64)


def _key_of(entry: int) -> int:
    """The pair of an entry: a negative number in Python has its lower bits as if it had endless ones above."""
    return entry & _KEY_BITS


class Side(NamedTuple):
    """The neighbours on one side of the tokens that a merge made.

    `count(token)` tells how often it stands there; `frequent` gives the frequent ones, each with its count and the
    places of the pair with it; `listed` are all of them with their counts, or None where no list was made.
    """

    count: Callable[[int], int]
    frequent: Iterable[tuple[int, int, Positions]]
    listed: Mapping[int, int] | None = None


class Born(NamedTuple):
    """A pair that came into being: its count then, and where it stands.

    Positions ascend: they come in order from the text, and merging takes and gives them in that order.
    So in a run like `aaa` the leftmost pair is joined first.
    """

    key: int
    count: int
    positions: Positions


class Chosen(NamedTuple):
    """The best pair. `is_fresh`: it still stands at all of `positions`, since none was taken away from it."""

    left: int
    right: int
    count: int
    tied: int
    positions: Positions
    is_fresh: bool


class PairQueue:
    """Pairs of at least `threshold` occurrences.

    Counts only fall, so the heap holds each pair under a count that is too high at
    worst; it is put right when it comes to the top. `_pairs_of_count` tells how many
    pairs share a count, which is how many were tied. `_lefts` and `_rights` tell which
    tokens stand beside a token in pairs that are or were followed, for merges of so
    many places that nobody lists their neighbours.
    """

    def __init__(self, born: Iterable[Born], threshold: int) -> None:
        self.threshold = threshold
        self._counts: dict[int, int] = {}
        self._positions: dict[int, Positions] = {}
        self._lowered: set[int] = set()
        self._heap: list[int] = []
        self._pairs_of_count: defaultdict[int, int] = defaultdict(int)
        self._lefts: defaultdict[int, list[int]] = defaultdict(list)
        self._rights: defaultdict[int, list[int]] = defaultdict(list)
        for pair in born:
            self._heap.append(self._follow(pair))
        heapify(self._heap)

    @property
    def is_empty(self) -> bool:
        """Whether no pair is followed."""
        return not self._counts

    def take_best(self) -> Chosen | None:
        """Return the pair of highest count, on a tie the smallest, and follow it no longer; None if none is left."""
        heap = self._heap
        while heap:
            key = _key_of(heap[0])
            count = self._counts.get(key)
            if count is None:
                heappop(heap)
            elif heap[0] != (entry := _entry(key, count)):
                heapreplace(heap, entry)
            else:
                heappop(heap)
                tied = self._pairs_of_count[count]
                self._pairs_of_count[count] -= 1
                del self._counts[key]
                return Chosen(*split_key(key), count, tied, self._positions.pop(key), key not in self._lowered)
        return None

    def add(self, pair: Born) -> None:
        """Follow a pair that came into being with at least `threshold` occurrences."""
        heappush(self._heap, self._follow(pair))

    def lower(self, pair: Chosen, token_id: int, left: Side, right: Side) -> None:
        """Take away what `pair` took from others by becoming `token_id`, as far as they are followed.

        Where two new tokens meet, the left one was the right part of `pair`.
        """
        counts = self._counts
        for other in self._lefts.get(pair.left, ()) if left.listed is None else left.listed:
            if (key := other << 32 | pair.left) in counts:
                self._lower(key, left.count(other))
        if (key := pair_key(pair.right, pair.left)) in counts:
            self._lower(key, left.count(token_id))
        for other in self._rights.get(pair.right, ()) if right.listed is None else right.listed:
            if (key := pair.right << 32 | other) in counts:
                self._lower(key, right.count(other))

    def _lower(self, key: int, amount: int) -> None:
        if not amount:
            return
        count = self._counts[key]
        self._pairs_of_count[count] -= 1
        if count - amount < self.threshold:
            del self._counts[key], self._positions[key]
        else:
            self._counts[key] = count - amount
            self._pairs_of_count[count - amount] += 1
            self._lowered.add(key)

    def _follow(self, pair: Born) -> int:
        """Note all about a pair; return its entry for the heap."""
        key, count, positions = pair
        self._counts[key], self._positions[key] = count, positions
        self._pairs_of_count[count] += 1
        left, right = split_key(key)
        self._lefts[right].append(left)
        self._rights[left].append(right)
        return _entry(key, count)
