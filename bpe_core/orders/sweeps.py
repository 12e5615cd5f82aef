"""The orders that need one sweep over the text: longest match, fewest tokens, reversed pass, leftmost pair.

Every function takes distinct chunks laid side by side (`data`, `offsets`) and returns
a bool per byte: is it the last of a token? No token crosses a chunk's edge, so the
whole row of chunks can be swept as one.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from bpe_core.orders.tables import TokenTrie


def longest_match_ends(data: np.ndarray, offsets: np.ndarray, trie: TokenTrie) -> np.ndarray:
    """Return where tokens end when the longest that fits is taken from the left."""
    longest = np.zeros(len(data), np.int64)
    for length, starts in trie.matches(data, _chunk_ends(offsets)):
        longest[starts] = length
    return _ends_of_jumps(longest.tolist())


def longest_match_from_the_end_ends(data: np.ndarray, offsets: np.ndarray, trie: TokenTrie) -> np.ndarray:
    """Return where tokens end when the longest that fits is taken from the right."""
    longest = np.zeros(len(data), np.int64)
    for length, starts in trie.matches(data, _chunk_ends(offsets)):
        longest[starts + length - 1] = length
    lengths, ends, last = longest.tolist(), np.zeros(len(data), bool), len(data) - 1
    while last >= 0:
        ends[last] = True
        last -= lengths[last]
    return ends


def fewest_tokens_ends(data: np.ndarray, offsets: np.ndarray, trie: TokenTrie) -> np.ndarray:
    """Return where tokens end in the cut of fewest tokens; ties go to the longest first token."""
    found = list(trie.matches(data, _chunk_ends(offsets)))[::-1]
    starts = np.concatenate([starts for _, starts in found] or [np.empty(0, np.int64)])
    lengths = np.repeat([length for length, _ in found], [len(starts) for _, starts in found])
    by_start = np.argsort(starts, kind="stable")  # so the longest comes first
    choices = lengths[by_start].tolist()
    firsts = np.searchsorted(starts[by_start], np.arange(len(data) + 1)).tolist()
    fewest, best = [0] * (len(data) + 1), [1] * len(data)
    for start in range(len(data) - 1, -1, -1):
        low = len(data) + 1
        for length in choices[firsts[start] : firsts[start + 1]]:
            if fewest[start + length] < low:
                low, best[start] = fewest[start + length], length
        fewest[start] = low + 1
    return _ends_of_jumps(best)


def reversed_pass_ends(data: np.ndarray, offsets: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    """Return where tokens end after one replay of the merges (`pairs` of symbols) from last to first.

    Only pairs of single bytes can match: a bigger part is made by a merge that comes
    later in the replay. So every byte is joined at most once.
    """
    ranks = np.full(65_536, -1, np.int64)
    of_bytes = np.flatnonzero((pairs < 256).all(axis=1))
    ranks[pairs[of_bytes, 0] * 256 + pairs[of_bytes, 1]] = of_bytes  # of equal pairs the last is the first replayed
    at_gaps = ranks[data[:-1].astype(np.int64) * 256 + data[1:]]
    at_gaps[offsets[1:-1] - 1] = -1
    places = np.flatnonzero(at_gaps >= 0)
    places = places[np.argsort(-at_gaps[places], kind="stable")]
    free, ends = [True] * len(data), np.ones(len(data), bool)
    closed = []
    for place in places.tolist():
        if free[place] and free[place + 1]:
            free[place] = free[place + 1] = False
            closed.append(place)
    ends[closed] = False
    return ends


def leftmost_pair_ends(data: np.ndarray, offsets: np.ndarray, rules: Mapping[tuple[int, int], int]) -> np.ndarray:
    """Return where tokens end when the first pair from the left that is a rule is joined, time and again.

    Left of the place just joined nothing is a rule, so a stack is enough: join the new
    symbol to the one before for as long as that is a rule.
    """
    content, ends, token_starts = data.tobytes(), np.zeros(len(data), bool), []
    for start, end in pairwise(offsets.tolist()):
        symbols, starts = [], []
        for at in range(start, end):
            symbol, begins = content[at], at
            while symbols and (joined := rules.get((symbols[-1], symbol))) is not None:
                symbol, begins = joined, starts[-1]
                symbols.pop()
                starts.pop()
            symbols.append(symbol)
            starts.append(begins)
        token_starts += starts
    ends[np.array(token_starts, np.int64) - 1] = True  # where a token starts, the one before has ended (-1: the last)
    return ends


def _chunk_ends(offsets: np.ndarray) -> np.ndarray:
    """For each byte, where its chunk ends."""
    return np.repeat(offsets[1:], np.diff(offsets))


def _ends_of_jumps(lengths: list[int]) -> np.ndarray:
    """Follow tokens from the first byte, each `lengths[start]` long, and mark where they end."""
    ends, at = np.zeros(len(lengths), bool), 0
    last = []
    while at < len(lengths):
        at += lengths[at]
        last.append(at - 1)
    ends[last] = True
    return ends
