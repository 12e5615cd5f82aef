"""cut(), cut_text() and cut_all(): any order, on one chunk, one text or every distinct chunk of a text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import numpy as np

from bpe_core.chunks import ChunkCounts, check_text
from bpe_core.errors import BpeError
from bpe_core.gaps import NEVER
from bpe_core.merges import Merge
from bpe_core.orders import plain
from bpe_core.orders.cuts import Cuts
from bpe_core.orders.randomness import draws, stream_keys
from bpe_core.orders.rounds import dropout_ends, reversed_priority_ends
from bpe_core.orders.sweeps import (
    fewest_tokens_ends,
    leftmost_pair_ends,
    longest_match_ends,
    longest_match_from_the_end_ends,
    reversed_pass_ends,
)
from bpe_core.orders.tables import pair_table, symbol_rules, token_trie
from bpe_core.tokenizer import Tokenizer

ORDERS = (
    "rank",
    "longest match",
    "longest match from the end",
    "reversed priority",
    "reversed pass",
    "leftmost pair",
    "fewest tokens",
    "dropout",
)
"""The ways to cut, as `cut` names them."""

NEED_MERGES = frozenset({"reversed priority", "reversed pass", "leftmost pair", "dropout"})
"""The orders that need a vocabulary whose prefixes are vocabularies (`Tokenizer.why_no_prefixes` is None)."""

USUAL_P = 0.1
"""The dropout that its authors use (Provilkov et al. 2020)."""

_PLAIN_BELOW = 200  # bytes of a chunk; the plain cutters are faster below it, the fast ones far faster above
_BLOCK = 1 << 20  # bytes of distinct chunks cut at once, which bounds the memory

OnProgress = Callable[[int, int], bool | None]
"""Called as on_progress(bytes done, bytes in all); a true answer stops the work."""


def cut(
    tokenizer: Tokenizer, chunk: bytes, order: str, *, p: float | None = None, seed: int | None = None
) -> list[bytes]:
    """Return the tokens of one chunk under `order`, left to right; joined they are the chunk.

    Dropout alone reads `p` (0.1 if None) and `seed` (0 if None); the same chunk,
    seed and p always give the same cut.

    >>> tokenizer = Tokenizer.from_merges([(98, 99), (97, 98)], "none")
    >>> cut(tokenizer, b"abc", "rank"), cut(tokenizer, b"abc", "longest match")
    ([b'a', b'bc'], [b'ab', b'c'])

    Raises BpeError for an unknown order, a `p` outside 0 to 1, or an order that this vocabulary cannot have.
    """
    p, seed = check_order(tokenizer, order, p, seed)
    if not chunk:
        return []
    if len(chunk) >= _PLAIN_BELOW:
        return cut_all(tokenizer, ChunkCounts.from_counts({chunk: 1}), order, p=p, seed=seed).tokens(0)
    if order in ("longest match", "longest match from the end", "fewest tokens"):
        return _PLAIN_MATCHING[order](chunk, tokenizer.ids_of_tokens, _longest_token(tokenizer))
    return list(map(tokenizer.vocabulary.__getitem__, _cut_ids(tokenizer, chunk, order, p, seed)))


def cut_text(
    tokenizer: Tokenizer, text: str, order: str, *, p: float | None = None, seed: int | None = None
) -> list[list[bytes]]:
    """Return the tokens of each chunk of `text`, chunk by chunk, under `order`.

    >>> cut_text(Tokenizer.from_merges([(98, 99)], "gpt2"), "abc d", "leftmost pair")
    [[b'a', b'bc'], [b' ', b'd']]

    Raises BpeError as `cut` does, and for a lone surrogate.
    """
    check_text(text)
    known: dict[bytes, list[bytes]] = {}
    chunks = tokenizer.chunks(text)
    check_order(tokenizer, order, p, seed)
    for chunk in chunks:
        if chunk not in known:
            known[chunk] = cut(tokenizer, chunk, order, p=p, seed=seed)
    return [known[chunk] for chunk in chunks]


def cut_all(
    tokenizer: Tokenizer,
    chunk_counts: ChunkCounts,
    order: str,
    *,
    p: float | None = None,
    seed: int | None = None,
    on_progress: OnProgress | None = None,
) -> Cuts | None:
    """Return the cut of every distinct chunk under `order`; None if `on_progress` said stop.

    >>> counts = ChunkCounts.from_counts({b"abc": 3, b"bc": 1})
    >>> cut_all(Tokenizer.from_merges([(98, 99), (97, 98)]), counts, "longest match").num_tokens
    7

    Raises BpeError as `cut` does.
    """
    p, seed = check_order(tokenizer, order, p, seed)
    ends = np.ones(len(chunk_counts.data), bool)
    done = 0
    for block in _blocks(chunk_counts):
        ends[done : done + len(block.data)] = _ends(tokenizer, block, order, p, seed)
        done += len(block.data)
        if on_progress and on_progress(done, len(ends)):
            return None
    return Cuts(order, chunk_counts, ends)


def check_order(tokenizer: Tokenizer, order: str, p: float | None, seed: int | None) -> tuple[float, int]:
    """Return (p, seed) with their defaults filled in.

    Raises BpeError for what `cut` refuses.
    """
    if order not in ORDERS:
        raise BpeError(f"There is no order called {order!r}. Choose one of {', '.join(ORDERS)}.")
    p = USUAL_P if p is None else p
    if isinstance(p, bool) or not isinstance(p, int | float) or not 0 <= p <= 1:
        raise BpeError(f"Dropout p is {p!r}, but it is a probability. Give a number from 0 to 1.")
    seed = 0 if seed is None else seed
    if not isinstance(seed, int):
        raise BpeError(f"The seed is {seed!r}. Give a whole number.")
    if order in NEED_MERGES and tokenizer.why_no_prefixes:
        raise BpeError(f"The order {order!r} cannot run on this vocabulary, because {tokenizer.why_no_prefixes}.")
    return p, seed


# --- one chunk, by the plain cutters --------------------------------------------------

_PLAIN_MATCHING = {
    "longest match": plain.longest_match,
    "longest match from the end": plain.longest_match_from_the_end,
    "fewest tokens": plain.fewest_tokens,
}


def _cut_ids(tokenizer: Tokenizer, chunk: bytes, order: str, p: float, seed: int) -> list[int]:
    if order == "rank":
        return tokenizer.encode_chunk(chunk)
    ids = tokenizer.byte_ids[np.frombuffer(chunk, np.uint8)].tolist()
    if order == "reversed pass":
        present = {pair: _byte_merges(tokenizer).get(pair) for pair in pairwise(ids)}
        return plain.reversed_pass(ids, filter(None, present.values()))
    if order == "reversed priority":
        return plain.reversed_priority(ids, tokenizer.rules)
    if order == "leftmost pair":
        return plain.leftmost_pair(ids, tokenizer.rules)
    return plain.dropout(ids, tokenizer.rules, chunk_dropper(chunk, p, seed))


def chunk_dropper(chunk: bytes, p: float, seed: int) -> Callable[[int, int], bool]:
    """Return is_dropped(step, gap) for one chunk: draw number step × bytes + gap of its stream, below p."""
    key = stream_keys(seed, [chunk])
    return lambda step, gap: bool(draws(key, np.array([step * len(chunk) + gap]))[0] < p)


@lru_cache(16)
def _byte_merges(tokenizer: Tokenizer) -> dict[tuple[int, int], Merge]:
    """The merges of two single bytes; no others can match in a reversed pass, and of equal pairs the last is first."""
    single = set(tokenizer.byte_ids.tolist())
    return {merge.pair: merge for merge in tokenizer.merges if single.issuperset(merge.pair)}


@lru_cache(16)
def _longest_token(tokenizer: Tokenizer) -> int:
    return max(map(len, tokenizer.ids_of_tokens))


# --- all chunks, by the fast cutters ---------------------------------------------------


def _ends(tokenizer: Tokenizer, block: ChunkCounts, order: str, p: float, seed: int) -> np.ndarray:
    """Where tokens end in the bytes of one block."""
    data, offsets = block.data, block.offsets
    if order == "rank":
        return _rank_ends(tokenizer, block)
    if order == "longest match":
        return longest_match_ends(data, offsets, token_trie(tokenizer))
    if order == "longest match from the end":
        return longest_match_from_the_end_ends(data, offsets, token_trie(tokenizer))
    if order == "fewest tokens":
        return fewest_tokens_ends(data, offsets, token_trie(tokenizer))
    if order == "reversed pass":
        return reversed_pass_ends(data, offsets, tokenizer.symbols_of_ids[tokenizer.pairs])
    if order == "reversed priority":
        return reversed_priority_ends(data, offsets, pair_table(tokenizer), symbol_rules(tokenizer))
    if order == "leftmost pair":
        return leftmost_pair_ends(data, offsets, symbol_rules(tokenizer))
    return dropout_ends(data, offsets, pair_table(tokenizer), p, seed)


def _rank_ends(tokenizer: Tokenizer, block: ChunkCounts) -> np.ndarray:
    """From the gap ranks, or, for a vocabulary that has none, from the ids."""
    if not tokenizer.why_no_prefixes:
        return np.append(tokenizer.chunk_gap_ranks(block) >= NEVER, True)
    vocabulary, lengths = tokenizer.vocabulary, []
    for chunk in block:
        lengths += [len(vocabulary[token_id]) for token_id in tokenizer.encode_chunk(chunk)]
    ends = np.zeros(len(block.data), bool)
    ends[np.cumsum(lengths) - 1] = True
    return ends


def _blocks(chunk_counts: ChunkCounts) -> Iterator[ChunkCounts]:
    """The distinct chunks in blocks of about `_BLOCK` bytes; no chunk is split."""
    offsets, first = chunk_counts.offsets, 0
    while first < len(chunk_counts):
        after = max(first + 1, int(np.searchsorted(offsets, offsets[first] + _BLOCK, "right")) - 1)
        start, end = int(offsets[first]), int(offsets[after])
        yield replace(
            chunk_counts,
            data=chunk_counts.data[start:end],
            offsets=offsets[first : after + 1] - start,
            counts=chunk_counts.counts[first:after],
        )
        first = after
