"""Job: one training in a thread of its own, which tells how far it is and can be stopped.

No Streamlit here: a page starts a job, asks it, and draws what it says. Finished
trainings go to a memory that all visitors share; a stopped one stays with its job.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from math import log1p
from threading import Event, Thread
from time import monotonic
from typing import NamedTuple

from bpe_core import ChunkCounts, Pattern, StopReason, Training, count_chunks, train
from bpe_core.chunks import OnBytes
from bpe_core.errors import Stopped
from pages.ui.corpus import Corpus
from pages.ui.job_queue import Queue
from pages.ui.remembered import Remembered
from pages.ui.run import Settings

MOST_SECONDS_UNSEEN = 240.0
"""A job ends if no page asked for it so long: its tab is closed. A tab in the background asks once a minute."""

_SECONDS_BEFORE_A_GUESS = 1.0
_SLOW_MERGES = 20  # a merge takes time in proportion to its count, which falls about as 1 / (rank + 20)


class Stage(StrEnum):
    """What a job is doing."""

    QUEUED = "waiting"
    COUNTING = "counting chunks"
    LEARNING = "learning"
    DONE = "done"


class Progress(NamedTuple):
    """How far a job is: bytes counted, or merges learned, of those wanted; `place` in the queue, from 1."""

    stage: Stage
    done: int = 0
    wanted: int = 0
    seconds_left: float | None = None
    place: int = 0

    @property
    def share(self) -> float:
        """How much of this stage is done, from 0 to 1; the first merges take much more time than the last."""
        if not self.wanted:
            return 0.0
        share = min(1.0, self.done / self.wanted)
        if self.stage == Stage.LEARNING:
            return (share + log1p(self.done / _SLOW_MERGES) / log1p(self.wanted / _SLOW_MERGES)) / 2
        return share


@dataclass(frozen=True)
class Request:
    """What to learn: from which text, with which settings."""

    corpus: Corpus
    settings: Settings

    @property
    def key(self) -> tuple[str, Settings]:
        """Equal for requests that learn the same."""
        return self.corpus.digest, self.settings


SHORT_BYTES = 2_000_000
"""Texts up to this size have a queue of their own, so that nobody waits for a long training to see a short text."""

AT_ONCE = 2
"""So many long trainings run at once on a server, and so many short ones."""


def _memory_of_counts(counts: ChunkCounts) -> int:
    return counts.data.nbytes + counts.offsets.nbytes + counts.counts.nbytes


def _memory_of(training: Training) -> int:
    return _memory_of_counts(training.chunk_counts) + 600 * training.tokenizer.num_merges


class Workshop:
    """What all visitors share: chunk counts, finished trainings, and the queues before new ones."""

    def __init__(self) -> None:
        self.counts: Remembered[ChunkCounts] = Remembered(
            most_entries=64, most_bytes=200_000_000, num_bytes=_memory_of_counts
        )
        self.trainings: Remembered[Training] = Remembered(most_entries=64, most_bytes=300_000_000, num_bytes=_memory_of)
        self._short, self._long = Queue(AT_ONCE), Queue(AT_ONCE)

    def queue(self, request: Request) -> Queue:
        """Return the queue in which this training waits for its turn."""
        return self._short if request.corpus.num_bytes <= SHORT_BYTES else self._long

    def training(self, request: Request) -> Training | None:
        """Return the training asked for, if it is there."""
        return self.trainings.get(request.corpus.text_digest, request.key)

    def chunk_counts(self, corpus: Corpus, pattern: Pattern, on_progress: OnBytes | None = None) -> ChunkCounts:
        """Return the chunks of this corpus with their counts, counted once."""
        key = corpus.digest, pattern
        counts = self.counts.get(corpus.text_digest, key)
        if counts is None:
            counts = count_chunks(corpus.documents, pattern, on_progress=on_progress)
            self.counts.put(corpus.text_digest, key, counts)
        return counts

    def forget(self, digest: str) -> None:
        """Drop all that was made of this text."""
        self.counts.forget(digest)
        self.trainings.forget(digest)


@dataclass(eq=False)
class Job:
    """One training under way, or ended: then `training` or `error` is set, or neither if it was stopped too early."""

    request: Request
    workshop: Workshop
    clock: Callable[[], float] = monotonic
    training: Training | None = None
    error: Exception | None = None
    stopped_by_absence: bool = False
    stage: Stage = Stage.QUEUED
    _stop: Event = field(default_factory=Event)
    _ended: Event = field(default_factory=Event)
    _done: int = 0
    _wanted: int = 0
    _started: float = 0.0
    _began: float = 0.0
    _seen: float = 0.0

    def start(self) -> Job:
        """Begin, and return at once."""
        self._started = self.clock()
        self.seen()
        Thread(target=self._work, name="training", daemon=True).start()
        return self

    def seen(self) -> None:
        """Say that someone still waits for this job."""
        self._seen = self.clock()

    def stop(self) -> None:
        """Ask to stop. What was learned so far is kept; before that there is nothing to keep or to wait for."""
        self._stop.set()
        if self.stage in (Stage.QUEUED, Stage.COUNTING):
            self._ended.set()

    def wait(self, seconds: float) -> bool:
        """Return whether the job has ended, at the latest after so many seconds (at once if there are none)."""
        return self._ended.wait(max(0.0, seconds))

    @property
    def age(self) -> float:
        """Seconds since the start."""
        return self.clock() - self._started

    @property
    def is_running(self) -> bool:
        """Whether it is still worth asking."""
        return not self._ended.is_set()

    @property
    def is_stopping(self) -> bool:
        """Whether it was asked to stop."""
        return self._stop.is_set()

    @property
    def progress(self) -> Progress:
        """How far it is, and about how many seconds this stage still takes (None if that is not known yet)."""
        if not self.is_running:
            return Progress(Stage.DONE)
        place = self.workshop.queue(self.request).place(self) if self.stage == Stage.QUEUED else 0
        progress = Progress(self.stage, self._done, self._wanted, place=place)
        return progress._replace(seconds_left=self._seconds_left(progress.share))

    def _work(self) -> None:
        queue = self.workshop.queue(self.request)
        try:
            if queue.enter(self, self._gives_up):
                self._learn()
        except Stopped:
            pass
        except Exception as error:  # whoever asks for the training gets it, as if it had run there
            self.error = error
        finally:
            queue.leave(self)
            self._ended.set()

    def _learn(self) -> None:
        corpus, settings = self.request.corpus, self.request.settings
        self.training = self.workshop.training(self.request)  # another visitor's job may have made it meanwhile
        if self.training:
            return
        self._enter(Stage.COUNTING, corpus.num_bytes)
        counts = self.workshop.chunk_counts(corpus, settings.pattern, self._note)
        self._enter(Stage.LEARNING, settings.largest_size - 256 - len(settings.specials))
        self.training = train(
            counts,
            settings.largest_size,
            specials=settings.specials,
            min_count=settings.min_count,
            on_progress=lambda done, _: self._note(done),
        )
        self.training.tokenizer.build_tables()  # here, so that the first page need not
        if self.training.stopped_because != StopReason.STOPPED:
            self.workshop.trainings.put(corpus.text_digest, self.request.key, self.training)

    def _enter(self, stage: Stage, wanted: int) -> None:
        if self._gives_up():
            raise Stopped("The job was stopped before it began.")
        self.stage, self._done, self._wanted, self._began = stage, 0, wanted, self.clock()

    def _note(self, done: int) -> bool:
        self._done = done
        return self._gives_up()

    def _gives_up(self) -> bool:
        if self.clock() - self._seen > MOST_SECONDS_UNSEEN and not self._stop.is_set():
            self.stopped_by_absence = True
            self._stop.set()
        return self._stop.is_set()

    def _seconds_left(self, share: float) -> float | None:
        elapsed = self.clock() - self._began
        if self.stage == Stage.QUEUED or not share or elapsed < _SECONDS_BEFORE_A_GUESS:
            return None
        return elapsed * (1 - share) / share
