"""What stands where a page would, while its training is not there yet: progress with a Stop, or an estimate."""

from __future__ import annotations

import streamlit as st

from bpe_core import Training
from pages.ui import learning, state
from pages.ui.estimates import Estimate
from pages.ui.jobs import Job, Progress, Stage
from pages.ui.words import duration, file_size, number, ordinal

_SECONDS_BETWEEN_LOOKS = 0.25
STOP_HELP = "Stops learning and keeps what was learned so far."


def draw_instead_of_page(waiting: Job | Estimate) -> None:
    """Draw why there is no page yet, and what the visitor can do."""
    if isinstance(waiting, Estimate):
        _draw_estimate(waiting)
    elif waiting.is_running:
        draw_progress(waiting, "page")
    elif waiting.training or waiting.error:  # it ended while this page was drawn
        st.rerun()
    else:
        st.info("Stopped before anything was learned.")
        st.button("Start again", type="primary", on_click=learning.start, args=(waiting.request,))


def draw_progress(job: Job, place: str) -> None:
    """Draw how far a job is, until it ends, with a Stop button.

    The button is the page's and not the fragment's: Streamlit drops the click on a button of a fragment
    that the next run of the page does not draw again, and this one moves between page and sidebar.
    """
    _draw_bar(job)
    st.button("Stop", on_click=job.stop, key=f"stop_{place}", shortcut="Esc", disabled=job.is_stopping, help=STOP_HELP)


@st.fragment(run_every=_SECONDS_BETWEEN_LOOKS)
def _draw_bar(job: Job) -> None:
    """Draw how far a job is, again and again until it ends; then run the page again.

    One element, because Streamlit's page may lose the first of several that a fragment draws
    right after the page, and then finds no place for the second.
    """
    job.seen()
    if not job.is_running:
        st.rerun()
    progress = job.progress
    st.progress(progress.share, progress_sentence(job.is_stopping, progress))


def draw_other_job(shown: object) -> None:
    """Draw in the sidebar how far the visitor's job is, if the page shows something else meanwhile."""
    job = state.session().job
    if job and job.is_running and job is not shown:
        st.caption("Another training is at work:")
        draw_progress(job, "sidebar")


def draw_stopped(training: Training) -> None:
    """Draw the way to learn on after a training was stopped, and why it was, if not by the visitor."""
    jobs = (state.session().job, state.session().stopped)
    job = next((each for each in jobs if each and each.training is training), None)
    if not job:
        return
    if job.stopped_by_absence:
        st.caption("It was stopped because this page was closed or asleep for some minutes.")
    st.button("Learn on", on_click=learning.start, args=(job.request,), help="Learns again, this time to the end.")


def progress_sentence(is_stopping: bool, progress: Progress) -> str:
    """Return what a job is doing, in words."""
    left = f"; about {duration(progress.seconds_left)} left" if progress.seconds_left is not None else ""
    if is_stopping:
        return "Stopping…"
    if progress.stage == Stage.QUEUED:
        return _queue_sentence(progress.place)
    if progress.stage == Stage.COUNTING:
        return f"Counting chunks: {file_size(progress.done)} of {file_size(progress.wanted)}{left}, then it learns."
    return f"Learning merge {number(progress.done)} of {number(progress.wanted)}{left}."


def _queue_sentence(place: int) -> str:
    if not place:
        return "Starting…"
    return f"Waiting: other visitors' texts are being learned. Yours is {ordinal(place)} in the queue."


def _draw_estimate(estimate: Estimate) -> None:
    corpus = estimate.request.corpus
    st.info(
        f"This is a long text: {file_size(corpus.num_bytes)}. Learning up to "
        f"{number(estimate.request.settings.largest_size)} entries takes about {duration(estimate.seconds)} and "
        f"{file_size(estimate.memory_bytes)} of this server's memory, judged by 1 MB from all over it; longer if "
        "others use the server. You can stop at any time and keep what was learned, and look at other pages meanwhile."
    )
    start, part = st.columns(2)
    start.button("Start learning", type="primary", on_click=learning.start, args=(estimate.request,), width="stretch")
    part.button("Use a part of it…", on_click=state.open_dialog, args=("about",), width="stretch")
