"""One merge: join a pair wherever it stands, and tell which pairs came and which became fewer.

Two ways with one result: numpy for many places, plain Python for few, where numpy's
overhead would cost more than the work.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import numpy as np

from bpe_core.merging.overlaps import every_second
from bpe_core.merging.pair_queue import Born, Chosen, Positions, Side, pair_key
from bpe_core.merging.stopping import Check, go_on
from bpe_core.merging.token_slots import EDGE, GONE, TokenSlots

FEW = 32
"""Up to so many places plain Python is quicker (measured)."""

_MANY_IDS = 2**14
"""Above so many ids a table of all of them costs more than sorting the neighbours, unless these are many (measured)."""

_NEIGHBOUR_IS_WORTH = 64  # ids of the table


class Queue(Protocol):
    """Who is told of a merge; `PairQueue` says what the methods mean."""

    threshold: int

    def add(self, pair: Born) -> None:
        """Hear of a pair born with at least `threshold` occurrences."""

    def lower(self, pair: Chosen, token_id: int, left: Side, right: Side) -> None:
        """Hear what the neighbours of `pair` lost."""


def merge(tokens: TokenSlots, queue: Queue, pair: Chosen, token_id: int, few: int, check: Check = go_on) -> int:
    """Join `pair` into `token_id`, left to right, and tell `queue`; return how often it was joined, weighted.

    Up to `few` places are joined in plain Python. If `check` raises, `tokens` are left half joined.
    """
    tokens.set_size(token_id, tokens.size(pair.left) + tokens.size(pair.right))
    if len(pair.positions) > few:
        replaced, left, right = _merge_many(tokens, pair, token_id, queue.threshold, check)
    else:
        replaced, left, right = _merge_few(tokens, pair, token_id, queue.threshold)
    queue.lower(pair, token_id, left, right)
    for other, count, positions in left.frequent:
        queue.add(Born(pair_key(other, token_id), count, _moved_back(positions, tokens.size(other))))
    for other, count, positions in right.frequent:
        queue.add(Born(pair_key(token_id, other), count, positions))
    return replaced


def _moved_back(positions: Positions, by: int) -> Positions:
    return [position - by for position in positions] if isinstance(positions, list) else positions - by


# --- many places: numpy ---------------------------------------------------------------


def _merge_many(
    tokens: TokenSlots, pair: Chosen, token_id: int, threshold: int, check: Check
) -> tuple[int, Side, Side]:
    at = _places(tokens, pair, check)
    if not len(at):
        return 0, _NOBODY, _NOBODY
    check()
    after = at + tokens.size(token_id)
    tokens.tokens[at] = token_id
    tokens.tokens[at + tokens.size(pair.left)] = GONE
    tokens.endings[after - 1] = token_id
    check()
    # No sum of weights is above the pair's count.
    weights = tokens.weights.take(at).astype(np.int32 if pair.count < 2**31 else np.int64, copy=False)
    left = _side(tokens.endings.take(at - 1), weights, at, token_id, threshold, left_out=EDGE)
    check()
    # Where two new tokens meet, the pair of them is counted once, on the left.
    right = _side(tokens.tokens.take(after), weights, at, token_id, threshold, left_out=token_id)
    return int(np.add.reduce(weights)), left, right


def _places(tokens: TokenSlots, pair: Chosen, check: Check) -> np.ndarray:
    """Where `pair` still stands, no two places overlapping."""
    at = np.asarray(pair.positions, np.intp)  # numpy looks up by these
    size = tokens.size(pair.left)
    if not pair.is_fresh:
        at = at.compress((tokens.tokens.take(at) == pair.left) & (tokens.tokens.take(at + size) == pair.right))
        check()
    if pair.left == pair.right and len(at):
        continues = np.diff(at) == size
        check()
        chosen = every_second(continues)
        check()
        at = at.compress(chosen)
    return at


def _side(
    others: np.ndarray,
    weights: np.ndarray,
    positions: np.ndarray,
    token_id: int,
    threshold: int,
    left_out: int,
) -> Side:
    """The neighbours `others`, each with its weight and the position of the new token beside it.

    The neighbour `left_out` is not counted.
    """
    if token_id > _MANY_IDS + _NEIGHBOUR_IS_WORTH * len(others):
        return _sorted_side(others, weights, positions, threshold, left_out)
    counts = np.zeros(token_id + 2, weights.dtype)  # EDGE is -1, and so has the last place
    np.add.at(counts, others.astype(np.intp), weights)
    counts[EDGE] = counts[left_out] = 0
    frequent = (counts >= threshold).nonzero()[0]
    return Side(counts.item, _places_of(others, positions, counts, frequent) if len(frequent) else ())


def _places_of(
    others: np.ndarray, positions: np.ndarray, counts: np.ndarray, frequent: np.ndarray
) -> Iterable[tuple[int, int, np.ndarray]]:
    order, others = _in_order(others)
    starts, ends = others.searchsorted(frequent), others.searchsorted(frequent, "right")
    rows = zip(frequent.tolist(), counts.take(frequent).tolist(), starts.tolist(), ends.tolist(), strict=True)
    return [(token, count, positions.take(order[start:end])) for token, count, start, end in rows]


def _sorted_side(others: np.ndarray, weights: np.ndarray, positions: np.ndarray, threshold: int, left_out: int) -> Side:
    """`_side` without a table of all ids, which would be far larger than the neighbours are many."""
    order, ordered = _in_order(others)
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    tokens, ends = others.take(order.take(starts)).tolist(), [*starts[1:].tolist(), len(order)]
    counts = dict(zip(tokens, np.add.reduceat(weights.take(order), starts).tolist(), strict=True))
    counts[EDGE] = counts[left_out] = 0
    frequent = [
        (token, counts[token], positions.take(order[start:end]))
        for token, start, end in zip(tokens, starts.tolist(), ends, strict=True)
        if counts[token] >= threshold
    ]
    return _listed(counts, frequent)


def _in_order(others: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The order that sorts the neighbours, and the sorted ones, EDGE last."""
    others = others.astype(np.uint16 if others.max() < 2**16 - 1 else np.uint32)  # 16 bits are sorted by radix
    order = others.argsort(kind="stable")
    return order, others.take(order)


