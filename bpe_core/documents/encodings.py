"""The bytes of a text file -> UTF-8. The encoding comes from a byte order mark or from the user, never from a guess."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from bpe_core.documents.report import counted, shown_name
from bpe_core.documents.stopping import Tell, say_nothing
from bpe_core.errors import BpeError

ENCODINGS = {
    "utf-8": "UTF-8", "utf-16": "UTF-16", "utf-16-le": "UTF-16 LE", "utf-16-be": "UTF-16 BE", "utf-32": "UTF-32",
    "utf-32-le": "UTF-32 LE", "utf-32-be": "UTF-32 BE", "cp1252": "Windows-1252", "latin-1": "Latin-1",
}  # fmt: skip
"""Each encoding that can be chosen, with the name to show. UTF-16 and UTF-32 take their byte order from the mark."""

# UTF-32 LE stands before UTF-16 LE, whose mark is its beginning.
_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32-le", codecs.BOM_UTF32_BE: "utf-32-be", codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be",
}  # fmt: skip
_BLOCK = 1 << 20  # decoding in blocks keeps a text of 100 MB from standing in memory as 400 MB of str

# One byte that UTF-8 never has stands for what could not be decoded, so that the
# document it stands in is found again, and skipped, after the text has been split.
codecs.register_error("bpe_core.mark", lambda error: ("\udcff", error.end))


class Decoded(NamedTuple):
    """A text as UTF-8, and how it came to be so (see FileReport); `sound` if all of `data` is UTF-8 for certain."""

    data: bytes
    encoding: str
    encoding_by: str
    byte_order_mark: str
    notes: tuple[str, ...]
    sound: bool


def decoded(
    content: bytes,
    name: str,
    encoding: str | None = None,
    *,
    byte_order_mark: str = "drop",
    bad: str = "refuse",
    cut_short: bool = False,
    tell: Tell = say_nothing,
) -> Decoded:
    """Return `content` as UTF-8; without a choice its byte order mark decides, and without a mark it is UTF-8.

    With `bad="skip"` bytes that are no text are left in as bytes that are not
    UTF-8. With `cut_short` an unfinished last character is dropped, and noted.

    >>> decoded("é".encode("utf-16"), "a.txt")[:4]
    (b'\\xc3\\xa9', 'UTF-16 LE', 'byte order mark', 'dropped')

    Raises BpeError for an unknown encoding, and if bytes are no text in it: offset and line of the first.
    """
    _check_choices(encoding, byte_order_mark, bad)
    mark = next((mark for mark in _MARKS if content.startswith(mark)), b"")
    codec, by = _codec(name, encoding, mark)
    notes = []
    if codec == "utf-16-le" and mark == codecs.BOM_UTF32_LE:  # chosen: then it is the mark of UTF-16 and a NUL
        mark = codecs.BOM_UTF16_LE
    if mark and _MARKS[mark] != codec:
        notes.append(
            f"{shown_name(name)} begins with the byte order mark of {ENCODINGS[_MARKS[mark]]}, "
            f"but was read as {ENCODINGS[codec]}, as chosen."
        )
        mark = b""
    start = 0 if byte_order_mark == "keep" else len(mark)
    data, dropped = _utf8(_Blocks(content, name, codec, start, bad, cut_short, tell))
    if dropped:
        notes.append(f"{shown_name(name)} ends within a character, of which {counted(dropped, 'byte')} were left out.")
    if by == "default" and (zeros := data.count(0)):
        notes.append(
            f"{shown_name(name)} holds {counted(zeros, 'NUL character')}; if it should not, it may be UTF-16 or UTF-32 "
            "without a byte order mark: choose that encoding."
        )
    what = "none" if not mark else "kept" if byte_order_mark == "keep" else "dropped"
    return Decoded(data, ENCODINGS[codec], by, what, tuple(notes), bad != "skip")


def _check_choices(encoding: str | None, byte_order_mark: str, bad: str) -> None:
    if byte_order_mark not in ("drop", "keep"):
        raise BpeError(f"A byte order mark can be 'drop' or 'keep', not {byte_order_mark!r}.")
    if bad not in ("refuse", "skip"):
        raise BpeError(f"Bad documents can be 'refuse' or 'skip', not {bad!r}.")
    if encoding is not None and encoding not in ENCODINGS:
        raise BpeError(f"There is no encoding {encoding!r} here. Choose one of: {', '.join(ENCODINGS)}.")


def _codec(name: str, encoding: str | None, mark: bytes) -> tuple[str, str]:
    if encoding is None:
        return (_MARKS[mark], "byte order mark") if mark else ("utf-8", "default")
    if encoding not in ("utf-16", "utf-32"):
        return encoding, "choice"
    if mark and _MARKS[mark].startswith(encoding):
        return _MARKS[mark], "choice"
    if encoding == "utf-16" and mark == codecs.BOM_UTF32_LE:
        return "utf-16-le", "choice"
    raise BpeError(
        f"{shown_name(name)} has no byte order mark of {ENCODINGS[encoding]}, so its byte order is not known. "
        f"Choose {encoding}-le (most files) or {encoding}-be."
    )


def _utf8(blocks: _Blocks) -> tuple[bytes, int]:
    """The UTF-8 bytes, and how many unfinished bytes were dropped at the end."""
    content, start = blocks.content, blocks.start
    if blocks.codec in ("utf-8", "latin-1") and content.isascii():
        return content[start:], 0
    if blocks.codec == "utf-8":
        for _ in blocks:  # only checked: the bytes are UTF-8 already
            pass
        return content[start : len(content) - blocks.unfinished], blocks.unfinished
    data = io.BytesIO()  # gives its bytes away without a copy
    for text in blocks:
        data.write(text.encode("utf-8", "surrogateescape"))
    return data.getvalue(), blocks.unfinished


@dataclass
class _Blocks:
    """The text of `content` from `start` on, block by block; then `unfinished` bytes at its end are left over."""

    content: bytes
    name: str
    codec: str
    start: int
    bad: str
    cut_short: bool
    tell: Tell
    unfinished: int = 0
    _line: int = 1

    def __iter__(self) -> Iterator[str]:
        decoder = codecs.getincrementaldecoder(self.codec)("bpe_core.mark" if self.bad == "skip" else "strict")
        for at in range(self.start, len(self.content), _BLOCK):
            self.tell(at)
            pending = len(decoder.getstate()[0])
            last = at + _BLOCK >= len(self.content)
            try:
                text = decoder.decode(self.content[at : at + _BLOCK], last and not self.cut_short)
            except UnicodeDecodeError as error:
                raise self._refusal(error, at - pending) from None
            self._line += text.count("\n")
            yield text
        self.unfinished = len(decoder.getstate()[0])

    def _refusal(self, error: UnicodeDecodeError, at: int) -> BpeError:
        before = error.object[: error.start].decode(self.codec)
        line = self._line + before.count("\n")
        wrong = error.object[error.start : max(error.end, error.start + 1)][:4].hex(" ").upper()
        return BpeError(
            f"{shown_name(self.name)} is not {ENCODINGS[self.codec]} text: the first bad byte is at offset "
            f"{at + error.start:,}, line {line:,} ({wrong}). Choose its encoding (cp1252 or latin-1 for older Western "
            "files, utf-16-le or utf-16-be, …), or skip the bad documents."
        )
