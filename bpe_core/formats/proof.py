"""Proof that a file holds the vocabulary: write it, read it back, and compare every id."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bpe_core.chunks import ChunkCounts
from bpe_core.formats.hf_pattern import portable_regexes
from bpe_core.formats.manifest import TrainedFrom
from bpe_core.formats.reading import read_tokenizer
from bpe_core.formats.tiktoken_snippet import tiktoken_pattern
from bpe_core.formats.writing import Format, limits, tokenizer_files
from bpe_core.tokenizer import Tokenizer


class Difference(NamedTuple):
    """A chunk with the ids here, and those that the file gives."""

    chunk: bytes
    ids: list[int]
    file_ids: list[int]


@dataclass(frozen=True)
class Proof:
    """What was compared, and what differed.

    `files` are what was proved, content by name. `num_chunks` distinct chunks and `num_specials` special and
    added tokens were encoded by both. `num_different` chunks got other ids; `example` is the first of them.
    `faults` are sentences: what else differs. `limits` are sentences: what the format cannot carry.
    """

    format: Format
    files: Mapping[str, bytes]
    num_chunks: int
    num_specials: int
    num_different: int
    example: Difference | None
    faults: tuple[str, ...]
    limits: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether every id was identical."""
        return not self.num_different and not self.faults


def prove(
    tokenizer: Tokenizer, format: Format, chunks: Iterable[bytes], *, trained_from: TrainedFrom | None = None
) -> Proof:
    """Return what writing `tokenizer` as `format` and reading it back gives, compared on `chunks` (a ChunkCounts, say).

    For tiktoken the file is read by the rule of ranks, so `num_different` says on how many chunks that rule gives
    other ids. Only the files' bytes are read; the pattern is given to the formats that hold none.

    >>> proof = prove(Tokenizer.from_merges([(104, 105)], specials=["<|end|>"]), "tiktoken", [b"hi", b"!"])
    >>> proof.holds, proof.num_chunks, proof.num_specials
    (True, 2, 1)

    Raises BpeError if the format cannot hold the tokenizer.
    """
    files = tokenizer_files(tokenizer, format, trained_from=trained_from)
    pattern = tokenizer.pattern if format in ("gpt2", "csv") else None
    loaded = read_tokenizer(files, pattern=pattern).tokenizer
    chunks = list(chunks) if not isinstance(chunks, ChunkCounts) else chunks
    different = list(differences(tokenizer, loaded, chunks))
    named = {**tokenizer.specials, **tokenizer.added_tokens}
    return Proof(
        format,
        files,
        len(chunks),
        len(named),
        len(different),
        different[0] if different else None,
        tuple(_faults(tokenizer, loaded, named, format)),
        tuple(limits(tokenizer, format)),
    )


def differences(one: Tokenizer, other: Tokenizer, chunks: Collection[bytes]) -> Iterator[Difference]:
    """Yield the chunks that the two tokenizers encode otherwise, in order.

    >>> one, other = Tokenizer.from_merges([(97, 98)]), Tokenizer.from_merges([])
    >>> list(differences(one, other, [b"ab", b"ba"]))
    [Difference(chunk=b'ab', ids=[256], file_ids=[97, 98])]
    """
    at_once = isinstance(chunks, ChunkCounts) and not (one.why_no_prefixes or other.why_no_prefixes)
    if at_once and all(map(np.array_equal, _distinct_ids(one, chunks), _distinct_ids(other, chunks))):
        return
    for chunk in chunks:
        ids, other_ids = one.encode_chunk(chunk), other.encode_chunk(chunk)
        if ids != other_ids:
            yield Difference(chunk, ids, other_ids)


def _distinct_ids(tokenizer: Tokenizer, chunk_counts: ChunkCounts) -> tuple[np.ndarray, np.ndarray]:
    symbols, offsets = tokenizer.encode_distinct(chunk_counts)
    return np.concatenate([tokenizer.byte_ids, tokenizer.token_ids])[symbols], offsets


def _faults(tokenizer: Tokenizer, loaded: Tokenizer, named: Mapping[str, int], format: Format) -> Iterator[str]:
    for name in named:
        ids, file_ids = tokenizer.encode(name, "allow"), loaded.encode(name, "allow")
        if ids != file_ids:
            yield f"The special token {name} is {ids} here and {file_ids} in the file."
    if loaded.vocabulary != tokenizer.vocabulary:
        yield "The file gives some ids other tokens."
    expected = {tokenizer.pattern.regexes, portable_regexes(tokenizer.pattern)}
    if format == "tiktoken" and tokenizer.pattern.regexes:
        expected.add((tiktoken_pattern(tokenizer.pattern),))
    if loaded.pattern.regexes not in expected:
        yield "The file cuts text by another pattern."
