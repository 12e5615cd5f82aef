"""Distinct byte strings with their counts, collected as a stream, in order of first occurrence.

Arrow counts each block (exactly: it compares the bytes, not only their hashes). The
blocks' results are put together whenever they have outgrown what is already together,
so the work stays linear and the memory that of the distinct strings.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

_ALWAYS_WAIT = 500_000  # distinct strings that may wait before they are put together


class DistinctCounter:
    """Counts byte strings that come side by side in blocks.

    >>> counter = DistinctCounter()
    >>> counter.add(b"lowlow ", np.array([0, 3, 6, 7]))
    >>> data, offsets, counts = counter.result()
    >>> data.tobytes(), offsets.tolist(), counts.tolist()
    (b'low ', [0, 3, 4], [2, 1])
    """

    def __init__(self) -> None:
        self._strings = [pa.nulls(0, pa.large_binary())]  # not pa.array: its first call imports pandas
        self._counts = [np.empty(0, np.int64)]

    def add(self, content: bytes, edges: np.ndarray) -> None:
        """Count the strings of `content` between neighbouring `edges` (int64)."""
        buffers = [None, pa.py_buffer(edges), pa.py_buffer(content)]
        counted = pa.Array.from_buffers(pa.large_binary(), len(edges) - 1, buffers).value_counts()
        self._strings.append(counted.field("values"))
        self._counts.append(_int64_values(counted.field("counts")))
        waiting = sum(map(len, self._counts[1:]))
        if waiting > max(len(self._counts[0]), _ALWAYS_WAIT):
            self._put_together()

    def result(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the distinct strings side by side (uint8), where each begins and all end (int64), and the counts."""
        self._put_together()
        strings = self._strings[0]
        _, offsets, content = strings.buffers()
        edges = np.frombuffer(offsets, np.int64, len(strings) + 1, strings.offset * 8) if offsets else np.zeros(1, int)
        data = np.frombuffer(content, np.uint8, edges[-1]) if content else np.empty(0, np.uint8)
        return data, edges, self._counts[0]

    def _put_together(self) -> None:
        encoded = pa.concat_arrays(self._strings).dictionary_encode()
        counts = np.zeros(len(encoded.dictionary), np.int64)
        np.add.at(
            counts, np.frombuffer(encoded.indices.buffers()[1], np.int32, len(encoded)), np.concatenate(self._counts)
        )
        self._strings, self._counts = [encoded.dictionary], [counts]


def _int64_values(array: pa.Array) -> np.ndarray:
    return np.frombuffer(array.buffers()[1], np.int64, len(array), array.offset * 8)
