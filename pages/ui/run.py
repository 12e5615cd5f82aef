"""Run: one training with its text and settings, at the vocabulary size that the visitor chose.

A loaded vocabulary can take the learned one's place: then `loaded` names it, how it was learned is not known,
and it may have no smaller sizes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bpe_core import BpeError, Pattern, StopReason, Tokenizer, Training, bytes_per_token
from pages.ui.compression_sides import Sides
from pages.ui.corpus import Corpus
from pages.ui.loaded import LoadedOnText, LoadedVocabulary
from pages.ui.words import file_size, number, plural

SIZE = "size"
"""The key of the widget that holds the size of the learned vocabulary."""


@dataclass(frozen=True)
class Settings:
    """How the text is cut and what is learned from it."""

    pattern: Pattern
    specials: tuple[str, ...]
    largest_size: int
    min_count: int
    loaded: str = ""
    """The digest of the loaded vocabulary that takes the learned one's place; empty if none does."""


@dataclass(frozen=True)
class Run:
    """One training, and the size in view. Every page shows the same Run.

    `corpus` is the text that was learned from: with `sides`, the training side alone; with `loaded`, just the text.
    """

    corpus: Corpus
    settings: Settings
    training: Training | LoadedOnText
    vocab_size: int
    sides: Sides | None = None
    loaded: LoadedVocabulary | None = None

    @property
    def vocabulary_name(self) -> str:
        """What the vocabulary is called. May hold the name of a file or of the text."""
        return self.loaded.name if self.loaded else f"learned from {self.corpus.name}"

    @property
    def why_no_sizes(self) -> str | None:
        """Why this vocabulary has one size only; None if every smaller size is there too. May hold a token."""
        return self.training.tokenizer.why_no_prefixes if self.loaded else None

    @property
    def pair_counts(self) -> np.ndarray | None:
        """The count of each merge's pair when it was learned; None if that is not known."""
        return None if self.loaded else self.training.counts

    @property
    def size_key(self) -> str:
        """The key of the widget that holds the vocabulary size."""
        return f"size_{self.loaded.digest[:16]}" if self.loaded else SIZE

    @property
    def learned_from(self) -> str:
        """Which text the vocabulary was learned from; completes "learned from …"."""
        if self.loaded:
            return "texts that its files do not name"
        return self.sides.learned_from if self.sides else "all of it"

    @property
    def smallest_size(self) -> int:
        """256 single bytes and the specials."""
        return 256 + len(self.settings.specials)

    @property
    def learned_size(self) -> int:
        """The largest size that was reached."""
        return self.smallest_size + self.training.tokenizer.num_merges

    @property
    def num_merges(self) -> int:
        """Merges at the size in view."""
        return self.training.tokenizer.num_merges if self.why_no_sizes else self.vocab_size - self.smallest_size

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The vocabulary at the size in view."""
        if self.why_no_sizes:
            return self.training.tokenizer
        return self.training.tokenizer.with_vocab_size(self.vocab_size)

    @property
    def num_tokens(self) -> int:
        """Tokens of the whole text at the size in view."""
        if self.why_no_sizes:
            return self.training.num_tokens
        return int(self.training.token_totals[self.num_merges])

    @property
    def bytes_per_token(self) -> float | None:
        """Bytes per token of the whole text at the size in view."""
        return bytes_per_token(self.corpus.num_bytes, self.num_tokens)

    @property
    def stopped_early(self) -> bool:
        """Whether fewer merges were learned than asked for."""
        return not self.loaded and self.training.stopped_because != StopReason.SIZE_REACHED

    @property
    def stop_sentence(self) -> str:
        """Why training ended, in one sentence."""
        if self.loaded:
            return f"Loaded, not learned from this text: {plural(self.training.tokenizer.num_merges, 'merge')}."
        asked, reached = number(self.settings.largest_size), number(self.learned_size)
        if not self.stopped_early:
            return f"Reached {reached}, as asked."
        if self.training.stopped_because == StopReason.STOPPED:
            merges = number(self.training.tokenizer.num_merges)
            return f"Stopped by you after {merges} merges. Everything here uses those."
        return f"Up to {asked} may be learned (Settings). It stopped at {reached}, because {self._why}."

    @property
    def text_line(self) -> str:
        """The text, its size and why training stopped: the line under every heading. Holds the corpus's name."""
        counts = self.training.chunk_counts
        if self.loaded:
            where = f"{self.corpus.name} · {file_size(self.corpus.num_bytes)} · {plural(len(counts), 'distinct chunk')}"
            return f"{where} · under {self.loaded.name}, loaded, {plural(self.loaded.tokenizer.vocab_size, 'token')}"
        ended = (
            f"stopped at {number(self.learned_size)}: {self._why}"
            if self.stopped_early
            else (f"learned {number(self.learned_size)} entries, as asked")
        )
        distinct = plural(len(counts), "distinct chunk")
        size = file_size(counts.num_bytes)
        return f"{self.corpus.name} · {size} · {distinct} · learned from {self.learned_from} · {ended}"

    @property
    def _why(self) -> str:
        if self.training.stopped_because == StopReason.COUNT_TOO_LOW:
            least = self.settings.min_count
            return "no remaining pair occurs twice" if least == 2 else f"no remaining pair occurs {least} times"
        return {StopReason.NO_PAIR_LEFT: "no pair is left", StopReason.STOPPED: "you stopped it"}[
            self.training.stopped_because
        ]


def check_not_empty(corpus: Corpus) -> None:
    """Raise BpeError for a text without a single byte."""
    if not corpus.num_bytes:
        raise BpeError("This text is empty. Choose a sample, paste some text, or upload another file.")
