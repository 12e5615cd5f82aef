"""Vocabulary: the tokens and merges of a tokenizer and all that follows from them; frozen.

Made by training (`from_merges`) or read from a file (`formats`). A trained vocabulary
is nested: its first k merges are themselves a vocabulary, so every size is a prefix
and gap ranks tell all. An imported one may break that; then `why_no_prefixes` says
how, and only encoding and decoding remain.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from numbers import Integral
from typing import Self

import numpy as np

from bpe_core.encoding.nested import NestedVocabulary
from bpe_core.encoding.one_chunk import Rules
from bpe_core.errors import BpeError
from bpe_core.merges import Merge, with_made_tokens
from bpe_core.patterns import Pattern, as_pattern
from bpe_core.specials import check_specials
from bpe_core.visible import visible


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """All that a byte-level BPE tokenizer is made of.

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
    ) -> Self:
        """Return the vocabulary of learned merges: bytes are 0–255, then the specials, then one id per merge.

        >>> Vocabulary.from_merges([(98, 99), (97, 98)], "none").merges[1]
        Merge(rank=1, pair=(97, 98), token_id=257)

        Raises BpeError if a part is not a byte or made by an earlier merge, a pair is joined twice, or a special is
        empty or repeated.
        """
        pairs = _pair_array(list(pairs))
        check_specials(specials)
        first_id = 256 + len(specials)
        token_ids = np.arange(first_id, first_id + len(pairs), dtype=np.int32)
        known = (pairs >= 0) & (pairs < token_ids[:, None]) & ~((pairs >= 256) & (pairs < first_id))
        if not known.all():
            rank = int(np.argmin(known.all(axis=1)))
            raise BpeError(f"Merge {rank} joins {tuple(pairs[rank].tolist())}, but one part is no earlier token.")
        _check_distinct(pairs)
        return cls(
            as_pattern(pattern),
            np.arange(256, dtype=np.int32),
            pairs,
            token_ids,
            np.arange(len(pairs), dtype=np.int32),
            {name: 256 + number for number, name in enumerate(specials)},
        )

    @cached_property
    def merges(self) -> tuple[Merge, ...]:
        """The rules in rank order."""
        return tuple(map(Merge, self.ranks.tolist(), map(tuple, self.pairs.tolist()), self.token_ids.tolist()))

    @cached_property
    def vocabulary(self) -> dict[int, bytes]:
        """The bytes of every token by its id, specials (their spelling in UTF-8) included.

        >>> Vocabulary.from_merges([(104, 101)]).vocabulary[256]
        b'he'
        """
        tokens = {token_id: bytes([byte]) for byte, token_id in enumerate(self.byte_ids.tolist())}
        tokens |= {token_id: token for token, token_id in self.lone_tokens.items()}
        tokens = with_made_tokens(tokens, self.merges)
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

    def with_vocab_size(self, vocab_size: int) -> Self:
        """Return this vocabulary cut back to `vocab_size` = 256 + specials + merges: a prefix, nothing is learned anew.

        >>> Vocabulary.from_merges([(97, 97), (256, 97)], "none").with_vocab_size(257).merges
        (Merge(rank=0, pair=(97, 97), token_id=256),)

        Raises BpeError if it has no prefixes, or for a size that it cannot have.
        """
        self.need_prefixes()
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

    def _prefix(self, num_merges: int) -> Self:
        """The same with its first merges only; what was worked out for the whole is handed on, which is quick."""
        prefix = replace(
            self, pairs=self.pairs[:num_merges], token_ids=self.token_ids[:num_merges], ranks=self.ranks[:num_merges]
        )
        end, dropped = self.ranks[num_merges], {*self.token_ids[num_merges:].tolist()}
        prefix.__dict__.update(
            why_no_prefixes=None,
            nested=self.nested,
            rules={pair: rule for pair, rule in self.rules.items() if rule[0] < end},
        )
        if dropped.isdisjoint(self.specials.values()):
            prefix.__dict__["vocabulary"] = {i: token for i, token in self.vocabulary.items() if i not in dropped}
        return prefix

    def need_prefixes(self) -> None:
        """Raise BpeError if this vocabulary has no prefixes."""
        if self.why_no_prefixes:
            raise BpeError(f"This vocabulary has no smaller sizes, because {self.why_no_prefixes}.")

    @cached_property
    def rules(self) -> Rules:
        """For each pair of ids that is a rule: (rank, id of the token it makes). Of equal pairs the first counts."""
        found: dict[tuple[int, int], tuple[int, int]] = {}
        for rank, pair, token_id in self.merges:
            found.setdefault(pair, (rank, token_id))
        return found

    @cached_property
    def symbols_of_ids(self) -> np.ndarray:
        """For each id its symbol: 0–255 a byte, 256 + rank a merge, −1 neither."""
        symbols = np.full(max(self.vocabulary) + 1, -1, np.int32)
        symbols[self.byte_ids] = np.arange(256)
        symbols[self.token_ids] = np.arange(256, 256 + self.num_merges)
        return symbols

    @cached_property
    def nested(self) -> NestedVocabulary:
        """What encodes many chunks at once; all sizes of this vocabulary share it."""
        return NestedVocabulary(self.symbols_of_ids[self.pairs])

    def build_tables(self) -> None:
        """Build what is otherwise built at the first size change or encoding, where it would be felt."""
        if not self.why_no_prefixes:
            self.nested.build_tables()
        _ = self.rules, self.ids_of_tokens


def _check_distinct(pairs: np.ndarray) -> None:
    keys = (pairs[:, 0].astype(np.int64) << 32) | pairs[:, 1]
    _, first_ranks, numbers = np.unique(keys, return_index=True, return_inverse=True)
    if len(first_ranks) < len(pairs):
        again = int(np.argmax(first_ranks[numbers] < np.arange(len(pairs))))
        raise BpeError(
            f"Merges {first_ranks[numbers[again]]} and {again} both join {tuple(pairs[again].tolist())}. "
            "A pair is joined once."
        )


def _pair_array(pairs: list[tuple[int, int]]) -> np.ndarray:
    """`pairs` as an array of two columns (int32); BpeError if one is no pair of whole numbers of 31 bits."""
    with suppress(ValueError, OverflowError):
        table = np.array(pairs).reshape(len(pairs), 2)
        if not len(pairs) or (table.dtype.kind == "i" and (abs(table) < 2**31).all()):
            return table.astype(np.int32)
    for rank, pair in enumerate(pairs):
        if len(pair) != 2 or not all(isinstance(part, Integral) and abs(part) < 2**31 for part in pair):
            raise BpeError(f"Merge {rank} is {pair!r}, but a merge is a pair of ids below 2**31.")
    return np.array(pairs, np.int32)
