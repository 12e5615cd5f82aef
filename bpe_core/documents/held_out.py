"""What is learned from and what is kept back to measure on. No document stands, letter for letter, on both sides."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from hashlib import blake2b

import numpy as np

from bpe_core.documents.choosing import split_further
from bpe_core.documents.model import Documents
from bpe_core.documents.report import shown_name
from bpe_core.documents.sides import HeldOutSplit, without_repeats
from bpe_core.documents.texts import first_equals
from bpe_core.errors import BpeError

NEIGHBOURS = (
    "The two sides are parts of the same documents. Neighbours share words, so the held-out figure looks better than "
    "on a text that was never seen; hold back whole documents or a separate text if you can."
)


def hold_out_share(documents: Documents, share: float, seed: int = 0, *, parts: str | None = None) -> HeldOutSplit:
    """Hold back a share (0 to 1) of the documents at random; equal documents stay together.

    With `parts`, "blank lines" or "line", the documents are split first: for a corpus of one document.
    The same seed holds back the same documents on every machine, in whatever order they stand.

    >>> from bpe_core.documents import documents_of_text
    >>> split = hold_out_share(documents_of_text("a\\nb\\na\\nc\\n", split="line"), 0.5)
    >>> tuple(split.train), tuple(split.held_out), split.duplicates_kept_together
    (('a\\n', 'a\\n'), ('b\\n', 'c\\n'), 1)

    Raises BpeError if the share is not between 0 and 1, or a side would be empty.
    """
    _check_share(share)
    documents, what = _in_parts(documents, parts)
    firsts = first_equals(documents.documents)
    is_first = firsts == np.arange(len(firsts))
    classes, sizes = np.unique(firsts, return_counts=True)
    keys = [_key(seed, text) for text in documents.documents.selected(classes).encoded()]
    chosen = _fill(keys, sizes.tolist(), share)
    held = np.isin(firsts, classes[chosen])
    _check_sides(documents, held, parts)
    how = f"{_percent(share)} of the {what}, at random (seed {seed})"
    return _split(documents, held, how, parts, duplicates_kept_together=int((~is_first).sum()))


def hold_out_tail(
    documents: Documents, share: float, *, parts: str | None = None, repeats: str = "refuse"
) -> HeldOutSplit:
    """Hold back the last share (0 to 1) of the documents, in the order in which they stand.

    `parts` as in `hold_out_share`, `repeats` as in `hold_out_text`.

    >>> from bpe_core.documents import documents_of_text
    >>> tuple(hold_out_tail(documents_of_text("a\\nb\\nc\\n", split="line"), 0.3).held_out)
    ('c\\n',)

    Raises BpeError if the share is not between 0 and 1, or a side would be empty.
    """
    _check_share(share)
    documents, what = _in_parts(documents, parts)
    held = np.arange(len(documents)) >= len(documents) - _target(len(documents), share)
    _check_sides(documents, held, parts)
    return without_repeats(_split(documents, held, f"the last {_percent(share)} of the {what}", parts), repeats)


def hold_out_files(documents: Documents, names: Collection[str], *, repeats: str = "refuse") -> HeldOutSplit:
    """Hold back all documents of the files with these names; `repeats` as in `hold_out_text`.

    Raises BpeError if there is no such file, or a side would be empty.
    """
    files = [file.name for file in documents.files]
    chosen = _chosen(files, names, "file")
    held = np.isin(documents.file_numbers, chosen)
    _check_sides(documents, held, None)
    return without_repeats(
        replace(_split(documents, held, f"the {_listed('file', names)}", None), warning=None), repeats
    )


def hold_out_groups(documents: Documents, names: Collection[str], *, repeats: str = "refuse") -> HeldOutSplit:
    """Hold back all documents of these groups of the group column; `repeats` as in `hold_out_text`.

    Raises BpeError if the documents have no groups, or one group only, or no such group, or a side would be empty.
    """
    if documents.group_numbers is None:
        raise BpeError("The documents have no groups. Read the table again with a group column.")
    present = np.unique(documents.group_numbers)
    if len(present) < 2:
        only = shown_name(documents.group_names[int(present[0])]) if len(present) else "none"
        raise BpeError(
            f"The group column has one group only ({only!r}). Choose another column, or a share of documents."
        )
    held = np.isin(documents.group_numbers, _chosen(documents.group_names, names, "group"))
    _check_sides(documents, held, None)
    return without_repeats(_split(documents, held, f"the {_listed('group', names)}", None), repeats)


def hold_out_text(train: Documents, held_out: Documents, *, repeats: str = "refuse") -> HeldOutSplit:
    """Learn from all of one reading and measure on all of another.

    If held-out documents stand in the training text too, letter for letter, "refuse" raises and "drop"
    takes them from the held-out side and counts them.

    Raises BpeError if a side is empty.
    """
    for side, documents in ("training", train), ("held-out", held_out):
        if not len(documents):
            raise BpeError(f"The {side} side has no documents. Choose a text that has some.")
    names = ", ".join(shown_name(file.name) for file in held_out.files[:5])
    more = ", …" if len(held_out.files) > 5 else ""
    return without_repeats(HeldOutSplit(train, held_out, f"a separate text: {names}{more}"), repeats)


def _in_parts(documents: Documents, parts: str | None) -> tuple[Documents, str]:
    """The documents, split first if that is wanted, and what to call them."""
    if parts is None:
        return documents, "documents"
    if parts not in _PARTS:
        raise BpeError(f"Documents cannot be held back by {parts!r}. Choose one of: {', '.join(_PARTS)}.")
    return split_further(documents, parts), _PARTS[parts]


_PARTS = {"line": "lines", "blank lines": "paragraphs"}


def _check_share(share: float) -> None:
    if not 0 < share < 1:
        raise BpeError(f"The held-out share must be more than 0 % and less than 100 %, not {_percent(share)}.")


def _percent(share: float) -> str:
    return f"{share * 100:g} %"


def _target(num_documents: int, share: float) -> int:
    """How many documents to hold back: the share, but one at least, and never all."""
    return min(max(1, round(num_documents * share)), num_documents - 1)


def _key(seed: int, text: bytes) -> bytes:
    """A number that depends on the seed and the text alone: the order of these is the random order."""
    digest = blake2b(f"{seed}:".encode(), digest_size=16)
    digest.update(text)
    return digest.digest()


def _fill(keys: list[bytes], sizes: list[int], share: float) -> list[int]:
    """Which sets of equal documents to hold back: in random order each that still fits, else the smallest."""
    room = _target(sum(sizes), share)
    order = sorted(range(len(keys)), key=keys.__getitem__)
    chosen = []
    for number in order:
        if sizes[number] <= room:
            chosen.append(number)
            room -= sizes[number]
    return chosen or sorted(order, key=sizes.__getitem__)[:1]


def _check_sides(documents: Documents, held: np.ndarray, parts: str | None) -> None:
    if held.any() and not held.all():
        return
    what = _PARTS.get(parts or "", "documents")
    if len(documents) < 2:
        finer = "Hold back paragraphs or lines of it" if parts is None else "Choose smaller parts"
        raise BpeError(f"There are no two {what}, so none can be held back. {finer}, or use a separate text.")
    if first_equals(documents.documents).max() == 0:
        raise BpeError(f"All {len(documents):,} {what} are equal, so none can be held back. Use a separate text.")
    wrong = "Everything would be held back, and nothing learned from" if held.all() else "Nothing would be held back"
    raise BpeError(f"{wrong}. Choose another part to hold back.")


def _chosen(present: Sequence[str], names: Collection[str], what: str) -> list[int]:
    """The numbers of the files or groups with these names."""
    numbers = {name: number for number, name in enumerate(present)}
    if missing := [name for name in names if name not in numbers]:
        raise BpeError(f"There is no {what} {shown_name(missing[0])!r}. Choose among: {_names(present)}.")
    return [numbers[name] for name in names]


def _listed(what: str, names: Collection[str]) -> str:
    return f"{what}{'' if len(names) == 1 else 's'} {_names(names)}"


def _names(names: Collection[str]) -> str:
    shown = [shown_name(name) for name in names]
    return ", ".join(shown[:5]) + (f" and {len(shown) - 5:,} more" if len(shown) > 5 else "")


def _split(
    documents: Documents, held: np.ndarray, how: str, parts: str | None, duplicates_kept_together: int = 0
) -> HeldOutSplit:
    from_parts = parts is not None or any(file.split in _PARTS for file in documents.files)
    return HeldOutSplit(
        documents.selected(np.flatnonzero(~held)),
        documents.selected(np.flatnonzero(held)),
        how,
        duplicates_kept_together,
        warning=NEIGHBOURS if from_parts else None,
    )
