"""Where chunks begin under the patterns that follow from classes of characters: `four-type`, `gpt2`.

The same chunks as the pattern's regular expression gives, a whole block of text at
once: an edge stands wherever the class changes, and GPT-2's pattern then moves a few
of them. It gives a space to the word after it, and cuts contractions off.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bpe_core.counting.character_classes import SPACE, byte_classes

_CONTRACTIONS = (b"s", b"t", b"m", b"d", b"re", b"ve", b"ll")


def chunk_edges(pieces: Sequence[str], pattern_name: str) -> tuple[bytes, np.ndarray]:
    """Return the UTF-8 bytes of `pieces` joined, and the byte offsets of the chunks in them, both ends included.

    No chunk spans two pieces.

    >>> chunk_edges(["low lower", "low"], "four-type")
    (b'low lowerlow', array([ 0,  3,  4,  9, 12]))

    Raises UnicodeEncodeError for a lone surrogate.
    """
    encoded = [piece.encode() for piece in pieces if piece]
    content = b"".join(encoded)
    found = np.frombuffer(content, np.uint8)
    classes = byte_classes(pieces, content, pattern_name)
    piece_starts = np.cumsum([0, *map(len, encoded)])[:-1]
    starts = np.ones(len(content) + 1, bool)
    np.not_equal(classes[1:], classes[:-1], out=starts[1:-1])
    starts[piece_starts] = True
    if pattern_name == "gpt2":
        _join_spaces(starts, found, classes, piece_starts)
        _cut_contractions(starts, found, piece_starts)
    return content, np.flatnonzero(starts)


def _join_spaces(starts: np.ndarray, content: np.ndarray, classes: np.ndarray, piece_starts: np.ndarray) -> None:
    r"""Make the last character of whitespace before something else a chunk; a space joins what follows it.

    This is ` ?` and `\s+(?!\S)` of the pattern.
    """
    is_space = classes == SPACE
    follows_space = is_space[:-1] & ~is_space[1:]
    follows_space[piece_starts[1:] - 1] = False
    starts[1:-1] &= ~(follows_space & (content[:-1] == ord(" ")))
    is_wide = follows_space & (content[:-1] >= 0x80)
    starts[:-2] |= follows_space & ~is_wide
    last = np.flatnonzero(is_wide)
    while (inside := content.take(last) & 0xC0 == 0x80).any():  # back to where the character begins
        last -= inside
    starts[last] = True


def _cut_contractions(starts: np.ndarray, content: np.ndarray, piece_starts: np.ndarray) -> None:
    """Where a chunk begins with an apostrophe, give it the letters of a contraction that follow in its piece."""
    at = np.flatnonzero(content == ord("'"))
    at = at[starts[at]]
    piece_ends = np.append(piece_starts[1:], len(content))
    room = piece_ends[np.searchsorted(piece_ends, at, "right")] - at
    padded = np.append(content, np.zeros(2, np.uint8))
    first, second = padded[at + 1], padded[at + 2]
    for letters in _CONTRACTIONS:
        fits = (first == letters[0]) & (room > len(letters))
        if len(letters) == 2:
            fits &= second == letters[1]
        starts[at[fits] + 1] = False
        starts[at[fits] + 1 + len(letters)] = True
