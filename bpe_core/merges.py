"""Merge: a rule that joins two tokens into one; and what a list of merges makes of single bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from bpe_core.errors import BpeError

MAX_VOCABULARY_BYTES = 2**28
"""The bytes of all tokens together: forty merges that join a token with itself would fill any memory."""


class Merge(NamedTuple):
    """A rule: `pair` of ids becomes `token_id`; a lower `rank` is applied first."""

    rank: int
    pair: tuple[int, int]
    token_id: int


def with_made_tokens(tokens: Mapping[int, bytes], merges: Iterable[Merge]) -> dict[int, bytes]:
    """Return `tokens` and all that `merges` make of them, by id; a part may be made by a later merge.

    >>> with_made_tokens({97: b"a", 98: b"b"}, [Merge(0, (97, 256), 257), Merge(1, (97, 98), 256)])[257]
    b'aab'

    Raises BpeError if a part is no token, or if all tokens would fill more than MAX_VOCABULARY_BYTES.
    """
    found, num_bytes = dict(tokens), 0
    waiting: dict[int, list[Merge]] = {}  # merges by the part that is no token yet
    for merge in merges:
        ready = [merge]
        while ready:
            _, (left, right), token_id = made = ready.pop()
            if left not in found or right not in found:
                waiting.setdefault(right if left in found else left, []).append(made)
            elif token_id not in found:
                num_bytes += len(found[left]) + len(found[right])
                if num_bytes > MAX_VOCABULARY_BYTES:
                    raise BpeError(f"The tokens of the first {merge.rank:,} merges fill {num_bytes:,} bytes; too much.")
                found[token_id] = found[left] + found[right]
                ready += waiting.pop(token_id, ())
    if waiting:
        merge = min(min(merges) for merges in waiting.values())
        raise BpeError(f"Merge {merge.rank} joins {merge.pair}, but one part is no token.")
    return found
