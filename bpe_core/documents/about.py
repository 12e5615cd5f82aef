"""What documents tell about a corpus by themselves, file by file and in all, each figure with its first examples.

Chunks and tokens, which need a pattern and a vocabulary, are counted elsewhere;
`examples_of` finds where a chunk stands.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from bpe_core.documents.blocks import Block, blocks
from bpe_core.documents.model import Documents
from bpe_core.documents.places import MOST_EXAMPLES, Example, Figure, example_at
from bpe_core.documents.texts import first_equals

_COUNTED = ("replacement", "control", "lf", "crlf", "cr")


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
    survey = _Survey(documents, numbers)
    for block in blocks(texts):
        survey.add(block)
    _, first_here = np.unique(firsts[numbers], return_index=True)
    repeats = np.setdiff1d(np.arange(len(numbers)), first_here)
    longest = int(texts.lengths.argmax()) if len(texts) else 0
    return CorpusFacts(
        documents.files[file].name,
        texts.num_bytes,
        survey.num_characters,
        len(texts),
        documents.files[file].empty,
        duplicates=_documents_figure(documents, numbers[repeats]),
        blank=_documents_figure(documents, numbers[survey.num_visible == 0]),
        longest_document=_longest(documents, int(texts.lengths[longest]), int(numbers[longest]), 0)
        if len(texts)
        else Figure(0),
        longest_run=_longest(documents, *survey.longest_run),
        **{name: Figure(survey.counts[name], tuple(survey.examples[name])) for name in _COUNTED},
    )


@dataclass
class _Survey:
    """What is gathered while the blocks of one file go by; its documents are `numbers` of all."""

    documents: Documents
    numbers: np.ndarray
    num_characters: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[Example]] = field(default_factory=lambda: defaultdict(list))
    longest_run: tuple[int, int, int] = (0, 0, 0)

    def __post_init__(self) -> None:
        self.num_visible = np.zeros(len(self.numbers), np.int64)

    def add(self, block: Block) -> None:
        """Count what is in one block."""
        self.num_characters += block.num_characters
        found = {"replacement": block.replacements(), "control": block.controls(), **block.line_endings()}
        for name, positions in found.items():
            self.counts[name] += len(positions)
            missing = MOST_EXAMPLES - len(self.examples[name])
            self.examples[name] += [self._example(block, position) for position in positions[:missing].tolist()]
        np.add.at(self.num_visible, block.documents, np.add.reduceat(~block.is_space, block.begins, dtype=np.int64))
        begins, ends = block.runs_without_space()
        if len(begins) and (ends - begins).max() > self.longest_run[0]:
            longest = int((ends - begins).argmax())
            number, at = block.place(int(begins[longest]))
            self.longest_run = int(ends[longest] - begins[longest]), int(self.numbers[number]), at

    def _example(self, block: Block, position: int) -> Example:
        number, at = block.place(position)
        return example_at(self.documents, int(self.numbers[number]), at)


def _longest(documents: Documents, length: int, number: int, at: int) -> Figure:
    return Figure(length, (example_at(documents, number, at),) if length else ())


def _documents_figure(documents: Documents, numbers: np.ndarray) -> Figure:
    return Figure(len(numbers), tuple(example_at(documents, number) for number in numbers[:MOST_EXAMPLES].tolist()))


def _all_facts(documents: Documents, files: list[CorpusFacts], firsts: np.ndarray) -> CorpusFacts:
    return CorpusFacts(
        None,
        sum(file.num_bytes for file in files),
        sum(file.num_characters for file in files),
        len(documents),
        sum(file.empty for file in files),
        duplicates=_documents_figure(documents, np.flatnonzero(firsts != np.arange(len(firsts)))),
        longest_document=max((file.longest_document for file in files), key=_count),
        longest_run=max((file.longest_run for file in files), key=_count),
        **{name: _total(getattr(file, name) for file in files) for name in ("blank", *_COUNTED)},
    )


def _count(figure: Figure) -> int:
    return figure.count


def _total(figures: Iterable[Figure]) -> Figure:
    figures = list(figures)
    examples = (example for figure in figures for example in figure.examples)
    return Figure(sum(map(_count, figures)), tuple(islice(examples, MOST_EXAMPLES)))
