"""Compare ids that someone expects with ours, and name the convention that explains a difference."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from bpe_core.encoding.one_chunk import encode_symbols
from bpe_core.errors import BpeError
from bpe_core.formats.gpt2 import GPT2_BYTE_ORDER, has_gpt2_byte_order
from bpe_core.formats.incoming import json_of, numbered_lines, text_of
from bpe_core.patterns import PATTERN_NAMES, named_pattern
from bpe_core.tokenizer import Tokenizer

MAX_LINES = 100_000


class ExpectedIds(NamedTuple):
    """A text and the ids that someone expects for it; `line` is its place in their file, from 1."""

    line: int
    text: str
    ids: list[int]


@dataclass(frozen=True)
class IdsCheck:
    """The outcome: how many lines were equal, and of the first that was not, both lists of ids.

    `position` is the first place at which the two lists differ. `fault` is a sentence that names the
    convention at fault, or says that none was found; None if every line was equal.
    """

    num_lines: int
    num_equal: int
    mismatch: ExpectedIds | None = None
    our_ids: list[int] | None = None
    position: int | None = None
    fault: str | None = None


def read_expected_ids(content: bytes, name: str = "The upload") -> list[ExpectedIds]:
    """Return the lines of JSON `{"text": …, "ids": […]}`, or the one JSON list of such objects.

    >>> read_expected_ids(b'{"text": "hi", "ids": [5303]}')
    [ExpectedIds(line=1, text='hi', ids=[5303])]

    Raises BpeError for another form, with the line's number.
    """
    if content.lstrip().startswith(b"["):
        entries = list(enumerate(json_of(name, content), 1))
    else:
        lines = numbered_lines(text_of(name, content))
        entries = [(number, json_of(f"Line {number} of {name}", line.encode())) for number, line in lines]
    if not entries:
        raise BpeError(f'{name} holds no lines. Give lines such as {{"text": "hi", "ids": [5303]}}.')
    if len(entries) > MAX_LINES:
        raise BpeError(f"{name} holds {len(entries):,} lines; at most {MAX_LINES:,} are checked.")
    return [_expected(number, entry, name) for number, entry in entries]


def _expected(number: int, entry: object, name: str) -> ExpectedIds:
    match entry:
        case {"text": str(text), "ids": list(ids)} if all(type(token_id) is int for token_id in ids):
            return ExpectedIds(number, text, ids)
    raise BpeError(
        f"Line {number} of {name} is {json.dumps(entry)[:60]}; "
        'it must be an object such as {"text": "hi", "ids": [5303]}.'
    )


def check_ids(tokenizer: Tokenizer, expected: Sequence[ExpectedIds]) -> IdsCheck:
    """Return the first line whose ids are not ours, and which convention explains it.

    Conventions are tried in turn on that line: pattern, byte map, merge order, specials, normalization.
    The first that gives the expected ids is named, with how many of all lines it then explains.

    >>> tokenizer = Tokenizer.from_merges([(32, 97)], "gpt2")
    >>> check_ids(tokenizer, [ExpectedIds(1, "b a", [98, 32, 97])]).fault
    "Pattern: with the pattern four-type instead of gpt2, this line's ids are as expected (1 of all 1 lines are)."

    Raises BpeError for a lone surrogate in a text.
    """
    ours = [tokenizer.encode(line.text) for line in expected]
    wrong = [number for number, line in enumerate(expected) if ours[number] != line.ids]
    num_equal = len(expected) - len(wrong)
    if not wrong:
        return IdsCheck(len(expected), num_equal)
    first, ids = expected[wrong[0]], ours[wrong[0]]
    both = zip(first.ids, ids, strict=False)
    shorter = min(len(first.ids), len(ids))
    position = next((place for place, (one, other) in enumerate(both) if one != other), shorter)
    return IdsCheck(len(expected), num_equal, first, ids, position, _fault(tokenizer, first, expected))


Encode = Callable[[str], list[int]]


def _fault(tokenizer: Tokenizer, first: ExpectedIds, expected: Sequence[ExpectedIds]) -> str:
    for convention, encode in _variations(tokenizer):
        if _gives(encode, first):
            explained = sum(_gives(encode, line) for line in expected)
            return f"{convention}, this line's ids are as expected ({explained:,} of all {len(expected):,} lines are)."
    unknown = [token_id for token_id in first.ids if token_id not in tokenizer.vocabulary]
    if unknown:
        return f"The expected id {unknown[0]} belongs to no token of this vocabulary: the ids are of another one."
    if not tokenizer.normalization and tokenizer.decode_bytes(first.ids) == first.text.encode():
        return (
            "The expected ids spell the same text, cut in another way, and no convention that we know explains it. "
            "They may come from a tokenizer with other merges."
        )
    return "No convention that we know explains it: the expected ids spell another text in this vocabulary."


def _gives(encode: Encode, line: ExpectedIds) -> bool:
    try:
        return encode(line.text) == line.ids
    except BpeError:  # a variation may not fit this text, such as a pattern that loses some of it
        return False


def _variations(tokenizer: Tokenizer) -> Iterator[tuple[str, Encode]]:
    yield from _other_patterns(tokenizer)
    yield from _other_byte_maps(tokenizer)
    yield from _other_orders(tokenizer)
    yield from _other_specials(tokenizer)
    yield from _other_texts(tokenizer)


def _other_patterns(tokenizer: Tokenizer) -> Iterator[tuple[str, Encode]]:
    for name in PATTERN_NAMES:
        pattern = named_pattern(name)
        if pattern.regexes != tokenizer.pattern.regexes:
            shown = f"Pattern: with the pattern {name} instead of {tokenizer.pattern.name}"
            yield shown, replace(tokenizer, pattern=pattern).encode


def _other_byte_maps(tokenizer: Tokenizer) -> Iterator[tuple[str, Encode]]:
    """Bytes numbered by GPT-2's order where we number them by value, or the other way round; merges keep their ids."""
    to_theirs = np.arange(max(tokenizer.vocabulary) + 1)
    if tokenizer.byte_ids.tolist() == list(range(256)):
        to_theirs[:256] = np.argsort(GPT2_BYTE_ORDER)
        shown = "Byte map: with the ids of the 256 bytes in GPT-2's order (! is 0) instead of their values"
    elif has_gpt2_byte_order(tokenizer.byte_ids):
        to_theirs[:256] = GPT2_BYTE_ORDER
        shown = "Byte map: with the values of the 256 bytes as their ids instead of GPT-2's order (! is 0)"
    else:
        return
    yield shown, lambda text: to_theirs[tokenizer.encode(text)].tolist()
    if tokenizer.specials:
        yield from _shifted(tokenizer)


