"""Distinct byte strings with their counts, collected as a stream, in order of first occurrence.

Arrow counts some blocks of text at once (exactly: it compares the bytes, not only their hashes). The
results are put together whenever they have outgrown what is already together,
so the work stays linear and the memory that of the distinct strings.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute  # value_counts would import it at its first call

_ALWAYS_WAIT = 500_000  # distinct strings that may wait before they are put together


Counted: TypeAlias = "tuple[pa.Array, np.ndarray]"
"""Distinct strings, in order of first occurrence, and how often each occurs."""


def counted(cut: Iterable[tuple[bytes, np.ndarray]]) -> Counted:
    """Count the strings of each content between its neighbouring edges (int64)."""
    found = pa.chunked_array([_strings(content, edges) for content, edges in cut]).value_counts()
    return found.field("values"), _numbers(found.field("counts"), np.int64)


class DistinctCounter:
    """Counts byte strings that come side by side in blocks.

    >>> counter = DistinctCounter()
    >>> counter.add(counted([(b"lowlow ", np.array([0, 3, 6, 7]))]))
    >>> data, offsets, counts = counter.result()
    >>> data.tobytes(), offsets.tolist(), counts.tolist()
    (b'low ', [0, 3, 4], [2, 1])
    """

    def __init__(self) -> None:
        self._strings = [pa.nulls(0, pa.large_binary())]  # not pa.array: its first call imports pandas
        self._counts = [np.empty(0, np.int64)]

    def add(self, block: Counted) -> None:
        """Take in the strings of the next block."""
        strings, counts = block
        self._strings.append(strings)
        self._counts.append(counts)
        waiting = sum(map(len, self._counts[1:]))
        if waiting > max(len(self._counts[0]), _ALWAYS_WAIT):
            self._put_together()

    def result(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the distinct strings side by side (uint8), where each begins and all end (int64), and the counts."""
        self._put_together()
        return *_side_by_side(self._strings[0]), self._counts[0]

    def _put_together(self) -> None:
        encoded = pa.concat_arrays(self._strings).dictionary_encode()
        counts = np.zeros(len(encoded.dictionary), np.int64)
        np.add.at(counts, _numbers(encoded.indices, np.int32), np.concatenate(self._counts))
        self._strings, self._counts = [encoded.dictionary], [counts]


def numbered(content: bytes, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the distinct strings of `content` between neighbouring `edges` (int64), and each one's number.

    The distinct strings stand side by side (uint8), with where each begins and all end (int64).

    >>> data, offsets, numbers = numbered(b"lowlow ", np.array([0, 3, 6, 7]))
    >>> data.tobytes(), offsets.tolist(), numbers.tolist()
    (b'low ', [0, 3, 4], [0, 0, 1])
    """
    encoded = _strings(content, edges).dictionary_encode()
    return *_side_by_side(encoded.dictionary), _numbers(encoded.indices, np.int32)


def _strings(content: bytes, edges: np.ndarray) -> pa.Array:
    buffers = [None, pa.py_buffer(edges), pa.py_buffer(content)]
    return pa.Array.from_buffers(pa.large_binary(), len(edges) - 1, buffers)


def _side_by_side(strings: pa.Array) -> tuple[np.ndarray, np.ndarray]:
    """The bytes of `strings` and where each begins and all end; `to_numpy` would import pandas."""
    _, offsets, content = strings.buffers()
    edges = _values(offsets, np.int64, len(strings) + 1, strings.offset)
    return _values(content, np.uint8, int(edges[-1]), 0), edges


def _numbers(array: pa.Array, kind: type) -> np.ndarray:
    return _values(array.buffers()[1], kind, len(array), array.offset)


def _values(buffer: pa.Buffer | None, kind: type, length: int, offset: int) -> np.ndarray:
    if buffer is None or not buffer.size:
        return np.zeros(length, kind)
    return np.frombuffer(buffer, kind, length, offset * np.dtype(kind).itemsize)
