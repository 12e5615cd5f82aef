"""How one chunk is cut by the whole merge list, merge by merge, those that match nothing included."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from bpe_core.gaps import totals_by_size
from bpe_core.orders.cutting import check_order
from bpe_core.orders.steps import check_chunk
from bpe_core.reference import join
from bpe_core.tokenizer import Tokenizer


class ReplayStep(NamedTuple):
    """One merge of the list in a replay: how often it matched (0: it was skipped), and the tokens left then."""

    rank: int
    left: bytes
    right: bytes
    matches: int
    tokens_left: int


def replay_steps(tokenizer: Tokenizer, chunk: bytes, *, backwards: bool = False) -> list[ReplayStep]:
    """Return every merge of the list in turn, with how often it matched in `chunk`; from last to first if `backwards`.

    >>> tokenizer = Tokenizer.from_merges([(98, 99), (97, 98), (97, 256)], "none")
    >>> [(step.rank, step.matches, step.tokens_left) for step in replay_steps(tokenizer, b"abc")]
    [(0, 1, 2), (1, 0, 2), (2, 1, 1)]
    >>> [(step.rank, step.matches) for step in replay_steps(tokenizer, b"abc", backwards=True)]
    [(2, 0), (1, 1), (0, 0)]

    Raises BpeError for an empty chunk, or a vocabulary that has no prefixes.
    """
    check_order(tokenizer, "reversed pass", None, None)
    check_chunk(chunk)
    totals = _totals_backwards(tokenizer, chunk) if backwards else _totals_forwards(tokenizer, chunk)
    merges = tokenizer.merges[::-1] if backwards else tokenizer.merges
    vocabulary = tokenizer.vocabulary
    return [
        ReplayStep(merge.rank, vocabulary[merge.pair[0]], vocabulary[merge.pair[1]], before - after, after)
        for merge, (before, after) in zip(merges, pairwise(totals), strict=True)
    ]


def _totals_forwards(tokenizer: Tokenizer, chunk: bytes) -> list[int]:
    return totals_by_size(tokenizer.gap_ranks_of_chunks([chunk]), tokenizer.num_merges).tolist()


def _totals_backwards(tokenizer: Tokenizer, chunk: bytes) -> list[int]:
    """Only merges of two single bytes can match, so only those need a look."""
    ids, totals = tokenizer.byte_ids[np.frombuffer(chunk, np.uint8)].tolist(), [len(chunk)]
    single = set(tokenizer.byte_ids.tolist())
    for merge in tokenizer.merges[::-1]:
        if single.issuperset(merge.pair):
            ids = join(ids, merge.pair, merge.token_id)
        totals.append(len(ids))
    return totals
