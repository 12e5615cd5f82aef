"""A vocabulary that was loaded from files: what is known of it, and how it stands on the visitor's text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

import numpy as np

from bpe_core import BpeError, ChunkCounts, Tokenizer
from bpe_core.formats import read_tokenizer
from bpe_core.measures import made_by_merges, token_histogram
from bpe_core.published import PUBLISHED, published_tokenizer
from bpe_core.token_number import num_tokens
from pages.ui.corpus import Corpus

MOST_LOADED = 4
"""So many vocabularies from files one visitor may keep; a large one takes some 50 MB."""


@dataclass(frozen=True, eq=False)
class LoadedVocabulary:
    """A tokenizer from files, or a published one. `name` comes from file names: hostile. `digest` is of what was read.

    `origin` says where it is from in a few words, `notes` are sentences on how it was read.
    """

    name: str
    tokenizer: Tokenizer
    digest: str
    origin: str
    notes: tuple[str, ...] = ()
    is_published: bool = False


def load_files(files: Mapping[str, bytes], *, pattern: str | None = None, digest: str = "") -> LoadedVocabulary:
    """Return the vocabulary in `files`, content by name; a `digest` that is given (SHA-256) is checked first.

    Raises BpeError if they cannot be read.
    """
    loaded = read_tokenizer(files, pattern=pattern, sha256=digest.strip() or None)
    found = sha256(
        repr((pattern, sorted((name, sha256(content).digest()) for name, content in files.items()))).encode()
    )
    return LoadedVocabulary(" + ".join(files), loaded.tokenizer, found.hexdigest(), FORMAT_NAMES[loaded.format],
                            loaded.notes)  # fmt: skip


def contents_of(files: Iterable[tuple[str, bytes]]) -> dict[str, bytes]:
    """Return the contents by name.

    >>> contents_of([("a", b"1")])
    {'a': b'1'}

    Raises BpeError if two files have one name.
    """
    found: dict[str, bytes] = {}
    for name, content in files:
        if name in found:
            raise BpeError(f"Two of the files are called {name}. Give each one its own name, or only the one you mean.")
        found[name] = content
    return found


def load_published(name: str) -> LoadedVocabulary:
    """Return the vocabulary called `name` that comes with the app.

    >>> load_published("gpt2").name
    'GPT-2'
    """
    published = PUBLISHED[name]
    origin = f"Published by {published.source}; licence: {published.licence}"
    return LoadedVocabulary(published.title, published_tokenizer(name), published.sha256, origin, is_published=True)


FORMAT_NAMES = {
    "gpt2": "A GPT-2 pair of files",
    "huggingface": "A tokenizer.json",
    "tiktoken": "A tiktoken rank file",
    "csv": "A CSV of this app",
    "manifest": "A manifest of this app",
}


@dataclass(frozen=True, eq=False)
class LoadedOnText:
    """A loaded vocabulary on a text, in the shape of a Training; how it was learned is not known.

    `counts` and `tied` are −1 throughout. What needs smaller sizes raises BpeError if the vocabulary has none.
    """

    tokenizer: Tokenizer
    corpus: Corpus
    chunk_counts: ChunkCounts
    stopped_because: None = None

    @property
    def counts(self) -> np.ndarray:
        """Not known: −1 for each merge."""
        return np.full(self.tokenizer.num_merges, -1, np.int64)

    tied = counts

    @cached_property
    def replaced(self) -> np.ndarray:
        """How often each merge fires while this text is encoded."""
        return made_by_merges(self.tokenizer, token_histogram(self.tokenizer, self.chunk_counts))

    @cached_property
    def token_totals(self) -> np.ndarray:
        """Tokens of this text after 0, 1, … n merges (int64)."""
        return self.chunk_counts.num_bytes - np.concatenate([[0], np.cumsum(self.replaced)])

    @cached_property
    def gap_ranks(self) -> np.ndarray:
        """Gap ranks of the distinct chunks laid side by side, WALL between chunks."""
        return self.tokenizer.chunk_gap_ranks(self.chunk_counts)

    @cached_property
    def num_tokens(self) -> int:
        """Tokens of this text with all merges, whether there are smaller sizes or not."""
        if self.tokenizer.why_no_prefixes is None:
            return int(self.token_totals[-1])
        return num_tokens(self.tokenizer, self.corpus.documents)


@dataclass(frozen=True)
class RoundTrip:
    """How many distinct chunks of a text were encoded and decoded, and the first that did not come back."""

    num_chunks: int
    num_all: int
    failed: bytes | None

    @property
    def sentence(self) -> str:
        """What was tried, in one sentence; it quotes no text."""
        if self.failed is not None:
            return "Not every chunk of this text comes back: the vocabulary changes the text before it encodes it."
        which = f"all {self.num_all:,}" if self.num_chunks == self.num_all else f"the first {self.num_chunks:,}"
        return f"Encoded and decoded: {which} distinct chunks of this text come back byte for byte."


def round_trip(tokenizer: Tokenizer, chunk_counts: ChunkCounts, most: int = 20_000) -> RoundTrip:
    """Return whether the first `most` distinct chunks decode to themselves.

    >>> round_trip(Tokenizer.from_merges([(97, 98)]), ChunkCounts.from_counts({b"ab": 1})).failed is None
    True
    """
    tried = 0
    for chunk in chunk_counts:
        if tried == most:
            break
        tried += 1
        if tokenizer.decode_bytes(tokenizer.encode_bytes(chunk)) != chunk:
            return RoundTrip(tried, len(chunk_counts), chunk)
    return RoundTrip(tried, len(chunk_counts), None)


def check_room(brought: Mapping[str, LoadedVocabulary], new: LoadedVocabulary) -> None:
    """Raise BpeError if a visitor keeps as many vocabularies from files as they may."""
    kept = [each for each in brought.values() if not each.is_published and each.digest != new.digest]
    if len(kept) >= MOST_LOADED and not new.is_published:
        raise BpeError(f"{MOST_LOADED} vocabularies from files are loaded already. Drop one first.")
