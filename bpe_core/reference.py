"""BPE as one would explain it: count every pair, take the best, join it everywhere, repeat.

Nothing here is clever, so that it can be read and trusted; `training.train` must
give the same merges, fast. Every step counts the whole text anew, so this is meant
for small texts: at most `REFERENCE_LIMIT` bytes of distinct chunks.

Two alphabets. `bytes`: the symbols are bytes, as everywhere in this package.
`characters + </w>` (Sennrich et al. 2016): each chunk is a word, its symbols are
characters, and every word ends in the reserved symbol END. No text can hold END,
because it is a lone surrogate, so it is never mistaken for the letters `</w>`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise
from numbers import Integral
from typing import NamedTuple

from bpe_core.errors import BpeError

REFERENCE_LIMIT = 200_000
TIE_RULES = ("smallest pair", "first seen", "largest bytes")
ALPHABETS = ("bytes", "characters + </w>")
END = "\udfff"

Pair = tuple[int, int]
Spelling = bytes | str


class StopReason(StrEnum):
    """Why training ended; each value completes the sentence "It stopped, because …"."""

    SIZE_REACHED = "the vocabulary size was reached"
    COUNT_TOO_LOW = "the best count is below min_count"
    NO_PAIR_LEFT = "no pair is left"
    STOPPED = "it was told to stop"


class MergeStep(NamedTuple):
    """One merge as it happens.

    `count` is the pair's count when it was chosen; `tied_pairs` all pairs that shared
    this count, itself included, in order of their ids; `replaced` how many
    replacements were made (in runs such as `aaa` fewer than counted). Counts are
    weighted by the chunks' counts. `left` and `right` spell the two parts.
    """

    rank: int
    pair: Pair
    token_id: int
    count: int
    replaced: int
    left: Spelling
    right: Spelling
    tied_pairs: tuple[Pair, ...]

    @property
    def tied(self) -> int:
        """How many pairs shared the top count; 1 means no tie."""
        return len(self.tied_pairs)


def merge_steps(
    chunk_counts: Mapping[bytes, int],
    vocab_size: int,
    *,
    specials: Sequence[str] = (),
    min_count: int = 2,
    ties: str = "smallest pair",
    alphabet: str = "bytes",
) -> Iterator[MergeStep]:
    """Yield the merges learned from `chunk_counts`, best pair first; the generator returns a StopReason.

    `vocab_size` counts alphabet, specials and merges. Pairs never cross a chunk's
    edge, and overlaps count (`aaa` holds `aa` twice). A tie goes to the smallest pair
    of ids; by `ties` to the pair first seen, in the order of the chunks (as
    karpathy/minbpe), or to the largest pair of bytes (as Stanford's course CS336).

    >>> for step in merge_steps({b"aaabdaaabac": 1}, 259):
    ...     print(step.rank, step.pair, step.token_id, step.count, step.tied, step.replaced)
    0 (97, 97) 256 4 1 2
    1 (97, 98) 257 2 2 2
    2 (256, 257) 258 2 1 2

    Raises BpeError for a size below the alphabet and the specials, a `min_count`
    below 1, or an unknown tie rule or alphabet.
    """
    spellings, chunks = start_symbols(chunk_counts, alphabet)
    first_id = len(spellings) + len(specials)
    check_settings(vocab_size, first_id, min_count)
    for rank in range(vocab_size - first_id):
        counts = pair_counts(chunks)
        best = max(counts.values(), default=0)
        if best < max(min_count, 1):
            return StopReason.COUNT_TOO_LOW if best else StopReason.NO_PAIR_LEFT
        tied = [pair for pair, count in counts.items() if count == best]
        left, right = chosen = _chosen(tied, ties, spellings)
        token_id = first_id + rank
        replaced = _join_everywhere(chunks, chosen, token_id)
        step = MergeStep(rank, chosen, token_id, best, replaced, spellings[left], spellings[right], tuple(sorted(tied)))
        spellings[token_id] = step.left + step.right
        yield step
    return StopReason.SIZE_REACHED


def pair_counts(chunks: Sequence[tuple[list[int], int]]) -> Counter[Pair]:
    """Return the count of every adjacent pair in `chunks` (symbols, count), in order of first occurrence.

    >>> pair_counts([([97, 97, 97], 5)])
    Counter({(97, 97): 10})
    """
    counts: Counter[Pair] = Counter()
    for symbols, count in chunks:
        for pair in pairwise(symbols):
            counts[pair] += count
    return counts


def join(symbols: Sequence[int], pair: Pair, token_id: int) -> list[int]:
    """Return `symbols` with each occurrence of `pair` replaced, left to right, none overlapping.

    >>> join([97, 97, 97], (97, 97), 256)
    [256, 97]
    """
    joined, position = [], 0
    while position < len(symbols):
        if tuple(symbols[position : position + 2]) == pair:
            joined.append(token_id)
            position += 2
        else:
            joined.append(symbols[position])
            position += 1
    return joined


def word_counts(text: str) -> dict[bytes, int]:
    """Return the words of `text`, split at whitespace, as chunks for the alphabet of characters.

    >>> word_counts("low low lower")
    {b'low': 2, b'lower': 1}
    """
    return dict(Counter(word.encode() for word in text.split()))


def cut_word(word: str, steps: Sequence[MergeStep], *, backwards: bool = False) -> list[str]:
    """Return the symbols of `word` under merges learned with the alphabet of characters.

    The merges are replayed from first to last (for learned merges this equals lowest
    rank first), or from last to first if `backwards`. An unseen character stays
    itself; END stands for the end of the word (`show_end` writes it as `</w>`).

    >>> steps = list(merge_steps({b"low": 5, b"lower": 2}, 9, ties="first seen", alphabet="characters + </w>"))
    >>> [show_end(symbol) for symbol in cut_word("lowed", steps)]
    ['low', 'e', 'd', '</w>']
    """
    symbols = [*word, END]
    for step in reversed(steps) if backwards else steps:
        symbols = join(symbols, (step.left, step.right), step.left + step.right)
    return symbols


def show_end(symbol: str) -> str:
    """Return `symbol` with the end mark written as `</w>`, for the screen."""
    return symbol.replace(END, "</w>")


def check_settings(vocab_size: int, first_id: int, min_count: int) -> None:
    """Raise BpeError if training cannot start: `first_id` is the id of the first merge."""
    for name, value in (("The vocabulary size", vocab_size), ("min_count", min_count)):
        if not isinstance(value, Integral):
            raise BpeError(f"{name} is {value!r}, but it must be a whole number.")
    if vocab_size < first_id:
        raise BpeError(
            f"A vocabulary of {vocab_size} is too small: the single symbols and the special tokens "
            f"already take {first_id} entries. Ask for {first_id} or more."
        )
    if min_count < 1:
        raise BpeError(f"min_count is {min_count}, but a pair must occur at least once. Give 1 or more; 2 is usual.")


def start_symbols(
    chunk_counts: Mapping[bytes, int], alphabet: str
) -> tuple[dict[int, Spelling], list[tuple[list[int], int]]]:
    """Return the spelling of each symbol of the alphabet by its id, and each chunk as symbol ids with its count.

    Raises BpeError for an unknown alphabet.
    """
    if alphabet == "bytes":
        return {byte: bytes([byte]) for byte in range(256)}, [(list(chunk), n) for chunk, n in chunk_counts.items()]
    if alphabet != "characters + </w>":
        raise BpeError(f"There is no alphabet called {alphabet!r}. Choose one of {', '.join(ALPHABETS)}.")
    words = [(chunk.decode(), n) for chunk, n in chunk_counts.items()]
    letters = [*sorted({letter for word, _ in words for letter in word}), END]
    ids = {letter: symbol_id for symbol_id, letter in enumerate(letters)}
    return dict(enumerate(letters)), [([ids[letter] for letter in (*word, END)], n) for word, n in words]


def _chosen(tied: list[Pair], ties: str, spellings: Mapping[int, Spelling]) -> Pair:
    """`tied` stands in order of first occurrence."""
    if ties == "smallest pair":
        return min(tied)
    if ties == "first seen":
        return tied[0]
    if ties == "largest bytes":
        return max(tied, key=lambda pair: (spellings[pair[0]], spellings[pair[1]]))
    raise BpeError(f"There is no tie rule called {ties!r}. Choose one of {', '.join(TIE_RULES)}.")


def _join_everywhere(chunks: list[tuple[list[int], int]], pair: Pair, token_id: int) -> int:
    """Join `pair` in every chunk, in place; return the replacements made, weighted."""
    left, right = pair
    replaced = 0
    for number, (symbols, count) in enumerate(chunks):
        if left in symbols and right in symbols:  # most chunks have not both, and this is quick to see
            joined = join(symbols, pair, token_id)
            replaced += (len(symbols) - len(joined)) * count
            chunks[number] = joined, count
    return replaced
