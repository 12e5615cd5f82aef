"""What the fast cutters look up in a vocabulary: the rank of a pair, and the tokens that begin at a byte.

Symbols, not ids: 0–255 a byte, 256 + rank a merge.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from bpe_core.encoding.pair_table import PairTable
from bpe_core.tokenizer import Tokenizer

_REMEMBERED = 16  # vocabularies whose tables are kept
_DEEPEST = 48  # bytes; almost no token of a real text is longer


class TokenTrie(NamedTuple):
    """The tokens as a tree of bytes: 0 is the root, node i + 1 hangs at sorted key `keys[i]` = parent * 256 + byte.

    It is `_DEEPEST` bytes deep; `longer` holds the longer tokens by the node of their
    first bytes, shortest first, so that a token of a thousand equal bytes costs one comparison.
    """

    keys: np.ndarray
    is_token: np.ndarray
    longer: dict[int, list[bytes]]

    def matches(self, data: np.ndarray, ends: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
        """Yield each length with the starts of the tokens of that many bytes in `data`, shortest first.

        `ends[i]` is where the chunk of byte i ends: no match goes past it.
        """
        starts, nodes, length = np.arange(len(data)), np.zeros(len(data), np.int64), 0
        while len(starts) and length < _DEEPEST:
            wanted = nodes * 256 + data[starts + length]
            places = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
            found = self.keys[places] == wanted
            starts, nodes = starts[found], places[found] + 1
            length += 1
            yield length, starts[self.is_token[nodes]]
            inside = starts + length < ends[starts]
            starts, nodes = starts[inside], nodes[inside]
        yield from self._longer_matches(data, ends, starts.tolist(), nodes.tolist())

    def _longer_matches(
        self, data: np.ndarray, ends: np.ndarray, starts: list[int], nodes: list[int]
    ) -> Iterator[tuple[int, np.ndarray]]:
        """The same for tokens beyond the tree, whose first bytes are known to stand at `starts`."""
        content, found = data.tobytes() if starts else b"", defaultdict(list)
        for start, node in zip(starts, nodes, strict=True):
            for token in self.longer.get(node, ()):
                if content.startswith(token, start, int(ends[start])):
                    found[len(token)].append(start)
        for length in sorted(found):
            yield length, np.array(found[length])


@lru_cache(_REMEMBERED)
def pair_table(tokenizer: Tokenizer) -> PairTable:
    """Return the ranks of all pairs of symbols of a nested vocabulary."""
    return PairTable(tokenizer.symbols_of_ids[tokenizer.pairs])


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
    while len(starts) and depth < _DEEPEST:
        level, branch = np.unique(nodes * 256 + data[starts + depth], return_inverse=True)
        nodes = num_nodes + branch
        num_nodes += len(level)
        depth += 1
        keys.append(level)
        ended = int(np.searchsorted(lengths, depth, "right"))
        ending.append(nodes[:ended])
        starts, lengths, nodes = starts[ended:], lengths[ended:], nodes[ended:]
    is_token = np.zeros(num_nodes, bool)
    is_token[np.concatenate(ending)] = True
    longer: dict[int, list[bytes]] = defaultdict(list)
    for node, token in zip(nodes.tolist(), tokens[len(tokens) - len(nodes) :], strict=True):
        longer[node].append(token)
    return TokenTrie(np.concatenate(keys), is_token, dict(longer))
