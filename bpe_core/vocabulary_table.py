"""The vocabulary as a table: every token with the merge that made it and how it is used at a size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bpe_core.tokenizer import Tokenizer
from bpe_core.training import Training


@dataclass(frozen=True, eq=False)
class VocabularyTable:
    """One row per token: bytes by value, specials, then merges in rank order. Columns are arrays of equal length.

    `ranks` is −1 for a token that no merge made; its `left_ids`, `right_ids`, `counts`, `tied`,
    `replaced` are then −1, as is everything that is not known of a loaded vocabulary. `uses` is how often the
    token stands in the text at this size. `tokens_before` and `tokens_after` are totals of the text around the merge.
    """

    token_ids: np.ndarray
    tokens: tuple[bytes, ...]
    is_special: np.ndarray
    ranks: np.ndarray
    left_ids: np.ndarray
    right_ids: np.ndarray
    counts: np.ndarray
    tied: np.ndarray
    replaced: np.ndarray
    uses: np.ndarray
    tokens_before: np.ndarray
    tokens_after: np.ndarray


def vocabulary_table(training: Training, num_merges: int) -> VocabularyTable:
    """Return the table of the vocabulary after `num_merges` merges.

    >>> from bpe_core import train
    >>> table = vocabulary_table(train({b"aaabdaaabac": 1}, 300), 2)
    >>> table.tokens[256:], table.uses[256:].tolist(), table.tokens_after[256:].tolist()
    ((b'aa', b'ab'), [2, 2], [9, 7])
    """
    tokenizer = training.tokenizer
    specials = len(tokenizer.specials)
    first_id = 256 + specials
    token_ids = np.concatenate(
        [tokenizer.byte_ids, np.array([*tokenizer.specials.values()], np.int32), tokenizer.token_ids[:num_merges]]
    )

    def column(learned: np.ndarray) -> np.ndarray:
        return np.concatenate([np.full(first_id, -1, np.int64), learned[:num_merges]])

    by_symbol = uses_of_symbols(training, num_merges)
    return VocabularyTable(
        token_ids,
        tuple(tokenizer.vocabulary[token_id] for token_id in token_ids.tolist()),
        np.repeat([False, True, False], [256, specials, num_merges]),
        column(np.arange(num_merges)),
        column(tokenizer.pairs[:, 0]),
        column(tokenizer.pairs[:, 1]),
        column(training.counts),
        column(training.tied),
        column(training.replaced),
        np.concatenate([by_symbol[:256], np.zeros(specials, np.int64), by_symbol[256:]]),
        column(training.token_totals[:-1]),
        column(training.token_totals[1:]),
    )


def one_size_table(tokenizer: Tokenizer) -> VocabularyTable:
    """Return the table of a vocabulary that has no smaller sizes, by id: its tokens, and which merge made each.

    >>> table = one_size_table(Tokenizer.from_merges([(97, 98)], "none", ["<|end|>"]))
    >>> table.tokens[256:], table.ranks[256:].tolist(), int(table.uses[0])
    ((b'<|end|>', b'ab'), [-1, 0], -1)
    """
    vocabulary = tokenizer.vocabulary
    token_ids = np.array([*vocabulary])
    row_of = {token_id: row for row, token_id in enumerate(vocabulary)}
    columns = np.full((3, len(token_ids)), -1, np.int64)
    for rank, (left, right), token_id in reversed(tokenizer.merges):
        columns[:, row_of[token_id]] = rank, left, right
    unknown = np.full(len(token_ids), -1, np.int64)
    named = [*tokenizer.specials.values(), *tokenizer.added_tokens.values()]
    return VocabularyTable(
        token_ids,
        tuple(vocabulary.values()),
        np.isin(token_ids, named),
        *columns,
        *[unknown] * 3,
        unknown,
        *[unknown] * 2,
    )


def uses_of_symbols(training: Training, num_merges: int) -> np.ndarray:
    """Return how often each symbol (0–255 a byte, 256 + rank a merge) is a token of the training text (int64).

    What was ever made of a token, less what later merges (up to `num_merges`) took of it.
    """
    chunks = training.chunk_counts
    made = np.zeros(256 + num_merges, np.int64)
    np.add.at(made, chunks.data, np.repeat(chunks.counts, chunks.lengths))
    replaced = training.replaced[:num_merges]
    made[256:] = replaced
    parts = training.tokenizer.symbols_of_ids[training.tokenizer.pairs[:num_merges]]
    np.subtract.at(made, parts, replaced[:, None])
    return made
