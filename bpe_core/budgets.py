"""The table at budgets of the reader's choice, and what a vocabulary costs in a model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from bpe_core.chunks import ChunkCounts
from bpe_core.errors import BpeError
from bpe_core.measures import bytes_per_token, characters_per_token, token_totals
from bpe_core.training import Training

USUAL_BUDGETS = (0, 256, 500, 1_000, 2_000, 5_000, None)
"""Merges to ask for; None means all that were learned."""


class SideFigures(NamedTuple):
    """One text at one size; the ratios of an empty text are None."""

    num_bytes: int
    num_characters: int
    num_tokens: int
    bytes_per_token: float | None
    characters_per_token: float | None


class BudgetRow(NamedTuple):
    """One budget: merges `requested` (None: all) and `learned`, which may be fewer, and each side's figures."""

    requested: int | None
    learned: int
    train: SideFigures
    held_out: SideFigures | None

    @property
    def reached(self) -> bool:
        """Whether as many merges as requested could be learned."""
        return self.requested is None or self.learned == self.requested


class EmbeddingCost(NamedTuple):
    """The parameters of a vocabulary's embeddings, and their share of a model if its other parameters are known."""

    parameters: int
    share: float | None


def budget_table(
    training: Training, held_out: ChunkCounts | None = None, budgets: Iterable[object] = USUAL_BUDGETS
) -> list[BudgetRow]:
    """Return one row per budget, in the order given: numbers of merges, each from the one training.

    >>> from bpe_core.training import train
    >>> rows = budget_table(train({b"abab": 2}, 300), None, [0, 1, 12])
    >>> [(row.requested, row.learned, row.train.num_tokens, row.reached) for row in rows]
    [(0, 0, 8, True), (1, 1, 4, True), (12, 2, 2, False)]

    Raises BpeError for a budget that is not a non-negative whole number.
    """
    wanted = [check_budget(budget) for budget in budgets]
    num_merges = training.tokenizer.num_merges
    held_out_totals = token_totals(training.tokenizer, held_out) if held_out is not None else None
    rows = []
    for budget in wanted:
        learned = num_merges if budget is None else min(budget, num_merges)
        rows.append(
            BudgetRow(
                budget,
                learned,
                side_figures(training.chunk_counts, training.token_totals, learned),
                side_figures(held_out, held_out_totals, learned) if held_out is not None else None,
            )
        )
    return rows


def side_figures(chunk_counts: ChunkCounts, totals: np.ndarray, k: int) -> SideFigures:
    """Return a text's figures after k merges, from its tokens at every size."""
    tokens, num_bytes, characters = int(totals[k]), chunk_counts.num_bytes, chunk_counts.num_characters
    return SideFigures(
        num_bytes, characters, tokens, bytes_per_token(num_bytes, tokens), characters_per_token(characters, tokens)
    )


def check_budget(budget: object) -> int | None:
    """Return a budget as a number of merges; None, or the word `all`, stays None: as many as were learned.

    Text may group thousands with commas.

    >>> check_budget("5,000"), check_budget(0), check_budget("all")
    (5000, 0, None)

    Raises BpeError if it is not a non-negative whole number.
    """
    if budget is None or (isinstance(budget, str) and budget.strip().lower() == "all"):
        return None
    if isinstance(budget, str):
        digits = budget.strip().replace(",", "")
        if digits.isascii() and digits.isdigit() and len(digits) < 20:
            return int(digits)
    elif isinstance(budget, int | np.integer) and not isinstance(budget, bool) and budget >= 0:
        return int(budget)
    raise BpeError(f"The budget {str(budget)[:40]!r} is not a number of merges. Give a whole number, 0 or more.")


def embedding_cost(vocab_size: int, width: int, *, tied: bool, other_parameters: int | None = None) -> EmbeddingCost:
    """Return the embedding parameters: V·d if input and output share one table (tied), else 2·V·d.

    Gemma 3 1B has 262,144 entries of width 1,152, tied, and 698 million other
    parameters (Gemma 3 report, table 1):

    >>> embedding_cost(262_144, 1_152, tied=True, other_parameters=698_000_000)
    EmbeddingCost(parameters=301989888, share=0.301992941752627)

    Raises BpeError for a size or width below 1, or other parameters below 0.
    """
    for name, value in (("vocabulary size", vocab_size), ("width", width)):
        if value < 1:
            raise BpeError(f"A {name} of {value} is not possible. Give 1 or more.")
    if other_parameters is not None and other_parameters < 0:
        raise BpeError(f"A model cannot have {other_parameters} other parameters. Give 0 or more.")
    parameters = vocab_size * width * (1 if tied else 2)
    share = None if other_parameters is None else parameters / (parameters + other_parameters)
    return EmbeddingCost(parameters, share)
