"""Which pairs are worth following: those of at least a threshold, found by counting all pairs anew.

A pair below the threshold cannot rise above it, so it may be forgotten. When all pairs
that are followed have fallen below, a new epoch begins with a lower threshold.
"""

from __future__ import annotations

import numpy as np

from bpe_core.merging.linked_tokens import LinkedTokens
from bpe_core.merging.pair_queue import Born, PairQueue
from bpe_core.merging.stopping import Check

_ROUNDING = 1e-9  # float sums of buckets may be too low by this share
_BLOCK = 1_000_000


def new_epoch(tokens: LinkedTokens, num_ids: int, num_followed: int, min_count: int, check: Check) -> PairQueue:
    """Return the queue of about the `num_followed` most frequent pairs of `tokens`, which are compacted.

    If its threshold is `min_count`, no pair of that count is left out.
    """
    at = np.flatnonzero((tokens.tokens[:-1] >= 0) & (tokens.tokens[1:] >= 0))
    check()
    buckets = _buckets(tokens.tokens, at, num_ids, check)
    check()
    sums = np.bincount(buckets, tokens.weights.take(at))
    check()
    while True:
        threshold = max(min_count, _nth_largest(sums, num_followed))
        kept = (sums >= threshold * (1 - _ROUNDING)).take(buckets)
        check()
        followed = at.compress(kept)
        check()
        born = _grouped(tokens, followed, num_ids, threshold, check)
        if born or threshold == min_count:
            return PairQueue(born, threshold)
        num_followed *= 4  # every bucket so full held several pairs


def _buckets(tokens: np.ndarray, at: np.ndarray, num_ids: int, check: Check) -> np.ndarray:
    """A number for the pair at each position `at`; different pairs may share one if there are many ids."""
    keys = tokens.take(at).astype(np.int64)
    keys *= num_ids
    check()
    keys += tokens.take(at + 1)
    check()
    num_buckets = 2 ** min(22, max(12, len(at).bit_length()))
    if num_ids**2 > num_buckets:
        keys *= 0x9E3779B97F4A7C15 - 2**64  # Knuth's multiplicative hash: the upper bits are well mixed
        keys >>= 64 - num_buckets.bit_length() + 1
        keys &= num_buckets - 1
    return keys


def _taken(values: np.ndarray, places: np.ndarray, check: Check) -> np.ndarray:
    """`values.take(places)`, a block at a time: far apart as they lie, ten million may take half a second."""
    taken = np.empty(len(places), values.dtype)
    for start in range(0, len(places), _BLOCK):
        taken[start : start + _BLOCK] = values.take(places[start : start + _BLOCK])
        check()
    return taken


def _nth_largest(values: np.ndarray, n: int) -> int:
    """The n-th largest positive of `values`, rounded down; 0 if there are not so many."""
    positive = values[values > 0]
    return int(np.partition(positive, len(positive) - n)[len(positive) - n]) if len(positive) > n else 0


def _grouped(tokens: LinkedTokens, at: np.ndarray, num_ids: int, threshold: int, check: Check) -> list[Born]:
    """The pairs at positions `at` with their exact counts, those below `threshold` left out."""
    if not len(at):
        return []
    small = np.uint16 if num_ids <= 2**16 else np.int32  # numpy sorts 16 bits by radix
    for offset in (1, 0):  # by the right token, then by the left, which keeps the order of the right ones
        keys = tokens.tokens.take(at + offset).astype(small)
        check()
        order = np.argsort(keys, kind="stable")
        check()
        at = _taken(at, order, check)
    left, right = _taken(tokens.tokens, at, check), _taken(tokens.tokens, at + 1, check)
    starts = np.append(0, np.flatnonzero((left[1:] != left[:-1]) | (right[1:] != right[:-1])) + 1)
    counts = np.add.reduceat(tokens.weights.take(at), starts)
    ends = np.append(starts[1:], len(at))
    kept = counts >= threshold
    keys = (left.take(starts).astype(np.int64) << 32) | right.take(starts)
    rows = (column[kept].tolist() for column in (keys, counts, starts, ends))
    return [Born(key, count, at[start:end]) for key, count, start, end in zip(*rows, strict=True)]
