"""The two sides of a held-out split, and the documents that stand on both."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from bpe_core.documents.model import Documents
from bpe_core.documents.report import counted
from bpe_core.errors import BpeError


@dataclass(frozen=True, eq=False)
class HeldOutSplit:
    """The two sides; `how` tells what was held back.

    `duplicates_kept_together` counts documents equal to an earlier one, which stand on its side (in a
    random split); `duplicates_dropped` those taken from the held-out side because the training side has them.
    """

    train: Documents
    held_out: Documents
    how: str
    duplicates_kept_together: int = 0
    duplicates_dropped: int = 0
    warning: str | None = None


def repeated(train: Documents, held_out: Documents) -> np.ndarray:
    """Return the numbers of the held-out documents that the training side has too, letter for letter."""
    hashes, held_hashes = (
        np.fromiter(map(hash, side.documents.encoded()), np.int64, len(side)) for side in (train, held_out)
    )
    # Texts of different hash differ; the few others are compared.
    suspects = train.documents.selected(np.flatnonzero(np.isin(hashes, held_hashes)))
    known = set(suspects.encoded())
    candidates = np.flatnonzero(np.isin(held_hashes, hashes))
    pieces = held_out.documents.selected(candidates).encoded()
    return candidates[np.fromiter((piece in known for piece in pieces), bool, len(candidates))]


def without_repeats(split: HeldOutSplit, repeats: str) -> HeldOutSplit:
    """Return the split without held-out documents that the training side has too; "refuse" raises instead of "drop".

    Raises BpeError if there are some and they are not to be dropped, or if none would be left.
    """
    if repeats not in ("refuse", "drop"):
        raise BpeError(f"Repeated documents can be 'refuse' or 'drop', not {repeats!r}.")
    numbers = repeated(split.train, split.held_out)
    if not len(numbers):
        return split
    if repeats == "refuse":
        raise BpeError(
            f"{counted(len(numbers), 'held-out document')} of {len(split.held_out):,} also stand in the training text, "
            f"letter for letter; the first is {split.held_out.origin(int(numbers[0]))}. "
            "Drop them from the held-out side, or hold back another text."
        )
    if len(numbers) == len(split.held_out):
        raise BpeError(
            f"All {counted(len(numbers), 'held-out document')} also stand in the training text, so none would be left. "
            "Hold back another text."
        )
    kept = np.setdiff1d(np.arange(len(split.held_out)), numbers)
    return replace(split, held_out=split.held_out.selected(kept), duplicates_dropped=len(numbers))
