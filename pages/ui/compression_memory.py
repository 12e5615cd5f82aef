"""What Compression computed and may need again: bounded, shared by all visitors, forgotten with its text."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

import streamlit as st

from pages.ui.corpus import Corpus
from pages.ui.remembered import Remembered

T = TypeVar("T")

_ENTRY_BYTES = 1_000_000  # arrays of one number for each merge, and selections that share their text's bytes


def remembered(corpus: Corpus, key: Hashable, make: Callable[[], T]) -> T:
    """Return what `make` returns, made once for this corpus and key."""
    full_key = corpus.digest, key
    found = _memory().get(corpus.text_digest, full_key)
    if found is None:
        found = make()
        _memory().put(corpus.text_digest, full_key, found)
    return found


def already(corpus: Corpus, key: Hashable) -> object:
    """Return what `remembered` made for this corpus and key, or None if it did not (or it is forgotten)."""
    return _memory().get(corpus.text_digest, (corpus.digest, key))


def forget(text_digest: str) -> None:
    """Drop all that was made of this text."""
    _memory().forget(text_digest)


@st.cache_resource(show_spinner=False)
def _memory() -> Remembered:
    return Remembered(most_entries=200, most_bytes=200 * _ENTRY_BYTES, num_bytes=lambda _: _ENTRY_BYTES)
