"""The kind of every character of a text, as an array: what the named patterns of classes look at.

All classes come from the pinned `regex` package, so that every machine agrees; each
character is asked about once per process and remembered.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import regex

SPACE, WORD, NUMBER, OTHER = range(4)
_UNKNOWN = 255
_CODE_POINTS = 0x110000

_CLASSES = {
    "four-type": (r"[\s\x1c-\x1f]", r"[_\p{L}\p{M}]", r"\p{N}"),
    "four-type ascii": (r"[\t-\r\x1c-\x20]", "[A-Za-z_]", "[0-9]"),
    "gpt2": (r"\s", r"\p{L}", r"\p{N}"),
}
CLASS_PATTERNS = tuple(_CLASSES)
"""The patterns whose chunks follow from the classes of the characters alone."""


def code_points(text: str) -> np.ndarray:
    """Return the code point of each character of `text` (uint8 if all are ASCII, else uint32)."""
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), np.uint8)
    return np.frombuffer(text.encode("utf-32-le"), np.uint32)


def character_classes(characters: np.ndarray, pattern_name: str) -> np.ndarray:
    """Return the class of each of `characters` (code points) under one of `CLASS_PATTERNS` (uint8).

    >>> character_classes(code_points("x 1!"), "gpt2").tolist() == [WORD, SPACE, NUMBER, OTHER]
    True
    """
    known = _known_classes(pattern_name)
    if characters.dtype == np.uint8:
        return np.frombuffer(characters.tobytes().translate(known[:256].tobytes()), np.uint8)
    classes = known.take(characters)
    if (classes == _UNKNOWN).any():
        _learn(known, np.unique(characters[classes == _UNKNOWN]), pattern_name)
        classes = known.take(characters)
    return classes


@cache
def _known_classes(pattern_name: str) -> np.ndarray:
    """The class of every code point, or `_UNKNOWN`; filled as texts bring new characters."""
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
