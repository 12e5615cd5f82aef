"""Bytes of a token -> text that a person can read.

`visible` is for tables, hovers and messages; `BYTE_ALPHABET` is the published
GPT-2 alphabet, in which vocabulary files spell bytes.
"""

from __future__ import annotations

import unicodedata

_NAMED = {" ": "·", "\t": "→", "\n": "↵"}
_CAPITALS = {
    "\u00a0": "NBSP", "\u00ad": "SHY", "\u034f": "CGJ", "\u061c": "ALM", "\u200b": "ZWSP", "\u200c": "ZWNJ",
    "\u200d": "ZWJ", "\u200e": "LRM", "\u200f": "RLM", "\u2028": "LSEP", "\u2029": "PSEP", "\u202a": "LRE",
    "\u202b": "RLE", "\u202c": "PDF", "\u202d": "LRO", "\u202e": "RLO", "\u2060": "WJ", "\u2066": "LRI",
    "\u2067": "RLI", "\u2068": "FSI", "\u2069": "PDI", "\ufeff": "BOM",
}  # fmt: skip
_BLANK = set("\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
_BLANK |= {chr(code) for code in range(0xE0100, 0xE01F0)}
"""Letters and marks that draw nothing: fillers, the empty Braille cell, Mongolian and other variation selectors."""

_UNSEEN_CATEGORIES = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"}


def visible(token: bytes) -> str:
    """Return `token` as readable text in which nothing is hidden.

    A space is `·`, a tab `→`, a line feed `↵`. A byte that is no whole UTF-8
    character, and an ASCII control, is its two hex digits in `⟨⟩`. Other controls, invisible, bidi and unassigned
    characters are named. A combining mark with no character before it that could carry it stands on `◌`.

    >>> visible(b" the"), visible("é".encode()), visible(b"\\xe2\\x80"), visible(b"a\\x00")
    ('·the', 'é', '⟨E2⟩⟨80⟩', 'a⟨00⟩')
    >>> visible("\\u202e".encode()), visible("\\u2764\\ufe0f".encode()), visible("\\u3164".encode())
    ('⟨RLO⟩', '❤⟨VS16⟩', '⟨U+3164⟩')
    """
    shown, can_carry = [], False
    for character in token.decode("utf-8", "surrogateescape"):
        drawn = _visible_character(character)
        is_bare = drawn == character and not can_carry and unicodedata.category(character)[0] == "M"
        shown.append("◌" + drawn if is_bare else drawn)
        can_carry = drawn == character
    return "".join(shown)


def _visible_character(character: str) -> str:
    if character in _NAMED:
        return _NAMED[character]
    if character in _CAPITALS:
        return f"⟨{_CAPITALS[character]}⟩"
    if "\udc80" <= character <= "\udcff":
        return f"⟨{ord(character) - 0xDC00:02X}⟩"
    if "\ufe00" <= character <= "\ufe0f":
        return f"⟨VS{ord(character) - 0xFDFF}⟩"
    if character in _BLANK or unicodedata.category(character) in _UNSEEN_CATEGORIES:
        return f"⟨{ord(character):02X}⟩" if character < "\x80" else f"⟨U+{ord(character):04X}⟩"
    return character


def hex_bytes(token: bytes) -> str:
    """Return the bytes of `token` in hex, a space between.

    >>> hex_bytes(b" the")
    '20 74 68 65'
    """
    return token.hex(" ").upper()


def _byte_alphabet() -> tuple[str, ...]:
    """GPT-2's rule: printable Latin-1 bytes stand for themselves, the other 68 take U+0100 onwards in order."""
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    spare = iter(range(0x100, 0x200))
    return tuple(chr(byte if byte in printable else next(spare)) for byte in range(256))


BYTE_ALPHABET = _byte_alphabet()
"""The visible symbol of each byte value: `BYTE_ALPHABET[32]` is `Ġ`."""

BYTE_OF_SYMBOL = {symbol: byte for byte, symbol in enumerate(BYTE_ALPHABET)}
"""The inverse of `BYTE_ALPHABET`."""


def spell(token: bytes) -> str:
    """Return `token` in the GPT-2 byte alphabet, as vocabulary files write it.

    >>> spell(b" the\\n")
    'ĠtheĊ'
    """
    return "".join(map(BYTE_ALPHABET.__getitem__, token))
