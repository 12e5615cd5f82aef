"""What documents tell about a corpus by themselves, file by file and in all, each figure with its first examples.

Chunks and tokens, which need a pattern and a vocabulary, are counted elsewhere;
`examples_of` finds where a chunk stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import numpy as np

from bpe_core.documents.model import Documents
from bpe_core.documents.texts import Texts, first_equals

MOST_EXAMPLES = 5

_REPLACEMENT = re.compile("\ufffd".encode())
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]")
_CRLF, _LF, _CR = re.compile(rb"\r\n"), re.compile(rb"(?<!\r)\n"), re.compile(rb"\r(?!\n)")
# Everything that `str.isspace` takes for whitespace and has more than one byte.
_WIDE_SPACE = re.compile(rb"\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2\x80[\x80-\x8a\xa8\xa9\xaf]|\xe2\x81\x9f|\xe3\x80\x80")
_IS_NARROW_SPACE = np.isin(np.arange(256), [*range(9, 14), *range(28, 33)])
_BLOCK = 1 << 22


class Example(NamedTuple):
    """A place in the corpus: document number (from 0), its file, line and row there, and some text from there."""

    document: int
    file: str
    line: int | None
    row: int | None
    excerpt: str


class Figure(NamedTuple):
    """How many there are, and where the first of them stand."""

    count: int
    examples: tuple[Example, ...] = ()


@dataclass(frozen=True)
class CorpusFacts:
    """The facts of one file, or of all (`file` is None).

    `duplicates` are documents equal to an earlier one (in the same file, or anywhere for all);
    `blank` are those of whitespace alone; `empty` those of no character, which were skipped in reading;
    `control` counts U+0000–001F without tab, LF and CR, and U+007F–009F; `longest_document` and
    `longest_run` (without whitespace) are UTF-8 bytes; `lf`, `crlf` and `cr` are line endings.
    """

    file: str | None
    num_bytes: int
    num_characters: int
    num_documents: int
    empty: int
    duplicates: Figure
    blank: Figure
    replacement: Figure
    control: Figure
    lf: Figure
    crlf: Figure
    cr: Figure
    longest_document: Figure
    longest_run: Figure


def corpus_facts(documents: Documents) -> tuple[CorpusFacts, ...]:
    """Return the facts of all documents, then those of each file.

    >>> from bpe_core.documents import read_documents
    >>> facts = corpus_facts(read_documents(b"low\\r\\nlow\\r\\n", "a.txt", split="line"))[0]
    >>> facts.num_characters, facts.duplicates.count, facts.crlf.count, facts.longest_run.count
    (10, 1, 2, 3)
    """
    firsts = first_equals(documents.documents)
    files = [_file_facts(documents, number, firsts) for number in range(len(documents.files))]
    return (_all_facts(documents, files, firsts), *files)


def _file_facts(documents: Documents, file: int, firsts: np.ndarray) -> CorpusFacts:
    numbers = np.flatnonzero(documents.file_numbers == file)
    texts = documents.documents.selected(numbers)
    found = {name: _figure(documents, numbers, _matches(texts, pattern)) for name, pattern in _COUNTED.items()}
    _, first_here = np.unique(firsts[numbers], return_index=True)
    repeats = np.setdiff1d(np.arange(len(numbers)), first_here)
    return CorpusFacts(
        documents.files[file].name,
        texts.num_bytes,
        sum(map(len, texts)),
        len(texts),
        documents.files[file].empty,
        duplicates=_figure(documents, numbers, ((number, 0) for number in repeats.tolist())),
        blank=_figure(documents, numbers, ((number, 0) for number, text in enumerate(texts) if text.isspace())),
        longest_document=_longest_document(documents, numbers, texts),
        longest_run=_longest_run(documents, numbers, texts),
        **found,
    )


_COUNTED = {"replacement": _REPLACEMENT, "control": _CONTROL, "lf": _LF, "crlf": _CRLF, "cr": _CR}


def _all_facts(documents: Documents, files: list[CorpusFacts], firsts: np.ndarray) -> CorpusFacts:
    def total(name: str) -> Figure:
        figures: list[Figure] = [getattr(file, name) for file in files]
        examples = (example for figure in figures for example in figure.examples)
        return Figure(sum(figure.count for figure in figures), tuple(islice(examples, MOST_EXAMPLES)))

    def greatest(name: str) -> Figure:
        return max((getattr(file, name) for file in files), key=lambda figure: figure.count)

    repeats = np.flatnonzero(firsts != np.arange(len(firsts)))
    everything = np.arange(len(documents))
    return CorpusFacts(
        None,
        sum(file.num_bytes for file in files),
        sum(file.num_characters for file in files),
        len(documents),
        sum(file.empty for file in files),
        duplicates=_figure(documents, everything, ((number, 0) for number in repeats.tolist())),
        longest_document=greatest("longest_document"),
        longest_run=greatest("longest_run"),
        **{name: total(name) for name in ("blank", *_COUNTED)},
    )


def examples_of(documents: Documents, piece: bytes, most: int = MOST_EXAMPLES) -> tuple[Example, ...]:
    """Return the first places where these bytes stand, at most one for each document.

    >>> from bpe_core.documents import read_documents
    >>> examples_of(read_documents(b"a\\nlow\\nb", "a.txt"), b"low")
    (Example(document=0, file='a.txt', line=2, row=None, excerpt='a\\nlow\\nb'),)
    """
    found = ((number, at) for number, text in enumerate(documents.documents.encoded()) if (at := text.find(piece)) >= 0)
    return tuple(_example(documents, number, at) for number, at in islice(found, most))


def _matches(texts: Texts, pattern: re.Pattern[bytes]) -> Iterator[tuple[int, int]]:
    """The document's number and the offset in it of everything that `pattern` matches."""
    for number, text in enumerate(texts.encoded()):
        for found in pattern.finditer(text):
            yield number, found.start()


