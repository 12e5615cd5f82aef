"""Films: what the merge player needs, sent once.

kind        "bytes": a text or its distinct chunks; "tiles": a textbook trace
signature   changes when the film does
model       bytes: the payload of `token_view.payload`; tiles: words, merges, totals, num_symbols, unit
tied        bytes only: how many pairs shared the top count at each merge
times       bytes only, for distinct chunks: how often each chunk occurs in the text
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np

from bpe_core import ChunkCounts, Training
from bpe_core.gaps import NEVER
from bpe_core.reference import END, Pair, Spelling
from bpe_core.traces import Trace, TraceWord
from bpe_core.visible import visible
from pages.ui.token_view import TextModel
from pages.ui.token_view.payload import pack


@dataclass(frozen=True, eq=False)
class Film:
    """A film ready for the browser."""

    payload: Mapping[str, Any]
    num_merges: int

    @property
    def signature(self) -> str:
        """Equal for equal films."""
        return self.payload["signature"]


def text_film(model: TextModel, training: Training, times: np.ndarray | None = None) -> Film:
    """Return the film of a text, or of distinct chunks if `times` says how often each occurs."""
    fields: dict[str, Any] = {"kind": "bytes", "model": dict(model.payload), "tied": pack(training.tied)}
    if times is not None:
        fields["times"] = pack(times)
    fields["signature"] = f"{model.signature} {'text' if times is None else 'chunks'}"
    return Film(fields, model.num_merges)


def most_frequent_chunks(chunk_counts: ChunkCounts, limit: int) -> tuple[list[bytes], np.ndarray]:
    """Return the most frequent distinct chunks, about `limit` bytes of them, and how often each occurs.

    >>> most_frequent_chunks(ChunkCounts.from_counts({b"a": 1, b"the": 9, b"of": 4}), limit=5)
    ([b'the', b'of'], array([9, 4]))
    """
    order = np.argsort(-chunk_counts.counts, kind="stable")
    before = np.cumsum(chunk_counts.lengths[order]) - chunk_counts.lengths[order]
    order = order[before < limit]
    content, offsets = chunk_counts.data.tobytes(), chunk_counts.offsets
    return [content[offsets[i] : offsets[i + 1]] for i in order.tolist()], chunk_counts.counts[order]


def trace_film(made: Trace) -> Film:
    """Return the film of a textbook trace."""
    parts = _symbols_of(made)
    model = {
        "words": [_word(word) for word in made.words],
        "merges": [
            {"left": parts[left], "right": parts[right], "ids": [left, right, step.token_id], "count": step.count,
             "replaced": step.replaced, "tied": step.tied}
            for step in made.steps for left, right in [step.pair]
        ],
        "totals": made.totals,
        "num_symbols": made.totals[0],
        "unit": "bytes" if made.words and isinstance(made.words[0].symbols[0], bytes) else "symbols",
    }  # fmt: skip
    signature = blake2b(json.dumps(model).encode(), digest_size=12).hexdigest()
    return Film({"kind": "tiles", "model": model, "signature": signature}, len(made.steps))


def trace_symbols(made: Trace, pair: Pair) -> tuple[list[str], list[str]]:
    """Return the single symbols of both sides of a pair, readable."""
    parts = _symbols_of(made)
    return parts[pair[0]], parts[pair[1]]


def _symbols_of(made: Trace) -> dict[int, list[str]]:
    """The single symbols that every symbol was built from, readable, by its id."""
    learned = {step.token_id: step.pair for step in made.steps}
    parts: dict[int, list[str]] = {}
    for symbol in made.spellings:
        if symbol in learned:
            left, right = learned[symbol]
            parts[symbol] = parts[left] + parts[right]
        else:
            parts[symbol] = [_readable_symbol(made.spellings[symbol])]
    return parts


def _word(word: TraceWord) -> dict[str, Any]:
    return {
        "symbols": [_readable_symbol(symbol) for symbol in word.symbols],
        "count": word.count,
        "gaps": [-1 if rank == NEVER else rank for rank in word.gap_ranks],
    }


def _readable_symbol(symbol: Spelling) -> str:
    if symbol == END:
        return "</w>"
    return visible(symbol if isinstance(symbol, bytes) else symbol.encode())
