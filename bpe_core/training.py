"""train(): the merges of `reference.merge_steps` with ties by smallest pair, fast."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from bpe_core.chunks import ChunkCounts
from bpe_core.merging.learning import OnProgress, learn
from bpe_core.reference import Pair, StopReason, check_settings
from bpe_core.specials import check_specials
from bpe_core.tokenizer import Tokenizer


class LearnedMerge(NamedTuple):
    """A merge with what training knew of it; counts are weighted by the chunks' counts.

    `count`: the pair's count when chosen. `tied`: how many pairs shared that count.
    `replaced`: how many replacements were made, fewer than `count` in runs like `aaa`.
    """

    rank: int
    pair: Pair
    token_id: int
    count: int
    tied: int
    replaced: int


@dataclass(frozen=True, eq=False)
class Training:
    """What one training learned: the merges, why it stopped, and the tokenizer they make.

    `counts`, `tied` and `replaced` have a number for each merge in rank order (int64); `LearnedMerge` says which.
    """

    chunk_counts: ChunkCounts
    vocab_size_wanted: int
    tokenizer: Tokenizer
    counts: np.ndarray
    tied: np.ndarray
    replaced: np.ndarray
    stopped_because: StopReason

    @cached_property
    def merges(self) -> tuple[LearnedMerge, ...]:
        """The merges in rank order."""
        columns = zip(self.counts.tolist(), self.tied.tolist(), self.replaced.tolist(), strict=True)
        return tuple(LearnedMerge(*merge, *row) for merge, row in zip(self.tokenizer.merges, columns, strict=True))

    @cached_property
    def token_totals(self) -> np.ndarray:
        """Tokens of the training text after 0, 1, … n merges (int64)."""
        return self.chunk_counts.num_bytes - np.concatenate([[0], np.cumsum(self.replaced)])

    @cached_property
    def gap_ranks(self) -> np.ndarray:
        """Gap ranks of the distinct chunks laid side by side, WALL between chunks (int32)."""
        return self.tokenizer.chunk_gap_ranks(self.chunk_counts)


def train(
    chunk_counts: Mapping[bytes, int],
    vocab_size: int,
    *,
    specials: Sequence[str] = (),
    min_count: int = 2,
    on_progress: OnProgress | None = None,
) -> Training:
    """Return what BPE learns from `chunk_counts` up to `vocab_size` = 256 + specials + merges.

    The pair with the highest count wins; ties go to the smallest pair of ids. A pair of
    fewer than `min_count` occurrences is not joined; `specials` take the ids after the bytes.
    `on_progress` is called as on_progress(merges learned, merges wanted); if its answer is
    true, the training ends with the merges learned so far (StopReason.STOPPED).

    >>> training = train({b"aaabdaaabac": 1}, 300)
    >>> [(merge.pair, merge.count, merge.replaced) for merge in training.merges]
    [((97, 97), 4, 2), ((97, 98), 2, 2), ((256, 257), 2, 2)]
    >>> str(training.stopped_because), training.token_totals.tolist()
    ('the best count is below min_count', [11, 9, 7, 5])

    Raises BpeError for a size below 256 + specials, a `min_count` below 1, an empty or
    repeated special, or what `ChunkCounts.from_counts` refuses.
    """
    if not isinstance(chunk_counts, ChunkCounts):
        chunk_counts = ChunkCounts.from_counts(chunk_counts)
    first_id = 256 + len(specials)
    check_specials(specials)
    check_settings(vocab_size, first_id, min_count)
    learned, reason = learn(chunk_counts, first_id, vocab_size - first_id, min_count, on_progress)
    tokenizer = Tokenizer.from_merges(learned.pairs, chunk_counts.pattern, specials)
    return Training(
        chunk_counts,
        vocab_size,
        tokenizer,
        np.array(learned.counts, np.int64),
        np.array(learned.tied, np.int64),
        np.array(learned.replaced, np.int64),
        reason,
    )
