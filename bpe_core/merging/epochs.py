"""Which pairs are worth following: those of at least a threshold, found by counting all pairs anew.

A pair below the threshold cannot rise above it, so it may be forgotten. When all pairs
that are followed have fallen below, a new epoch begins with a lower threshold.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import numpy as np

from bpe_core.merging.pair_queue import Born, PairQueue
from bpe_core.merging.stopping import Check
from bpe_core.merging.token_slots import TokenSlots

_Places: TypeAlias = "tuple[np.ndarray, np.ndarray]"
"""Positions where pairs stand, and the number of each pair: left * num_ids + right."""

_BLOCK = 2**18
"""Positions looked at at once: few enough to stay in the processor's cache, and to be stopped in between."""


def new_epoch(tokens: TokenSlots, num_ids: int, num_followed: int, min_count: int, check: Check) -> PairQueue:
    """Return the queue of about the `num_followed` most frequent pairs of `tokens`, which are compacted.

    If its threshold is `min_count`, no pair of that count is left out.
    """
    blocks = [_pairs(tokens.tokens, start, num_ids) for start in range(0, len(tokens.tokens), _BLOCK)]
    num_buckets = min(num_ids**2, 2 ** min(22, max(12, len(tokens.tokens).bit_length() - 1)))
    counts = np.zeros(num_buckets, np.int64)
    for at, keys in blocks:
        np.add.at(counts, _buckets(keys, num_ids, num_buckets), tokens.weights.take(at).astype(np.int64, copy=False))
        check()
    while True:
        threshold = max(min_count, _nth_largest(counts, num_followed))
        followed = [*_those_in(counts >= threshold, blocks, num_ids)]
        queue = PairQueue(_born(tokens.weights, followed, num_ids, threshold, check), threshold)
        if threshold == min_count or not queue.is_empty:
            return queue
        num_followed *= 4  # every bucket so full held several pairs


def _pairs(tokens: np.ndarray, start: int, num_ids: int) -> _Places:
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
    """The n-th largest positive of `values`; 0 if there are not so many."""
    positive = values[values > 0]
    return int(np.partition(positive, len(positive) - n)[len(positive) - n]) if len(positive) > n else 0


def _those_in(chosen: np.ndarray, blocks: Iterable[_Places], num_ids: int) -> Iterator[_Places]:
    """The places of pairs whose bucket is `chosen`, in new blocks of about the same size."""
    waiting: list[_Places] = []
    for at, keys in blocks:
        kept = np.flatnonzero(chosen.take(_buckets(keys, num_ids, len(chosen))))
        waiting.append((at.take(kept), keys.take(kept)))
        if sum(len(at) for at, _ in waiting) >= _BLOCK:
            yield _joined(waiting)
            waiting = []
    if waiting:
        yield _joined(waiting)


def _joined(blocks: list[_Places]) -> _Places:
    at, keys = zip(*blocks, strict=True)
    return np.concatenate(at), np.concatenate(keys)


def _born(weights: np.ndarray, blocks: Sequence[_Places], num_ids: int, threshold: int, check: Check) -> Iterable[Born]:
    """The pairs of `blocks` with their exact counts, those below `threshold` left out."""
    if len(blocks) == 1:
        return _counted(weights, *blocks[0], num_ids, threshold, check)
    parts = [_counted(weights, at, keys, num_ids, 1, check) for at, keys in blocks]
    return (pair for pair in _together(parts) if pair.count >= threshold)


def _counted(
    weights: np.ndarray, at: np.ndarray, keys: np.ndarray, num_ids: int, threshold: int, check: Check
) -> Iterable[Born]:
    """The pairs of one block with their counts there, if at least `threshold`."""
    check()
    at, keys = _sorted(at, keys, num_ids)
    check()
    starts = np.flatnonzero(np.diff(keys, prepend=keys[:1] + keys.dtype.type(1)))
    ends = np.append(starts, len(at))[1:]
    sums = np.add.reduceat(weights.take(at), starts, dtype=np.int64)
    is_enough = sums >= threshold
    starts, ends, sums = starts.compress(is_enough), ends.compress(is_enough), sums.compress(is_enough)
    left, right = np.divmod(keys.take(starts).astype(np.int64), num_ids)
    positions = [at[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    return map(Born, (left << 32 | right).tolist(), sums.tolist(), positions)


def _together(blocks: Iterable[Iterable[Born]]) -> Iterator[Born]:
    """The pairs of all blocks, each once."""
    parts: defaultdict[int, list[Born]] = defaultdict(list)
    for block in blocks:
        for pair in block:
            parts[pair.key].append(pair)
    for key, same in parts.items():
        yield Born(key, sum(pair.count for pair in same), np.concatenate([pair.positions for pair in same]))


def _sorted(at: np.ndarray, keys: np.ndarray, num_ids: int) -> _Places:
    """The places by pair, and by position where the pair is the same; numpy sorts 16 bits at a time by radix."""
    for shift in range(0, (num_ids**2 - 1).bit_length(), 16):
        order = np.argsort((keys >> keys.dtype.type(shift)).astype(np.uint16), kind="stable")
        at, keys = at.take(order), keys.take(order)
    return at, keys
