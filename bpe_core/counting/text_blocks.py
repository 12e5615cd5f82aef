"""Documents as a stream of blocks of a quarter of a million characters.

So any amount of text fits into memory, and a block into the processor's cache.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

import regex

BLOCK_CHARACTERS = 250_000


def pieces(document: str, cut_before: str, length: int = BLOCK_CHARACTERS) -> Iterator[str]:
    """Yield `document` in pieces of about `length` characters, cut before a character of `cut_before`.

    What stands before the cut is no whitespace. Between such two characters every named
    pattern has an edge and starts afresh, if the cut is before a space; those of classes also before a line feed.
    A piece grows beyond `length` where there is no such place.

    >>> list(pieces("low lower  lowest", " ", 9))
    ['low', ' lower', '  lowest']
    """
    start = 0
    while len(document) - start > length:
        last, following = _cuts(cut_before)
        found = last.search(document, start + 1, start + length) or following.search(document, start + length)
        if found is None:
            break
        yield document[start : found.start()]
        start = found.start()
    yield document[start:] if start else document


@cache
def _cuts(cut_before: str) -> tuple[regex.Pattern, regex.Pattern]:
    """Patterns that find the last and the next place to cut; what `str.isspace` takes for whitespace is whitespace."""
    source = rf"(?<=[^\s\x1c-\x1f])[{regex.escape(cut_before)}]"
    return regex.compile("(?r)" + source), regex.compile(source)


def blocks(texts: Iterable[str], length: int = BLOCK_CHARACTERS) -> Iterator[list[str]]:
    """Yield `texts` in groups of about `length` characters; the last of a group may reach beyond.

    >>> list(blocks(["a", "bc", "d", "efghi"], 3))
    [['a', 'bc'], ['d', 'efghi']]
    """
    block: list[str] = []
    size = 0
    for text in texts:
        block.append(text)
        size += len(text)
        if size >= length:
            yield block
            block, size = [], 0
    if block:
        yield block
