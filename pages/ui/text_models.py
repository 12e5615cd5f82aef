"""Models of text for the token view, remembered: packing 50,000 bytes takes longer than a click should."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from types import MappingProxyType
from typing import NamedTuple

import streamlit as st

from bpe_core import Tokenizer
from pages.ui.excerpt import EXCERPT_BYTES, Place, excerpt_at, excerpt_text, long_chunk
from pages.ui.ids_by_chunk import ids_by_chunk
from pages.ui.run import Run
from pages.ui.token_view import TextModel, corpus_counts, cut_model, text_model
from pages.ui.token_view.payload import start_of
from pages.ui.words import number


class ShownText(NamedTuple):
    """An excerpt as it is drawn, and the byte in it at which what was searched for begins."""

    model: TextModel
    hit: int


def excerpt_model(run: Run, place: Place) -> ShownText:
    """Return the model of the excerpt that begins at `place`, with the totals of the whole text.

    A chunk of more than LONG_CHUNK_BYTES is shown by its start alone, and the page says so. A vocabulary
    without smaller sizes is shown by its one cut.
    """
    if run.why_no_sizes:
        before = run.corpus.documents[place.document][place.character + place.skip : place.hit]
        return ShownText(one_cut(run.tokenizer, excerpt_text(run.corpus.documents, place)), len(before.encode()))
    chunks, starts, hit = excerpt_at(run.training.tokenizer, run.corpus.documents, place)
    long = long_chunk(chunks)
    if long is not None:
        st.caption(
            f"A chunk of this text has {number(len(long))} bytes. "
            f"Its first {number(EXCERPT_BYTES)} bytes are shown, cut as if nothing came after them."
        )
    elif place.skip and len(chunks[0]) > EXCERPT_BYTES:
        st.caption(
            f"The hit lies in a chunk of {number(len(chunks[0]))} bytes; the start of this chunk is shown, "
            "so the hit itself may be out of sight."
        )
    shown = [start_of(chunk, EXCERPT_BYTES) if chunk is long else chunk for chunk in chunks]
    return ShownText(chunks_model(run, shown, starts), hit)


def chunks_model(
    run: Run, chunks: Sequence[bytes], document_starts: Mapping[int, int] = MappingProxyType({})
) -> TextModel:
    """Return the model of the first EXCERPT_BYTES of `chunks` side by side, with the totals of the whole text.

    `document_starts` says at which byte a document begins, and its number.
    """
    edges = b"".join(len(chunk).to_bytes(4, "little") for chunk in chunks)
    starts = str(sorted(document_starts.items())).encode()
    text = sha256(b"".join([starts, edges, *chunks])).hexdigest()
    return _chunks_model(run.corpus.digest, run.settings, run.learned_size, text, run, chunks, document_starts)


@st.cache_resource(max_entries=48, show_spinner=False)
def _chunks_model(
    digest: str, settings: object, learned: int, text: str,
    _run: Run, _chunks: Sequence[bytes], _document_starts: Mapping[int, int],
) -> TextModel:  # fmt: skip
    training = _run.training
    counts = corpus_counts(_run.corpus.name, training.chunk_counts, training.token_totals)
    return text_model(
        training.tokenizer, _chunks, corpus=counts, counts=_run.pair_counts, limit=EXCERPT_BYTES,
        document_starts=_document_starts,
    )  # fmt: skip


def token_model(run: Run, token_id: int) -> TextModel:
    """Return the model of one token as a text of its own, with the totals of the whole text if it has other sizes."""
    token = run.tokenizer.vocabulary[token_id]
    if not run.why_no_sizes and run.tokenizer.encode_chunk(token) == [token_id]:
        return chunks_model(run, [token])
    return cut_model(run.tokenizer, [[token_id]], counts=None if run.loaded else run.pair_counts)


def one_cut(tokenizer: Tokenizer, text: str) -> TextModel:
    """Return the model of `text` as this vocabulary cuts it, at its one size."""
    return cut_model(tokenizer, ids_by_chunk(tokenizer, text, "text"))
