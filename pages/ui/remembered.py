"""A bounded memory of results, shared by all visitors, from which one text's results can be dropped."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Remembered(Generic[T]):
    """Results by (digest of a text, settings); the ones unused longest go first when there are too many.

    `num_bytes` tells about how much memory a result takes; `most_bytes` bounds their sum,
    except that the newest result always stays.

    >>> memory = Remembered(most_entries=2, most_bytes=100, num_bytes=len)
    >>> for digest in "abc":
    ...     memory.put(digest, "settings", digest.encode())
    >>> memory.get("a", "settings"), memory.get("c", "settings")
    (None, b'c')
    """

    def __init__(self, *, most_entries: int, most_bytes: int, num_bytes: Callable[[T], int]) -> None:
        self._most_entries, self._most_bytes, self._num_bytes = most_entries, most_bytes, num_bytes
        self._results: OrderedDict[tuple[str, Hashable], T] = OrderedDict()
        self._lock = Lock()

    def get(self, digest: str, settings: Hashable) -> T | None:
        """Return the result, or None if there is none (any more)."""
        with self._lock:
            if (digest, settings) in self._results:
                self._results.move_to_end((digest, settings))
            return self._results.get((digest, settings))

    def put(self, digest: str, settings: Hashable, result: T) -> None:
        """Remember a result, and let the oldest go if there are too many now."""
        with self._lock:
            self._results[digest, settings] = result
            self._results.move_to_end((digest, settings))
            while len(self._results) > 1 and self._is_too_much():
                self._results.popitem(last=False)

    def forget(self, digest: str) -> None:
        """Drop all results of this text."""
        with self._lock:
            for key in [key for key in self._results if key[0] == digest]:
                del self._results[key]

    def _is_too_much(self) -> bool:
        return len(self._results) > self._most_entries or sum(map(self._num_bytes, self._results.values())) > (
            self._most_bytes
        )
