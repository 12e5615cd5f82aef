"""A part of the documents, to learn from less or without some: each choice is noted in the report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from bpe_core.documents.model import Documents
from bpe_core.documents.report import counted
from bpe_core.documents.splitting import check_split, split_text
from bpe_core.documents.texts import Texts
from bpe_core.errors import BpeError


def every_nth(documents: Documents, n: int) -> Documents:
    """Return documents 0, n, 2n, ….

    >>> from bpe_core.documents import documents_of_text
    >>> tuple(every_nth(documents_of_text("a\\nb\\nc", split="line"), 2))
    ('a\\n', 'c')

    Raises BpeError if n is less than 1.
    """
    if n < 1:
        raise BpeError(f"Every document of how many? It must be 1 or more, not {n}.")
    kept = documents.selected(np.arange(0, len(documents), n))
    return _noted(kept, f"One document of every {n:,} is used: {len(kept):,} of {len(documents):,}.")


def first_bytes(documents: Documents, num_bytes: int) -> Documents:
    """Return the first documents, `num_bytes` UTF-8 bytes at most; the last one may be cut.

    It is cut after its last line feed that fits, or after its last whole character.

    >>> from bpe_core.documents import documents_of_text
    >>> tuple(first_bytes(documents_of_text("low\\nlower"), 6))
    ('low\\n',)

    Raises BpeError if not one character fits.
    """
    texts = documents.documents
    if num_bytes >= texts.num_bytes:
        return documents
    totals = np.cumsum(texts.lengths)
    whole = int(np.searchsorted(totals, num_bytes, side="right"))
    room = num_bytes - (int(totals[whole - 1]) if whole else 0)
    start = int(texts.starts[whole])
    length = _whole_characters(texts.data[start : start + max(room, 0) + 1], room)
    kept = documents.selected(np.arange(whole + (length > 0)))
    if not len(kept):
        raise BpeError(f"The first {counted(num_bytes, 'byte')} hold no whole character. Choose more.")
    note = f"The first {counted(num_bytes, 'byte')} are used: {len(kept):,} of {counted(len(documents), 'document')}"
    if length:
        ends = kept.documents.ends.copy()
        ends[-1] = start + length
        kept = replace(kept, documents=Texts(texts.data, kept.documents.starts, ends))
        note += f"; the last one is cut after {counted(length, 'byte')}"
    return _noted(kept, note + ".")


def _whole_characters(beginning: bytes, room: int) -> int:
    """How many bytes to keep of a document that begins so and has room for so many."""
    if room <= 0:
        return 0
    if (line_end := beginning.rfind(b"\n", 0, room) + 1) > 0:
        return line_end
    while room and beginning[room] & 0xC0 == 0x80:
        room -= 1
    return room


def without(documents: Documents, numbers: Iterable[int]) -> Documents:
    """Return the documents but for those with these numbers.

    >>> from bpe_core.documents import documents_of_text
    >>> tuple(without(documents_of_text("a\\nb\\nc", split="line"), [1]))
    ('a\\n', 'c')

    Raises BpeError if a number is no document's, or if none would be left.
    """
    marked = np.unique(np.fromiter(numbers, np.int64))
    if len(marked) and not 0 <= marked[0] <= marked[-1] < len(documents):
        wrong = marked[-1] if marked[0] >= 0 else marked[0]
        raise BpeError(f"There is no document {wrong:,}; they are numbered 0 to {len(documents) - 1:,}.")
    if len(marked) == len(documents):
        raise BpeError("Every document is marked, so none would be left. Unmark some.")
    kept = documents.selected(np.setdiff1d(np.arange(len(documents)), marked))
    return _noted(kept, f"{counted(len(marked), 'marked document')} left out; {len(kept):,} are used.")


def split_further(documents: Documents, split: str) -> Documents:
    """Return the same text with every document split again, as `read_documents` splits.

    >>> from bpe_core.documents import documents_of_text
    >>> tuple(split_further(documents_of_text("a\\nb\\nc"), "line"))
    ('a\\n', 'b\\n', 'c')

    Raises BpeError for an unknown split.
    """
    check_split(split)
    ends = [split_text(text, split).ends for text in documents.documents.encoded()]
    sizes = [len(each) for each in ends]
    numbers = np.repeat(np.arange(len(documents)), sizes)
    new_ends = np.concatenate([*ends, np.empty(0, np.int64)]) + documents.documents.starts[numbers]
    starts = np.concatenate([documents.documents.starts[:1], new_ends])[:-1]
    firsts = np.cumsum([0, *sizes[:-1]])
    starts[firsts] = documents.documents.starts
    parts = documents.selected(numbers)
    texts = Texts(documents.documents.data, starts, new_ends)
    return replace(parts, documents=texts, lines=_lines_of_parts(parts, texts, firsts))


def _lines_of_parts(parts: Documents, texts: Texts, firsts: np.ndarray) -> np.ndarray:
    """The line where each part begins."""
    moves = np.array([file.shows_lines for file in parts.files], bool)[parts.file_numbers]
    feeds = np.fromiter((text.count(b"\n") for text in texts.encoded()), np.int64, len(texts))
    before = np.concatenate([[0], np.cumsum(feeds)])[:-1]
    sizes = np.diff(np.append(firsts, len(texts)))
    within = before - np.repeat(before[firsts], sizes)
    return parts.lines + np.where(moves & (parts.lines > 0), within, 0)


def _noted(documents: Documents, note: str) -> Documents:
    report = documents.report
    return replace(documents, report=replace(report, notes=(*report.notes, note)))
