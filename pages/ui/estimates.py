"""How long a training will take and how much memory, told from a small sample of the same text on this server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log
from time import perf_counter

from bpe_core import ChunkCounts, count_chunks, train
from pages.ui.jobs import Request

_SAMPLE_BYTES = 1_000_000
_PARTS = 40
_BASE_MEMORY = 60_000_000  # what counting and learning need whatever the text
_LEARNING_GROWS = 0.7  # seconds of learning, as a power of the distinct bytes: much of a merge's work does not grow
_MEMORY_PER_DISTINCT_BYTE = 60  # numbers that the trainer keeps for each byte of the distinct chunks


@dataclass(frozen=True)
class Estimate:
    """About how many seconds a training takes, and how much memory more than now."""

    request: Request
    seconds: float
    memory_bytes: int


def estimate(request: Request) -> Estimate:
    """Return the estimate for a text of many MB, from learning from 1 MB of it, parts from all over it.

    Counting takes time in proportion to the text, learning to its distinct chunks, which
    grow more slowly: by a power of the length that a sample and one half as long tell.
    """
    _, half = _timed(request, _SAMPLE_BYTES // 2)
    counting, whole = _timed(request, _SAMPLE_BYTES)
    started = perf_counter()
    settings = request.settings
    train(whole, settings.largest_size, specials=settings.specials, min_count=settings.min_count)
    learning = perf_counter() - started
    times_longer = request.corpus.num_bytes / max(whole.num_bytes, 1)
    power = log(max(whole.data.nbytes, 1) / max(half.data.nbytes, 1), 2) if half.num_bytes else 1.0
    distinct_times = times_longer ** min(1.0, max(0.3, power))
    seconds = counting * times_longer + learning * distinct_times**_LEARNING_GROWS
    memory = _BASE_MEMORY + _MEMORY_PER_DISTINCT_BYTE * whole.data.nbytes * distinct_times
    return Estimate(request, seconds, int(memory))


def _timed(request: Request, most_bytes: int) -> tuple[float, ChunkCounts]:
    started = perf_counter()
    counts = count_chunks(_spread(request, most_bytes), request.settings.pattern)
    return perf_counter() - started, counts


def _spread(request: Request, most_bytes: int) -> Iterator[str]:
    """Yield parts of the text from all over it, `_PARTS` or a few more, about `most_bytes` in all."""
    step = max(request.corpus.num_bytes // _PARTS, 1)
    length = most_bytes // _PARTS
    at = 0
    for document in request.corpus.documents.encoded():
        first = -(at // -step) if at % step >= length else at // step
        for number in range(first, (at + len(document)) // step + 1):
            part = document[max(number * step - at, 0) : max(number * step - at + length, 0)]
            if part:
                yield bytes(part).decode(errors="ignore")
        at += len(document)
