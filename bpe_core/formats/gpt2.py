"""The GPT-2 pair: `encoder.json`, a table of spellings and ids, and `vocab.bpe`, the merges by rank.

As openai/gpt-2 (`src/encoder.py`) reads it; Hugging Face calls the same two files
`vocab.json` and `merges.txt`. Tokens are written in the byte alphabet. The pair
holds no pattern and does not tell specials from other tokens.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np

from bpe_core.errors import BpeError
from bpe_core.formats.incoming import json_of, numbered_lines, text_of
from bpe_core.formats.loaded import Loaded
from bpe_core.formats.rules import Rules, check_has_merges, merges_in_rank_order, read_rules, table_of
from bpe_core.patterns import Pattern, as_pattern, named_pattern
from bpe_core.tokenizer import Tokenizer
from bpe_core.visible import BYTE_ALPHABET

VERSION_LINE = "#version: 0.2"


def read_pair(
    table_name: str, table_content: bytes, merges_name: str, merges_content: bytes, pattern: str | Pattern | None = None
) -> Loaded:
    """Return the tokenizer of a GPT-2 pair; its pattern is `gpt2` unless another is given.

    Tokens of the table that no merge makes are its specials.
    Raises BpeError if the two files do not fit each other.
    """
    table = json_of(table_name, table_content)
    if not isinstance(table, dict):
        raise BpeError(f"{table_name} is no table of tokens and ids: it must be one JSON object.")
    lines, merges = read_merges(merges_name, text_of(merges_name, merges_content))
    rules = read_rules(table, merges, table_name, lambda number: f"line {lines[number]} of {merges_name}")
    # Specials need no merge, but a vocabulary that has merges has tokens of two bytes.
    check_has_merges(merges, [spelling for spelling in rules.unmade if len(spelling) == 2], merges_name)
    tokenizer = Tokenizer(
        as_pattern(pattern or "gpt2"),
        rules.byte_ids,
        rules.pairs,
        rules.token_ids,
        np.arange(len(rules.pairs), dtype=np.int32),
        specials=rules.unmade,
    )
    return Loaded(tokenizer, "gpt2", (*_notes(rules, pattern), *rules.notes))


def _notes(rules: Rules, pattern: str | Pattern | None) -> list[str]:
    notes = []
    if pattern is None:
        notes.append(
            "The files name no pattern; the one of GPT-2 is used. Choose another if the tokenizer was made with it."
        )
    if rules.unmade:
        names = ", ".join(list(rules.unmade)[:3])
        notes.append(f"{len(rules.unmade):,} tokens that no merge makes are taken as special tokens: {names}.")
    return notes


def read_merges(name: str, text: str) -> tuple[list[int], list[tuple[str, str]]]:
    """Return the line number and the two parts of each merge.

    Only a first line that begins with `#version` is no merge: GPT-2 has merges such as `# #`.

    >>> read_merges("vocab.bpe", "#version: 0.2\\n# #\\nĠ t\\n")
    ([2, 3], [('#', '#'), ('Ġ', 't')])

    Raises BpeError for a line that is not two parts with a space between, naming the line.
    """
    numbers, merges = [], []
    for number, line in numbered_lines(text):
        if not numbers and line.startswith("#version"):
            continue
        left, _, right = line.partition(" ")
        if not left or not right or " " in right:
            raise BpeError(
                f"Line {number} of {name} is {line[:80]!r}; a merge is two parts with one space between, such as 'Ġ t'."
            )
        numbers.append(number)
        merges.append((left, right))
    return numbers, merges


def pair_files(tokenizer: Tokenizer) -> dict[str, bytes]:
    """Return `encoder.json` and `vocab.bpe` of `tokenizer`.

    Raises BpeError if the pair cannot hold it.
    """
    if tokenizer.lone_tokens or tokenizer.ignore_merges:
        raise BpeError(
            "A GPT-2 pair cannot hold this vocabulary: some of its tokens are made by no merge. Save it as "
            "tokenizer.json."
        )
    table = table_of(tokenizer, format="encoder.json")
    lines = [VERSION_LINE, *map(" ".join, merges_in_rank_order(tokenizer))]
    return {
        "encoder.json": json.dumps(table, ensure_ascii=True).encode(),
        "vocab.bpe": "".join(line + "\n" for line in lines).encode(),
    }


def pair_limits(tokenizer: Tokenizer) -> list[str]:
    """Return what the pair cannot carry of `tokenizer`, as sentences."""
    limits = [f"The files do not name the pattern. Cut the text by {tokenizer.pattern.name} before you use them."]
    if tokenizer.pattern.regexes == named_pattern("gpt2").regexes:
        limits = [
            "The files do not name the pattern; most readers of such a pair cut as GPT-2 does, and so does this "
            "vocabulary."
        ]
    if tokenizer.specials or tokenizer.added_tokens:
        limits.append("The table lists the special tokens among the others and does not say which they are.")
    if tokenizer.normalization or tokenizer.prefix_space:
        limits.append("The files do not say that the text is changed before it is cut.")
    if not has_gpt2_byte_order(tokenizer.byte_ids):
        limits.append(
            "tiktoken's own reader of this pair (data_gym_to_mergeable_bpe_ranks) accepts only GPT-2's order of the "
            "256 bytes, in which ! is 0; here the id of a byte is its value. Use the tiktoken file for tiktoken."
        )
    return limits


GPT2_BYTE_ORDER = sorted(range(256), key=lambda byte: (ord(BYTE_ALPHABET[byte]) >= 0x100, byte))
"""The bytes in the order in which GPT-2 numbers them: those that stand for themselves first."""


def has_gpt2_byte_order(byte_ids: np.ndarray) -> bool:
    """Whether the single bytes have the ids that GPT-2 gives them."""
    return byte_ids[GPT2_BYTE_ORDER].tolist() == list(range(256))


def published_table(merges: list[tuple[str, str]], specials: Mapping[str, int]) -> dict[str, int]:
    """Return the table that belongs to `merges` by GPT-2's numbering: bytes, then merges by rank, then specials.

    >>> table = published_table([("Ġ", "t")], {"<|end|>": 257})
    >>> table["!"], table["Ġ"], table["Ġt"], table["<|end|>"]
    (0, 220, 256, 257)
    """
    spellings = [*(BYTE_ALPHABET[byte] for byte in GPT2_BYTE_ORDER), *(left + right for left, right in merges)]
    return {spelling: token_id for token_id, spelling in enumerate(spellings)} | dict(specials)
