"""A whole trace of the readable trainer, as a textbook prints it: every merge, every pair's count at every step.

For a few words only: everything is kept. The merges are those of `reference.merge_steps`
under any tie rule and alphabet; no Tokenizer comes of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bpe_core.errors import BpeError
from bpe_core.gaps import NEVER
from bpe_core.reference import MergeStep, Pair, Spelling, StopReason, join, merge_steps, pair_counts, start_symbols

TRACE_LIMIT = 2_000
"""The most symbols that the words of a trace may have together."""


class TraceWord(NamedTuple):
    """A word as the spellings of its first symbols, its count, and the rank of the merge that closes each gap."""

    symbols: tuple[Spelling, ...]
    count: int
    gap_ranks: tuple[int, ...]


@dataclass(frozen=True)
class Trace:
    """One training of a few words.

    `spellings` gives the spelling of each symbol by its id. `counts[k]` holds every pair
    of ids with its count after k merges, the most frequent first; of equal counts the
    one that the next merge takes, then in order of the ids. `totals[k]` counts the
    symbols of all words then, repeats included.
    """

    words: tuple[TraceWord, ...]
    steps: tuple[MergeStep, ...]
    stopped_because: StopReason
    spellings: Mapping[int, Spelling]
    counts: tuple[tuple[tuple[Pair, int], ...], ...]
    totals: tuple[int, ...]

    def spelled(self, pair: Pair) -> tuple[Spelling, Spelling]:
        """Return how the two symbols of `pair` are spelled."""
        return self.spellings[pair[0]], self.spellings[pair[1]]


def trace(chunk_counts: Mapping[bytes, int], num_merges: int, *, ties: str, alphabet: str, min_count: int = 2) -> Trace:
    """Return the trace of at most `num_merges` merges learned from a few words.

    >>> low = trace({b"low": 5, b"lower": 2}, 2, ties="first seen", alphabet="characters + </w>")
    >>> [(step.left, step.right, step.count) for step in low.steps]
    [('l', 'o', 7), ('lo', 'w', 7)]
    >>> low.words[0].gap_ranks[:2], low.totals
    ((0, 1), (32, 25, 18))

    Raises BpeError for words of more than TRACE_LIMIT symbols, and as `merge_steps`.
    """
    spellings, chunks = start_symbols(chunk_counts, alphabet)
    num_symbols = sum(len(symbols) for symbols, _ in chunks)
    if num_symbols > TRACE_LIMIT:
        raise BpeError(
            f"These words have {num_symbols:,} symbols; a trace shows at most {TRACE_LIMIT:,}. Leave some words out."
        )
    steps, reason = _drained(chunk_counts, len(spellings) + num_merges, ties, alphabet, min_count)
    named = dict(spellings) | {step.token_id: step.left + step.right for step in steps}
    states = [chunks]
    for step in steps:
        states.append([(join(symbols, step.pair, step.token_id), count) for symbols, count in states[-1]])
    inside = _gaps_inside(steps)
    words = tuple(
        TraceWord(tuple(named[symbol] for symbol in first), count, _gap_ranks(last, inside))
        for (first, count), (last, _) in zip(chunks, states[-1], strict=True)
    )
    chosen = [*(step.pair for step in steps), None]
    counts = tuple(_ranked(state, pair) for state, pair in zip(states, chosen, strict=True))
    totals = tuple(sum(len(symbols) * count for symbols, count in state) for state in states)
    return Trace(words, steps, reason, named, counts, totals)


def _drained(
    chunk_counts: Mapping[bytes, int], size: int, ties: str, alphabet: str, min_count: int
) -> tuple[tuple[MergeStep, ...], StopReason]:
    steps, generator = [], merge_steps(chunk_counts, size, min_count=min_count, ties=ties, alphabet=alphabet)
    while True:
        try:
            steps.append(next(generator))
        except StopIteration as ended:
            return tuple(steps), ended.value


def _gaps_inside(steps: Sequence[MergeStep]) -> dict[int, tuple[int, ...]]:
    """The gap ranks inside each symbol that a merge made."""
    inside: dict[int, tuple[int, ...]] = {}
    for step in steps:
        left, right = step.pair
        inside[step.token_id] = (*inside.get(left, ()), step.rank, *inside.get(right, ()))
    return inside


def _gap_ranks(symbols: Sequence[int], inside: Mapping[int, tuple[int, ...]]) -> tuple[int, ...]:
    """The gap ranks of a word from its final symbols: those inside each, NEVER between."""
    gaps = [rank for symbol in symbols for rank in (*inside.get(symbol, ()), NEVER)]
    return tuple(gaps[:-1])


def _ranked(state: Sequence[tuple[list[int], int]], chosen: Pair | None) -> tuple[tuple[Pair, int], ...]:
    counted = pair_counts(state).items()
    return tuple(sorted(counted, key=lambda item: (-item[1], item[0] != chosen, item[0])))
