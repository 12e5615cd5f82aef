"""Which part of a long text is shown: the start, a document, or the place of a search hit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

import streamlit as st

from bpe_core import BpeError, Tokenizer
from pages.ui.words import number

EXCERPT_BYTES = 50_000
_START, _DOCUMENT, _HIT = "the start", "a document", "a search hit"
_CONTEXT = 300  # characters shown before a hit, and more until a line begins
_LOOK_BACK = 2_000
LONG_CHUNK_BYTES = 500_000  # a longer chunk takes seconds to encode, so its start is shown as a text of its own


class Place(NamedTuple):
    """Where an excerpt begins: a document's number from 0, and a character in it, which begins a line.

    In a long line the first `skip` characters are cut into chunks too, so that all chunks are those of the whole
    text, but they are not shown. `wanted` is what was searched for.
    """

    document: int
    character: int
    skip: int = 0
    wanted: str = ""


def excerpt_input(documents: Sequence[str]) -> Place:
    """Let the visitor choose where the excerpt begins."""
    choices = [_START, *([_DOCUMENT] if len(documents) > 1 else []), _HIT]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = st.selectbox("Show", choices, key="excerpt_kind", persist_state="session", width=160)
        if kind == _DOCUMENT:
            last = len(documents)
            label = f"Document, of {number(last)}"
            chosen = st.number_input(label, 1, last, key="excerpt_document", persist_state="session", width=180)
            return Place(chosen - 1, 0)
        if kind == _HIT:
            wanted = st.text_input("Find", key="excerpt_search", persist_state="session", width=260)
            return place_of(documents, wanted) if wanted else Place(0, 0)
    return Place(0, 0)


def place_of(documents: Sequence[str], wanted: str) -> Place:
    """Return the start of the line that holds the first `wanted` (or a line a little before it).

    >>> place_of(["no", "first\\na needle"], "needle")
    Place(document=1, character=0, skip=0, wanted='needle')

    Raises BpeError if no document holds it.
    """
    for document_number, document in enumerate(documents):
        at = document.find(wanted)
        if at >= 0:
            wished = max(at - _CONTEXT, 0)
            start = document.rfind("\n", 0, wished) + 1
            return Place(document_number, start, max(wished - start - _LOOK_BACK, 0), wanted)
    raise BpeError(f"This text does not hold “{wanted}”. Capital and small letters differ; try a shorter piece.")


def excerpt_chunks(
    tokenizer: Tokenizer, documents: Iterable[str], place: Place, limit: int = EXCERPT_BYTES
) -> list[bytes]:
    """Return whole chunks from `place` on, about `limit` bytes of them; they run on into the next documents.

    >>> excerpt_chunks(Tokenizer.from_merges([], "gpt2"), ["one two", "three"], Place(0, 0), limit=6)
    [b'one', b' two']
    """
    found: list[bytes] = []
    for document_number, document in enumerate(documents):
        if document_number < place.document:
            continue
        start, skip = place[1:3] if document_number == place.document else (0, 0)
        skipped = len(document[start : start + skip].encode())
        chunks = _first_chunks(tokenizer, document[start:], limit - sum(map(len, found)) + skipped)
        found += _without_first(chunks, skipped)
        if sum(map(len, found)) >= limit:
            break
    return found


def excerpt_text(documents: Sequence[str], place: Place, limit: int = EXCERPT_BYTES) -> str:
    """Return about `limit` bytes of text of one document from `place` on, cut between characters.

    >>> excerpt_text(["one", "two three"], Place(1, 4), limit=3)
    'thr'
    """
    start = place.character + place.skip
    piece = documents[place.document][start : start + limit]
    return piece.encode()[:limit].decode(errors="ignore")


def long_chunk(chunks: Sequence[bytes]) -> bytes | None:
    """Return the chunk that is too long to be shown as part of its text, if there is one."""
    return next((chunk for chunk in chunks if len(chunk) > LONG_CHUNK_BYTES), None)


def _without_first(chunks: list[bytes], num_bytes: int) -> list[bytes]:
    """`chunks` without those that lie whole in the first `num_bytes`."""
    ends = accumulate(map(len, chunks))
    return chunks[sum(end <= num_bytes for end in ends) :]


def _first_chunks(tokenizer: Tokenizer, document: str, limit: int) -> list[bytes]:
    """The chunks that cover the first `limit` bytes, without cutting all of a long document into chunks."""
    length = limit + 1_000
    while True:
        chunks = tokenizer.chunks(document[:length])
        whole = chunks if length >= len(document) else chunks[:-1]  # text that is cut off may cut its last chunk
        kept, size = 0, 0
        while kept < len(whole) and size < limit:
            size += len(whole[kept])
            kept += 1
        if size >= limit or length >= len(document):
            return whole[:kept]
        length *= 4
