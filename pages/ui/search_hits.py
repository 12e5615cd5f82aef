"""Where a text holds what a visitor looks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from bpe_core import BpeError


class Hit(NamedTuple):
    """A place that was searched for: the document's number from 0, and the character at which it begins."""

    document: int
    character: int


def num_hits(documents: Sequence[str], wanted: str) -> int:
    """Return how often the documents hold `wanted`; hits do not overlap.

    >>> num_hits(["banana", "an"], "an"), num_hits(["aaa"], "aa")
    (3, 1)

    Raises BpeError if none holds it.
    """
    total = sum(document.count(wanted) for document in documents)
    if not total:
        raise BpeError(f"This text does not hold “{wanted}”. Capital and small letters differ; try a shorter piece.")
    return total


def hit_number(documents: Sequence[str], wanted: str, number: int) -> Hit:
    """Return one of the hits; the first has number 1.

    >>> hit_number(["banana", "an"], "an", 3)
    Hit(document=1, character=0)
    """
    for document_number, document in enumerate(documents):
        held = document.count(wanted)
        if number <= held:
            places = re.finditer(re.escape(wanted), document)
            return Hit(document_number, next(islice(places, number - 1, None)).start())
        number -= held
    raise IndexError(f"there are not so many hits of {wanted!r}")
