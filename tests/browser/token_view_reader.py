"""What a browser test reads from a token view, and what should stand there."""

from __future__ import annotations

from typing import NamedTuple

from bpe_core import Tokenizer
from bpe_core.visible import visible

READ_TILES = """rows => [...rows.querySelectorAll('.tile')].map(tile => [
    tile.token.start, tile.token.end, tile.token.id, tile.textContent.replace('◌', ''), tile.className,
    tile.getBoundingClientRect().left - rows.getBoundingClientRect().left])"""


class Tile(NamedTuple):
    """A drawn token: bytes `start` to `end` of the text, and how it is drawn."""

    start: int
    end: int
    token_id: int
    text: str
    classes: str
    left: float


def read_tiles(page) -> list[Tile]:
    """Return the tiles that exist now (rows in sight and a few more), in reading order."""
    tiles = [Tile(*tile) for tile in page.locator(".rows").evaluate(READ_TILES)]
    return sorted(tiles, key=lambda tile: tile.start)


def expected_tiles(tokenizer: Tokenizer, text: str) -> dict[int, tuple[int, int, str]]:
    """Return for each token's first byte: (end, id, drawn text), from an ordinary encoding."""
    found, start = {}, 0
    for token_id in tokenizer.encode(text):
        token = tokenizer.vocabulary[token_id]
        found[start] = (start + len(token), token_id, drawn_text(token))
        start += len(token)
    return found


def drawn_text(token: bytes) -> str:
    """Return the text of a token's tile: as `visible`, but the names stand in frames and not in brackets.

    Without the dotted circle: in a tile a mark also stands on one when it follows a space.
    """
    return visible(token).replace("⟨U+", "").replace("⟨", "").replace("⟩", "").replace("◌", "")


def colour_class(token: bytes) -> str:
    """Return the class of a tile's colour: FNV-1a in 32 bits, mixed, modulo 8; grey for a single byte."""
    if len(token) == 1:
        return "raw"
    mixed = 0x811C9DC5
    for byte in token:
        mixed = (mixed ^ byte) * 0x01000193 % 2**32
    mixed ^= mixed >> 16
    mixed = mixed * 0x7FEB352D % 2**32
    mixed ^= mixed >> 15
    return f"c{mixed % 8}"
