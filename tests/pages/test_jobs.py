"""Trainings in threads of their own: what they keep, when they stop, and who waits for whom."""

from threading import Event, Thread
from time import monotonic, sleep

import pytest

from bpe_core import BpeError, StopReason, count_chunks, named_pattern, train
from bpe_core.documents import documents_of_text
from bpe_core.samples import sample_documents
from pages.ui import jobs
from pages.ui.corpus import Corpus, sample_corpus
from pages.ui.job_queue import Queue
from pages.ui.jobs import Job, Request, Stage, Workshop
from pages.ui.remembered import Remembered
from pages.ui.run import Settings

GPT2 = Settings(named_pattern("gpt2"), (), 600, 2)
LONG = Settings(named_pattern("gpt2"), (), 30_000, 1)


class Clock:
    """A clock that a test sets."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def text_corpus(text):
    return Corpus.of_documents("text", documents_of_text(text))


def long_corpus():
    """Distinct words enough to learn from for some seconds."""
    words = (f"w{number * 7919 % 1_000_003:x}{number % 977:x}" for number in range(120_000))
    return text_corpus(" ".join(words))


def until(condition, seconds=20):
    deadline = monotonic() + seconds
    while not condition() and monotonic() < deadline:
        sleep(0.01)
    assert condition()


@pytest.fixture(scope="module")
def learning_corpus():
    return long_corpus()


def test_job_learns_what_train_learns():
    job = Job(Request(sample_corpus("emoji"), GPT2), Workshop()).start()
    assert job.wait(30)
    expected = train(count_chunks(sample_documents("emoji"), "gpt2"), 600)
    assert job.training.merges == expected.merges
    assert job.progress.stage == Stage.DONE


def test_finished_training_serves_every_visitor():
    workshop, request = Workshop(), Request(text_corpus("low lower lowest"), GPT2)
    first = Job(request, workshop).start()
    assert first.wait(30)
    same_text = Request(text_corpus("low lower lowest"), GPT2)
    second = Job(same_text, workshop).start()
    assert second.wait(30)
    assert second.training is first.training is workshop.training(same_text)


def test_stopped_job_keeps_what_it_learned_and_only_for_its_visitor(learning_corpus):
    workshop, request = Workshop(), Request(learning_corpus, LONG)
    job = Job(request, workshop).start()
    until(lambda: job.progress.stage == Stage.LEARNING and job.progress.done > 20)
    job.stop()
    assert job.wait(60)
    assert job.training.stopped_because == StopReason.STOPPED
    assert 20 < len(job.training.merges) < 20_000
    assert workshop.training(request) is None
    size = 256 + len(job.training.merges)
    assert job.training.merges == train(count_chunks(learning_corpus.documents, "gpt2"), size, min_count=1).merges


def test_stopped_job_ends_when_it_next_asks_whether_to_go_on(learning_corpus):
    learned_when_stopped = []

    def clock():
        if job.stage == Stage.LEARNING and job._done > 20 and job.is_running:
            learned_when_stopped.append(job._done)
            job.stop()
        return 0.0

    job = Job(Request(learning_corpus, LONG), Workshop(), clock=clock)
    job.start()
    assert job.wait(60)
    assert job.training.stopped_because == StopReason.STOPPED
    assert learned_when_stopped == [len(job.training.merges)]


def test_job_stopped_before_it_learns_ends_at_once_with_nothing(learning_corpus):
    job = Job(Request(learning_corpus, LONG), Workshop())
    job.stop()
    assert job.wait(0)
    job.start()
    until(lambda: job.stage != Stage.LEARNING)
    assert job.training is None
    assert job.error is None


@pytest.mark.parametrize(
    ("seconds_between_looks", "survives"),
    [pytest.param(60, True, id="a tab in the background"), pytest.param(250, False, id="a closed tab")],
)
def test_job_lives_as_long_as_its_tab(learning_corpus, seconds_between_looks, survives):
    clock = Clock()
    job = Job(Request(learning_corpus, LONG), Workshop(), clock=clock).start()
    until(lambda: job.progress.stage == Stage.LEARNING)
    for _ in range(10):
        clock.now += seconds_between_looks
        before = job.progress.done
        until(lambda before=before: not job.is_running or job.progress.done > before)
        job.seen()
        if not job.is_running:
            break
    assert job.is_running == survives
    assert job.stopped_by_absence != survives
    job.stop()
    job.wait(10)


def test_closed_tab_ends_its_job_within_five_minutes():
    assert jobs.MOST_SECONDS_UNSEEN < 5 * 60


def test_job_that_waits_in_the_queue_ends_when_its_tab_is_closed():
    workshop, clock, request = Workshop(), Clock(), Request(text_corpus("low lower"), GPT2)
    workshop.queue(request).width = 0
    job = Job(request, workshop, clock=clock).start()
    assert not job.wait(0.3)
    assert job.progress.place == 1
    clock.now += jobs.MOST_SECONDS_UNSEEN + 1
    assert job.wait(5)
    assert job.training is None


def test_job_gives_the_error_of_its_training():
    job = Job(Request(text_corpus("low lower"), Settings(named_pattern("gpt2"), (), 600, 0)), Workshop()).start()
    assert job.wait(30)
    assert isinstance(job.error, BpeError)


def test_queue_lets_in_so_many_and_the_others_in_order():
    queue, entered = Queue(2), []
    leave = {name: Event() for name in "abcd"}

    def visit(name):
        queue.enter(name)
        entered.append(name)
        leave[name].wait(10)
        queue.leave(name)

    threads = []
    for number, name in enumerate("abcd"):
        threads.append(Thread(target=visit, args=(name,), daemon=True))
        threads[-1].start()
        until(lambda number=number: len(queue._tickets) == number + 1)
    until(lambda: len(entered) == 2)
    assert (queue.place("a"), queue.place("b"), queue.place("c"), queue.place("d")) == (0, 0, 1, 2)
    leave["a"].set()
    until(lambda: len(entered) == 3)
    assert entered[2] == "c"
    assert queue.place("d") == 1
    for event in leave.values():
        event.set()
    for thread in threads:
        thread.join(10)
    assert entered[3] == "d"


def test_short_texts_do_not_wait_for_long_ones():
    workshop = Workshop()
    long = Request(text_corpus("x" * (jobs.SHORT_BYTES + 1)), GPT2)
    workshop.queue(long).width = 0
    assert Job(Request(text_corpus("low lower"), GPT2), workshop).start().wait(30)


def test_remembered_lets_the_results_go_that_were_unused_longest():
    memory = Remembered(most_entries=10, most_bytes=10, num_bytes=len)
    memory.put("a", 1, b"aaaa")
    memory.put("b", 1, b"bbbb")
    assert memory.get("a", 1)
    memory.put("c", 1, b"cccc")
    assert (memory.get("a", 1), memory.get("b", 1), memory.get("c", 1)) == (b"aaaa", None, b"cccc")


def test_remembered_keeps_a_result_that_is_too_big_for_it_until_the_next():
    memory = Remembered(most_entries=10, most_bytes=1, num_bytes=len)
    memory.put("a", 1, b"aaaa")
    assert memory.get("a", 1) == b"aaaa"


def test_workshop_forgets_a_text_with_its_parts():
    workshop, whole, other = Workshop(), text_corpus("low lower lowest"), text_corpus("other text, other")
    side = whole.part("training side", ("low lower",))
    for corpus in (whole, side, other):
        assert Job(Request(corpus, GPT2), workshop).start().wait(30)
    workshop.forget(whole.digest)
    assert workshop.training(Request(whole, GPT2)) is workshop.training(Request(side, GPT2)) is None
    assert workshop.counts.get(whole.digest, (whole.digest, GPT2.pattern)) is None
    assert workshop.training(Request(other, GPT2))


def test_progress_share_grows_from_nothing_to_all():
    for stage in (Stage.COUNTING, Stage.LEARNING):
        shares = [jobs.Progress(stage, done, 1_000).share for done in range(1_001)]
        assert (shares[0], shares[-1]) == (0.0, 1.0)
        assert shares == sorted(shares)
    assert jobs.Progress(Stage.LEARNING, 0, 0).share == 0.0
