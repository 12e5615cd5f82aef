"""Ids -> bytes -> text: the lossless way, the strict one, and the one that repairs; whole or as a stream."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Mapping
from typing import Literal, get_args

from bpe_core.errors import BpeError

Errors = Literal["strict", "replace"]


def spelled_bytes(ids: Iterable[int], vocabulary: Mapping[int, bytes]) -> bytes:
    """Return the bytes that `ids` spell, joined.

    >>> spelled_bytes([104, 105], {104: b"h", 105: b"i"})
    b'hi'

    Raises BpeError for an id that no token has, naming it.
    """
    try:
        return b"".join([vocabulary[token_id] for token_id in ids])
    except TypeError:
        raise BpeError("Ids must be a list of whole numbers. Put a single id into a list: [id].") from None
    except KeyError as error:
        raise BpeError(_unknown_id(error.args[0], vocabulary)) from None


def _unknown_id(token_id: object, vocabulary: Mapping[int, bytes]) -> str:
    if isinstance(token_id, str):
        return f"Ids must be a list of whole numbers, but one is the text {token_id[:40]!r}."
    first, last = min(vocabulary), max(vocabulary)
    gaps = ", and some between have no token" if last - first >= len(vocabulary) else ""
    return (
        f"No token has the id {token_id}. This vocabulary has {len(vocabulary):,} tokens; "
        f"their ids run from {first} to {last}{gaps}."
    )


def spelled_text(content: bytes, errors: Errors) -> str:
    """Return `content` as text; bytes that are no UTF-8 raise BpeError, or become U+FFFD if `errors` is "replace".

    >>> spelled_text(b"caf\\xc3", "replace")
    'caf\ufffd'
    """
    if errors not in get_args(Errors):
        raise BpeError(f"errors={errors!r} is not known. Use 'strict' or 'replace'.")
    try:
        return content.decode("utf-8", errors)
    except UnicodeDecodeError as error:
        raise BpeError(
            f"These ids do not spell whole characters: byte {content[error.start]:02X} at offset {error.start} "
            "is not valid UTF-8 there. Decode to bytes, or replace what is broken."
        ) from None


class StreamDecoder:
    """Turns ids into text piece by piece; an unfinished character waits for its other bytes."""

    def __init__(self, decode_bytes: Callable[[Iterable[int]], bytes]) -> None:
        self._decode_bytes = decode_bytes
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def feed(self, ids: Iterable[int]) -> str:
        """Return the characters that are now complete; broken bytes become U+FFFD."""
        return self._decoder.decode(self._decode_bytes(ids))

    def finish(self) -> str:
        """Return what was held back: U+FFFD if a character never got its other bytes."""
        return self._decoder.decode(b"", final=True)
