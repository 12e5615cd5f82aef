"""Results worth remembering, with bounds: shared by all visitors, immutable, keyed by digests and settings."""

from __future__ import annotations

import streamlit as st

from bpe_core import ChunkCounts, Pattern
from pages.ui.corpus import Corpus, sample_corpus
from pages.ui.jobs import Workshop


@st.cache_resource(max_entries=16, show_spinner=False)
def cached_sample(key: str) -> Corpus:
    """Return the bundled sample called `key`."""
    return sample_corpus(key)


@st.cache_resource(show_spinner=False)
def workshop() -> Workshop:
    """Return the one workshop of this server."""
    return Workshop()


def cached_chunk_counts(corpus: Corpus, pattern: Pattern) -> ChunkCounts:
    """Return the distinct chunks of `corpus` with their counts."""
    return workshop().chunk_counts(corpus, pattern)