# --- few places: Python ---------------------------------------------------------------


def _merge_few(tokens: TokenSlots, pair: Chosen, token_id: int, threshold: int) -> tuple[int, Side, Side]:
    token_at, ending_at, weight_at = tokens.token_at, tokens.ending_at, tokens.weight_at
    joined = _joined_few(tokens, pair, token_id)
    size = tokens.size(token_id)
    left: dict[int, int] = {}
    right: dict[int, int] = {}
    replaced = 0
    for position in joined:
        weight = weight_at[position]
        replaced += weight
        other = ending_at[position - 1]
        left[other] = left.get(other, 0) + weight
        other = token_at[position + size]
        right[other] = right.get(other, 0) + weight
    left[EDGE] = right[EDGE] = right[token_id] = 0
    on_left = [
        (other, count, [position for position in joined if ending_at[position - 1] == other])
        for other, count in left.items()
        if count >= threshold
    ]
    on_right = [
        (other, count, [position for position in joined if token_at[position + size] == other])
        for other, count in right.items()
        if count >= threshold
    ]
    return replaced, _listed(left, on_left), _listed(right, on_right)


def _listed(counts: dict[int, int], frequent: Iterable[tuple[int, int, Positions]]) -> Side:
    return Side(lambda token: counts.get(token, 0), frequent, counts)


def _joined_few(tokens: TokenSlots, pair: Chosen, token_id: int) -> list[int]:
    """Join the pair; return the positions of the new tokens."""
    token_at, ending_at = tokens.token_at, tokens.ending_at
    left, right = pair.left, pair.right
    size, last = tokens.size(left), tokens.size(token_id) - 1
    places = pair.positions if isinstance(pair.positions, list) else pair.positions.tolist()
    joined = []
    for position in places:
        if token_at[position] == left and token_at[position + size] == right:
            token_at[position], token_at[position + size] = token_id, GONE
            ending_at[position + last] = token_id
            joined.append(position)
    return joined


_NOBODY = _listed({}, ())
