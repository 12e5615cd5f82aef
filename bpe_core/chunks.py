"""Documents -> distinct chunks with their counts: all that training and measuring need.

Distinct chunks stand side by side in one byte array, in order of first occurrence,
so memory grows with the number of distinct chunks and not with the text.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise

import numpy as np

from bpe_core.counting.character_classes import CLASS_PATTERNS
from bpe_core.counting.class_chunks import chunk_edges
from bpe_core.counting.distinct import Counted, DistinctCounter, counted
from bpe_core.counting.text_blocks import BLOCK_CHARACTERS, blocks, pieces
from bpe_core.errors import BpeError, Stopped
from bpe_core.patterns import PATTERN_NAMES, Pattern, as_pattern, named_pattern

_CHUNKS_BETWEEN_CHECKS = 50_000
_THREADS = 2
_BLOCKS_AT_ONCE = 2  # are counted together: fewer distinct chunks are left to put together, which one thread does


@dataclass(frozen=True, eq=False)
class ChunkCounts(Mapping[bytes, int]):
    """Each distinct chunk's bytes and how often it occurs, in order of first occurrence.

    `data` holds the bytes of all distinct chunks; chunk i is
    `data[offsets[i]:offsets[i + 1]]` and occurs `counts[i]` times (int64).
    `num_characters` counts code points; `num_bytes` UTF-8 bytes of the whole text.
    """

    data: np.ndarray
    offsets: np.ndarray
    counts: np.ndarray
    pattern: Pattern
    num_documents: int
    num_characters: int

    @classmethod
    def from_counts(cls, counts: Mapping[bytes, int], pattern: str | Pattern = "none") -> ChunkCounts:
        """Return the same counts as arrays; each chunk stands for itself as many times as it is counted.

        >>> ChunkCounts.from_counts({b"low": 5, b"lower": 2}).num_bytes
        25

        Raises BpeError for a chunk that is no bytes or empty, or a count that is not a positive 64-bit whole number.
        """
        for chunk, count in counts.items():
            if (
                not isinstance(chunk, bytes)
                or not chunk
                or not isinstance(count, int | np.integer)
                or not 0 < count < 2**63
            ):
                raise BpeError(
                    f"The chunk {chunk!r} is counted {count} times. "
                    "Chunks must be bytes and not empty, and counts must be whole numbers from 1 to 2**63 - 1."
                )
        counts = {chunk: int(count) for chunk, count in counts.items()}
        if sum(len(chunk) * count for chunk, count in counts.items()) >= 2**63:
            raise BpeError("The chunks are counted so often that they hold 2**63 bytes or more. Give smaller counts.")
        characters = sum(_num_characters(chunk) * count for chunk, count in counts.items())
        return cls(
            np.frombuffer(b"".join(counts), np.uint8),
            _offsets(counts),
            np.fromiter(counts.values(), np.int64, len(counts)),
            as_pattern(pattern),
            num_documents=1,
            num_characters=characters,
        )

    def __len__(self) -> int:
        return len(self.counts)

    def __iter__(self) -> Iterator[bytes]:
        data = self.data.tobytes()
        return (data[start:end] for start, end in pairwise(self.offsets.tolist()))

    def __getitem__(self, chunk: bytes) -> int:
        return int(self.counts[self._numbers[chunk]])

    @cached_property
    def _numbers(self) -> dict[bytes, int]:
        return {chunk: number for number, chunk in enumerate(self)}

    @property
    def lengths(self) -> np.ndarray:
        """Bytes of each distinct chunk."""
        return np.diff(self.offsets)

    @cached_property
    def num_chunks(self) -> int:
        """Chunks of the whole text, repeats included."""
        return int(self.counts.sum())

    @cached_property
    def num_bytes(self) -> int:
        """UTF-8 bytes of the whole text."""
        return int(self.lengths @ self.counts)


OnBytes = Callable[[int], bool | None]
"""Called as on_progress(bytes read so far), after each quarter of a million characters or a longer piece without a
place to cut; a true answer stops the counting."""


def count_chunks(
    documents: Iterable[str], pattern: str | Pattern = "gpt2", *, on_progress: OnBytes | None = None
) -> ChunkCounts:
    """Return the distinct chunks of `documents` with their counts.

    The documents are consumed as a stream, so memory grows with the distinct chunks
    only; each is cut by itself.

    >>> dict(count_chunks(["low lower", "low"], "four-type"))
    {b'low': 2, b' ': 1, b'lower': 1}

    Raises BpeError if a document holds a lone surrogate, or if the pattern fails on
    one; Stopped if `on_progress` says so: half a text counted would pass for the whole.
    """
    if isinstance(documents, str):
        raise BpeError("Documents must be a list of texts, not one text. Put the text into a list: [text].")
    pattern = as_pattern(pattern)
    stream = _Stream(documents, pattern, on_progress)
    count = _counted_by_classes if _by_classes(pattern) else _counted_by_regex
    data, offsets, counts = count(stream, pattern)
    return ChunkCounts(data, offsets, counts, pattern, stream.num_documents, stream.num_characters)


def count_chunks_by_regex(documents: Iterable[str], pattern: Pattern) -> ChunkCounts:
    """`count_chunks` for any pattern, one chunk at a time: the readable reference of the fast paths."""
    counts: dict[bytes, int] = {}
    num_documents = num_characters = 0
    for document in documents:
        check_text(document)
        num_documents += 1
        num_characters += len(document)
        for piece in pattern.chunks(document):
            chunk = piece.encode()
            counts[chunk] = counts.get(chunk, 0) + 1
    found = ChunkCounts.from_counts(counts, pattern)
    return ChunkCounts(found.data, found.offsets, found.counts, pattern, num_documents, num_characters)


class _Stream:
    """Documents as blocks of pieces that the pattern can cut by themselves; keeps count of what went by."""

    def __init__(self, documents: Iterable[str], pattern: Pattern, on_progress: OnBytes | None) -> None:
        self.num_documents = self.num_characters = self._num_bytes = 0
        self._documents, self._on_progress = documents, on_progress
        if _by_classes(pattern):
            self._cut_before = " \n"
        else:
            self._cut_before = " " if _is_named(pattern) and pattern.name != "none" else ""

    def blocks(self) -> Iterator[list[str]]:
        for block in blocks(self._pieces()):
            yield block
            if self._on_progress:
                self._num_bytes += sum(len(piece.encode()) for piece in block)
                self.check()

    def check(self) -> None:
        """Ask whether to go on; raise Stopped if not."""
        if self._on_progress and self._on_progress(self._num_bytes):
            raise Stopped(f"Counting was stopped after {self._num_bytes:,} bytes; nothing of it is kept.")

    def _pieces(self) -> Iterator[str]:
        for document in self._documents:
            check_text(document)
            self.num_documents += 1
            self.num_characters += len(document)
            yield from pieces(document, self._cut_before) if self._cut_before else [document]


def _is_named(pattern: Pattern) -> bool:
    return pattern.name in PATTERN_NAMES and pattern == named_pattern(pattern.name)


def _by_classes(pattern: Pattern) -> bool:
    return pattern.name in CLASS_PATTERNS and _is_named(pattern)


def _counted_by_classes(stream: _Stream, pattern: Pattern) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cut and count blocks in threads; numpy and Arrow let them run beside each other."""
    distinct = DistinctCounter()
    waiting: deque[Future[Counted]] = deque()
    with ThreadPoolExecutor(_THREADS, "counting") as pool:
        rest = stream.blocks()
        while some := [*islice(rest, _BLOCKS_AT_ONCE)]:
            waiting.append(pool.submit(_counted_blocks, some, pattern.name))
            if len(waiting) > _THREADS:
                distinct.add(waiting.popleft().result())
        for ahead in waiting:
            distinct.add(ahead.result())
    return distinct.result()


