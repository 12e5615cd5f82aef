"""Places of a pair that overlap, as in `aaa`: of each run the first, third, … are joined."""

from __future__ import annotations

import numpy as np


def every_second(continues: np.ndarray) -> np.ndarray:
    """In each run of overlapping places (`continues`: the next one overlaps), mark the first, third, …

    >>> every_second(np.array([True, True, False]))
    array([ True, False,  True,  True])
    """
    number = np.arange(len(continues) + 1)
    begins = np.append(True, ~continues)
    return (number - np.maximum.accumulate(np.where(begins, number, 0))) & 1 == 0