def _figure(documents: Documents, numbers: np.ndarray, places: Iterable[tuple[int, int]]) -> Figure:
    """Count the places; the documents in them are counted within `numbers`."""
    places = iter(places)
    examples = tuple(_example(documents, int(numbers[number]), at) for number, at in islice(places, MOST_EXAMPLES))
    return Figure(len(examples) + sum(1 for _ in places), examples)


def _example(documents: Documents, number: int, at: int) -> Example:
    """The place at byte `at` of a document, which is the beginning of a character."""
    origin = documents.origin(number)
    text = documents.documents
    start, end = int(text.starts[number]), int(text.ends[number])
    line = origin.line
    if line and documents.files[int(documents.file_numbers[number])].shows_lines:
        line += text.data.count(b"\n", start, start + at)
    before = text.data[max(start, start + at - 40) : start + at].decode("utf-8", "ignore")
    after = text.data[start + at : min(end, start + at + 80)].decode("utf-8", "ignore")
    return Example(number, origin.file, line, origin.row, before + after)


def _longest_document(documents: Documents, numbers: np.ndarray, texts: Texts) -> Figure:
    if not len(texts):
        return Figure(0)
    longest = int(texts.lengths.argmax())
    return Figure(int(texts.lengths[longest]), (_example(documents, int(numbers[longest]), 0),))


def _longest_run(documents: Documents, numbers: np.ndarray, texts: Texts) -> Figure:
    best, place = 0, None
    for number, text in enumerate(texts.encoded()):
        if len(text) > best:
            length, at = longest_run_without_space(text)
            if length > best:
                best, place = length, (number, at)
    if place is None:
        return Figure(0)
    return Figure(best, (_example(documents, int(numbers[place[0]]), place[1]),))


def longest_run_without_space(text: bytes) -> tuple[int, int]:
    """Return the bytes of the longest run without whitespace, and where it begins (the first of equals).

    >>> longest_run_without_space(b"a low lower low"), longest_run_without_space(b" ")
    ((5, 6), (0, 0))
    """
    is_space = _IS_NARROW_SPACE[np.frombuffer(text, np.uint8)]
    for found in _WIDE_SPACE.finditer(text):
        is_space[found.start() : found.end()] = True
    best, best_at, last_space = 0, 0, -1
    for start in range(0, len(text) + 1, _BLOCK):  # the places of all spaces at once would take eight times the text
        spaces = np.flatnonzero(is_space[start : start + _BLOCK]) + start
        if start + _BLOCK > len(text):
            spaces = np.append(spaces, len(text))
        if len(spaces):
            befores = np.concatenate([[last_space], spaces[:-1]])
            longest = int((spaces - befores).argmax())
            if (length := int(spaces[longest] - befores[longest]) - 1) > best:
                best, best_at = length, int(befores[longest]) + 1
            last_space = int(spaces[-1])
    return best, best_at
