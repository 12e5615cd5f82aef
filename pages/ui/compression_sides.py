"""The two sides of a text: the one that is learned from and the one that is held back to measure on. No Streamlit."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from bpe_core.documents import (
    Documents,
    HeldOutSplit,
    documents_of_text,
    hold_out_files,
    hold_out_groups,
    hold_out_share,
    hold_out_tail,
    hold_out_text,
    join_documents,
    read_documents,
    split_further,
)
from bpe_core.errors import BpeError
from pages.ui.corpus import Corpus

PARTS = (None, "blank lines", "line")
"""What can be held back, the largest first: documents, paragraphs, lines."""


class How(StrEnum):
    """The ways to hold something back, in the words of the screen."""

    SHARE = "a share, at random"
    TAIL = "the end of the text"
    FILES = "whole files"
    GROUPS = "groups of the table"
    TEXT = "a second text"


@dataclass(frozen=True)
class SplitChoice:
    """What to hold back. `share` is in percent; `parts` splits documents first: None, "blank lines" or "line".

    `names` are files or groups; `drop` takes held-out documents that are also
    learned from away from the held-out side, instead of refusing them.
    """

    how: How = How.SHARE
    share: float = 20
    seed: int = 0
    parts: str | None = None
    names: tuple[str, ...] = ()
    drop: bool = False


@dataclass(eq=False)
class SecondText:
    """A file that the visitor brought to measure on; what was read of it is kept, one reading for each encoding."""

    file_id: str
    name: str
    content: bytes
    _readings: dict[str, Documents] = field(default_factory=dict)

    def read(self, encoding: str) -> Documents:
        """Return its documents. Raises BpeError if it is no text in this encoding."""
        if encoding not in self._readings:
            self._readings[encoding] = read_documents(self.content, self.name, encoding=encoding)
        return self._readings[encoding]


@dataclass(frozen=True, eq=False)
class Sides:
    """A training side and a held-out side, and how they were made: from `whole`, and `second` if that is held out."""

    train: Corpus
    held_out: Corpus
    split: HeldOutSplit
    choice: SplitChoice
    whole: Corpus
    second: Documents | None = None

    @property
    def learned_from(self) -> str:
        """Completes "learned from …". Holds names of files or groups."""
        return "all of it" if self.choice.how == How.TEXT else f"all but {self.split.how}"

    @property
    def part(self) -> str:
        """What one of the documents of both sides is called."""
        return {None: "document", "blank lines": "paragraph", "line": "line"}[self.choice.parts]

    @property
    def share_kept_back(self) -> float:
        """The share of the bytes of the whole text that is not learned from."""
        return 1 - self.train.num_bytes / self.whole.num_bytes

    @property
    def measured_on(self) -> str:
        """Completes "measured on …". Holds names of files or groups."""
        return self.split.how


def documents_of(corpus: Corpus) -> Documents:
    """Return the corpus's documents with their origins; a pasted text is a file of the corpus's name."""
    return corpus.read or join_documents([documents_of_text(text, corpus.name) for text in corpus.documents])


def possible_parts(documents: Documents) -> tuple[str | None, ...]:
    """Return in what parts some of this text can be held back, the largest first; none if it cannot be divided.

    Of the first there are two at least that differ and are not blank. The finer ones stay
    on offer after it, as a choice of the visitor.

    >>> from bpe_core.documents import documents_of_text
    >>> possible_parts(documents_of_text("low\\nlower")), possible_parts(documents_of_text("low"))
    (('line',), ())
    """
    for at, parts in enumerate(PARTS):
        if _two_differ(documents if parts is None else split_further(documents, parts)):
            return PARTS[at:]
    return ()


def why_not_divided(documents: Documents) -> str:
    """Return why `possible_parts` found none; completes "…, so nothing can be held back"."""
    lines = split_further(documents, "line").documents.encoded()
    several = sum(1 for line in lines if line.strip()) > 1
    return "All parts of this text are equal" if several else "This text is one paragraph"


def _two_differ(documents: Documents) -> bool:
    texts = (text.strip() for text in documents.documents.encoded())
    texts = (text for text in texts if text)
    first = next(texts, None)
    return any(text != first for text in texts)


def sides_of(corpus: Corpus, choice: SplitChoice, second: Documents | None = None) -> Sides:
    """Return the two sides of `corpus`; `second` is the text that is held back if `choice` says so.

    Raises BpeError if a side would be empty, and for all that the splits of `bpe_core.documents` refuse.
    """
    split = _split(documents_of(corpus), choice, second)
    for side, documents in (("training", split.train), ("held-out", split.held_out)):
        if not documents.num_bytes:
            raise BpeError(
                f"The {side} side has only empty documents, and nothing can be measured on them. Choose another part."
            )
    return Sides(
        Corpus.of_documents(f"{corpus.name}, training side", split.train, corpus.text_digest),
        Corpus.of_documents(f"{corpus.name}, held-out side", split.held_out, corpus.text_digest),
        split,
        choice,
        corpus,
        second,
    )


def _split(documents: Documents, choice: SplitChoice, second: Documents | None) -> HeldOutSplit:
    repeats = "drop" if choice.drop else "refuse"
    if choice.how == How.TEXT:
        if second is None:
            raise BpeError("No second text was given yet. Upload one under “Held back”.")
        return hold_out_text(documents, second, repeats=repeats)
    if choice.how in (How.FILES, How.GROUPS):
        if not choice.names:
            raise BpeError(f"Nothing is held back yet. Choose {choice.how} under “Held back”.")
        hold_out = hold_out_files if choice.how == How.FILES else hold_out_groups
        return hold_out(documents, choice.names, repeats=repeats)
    if choice.how == How.TAIL:
        return hold_out_tail(documents, choice.share / 100, parts=choice.parts, repeats=repeats)
    return hold_out_share(documents, choice.share / 100, choice.seed, parts=choice.parts)
