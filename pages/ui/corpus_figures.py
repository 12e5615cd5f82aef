"""The figures of "About this text": those of the documents, and those of their chunks and tokens, file by file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from bpe_core import ChunkCounts, Pattern, Tokenizer, bytes_per_token, count_chunks, token_totals
from bpe_core.documents import CorpusFacts, Documents, Example, Figure, corpus_facts, examples_of
from bpe_core.errors import Stopped
from pages.ui.words import number, ratio

LONG_CHUNK_BYTES = 10_000
MOST_FILES = 300
"""Chunks and tokens are counted file by file for so many files at most."""


@dataclass(frozen=True)
class Figures:
    """The figures of one file, or of all: facts of the documents, and of the chunks unless those were not counted."""

    facts: CorpusFacts
    distinct_chunks: int | None = None
    bytes_per_token: float | None = None
    longest_chunk: Figure = field(default_factory=lambda: Figure(0))

    @property
    def with_examples(self) -> dict[str, tuple[str, tuple[Example, ...]]]:
        """Name of each figure that is not 0, with the figure in words and its examples."""
        facts = self.facts
        figures = {
            "Exact duplicates": facts.duplicates,
            "Blank": facts.blank,
            "U+FFFD": facts.replacement,
            "Control characters": facts.control,
            "Longest chunk, bytes": self.longest_chunk,
            "Longest document, bytes": facts.longest_document,
            "Line ends LF": facts.lf,
            "Line ends CRLF": facts.crlf,
            "Line ends CR": facts.cr,
        }
        return {name: (number(figure.count), figure.examples) for name, figure in figures.items() if figure.count}

    @property
    def row(self) -> dict[str, object]:
        """The row of this file in the table."""
        facts = self.facts
        return {
            "Bytes": facts.num_bytes,
            "Characters": facts.num_characters,
            "Documents": facts.num_documents,
            "Distinct chunks": self.distinct_chunks,
            "Bytes per token": self.bytes_per_token and float(ratio(self.bytes_per_token)),
            "Exact duplicates": facts.duplicates.count,
            "Empty, skipped": facts.empty,
            "Blank": facts.blank.count,
            "U+FFFD": facts.replacement.count,
            "Control characters": facts.control.count,
            "Longest chunk, bytes": self.longest_chunk.count or None,
            "Longest document, bytes": facts.longest_document.count,
            "Line ends LF": facts.lf.count,
            "Line ends CRLF": facts.crlf.count,
            "Line ends CR": facts.cr.count,
        }


def corpus_figures(
    documents: Documents, pattern: Pattern, tokenizer: Tokenizer | None, note: Callable[[float], bool]
) -> tuple[Figures, ...]:
    """Return the figures of all documents, then those of each file; bytes per token if there is a `tokenizer`.

    `note` is told the share that is done, and stops the work by a true answer.
    """
    every, *files = corpus_facts(documents)
    if note(0.3):
        raise Stopped("The figures were wanted no more.")
    whole = _with_chunks(every, documents, count_chunks(documents, pattern), tokenizer)
    if len(files) == 1:
        return whole, Figures(files[0], whole.distinct_chunks, whole.bytes_per_token, whole.longest_chunk)
    if len(files) > MOST_FILES:
        return whole, *map(Figures, files)
    parts = []
    for at, facts in enumerate(files):
        if note(0.5 + 0.5 * at / len(files)):
            raise Stopped("The figures were wanted no more.")
        of_file = documents.of_file(at)
        parts.append(_with_chunks(facts, of_file, count_chunks(of_file, pattern), tokenizer))
    return whole, *parts


def _with_chunks(facts: CorpusFacts, documents: Documents, counts: ChunkCounts, tokenizer: Tokenizer | None) -> Figures:
    longest = Figure(0)
    if len(counts):
        at = int(np.argmax(counts.lengths))
        chunk = counts.data[counts.offsets[at] : counts.offsets[at + 1]].tobytes()
        longest = Figure(len(chunk), examples_of(documents, chunk))
    tokens = int(token_totals(tokenizer, counts)[-1]) if tokenizer else 0
    return Figures(facts, len(counts), bytes_per_token(counts.num_bytes, tokens) if tokenizer else None, longest)
