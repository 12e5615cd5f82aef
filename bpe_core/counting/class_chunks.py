"""Where chunks begin under the patterns that follow from classes of characters: `four-type`, `gpt2`.

The same chunks as the pattern's regular expression gives, a whole block of text at
once: an edge stands wherever the class changes, and GPT-2's pattern then moves a few
of them. It gives a space to the word after it, and cuts contractions off.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bpe_core.counting.character_classes import SPACE, character_classes, code_points

_CONTRACTIONS = ("s", "t", "m", "d", "re", "ve", "ll")


def chunk_edges(pieces: Sequence[str], pattern_name: str) -> tuple[bytes, np.ndarray]:
    """Return the UTF-8 bytes of `pieces` joined, and the byte offsets of the chunks in them, both ends included.

    No chunk spans two pieces.

    >>> chunk_edges(["low lower", "low"], "four-type")
    (b'low lowerlow', array([ 0,  3,  4,  9, 12]))

    Raises UnicodeEncodeError for a lone surrogate.
    """
    text = "".join(pieces)
    content = text.encode()
    characters = code_points(text)
    classes = character_classes(characters, pattern_name)
    piece_starts = np.unique(np.cumsum([0, *map(len, pieces)]))[:-1]
    starts = np.ones(len(text) + 1, bool)
    np.not_equal(classes[1:], classes[:-1], out=starts[1:-1])
    starts[piece_starts] = True
    if pattern_name == "gpt2":
        _join_spaces(starts, characters, classes, piece_starts)
        _cut_contractions(starts, characters, piece_starts)
    edges = np.flatnonzero(starts)
    if len(content) > len(text):
        edges = _byte_offsets(content).take(edges)
    return content, edges


def _join_spaces(starts: np.ndarray, characters: np.ndarray, classes: np.ndarray, piece_starts: np.ndarray) -> None:
    r"""Make the last character of whitespace before something else a chunk; a space joins what follows it.

    This is ` ?` and `\s+(?!\S)` of the pattern.
    """
    is_space = classes == SPACE
    follows_space = is_space[:-1] & ~is_space[1:]
    follows_space[piece_starts[1:] - 1] = False
    last = np.flatnonzero(follows_space)
    starts[last] = True
    starts[last[characters.take(last) == ord(" ")] + 1] = False


def _cut_contractions(starts: np.ndarray, characters: np.ndarray, piece_starts: np.ndarray) -> None:
    """Where a chunk begins with an apostrophe, give it the letters of a contraction that follow in its piece."""
    at = np.flatnonzero(characters == ord("'"))
    at = at[starts[at]]
    piece_ends = np.append(piece_starts[1:], len(characters))
    room = piece_ends[np.searchsorted(piece_ends, at, "right")] - at
    padded = np.append(characters, np.zeros(2, characters.dtype))
    first, second = padded[at + 1], padded[at + 2]
    for letters in _CONTRACTIONS:
        fits = (first == ord(letters[0])) & (room > len(letters))
        if len(letters) == 2:
            fits &= second == ord(letters[1])
        starts[at[fits] + 1] = False
        starts[at[fits] + 1 + len(letters)] = True


def _byte_offsets(content: bytes) -> np.ndarray:
    """Where each character begins in `content`, and its end."""
    lead = np.ones(len(content) + 1, bool)
    np.not_equal(np.frombuffer(content, np.uint8) & 0xC0, 0x80, out=lead[:-1])
    return np.flatnonzero(lead)
