"""Mixed texts for the bench: a third each of English prose, C code and many languages.

Built from a folder of one's own, because a measurement wants real text and much of it:
repeating a small one would have no rare chunks. The folder holds `en_*.txt` (prose,
such as the diary of Samuel Pepys from Project Gutenberg), `*.c` (code, such as the
SQLite amalgamation) and `udhr*.txt` (languages, such as all translations of the
Universal Declaration of Human Rights, one after the other). Of several the largest counts.
"""

from __future__ import annotations

from pathlib import Path

KINDS = {"English prose": "en_*.txt", "C code": "*.c", "many languages": "udhr*.txt"}
DOCUMENT_BYTES = 10_000
HELD_OUT_BYTES = 1_000_000


class TooLittleText(Exception):
    """The folder has not enough text of a kind for the size asked."""


def mix(folder: Path, size: int) -> tuple[list[str], list[str]]:
    """Return documents of about `size` bytes to learn from, and disjoint ones of 1 MB to measure on."""
    train, held_out = [], []
    for kind, glob in KINDS.items():
        lines = _largest(folder, kind, glob).read_text(encoding="utf-8").splitlines(keepends=True)
        documents = _documents(lines)
        needed = size // 3 + HELD_OUT_BYTES // 3
        if sum(len(document.encode()) for document in documents) < needed:
            raise TooLittleText(f"{size // 10**6} MB needs {needed:,} bytes of {kind} in one file ({glob}).")
        taken = _take(documents, size // 3)
        train += documents[:taken]
        held_out += documents[taken : taken + _take(documents[taken:], HELD_OUT_BYTES // 3)]
    return train, held_out


def _largest(folder: Path, kind: str, glob: str) -> Path:
    files = sorted(folder.glob(glob), key=lambda file: file.stat().st_size)
    if not files:
        raise TooLittleText(f"{folder} has no {kind}: no file {glob}.")
    return files[-1]


def _documents(lines: list[str]) -> list[str]:
    """Lines joined to documents of about `DOCUMENT_BYTES` characters."""
    documents, document, length = [], [], 0
    for line in lines:
        document.append(line)
        length += len(line)
        if length >= DOCUMENT_BYTES:
            documents.append("".join(document))
            document, length = [], 0
    return [*documents, "".join(document)] if document else documents


def _take(documents: list[str], size: int) -> int:
    """How many of the first `documents` make `size` bytes."""
    total = 0
    for number, document in enumerate(documents):
        if total >= size:
            return number
        total += len(document.encode())
    return len(documents)
