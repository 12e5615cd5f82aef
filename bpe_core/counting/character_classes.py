"""The kind of every character of a text, a number for each of its bytes: what the named patterns of classes look at.

All classes come from the pinned `regex` package, so that every machine agrees; each
character is asked about once per process and remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import regex

SPACE, WORD, NUMBER, OTHER = range(4)
_UNKNOWN = 255
_CODE_POINTS = 0x110000
_BYTES_OF_LEAD = np.repeat(np.array([1, 2, 3, 4], np.uint8), [0xC0, 0x20, 0x10, 0x10])  # in UTF-8

_CLASSES = {
    "four-type": (r"[\s\x1c-\x1f]", r"[_\p{L}\p{M}]", r"\p{N}"),
    "four-type ascii": (r"[\t-\r\x1c-\x20]", "[A-Za-z_]", "[0-9]"),
    "gpt2": (r"\s", r"\p{L}", r"\p{N}"),
}
CLASS_PATTERNS = tuple(_CLASSES)
"""The patterns whose chunks follow from the classes of the characters alone."""


def byte_classes(pieces: Sequence[str], content: bytes, pattern_name: str) -> np.ndarray:
    """Return for each byte of `content` the class of its character under one of `CLASS_PATTERNS` (uint8).

    `content` is the UTF-8 of `pieces`, one after the other.

    >>> byte_classes(["x ", "1é!"], "x 1é!".encode(), "gpt2").tolist() == [WORD, SPACE, NUMBER, WORD, WORD, OTHER]
    True
    """
    known = _known_classes(pattern_name)
    found = np.frombuffer(content.translate(known[:256].tobytes()), np.uint8)
    pieces = [piece for piece in pieces if not piece.isascii()]
    if not pieces:
        return found
    classes, in_utf8 = found.copy(), np.frombuffer(content, np.uint8)
    characters = np.concatenate([np.frombuffer(piece.encode("utf-32-le"), np.uint32) for piece in pieces])
    is_wide = in_utf8 >= 0x80
    wide = in_utf8.compress(is_wide)
    lengths = _BYTES_OF_LEAD.take(wide.compress(wide >= 0xC0))
    classes[is_wide] = np.repeat(_classes(characters.compress(characters >= 0x80), known, pattern_name), lengths)
    return classes


def _classes(characters: np.ndarray, known: np.ndarray, pattern_name: str) -> np.ndarray:
    """The class of each of `characters` (code points)."""
    classes = known.take(characters)
    unknown = characters.compress(classes == _UNKNOWN)
    if len(unknown):
        occurs = np.zeros(_CODE_POINTS, bool)  # np.unique would import numpy.ma at its first call
        occurs[unknown] = True
        _learn(known, np.flatnonzero(occurs), pattern_name)
        classes = known.take(characters)
    return classes


@cache
def _known_classes(pattern_name: str) -> np.ndarray:
    """The class of every code point, or `_UNKNOWN`; filled as texts bring new characters.

    Threads may fill it at once: they can only write the same class.
    """
    known = np.full(_CODE_POINTS, _UNKNOWN, np.uint8)
    _learn(known, np.arange(256), pattern_name)
    return known


def _learn(known: np.ndarray, unknown: np.ndarray, pattern_name: str) -> None:
    characters = "".join(map(chr, unknown.tolist()))
    classes = np.full(len(characters), OTHER, np.uint8)
    for kind, source in enumerate(_CLASSES[pattern_name]):
        for run in regex.finditer(f"(?:{source})+", characters):
            classes[run.start() : run.end()] = kind
    known[unknown] = classes
