"""The queue before long work: a few at once, the others in the order in which they came."""

from __future__ import annotations

from collections.abc import Callable
from threading import Condition

_LOOK_AGAIN_SECONDS = 0.1


class Queue:
    """At most `width` tickets are inside at once. Everyone who waits has a ticket of their own, any object.

    >>> queue = Queue(1)
    >>> queue.enter("first"), queue.place("first")
    (True, 0)
    >>> queue.leave("first")
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self._tickets: list[object] = []
        self._changed = Condition()

    def enter(self, ticket: object, gives_up: Callable[[], bool] = lambda: False) -> bool:
        """Wait until the ticket is inside, and return True; return False if `gives_up` says so before."""
        with self._changed:
            self._tickets.append(ticket)
            while self._place(ticket) and not gives_up():
                self._changed.wait(_LOOK_AGAIN_SECONDS)
            if not self._place(ticket):
                return True
        self.leave(ticket)
        return False

    def leave(self, ticket: object) -> None:
        """Make room for the next."""
        with self._changed:
            if ticket in self._tickets:
                self._tickets.remove(ticket)
            self._changed.notify_all()

    def place(self, ticket: object) -> int:
        """Return 0 if the ticket is inside, else its place among those who wait, from 1."""
        with self._changed:
            return self._place(ticket)

    def _place(self, ticket: object) -> int:
        return max(0, self._tickets.index(ticket) - self.width + 1) if ticket in self._tickets else 0
