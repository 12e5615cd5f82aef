"""Small vocabularies on which the ways to cut part, each with a text that shows it."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from bpe_core.reference import merge_steps
from bpe_core.tokenizer import Tokenizer


class Counterexample(NamedTuple):
    """A vocabulary and a text that `orders` cut differently; what it shows, in a few words and whole; its source."""

    title: str
    tokenizer: Tokenizer
    text: str
    orders: tuple[str, ...]
    shows: str
    source: str


@cache
def counterexamples() -> tuple[Counterexample, ...]:
    """Return the classic cases, simplest first.

    >>> [case.text for case in counterexamples()]
    ['abc', 'low', 'abacb', 'abacbb', 'lowered']
    """
    return (
        Counterexample(
            "rank decides, not length",
            _of_tokens("bc", "ab"),
            "abc",
            ("rank", "longest match", "reversed priority"),
            "Rank decides, not length and not position: (b, c) was learned before (a, b).",
            "a classroom example",
        ),
        Counterexample(
            "the first pair from the left is not BPE",
            _of_tokens("ow", "lo"),
            "low",
            ("rank", "leftmost pair"),
            "Taking the first pair that is a rule, from the left, is not BPE.",
            "ztxz16/fastllm, pull request 715",
        ),
        Counterexample(
            "longest match takes ac",
            _of_tokens(*_GEMS),
            "abacb",
            ("rank", "longest match", "leftmost pair"),
            "Longest match takes ac, and rank order took cb first. With one more b, see abacbb.",
            "rust-gems, crate bpe",
        ),
        Counterexample(
            "more text, fewer tokens",
            _of_tokens(*_GEMS),
            "abacbb",
            ("rank", "leftmost pair"),
            "More text, fewer tokens: abacb is three tokens in rank order, and abacbb is two.",
            "rust-gems, crate bpe",
        ),
        Counterexample(
            "a word never seen in training",
            _low_lower_lowest(),
            "lowered",
            ("rank", "reversed pass"),
            "A word never seen in training, cut by the merge list from first to last and from last to first.",
            "low, lower, lowest: after Sennrich et al. 2016",
        ),
    )


_GEMS = ("ab", "cb", "ac", "bb", "cbb", "acbb")


def _of_tokens(*tokens: str) -> Tokenizer:
    """A vocabulary of these tokens in rank order: each joins the two tokens into which the ones before cut it."""
    tokenizer = Tokenizer.from_merges([], "none")
    for token in tokens:
        left, right = tokenizer.encode(token)
        pairs = [merge.pair for merge in tokenizer.merges]
        tokenizer = Tokenizer.from_merges([*pairs, (left, right)], "none")
    return tokenizer


def _low_lower_lowest() -> Tokenizer:
    steps = merge_steps({b"low": 5, b"lower": 2, b"lowest": 2}, 262, ties="first seen")
    return Tokenizer.from_merges([step.pair for step in steps], "none")
