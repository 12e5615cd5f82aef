"""A text file -> documents: split it, leave out what is empty or no text, and say so."""

from __future__ import annotations

import numpy as np

from bpe_core.documents.encodings import Decoded
from bpe_core.documents.model import Documents
from bpe_core.documents.report import MOST_LISTED, FileReport, LeftOut, Report
from bpe_core.documents.splitting import line_numbers, split_text
from bpe_core.documents.texts import Texts


def text_documents(text: Decoded, name: str, num_bytes: int, sha256: str, split: str = "file") -> Documents:
    """Return the documents of a decoded text; there may be none.

    Raises BpeError for an unknown split.
    """
    texts = split_text(text.data, split)
    lines = line_numbers(text.data, texts.offsets[:-1])
    bad = np.empty(0, np.int64) if text.sound else _not_utf8(texts)
    empty = np.flatnonzero(texts.lengths == 0)
    reason = f"it is not {text.encoding} text"
    left_out = tuple(LeftOut(name, line, None, reason) for line in lines[bad[:MOST_LISTED]].tolist())
    if len(bad) + len(empty):
        good = np.setdiff1d(np.arange(len(texts)), np.concatenate([bad, empty]))
        texts, lines = texts.selected(good), lines[good]
    report = FileReport(
        name,
        "text",
        num_bytes,
        sha256,
        text.encoding,
        text.encoding_by,
        text.byte_order_mark,
        split,
        num_documents=len(texts),
        empty=len(empty),
        num_left_out=len(bad),
        left_out=left_out,
        notes=text.notes,
    )
    zeros = np.zeros(len(texts), np.int64)
    return Documents(texts, Report((report,)), zeros, lines, zeros)


def _not_utf8(texts: Texts) -> np.ndarray:
    """The numbers of the documents that hold bytes that are no text."""
    return np.array([number for number, piece in enumerate(texts.encoded()) if not _is_utf8(piece)], np.int64)


def _is_utf8(piece: bytes) -> bool:
    try:
        piece.decode()
    except UnicodeDecodeError:
        return False
    return True
