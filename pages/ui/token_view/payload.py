"""What the drawing in the browser needs of a text: packed once, sent once, then every size is drawn from it.

The payload is one JSON object, read by `model.js`; an array is `[type, base64 of its little-endian values]`, in
the smallest type that holds it:

    text        the bytes of the text
    gaps        its gap ranks, as `bpe_core.gaps.packed`; the two largest numbers are NEVER and WALL
    pairs       left and right symbol of merge 0, of merge 1, … (symbol: 0–255 a byte, 256 + rank a merge)
    first_id    id of the first merge, 256 + number of specials
    symbol_ids  the id of every symbol, only if they do not follow from `first_id` (imported vocabularies)
    counts      count of each merge's pair when it was learned; missing for an imported vocabulary
    corpus      name, byte_counts (of the 256 bytes) and replaced (how often each merge fired): the totals at every size
    ids         only of a cut that is given: the id of each token; `gaps` is then 0 inside a token
    specials    only of a cut that is given: [id, spelling] of the special tokens
    documents   where a document begins: [byte, its number from 1]; missing for a text of one document
    signature   changes when anything above does
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from bpe_core import ChunkCounts, Tokenizer
from bpe_core.gaps import NEVER, WALL, packed

Packed = tuple[str, str]
_NO_SYMBOL = 2**32 - 1
"""Stands in `pairs` for a part that no merge makes (only in imported vocabularies)."""


@dataclass(frozen=True, eq=False)
class TextModel:
    """A text with its tokens at every size, ready for the browser."""

    payload: Mapping[str, Any]
    num_bytes: int
    num_merges: int
    first_id: int

    @property
    def signature(self) -> str:
        """Equal for equal payloads; the browser keeps what it has drawn as long as this does not change."""
        return self.payload["signature"]

    @property
    def largest_size(self) -> int:
        """Vocabulary size with all merges."""
        return self.first_id + self.num_merges


class CorpusCounts(NamedTuple):
    """What the size bar and the token card know of the whole corpus."""

    name: str
    byte_counts: np.ndarray
    replaced: np.ndarray


def corpus_counts(name: str, chunk_counts: ChunkCounts, token_totals: np.ndarray) -> CorpusCounts:
    """Return the counts of a corpus from its chunks and its tokens after 0, 1, … n merges.

    >>> chunks = ChunkCounts.from_counts({b"ab": 3})
    >>> counts = corpus_counts("abab", chunks, np.array([6, 3]))
    >>> counts.byte_counts[97], counts.replaced
    (np.int64(3), array([3]))
    """
    weights = np.repeat(chunk_counts.counts, chunk_counts.lengths)
    byte_counts = np.zeros(256, np.int64)
    np.add.at(byte_counts, chunk_counts.data, weights)
    return CorpusCounts(name, byte_counts, -np.diff(token_totals))


def text_model(
    tokenizer: Tokenizer,
    text: str | Sequence[bytes],
    *,
    corpus: CorpusCounts | None = None,
    counts: np.ndarray | None = None,
    limit: int | None = None,
    document_starts: Mapping[int, int] = MappingProxyType({}),
) -> TextModel:
    """Return the model of `text` (or of chunks already cut, side by side) with its tokens at every size.

    `counts` are the pair counts when learned (`Training.counts`). Only the first `limit` bytes are
    sent, cut between characters, with the gap ranks that they have in the whole text. `document_starts` maps a byte
    at which a document begins to the document's number.

    >>> text_model(Tokenizer.from_merges([(97, 98)], "none"), "abc").largest_size
    257

    Raises BpeError if the tokenizer has no smaller sizes: then `cut_model` shows its one cut.
    """
    chunks = tokenizer.chunks(text) if isinstance(text, str) else list(text)
    content, gap_ranks = b"".join(chunks), tokenizer.gap_ranks_of_chunks(chunks)
    if limit is not None and len(content) > limit:
        content = start_of(content, limit)
        gap_ranks = gap_ranks[: max(len(content) - 1, 0)]
    fields = {"text": pack_bytes(content), "gaps": pack_gaps(gap_ranks)}
    if corpus is not None:
        fields["corpus"] = {
            "name": corpus.name,
            "byte_counts": pack(corpus.byte_counts),
            "replaced": pack(corpus.replaced),
        }
    if counts is not None:
        fields["counts"] = pack(counts)
    if document_starts:
        fields["documents"] = sorted((byte, name) for byte, name in document_starts.items() if byte < len(content))
    return _model(tokenizer, fields, len(content))


def cut_model(tokenizer: Tokenizer, chunks: Iterable[Sequence[int]], *, counts: np.ndarray | None = None) -> TextModel:
    """Return the model of one given cut: the ids of each chunk. It has no other sizes.

    For lanes (another order of merges), for text with special tokens, and for vocabularies that have no prefixes.

    >>> cut_model(Tokenizer.from_merges([(97, 98)], "none"), [[256, 97]]).num_bytes
    3
    """
    chunks = [list(chunk) for chunk in chunks if len(chunk)]
    vocabulary = tokenizer.vocabulary
    tokens = [[vocabulary[token_id] for token_id in chunk] for chunk in chunks]
    ids = [token_id for chunk in chunks for token_id in chunk]
    used = {token_id: name for name, token_id in tokenizer.specials.items() if token_id in set(ids)}
    fields = {
        "text": pack_bytes(b"".join(b"".join(chunk) for chunk in tokens)),
        "gaps": pack_gaps(_gaps_of_cut(tokens)),
        "ids": pack(np.array(ids, np.int64)),
        "specials": sorted(used.items()),
    }
    if counts is not None:
        fields["counts"] = pack(counts)
    return _model(tokenizer, fields, sum(len(token) for chunk in tokens for token in chunk))


def _gaps_of_cut(tokens: Iterable[Iterable[bytes]]) -> np.ndarray:
    gaps: list[int] = []
    for chunk in tokens:
        for token in chunk:
            gaps += [0] * (len(token) - 1) + [NEVER]
        gaps[-1] = WALL
    return np.array(gaps[:-1], np.int64)


def _model(tokenizer: Tokenizer, fields: dict[str, Any], num_bytes: int) -> TextModel:
    first_id = 256 + len(tokenizer.specials)
    parts = tokenizer.symbols_of_ids[tokenizer.pairs].ravel().astype(np.int64)
    parts[parts < 0] = _NO_SYMBOL
    fields |= {"pairs": pack(parts), "first_id": first_id}
    ids = np.concatenate([tokenizer.byte_ids, tokenizer.token_ids])
    if not np.array_equal(ids, np.r_[:256, first_id : first_id + tokenizer.num_merges]):
        fields["symbol_ids"] = pack(ids)
    fields["signature"] = hashlib.blake2b(json.dumps(fields).encode(), digest_size=12).hexdigest()
    return TextModel(fields, num_bytes, tokenizer.num_merges, first_id)


def start_of(content: bytes, limit: int) -> bytes:
    """Return the first bytes of `content`, at most `limit`, cut between two characters.

    >>> start_of("aé".encode(), 2)
    b'a'
    """
    while 0 < limit < len(content) and content[limit] & 0xC0 == 0x80:
        limit -= 1
    return content[:limit]


def pack_bytes(content: bytes) -> Packed:
    """Return bytes as they travel in a payload.

    >>> pack_bytes(b"low")
    ('u1', 'bG93')
    """
    return "u1", base64.b64encode(content).decode()


def pack_gaps(gap_ranks: np.ndarray) -> Packed:
    """Return gap ranks as they travel: 16 bits if all ranks are below 65,534, else 32."""
    values = packed(gap_ranks)
    return f"u{values.itemsize}", base64.b64encode(values.tobytes()).decode()


def pack(values: np.ndarray) -> Packed:
    """Return whole numbers, none negative, in the smallest of 8, 16 or 32 bits; above that as 64-bit floats.

    >>> pack(np.array([1, 300]))
    ('u2', 'AQAsAQ==')
    """
    largest = int(values.max()) if len(values) else 0
    code = next((code for code, bits in (("u1", 8), ("u2", 16), ("u4", 32)) if largest < 2**bits), "f8")
    return code, base64.b64encode(np.asarray(values).astype(f"<{code}").tobytes()).decode()
