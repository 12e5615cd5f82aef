"""Both sides' curves of one Run: tokens after 0, 1, … n merges, and every figure that follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from bpe_core import ChunkCounts, Training, token_totals
from bpe_core.curves import gap_percent, known_share, per_token
from bpe_core.visible import visible
from pages.ui.cached import cached_chunk_counts
from pages.ui.compression_memory import remembered
from pages.ui.run import Run

STRIDE = 100
"""Merges over which a gain is told: one merge alone says little."""


class Gain(NamedTuple):
    """Tokens that the next `merges` merges save, and their share of the tokens before."""

    merges: int
    tokens: int
    share: float


@dataclass(frozen=True, eq=False)
class Curve:
    """One text at every size of one vocabulary: `totals[k]` tokens after k merges."""

    counts: ChunkCounts
    totals: np.ndarray

    @cached_property
    def bytes_per_token(self) -> np.ndarray:
        """UTF-8 bytes ÷ tokens after 0, 1, … n merges."""
        return per_token(self.counts.num_bytes, self.totals)

    @cached_property
    def characters_per_token(self) -> np.ndarray:
        """Code points ÷ tokens after 0, 1, … n merges."""
        return per_token(self.counts.num_characters, self.totals)

    def next_gain(self, merges: int) -> Gain:
        """What the next STRIDE merges save here; fewer if fewer are left."""
        later = min(merges + STRIDE, len(self.totals) - 1)
        tokens = int(self.totals[merges] - self.totals[later])
        return Gain(later - merges, tokens, tokens / int(self.totals[merges]))


@dataclass(frozen=True, eq=False)
class Curves:
    """The training side and the held-out side under one vocabulary.

    `known` is the share of held-out chunks, repeats included, that also stand in the training side.
    """

    training: Training
    train: Curve
    held_out: Curve
    known: float

    @cached_property
    def gap(self) -> np.ndarray:
        """How many percent fewer bytes a token covers on the held-out side, after 0, 1, … n merges."""
        return gap_percent(self.train.bytes_per_token, self.held_out.bytes_per_token)

    @property
    def learned(self) -> int:
        """Merges learned."""
        return len(self.train.totals) - 1


def curves_of(run: Run) -> Curves:
    """Return the curves of the page's Run, which has sides."""
    pattern = run.settings.pattern
    held_out = cached_chunk_counts(run.sides.held_out, pattern)
    key = ("curves", run.settings, run.sides.held_out.digest, run.training.tokenizer.num_merges)
    return remembered(run.corpus, key, lambda: both_curves(run.training, held_out))


def train_curve(run: Run) -> Curve:
    """Return the curve of the text that was learned from, alone."""
    return Curve(run.training.chunk_counts, run.training.token_totals)


def both_curves(training: Training, held_out: ChunkCounts) -> Curves:
    """Return the curves of a training's text and of a text that was held back."""
    return Curves(
        training,
        Curve(training.chunk_counts, training.token_totals),
        Curve(held_out, token_totals(training.tokenizer, held_out)),
        known_share(training.chunk_counts, held_out),
    )


def merge_words(training: Training, merges: np.ndarray) -> list[str]:
    """Return for each number of merges the last of them in words. Holds tokens: hostile text."""
    tokenizer, counts = training.tokenizer, training.counts.tolist()
    tokens = tokenizer.vocabulary
    pairs, made = tokenizer.pairs.tolist(), tokenizer.token_ids.tolist()

    def words(rank: int) -> str:
        left, right = (visible(tokens[part]) for part in pairs[rank])
        return f"rank {rank:,}: {left} + {right} → {visible(tokens[made[rank]])}, counted {counts[rank]:,}"

    return ["nothing learned yet" if after == 0 else words(after - 1) for after in merges.tolist()]
