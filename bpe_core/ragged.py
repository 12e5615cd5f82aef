"""Sequences of different lengths laid side by side: `flat`, and `offsets` where each begins and the last ends."""

from __future__ import annotations

import numpy as np


def gathered(flat: np.ndarray, offsets: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the sequences of these `numbers` side by side, in their order, and the new offsets.

    >>> gathered(np.array([7, 8, 9]), np.array([0, 2, 3]), np.array([1, 0, 1]))
    (array([9, 7, 8, 9]), array([0, 1, 3, 4]))
    """
    starts, lengths = offsets.take(numbers), np.diff(offsets).take(numbers)
    new_offsets = np.append(0, np.cumsum(lengths))
    places = np.repeat(starts - new_offsets[:-1], lengths)
    places += np.arange(len(places))
    return flat.take(places), new_offsets
