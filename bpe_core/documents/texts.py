"""Many texts side by side in one row of UTF-8 bytes, each decoded only when it is asked for.

A tuple of strings would hold a text of 100 MB up to four times over (one emoji
makes Python keep four bytes for every character); this holds it once, and a
selection of the texts shares it.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import overload

import numpy as np


@dataclass(frozen=True, eq=False)
class Texts(Sequence[str]):
    """Text i is `data[starts[i]:ends[i]]` in UTF-8. Reads like a tuple of `str`, and equals one.

    >>> texts = Texts.of([b"low", "é".encode()])
    >>> texts[1], len(texts), texts.num_bytes, texts == ("low", "é")
    ('é', 2, 5, True)
    """

    data: bytes
    starts: np.ndarray
    ends: np.ndarray

    @classmethod
    def of(cls, pieces: Iterable[bytes]) -> Texts:
        """Return the texts whose UTF-8 bytes are `pieces`; the caller has made sure that they are UTF-8."""
        data = io.BytesIO()  # gives its bytes away without a copy
        ends = np.cumsum([data.write(piece) for piece in pieces], dtype=np.int64)
        return cls.cut(data.getvalue(), ends)

    @classmethod
    def cut(cls, data: bytes, ends: np.ndarray) -> Texts:
        """Return the texts that stand in `data` one after the other and end at `ends`."""
        return cls(data, np.concatenate([np.zeros(1, np.int64), ends])[:-1].astype(np.int64), ends.astype(np.int64))

    @property
    def lengths(self) -> np.ndarray:
        """UTF-8 bytes of each text (int64)."""
        return self.ends - self.starts

    @property
    def num_bytes(self) -> int:
        """UTF-8 bytes of all texts."""
        return int(self.lengths.sum())

    @cached_property
    def sha256(self) -> str:
        """A fingerprint of the texts and their edges, in hex."""
        digest = sha256(self.lengths.astype("<i8").tobytes())
        for piece in self._runs():
            digest.update(piece)
        return digest.hexdigest()

    def encoded(self) -> Iterator[bytes]:
        """Yield the UTF-8 bytes of each text."""
        return (self.data[start:end] for start, end in zip(self.starts.tolist(), self.ends.tolist(), strict=True))

    def joined(self) -> bytes:
        """Return the UTF-8 bytes of all texts together."""
        return b"".join(self._runs())

    def _runs(self) -> Iterator[bytes]:
        """Yield the bytes of neighbours that touch in `data` at once."""
        breaks = np.flatnonzero(self.starts[1:] != self.ends[:-1]) + 1
        firsts, lasts = [0, *breaks.tolist()], [*breaks.tolist(), len(self)]
        for first, last in zip(firsts, lasts, strict=True):
            if first < last:
                yield self.data[self.starts[first] : self.ends[last - 1]]

    def selected(self, numbers: np.ndarray) -> Texts:
        """Return the texts with these numbers, in this order."""
        return Texts(self.data, self.starts[numbers], self.ends[numbers])

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, number: int) -> str: ...
    @overload
    def __getitem__(self, number: slice) -> tuple[str, ...]: ...
    def __getitem__(self, number: int | slice) -> str | tuple[str, ...]:
        if isinstance(number, slice):
            return tuple(self[each] for each in range(*number.indices(len(self))))
        at = range(len(self))[number]
        return self.data[self.starts[at] : self.ends[at]].decode()

    def __iter__(self) -> Iterator[str]:
        return map(bytes.decode, self.encoded())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Texts):
            return np.array_equal(self.lengths, other.lengths) and self.joined() == other.joined()
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # it compares by content, which may be 100 MB


def first_equals(texts: Texts) -> np.ndarray:
    """Return for each text the number of the first text that is equal to it, which may be its own.

    >>> first_equals(Texts.of([b"a", b"b", b"a", b"a"])).tolist()
    [0, 1, 0, 0]
    """
    firsts = np.arange(len(texts))
    # Texts of different hash differ; only those that share one need to be compared, and kept meanwhile.
    hashes = np.fromiter(map(hash, texts.encoded()), np.int64, len(texts))
    _, places, counts = np.unique(hashes, return_inverse=True, return_counts=True)
    candidates = np.flatnonzero(counts[places] > 1)
    seen: dict[bytes, int] = {}
    for number, piece in zip(candidates.tolist(), texts.selected(candidates).encoded(), strict=True):
        firsts[number] = seen.setdefault(piece, number)
    return firsts
