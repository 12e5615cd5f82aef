"""How long work can be stopped: it calls a check between its parts, which asks the caller now and then."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

Check = Callable[[], None]
"""Called between the parts of long work, some times a second; raises `StopAsked` to end it."""

_SECONDS_BETWEEN_CALLS = 0.1


class StopAsked(Exception):
    """The caller wants no more of it."""


def go_on() -> None:
    """Never stop: the check of work that nobody watches."""


def checker(ask: Callable[[], bool | None]) -> Check:
    """Return a check that calls `ask` at most every tenth of a second; a true answer raises `StopAsked`."""
    next_call = 0.0

    def check() -> None:
        nonlocal next_call
        if monotonic() >= next_call:
            if ask():
                raise StopAsked
            next_call = monotonic() + _SECONDS_BETWEEN_CALLS

    return check
