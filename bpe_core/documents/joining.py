"""Several readings -> one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from bpe_core.documents.model import Documents
from bpe_core.documents.report import FileReport, LeftOut, Report, shown_name
from bpe_core.documents.texts import Texts
from bpe_core.errors import BpeError


def join_documents(parts: Iterable[Documents], left_out_files: Iterable[LeftOut] = ()) -> Documents:
    """Return the documents of all `parts`, in order, with one report.

    A file whose content was there already is kept, and noted; a second file of the same name is numbered.

    >>> from bpe_core.documents import read_documents
    >>> joined = join_documents(read_documents(b"low", name) for name in ("a.txt", "b.txt"))
    >>> tuple(joined), joined.report.notes
    (('low', 'low'), ('b.txt has the same content as a.txt; both are used, so each of its documents weighs double.',))

    Raises BpeError if there are no parts.
    """
    parts = list(parts)
    if not parts:
        raise BpeError("There is no file to read. Choose one that holds text.")
    files = _with_distinct_names([file for part in parts for file in part.files])
    left_out_files = tuple(left_out for part in parts for left_out in part.report.left_out_files) + tuple(
        left_out_files
    )
    notes = tuple(note for part in parts for note in part.report.notes if note) + _same_content(files)
    report = Report(files, left_out_files, tuple(dict.fromkeys(notes)))
    if len(parts) == 1:
        return replace(parts[0], report=report)
    group_names, group_numbers = _groups(parts)
    return Documents(
        _joined([part.documents for part in parts]),
        report,
        _shifted([part.file_numbers for part in parts], [len(part.files) for part in parts]),
        np.concatenate([part.lines for part in parts]),
        np.concatenate([part.rows for part in parts]),
        group_names,
        group_numbers,
    )


def _joined(texts: Sequence[Texts]) -> Texts:
    ends = _shifted([np.cumsum(each.lengths) for each in texts], [each.num_bytes for each in texts])
    return Texts.cut(b"".join(each.joined() for each in texts), ends)


def _shifted(arrays: Sequence[np.ndarray], sizes: Sequence[int]) -> np.ndarray:
    """The arrays one after the other, each moved up by the sizes before it."""
    starts = np.cumsum([0, *sizes[:-1]])
    return np.concatenate([array + start for array, start in zip(arrays, starts, strict=True)]).astype(np.int64)


def _groups(parts: Sequence[Documents]) -> tuple[tuple[str, ...], np.ndarray | None]:
    """The groups of all parts; a part without groups has the group "" if others have some."""
    if all(part.group_numbers is None for part in parts):
        return (), None
    numbers: dict[str, int] = {}
    arrays = []
    for part in parts:
        names, within = (part.group_names, part.group_numbers) if part.group_numbers is not None else (("",), None)
        renumbered = np.array([numbers.setdefault(name, len(numbers)) for name in names], np.int64)
        arrays.append(renumbered[np.zeros(len(part), np.int64) if within is None else within])
    return tuple(numbers), np.concatenate(arrays)


def _with_distinct_names(files: Sequence[FileReport]) -> tuple[FileReport, ...]:
    taken: dict[str, FileReport] = {}
    for file in files:
        name, copy = file.name, 2
        while name in taken:
            name, copy = f"{file.name} ({copy})", copy + 1
        taken[name] = replace(file, name=name, left_out=tuple(each._replace(file=name) for each in file.left_out))
    return tuple(taken.values())


def _same_content(files: Sequence[FileReport]) -> tuple[str, ...]:
    first: dict[str, FileReport] = {}
    notes = []
    for file in files:
        earlier = first.setdefault(file.sha256, file)
        if earlier is not file:
            notes.append(
                f"{shown_name(file.name)} has the same content as {shown_name(earlier.name)}; both are used, "
                "so each of its documents weighs double."
            )
    return tuple(notes)
