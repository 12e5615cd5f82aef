"""Where one document ends and the next begins. Joined, the documents give the text back, byte for byte.

"file": the whole file. "line": a line feed ends its line and stays at the line's end (a
carriage return before it stays too, one alone ends nothing). "blank lines": a
document ends after a run of blank lines, which stay at its end; blank lines at
the very start belong to the first document.
"""

from __future__ import annotations

import re

import numpy as np

from bpe_core.documents.texts import Texts
from bpe_core.errors import BpeError

SPLITS = ("file", "line", "blank lines")

_BLANK_LINES = re.compile(rb"(?:\A|\n)(?:[ \t\r]*+\n)++")


def check_split(split: str) -> None:
    """Raise BpeError unless `split` is one of SPLITS."""
    if split not in SPLITS:
        raise BpeError(f"Documents cannot be split by {split!r}. Choose one of: {', '.join(SPLITS)}.")


def split_text(data: bytes, split: str) -> Texts:
    """Return the documents of one text; a text of no bytes is one empty document.

    >>> tuple(split_text(b"a\\r\\n\\nb", "line")), tuple(split_text(b"a\\r\\n\\nb", "blank lines"))
    (('a\\r\\n', '\\n', 'b'), ('a\\r\\n\\n', 'b'))

    Raises BpeError for an unknown split.
    """
    check_split(split)
    ends = {"file": _no_ends, "line": _line_ends, "blank lines": _paragraph_ends}[split](data)
    if not len(ends) or ends[-1] < len(data):
        ends = np.append(ends, len(data))
    return Texts.cut(data, ends)


def line_numbers(data: bytes, offsets: np.ndarray) -> np.ndarray:
    """Return the line (from 1) in which each byte offset stands."""
    return np.searchsorted(_line_ends(data), offsets, side="right") + 1


def _no_ends(data: bytes) -> np.ndarray:
    return np.empty(0, np.int64)


def _line_ends(data: bytes) -> np.ndarray:
    return np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n")) + 1


def _paragraph_ends(data: bytes) -> np.ndarray:
    ends = (found.end() for found in _BLANK_LINES.finditer(data) if found.start())
    return np.fromiter(ends, np.int64)
