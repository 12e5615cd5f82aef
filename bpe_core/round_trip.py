"""Whether a text comes back byte for byte: each distinct chunk is encoded, and its tokens are put together again."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bpe_core.chunks import ChunkCounts
from bpe_core.tokenizer import Tokenizer


class RoundTrip(NamedTuple):
    """What came of it: distinct chunks tried, those that came back changed, and the tokens of the whole text."""

    num_chunks: int
    num_changed: int
    num_tokens: int

    @property
    def holds(self) -> bool:
        """Whether every chunk came back."""
        return not self.num_changed


def round_trip(tokenizer: Tokenizer, chunk_counts: ChunkCounts) -> RoundTrip:
    """Return what comes of encoding and decoding each distinct chunk of a text.

    >>> round_trip(Tokenizer.from_merges([(97, 98)], "none"), ChunkCounts.from_counts({b"abc": 2, b"ab": 1}))
    RoundTrip(num_chunks=2, num_changed=0, num_tokens=5)

    Raises BpeError if the tokenizer has no prefixes.
    """
    symbols, begins = tokenizer.encode_distinct(chunk_counts)
    ids = np.concatenate([tokenizer.byte_ids, tokenizer.token_ids])[symbols].tolist()
    vocabulary = tokenizer.vocabulary
    changed = 0
    for number, chunk in enumerate(chunk_counts):
        spelled = b"".join([vocabulary[token_id] for token_id in ids[begins[number] : begins[number + 1]]])
        changed += spelled != chunk
    return RoundTrip(len(chunk_counts), changed, int(np.diff(begins) @ chunk_counts.counts))
