"""How one chunk is cut at every vocabulary size: when a word becomes one token."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bpe_core.gaps import NEVER, token_lengths
from bpe_core.tokenizer import Tokenizer


class CutChange(NamedTuple):
    """From `num_merges` merges on, the chunk is cut into these tokens (until the next change)."""

    num_merges: int
    tokens: tuple[bytes, ...]


def cut_history(tokenizer: Tokenizer, chunk: bytes) -> list[CutChange]:
    """Return each way in which `chunk` is cut as merges are added, from single bytes on.

    >>> [change.tokens for change in cut_history(Tokenizer.from_merges([(97, 98), (256, 99)]), b"abc")]
    [(b'a', b'b', b'c'), (b'ab', b'c'), (b'abc',)]

    Raises BpeError if the tokenizer has no prefixes.
    """
    gap_ranks = tokenizer.gap_ranks_of_chunks([chunk])
    closing = np.unique(gap_ranks[gap_ranks < NEVER]).tolist()
    return [CutChange(k, _tokens(chunk, gap_ranks, k)) for k in [0, *(rank + 1 for rank in closing)]]


def whole_from(tokenizer: Tokenizer, chunk: bytes) -> int | None:
    """Return the number of merges from which `chunk` is one token; None if it never is.

    >>> whole_from(Tokenizer.from_merges([(97, 98), (256, 99)]), b"abc")
    2
    """
    change = cut_history(tokenizer, chunk)[-1]
    return change.num_merges if len(change.tokens) == 1 else None


def _tokens(chunk: bytes, gap_ranks: np.ndarray, k: int) -> tuple[bytes, ...]:
    ends = np.cumsum(token_lengths(gap_ranks, k)).tolist()
    return tuple(chunk[start:end] for start, end in zip([0, *ends], ends, strict=False))
