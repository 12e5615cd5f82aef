"""One merge: join a pair wherever it stands, and tell which pairs came and which became fewer.

Two ways with one result: numpy for many places, plain Python for few, where numpy's
overhead would cost more than the work.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from bpe_core.encoding.many_chunks import every_second
from bpe_core.merging.linked_tokens import GONE, WALL, LinkedTokens
from bpe_core.merging.pair_queue import Born, Chosen, PairQueue, pair_key
from bpe_core.merging.stopping import Check, go_on


class _Neighbours(NamedTuple):
    """The tokens on one side of the new ones, each with its count; `places(i)`: where the pairs with the i-th stand."""

    tokens: list[int]
    counts: list[int]
    places: Callable[[int], np.ndarray | list[int]]


def merge(tokens: LinkedTokens, queue: PairQueue, pair: Chosen, token_id: int, few: int, check: Check = go_on) -> int:
    """Join `pair` into `token_id`, left to right, and tell `queue`; return how often it was joined, weighted.

    Up to `few` places are joined in plain Python. If `check` raises, `tokens` are left half joined.
    """
    if len(pair.positions) > few:
        replaced, left, right = _merge_many(tokens, pair, token_id, check)
    else:
        replaced, left, right = _merge_few(tokens, pair, token_id)
    # Where two new tokens meet, the left neighbour was the right part of the pair; they are counted once, on the left.
    lost = [pair_key(pair.right if other == token_id else other, pair.left) for other in left.tokens]
    queue.lower(lost, left.counts)
    queue.lower([pair_key(pair.right, other) for other in right.tokens], right.counts)
    for i, count in enumerate(left.counts):
        if count >= queue.threshold:
            queue.add(Born(pair_key(left.tokens[i], token_id), count, left.places(i)))
    for i, count in enumerate(right.counts):
        if count >= queue.threshold:
            queue.add(Born(pair_key(token_id, right.tokens[i]), count, right.places(i)))
    return replaced


# --- many places: numpy ---------------------------------------------------------------


def _merge_many(
    tokens: LinkedTokens, pair: Chosen, token_id: int, check: Check
) -> tuple[int, _Neighbours, _Neighbours]:
    at, partner = _places(tokens, pair, check)
    if not len(at):
        return 0, _NOBODY, _NOBODY
    check()
    after = tokens.following.take(partner)
    tokens.tokens[at] = token_id
    tokens.tokens[partner] = GONE
    tokens.following[at] = after
    tokens.previous[after] = at
    weights = tokens.weights.take(at)
    check()
    return int(weights.sum()), *_grouped(tokens, at, after, weights, token_id, check)


def _places(tokens: LinkedTokens, pair: Chosen, check: Check) -> tuple[np.ndarray, np.ndarray]:
    """The positions of the left and right tokens of `pair`, none overlapping."""
    at = pair.positions
    partner = tokens.following.take(at)
    check()
    if not pair.is_fresh:
        stands = (tokens.tokens.take(at) == pair.left) & (tokens.tokens.take(partner) == pair.right)
        at, partner = at.compress(stands), partner.compress(stands)
        check()
    if pair.left == pair.right and len(at):
        continues = at[1:] == partner[:-1]
        check()
        chosen = every_second(continues)
        check()
        at, partner = at.compress(chosen), partner.compress(chosen)
    return at, partner


def _grouped(
    tokens: LinkedTokens, at: np.ndarray, after: np.ndarray, weights: np.ndarray, token_id: int, check: Check
) -> tuple[_Neighbours, _Neighbours]:
    """The neighbours of the new tokens, left ones and right ones grouped in one sort."""
    before = tokens.previous.take(at)
    shift = token_id + 2  # left ones: token + 1, from WALL to token_id; right ones the same plus shift
    sides = np.concatenate([tokens.tokens.take(before), tokens.tokens.take(after) + shift]) + 1
    check()
    order = (sides.astype(np.uint16) if 2 * shift <= 2**16 else sides).argsort(kind="stable")  # 16 bits: by radix
    check()
    sides = sides.take(order)
    is_start = np.empty(len(sides), bool)
    is_start[0] = True
    np.not_equal(sides[1:], sides[:-1], out=is_start[1:])
    starts = is_start.nonzero()[0]
    check()
    counts = np.add.reduceat(np.concatenate([weights, weights]).take(order), starts).tolist()
    check()
    groups, edges = sides.take(starts).tolist(), [*starts.tolist(), len(order)]
    positions = np.concatenate([before, at])
    first_right = int(np.searchsorted(sides.take(starts), shift))

    def side(first: int, last: int, offset: int) -> _Neighbours:
        found = [group - offset for group in groups[first:last]]
        places = lambda i: positions.take(order[edges[first + i] : edges[first + i + 1]])  # noqa: E731
        return _Neighbours(found, counts[first:last], places)

    has_wall_left, has_wall_right = groups[0] == 0, first_right < len(groups) and groups[first_right] == shift
    meets_itself = groups[-1] == token_id + 1 + shift
    return (
        side(has_wall_left, first_right, 1),
        side(first_right + has_wall_right, len(groups) - meets_itself, 1 + shift),
    )


# --- few places: Python ---------------------------------------------------------------


def _merge_few(tokens: LinkedTokens, pair: Chosen, token_id: int) -> tuple[int, _Neighbours, _Neighbours]:
    token_at, weight_at = tokens.token_at, tokens.weight_at
    joined = _joined_few(tokens, pair, token_id)
    left: dict[int, int] = {}
    right: dict[int, int] = {}
    replaced = 0
    for position, before, after in joined:
        weight = weight_at[position]
        replaced += weight
        other = token_at[before]
        left[other] = left.get(other, 0) + weight
        other = token_at[after]
        right[other] = right.get(other, 0) + weight
    left.pop(WALL, None)
    right.pop(WALL, None)
    right.pop(token_id, None)
    on_left, on_right = [*left], [*right]
    return (
        replaced,
        _Neighbours(on_left, [*left.values()], lambda i: [b for _, b, _ in joined if token_at[b] == on_left[i]]),
        _Neighbours(on_right, [*right.values()], lambda i: [p for p, _, a in joined if token_at[a] == on_right[i]]),
    )


def _joined_few(tokens: LinkedTokens, pair: Chosen, token_id: int) -> list[tuple[int, int, int]]:
    """Join the pair; return for each new token its position and those of its neighbours, once all are joined."""
    token_at, following, previous = tokens.token_at, tokens.following_at, tokens.previous_at
    left, right = pair.left, pair.right
    places = pair.positions if isinstance(pair.positions, list) else pair.positions.tolist()
    joined = []
    for position in places:
        partner = following[position]
        if token_at[position] == left and token_at[partner] == right:
            after = following[partner]
            token_at[position], token_at[partner] = token_id, GONE
            following[position], previous[after] = after, position
            joined.append(position)
    return [(position, previous[position], following[position]) for position in joined]


_NOBODY = _Neighbours([], [], lambda _: [])
