"""What reading a file gives: a tokenizer, and what one should know about how it was read."""

from __future__ import annotations

from dataclasses import dataclass

from bpe_core.tokenizer import Tokenizer


@dataclass(frozen=True)
class Loaded:
    """A tokenizer that was read from `format`; `notes` are sentences for the user, the weightiest first."""

    tokenizer: Tokenizer
    format: str
    notes: tuple[str, ...] = ()