def _counted_blocks(some: list[list[str]], pattern_name: str) -> Counted:
    return counted(chunk_edges(block, pattern_name) for block in some)


def _counted_by_regex(stream: _Stream, pattern: Pattern) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    counts: Counter[str] = Counter()
    for block in stream.blocks():
        for piece in block:
            if len(piece) <= 2 * BLOCK_CHARACTERS or not pattern.regexes:
                counts.update(pattern.chunks(piece))
                continue
            found = pattern.iter_chunks(piece)
            while some := list(islice(found, _CHUNKS_BETWEEN_CHECKS)):
                counts.update(some)
                stream.check()
    chunks = [chunk.encode() for chunk in counts]
    return np.frombuffer(b"".join(chunks), np.uint8), _offsets(chunks), np.fromiter(counts.values(), np.int64)


def cut_text(text: str, pattern: Pattern) -> tuple[bytes, np.ndarray]:
    """Return the bytes of `text`, and where its chunks begin in them and the last ends (int64).

    >>> cut_text("low lower", named_pattern("gpt2"))
    (b'low lower', array([0, 3, 9]))

    Bytes that are no UTF-8 may stand in `text` as surrogates ("surrogateescape").
    """
    if _by_classes(pattern):
        with suppress(UnicodeEncodeError):
            return chunk_edges([text], pattern.name)
    chunks = [chunk.encode("utf-8", "surrogateescape") for chunk in pattern.chunks(text)]
    return b"".join(chunks), _offsets(chunks)


def check_text(text: str) -> None:
    """Raise BpeError if `text` is no text or cannot become UTF-8, naming the place."""
    if not isinstance(text, str):
        raise BpeError(f"A text was expected, but this is {type(text).__name__}. Decode bytes to a text first.")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise BpeError(
            f"The text holds a lone surrogate, U+{ord(text[error.start]):04X}, at character {error.start}; "
            "it is half of a character and has no UTF-8 bytes. Remove it, or decode the text again from its bytes."
        ) from None


def _offsets(chunks: Collection[bytes]) -> np.ndarray:
    return np.cumsum([0, *map(len, chunks)], dtype=np.int64)


def _num_characters(chunk: bytes) -> int:
    return sum(byte & 0xC0 != 0x80 for byte in chunk)
