"""A text file -> documents: split it, leave out what is empty or no text, and say so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bpe_core.documents.encodings import Decoded
from bpe_core.documents.model import Documents
from bpe_core.documents.report import MOST_LISTED, FileReport, LeftOut, Report
from bpe_core.documents.splitting import line_numbers, split_text
from bpe_core.documents.texts import Texts


def text_documents(text: Decoded, file: FileReport, split: str = "file") -> Documents:
    """Return the documents of a decoded text; there may be none. `file` tells what is known of it already.

    Raises BpeError for an unknown split.
    """
    texts = split_text(text.data, split)
    lines = line_numbers(text.data, texts.starts)
    bad = np.empty(0, np.int64) if text.sound else _not_utf8(texts)
    empty = np.flatnonzero(texts.lengths == 0)
    reason = f"it is not {text.encoding} text"
    left_out = tuple(LeftOut(file.name, line, None, reason) for line in lines[bad[:MOST_LISTED]].tolist())
    if len(bad) + len(empty):
        good = np.setdiff1d(np.arange(len(texts)), np.concatenate([bad, empty]))
        texts, lines = texts.selected(good), lines[good]
    report = replace(
        file, split=split, num_documents=len(texts), empty=len(empty), num_left_out=len(bad), left_out=left_out
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
