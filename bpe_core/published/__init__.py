"""Published vocabularies that come with the package: GPT-2 and Qwen.

Their merges are the published files, compressed; `README.md` beside this file names sources and
licences. The files' SHA-256 is checked each time one is read.
"""

from __future__ import annotations

import hashlib
import lzma
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bpe_core.errors import BpeError
from bpe_core.formats.gpt2 import GPT2_BYTE_ORDER, read_merges
from bpe_core.formats.known_tables import QWEN_SPECIALS
from bpe_core.patterns import named_pattern
from bpe_core.tokenizer import Tokenizer
from bpe_core.visible import BYTE_ALPHABET

FOLDER = Path(__file__).parent


class Published(NamedTuple):
    """A vocabulary in the package: how it is called on screen, and what makes its tokenizer."""

    title: str
    merges_file: str
    sha256: str
    pattern: str
    specials: dict[str, int]
    licence: str
    source: str


PUBLISHED = {
    "gpt2": Published(
        "GPT-2",
        "gpt2_vocab.bpe.xz",
        "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5",
        "gpt2",
        {"<|endoftext|>": 50256},
        "Modified MIT",
        "OpenAI, openai/gpt-2",
    ),
    "qwen": Published(
        "Qwen",
        "qwen_merges.txt.xz",
        "8831e4f1a044471340f7c0a83d7bd71306a5b867e95fd870f74d0c5308a904d5",
        "qwen",
        QWEN_SPECIALS,
        "Apache-2.0",
        "Alibaba Cloud, Qwen",
    ),
}
"""The vocabularies by name. Bytes are numbered in GPT-2's order, then the merges by rank, then the specials."""


@cache
def published_tokenizer(name: str) -> Tokenizer:
    """Return the published tokenizer called `name`, one of `PUBLISHED`. It is read once for each process.

    >>> published_tokenizer("gpt2").encode("hello world")
    [31373, 995]

    Raises BpeError for another name, and if the file in the package was changed.
    """
    if name not in PUBLISHED:
        raise BpeError(f"There is no published vocabulary called {name!r}. Choose one of {', '.join(PUBLISHED)}.")
    published = PUBLISHED[name]
    content = lzma.decompress((FOLDER / published.merges_file).read_bytes())
    if hashlib.sha256(content).hexdigest() != published.sha256:
        raise BpeError(f"The file {published.merges_file} of the package was changed. Install the package again.")
    _, merges = read_merges(published.merges_file, content.decode())
    return tokenizer_of_published_merges(merges, published)


def tokenizer_of_published_merges(merges: list[tuple[str, str]], published: Published) -> Tokenizer:
    """Return the tokenizer of `merges` in the numbering that both vocabularies share."""
    ids = {BYTE_ALPHABET[byte]: number for number, byte in enumerate(GPT2_BYTE_ORDER)}
    ids.update((left + right, 256 + rank) for rank, (left, right) in enumerate(merges))
    return Tokenizer(
        named_pattern(published.pattern),
        np.argsort(GPT2_BYTE_ORDER).astype(np.int32),
        np.array([(ids[left], ids[right]) for left, right in merges], np.int32),
        np.arange(256, 256 + len(merges), dtype=np.int32),
        np.arange(len(merges), dtype=np.int32),
        specials=published.specials,
    )
