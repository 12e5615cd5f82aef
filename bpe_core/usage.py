"""How evenly and how well a vocabulary's entries are used on a text.

A histogram says how often each symbol (0–255 a byte, 256 + rank a merge) is a token
of the text (`measures.token_histogram`); specials never are and have no place in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import regex

from bpe_core.errors import BpeError
from bpe_core.tokenizer import Tokenizer

USUAL_ALPHA = 2.5
"""The α at which Zouhar et al. 2023 found the best agreement with translation quality."""


class RareEntries(NamedTuple):
    """How many entries are used fewer times than asked, and their share of all entries."""

    number: int
    share: float | None


def renyi_efficiency(histogram: np.ndarray, alpha: float = USUAL_ALPHA) -> float | None:
    """Return the Rényi entropy of the tokens ÷ the logarithm of the number of entries: 0 to 1, None for an empty text.

    Zouhar et al. 2023; it can be raised without making a better tokenizer (Cognetta et
    al. 2024). At α = 1 it is Shannon's entropy ÷ the same logarithm.

    >>> renyi_efficiency(np.array([5, 5, 5, 5])), renyi_efficiency(np.array([7, 0])), renyi_efficiency(np.zeros(2))
    (1.0, 0.0, None)
    >>> round(renyi_efficiency(np.array([3, 1]), 2), 3), round(renyi_efficiency(np.array([3, 1]), 1), 3)
    (0.678, 0.811)

    Raises BpeError for an α that is not above 0.
    """
    if not alpha > 0:
        raise BpeError(f"α is {alpha}, but it must be above 0. Zouhar et al. use {USUAL_ALPHA}.")
    total = histogram.sum()
    if not total or len(histogram) < 2:
        return None
    shares = histogram[histogram > 0] / total
    entropy = np.log((shares**alpha).sum()) / (1 - alpha) if alpha != 1 else -(shares * np.log(shares)).sum()
    return float(entropy / np.log(len(histogram))) + 0.0  # + 0.0: never "-0"


def rarely_used(uses: np.ndarray, fewer_than: int) -> RareEntries:
    """Return how many entries are used fewer than `fewer_than` times; pass `histogram[256:]` to ask of merges alone.

    >>> rarely_used(np.array([0, 3, 9, 50]), 5)
    RareEntries(number=2, share=0.5)
    """
    number = int((uses < fewer_than).sum())
    return RareEntries(number, number / len(uses) if len(uses) else None)


def fertility(num_tokens: int, num_words: int) -> float | None:
    """Return tokens per word; None for a text without words. Say how the words were cut: `baselines.count_words`.

    >>> fertility(12, 8)
    1.5
    """
    return num_tokens / num_words if num_words else None


def jaccard(first: Iterable[bytes], second: Iterable[bytes]) -> float | None:
    """Return how alike two vocabularies are: tokens of both ÷ tokens of either; None if both are empty.

    >>> jaccard([b"a", b"b"], [b"b", b"c"])
    0.3333333333333333
    """
    one, other = set(first), set(second)
    return len(one & other) / len(one | other) if one | other else None


def joins_of_word_and_punctuation(tokenizer: Tokenizer) -> list[int]:
    """Return the ids of tokens that hold both a word's character and a punctuation mark or symbol, in order.

    A word's characters are letters, marks, numbers and `_`; white space belongs to
    neither; bytes that are no whole character do not count. Such tokens show what a
    pattern's boundaries are for: under `none` there are many.

    >>> tokenizer = Tokenizer.from_merges([(101, 46), (101, 32), (104, 256)], "none")
    >>> [tokenizer.vocabulary[token_id] for token_id in joins_of_word_and_punctuation(tokenizer)]
    [b'e.', b'he.']
    """
    return sorted(token_id for token, token_id in tokenizer.ids_of_tokens.items() if _joins(token))


def _joins(token: bytes) -> bool:
    text = token.decode("utf-8", "ignore")
    return bool(_WORD.search(text) and _PUNCTUATION.search(text))


_WORD = regex.compile(r"[\p{L}\p{M}\p{N}_]")
_PUNCTUATION = regex.compile(r"(?!_)[\p{P}\p{S}]")
