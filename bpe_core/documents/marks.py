"""Documents marked for a reason, to be looked at, listed or left out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from bpe_core.documents.blocks import Block, blocks
from bpe_core.documents.model import Documents
from bpe_core.documents.texts import first_equals
from bpe_core.errors import BpeError

LONG_RUN_BYTES = 10_000

REASONS = {
    "duplicate": "equal to an earlier document",
    "blank": "whitespace alone",
    "replacement": "holds U+FFFD",
    "control": "holds control characters",
    "long run": f"more than {LONG_RUN_BYTES:,} bytes without a space",
}
"""Each reason for which documents can be marked, in words."""


class Mark(NamedTuple):
    """A marked document (numbered from 0), and why."""

    document: int
    reasons: tuple[str, ...]


def marked(documents: Documents, reasons: Collection[str]) -> tuple[Mark, ...]:
    """Return the documents to which any of these REASONS applies, in order.

    >>> from bpe_core.documents import documents_of_text
    >>> marked(documents_of_text("low\\n\\nlow\\n", split="line"), ["duplicate", "blank"])
    (Mark(document=1, reasons=('blank',)), Mark(document=2, reasons=('duplicate',)))

    Raises BpeError for an unknown reason.
    """
    for reason in reasons:
        if reason not in REASONS:
            raise BpeError(f"Documents cannot be marked for {reason!r}. Choose from: {', '.join(REASONS)}.")
    found: dict[int, list[str]] = defaultdict(list)
    by_block = set(reasons) - {"duplicate"}
    numbers = {reason: [np.empty(0, np.int64)] for reason in REASONS if reason in reasons}
    if "duplicate" in reasons:
        firsts = first_equals(documents.documents)
        numbers["duplicate"].append(np.flatnonzero(firsts != np.arange(len(firsts))))
    if "blank" in reasons:
        numbers["blank"].append(_blank(documents))
    for block in blocks(documents.documents) if by_block - {"blank"} else ():
        for reason in by_block - {"blank"}:
            numbers[reason].append(_documents_at(block, _FINDERS[reason](block)))
    for reason, parts in numbers.items():
        for number in np.unique(np.concatenate(parts)).tolist():
            found[number].append(reason)
    return tuple(Mark(number, tuple(found[number])) for number in sorted(found))


def _blank(documents: Documents) -> np.ndarray:
    """The documents in which every character is whitespace."""
    has_text = np.zeros(len(documents), bool)
    for block in blocks(documents.documents):
        has_text[block.documents[np.add.reduceat(~block.is_space, block.begins, dtype=np.int64) > 0]] = True
    return np.flatnonzero(~has_text)


def _long_runs(block: Block) -> np.ndarray:
    begins, ends = block.runs_without_space()
    return begins[ends - begins > LONG_RUN_BYTES]


_FINDERS = {"replacement": Block.replacements, "control": Block.controls, "long run": _long_runs}


def _documents_at(block: Block, positions: np.ndarray) -> np.ndarray:
    """The documents in which positions of a block's data stand."""
    return block.documents[np.searchsorted(block.begins, positions, side="right") - 1]
