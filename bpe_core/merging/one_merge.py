"""One merge: join a pair wherever it stands, and tell which pairs came and which became fewer."""

from __future__ import annotations

import numpy as np

from bpe_core.batch_encoding import every_second
from bpe_core.merging.linked_tokens import GONE, WALL, LinkedTokens
from bpe_core.merging.pair_queue import Born, Chosen, PairQueue, pair_key


def merge(tokens: LinkedTokens, queue: PairQueue, pair: Chosen, token_id: int, few: int) -> int:
    """Join `pair` into `token_id`, left to right; return how often, weighted.

    At `few` places or less plain Python is faster than numpy's overhead.
    """
    if len(pair.positions) > few:
        return _merge_many(tokens, queue, pair, token_id)
    return _merge_few(tokens, queue, pair, token_id)


# --- many places: numpy ---------------------------------------------------------------


def _merge_many(tokens: LinkedTokens, queue: PairQueue, pair: Chosen, token_id: int) -> int:
    at, partner = _places(tokens, pair)
    if not len(at):
        return 0
    after = tokens.following.take(partner)
    tokens.tokens[at] = token_id
    tokens.tokens[partner] = GONE
    tokens.following[at] = after
    tokens.previous[after] = at
    weights = tokens.weights.take(at)
    _count_neighbours(tokens, queue, pair, token_id, at, after, weights)
    return int(weights.sum())


def _places(tokens: LinkedTokens, pair: Chosen) -> tuple[np.ndarray, np.ndarray]:
    """The positions of the left and right tokens of `pair`, none overlapping."""
    at = pair.positions
    if pair.left == pair.right:
        at = np.sort(at)
    partner = tokens.following.take(at)
    if not pair.is_fresh:
        stands = (tokens.tokens.take(at) == pair.left) & (tokens.tokens.take(partner) == pair.right)
        at, partner = at.compress(stands), partner.compress(stands)
    if pair.left == pair.right and len(at):
        chosen = every_second(at[1:] == partner[:-1])
        at, partner = at.compress(chosen), partner.compress(chosen)
    return at, partner


def _count_neighbours(
    tokens: LinkedTokens,
    queue: PairQueue,
    pair: Chosen,
    token_id: int,
    at: np.ndarray,
    after: np.ndarray,
    weights: np.ndarray,
) -> None:
    """Group the new tokens' neighbours, left ones and right ones in one sort, and tell the queue."""
    before = tokens.previous.take(at)
    right_from = token_id + 2
    neighbours = np.concatenate([tokens.tokens.take(before), tokens.tokens.take(after) + right_from])
    neighbours += 1
    order = np.argsort(neighbours.astype(np.uint16) if 2 * right_from < 2**16 else neighbours, kind="stable")
    sorted_neighbours = neighbours.take(order)
    starts = np.append(0, np.flatnonzero(sorted_neighbours[1:] != sorted_neighbours[:-1]) + 1)
    sums = np.add.reduceat(np.concatenate([weights, weights]).take(order), starts).tolist()
    positions = np.concatenate([before, at])
    ends = [*starts[1:].tolist(), len(order)]
    for neighbour, count, start, end in zip(
        sorted_neighbours.take(starts).tolist(), sums, starts.tolist(), ends, strict=True
    ):
        on_left = neighbour < right_from
        other = neighbour - 1 if on_left else neighbour - 1 - right_from
        if other == WALL or (other == token_id and not on_left):
            continue
        if on_left:
            born, lost = pair_key(other, token_id), pair_key(pair.right if other == token_id else other, pair.left)
        else:
            born, lost = pair_key(token_id, other), pair_key(pair.right, other)
        queue.lower(lost, count)
        if count >= queue.threshold:
            queue.add(Born(born, count, positions.take(order[start:end])))


# --- few places: Python ---------------------------------------------------------------


def _merge_few(tokens: LinkedTokens, queue: PairQueue, pair: Chosen, token_id: int) -> int:
    token_at, weight_at = tokens.token_at, tokens.weight_at
    born: dict[int, list[int]] = {}
    born_counts: dict[int, int] = {}
    replaced = 0
    for position, before, after in _joined_few(tokens, pair, token_id):
        weight = weight_at[position]
        replaced += weight
        other = token_at[before]
        if other != WALL:
            queue.lower(pair_key(pair.right if other == token_id else other, pair.left), weight)
            key = pair_key(other, token_id)
            born_counts[key] = born_counts.get(key, 0) + weight
            born.setdefault(key, []).append(before)
        other = token_at[after]
        if other not in (WALL, token_id):
            queue.lower(pair_key(pair.right, other), weight)
            key = pair_key(token_id, other)
            born_counts[key] = born_counts.get(key, 0) + weight
            born.setdefault(key, []).append(position)
    for key, count in born_counts.items():
        if count >= queue.threshold:
            queue.add(Born(key, count, born[key]))
    return replaced


def _joined_few(tokens: LinkedTokens, pair: Chosen, token_id: int) -> list[tuple[int, int, int]]:
    """Join the pair; return for each new token its position and those of its neighbours, once all are joined."""
    token_at, following, previous = tokens.token_at, tokens.following_at, tokens.previous_at
    places = pair.positions if isinstance(pair.positions, list) else pair.positions.tolist()
    joined = []
    for position in sorted(places) if pair.left == pair.right else places:
        partner = following[position]
        if token_at[position] == pair.left and token_at[partner] == pair.right:
            after = following[partner]
            token_at[position], token_at[partner] = token_id, GONE
            following[position], previous[after] = after, position
            joined.append(position)
    return [(position, previous[position], following[position]) for position in joined]
