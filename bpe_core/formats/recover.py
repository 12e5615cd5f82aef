"""Ranks of tokens -> the merges that give the same ids.

A rank file says: of all neighbouring pairs whose joined bytes are a token, join the one of
the lowest rank. Where a token's bytes are tiled by two tokens, everything inside happened
as it would in those bytes alone, so it is one pair, always the same, that makes the token:
the two parts that the rule leaves last in the token's own bytes. One merge for each token
therefore gives exactly the ids of the rule. A token that the rule does not make from its
own bytes is reached only as a whole chunk.
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from bpe_core.encoding.one_chunk import encode_symbols
from bpe_core.errors import BpeError

MAX_TOTAL_BYTES = 8 * 2**20
"""The bytes of all tokens together, above which no merges are recovered. Published tables have about 1.5 MB."""
_MAX_SLOW_BYTES = 2**20
_MAX_TRIED = 64  # bytes of a token whose every cut is tried

Pair = tuple[int, int]


class Recovered(NamedTuple):
    """`merges`: (left id, right id, token id), lowest rank first; `lone`: tokens that no merge makes."""

    merges: list[tuple[int, int, int]]
    lone: dict[bytes, int]


def recover_merges(ranks: Mapping[bytes, int]) -> Recovered:
    """Return the merges of a table of ranks; a token's rank is its id. All 256 single bytes must be in it.

    >>> ranks = {bytes([byte]): byte for byte in range(256)} | {b"bc": 256, b"ab": 257, b"abc": 258}
    >>> recover_merges(ranks).merges
    [(98, 99, 256), (97, 98, 257), (97, 256, 258)]

    Raises BpeError if the tokens are too long for it.
    """
    if sum(map(len, ranks)) > MAX_TOTAL_BYTES:
        raise BpeError(f"The tokens have more than {MAX_TOTAL_BYTES // 2**20} MB together; that is no vocabulary.")
    byte_ids = [ranks[bytes([byte])] for byte in range(256)]
    known = {bytes([byte]): token_id for byte, token_id in enumerate(byte_ids)}  # tokens made of earlier ones only
    parts_of: dict[int, Pair | None] = dict.fromkeys(byte_ids)
    rules: dict[Pair, tuple[int, int]] = {}
    merges, lone, slow_bytes = [], {}, 0
    for token, token_id in sorted(ranks.items(), key=lambda item: item[1]):
        if len(token) < 2:
            continue
        pair = _known_pair(token, known, parts_of, rules)
        parts = pair or encode_symbols([byte_ids[byte] for byte in token], rules)
        if len(parts) == 2:
            if parts[0] in parts_of and parts[1] in parts_of:
                known[token], parts_of[token_id] = token_id, tuple(parts)
        else:  # some part has a higher rank than the whole
            slow_bytes += len(token)
            if slow_bytes > _MAX_SLOW_BYTES:
                raise BpeError("Too many tokens are made of tokens with higher ranks; that is no vocabulary of BPE.")
            parts = last_parts(token, ranks)
        if len(parts) != 2:
            lone[token] = token_id
            continue
        merges.append((*parts, token_id))
        rules[tuple(parts)] = token_id, token_id
    return Recovered(merges, lone)


def _known_pair(
    token: bytes, known: Mapping[bytes, int], parts_of: Mapping[int, Pair | None], rules: Mapping[Pair, tuple[int, int]]
) -> Pair | None:
    """The pair of earlier tokens that the rule leaves of `token`; None if trying the cuts does not tell."""
    if len(token) > _MAX_TRIED:
        return None
    for cut in range(1, len(token)):
        left = known.get(token[:cut])
        if left is not None:
            right = known.get(token[cut:])
            if right is not None and _stay_apart(left, right, parts_of, rules):
                return left, right
    return None


def _stay_apart(
    left: int, right: int, parts_of: Mapping[int, Pair | None], rules: Mapping[Pair, tuple[int, int]]
) -> bool:
    """Whether no rule ever joins across the edge between two tokens while they are made.

    Unmakes both, the last merge first. `before` is the rank of the merge just unmade: a pair that then stood
    at the edge would have been joined if its rank is lower; of equal ranks the left place comes first.
    """
    before = 2**62
    while True:
        joined = rules.get((left, right))
        if joined is not None and joined[0] < before:
            return False
        inside_left, inside_right = parts_of[left], parts_of[right]
        if inside_left is None and inside_right is None:
            return True
        if inside_right is None or (inside_left is not None and left > right):
            before, left = left, inside_left[1]
        else:
            before, right = right + 1, inside_right[0]


def last_parts(token: bytes, ranks: Mapping[bytes, int]) -> list[int]:
    """Return the ids of what the rule leaves of `token` before it would join all of it.

    Works on the bytes themselves with every token of the table: the rule as a rank file means it.
    """
    ends = list(range(1, len(token) + 1))
    previous = list(range(-1, len(token) - 1))
    gone = bytearray(len(token))

    def pair_at(start: int) -> tuple[int, int, int, int] | None:
        """(rank, start, middle, end) of the pair that begins at `start`, if it is a token and not the whole."""
        middle = ends[start]
        if middle == len(token) or (end := ends[middle]) - start == len(token):
            return None
        rank = ranks.get(token[start:end])
        return None if rank is None else (rank, start, middle, end)

    heap = [found for start in range(len(token)) if (found := pair_at(start))]
    heapify(heap)
    while heap:
        _, start, middle, end = heappop(heap)
        if gone[start] or gone[middle] or ends[start] != middle or ends[middle] != end:
            continue
        gone[middle], ends[start] = 1, end
        if end < len(token):
            previous[end] = start
        for place in (previous[start], start):
            if place >= 0 and (found := pair_at(place)):
                heappush(heap, found)
    return [ranks[token[start : ends[start]]] for start in range(len(token)) if not gone[start]]
