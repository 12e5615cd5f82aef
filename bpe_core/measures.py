"""How well a vocabulary does on a text. Every measure belongs to a named text."""

from __future__ import annotations

import numpy as np

from bpe_core.chunks import ChunkCounts
from bpe_core.tokenizer import Tokenizer


def token_histogram(tokenizer: Tokenizer, chunk_counts: ChunkCounts) -> np.ndarray:
    """Return how often each symbol (0–255 a byte, 256 + rank a merge) is a token of the text (int64).

    Raises BpeError if the tokenizer has no prefixes.
    """
    symbols, offsets = tokenizer.encode_distinct(chunk_counts)
    histogram = np.zeros(256 + tokenizer.num_merges, np.int64)
    np.add.at(histogram, symbols, np.repeat(chunk_counts.counts, np.diff(offsets)))
    return histogram


def made_by_merges(tokenizer: Tokenizer, histogram: np.ndarray) -> np.ndarray:
    """Return how often each merge fires while a text is encoded, from the histogram of its final tokens.

    Every token is final or inside a bigger one, so from the last merge to the first
    what was made of each token is added to its two parts.
    """
    made = histogram.tolist()
    left, right = tokenizer.symbols_of_ids[tokenizer.pairs].T.tolist()
    for rank in range(len(left) - 1, -1, -1):
        times = made[256 + rank]
        made[left[rank]] += times
        made[right[rank]] += times
    return np.array(made[256:], np.int64)


def token_totals(tokenizer: Tokenizer, chunk_counts: ChunkCounts) -> np.ndarray:
    """Return the tokens of a text after 0, 1, … n merges (int64), from one encoding.

    >>> token_totals(Tokenizer.from_merges([(97, 98), (256, 99)]), ChunkCounts.from_counts({b"abc": 2, b"ab": 1}))
    array([8, 5, 3])

    Raises BpeError if the tokenizer has no prefixes.
    """
    made = made_by_merges(tokenizer, token_histogram(tokenizer, chunk_counts))
    return chunk_counts.num_bytes - np.concatenate([[0], np.cumsum(made)])


def bytes_per_token(num_bytes: int, num_tokens: int) -> float | None:
    """Return UTF-8 bytes ÷ tokens; None for a text without tokens, where it is undefined.

    >>> bytes_per_token(12, 4), bytes_per_token(0, 0)
    (3.0, None)
    """
    return num_bytes / num_tokens if num_tokens else None


def characters_per_token(num_characters: int, num_tokens: int) -> float | None:
    """Return code points ÷ tokens; None for a text without tokens, where it is undefined.

    >>> characters_per_token(6, 4)
    1.5
    """
    return num_characters / num_tokens if num_tokens else None
