"""Tokenizer: a vocabulary that cuts text into tokens and puts it together again."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from bpe_core.chunks import ChunkCounts, check_text, cut_text
from bpe_core.counting.distinct import numbered
from bpe_core.decoding import Errors, StreamDecoder, spelled_bytes, spelled_text
from bpe_core.encoding.one_chunk import encode_symbols
from bpe_core.errors import BpeError
from bpe_core.ragged import gathered
from bpe_core.specials import first_spelled, split_at
from bpe_core.vocabulary import Vocabulary

Special = Literal["text", "allow", "reject"]

_LONG_TEXT = 2_000  # characters; from here on encoding all chunks at once is quicker than one by one


@dataclass(frozen=True, eq=False)
class Tokenizer(Vocabulary):
    """A byte-level BPE vocabulary with its pattern, which encodes and decodes.

    `Vocabulary` tells its fields, its sizes and how it is made.

    >>> tokenizer = Tokenizer.from_merges([(98, 99), (97, 98)], "none")
    >>> tokenizer.encode("abc"), tokenizer.decode([257, 99]), tokenizer.with_vocab_size(257).encode("ab")
    ([97, 256], 'abc', [97, 98])
    """

    # --- encoding -----------------------------------------------------------------

    def encode(self, text: str, special: Special = "text") -> list[int]:
        """Return the ids of `text`.

        Text that spells a special is ordinary text, unless `special` is "allow"
        (it becomes the special's id; the longest spelling wins) or "reject" (BpeError).

        >>> tokenizer = Tokenizer.from_merges([(104, 105)], "gpt2", ["<|end|>"])
        >>> tokenizer.encode("hi<|end|>", "allow")
        [257, 256]

        Raises BpeError for a lone surrogate.
        """
        check_text(text)
        if special not in ("text", "allow", "reject"):
            raise BpeError(f"special={special!r} is not known. Use 'text', 'allow' or 'reject'.")
        if special == "reject" and (match := first_spelled(text, self.specials)):
            raise BpeError(
                f"The text spells the special token {match.group()} at character {match.start()}. "
                "Remove it, or choose whether it is text or the special."
            )
        allowed = self.specials if special == "allow" else {}
        return self._encode_around({**self.added_tokens, **allowed}, text)

    def encode_bytes(self, content: bytes) -> list[int]:
        """Return the ids of any bytes; those that are no UTF-8 are cut as "everything else".

        >>> Tokenizer.from_merges([(255, 254)]).encode_bytes(b"\\xff\\xfe")
        [256]
        """
        return self._encode_around(self.added_tokens, content.decode("utf-8", "surrogateescape"))

    def encode_chunk(self, chunk: bytes) -> list[int]:
        """Return the ids of one chunk; no pattern is applied."""
        if self.ignore_merges and chunk in self.ids_of_tokens:
            return [self.ids_of_tokens[chunk]]
        return encode_symbols([self._byte_ids[byte] for byte in chunk], self.rules)

    def chunks(self, text: str) -> list[bytes]:
        """Return the chunks that `text` is cut into before it is encoded."""
        if self.normalization:
            text = unicodedata.normalize(self.normalization, text)
        if self.prefix_space and text and not text.startswith(" "):
            text = " " + text
        return [piece.encode("utf-8", "surrogateescape") for piece in self.pattern.chunks(text)]

    def _encode_around(self, whole: Mapping[str, int], text: str) -> list[int]:
        """The ids of `text` in which each spelling in `whole` is one token."""
        ids: list[int] = []
        for ordinary, whole_id in split_at(text, whole):
            ids += self._encode_ordinary(ordinary)
            if whole_id is not None:
                ids.append(whole_id)
        return ids

    def _encode_ordinary(self, text: str) -> list[int]:
        if len(text) >= _LONG_TEXT and not self.why_no_prefixes:
            return self._encode_long(text)
        known: dict[bytes, list[int]] = {}
        ids: list[int] = []
        for chunk in self.chunks(text):
            if chunk not in known:
                known[chunk] = self.encode_chunk(chunk)
            ids += known[chunk]
        return ids

    def _encode_long(self, text: str) -> list[int]:
        data, offsets, numbers = numbered(*cut_text(text, self.pattern))
        symbols, token_offsets = self.nested.encode(data, offsets, self.num_merges)
        ids_of_symbols = np.concatenate([self.byte_ids, self.token_ids])
        return gathered(ids_of_symbols.take(symbols), token_offsets, numbers)[0].tolist()

    def encode_distinct(self, chunk_counts: ChunkCounts) -> tuple[np.ndarray, np.ndarray]:
        """Return the tokens of the distinct chunks as symbols side by side (int32), and where each chunk begins.

        A symbol is 0-255 for a byte, 256 + rank for a merge (`symbols_of_ids`).

        >>> tokenizer = Tokenizer.from_merges([(97, 98)], "none", ["<|end|>"])
        >>> tokenizer.encode_distinct(ChunkCounts.from_counts({b"abc": 2, b"ab": 1}))
        (array([256,  99, 256], dtype=int32), array([0, 2, 3]))

        Raises BpeError if this vocabulary has no prefixes.
        """
        self.need_prefixes()
        return self.nested.encode(chunk_counts.data, chunk_counts.offsets, self.num_merges)

    @cached_property
    def _byte_ids(self) -> list[int]:
        return self.byte_ids.tolist()

    # --- decoding -----------------------------------------------------------------

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """Return the bytes that `ids` spell, joined. Lossless.

        Raises BpeError for an id that no token has, naming it.
        """
        return spelled_bytes(ids, self.vocabulary)

    def decode(self, ids: Iterable[int], errors: Errors = "strict") -> str:
        """Return the text that `ids` spell.

        Bytes that are no UTF-8 raise BpeError, or become U+FFFD if `errors` is "replace".

        >>> Tokenizer.from_merges([]).decode([255], "replace")
        '\ufffd'
        """
        return spelled_text(self.decode_bytes(ids), errors)

    def stream_decoder(self) -> StreamDecoder:
        """Return a decoder that takes ids as they come and holds back an unfinished character.

        >>> stream = Tokenizer.from_merges([]).stream_decoder()
        >>> stream.feed([0xC3]), stream.feed([0xA9]), stream.finish()
        ('', 'é', '')
        """
        return StreamDecoder(self.decode_bytes)

    # --- gap ranks ----------------------------------------------------------------

    def gap_ranks(self, text: str) -> np.ndarray:
        """Return the gap rank of each gap between two bytes of `text` (int32; bytes − 1 of them).

        >>> Tokenizer.from_merges([(97, 98), (256, 99)]).gap_ranks("abc").tolist()
        [0, 1]

        Raises BpeError if this vocabulary has no prefixes.
        """
        check_text(text)
        return self._gap_ranks(*cut_text(text, self.pattern))

    def gap_ranks_of_chunks(self, chunks: Iterable[bytes]) -> np.ndarray:
        """Return the gap ranks of `chunks`, none of them empty, laid side by side, WALL between them."""
        chunks = list(chunks)
        return self._gap_ranks(b"".join(chunks), np.cumsum([0, *map(len, chunks)]))

    def _gap_ranks(self, content: bytes, edges: np.ndarray) -> np.ndarray:
        self.need_prefixes()
        data, offsets, numbers = numbered(content, edges)
        ranks = self.nested.gap_ranks(data, offsets, self.num_merges)
        return gathered(ranks, offsets, numbers)[0][:-1]

    def chunk_gap_ranks(self, chunk_counts: ChunkCounts) -> np.ndarray:
        """Return the gap ranks of the distinct chunks laid side by side, WALL between them."""
        self.need_prefixes()
        return self.nested.gap_ranks(chunk_counts.data, chunk_counts.offsets, self.num_merges)[:-1]

    def token_gap_ranks(self, token_id: int) -> np.ndarray:
        """Return the gap ranks inside one token: its tree of merges, flattened."""
        flat, offsets = self.nested.token_gaps
        symbol = self.symbols_of_ids[token_id]
        return flat[offsets[symbol] : offsets[symbol + 1] - 1]