def _shifted(tokenizer: Tokenizer) -> Iterator[tuple[str, Encode]]:
    """Specials after the merges instead of before them moves every merge's id."""
    by = len(tokenizer.specials)
    if set(tokenizer.specials.values()) == set(range(256, 256 + by)):
        shown = f"Specials: with the {by} special tokens numbered after the merges instead of before them"
        yield shown, lambda text: [one - by if one >= 256 + by else one for one in tokenizer.encode(text)]


def _other_orders(tokenizer: Tokenizer) -> Iterator[tuple[str, Encode]]:
    last = int(tokenizer.ranks.max(initial=0))
    reversed_rules = {pair: (last - rank, token_id) for pair, (rank, token_id) in tokenizer.rules.items()}
    leftmost_rules = {pair: (0, token_id) for pair, (_, token_id) in tokenizer.rules.items()}
    orders: dict[str, Callable[[bytes], list[int]]] = {
        "the longest token that fits, left to right": lambda chunk: _longest(tokenizer, chunk),
        "the last learned merge first": lambda chunk: encode_symbols(_symbols(tokenizer, chunk), reversed_rules),
        "the leftmost pair that is a merge": lambda chunk: encode_symbols(_symbols(tokenizer, chunk), leftmost_rules),
    }
    for name, cut in orders.items():
        shown = f"Merge order: with {name} instead of the lowest rank first"
        yield shown, lambda text, cut=cut: [one for chunk in tokenizer.chunks(text) for one in cut(chunk)]
    whole = replace(tokenizer, ignore_merges=not tokenizer.ignore_merges)
    kept = "merged" if tokenizer.ignore_merges else "kept whole (ignore_merges)"
    yield f"Merge order: with chunks that are a token {kept}", whole.encode


def _symbols(tokenizer: Tokenizer, chunk: bytes) -> list[int]:
    return tokenizer.byte_ids[list(chunk)].tolist()


def _longest(tokenizer: Tokenizer, chunk: bytes) -> list[int]:
    ids_of_tokens, ids, start = tokenizer.ids_of_tokens, [], 0
    longest = max(map(len, ids_of_tokens))
    while start < len(chunk):
        sizes = range(min(longest, len(chunk) - start), 0, -1)
        size = next(size for size in sizes if chunk[start : start + size] in ids_of_tokens)
        ids.append(ids_of_tokens[chunk[start : start + size]])
        start += size
    return ids


def _other_specials(tokenizer: Tokenizer) -> Iterator[tuple[str, Encode]]:
    if tokenizer.specials:
        yield (
            "Specials: where text that spells a special token becomes its id",
            lambda text: tokenizer.encode(text, "allow"),
        )
        for name, token_id in tokenizer.specials.items():
            yield (
                f"Specials: with {name} put before each text",
                lambda text, one=token_id: [one, *tokenizer.encode(text)],
            )
            yield (
                f"Specials: with {name} put after each text",
                lambda text, one=token_id: [*tokenizer.encode(text), one],
            )
    if tokenizer.added_tokens:
        plain = replace(tokenizer, added_tokens={})
        yield "Specials: with added tokens taken as ordinary text", plain.encode


def _other_texts(tokenizer: Tokenizer) -> Iterator[tuple[str, Encode]]:
    plain = replace(tokenizer, normalization=None, prefix_space=False)
    if tokenizer.normalization or tokenizer.prefix_space:
        yield "Normalization: with the text left as it is", plain.encode
    for form in "NFC", "NFD", "NFKC", "NFKD":
        if form != tokenizer.normalization:
            yield (
                f"Normalization: with the text brought into the form {form}",
                lambda text, form=form: plain.encode(unicodedata.normalize(form, text)),
            )
    changes: dict[str, Callable[[str], str]] = {
        "a space put before the text": lambda text: " " + text,
        "white space removed from both ends": str.strip,
        "CR LF turned into LF": lambda text: text.replace("\r\n", "\n"),
        "capital letters made small": str.lower,
    }
    for name, change in changes.items():
        yield f"Normalization: with {name}", lambda text, change=change: tokenizer.encode(change(text))
