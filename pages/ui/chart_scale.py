"""Where a number of merges stands on an axis."""

from __future__ import annotations

import numpy as np

_LOG_STRETCH = 8  # merges up to this rank are spread about evenly, later ones by their logarithm


def axis_position(merges: np.ndarray | int, log: bool) -> np.ndarray | float:
    """Return where a number of merges stands on the x axis.

    On the logarithmic scale it is ln(1 + k/8), which has a place for 0 merges; on the linear one k itself.

    >>> float(axis_position(0, log=True)), float(axis_position(5, log=False))
    (0.0, 5.0)
    """
    return np.log1p(np.asarray(merges, float) / _LOG_STRETCH) if log else np.asarray(merges, float)
