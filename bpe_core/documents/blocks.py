"""The documents in blocks of a few MB, so that numpy can look at all bytes of a block at once.

A long document is cut after a line feed, where no character, no line ending and no
run without whitespace can be cut in two.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from bpe_core.documents.texts import Texts

_BLOCK = 1 << 22

# Everything that `str.isspace` takes for whitespace.
_IS_SPACE_BYTE = np.isin(np.arange(256), [*range(9, 14), *range(28, 33)])
_WIDE_SPACES = [character.encode() for character in "\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"] + [
    chr(code).encode() for code in range(0x2000, 0x200B)
]


class Block:
    """Spans of documents side by side in `data`: where each begins, its document, and where in that it stands."""

    def __init__(self, texts: Texts, spans: list[tuple[int, int, int]]) -> None:
        pieces = [texts.data[start:end] for _, start, end in spans]
        self.data = b"".join(pieces)
        self.bytes = np.frombuffer(self.data, np.uint8)
        self.documents = np.array([number for number, _, _ in spans], np.int64)
        self.begins = np.cumsum([0, *map(len, pieces)])[:-1]
        self.within = np.array([start for _, start, _ in spans], np.int64) - texts.starts[self.documents]

    def place(self, position: int) -> tuple[int, int]:
        """Return the document in which a position of `data` stands, and the byte there."""
        span = int(np.searchsorted(self.begins, position, side="right")) - 1
        return int(self.documents[span]), int(self.within[span] + position - self.begins[span])

    @cached_property
    def num_characters(self) -> int:
        """Code points."""
        return int(np.count_nonzero((self.bytes & 0xC0) != 0x80))

    @cached_property
    def is_space(self) -> np.ndarray:
        """For each byte whether it is of a whitespace character."""
        mask = _IS_SPACE_BYTE[self.bytes]
        for space in _WIDE_SPACES:
            at = self.data.find(space)
            while at >= 0:
                mask[at : at + len(space)] = True
                at = self.data.find(space, at + len(space))
        return mask

    def runs_without_space(self) -> tuple[np.ndarray, np.ndarray]:
        """Return where each run of bytes without whitespace begins and ends, documents apart."""
        outside = np.concatenate([[True], self.is_space, [True]])
        starts_span = np.zeros(len(self.bytes) + 1, bool)
        starts_span[self.begins] = True
        starts_span[-1] = True
        inside = ~outside[1:-1]
        begins = np.flatnonzero(inside & (outside[:-2] | starts_span[:-1]))
        ends = np.flatnonzero(inside & (outside[2:] | starts_span[1:])) + 1
        return begins, ends

    def line_endings(self) -> dict[str, np.ndarray]:
        """Return where each line ending stands, by kind."""
        feeds, returns = self.bytes == 10, self.bytes == 13
        after_return = np.concatenate([[False], returns[:-1]])
        before_feed = np.concatenate([feeds[1:], [False]])
        after_return[self.begins] = False
        before_feed[self.begins[1:] - 1] = False
        return {
            "lf": np.flatnonzero(feeds & ~after_return),
            "crlf": np.flatnonzero(returns & before_feed),
            "cr": np.flatnonzero(returns & ~before_feed),
        }

    def controls(self) -> np.ndarray:
        """Return where controls stand: U+0000–001F but tab, LF and CR, and U+007F–009F."""
        low = (self.bytes < 32) & (self.bytes != 9) & (self.bytes != 10) & (self.bytes != 13) | (self.bytes == 127)
        high = (self.bytes[:-1] == 0xC2) & (self.bytes[1:] < 0xA0)
        low[:-1] |= high
        return np.flatnonzero(low)

    def replacements(self) -> np.ndarray:
        """Return where U+FFFD stands."""
        first, second, third = self.bytes[:-2], self.bytes[1:-1], self.bytes[2:]
        return np.flatnonzero((first == 0xEF) & (second == 0xBF) & (third == 0xBD))


def blocks(texts: Texts) -> Iterator[Block]:
    """Yield the texts in blocks, in order; texts of no bytes are in none."""
    spans: list[tuple[int, int, int]] = []
    size = 0
    for span in _spans(texts):
        spans.append(span)
        size += span[2] - span[1]
        if size >= _BLOCK:
            yield Block(texts, spans)
            spans, size = [], 0
    if spans:
        yield Block(texts, spans)


def _spans(texts: Texts) -> Iterator[tuple[int, int, int]]:
    """The document, start and end in `texts.data` of each span."""
    for number, (start, end) in enumerate(zip(texts.starts.tolist(), texts.ends.tolist(), strict=True)):
        while start < end:
            cut = end if end - start <= _BLOCK else texts.data.find(b"\n", start + _BLOCK, end) + 1 or end
            yield number, start, cut
            start = cut
