"""Where a number of merges stands on an axis, and which numbers are drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

MOST_POINTS = 2_000
"""Points drawn of one line; the browser stays quick and dashes stay visible."""

_LOG_STRETCH = 8  # merges up to this rank are spread about evenly, later ones by their logarithm


def axis_position(merges: np.ndarray | int, log: bool) -> np.ndarray | float:
    """Return where a number of merges stands on the x axis.

    On the logarithmic scale it is ln(1 + k/8), which has a place for 0 merges; on the linear one k itself.

    >>> float(axis_position(0, log=True)), float(axis_position(5, log=False))
    (0.0, 5.0)
    """
    return np.log1p(np.asarray(merges, float) / _LOG_STRETCH) if log else np.asarray(merges, float)


def drawn_points(num_merges: int, log: bool, also: Sequence[int] = (), most: int = MOST_POINTS) -> np.ndarray:
    """Return at most `most` numbers of merges from 0 to `num_merges`, evenly apart on the axis; `also` are among them.

    >>> drawn_points(1000, log=False, also=[7], most=4).tolist()
    [0, 7, 500, 1000]
    """
    room = most - len(also)
    if num_merges < most:
        return np.arange(num_merges + 1)
    even = np.linspace(0, float(axis_position(num_merges, log)), room)
    merges = np.expm1(even) * _LOG_STRETCH if log else even
    return np.unique(np.concatenate([np.rint(merges).astype(np.int64), np.array(also, np.int64)]))
