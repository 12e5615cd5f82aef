"""A table of tokens and a list of merges, as files spell them -> the arrays of a Tokenizer, checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from bpe_core.chunks import check_text
from bpe_core.errors import BpeError
from bpe_core.tokenizer import Tokenizer
from bpe_core.visible import BYTE_ALPHABET, BYTE_OF_SYMBOL, hex_bytes

MAX_ID = 2**24
"""Ids at or above it are refused: tables are sized by the largest id."""


@dataclass(frozen=True)
class Rules:
    """What a file says about tokens: ids of the bytes, rules in rank order, tokens that no rule makes."""

    byte_ids: np.ndarray
    pairs: np.ndarray
    token_ids: np.ndarray
    unmade: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def token_of(spelling: str) -> bytes | None:
    """Return the bytes that `spelling` means in the GPT-2 byte alphabet, or None if it is not written in it.

    >>> token_of("ĠtheĊ"), token_of("a b")
    (b' the\\n', None)
    """
    try:
        return bytes(map(BYTE_OF_SYMBOL.__getitem__, spelling))
    except KeyError:
        return None


def check_id(token_id: object, what: str) -> int:
    """Return `token_id` if it is a whole number that a table can hold; else raise BpeError naming `what`."""
    if type(token_id) is not int or not 0 <= token_id < MAX_ID:
        raise BpeError(f"The id of {what} is {str(token_id)[:40]}; ids are whole numbers from 0 to {MAX_ID - 1:,}.")
    return token_id


def check_table(table: Mapping[str, int], name: str) -> None:
    """Raise BpeError unless every id in `table` is a possible one and no two tokens share it."""
    check_text("".join(table))
    by_id: dict[int, str] = {}
    for spelling, token_id in table.items():
        check_id(token_id, f"the token {spelling[:80]!r} in {name}")
        if by_id.setdefault(token_id, spelling) != spelling:
            raise BpeError(
                f"In {name} the tokens {by_id[token_id][:80]!r} and {spelling[:80]!r} both have the id {token_id}."
            )


def read_rules(
    table: Mapping[str, int], merges: Sequence[tuple[str, str]], name: str, where: Callable[[int], str]
) -> Rules:
    """Return the rules that `merges` make with the ids of `table`; `where(i)` says where merge i stands.

    Of two equal merges the last counts, as for the published encoders, and a note says so.
    Raises BpeError if a byte, a part or a result has no id.
    """
    check_table(table, name)
    byte_ids = _byte_ids(table, name)
    last = {pair: number for number, pair in enumerate(merges)}
    notes = ()
    if len(last) < len(merges):
        number = next(number for number, pair in enumerate(merges) if last[pair] != number)
        notes = (
            f"{len(merges) - len(last):,} merges stand twice, the first as {where(number)} and again as "
            f"{where(last[merges[number]])}. The last one counts, as in the published encoders.",
        )
        merges = sorted(last, key=last.__getitem__)
    try:
        pairs = [(table[left], table[right]) for left, right in merges]
        made = [table[left + right] for left, right in merges]
    except KeyError:
        raise _first_fault(table, merges, name, lambda number: where(last[merges[number]])) from None
    return Rules(
        byte_ids,
        np.array(pairs, np.int32).reshape(-1, 2),
        np.array(made, np.int32),
        _unmade(table, made),
        notes,
    )


def _first_fault(
    table: Mapping[str, int], merges: Sequence[tuple[str, str]], name: str, where: Callable[[int], str]
) -> BpeError:
    for number, (left, right) in enumerate(merges):
        for part, role in (left, "part"), (right, "part"), (left + right, "result"):
            if part not in table:
                return BpeError(
                    f"The merge {left[:80]!r} {right[:80]!r} ({where(number)}) cannot be: "
                    f"its {role} {part[:160]!r} has no id in {name}."
                )
    raise AssertionError("some merge must be at fault")


def _byte_ids(table: Mapping[str, int], name: str) -> np.ndarray:
    missing = [byte for byte, symbol in enumerate(BYTE_ALPHABET) if symbol not in table]
    if missing:
        shown = hex_bytes(bytes(missing[:8])) + (" …" if len(missing) > 8 else "")
        raise BpeError(
            f"{name} is no table of byte-level BPE: it has no token for {len(missing)} of the 256 single bytes "
            f"({shown}). Such a vocabulary cannot encode every text."
        )
    return np.array([table[symbol] for symbol in BYTE_ALPHABET], np.int32)


def _unmade(table: Mapping[str, int], made: list[int]) -> dict[str, int]:
    known = {*made, *(table[symbol] for symbol in BYTE_ALPHABET)}
    return {spelling: token_id for spelling, token_id in table.items() if token_id not in known}


def is_mark(content: str) -> bool:
    """Whether an added token is spelled like a control mark, `<…>` or `[…]`, which user text should not become unasked.

    >>> is_mark("<think>"), is_mark("ü")
    (True, False)
    """
    return len(content) > 2 and (content[0], content[-1]) in (("<", ">"), ("[", "]"))


def check_has_merges(merges: Sequence[tuple[str, str]], unmade: Sequence[object], name: str) -> None:
    """Raise BpeError if there are no merges though `unmade` tokens need some: the list was probably lost on the way."""
    if unmade and not merges:
        raise BpeError(f"{name} holds no merges, though the vocabulary has {len(unmade):,} tokens that need them.")


def table_of(tokenizer: Tokenizer, *, format: str) -> dict[str, int]:
    """Return every token's spelling with its id, by id: bytes in the byte alphabet, specials as they are.

    Raises BpeError if two ids share a spelling: such a table cannot hold both.
    """
    by_name = {token_id: name for name, token_id in {**tokenizer.specials, **tokenizer.added_tokens}.items()}
    made = {*tokenizer.token_ids.tolist()}
    table: dict[str, int] = {}
    for token_id, token in tokenizer.vocabulary.items():
        named = token_id in by_name and token_id not in made
        spelling = by_name[token_id] if named else "".join(map(BYTE_ALPHABET.__getitem__, token))
        if table.setdefault(spelling, token_id) != token_id:
            raise BpeError(
                f"The ids {table[spelling]} and {token_id} are both spelled {spelling[:80]}, and {format} holds one "
                "id for each spelling. Rename the special token, make the vocabulary smaller, or save the manifest, "
                "which holds both."
            )
    return table


def merges_in_rank_order(tokenizer: Tokenizer) -> list[tuple[str, str]]:
    """Return both parts of every merge in the byte alphabet, lowest rank first."""
    spelled = {
        token_id: "".join(map(BYTE_ALPHABET.__getitem__, token)) for token_id, token in tokenizer.vocabulary.items()
    }
    order = np.argsort(tokenizer.ranks, kind="stable")
    return [(spelled[left], spelled[right]) for left, right in tokenizer.pairs[order].tolist()]
