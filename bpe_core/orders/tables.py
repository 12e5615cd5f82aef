"""What the fast cutters look up in a vocabulary: the rank of a pair, and the tokens that begin at a byte.

Symbols, not ids: 0–255 a byte, 256 + rank a merge.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from bpe_core.tokenizer import Tokenizer

_REMEMBERED = 16  # vocabularies whose tables are kept


class PairTable(NamedTuple):
    """The rules as sorted keys: `left * width + right`, and the rank of each."""

    keys: np.ndarray
    ranks: np.ndarray
    width: int

    def ranks_of(self, lefts: np.ndarray, rights: np.ndarray) -> np.ndarray:
        """Return the rank of each pair, -1 where it is no rule."""
        if not len(self.keys):
            return np.full(len(lefts), -1, np.int64)
        wanted = lefts * self.width + rights
        places = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return np.where(self.keys[places] == wanted, self.ranks[places], -1)


class TokenTrie(NamedTuple):
    """The tokens as a tree of bytes: 0 is the root, node i + 1 hangs at sorted key `keys[i]` = parent * 256 + byte."""

    keys: np.ndarray
    is_token: np.ndarray

    def matches(self, data: np.ndarray, ends: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
        """Yield each length with the starts of the tokens of that many bytes in `data`, shortest first.

        `ends[i]` is where the chunk of byte i ends: no match goes past it.
        """
        starts, nodes, length = np.arange(len(data)), np.zeros(len(data), np.int64), 0
        while len(starts):
            wanted = nodes * 256 + data[starts + length]
            places = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
            found = self.keys[places] == wanted
            starts, nodes = starts[found], places[found] + 1
            length += 1
            yield length, starts[self.is_token[nodes]]
            inside = starts + length < ends[starts]
            starts, nodes = starts[inside], nodes[inside]


@lru_cache(_REMEMBERED)
def pair_table(tokenizer: Tokenizer) -> PairTable:
    """Return the rules of a nested vocabulary as a table; of equal pairs the first counts."""
    width = 256 + tokenizer.num_merges
    pairs = tokenizer.symbols_of_ids[tokenizer.pairs].astype(np.int64)
    keys, ranks = np.unique(pairs[:, 0] * width + pairs[:, 1], return_index=True)
    return PairTable(keys, ranks, width)


@lru_cache(_REMEMBERED)
def symbol_rules(tokenizer: Tokenizer) -> dict[tuple[int, int], int]:
    """Return the symbol that each pair of symbols becomes."""
    found: dict[tuple[int, int], int] = {}
    for rank, (left, right) in enumerate(tokenizer.symbols_of_ids[tokenizer.pairs].tolist()):
        found.setdefault((left, right), 256 + rank)
    return found


@lru_cache(_REMEMBERED)
def token_trie(tokenizer: Tokenizer) -> TokenTrie:
    """Return the trie of all tokens that are not specials, built one byte deeper at a time."""
    tokens = sorted(tokenizer.ids_of_tokens, key=len)
    data = np.frombuffer(b"".join(tokens), np.uint8)
    lengths = np.array([len(token) for token in tokens])
    starts = np.cumsum(lengths) - lengths
    nodes, num_nodes, depth = np.zeros(len(tokens), np.int64), 1, 0
    keys, ending = [], []
    while len(starts):
        level, branch = np.unique(nodes * 256 + data[starts + depth], return_inverse=True)
        nodes = num_nodes + branch
        num_nodes += len(level)
        depth += 1
        keys.append(level)
        longer = int(np.searchsorted(lengths, depth, "right"))
        ending.append(nodes[:longer])
        starts, lengths, nodes = starts[longer:], lengths[longer:], nodes[longer:]
    is_token = np.zeros(num_nodes, bool)
    is_token[np.concatenate(ending)] = True
    return TokenTrie(np.concatenate(keys), is_token)
