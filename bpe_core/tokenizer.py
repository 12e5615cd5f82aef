"""Tokenizer: a vocabulary that encodes and decodes, frozen.

Made by training (`Tokenizer.from_merges`) or read from a file (`formats`). A trained
vocabulary is nested: its first k merges are themselves a vocabulary, so every size
is a prefix and gap ranks tell all. An imported one may break that; then
`why_no_prefixes` says how, and only encoding and decoding remain.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

import numpy as np
import regex

from bpe_core.chunks import ChunkCounts, check_text, cut_text
from bpe_core.decoding import Errors, StreamDecoder, spelled_bytes, spelled_text
from bpe_core.distinct import numbered
from bpe_core.encoding import Rules, encode_symbols
from bpe_core.errors import BpeError
from bpe_core.nested import NestedVocabulary
from bpe_core.patterns import Pattern, as_pattern
from bpe_core.ragged import gathered
from bpe_core.visible import visible

Special = Literal["text", "allow", "reject"]

_LONG_TEXT = 2_000  # characters; from here on encoding all chunks at once is quicker than one by one
MAX_VOCABULARY_BYTES = 2**28
"""The bytes of all tokens together: forty merges that join a token with itself would fill any memory."""


class Merge(NamedTuple):
    """A rule: `pair` of ids becomes `token_id`; a lower `rank` is applied first."""

    rank: int
    pair: tuple[int, int]
    token_id: int


@dataclass(frozen=True, eq=False)
class Tokenizer:
    """A byte-level BPE vocabulary with its pattern.

    `byte_ids[b]` is the id of the single byte b. Rule i joins the ids `pairs[i]`
    into `token_ids[i]` with rank `ranks[i]`. `specials` maps a spelling to its id.
    `lone_tokens` are tokens that no merge makes. With `ignore_merges` a chunk that
    is itself a token is that token (as in Llama 3). `normalization` is None or a
    Unicode form such as "NFC" that is applied to text before it is cut; with
    `prefix_space` a text that does not begin with a space is given one.
    `added_tokens` are spellings that always become their id, before the pattern
    and the merges: like specials, but text may not opt out.
    """

    pattern: Pattern
    byte_ids: np.ndarray
    pairs: np.ndarray
    token_ids: np.ndarray
    ranks: np.ndarray
    specials: Mapping[str, int] = field(default_factory=dict)
    lone_tokens: Mapping[bytes, int] = field(default_factory=dict)
    ignore_merges: bool = False
    normalization: str | None = None
    prefix_space: bool = False
    added_tokens: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def from_merges(
        cls, pairs: Iterable[tuple[int, int]], pattern: str | Pattern = "gpt2", specials: Sequence[str] = ()
    ) -> Tokenizer:
        """Return the tokenizer of learned merges: bytes are 0–255, then the specials, then one id per merge.

        >>> Tokenizer.from_merges([(98, 99), (97, 98)], "none").encode("abc")
        [97, 256]

        Raises BpeError if a part is not a byte or made by an earlier merge, or a special is empty or repeated.
        """
        pairs = np.array(list(pairs), np.int32).reshape(-1, 2)
        check_specials(specials)
        first_id = 256 + len(specials)
        token_ids = np.arange(first_id, first_id + len(pairs), dtype=np.int32)
        known = (pairs >= 0) & (pairs < token_ids[:, None]) & ~((pairs >= 256) & (pairs < first_id))
        if not known.all():
            rank = int(np.argmin(known.all(axis=1)))
            raise BpeError(f"Merge {rank} joins {tuple(pairs[rank].tolist())}, but one part is no earlier token.")
        return cls(
            as_pattern(pattern),
            np.arange(256, dtype=np.int32),
            pairs,
            token_ids,
            np.arange(len(pairs), dtype=np.int32),
            {name: 256 + number for number, name in enumerate(specials)},
        )

    # --- vocabulary ---------------------------------------------------------------

    @cached_property
    def merges(self) -> tuple[Merge, ...]:
        """The rules in rank order."""
        rows = zip(self.ranks.tolist(), map(tuple, self.pairs.tolist()), self.token_ids.tolist(), strict=True)
        return tuple(Merge(*row) for row in rows)

    @cached_property
    def vocabulary(self) -> dict[int, bytes]:
        """The bytes of every token by its id, specials (their spelling in UTF-8) included.

        >>> Tokenizer.from_merges([(104, 101)]).vocabulary[256]
        b'he'
        """
        tokens = {int(token_id): bytes([byte]) for byte, token_id in enumerate(self.byte_ids)}
        tokens |= {token_id: token for token, token_id in self.lone_tokens.items()}
        num_bytes = 0
        waiting: dict[int, list[Merge]] = {}  # merges by the part that is no token yet
        for merge in self.merges:
            ready = [merge]
            while ready:
                made = ready.pop()
                missing = next((part for part in made.pair if part not in tokens), None)
                if missing is not None:
                    waiting.setdefault(missing, []).append(made)
                elif made.token_id not in tokens:
                    left, right = (tokens[part] for part in made.pair)
                    num_bytes += len(left) + len(right)
                    if num_bytes > MAX_VOCABULARY_BYTES:
                        raise BpeError(
                            f"The tokens of the first {merge.rank:,} merges fill {num_bytes:,} bytes; too much."
                        )
                    tokens[made.token_id] = left + right
                    ready += waiting.pop(made.token_id, [])
        if waiting:
            merge = min(min(merges) for merges in waiting.values())
            raise BpeError(f"Merge {merge.rank} joins {merge.pair}, but one part is no token.")
        tokens |= {token_id: name.encode() for name, token_id in {**self.specials, **self.added_tokens}.items()}
        return dict(sorted(tokens.items()))

    @property
    def vocab_size(self) -> int:
        """Number of tokens: single bytes, specials and everything learned."""
        return len(self.vocabulary)

    @property
    def num_merges(self) -> int:
        """Number of rules."""
        return len(self.pairs)

    @cached_property
    def ids_of_tokens(self) -> dict[bytes, int]:
        """The id of every token that is neither special nor added, by its bytes."""
        special_ids = {*self.specials.values(), *self.added_tokens.values()} - {*self.token_ids.tolist()}
        return {token: token_id for token_id, token in self.vocabulary.items() if token_id not in special_ids}

    @cached_property
    def why_no_prefixes(self) -> str | None:
        """Why smaller sizes of this vocabulary are not vocabularies themselves; None if they are."""
        if self.ignore_merges:
            return "it keeps a chunk that is a token whole, without merges (ignore_merges)"
        if self.lone_tokens:
            token = next(iter(self.lone_tokens))
            return f"{len(self.lone_tokens):,} of its tokens are made by no merge, such as {visible(token)}"
        if self.normalization or self.prefix_space:
            return "it changes the text before it cuts it, so its tokens do not lie on the bytes of the text"
        if self.added_tokens:
            name = next(iter(self.added_tokens))
            return f"{len(self.added_tokens):,} of its tokens stand beside the merges and win over them, such as {name}"
        if len(np.unique(self.token_ids)) < len(self.token_ids):
            return "several of its merges make the same token"
        if (np.diff(self.ranks) <= 0).any():
            return "its merges are not in the order of their ranks"
        if (self.symbols_of_ids[self.pairs] >= 256 + np.arange(self.num_merges)[:, None]).any():
            return "some of its merges use a token that only a later merge makes"
        return None

    def with_vocab_size(self, vocab_size: int) -> Tokenizer:
        """Return this vocabulary cut back to `vocab_size` = 256 + specials + merges: a prefix, nothing is learned anew.

        >>> Tokenizer.from_merges([(97, 97), (256, 97)], "none").with_vocab_size(257).encode("aaa")
        [256, 97]

        Raises BpeError if it has no prefixes, or for a size that it cannot have.
        """
        self._need_prefixes()
        smallest = 256 + len(self.specials)
        num_merges = vocab_size - smallest
        if not 0 <= num_merges <= self.num_merges:
            raise BpeError(
                f"A vocabulary size of {vocab_size} is not possible here: "
                f"give {smallest} to {smallest + self.num_merges}."
            )
        if num_merges == self.num_merges:
            return self
        return self._prefix(num_merges)

    def _prefix(self, num_merges: int) -> Tokenizer:
        """The same with its first merges only; what was worked out for the whole is handed on, which is quick."""
        prefix = replace(
            self, pairs=self.pairs[:num_merges], token_ids=self.token_ids[:num_merges], ranks=self.ranks[:num_merges]
        )
        end, dropped = self.ranks[num_merges], {*self.token_ids[num_merges:].tolist()}
        prefix.__dict__.update(
            why_no_prefixes=None,
            _nested=self._nested,
            rules={pair: rule for pair, rule in self.rules.items() if rule[0] < end},
        )
        if dropped.isdisjoint(self.specials.values()):
            prefix.__dict__["vocabulary"] = {i: token for i, token in self.vocabulary.items() if i not in dropped}
        return prefix

    def _need_prefixes(self) -> None:
        if self.why_no_prefixes:
            raise BpeError(f"This vocabulary has no smaller sizes, because {self.why_no_prefixes}.")

    # --- encoding -----------------------------------------------------------------

    @cached_property
    def rules(self) -> Rules:
        """For each pair of ids that is a rule: (rank, id of the token it makes). Of equal pairs the first counts."""
        found: dict[tuple[int, int], tuple[int, int]] = {}
        for rank, pair, token_id in self.merges:
            found.setdefault(pair, (rank, token_id))
        return found

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
        if special == "reject" and self.specials and (match := _any_of(tuple(self.specials)).search(text)):
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
        """The ids of `text` in which each spelling in `whole` is one token; the longest spelling wins."""
        if not whole:
            return self._encode_ordinary(text)
        ids: list[int] = []
        end = 0
        for match in _any_of(tuple(whole)).finditer(text):
            ids += self._encode_ordinary(text[end : match.start()])
            ids.append(whole[match.group()])
            end = match.end()
        return ids + self._encode_ordinary(text[end:])

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
        symbols, token_offsets = self._nested.encode(data, offsets, self.num_merges)
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
        self._need_prefixes()
        return self._nested.encode(chunk_counts.data, chunk_counts.offsets, self.num_merges)

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
        self._need_prefixes()
        data, offsets, numbers = numbered(content, edges)
        ranks = self._nested.gap_ranks(data, offsets, self.num_merges)
        return gathered(ranks, offsets, numbers)[0][:-1]

    def chunk_gap_ranks(self, chunk_counts: ChunkCounts) -> np.ndarray:
        """Return the gap ranks of the distinct chunks laid side by side, WALL between them."""
        self._need_prefixes()
        return self._nested.gap_ranks(chunk_counts.data, chunk_counts.offsets, self.num_merges)[:-1]

    def token_gap_ranks(self, token_id: int) -> np.ndarray:
        """Return the gap ranks inside one token: its tree of merges, flattened."""
        flat, offsets = self._nested.token_gaps
        symbol = self.symbols_of_ids[token_id]
        return flat[offsets[symbol] : offsets[symbol + 1] - 1]

    @cached_property
    def symbols_of_ids(self) -> np.ndarray:
        """For each id its symbol: 0–255 a byte, 256 + rank a merge, −1 neither."""
        symbols = np.full(max(self.vocabulary) + 1, -1, np.int32)
        symbols[self.byte_ids] = np.arange(256)
        symbols[self.token_ids] = np.arange(256, 256 + self.num_merges)
        return symbols

    @cached_property
    def _nested(self) -> NestedVocabulary:
        return NestedVocabulary(self.symbols_of_ids[self.pairs])


@lru_cache(maxsize=64)
def _any_of(spellings: tuple[str, ...]) -> regex.Pattern:
    """The leftmost, then longest, of `spellings`."""
    return regex.compile("|".join(map(regex.escape, sorted(spellings, key=len, reverse=True))))


def check_specials(specials: Sequence[str]) -> None:
    """Raise BpeError if a special token's name is empty, repeated or not encodable."""
    for number, name in enumerate(specials):
        check_text(name)
        if not name:
            raise BpeError(f"Special token {number + 1} is empty. Give it a name such as <|end|>.")
        if name in specials[:number]:
            raise BpeError(f"The special token {name} is listed twice. Each may stand once.")
