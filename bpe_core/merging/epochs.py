"""Which pairs are worth following: those of at least a threshold, found by counting all pairs anew.

A pair below the threshold cannot rise above it, so it may be forgotten. When all pairs
that are followed have fallen below, a new epoch begins with a lower threshold.
"""

from __future__ import annotations

import numpy as np

from bpe_core.merging.linked_tokens import LinkedTokens
from bpe_core.merging.pair_queue import Born, PairQueue
from bpe_core.merging.stopping import Check

_BLOCK = 2**18
"""Positions looked at at once: few enough to stay in the processor's cache, and to be stopped in between."""


def new_epoch(tokens: LinkedTokens, num_ids: int, num_followed: int, min_count: int, check: Check) -> PairQueue:
    """Return the queue of about the `num_followed` most frequent pairs of `tokens`, which are compacted.

    If its threshold is `min_count`, no pair of that count is left out.
    """
    blocks = [_pairs(tokens.tokens, start, num_ids) for start in range(0, len(tokens.tokens), _BLOCK)]
    num_buckets = 2 ** min(22, max(12, len(tokens.tokens).bit_length() - 1))
    counts = np.zeros(num_buckets, np.int64)
    for at, keys in blocks:
        np.add.at(counts, _buckets(keys, num_ids, num_buckets), tokens.weights.take(at).astype(np.int64, copy=False))
        check()
    while True:
        threshold = max(min_count, _nth_largest(counts, num_followed))
        chosen = counts >= threshold
        followed = [_those_in(chosen, at, keys, num_ids, check) for at, keys in blocks]
        at, keys = (np.concatenate(column) for column in zip(*followed, strict=True))
        check()
        born = _grouped(tokens.weights, at, keys, num_ids, threshold, check)
        if born or threshold == min_count:
            return PairQueue(born, threshold)
        num_followed *= 4  # every bucket so full held several pairs


def _pairs(tokens: np.ndarray, start: int, num_ids: int) -> tuple[np.ndarray, np.ndarray]:
    """The positions of a block where a token has another to its right, and each pair as left * num_ids + right."""
    number = np.uint32 if num_ids <= 2**16 else np.uint64
    is_token = tokens[start : start + _BLOCK + 1] >= 0
    at = np.flatnonzero(is_token[:-1] & is_token[1:])
    at += start
    return at, tokens.take(at).astype(number) * number(num_ids) + tokens.take(at + 1).astype(number)


def _buckets(keys: np.ndarray, num_ids: int, num_buckets: int) -> np.ndarray:
    """The numbers of the pairs; different pairs may share one if there are many ids."""
    if num_ids**2 > num_buckets:
        number, bits = keys.dtype.type, keys.dtype.itemsize * 8
        keys = keys * number(0x9E3779B97F4A7C15 >> 64 - bits)  # Knuth's hash: the upper bits are well mixed
        keys >>= number(bits - num_buckets.bit_length() + 1)
    return keys.astype(np.intp)


def _nth_largest(values: np.ndarray, n: int) -> int:
    """The n-th largest positive of `values`; 0 if there are not so many."""
    positive = values[values > 0]
    return int(np.partition(positive, len(positive) - n)[len(positive) - n]) if len(positive) > n else 0


def _those_in(
    chosen: np.ndarray, at: np.ndarray, keys: np.ndarray, num_ids: int, check: Check
) -> tuple[np.ndarray, np.ndarray]:
    """The positions and numbers of the pairs whose bucket is `chosen`."""
    kept = np.flatnonzero(chosen.take(_buckets(keys, num_ids, len(chosen))))
    check()
    return at.take(kept), keys.take(kept)


def _grouped(
    weights: np.ndarray, at: np.ndarray, keys: np.ndarray, num_ids: int, threshold: int, check: Check
) -> list[Born]:
    """The pairs at positions `at` with their exact counts, those below `threshold` left out."""
    if not len(at):
        return []
    for shift in range(0, (num_ids**2 - 1).bit_length(), 16):  # numpy sorts 16 bits by radix
        order = np.argsort((keys >> keys.dtype.type(shift)).astype(np.uint16), kind="stable")
        check()
        at, keys = _taken(at, order, check), _taken(keys, order, check)
    starts = np.append(0, np.flatnonzero(keys[1:] != keys[:-1]) + 1)
    ends = np.append(starts[1:], len(at))
    counts = np.add.reduceat(_taken(weights, at, check), starts, dtype=np.int64)
    kept = counts >= threshold
    left, right = np.divmod(keys.take(starts).astype(np.int64), num_ids)
    rows = (column[kept].tolist() for column in (left << 32 | right, counts, starts, ends))
    return [Born(key, count, at[start:end]) for key, count, start, end in zip(*rows, strict=True)]


def _taken(values: np.ndarray, places: np.ndarray, check: Check) -> np.ndarray:
    """`values.take(places)`, a block at a time: far apart as they lie, ten million may take half a second."""
    taken = np.empty(len(places), values.dtype)
    for start in range(0, len(places), _BLOCK):
        values.take(places[start : start + _BLOCK], out=taken[start : start + _BLOCK], mode="clip")
        check()
    return taken
