"""Which pairs are worth following: those of at least a threshold, found by counting all pairs anew.

A pair below the threshold cannot rise above it, so it may be forgotten. When all pairs
that are followed have fallen below, a new epoch begins with a lower threshold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from bpe_core.merging.born_pairs import Places, born_pairs
from bpe_core.merging.pair_queue import PairQueue
from bpe_core.merging.stopping import Check
from bpe_core.merging.token_slots import TokenSlots

_BLOCK = 2**18
"""Positions looked at at once: few enough to stay in the processor's cache, and to be stopped in between."""


def new_epoch(tokens: TokenSlots, num_ids: int, num_followed: int, min_count: int, check: Check) -> PairQueue:
    """Return the queue of about the `num_followed` most frequent pairs of `tokens`, fewer where many share a bucket.

    Each token must stand in one slot, as after compacting. If the queue's threshold is `min_count`,
    no pair of that count is left out.
    """
    blocks = [_pairs(tokens.tokens, start, num_ids) for start in range(0, len(tokens.tokens), _BLOCK)]
    num_buckets = min(num_ids**2, 2 ** min(22, max(12, len(tokens.tokens).bit_length() - 1)))
    counts = np.zeros(num_buckets, np.int64)
    for at, keys in blocks:
        np.add.at(counts, _buckets(keys, num_ids, num_buckets), tokens.weights.take(at).astype(np.int64, copy=False))
        check()
    while True:
        threshold = max(min_count, _nth_largest(counts, num_followed))
        followed = _those_in(counts >= threshold, blocks, num_ids, check)
        queue = PairQueue(born_pairs(tokens.weights, followed, num_ids, threshold, check), threshold)
        if threshold == min_count or not queue.is_empty:
            return queue
        num_followed *= 4  # every bucket so full held several pairs


def _pairs(tokens: np.ndarray, start: int, num_ids: int) -> Places:
    """The places of a block where a token has another to its right."""
    number = np.uint32 if num_ids <= 2**16 else np.uint64
    is_token = tokens[start : start + _BLOCK + 1] >= 0
    at = np.flatnonzero(is_token[:-1] & is_token[1:])
    at += start
    keys = tokens.take(at).astype(number) * number(num_ids) + tokens.take(at + 1).astype(number)
    return at.astype(np.int32 if len(tokens) < 2**31 else np.int64), keys


def _buckets(keys: np.ndarray, num_ids: int, num_buckets: int) -> np.ndarray:
    """The numbers of the pairs; different pairs may share one if there are many ids."""
    if num_ids**2 > num_buckets:
        number, bits = keys.dtype.type, keys.dtype.itemsize * 8
        keys = keys * number(0x9E3779B97F4A7C15 >> 64 - bits)  # Knuth's hash: the upper bits are well mixed
        keys >>= number(bits - num_buckets.bit_length() + 1)
    return keys.astype(np.intp)


def _nth_largest(values: np.ndarray, n: int) -> int:
    """The n-th largest positive of `values`; 0 if there are no more than n."""
    positive = values[values > 0]
    return int(np.partition(positive, len(positive) - n)[len(positive) - n]) if len(positive) > n else 0


def _those_in(chosen: np.ndarray, blocks: Iterable[Places], num_ids: int, check: Check) -> Iterator[Places]:
    """The places of pairs whose bucket is `chosen`, in new blocks of about the same size."""
    waiting: list[Places] = []
    for at, keys in blocks:
        check()
        kept = np.flatnonzero(chosen.take(_buckets(keys, num_ids, len(chosen))))
        waiting.append((at.take(kept), keys.take(kept)))
        if sum(len(at) for at, _ in waiting) >= _BLOCK:
            yield _joined(waiting)
            waiting = []
    if waiting:
        yield _joined(waiting)


def _joined(blocks: list[Places]) -> Places:
    at, keys = zip(*blocks, strict=True)
    return np.concatenate(at), np.concatenate(keys)
