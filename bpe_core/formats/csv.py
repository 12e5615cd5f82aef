"""A CSV table of the vocabulary, one token on a line: for spreadsheets and for reading back.

Columns: `token_id`; `kind` (byte, merge, special, added, lone); `rank`, `left_id`, `right_id` for
merges; `hex`, the token's bytes; `token`, the same to read, in “ ” so that no spreadsheet takes it
for a formula. Reading back uses every column but the last. The pattern is not in it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import numpy as np

from bpe_core.errors import BpeError
from bpe_core.formats.by_ids import Entries, tokenizer_of
from bpe_core.formats.incoming import text_of
from bpe_core.formats.loaded import Loaded
from bpe_core.patterns import Pattern, as_pattern
from bpe_core.tokenizer import Tokenizer
from bpe_core.visible import visible

COLUMNS = ("token_id", "kind", "rank", "left_id", "right_id", "hex", "token")
HEADER = ",".join(COLUMNS)

Row = tuple[int, str, int | str, int | str, int | str, str, str]


def csv_files(tokenizer: Tokenizer) -> dict[str, bytes]:
    """Return `vocabulary.csv`, UTF-8, lines ended by LF, tokens by kind and then by id; merges by rank.

    Raises BpeError if a table of tokens cannot hold it.
    """
    if tokenizer.ignore_merges or tokenizer.normalization or tokenizer.prefix_space:
        raise BpeError("A CSV table cannot say how this vocabulary treats text before the merges. Save the manifest.")
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(_rows(tokenizer))
    return {"vocabulary.csv": out.getvalue().encode()}


def _rows(tokenizer: Tokenizer) -> Iterator[Row]:
    tokens = tokenizer.vocabulary
    for byte, token_id in enumerate(tokenizer.byte_ids.tolist()):
        yield _row(token_id, "byte", bytes([byte]))
    order = np.argsort(tokenizer.ranks, kind="stable")
    for rank, number in enumerate(order.tolist()):
        left, right = tokenizer.pairs[number].tolist()
        token_id = int(tokenizer.token_ids[number])
        yield _row(token_id, "merge", tokens[left] + tokens[right], rank, left, right)
    for token, token_id in tokenizer.lone_tokens.items():
        yield _row(token_id, "lone", token)
    for kind, named in ("special", tokenizer.specials), ("added", tokenizer.added_tokens):
        for name, token_id in named.items():
            yield _row(token_id, kind, name.encode())


def _row(
    token_id: int, kind: str, token: bytes, rank: int | str = "", left: int | str = "", right: int | str = ""
) -> Row:
    return token_id, kind, rank, left, right, token.hex(), f"“{visible(token)}”"


def csv_limits(tokenizer: Tokenizer) -> list[str]:
    """Return what the table cannot carry of `tokenizer`, as sentences."""
    return [f"The table does not hold the pattern ({tokenizer.pattern.name}). Choose it again when you load the table."]


def read_csv(name: str, content: bytes, pattern: str | Pattern | None = None) -> Loaded:
    """Return the tokenizer of a table that `csv_files` wrote.

    Raises BpeError for a damaged line, with its number, and if no pattern is given.
    """
    if pattern is None:
        raise BpeError(f"{name} is a table of tokens, which names no pattern. Choose the pattern it was trained with.")
    found = _Found()
    reader = csv.reader(io.StringIO(text_of(name, content), newline=""))
    try:
        if next(reader, None) != list(COLUMNS):
            raise BpeError(f"{name} does not begin with the line {HEADER}.")
        for row in reader:
            if row:
                found.take(row, f"Line {reader.line_num} of {name}")
    except csv.Error as error:
        raise BpeError(f"Line {reader.line_num} of {name} is no line of a CSV table: {error}.") from None
    missing = 256 - len(found.byte_ids)
    if missing:
        raise BpeError(f"{name} has no token for {missing} of the 256 single bytes.")
    entries = Entries(
        [found.byte_ids[byte] for byte in range(256)], found.merges, found.specials, found.added, found.lone
    )
    return Loaded(tokenizer_of(entries, as_pattern(pattern), name), "csv")


class _Found:
    """The rows of a table so far, by kind."""

    def __init__(self) -> None:
        self.byte_ids: dict[int, int] = {}
        self.merges: list[tuple[int, int, int]] = []
        self.specials: dict[str, int] = {}
        self.added: dict[str, int] = {}
        self.lone: dict[bytes, int] = {}

    def take(self, row: list[str], where: str) -> None:
        if len(row) != len(COLUMNS):
            raise BpeError(f"{where} has {len(row)} columns; it must have {len(COLUMNS)}.")
        token_id, kind, rank, left, right, spelled, _ = row
        token, number = _bytes(spelled, where), _number(token_id, where)
        if kind == "merge":
            if _number(rank, where) != len(self.merges):
                raise BpeError(f"{where} is the merge of rank {rank}; rank {len(self.merges)} must come next.")
            self.merges.append((_number(left, where), _number(right, where), number))
        elif kind == "byte" and len(token) == 1:
            self._put(self.byte_ids, token[0], number, where)
        elif kind == "lone" and len(token) > 1:
            self._put(self.lone, token, number, where)
        elif kind in ("special", "added"):
            self._put(self.specials if kind == "special" else self.added, _text(token, where), number, where)
        else:
            raise BpeError(f"{where}: a token of {len(token)} bytes cannot be of the kind {kind[:40]!r}.")

    @staticmethod
    def _put(table: dict, key: object, number: int, where: str) -> None:
        if key in table:
            raise BpeError(f"{where} repeats a token of an earlier line. Each may stand once.")
        table[key] = number


def _number(cell: str, where: str) -> int:
    if not (cell.isascii() and cell.isdigit() and len(cell) < 12):
        raise BpeError(f"{where} has {cell[:40]!r} where a whole number must stand.")
    return int(cell)


def _bytes(cell: str, where: str) -> bytes:
    try:
        return bytes.fromhex(cell)
    except ValueError:
        raise BpeError(f"{where}: {cell[:40]!r} is not written in hex.") from None


def _text(token: bytes, where: str) -> str:
    try:
        return token.decode()
    except UnicodeDecodeError:
        raise BpeError(f"{where}: the name of a special token must be UTF-8.") from None
