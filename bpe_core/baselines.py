"""What a text costs without BPE: by bytes, by characters, by words, and how much of it would be unknown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from bpe_core.measures import bytes_per_token, characters_per_token


class OtherTokenizer(NamedTuple):
    """The held-out text under something else than the vocabulary that was learned.

    `vocab_size` of a baseline counts what the training text has. `unknown` is the share of the held-out
    text's tokens, repeats included, that the training text never had. Ratios and shares
    of an empty text are None.
    """

    name: str
    vocab_size: int
    num_tokens: int
    bytes_per_token: float | None
    characters_per_token: float | None
    unknown: float | None


def baselines(train: Iterable[str], held_out: Iterable[str]) -> list[OtherTokenizer]:
    """Return the held-out documents as bytes, characters and words, and what of it the training documents never had.

    Words are what `str.split` gives: runs of anything but white space. The white space
    itself is no token, but its bytes are bytes of the text. Characters are code points.

    >>> for row in baselines(["low lower"], ["lower newer"]):
    ...     print(row.name, row.vocab_size, row.num_tokens, row.unknown)
    bytes 256 11 0.0
    characters 6 11 0.09090909090909091
    words 2 2 0.5
    """
    known_characters, known_words = set[str](), set[str]()
    for document in train:
        known_characters.update(document)
        known_words.update(document.split())
    characters, words, num_bytes = Counter[str](), Counter[str](), 0
    for document in held_out:
        characters.update(document)
        words.update(document.split())
        num_bytes += len(document.encode("utf-8", "surrogatepass"))
    sizes = num_bytes, characters.total()
    return [
        _baseline("bytes", 256, num_bytes, 0, *sizes),
        _baseline("characters", len(known_characters), sizes[1], _unknown(characters, known_characters), *sizes),
        _baseline("words", len(known_words), words.total(), _unknown(words, known_words), *sizes),
    ]


def count_words(documents: Iterable[str]) -> int:
    """Return the number of words: runs of anything but white space.

    >>> count_words(["low lower", " low\\n"])
    3
    """
    return sum(len(document.split()) for document in documents)


def _unknown(found: Counter[str], known: set[str]) -> int:
    return sum(count for token, count in found.items() if token not in known)


def _baseline(name: str, vocab_size: int, tokens: int, unknown: int, num_bytes: int, characters: int) -> OtherTokenizer:
    return OtherTokenizer(
        name,
        vocab_size,
        tokens,
        bytes_per_token(num_bytes, tokens),
        characters_per_token(characters, tokens),
        unknown / tokens if tokens else None,
    )
