"""Places in the documents, each with its file, line and row, and some text from there."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from bpe_core.documents.model import Documents

MOST_EXAMPLES = 5


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


def example_at(documents: Documents, number: int, at: int = 0) -> Example:
    """Return the place at byte `at` of a document, the beginning of a character; text before and after it is shown."""
    origin = documents.origin(number)
    texts = documents.documents
    start, end = int(texts.starts[number]), int(texts.ends[number])
    line = origin.line
    if line and documents.files[int(documents.file_numbers[number])].shows_lines:
        line += texts.data.count(b"\n", start, start + at)
    before = texts.data[max(start, start + at - 40) : start + at].decode("utf-8", "ignore")
    after = texts.data[start + at : min(end, start + at + 80)].decode("utf-8", "ignore")
    return Example(number, origin.file, line, origin.row, before + after)


def examples_of(documents: Documents, piece: bytes, most: int = MOST_EXAMPLES) -> tuple[Example, ...]:
    """Return the first places where these bytes stand, at most one for each document.

    >>> from bpe_core.documents import read_documents
    >>> examples_of(read_documents(b"a\\nlow\\nb", "a.txt"), b"low")
    (Example(document=0, file='a.txt', line=2, row=None, excerpt='a\\nlow\\nb'),)
    """
    found = ((number, at) for number, text in enumerate(documents.documents.encoded()) if (at := text.find(piece)) >= 0)
    return tuple(example_at(documents, number, at) for number, at in islice(found, most))


def documents_csv(documents: Documents, numbers: Iterable[int]) -> bytes:
    """Return a CSV (UTF-8) of these documents: number, file, row, line, bytes, and the whole text.

    >>> from bpe_core.documents import read_documents
    >>> documents_csv(read_documents(b"low", "a.txt"), [0])
    b'document,file,row,line,bytes,text\\n0,a.txt,,1,3,low\\n'
    """
    written = io.StringIO(newline="")
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(["document", "file", "row", "line", "bytes", "text"])
    for number in numbers:
        file, line, row = documents.origin(number)
        length = int(documents.documents.lengths[number])
        writer.writerow([number, file, row, line, length, documents.documents[number]])
    return written.getvalue().encode("utf-8", "replace")  # a file's name may hold what has no UTF-8
