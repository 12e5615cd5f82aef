"""Condition: what else could have been learned, under other settings; one line of the chart Other settings."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bpe_core import Pattern
from bpe_core.documents import hold_out_share
from pages.ui.compression_memory import remembered
from pages.ui.compression_sides import How, Sides, sides_of
from pages.ui.corpus import Corpus
from pages.ui.jobs import Request
from pages.ui.run import Run


@dataclass(frozen=True)
class Condition:
    """Settings that differ from the page's: `share` is how much of the training side is learned from, in percent."""

    pattern: Pattern
    seed: int
    min_count: int
    share: int

    @property
    def words(self) -> str:
        """The condition, exactly. May hold the visitor's own regex."""
        return (
            f"{self.pattern.name} · least count {self.min_count} · seed {self.seed} · "
            f"{self.share} % of the training side"
        )


def condition_of(run: Run) -> Condition:
    """Return the settings of the page itself."""
    return Condition(run.settings.pattern, run.sides.choice.seed, run.settings.min_count, 100)


def has_seed(run: Run) -> bool:
    """Return whether a seed decides what is held back."""
    return run.sides.choice.how == How.SHARE


def sides_under(run: Run, condition: Condition) -> Sides:
    """Return the two sides under a condition: split by its seed, and its share of the training side."""
    sides = run.sides
    choice = replace(sides.choice, seed=condition.seed) if has_seed(run) else sides.choice
    return remembered(sides.whole, ("condition sides", choice, sides.held_out.digest, condition.share),
                      lambda: _less(sides_of(sides.whole, choice, sides.second), condition))  # fmt: skip


def request_under(run: Run, condition: Condition) -> Request:
    """Return what is to be learned under a condition."""
    settings = replace(run.settings, pattern=condition.pattern, min_count=condition.min_count)
    return Request(sides_under(run, condition).train, settings)


def _less(sides: Sides, condition: Condition) -> Sides:
    if condition.share == 100:
        return sides
    part = hold_out_share(sides.split.train, condition.share / 100, condition.seed).held_out
    name = f"{sides.train.name}, {condition.share} %"
    return replace(sides, train=Corpus.of_documents(name, part, sides.whole.text_digest))
