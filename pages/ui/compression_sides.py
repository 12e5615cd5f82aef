"""The two sides of a text: the one that is learned from and the one that is held back to measure on."""

from __future__ import annotations

from dataclasses import dataclass

from pages.ui.corpus import Corpus


@dataclass(frozen=True)
class Sides:
    """A training side and a held-out side, with the words that name them on the screen.

    `learned_from` completes "learned from …", `measured_on` "measured on …". `notes`
    are sentences that a reader must know: duplicates kept together, neighbours that share words.
    """

    train: Corpus
    held_out: Corpus
    learned_from: str
    measured_on: str
    notes: tuple[str, ...] = ()
