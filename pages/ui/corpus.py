"""Corpus: the named text that we learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from bpe_core.documents import Documents, Texts, documents_of_text, join_documents
from bpe_core.samples import sample, sample_files

MOST_TEXT_BYTES = 128 * 1024 * 1024
"""So much text a visitor may bring; more is refused with a sentence, before anything is kept."""


@dataclass(frozen=True, eq=False)
class Corpus:
    """Named documents. `name` may come from a file and is as hostile as the text.

    `read` tells where each document came from, if files were read. A part of
    another corpus, such as its training side, names the digest of the whole.
    """

    name: str
    documents: Sequence[str]
    read: Documents | None = None
    whole_digest: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.documents, Texts):
            object.__setattr__(self, "documents", Texts.of(document.encode() for document in self.documents))

    @classmethod
    def of_documents(cls, name: str, read: Documents, whole_digest: str = "") -> Corpus:
        """Return the corpus of documents that were read, under this name."""
        return cls(name, read.documents, read, whole_digest)

    def part(self, name: str, documents: Sequence[str]) -> Corpus:
        """Return a corpus of some of this one's text, which is forgotten together with it."""
        return Corpus(name, documents, whole_digest=self.text_digest)

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the documents and their edges; the name does not count."""
        return self.documents.sha256

    @property
    def text_digest(self) -> str:
        """The digest of the text that this is, or is a part of."""
        return self.whole_digest or self.digest

    @property
    def num_bytes(self) -> int:
        """UTF-8 bytes of all documents."""
        return self.documents.num_bytes


def sample_corpus(key: str) -> Corpus:
    """Return the bundled sample called `key`."""
    parts = [documents_of_text(content.decode(), name) for name, content in sample_files(key).items()]
    return Corpus.of_documents(sample(key).title, join_documents(parts))
