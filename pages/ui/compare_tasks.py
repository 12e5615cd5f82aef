"""Long work of the page Compare: remembered if it was done before, else a task with its progress and a Stop button."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

import streamlit as st

from pages.ui import state
from pages.ui.compression_memory import already, remembered
from pages.ui.corpus import Corpus
from pages.ui.tasks import Task

T = TypeVar("T")
Note = Callable[[float], bool]
"""Told how much is done, from 0 to 1; a true answer stops the work."""

PATIENCE_SECONDS = 0.4
"""So long a page waits for a result before it shows its progress instead."""

_SECONDS_BETWEEN_LOOKS = 0.25


def result_or_progress(
    slot: str,
    corpus: Corpus,
    key: Hashable,
    work: Callable[[Note], T | None],
    sentence: str,
    is_whole: Callable[[T], bool] = lambda _: True,
) -> T | None:
    """Return what `work` returns, made once for this corpus and key; None while it is not there, or was stopped.

    Then its progress stands on the page, with a Stop button, or the way to begin again. What is not whole was stopped
    too: it is returned, but not remembered. A visitor has one task in each `slot`: a newer one stops it.
    """
    if (found := already(corpus, key)) is not None:
        return found
    task = _task(slot, (corpus.text_digest, corpus.digest, key), work)
    if not task.wait(PATIENCE_SECONDS):
        _draw_progress(slot, task, sentence)
        return None
    result = task.result()
    if result is not None and is_whole(result):
        return remembered(corpus, key, lambda: result)
    row = st.container(horizontal=True, vertical_alignment="center")
    row.caption("Stopped before the end.")
    row.button("Start again", key=f"again_{slot}", on_click=_drop, args=(slot,))
    return result


def stop_tasks(*slots: str) -> None:
    """Stop what is at work for this visitor in these slots, because what it was for has changed."""
    tasks = state.session().compare_tasks
    for slot in slots:
        if slot in tasks:
            tasks.pop(slot)[1].stop()


def _task(slot: str, key: Hashable, work: Callable[[Note], T | None]) -> Task[T | None]:
    tasks = state.session().compare_tasks
    if slot in tasks and tasks[slot][0] == key:
        return tasks[slot][1]
    if slot in tasks:
        tasks[slot][1].stop()
    tasks[slot] = (key, Task(work))
    return tasks[slot][1]


def _drop(slot: str) -> None:
    state.session().compare_tasks.pop(slot, None)


def _draw_progress(slot: str, task: Task, sentence: str) -> None:
    row = st.container(horizontal=True, vertical_alignment="center")
    with row:
        _draw_bar(task, sentence)
    row.button("Stop", key=f"stop_{slot}", on_click=task.stop)


@st.fragment(run_every=_SECONDS_BETWEEN_LOOKS)
def _draw_bar(task: Task, sentence: str) -> None:
    if task.wait(0) or state.size_is_waiting():
        st.rerun()
    st.progress(min(task.share, 1.0), sentence)
