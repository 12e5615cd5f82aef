"""How many tokens any tokenizer makes of a text, imported ones included."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from bpe_core.chunks import count_chunks
from bpe_core.tokenizer import Tokenizer


def num_tokens(tokenizer: Tokenizer, documents: Iterable[str]) -> int:
    """Return the number of tokens of `documents`; text that spells a special is ordinary text.

    Each distinct chunk is encoded once, unless the tokenizer changes the text before it cuts it.

    >>> num_tokens(Tokenizer.from_merges([(104, 105)]), ["hi hi", "hi"])
    4

    Raises BpeError for a lone surrogate.
    """
    if tokenizer.normalization or tokenizer.prefix_space or tokenizer.added_tokens:
        return sum(len(tokenizer.encode(document)) for document in documents)
    counts = count_chunks(documents, tokenizer.pattern)
    if tokenizer.why_no_prefixes is None:
        _, begins = tokenizer.encode_distinct(counts)
        return int(np.diff(begins) @ counts.counts)
    return sum(len(tokenizer.encode_chunk(chunk)) * count for chunk, count in counts.items())
