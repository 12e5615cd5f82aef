"""Corpus: the named text that we learn from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from bpe_core.samples import sample, sample_documents


@dataclass(frozen=True)
class Corpus:
    """Named documents. `name` may come from a file and is as hostile as the text."""

    name: str
    documents: tuple[str, ...]

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the documents and their edges; the name does not count."""
        mixed = sha256()
        for document in self.documents:
            content = document.encode()
            mixed.update(len(content).to_bytes(8, "little") + content)
        return mixed.hexdigest()

    @cached_property
    def num_bytes(self) -> int:
        """UTF-8 bytes of all documents."""
        return sum(len(document.encode()) for document in self.documents)


def sample_corpus(key: str) -> Corpus:
    """Return the bundled sample called `key`."""
    return Corpus(sample(key).title, sample_documents(key))
