"""What a training takes: seconds, and the memory of a process that does nothing else.

A process of its own, because nothing inside a running program tells how much
memory one of its parts took at most. Nothing is written to disk.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from time import perf_counter
from typing import BinaryIO, NamedTuple

import numpy as np

from bpe_core.chunks import ChunkCounts
from bpe_core.errors import BpeError
from bpe_core.patterns import named_pattern
from bpe_core.training import train


class TrainingCost(NamedTuple):
    """What learning took: `seconds` of wall clock, without starting Python and without counting chunks.

    `peak_bytes` is the most memory that its process held at once, `bytes_before` what it held
    before it learned; both are None where the system does not tell.
    """

    merges: int
    seconds: float
    peak_bytes: int | None
    bytes_before: int | None


def training_cost(
    chunk_counts: ChunkCounts, vocab_size: int, *, specials: Sequence[str] = (), min_count: int = 2
) -> TrainingCost:
    """Return what `train` takes with these arguments, by doing it once in a fresh process.

    >>> training_cost(ChunkCounts.from_counts({b"abab": 2}), 300).merges
    2

    Raises BpeError for settings that `train` refuses.
    """
    settings = {"vocab_size": vocab_size, "specials": list(specials), "min_count": min_count}
    command = [sys.executable, "-c", "from bpe_core.training_cost import answer; answer()"]
    done = subprocess.run(
        command, input=_packed(chunk_counts, settings), capture_output=True, cwd=Path(__file__).parents[1], check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr.decode("utf-8", "replace"))
    reply = json.loads(done.stdout)
    if "error" in reply:
        raise BpeError(reply["error"])
    return TrainingCost(**reply)


def answer() -> None:
    """Read a training's arguments from standard input, train, and print what it took: the fresh process's part."""
    chunk_counts, settings = _unpacked(sys.stdin.buffer)
    before, start = _peak_bytes(), perf_counter()
    try:
        training = train(chunk_counts, **settings)
    except BpeError as error:
        print(json.dumps({"error": str(error)}))
        return
    cost = TrainingCost(training.tokenizer.num_merges, perf_counter() - start, _peak_bytes(), before)
    print(json.dumps(cost._asdict()))


def _packed(chunk_counts: ChunkCounts, settings: dict) -> bytes:
    """One line of JSON, then the three arrays; the pattern does not matter any more."""
    packed = BytesIO(json.dumps(settings).encode() + b"\n")
    packed.seek(0, 2)
    for array in (chunk_counts.data, chunk_counts.offsets, chunk_counts.counts):
        np.save(packed, array, allow_pickle=False)
    return packed.getvalue()


def _unpacked(stream: BinaryIO) -> tuple[ChunkCounts, dict]:
    settings = json.loads(stream.readline())
    rest = BytesIO(stream.read())
    data, offsets, counts = (np.load(rest, allow_pickle=False) for _ in range(3))
    return ChunkCounts(data, offsets, counts, named_pattern("none"), num_documents=1, num_characters=0), settings


def _peak_bytes() -> int | None:
    """The most memory that this process has held. Linux tells it of the program alone, not of what started it."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
