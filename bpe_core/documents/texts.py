"""Many texts side by side in one row of UTF-8 bytes, each decoded only when it is asked for.

A tuple of strings would hold a text of 100 MB up to four times over (one emoji
makes Python keep four bytes for every character); this holds it once.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import overload

import numpy as np


@dataclass(frozen=True, eq=False)
class Texts(Sequence[str]):
    """Text i is `data[offsets[i]:offsets[i + 1]]` in UTF-8. Reads like a tuple of `str`, and equals one.

    >>> texts = Texts.of([b"low", "é".encode()])
    >>> texts[1], len(texts), texts.num_bytes, texts == ("low", "é")
    ('é', 2, 5, True)
    """

    data: bytes
    offsets: np.ndarray

    @classmethod
    def of(cls, pieces: Iterable[bytes]) -> Texts:
        """Return the texts whose UTF-8 bytes are `pieces`; the caller has made sure that they are UTF-8."""
        data = io.BytesIO()  # gives its bytes away without a copy
        lengths = [data.write(piece) for piece in pieces]
        return cls(data.getvalue(), np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64))

    @property
    def lengths(self) -> np.ndarray:
        """UTF-8 bytes of each text (int64)."""
        return np.diff(self.offsets)

    @property
    def num_bytes(self) -> int:
        """UTF-8 bytes of all texts."""
        return len(self.data)

    def encoded(self) -> Iterator[bytes]:
        """Yield the UTF-8 bytes of each text."""
        return (self.data[start:end] for start, end in pairwise(self.offsets.tolist()))

    def selected(self, numbers: np.ndarray) -> Texts:
        """Return the texts with these numbers, in this order, as a copy."""
        starts, ends = self.offsets[:-1][numbers].tolist(), self.offsets[1:][numbers].tolist()
        return Texts.of(self.data[start:end] for start, end in zip(starts, ends, strict=True))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, number: int) -> str: ...
    @overload
    def __getitem__(self, number: slice) -> tuple[str, ...]: ...
    def __getitem__(self, number: int | slice) -> str | tuple[str, ...]:
        if isinstance(number, slice):
            return tuple(self[each] for each in range(*number.indices(len(self))))
        at = range(len(self))[number]
        return self.data[self.offsets[at] : self.offsets[at + 1]].decode()

    def __iter__(self) -> Iterator[str]:
        return map(bytes.decode, self.encoded())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Texts):
            return self.data == other.data and np.array_equal(self.offsets, other.offsets)
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # it compares by content, which may be 100 MB
