"""Results of bpe_core that are worth remembering, with bounds.

Everything is keyed by the corpus's digest and by settings, never by the text
itself, and shared by all visitors; results are immutable.
"""

from __future__ import annotations

import streamlit as st

from bpe_core import ChunkCounts, Pattern, Training, count_chunks, train
from pages.ui.corpus import Corpus, sample_corpus


@st.cache_resource(max_entries=16, show_spinner=False)
def cached_sample(key: str) -> Corpus:
    """Return the bundled sample called `key`."""
    return sample_corpus(key)


def cached_chunk_counts(corpus: Corpus, pattern: Pattern) -> ChunkCounts:
    """Return the distinct chunks of `corpus` with their counts."""
    return _chunk_counts(corpus.digest, pattern, corpus)


def cached_training(
    corpus: Corpus, pattern: Pattern, vocab_size: int, specials: tuple[str, ...], min_count: int
) -> Training:
    """Return what BPE learns from `corpus` up to `vocab_size`; one training serves every smaller size."""
    return _training(corpus.digest, pattern, vocab_size, specials, min_count, corpus)


@st.cache_resource(max_entries=24, show_spinner=False)
def _chunk_counts(digest: str, pattern: Pattern, _corpus: Corpus) -> ChunkCounts:
    return count_chunks(_corpus.documents, pattern)


@st.cache_resource(max_entries=24, show_spinner=False)
def _training(
    digest: str, pattern: Pattern, vocab_size: int, specials: tuple[str, ...], min_count: int, _corpus: Corpus
) -> Training:
    counts = _chunk_counts(digest, pattern, _corpus)
    return train(counts, vocab_size, specials=specials, min_count=min_count)
