"""The traces that textbooks print, with their own words, alphabet and tie rule; and the reader's own few words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from bpe_core import Tokenizer, count_chunks
from bpe_core.reference import END, Spelling, cut_word, show_end
from bpe_core.traces import Trace, trace
from bpe_core.visible import visible

CHARACTERS, BYTES = "characters + </w>", "bytes"


@dataclass(frozen=True)
class Preset:
    """A trace to watch. `words` are its chunks with their counts; `try_words` are cut by its merges afterwards."""

    title: str
    source: str
    words: Mapping[bytes, int]
    num_merges: int
    ties: str
    alphabet: str
    try_words: tuple[str, ...]
    what_to_see: str


_LINES = (
    "the quick brown fox jumps over the lazy dog",
    "tokenization tokenizer tokenized tokenizing tokens",
    "lower lowest lowered lowering slower slowest",
)
_THREE_WORDS = {b"low": 5, b"lower": 2, b"lowest": 2}
_NINE_WORDS = _THREE_WORDS | {
    b"faster": 3, b"smallest": 3, b"fast": 5, b"small": 5, b"taller": 2, b"tallest": 2,
}  # fmt: skip
_SENNRICH = "Sennrich, Haddow and Birch 2016, algorithm 1"


def _newest(count: int) -> dict[bytes, int]:
    return {b"low": 5, b"lower": 2, b"newest": count, b"widest": 3}


PRESETS = (
    Preset(
        "low, lower, lowest", f"a course exercise after {_SENNRICH}", _THREE_WORDS, 8, "first seen", CHARACTERS,
        ("low", "lower", "lowest", "lowering", "lowered"),
        "The first two pairs tie at 9. From rank 4 on, every choice is a tie.",
    ),
    Preset(
        "newest, 2 times", f"{_SENNRICH}, but with 2 newest, as many pages print it", _newest(2), 10, "first seen",
        CHARACTERS, ("lowest", "newer", "wider"),
        "e s occurs only 5 times here, so it cannot be the first, whatever such pages say.",
    ),
    Preset(
        "newest, 6 times", _SENNRICH, _newest(6), 10, "first seen", CHARACTERS, ("lowest", "newer", "wider"),
        "The corpus of the paper: e s, es t and est </w> come first, each 9 times.",
    ),
    Preset(
        "abab, abac", "a lesson on chunk edges", {b"abab": 1, b"abac": 1}, 4, "smallest pair", BYTES,
        ("abab", "abac"), "Two documents. No pair is counted across their edge, so it stops after one merge.",
    ),
    Preset(
        "aaabdaaabac, smallest pair", "Wikipedia, Byte pair encoding", {b"aaabdaaabac": 1}, 3, "smallest pair", BYTES,
        ("aaabdaaabac",), "aa is counted 4 times and joined 2 times. The tie at rank 1 goes to a b.",
    ),
    Preset(
        "aaabdaaabac, first seen", "Wikipedia, Byte pair encoding", {b"aaabdaaabac": 1}, 3, "first seen", BYTES,
        ("aaabdaaabac",), "The same text under the other rule: the tie at rank 1 goes to aa a. The end is the same.",
    ),
    Preset(
        "When is a suffix a token? Three words", "a course quiz", _THREE_WORDS, 20, "smallest pair", BYTES,
        ("newer", "newest"), "Too few words: er never becomes a token here, but st does.",
    ),
    Preset(
        "When is a suffix a token? Nine words", "a course quiz", _NINE_WORDS, 20, "smallest pair", BYTES,
        ("newer", "newest"), "More words share the suffixes, and er and est become tokens.",
    ),
    Preset(
        "A shared root", "a course exercise, here with the rule smallest pair",
        dict(count_chunks([line for line in _LINES for _ in range(20)], "gpt2")), 44, "smallest pair", BYTES,
        ("tokenization", " tokenization", " tokenizer", " slowest", " fascinating"),
        "Three lines, 20 times each. token grows out of its derived forms.",
    ),
)  # fmt: skip
"""In the order of the list on the screen."""


@lru_cache(maxsize=64)
def preset_trace(number: int) -> Trace:
    """Return the trace of preset `number`."""
    preset = PRESETS[number]
    return trace(preset.words, preset.num_merges, ties=preset.ties, alphabet=preset.alphabet)


def cut_by(made: Trace, alphabet: str, word: str) -> list[str]:
    """Return the tokens of `word` under the merges of a trace, readable.

    >>> cut_by(preset_trace(0), CHARACTERS, "lowering")
    ['lower', 'i', 'n', 'g', '</w>']
    """
    if alphabet == CHARACTERS:
        return [readable(symbol) for symbol in cut_word(word, made.steps)]
    tokenizer = Tokenizer.from_merges([step.pair for step in made.steps], "none")
    return [visible(tokenizer.vocabulary[token_id]) for token_id in tokenizer.encode(word)]


def readable(spelling: Spelling) -> str:
    """Return a symbol of either alphabet as text that hides nothing.

    >>> readable("w" + END), readable(b" a")
    ('w</w>', '·a')
    """
    if isinstance(spelling, bytes):
        return visible(spelling)
    marked = spelling.endswith(END)
    return visible(spelling.removesuffix(END).encode()) + (show_end(END) if marked else "")
