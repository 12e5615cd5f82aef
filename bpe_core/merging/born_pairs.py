"""Places of pairs -> pairs, each with its exact count and all its places: what an epoch begins with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple, TypeAlias

import numpy as np

from bpe_core.merging.pair_queue import Born
from bpe_core.merging.stopping import Check

Places: TypeAlias = "tuple[np.ndarray, np.ndarray]"
"""Positions where pairs stand, and the number of each pair: left * num_ids + right."""


class _Grouped(NamedTuple):
    """The places of a block by pair, and of each pair: its number, its count here, where its places begin and end."""

    at: np.ndarray
    keys: np.ndarray
    counts: np.ndarray
    starts: np.ndarray
    ends: np.ndarray


def born_pairs(
    weights: np.ndarray, blocks: Iterable[Places], num_ids: int, threshold: int, check: Check
) -> Iterator[Born]:
    """Yield the pairs of all `blocks`, each once with its exact count, those below `threshold` left out."""
    grouped = [_grouped(weights, at, keys, num_ids, check) for at, keys in blocks]
    if not grouped:
        return
    keys, counts = _column(grouped, "keys"), _column(grouped, "counts")
    check()
    order = keys.argsort(kind="stable")  # the same pair of all blocks side by side
    check()
    firsts = _firsts(keys.take(order))
    totals, num_parts = np.add.reduceat(counts.take(order), firsts), np.diff(firsts, append=len(order))
    is_born = totals >= threshold
    left, right = np.divmod(keys.take(order.take(firsts.compress(is_born))).astype(np.int64), num_ids)
    columns = left << 32 | right, totals.compress(is_born), num_parts.compress(is_born)
    parts = _parts(grouped, order.compress(np.repeat(is_born, num_parts)))
    for key, count, num in zip(*(column.tolist() for column in columns), strict=True):
        check()
        positions = [*islice(parts, num)]
        yield Born(key, count, positions[0] if num == 1 else np.concatenate(positions))


def _grouped(weights: np.ndarray, at: np.ndarray, keys: np.ndarray, num_ids: int, check: Check) -> _Grouped:
    check()
    at, keys = _sorted(at, keys, num_ids)
    check()
    starts = _firsts(keys)
    counts = np.add.reduceat(weights.take(at), starts, dtype=np.int64)
    return _Grouped(at, keys.take(starts), counts, starts, np.append(starts, len(at))[1:])


def _parts(blocks: list[_Grouped], rows: np.ndarray) -> Iterator[np.ndarray]:
    """The places of each of `rows`, which number the pairs of all blocks one after the other."""
    numbers = np.repeat(np.arange(len(blocks)), [len(block.keys) for block in blocks])
    columns = numbers, _column(blocks, "starts"), _column(blocks, "ends")
    for number, start, end in zip(*(column.take(rows).tolist() for column in columns), strict=True):
        yield blocks[number].at[start:end]


def _column(blocks: list[_Grouped], name: str) -> np.ndarray:
    return np.concatenate([getattr(block, name) for block in blocks])


def _firsts(ordered: np.ndarray) -> np.ndarray:
    """Where in ordered numbers each begins."""
    return np.flatnonzero(np.diff(ordered, prepend=ordered[:1] + ordered.dtype.type(1)))


def _sorted(at: np.ndarray, keys: np.ndarray, num_ids: int) -> Places:
    """The places by pair, and by position where the pair is the same; numpy sorts 16 bits at a time by radix."""
    for shift in range(0, (num_ids**2 - 1).bit_length(), 16):
        order = np.argsort((keys >> keys.dtype.type(shift)).astype(np.uint16), kind="stable")
        at, keys = at.take(order), keys.take(order)
    return at, keys
