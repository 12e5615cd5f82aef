"""Passes over all chunks at once: each chunk joins its own best pair everywhere, round after round.

Serves reversed priority and dropout. Every function takes distinct chunks laid side
by side (`data`, `offsets`) and returns a bool per byte: is it the last of a token?
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from heapq import heapify, heappop, heappush
from itertools import pairwise

import numpy as np

from bpe_core.encoding.pair_table import PairTable
from bpe_core.gaps import NEVER
from bpe_core.orders.randomness import draws, stream_keys

_HEAP_FROM = 400  # bytes of a chunk; above it rounds would go over the same symbols too often

Choice = Callable[[np.ndarray, np.ndarray, np.ndarray, int], np.ndarray]
"""choice(ranks, starts, chunk_of, step): each symbol's candidate rank, -1 for none, less what may not be joined now."""


def reversed_priority_ends(
    data: np.ndarray, offsets: np.ndarray, table: PairTable, rules: Mapping[tuple[int, int], int]
) -> np.ndarray:
    """Return where tokens end when each pass joins the highest rank present, everywhere."""
    ends = np.zeros(len(data), bool)
    lengths = np.diff(offsets)
    for chunk in np.flatnonzero(lengths >= _HEAP_FROM).tolist():
        start, end = int(offsets[chunk]), int(offsets[chunk + 1])
        ends[start:end] = _highest_first_by_heap(data[start:end], rules)
    short = np.flatnonzero(lengths < _HEAP_FROM)
    return ends | _ends_by_rounds(data, offsets, short, table, lambda ranks, *_: ranks, np.maximum)


def dropout_ends(data: np.ndarray, offsets: np.ndarray, table: PairTable, p: float, seed: int) -> np.ndarray:
    """Return where tokens end under dropout; draw number step × bytes + gap of a chunk's stream decides."""
    content = data.tobytes()
    bounds = offsets.tolist()
    keys = stream_keys(seed, (content[start:end] for start, end in pairwise(bounds)))
    lengths = np.diff(offsets)

    def survivors(ranks: np.ndarray, starts: np.ndarray, chunk_of: np.ndarray, step: int) -> np.ndarray:
        kept = ranks.copy()
        candidates = np.flatnonzero(ranks >= 0)
        chunks = chunk_of[candidates]
        gaps = starts[candidates + 1] - offsets[chunks]
        kept[candidates[draws(keys[chunks], step * lengths[chunks] + gaps) < p]] = -1
        return kept

    return _ends_by_rounds(data, offsets, np.arange(len(lengths)), table, survivors, np.minimum)


def _ends_by_rounds(
    data: np.ndarray, offsets: np.ndarray, chunks: np.ndarray, table: PairTable, choice: Choice, best: np.ufunc
) -> np.ndarray:
    """Join in every chunk of `chunks` the pair whose rank is `best` of what `choice` leaves, until nothing is left."""
    ends = np.zeros(len(data), bool)
    chunk_of = np.repeat(chunks, np.diff(offsets)[chunks])
    starts = _ranges(offsets[chunks], offsets[chunks + 1])
    symbols = data[starts].astype(np.int64)
    ranks = _ranks_at(np.arange(len(symbols)), symbols, chunk_of, table)
    step = 0
    while len(symbols):
        allowed = choice(ranks, starts, chunk_of, step)
        joined = _places_to_join(allowed, chunk_of, best)
        alive = np.zeros(len(offsets), bool)
        alive[chunk_of[joined]] = True
        done = ~alive[chunk_of]
        ends[starts[done] - 1] = True  # where a token starts, the one before has ended (-1: the very last)
        symbols[joined] = 256 + ranks[joined]
        kept = ~done
        kept[joined + 1] = False
        changed = (np.cumsum(kept) - 1)[joined]
        symbols, starts, chunk_of, ranks = symbols[kept], starts[kept], chunk_of[kept], ranks[kept]
        for places in (changed, changed[changed > 0] - 1):
            ranks[places] = _ranks_at(places, symbols, chunk_of, table)
        step += 1
    ends[offsets[1:] - 1] = True
    return ends


def _ranks_at(places: np.ndarray, symbols: np.ndarray, chunk_of: np.ndarray, table: PairTable) -> np.ndarray:
    """The rank of the pair that begins at each place; -1 if it is no rule or would cross a chunk's edge."""
    following = np.minimum(places + 1, len(symbols) - 1)
    ranks = table.ranks(symbols[places], symbols[following]).astype(np.int64)
    ranks[(ranks == NEVER) | (chunk_of[places] != chunk_of[following]) | (following == places)] = -1
    return ranks


def _places_to_join(ranks: np.ndarray, chunk_of: np.ndarray, best: np.ufunc) -> np.ndarray:
    """Where each chunk's best rank stands, left to right, none overlapping: in a run like `aaaa` every other place."""
    candidates = np.flatnonzero(ranks >= 0)
    if not len(candidates):
        return candidates
    chunks, found = chunk_of[candidates], ranks[candidates]
    firsts = np.flatnonzero(np.diff(chunks, prepend=-1))
    winners = np.repeat(best.reduceat(found, firsts), np.diff(firsts, append=len(chunks)))
    places = candidates[found == winners]
    run_starts = np.diff(places, prepend=-2) != 1
    first_of_run = places[run_starts][np.cumsum(run_starts) - 1]
    return places[(places - first_of_run) % 2 == 0]


def _ranges(starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """The whole numbers of every range start..end, side by side."""
    lengths = ends - starts
    return np.arange(int(lengths.sum())) + np.repeat(starts - (np.cumsum(lengths) - lengths), lengths)


def _highest_first_by_heap(data: np.ndarray, rules: Mapping[tuple[int, int], int]) -> np.ndarray:
    """Reversed priority of one long chunk in n log n steps.

    A pass takes all places of the highest rank from the heap before it looks at what
    it made: a new symbol's pairs always have higher ranks, and would cut in.
    """
    symbols, end = data.tolist(), len(data)
    following, previous = list(range(1, end + 1)), list(range(-1, end - 1))

    def rank_at(at: int) -> int:
        right = following[at]
        return rules.get((symbols[at], symbols[right]), 255) - 256 if right < end else -1

    heap = [(-rank, at) for at in range(end) if (rank := rank_at(at)) >= 0]
    heapify(heap)
    while heap:
        rank, places, made = -heap[0][0], [], []
        while heap and heap[0][0] == -rank:
            places.append(heappop(heap)[1])
        for at in places:
            if symbols[at] >= 0 and rank_at(at) == rank:
                right = following[at]
                symbols[at], symbols[right] = 256 + rank, -1
                following[at] = following[right]
                if following[at] < end:
                    previous[following[at]] = at
                made.append(at)
        for place in {place for at in made for place in (previous[at], at) if place >= 0}:
            if (found := rank_at(place)) >= 0:
                heappush(heap, (-found, place))
    ends = np.zeros(end, bool)
    ends[np.flatnonzero(np.array(symbols) >= 0) - 1] = True
    return ends
