"""Which part of a long text is shown: the start, a document, or the place of a search hit."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple
from zlib import crc32

import streamlit as st

from bpe_core import Tokenizer
from pages.ui.search_hits import Hit, hit_number, num_hits
from pages.ui.words import number

EXCERPT_BYTES = 50_000
_START, _DOCUMENT, _HIT = "the start", "a document", "a search hit"
_CONTEXT = 300  # characters shown before a hit, and more until a line begins
_LOOK_BACK = 2_000
LONG_CHUNK_BYTES = 500_000  # a longer chunk takes seconds to encode, so its start is shown as a text of its own


class Place(NamedTuple):
    """Where an excerpt begins: a document's number from 0, and a character in it, which begins a line.

    In a long line the first `skip` characters are cut into chunks too, so that all chunks are those of the whole
    text, but they are not shown. `wanted` is what was searched for, and `hit` the character at which it was found.
    """

    document: int
    character: int
    skip: int = 0
    wanted: str = ""
    hit: int = 0


def excerpt_input(documents: Sequence[str]) -> Place:
    """Let the visitor choose where the excerpt begins."""
    choices = [_START, *([_DOCUMENT] if len(documents) > 1 else []), _HIT]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = st.selectbox("Show", choices, key="excerpt_kind", persist_state="session", width=160)
        if kind == _DOCUMENT:
            return Place(_number_of("Document", len(documents), "excerpt_document") - 1, 0)
        if kind == _HIT:
            wanted = st.text_input("Find", key="excerpt_search", persist_state="session", width=260)
            if wanted:
                return place_of(documents, wanted, _hit_input(documents, wanted))
    return Place(0, 0)


def _hit_input(documents: Sequence[str], wanted: str) -> Hit:
    """Let the visitor go from hit to hit."""
    total = num_hits(documents, wanted)
    key = f"excerpt_hit_{crc32(wanted.encode())}"  # another word begins at its own first hit
    return hit_number(documents, wanted, _number_of("Hit", total, key))


def _number_of(what: str, last: int, key: str) -> int:
    """Let the visitor type a number from 1 to `last`; one beyond these stands for the nearest, and it is said."""
    label = f"{what}, of {number(last)}"
    chosen = st.number_input(label, value=1, step=1, key=key, persist_state="session", width=180)
    given = min(max(chosen, 1), last)
    if given != chosen:
        st.caption(f"They go from 1 to {number(last)}: {number(given)} is shown.")
    return given


def place_of(documents: Sequence[str], wanted: str, hit: Hit) -> Place:
    """Return the start of the line that holds this hit (or of a line a little before it).

    >>> place_of(["no", "first\\na needle"], "needle", Hit(1, 8))
    Place(document=1, character=0, skip=0, wanted='needle', hit=8)
    """
    wished = max(hit.character - _CONTEXT, 0)
    start = documents[hit.document].rfind("\n", 0, wished) + 1
    return Place(hit.document, start, max(wished - start - _LOOK_BACK, 0), wanted, hit.character)


class Excerpt(NamedTuple):
    """Chunks that follow each other, where among their bytes documents begin, and where the hit stands.

    `document_starts` maps a byte to the number, from 1, of the document that begins there. `hit` is the byte at which
    what was searched for begins; 0 if nothing was.
    """

    chunks: list[bytes]
    document_starts: dict[int, int]
    hit: int


def excerpt_at(tokenizer: Tokenizer, documents: Sequence[str], place: Place, limit: int = EXCERPT_BYTES) -> Excerpt:
    """Return whole chunks from `place` on, about `limit` bytes of them; they run on into the next documents.

    >>> excerpt_at(Tokenizer.from_merges([], "gpt2"), ["one two", "three"], Place(0, 0), limit=9)
    Excerpt(chunks=[b'one', b' two', b'three'], document_starts={0: 1, 7: 2}, hit=0)
    """
    found, left_out = _chunks_at(tokenizer, documents[place.document], place, limit)
    starts = {0: place.document + 1} if found and not place.character + place.skip else {}
    length = sum(map(len, found))
    for document_number in range(place.document + 1, len(documents)):
        if length >= limit:
            break
        chunks = _first_chunks(tokenizer, documents[document_number], limit - length)
        if chunks:
            starts[length] = document_number + 1
        found += chunks
        length += sum(map(len, chunks))
    hit = len(documents[place.document][place.character : place.hit].encode()) - left_out if place.wanted else 0
    return Excerpt(found, starts if len(documents) > 1 else {}, hit)


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


def _chunks_at(tokenizer: Tokenizer, document: str, place: Place, limit: int) -> tuple[list[bytes], int]:
    """The chunks from `place` on to the end of the limit or the document, and how many bytes of it were left out."""
    skipped = len(document[place.character : place.character + place.skip].encode())
    chunks = _first_chunks(tokenizer, document[place.character :], limit + skipped)
    ends = [0, *(end for end in accumulate(map(len, chunks)) if end <= skipped)]
    return chunks[len(ends) - 1 :], ends[-1]


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
