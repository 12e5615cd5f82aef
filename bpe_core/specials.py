"""Special tokens: spellings that are one id each, and where they stand in a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from bpe_core.chunks import check_text
from bpe_core.errors import BpeError


def check_specials(specials: Sequence[str]) -> None:
    """Raise BpeError if a special token's name is empty, repeated or not encodable, or the names are one text."""
    if isinstance(specials, str):
        raise BpeError("Special tokens must be a list of names, not one text. Put a single name into a list: [name].")
    for number, name in enumerate(specials):
        check_text(name)
        if not name:
            raise BpeError(f"Special token {number + 1} is empty. Give it a name such as <|end|>.")
        if name in specials[:number]:
            raise BpeError(f"The special token {name} is listed twice. Each may stand once.")


def first_spelled(text: str, spellings: Iterable[str]) -> re.Match | None:
    """Return where the first of `spellings` stands in `text`, the longest of several; None if there is none.

    >>> first_spelled("a<b>", ["<b", "<b>"]).group()
    '<b>'
    """
    spellings = tuple(spellings)
    return _any_of(spellings).search(text) if spellings else None


def split_at(text: str, ids: Mapping[str, int]) -> Iterator[tuple[str, int | None]]:
    """Yield the text before each spelling in `ids` with the spelling's id, and the rest of `text` with None.

    The leftmost spelling wins, and of several there the longest.

    >>> list(split_at("hi<|end|>!", {"<|end|>": 256}))
    [('hi', 256), ('!', None)]
    """
    end = 0
    for match in _any_of(tuple(ids)).finditer(text) if ids else ():
        yield text[end : match.start()], ids[match.group()]
        end = match.end()
    yield text[end:], None


@lru_cache(maxsize=64)
def _any_of(spellings: tuple[str, ...]) -> re.Pattern:
    """The leftmost, then longest, of `spellings`.

    By the standard library: the package regex takes hours to prepare for a name such as 10,000 times x.
    """
    return re.compile("|".join(map(re.escape, sorted(spellings, key=len, reverse=True))))
