"""Models of text for the token view, remembered: packing 50,000 bytes takes longer than a click should."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import streamlit as st

from pages.ui.excerpt import Place, excerpt_chunks
from pages.ui.run import Run
from pages.ui.token_view import TextModel, corpus_counts, text_model


def excerpt_model(run: Run, place: Place) -> TextModel:
    """Return the model of the excerpt that begins at `place`, with the totals of the whole text."""
    return chunks_model(run, excerpt_chunks(run.training.tokenizer, run.corpus.documents, place))


def chunks_model(run: Run, chunks: Sequence[bytes]) -> TextModel:
    """Return the model of `chunks` side by side, with the totals of the whole text."""
    edges = b"".join(len(chunk).to_bytes(4, "little") for chunk in chunks)
    return _chunks_model(
        run.corpus.digest, run.settings, run.learned_size, sha256(b"".join([edges, *chunks])).hexdigest(), run, chunks
    )


@st.cache_resource(max_entries=48, show_spinner=False)
def _chunks_model(
    digest: str, settings: object, learned: int, text: str, _run: Run, _chunks: Sequence[bytes]
) -> TextModel:
    training = _run.training
    counts = corpus_counts(_run.corpus.name, training.chunk_counts, training.token_totals)
    return text_model(training.tokenizer, _chunks, corpus=counts, counts=training.counts)
