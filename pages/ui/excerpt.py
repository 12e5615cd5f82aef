"""Which part of a long text is shown: the start, a document, or the place of a search hit."""

from __future__ import annotations

import streamlit as st

from bpe_core import BpeError
from pages.ui.words import number

EXCERPT_BYTES = 50_000
_START, _DOCUMENT, _HIT = "the start", "a document", "a search hit"


def excerpt_input(documents: tuple[str, ...]) -> tuple[str, ...]:
    """Let the visitor choose an excerpt of at most EXCERPT_BYTES; return its documents."""
    choices = [_START, *([_DOCUMENT] if len(documents) > 1 else []), _HIT]
    choose, detail = st.columns([1, 2], vertical_alignment="bottom")
    kind = choose.selectbox("Show", choices, key="excerpt_kind", persist_state="session")
    if kind == _DOCUMENT:
        last = len(documents)
        chosen = detail.number_input(
            f"Document, of {number(last)}", 1, last, key="excerpt_document", persist_state="session"
        )
        return start_of(documents[chosen - 1 :][:1])
    if kind == _HIT:
        wanted = detail.text_input("Find", key="excerpt_search", placeholder="Holmes", persist_state="session")
        return around(documents, wanted) if wanted else start_of(documents)
    return start_of(documents)


def start_of(documents: tuple[str, ...], limit: int = EXCERPT_BYTES) -> tuple[str, ...]:
    """Return the first `limit` bytes of `documents`, cut at a character.

    >>> start_of(("ab", "cé", "d"), 4)
    ('ab', 'c')
    """
    shown, left = [], limit
    for document in documents:
        part = document[:left].encode()[:left].decode("utf-8", "ignore")
        shown.append(part)
        left -= len(part.encode())
        if left <= 0 or len(part) < len(document):
            break
    return tuple(part for part in shown if part)


def around(documents: tuple[str, ...], wanted: str, before: int = 2_000) -> tuple[str, ...]:
    """Return an excerpt that holds the first place where `wanted` stands, from up to `before` characters ahead of it.

    >>> around(("no", "a needle here"), "needle", before=2)
    ('a needle here',)

    Raises BpeError if no document holds it.
    """
    for number_of_document, document in enumerate(documents):
        at = document.find(wanted)
        if at >= 0:
            return start_of(
                (document[line_start(document, max(at - before, 0)) :], *documents[number_of_document + 1 :])
            )
    raise BpeError(f"This text does not hold {wanted!r}. Capital and small letters differ; try a shorter piece.")


def line_start(document: str, at: int) -> int:
    """Return where the line that holds position `at` begins, if it is near; else `at`.

    An excerpt that starts in the middle of a line could cut a chunk in two.
    """
    start = document.rfind("\n", max(at - 10_000, 0), at) + 1
    return start or (0 if at < 10_000 else at)
