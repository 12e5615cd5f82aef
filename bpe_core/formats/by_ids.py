"""Rules given as ids (manifest, CSV) -> a checked Tokenizer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from bpe_core.chunks import check_text
from bpe_core.errors import BpeError
from bpe_core.formats.rules import check_id
from bpe_core.patterns import Pattern
from bpe_core.tokenizer import Tokenizer
from bpe_core.visible import visible


@dataclass(frozen=True)
class Entries:
    """The tokens of a file by kind: `byte_ids` by byte, `merges` as (left id, right id, id), and named ones."""

    byte_ids: list[int]
    merges: list[tuple[int, int, int]]
    specials: Mapping[str, int] = field(default_factory=dict)
    added_tokens: Mapping[str, int] = field(default_factory=dict)
    lone_tokens: Mapping[bytes, int] = field(default_factory=dict)


def tokenizer_of(entries: Entries, pattern: Pattern, name: str) -> Tokenizer:
    """Return the tokenizer of `entries`.

    Raises BpeError for ids that clash or that no token has, and for tokens that are too long.
    """
    if len(entries.byte_ids) != 256:
        raise BpeError(f"{name} has ids for {len(entries.byte_ids)} single bytes; all 256 must have one.")
    for token_id in (*entries.byte_ids, *entries.lone_tokens.values(), *(one for row in entries.merges for one in row)):
        check_id(token_id, f"a token in {name}")
    rows = np.array(entries.merges, np.int32).reshape(-1, 3)
    rules = Tokenizer(
        pattern,
        np.array(entries.byte_ids, np.int32),
        rows[:, :2],
        rows[:, 2],
        np.arange(len(rows), dtype=np.int32),
        lone_tokens=dict(entries.lone_tokens),
    )
    _check_own_ids(entries, name)
    _check_names(entries, rules, name)
    return replace(rules, specials=dict(entries.specials), added_tokens=dict(entries.added_tokens))


def _check_own_ids(entries: Entries, name: str) -> None:
    """Bytes, lone tokens and merges must not share ids; two merges may make one token, from other parts."""
    made = {token_id for _, _, token_id in entries.merges}
    ids = [*entries.byte_ids, *entries.lone_tokens.values(), *made]
    if len(set(ids)) < len(ids):
        seen: set[int] = set()
        twice = next(token_id for token_id in ids if token_id in seen or seen.add(token_id))
        raise BpeError(f"In {name} the id {twice} belongs to two tokens. Each id may belong to one.")


def _check_names(entries: Entries, rules: Tokenizer, name: str) -> None:
    """A special or added token may share the id of a token only if it is spelled as that token is."""
    check_text("".join((*entries.specials, *entries.added_tokens)))
    owners = dict(rules.vocabulary)
    for spelling, token_id in (*entries.specials.items(), *entries.added_tokens.items()):
        check_id(token_id, f"{spelling[:80]} in {name}")
        if not spelling:
            raise BpeError(f"{name} has a special or added token without a name.")
        if owners.setdefault(token_id, spelling.encode()) != spelling.encode():
            raise BpeError(
                f"{name} gives the id {token_id} to {spelling[:80]} and to {visible(owners[token_id])[:80]}."
            )
