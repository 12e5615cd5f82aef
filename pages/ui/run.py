"""Run: one training with its text and settings, at the vocabulary size that the visitor chose."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from bpe_core import BpeError, Pattern, StopReason, Tokenizer, Training, bytes_per_token
from pages.ui.compression_sides import Sides
from pages.ui.corpus import Corpus
from pages.ui.words import file_size, number


@dataclass(frozen=True)
class Settings:
    """How the text is cut and what is learned from it."""

    pattern: Pattern
    specials: tuple[str, ...]
    largest_size: int
    min_count: int


@dataclass(frozen=True)
class Run:
    """One training, and the size in view. Every page shows the same Run.

    `corpus` is the text that was learned from: with `sides`, the training side alone.
    """

    corpus: Corpus
    settings: Settings
    training: Training
    vocab_size: int
    sides: Sides | None = None

    @property
    def learned_from(self) -> str:
        """Which text the vocabulary was learned from; completes "learned from …"."""
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
        return self.vocab_size - self.smallest_size

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The vocabulary at the size in view."""
        return self.training.tokenizer.with_vocab_size(self.vocab_size)

    @property
    def num_tokens(self) -> int:
        """Tokens of the whole text at the size in view."""
        return int(self.training.token_totals[self.num_merges])

    @property
    def bytes_per_token(self) -> float | None:
        """Bytes per token of the whole text at the size in view."""
        return bytes_per_token(self.training.chunk_counts.num_bytes, self.num_tokens)

    @property
    def stopped_early(self) -> bool:
        """Whether fewer merges were learned than asked for."""
        return self.training.stopped_because != StopReason.SIZE_REACHED

    @property
    def stop_sentence(self) -> str:
        """Why training ended, in one sentence."""
        asked, reached = number(self.settings.largest_size), number(self.learned_size)
        if not self.stopped_early:
            return f"Reached {reached}, as asked."
        if self.training.stopped_because == StopReason.STOPPED:
            merges = number(self.training.tokenizer.num_merges)
            return f"Stopped by you after {merges} merges. Everything here uses those."
        return f"You asked for {asked}. It stopped at {reached}, because {self._why}."

    @property
    def text_line(self) -> str:
        """The text, its size and why training stopped: the line under every heading. Holds the corpus's name."""
        counts = self.training.chunk_counts
        ended = (
            f"stopped at {number(self.learned_size)}: {self._why}"
            if self.stopped_early
            else (f"learned {number(self.learned_size)} entries, as asked")
        )
        distinct = f"{number(len(counts))} distinct chunks"
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
