"""Each way to cut one chunk, written to be read; `orders.cut_all` must give the same, fast.

`ids` are the ids of the chunk's bytes. `rules` gives for a pair of ids its rank and
the id it becomes. `tokens` are the byte strings of the vocabulary. Rank order itself
is `encoding.one_chunk`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from itertools import pairwise

from bpe_core.encoding.one_chunk import Rules
from bpe_core.merges import Merge
from bpe_core.reference import join


def longest_match(chunk: bytes, tokens: Container[bytes], longest: int) -> list[bytes]:
    """Return `chunk` cut left to right into the longest token that fits; no token has more than `longest` bytes.

    So WordPiece cuts a word (Song et al. 2021), there with a mark for "inside a word".

    >>> longest_match(b"abc", {b"a", b"b", b"c", b"ab", b"bc"}, 2)
    [b'ab', b'c']
    """
    cut, start = [], 0
    while start < len(chunk):
        end = min(len(chunk), start + longest)
        while chunk[start:end] not in tokens:
            end -= 1
        cut.append(chunk[start:end])
        start = end
    return cut


def longest_match_from_the_end(chunk: bytes, tokens: Container[bytes], longest: int) -> list[bytes]:
    """Return `chunk` cut right to left into the longest token that fits: "longest suffix" of Uzan et al. 2024.

    >>> longest_match_from_the_end(b"abc", {b"a", b"b", b"c", b"ab", b"bc"}, 2)
    [b'a', b'bc']
    """
    cut, end = [], len(chunk)
    while end:
        start = max(0, end - longest)
        while chunk[start:end] not in tokens:
            start += 1
        cut.append(chunk[start:end])
        end = start
    return cut[::-1]


def fewest_tokens(chunk: bytes, tokens: Container[bytes], longest: int) -> list[bytes]:
    """Return `chunk` in as few tokens as can be; of several such cuts the one whose first token is longest, and so on.

    PathPiece with its longest-token tie rule (Schmidt et al. 2024): dynamic programming from the end.

    >>> fewest_tokens(b"abcd", {b"a", b"b", b"c", b"d", b"ab", b"abc", b"bcd"}, 3)
    [b'abc', b'd']
    """
    best: list[list[bytes]] = [[] for _ in range(len(chunk) + 1)]
    for start in range(len(chunk) - 1, -1, -1):
        ends = range(min(len(chunk), start + longest), start, -1)
        fitting = [end for end in ends if chunk[start:end] in tokens]
        end = min(fitting, key=lambda end: len(best[end]))
        best[start] = [chunk[start:end], *best[end]]
    return best[0]


def reversed_priority(ids: Sequence[int], rules: Rules) -> list[int]:
    """Return `ids` joined in passes: of the pairs present take the highest rank, join it everywhere, look again.

    >>> reversed_priority([97, 98, 99], {(98, 99): (0, 256), (97, 98): (1, 257)})
    [257, 99]
    """
    while present := [(rules[pair], pair) for pair in pairwise(ids) if pair in rules]:
        (_, token_id), pair = max(present)
        ids = join(ids, pair, token_id)
    return list(ids)


def reversed_pass(ids: Sequence[int], merges: Iterable[Merge]) -> list[int]:
    """Return `ids` after one replay of the merge list from last to first.

    Only merges of two single bytes ever find their pair: bigger parts are made by
    merges whose turn comes later.

    >>> reversed_pass([97, 98, 99], [Merge(0, (98, 99), 256), Merge(1, (97, 98), 257)])
    [257, 99]
    """
    for merge in sorted(merges, reverse=True):
        ids = join(ids, merge.pair, merge.token_id)
    return list(ids)


def leftmost_pair(ids: Sequence[int], rules: Rules) -> list[int]:
    """Return `ids` joined, time and again, at the first pair from the left that is a rule: the classic wrong encoder.

    A public program had this fault (ztxz16/fastllm, pull request 715).

    >>> leftmost_pair([108, 111, 119], {(111, 119): (2, 256), (108, 111): (5, 257)})
    [257, 119]
    """
    ids = list(ids)
    while True:
        at = next((at for at, pair in enumerate(pairwise(ids)) if pair in rules), None)
        if at is None:
            return ids
        ids[at : at + 2] = [rules[ids[at], ids[at + 1]][1]]


def dropout(ids: Sequence[int], rules: Rules, is_dropped: Callable[[int, int], bool]) -> list[int]:
    """Return `ids` joined lowest rank first, where at each step every occurrence of a rule's pair may be dropped.

    `is_dropped(step, gap)` decides for the pair around a gap (gap g is between bytes
    g − 1 and g) at this step alone. The lowest rank that survives is joined where it
    survived. It ends when none survives, so an unlucky step ends it early
    (BPE-dropout, Provilkov et al. 2020, whose usual p is 0.1).

    >>> dropout([97, 98, 99], {(98, 99): (0, 256), (97, 98): (1, 257)}, lambda step, gap: gap == 2)
    [257, 99]
    """
    symbols = [(symbol, start) for start, symbol in enumerate(ids)]
    step = 0
    while True:
        survivors = [
            (*rules[left, right], at)
            for at, ((left, _), (right, gap)) in enumerate(pairwise(symbols))
            if (left, right) in rules and not is_dropped(step, gap)
        ]
        if not survivors:
            return [symbol for symbol, _ in symbols]
        rank, token_id, _ = min(survivors)
        symbols = _join_at(symbols, [at for found, _, at in survivors if found == rank], token_id)
        step += 1


def _join_at(symbols: list[tuple[int, int]], places: list[int], token_id: int) -> list[tuple[int, int]]:
    """`symbols` (id, start) joined with their right neighbour at `places`, left to right, none overlapping."""
    joined, position, wanted = [], 0, set(places)
    while position < len(symbols):
        if position in wanted:
            joined.append((token_id, symbols[position][1]))
            position += 2
        else:
            joined.append(symbols[position])
            position += 1
    return joined
