"""Telling how far the reading is, and stopping it."""

from __future__ import annotations

from collections.abc import Callable

from bpe_core.errors import Stopped

OnBytes = Callable[[int], bool | None]
"""Called as on_progress(bytes read so far), once for each megabyte or 1,024 rows; a true answer stops the reading."""

Tell = Callable[[int], None]
"""Called with the bytes read so far; raises Stopped if the reading is to stop."""


def say_nothing(num_bytes: int) -> None:
    """Tell nobody."""


def telling(on_progress: OnBytes | None, before: int = 0) -> Tell:
    """Return what tells `on_progress` the bytes read so far, after `before` bytes of other files."""
    if on_progress is None:
        return say_nothing

    def tell(num_bytes: int) -> None:
        if on_progress(before + num_bytes):
            raise Stopped("Reading was stopped.")

    return tell
