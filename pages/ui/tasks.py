"""Task: a function in a thread of its own, while the page that waits for it can still be left."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from time import monotonic
from typing import Generic, TypeVar

import streamlit as st

T = TypeVar("T")
_SECONDS_BETWEEN_LOOKS = 0.2
_SECONDS_WITHOUT_A_WORD = 0.4


class Task(Generic[T]):
    """What `work` returns or raises, when it is there. `note(done)` tells `work` whether to stop.

    >>> Task(lambda note: 1 + 1).result()
    2
    """

    def __init__(self, work: Callable[[Callable[[float], bool]], T]) -> None:
        self.share = 0.0
        self._stop, self._ended = Event(), Event()
        self._result: T | None = None
        self._error: Exception | None = None
        Thread(target=self._run, args=(work,), name="task", daemon=True).start()

    def stop(self) -> None:
        """Ask the work to stop; its result is wanted no more."""
        self._stop.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Return whether the work has ended, at the latest after so many seconds."""
        return self._ended.wait(seconds)

    def result(self) -> T:
        """Return the result, or raise what the work raised; wait for it if need be."""
        self._ended.wait()
        if self._error:
            raise self._error
        return self._result

    def _run(self, work: Callable[[Callable[[float], bool]], T]) -> None:
        try:
            self._result = work(self._note)
        except Exception as error:  # whoever asks for the result gets it, as if it had run there
            self._error = error
        finally:
            self._ended.set()

    def _note(self, share: float) -> bool:
        self.share = share
        return self._stop.is_set()


def result_shown(task: Task[T], sentence: str) -> T:
    """Return the result of a task; draw a progress bar while it is not there.

    Whatever the visitor does meanwhile interrupts the waiting, not the task.
    """
    if task.wait(_SECONDS_WITHOUT_A_WORD):
        return task.result()
    bar, started = st.empty(), monotonic()
    while not task.wait(_SECONDS_BETWEEN_LOOKS):
        bar.progress(min(task.share, 1.0), f"{sentence} {monotonic() - started:.0f} s")
    bar.empty()
    return task.result()
