"""The training that a page needs: finished already, stopped, under way, or waiting for the visitor's word.

One visitor has one job. A newer one replaces it, except that the training side of
a text waits until the whole text is learned, so that looking at another page stops nothing.
"""

from __future__ import annotations

from bpe_core import StopReason, Training
from pages.ui import state
from pages.ui.cached import workshop
from pages.ui.corpus import Corpus
from pages.ui.estimates import Estimate, estimate
from pages.ui.jobs import Job, Request

PATIENCE_SECONDS = 1.0
"""So long after its start a page waits for a training, or after Stop, before it shows a progress bar instead."""

LONG_BYTES = 20_000_000
"""Above this size the visitor first sees how long it will take."""


def training_for(request: Request, text: Corpus) -> Training | Job | Estimate:
    """Return what the page can show now: the training, or the job that makes it, or what the job would take.

    `text` is the one chosen in the sidebar; the request may be for its training side.
    Raises BpeError if the text or the settings cannot be used.
    """
    if ready := workshop().training(request) or _ended_training(request):
        return ready
    job = state.session().job
    if job and job.is_running and request.corpus is not text and job.request == Request(text, request.settings):
        return job
    if not job or job.request.key != request.key:
        if request.corpus.num_bytes > LONG_BYTES and request.key not in state.session().agreed:
            return estimate(request)
        job = start(request)
    return _result(job)


def start(request: Request) -> Job:
    """Start a job for this visitor in place of the one that runs, and return it."""
    session = state.session()
    if session.job:
        session.job.stop()
        if session.job.training and was_stopped(session.job.training):
            session.stopped = session.job
    if session.stopped and session.stopped.request.key == request.key:
        session.stopped = None
    session.agreed.add(request.key)
    session.job = Job(request, workshop()).start()
    return session.job


def _result(job: Job) -> Training | Job:
    job.seen()
    job.wait(PATIENCE_SECONDS if job.is_stopping else PATIENCE_SECONDS - job.age)
    if job.error:
        raise job.error
    return job if job.is_running or job.training is None else job.training


def _ended_training(request: Request) -> Training | None:
    jobs = (state.session().job, state.session().stopped)
    ended = (job for job in jobs if job and not job.is_running and job.request.key == request.key)
    return next((job.training for job in ended if job.training), None)


def was_stopped(training: Training) -> bool:
    """Whether a training holds fewer merges because it was stopped."""
    return training.stopped_because == StopReason.STOPPED
