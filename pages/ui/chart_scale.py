"""Where a number of merges stands on an axis."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

_LOG_STRETCH = 8  # merges up to this rank are spread about evenly, later ones by their logarithm


def axis_position(merges: np.ndarray | int, log: bool) -> np.ndarray | float:
    """Return where a number of merges stands on the x axis.

    On the logarithmic scale it is ln(1 + k/8), which has a place for 0 merges; on the linear one k itself.

    >>> float(axis_position(0, log=True)), float(axis_position(5, log=False))
    (0.0, 5.0)
    """
    return np.log1p(np.asarray(merges, float) / _LOG_STRETCH) if log else np.asarray(merges, float)


def apart(places: Sequence[float], least: float) -> list[float]:
    """Return ascending `places` moved so that neighbours are at least `least` apart, all together as little as can be.

    Places that would overlap spread around their middle (least squares, by pooling neighbours).

    >>> apart([0.0, 0.5, 9.0], 1.0)
    [-0.25, 0.75, 9.0]
    """
    pools: list[tuple[float, int]] = []
    for number, place in enumerate(places):
        total, size = place - number * least, 1
        while pools and pools[-1][0] / pools[-1][1] >= total / size:
            before = pools.pop()
            total, size = total + before[0], size + before[1]
        pools.append((total, size))
    starts = [total / size for total, size in pools for _ in range(size)]
    return [start + number * least for number, start in enumerate(starts)]
