"""Added tokens of a tokenizer.json: spellings that are one token whatever the merges say.

A special one, or one that is spelled like a control mark, follows the user's policy for special
tokens; any other wins over the merges wherever it occurs, as in the `tokenizers` library.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

from bpe_core.chunks import check_text
from bpe_core.errors import BpeError
from bpe_core.formats.rules import check_id, is_mark, token_of

_FLAGS = {
    "lstrip": "takes the white space before it and loses it",
    "rstrip": "takes the white space after it and loses it",
    "single_word": "counts only between word boundaries",
}


class _Entry(NamedTuple):
    content: str
    token_id: int
    special: bool
    normalized: bool


@dataclass(frozen=True)
class Added:
    """The added tokens of a file: `specials` that text may spell as text, and `plain` ones that always win."""

    specials: dict[str, int]
    plain: dict[str, int]
    notes: tuple[str, ...]


def read_added_tokens(node: Any, table: Mapping[str, int], normalization: str | None, name: str) -> Added:
    """Return the added tokens in the entry `node` of the file `name`.

    Raises BpeError for flags that we do not honour, and for ids or spellings that clash.
    """
    if not isinstance(node, list | None):
        raise BpeError(f"{name}: added_tokens must be a list.")
    entries = [_entry(one, normalization, name) for one in node or ()]
    _check_ids(entries, table, name)
    _check_order(entries, name)
    plain = {entry.content: entry.token_id for entry in entries if not (entry.special or is_mark(entry.content))}
    specials = {entry.content: entry.token_id for entry in entries if entry.content not in plain}
    return Added(specials, plain, (*_mark_notes(entries, plain), *_renumbered(entries, table)))


def _entry(node: Any, normalization: str | None, name: str) -> _Entry:
    content = node.get("content") if isinstance(node, dict) else None
    if not isinstance(content, str) or not content:
        raise BpeError(f"{name} has an added token without a content: {str(node)[:80]!r}.")
    check_text(content)
    for flag, meaning in _FLAGS.items():
        if node.get(flag):
            raise BpeError(f"The added token {content[:80]} of {name} {meaning} ({flag}); that is not supported.")
    if node.get("normalized") and normalization:
        raise BpeError(
            f"The added token {content[:80]} of {name} is searched in normalized text; that is not supported."
        )
    token_id = check_id(node.get("id"), f"the added token {content[:80]} of {name}")
    return _Entry(content, token_id, bool(node.get("special")), bool(node.get("normalized")))


def _check_ids(entries: list[_Entry], table: Mapping[str, int], name: str) -> None:
    spelled = {token_id: spelling for spelling, token_id in table.items()}
    seen: set[str] = set()
    for content, token_id, *_ in entries:
        if content in seen:
            raise BpeError(f"The added token {content[:80]} stands twice in {name}.")
        seen.add(content)
        if table.get(content, token_id) != token_id and token_of(content) == content.encode():
            ids = f"{table[content]} in the vocabulary and {token_id} beside it"
            raise BpeError(f"{name} gives {content[:80]} two ids, {ids}.")
        if spelled.setdefault(token_id, content) != content:
            raise BpeError(f"{name} gives the id {token_id} to both {spelled[token_id][:80]!r} and {content[:80]!r}.")


def _mark_notes(entries: list[_Entry], plain: Mapping[str, int]) -> Iterator[str]:
    marks = [entry.content for entry in entries if not entry.special and entry.content not in plain]
    if marks:
        yield (
            f"{len(marks)} added tokens that are spelled like marks ({', '.join(marks[:2])}) are special tokens "
            "here: text that spells them stays text unless you allow them. The tokenizers library always makes them "
            "one token."
        )
    if plain:
        yield f"{len(plain):,} added tokens, such as {next(iter(plain))}, win over the merges wherever they occur."


def _renumbered(entries: list[_Entry], table: Mapping[str, int]) -> Iterator[str]:
    """Ids that the library does not take from the file.

    It gives an added token the id of the same spelling in its table, even where that spells a byte (`ü` is byte FC
    in the byte alphabet), and numbers those that its table lacks one after the other.
    """
    next_id = len(table)
    for content, token_id, *_ in entries:
        expected = table.get(content, next_id)
        if expected != token_id:
            yield (
                f"The file gives {content[:80]} the id {token_id}, and so do we; the tokenizers library would give it "
                f"{expected}, which it takes from its own table."
            )
            return
        next_id = max(next_id, expected + 1)


def _check_order(entries: list[_Entry], name: str) -> None:
    """Tokens that are searched in the raw text are found before the others; one search for all must not differ."""
    late = [entry.content for entry in entries if entry.normalized]
    early = [entry.content for entry in entries if not entry.normalized]
    if len(late) * len(early) > 1_000_000:
        raise BpeError(f"{name} has {len(entries):,} added tokens of two kinds, too many to check against each other.")
    for one, other in product(late, early):
        if _may_overlap(one, other):
            raise BpeError(
                f"The added tokens {one[:80]} and {other[:80]} of {name} can overlap and are searched at different "
                "times; that is not supported."
            )


def _may_overlap(one: str, other: str) -> bool:
    shorter = min(len(one), len(other))
    return (
        one in other
        or other in one
        or any(one[-size:] == other[:size] or other[-size:] == one[:size] for size in range(1, shorter))
    )
