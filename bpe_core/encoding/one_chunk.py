"""Rank order on one chunk, with any rules: the lowest rank first, by a scan or, if it is long, by a heap.

One replacement at a time, the leftmost first among equal ranks: so do the published
encoders, and for a vocabulary that training made it equals joining all occurrences
of a pair at once. Knows ids and rules only; bytes, text and patterns live elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import pairwise

Rules = Mapping[tuple[int, int], tuple[int, int]]
"""For each pair that is a rule: (rank, id of the token it makes)."""

_HEAP_FROM = 48  # symbols; below it, a plain scan is faster than a heap


def encode_symbols(symbols: Sequence[int], rules: Rules) -> list[int]:
    """Return `symbols` (ids of the bytes of one chunk) joined in rank order.

    >>> encode_symbols([97, 98, 99], {(98, 99): (0, 256), (97, 98): (1, 257)})
    [97, 256]
    """
    return (_by_scan if len(symbols) < _HEAP_FROM else _by_heap)(list(symbols), rules)


def _by_scan(symbols: list[int], rules: Rules) -> list[int]:
    while True:
        candidates = [(*rules[pair], at) for at, pair in enumerate(pairwise(symbols)) if pair in rules]
        if not candidates:
            return symbols
        _, token_id, at = min(candidates, key=lambda candidate: (candidate[0], candidate[2]))
        symbols[at : at + 2] = [token_id]


def _by_heap(symbols: list[int], rules: Rules) -> list[int]:
    """The same in n log n steps: a heap of candidates over a linked list of symbols.

    `following` and `previous` are positions; a symbol that was joined to its left is None.
    A candidate is stale when its pair is no longer the one that stood there.
    """
    end = len(symbols)
    following, previous = list(range(1, end + 1)), list(range(-1, end - 1))
    heap = [(rules[pair][0], at, pair) for at, pair in enumerate(pairwise(symbols)) if pair in rules]
    heapify(heap)

    def offer(at: int) -> None:
        if at >= 0 and following[at] < end:
            pair = symbols[at], symbols[following[at]]
            if pair in rules:
                heappush(heap, (rules[pair][0], at, pair))

    while heap:
        _, at, pair = heappop(heap)
        right = following[at]
        if symbols[at] is None or right >= end or (symbols[at], symbols[right]) != pair:
            continue
        symbols[at], symbols[right] = rules[pair][1], None
        following[at] = following[right]
        if following[at] < end:
            previous[following[at]] = at
        offer(previous[at])
        offer(at)
    return [symbol for symbol in symbols if symbol is not None]
