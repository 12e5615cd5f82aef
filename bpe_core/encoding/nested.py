"""NestedVocabulary: many chunks encoded at once, at any number of merges, by what the merges alone tell.

Nested means that merge r joins bytes or what merges before r made, so that the first
k merges are a vocabulary too. All sizes of one vocabulary share these tables.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from bpe_core.encoding.long_chunk import encode_long_chunk
from bpe_core.encoding.many_chunks import encode_chunks
from bpe_core.encoding.pair_table import PairTable
from bpe_core.gaps import NEVER, WALL
from bpe_core.merging.pair_queue import pair_key
from bpe_core.ragged import gathered

_LONG = 500  # bytes; longer chunks would take too many rounds


class NestedVocabulary:
    """The merges as pairs of symbols (0-255 a byte, 256 + rank a merge), and what is looked up in them."""

    def __init__(self, pairs: np.ndarray) -> None:
        self.pairs = pairs

    def encode(self, data: np.ndarray, offsets: np.ndarray, num_merges: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the tokens of chunks after `num_merges` merges, as symbols side by side, and where each chunk begins.

        Chunk i is the bytes `data[offsets[i]:offsets[i + 1]]`, not empty.

        >>> NestedVocabulary(np.array([[97, 98]])).encode(np.frombuffer(b"abab", np.uint8), np.array([0, 3, 4]), 1)
        (array([256,  97,  98], dtype=int32), array([0, 2, 3]))
        """
        is_long = np.diff(offsets) > _LONG
        if not is_long.any():
            return encode_chunks(data, offsets, self._table, num_merges)
        long, short = np.flatnonzero(is_long), np.flatnonzero(~is_long)
        symbols, new_offsets = encode_chunks(*gathered(data, offsets, short), self._table, num_merges)
        parts, lengths = [symbols], [*np.diff(new_offsets).tolist()]
        for number in long.tolist():
            chunk = data[offsets[number] : offsets[number + 1]]
            parts.append(encode_long_chunk(chunk, self._ranks_by_key, num_merges))
            lengths.append(len(parts[-1]))
        order = np.argsort(np.concatenate([short, long]))
        return gathered(np.concatenate(parts), np.cumsum([0, *lengths]), order)

    def gap_ranks(self, data: np.ndarray, offsets: np.ndarray, num_merges: int) -> np.ndarray:
        """Return the gap rank after each byte of chunks side by side (int32), WALL after the last of each."""
        symbols, _ = self.encode(data, offsets, num_merges)
        ranks, _ = gathered(*self.token_gaps, symbols)
        ranks[offsets[1:] - 1] = WALL
        return ranks

    def build_tables(self) -> None:
        """Build all that is looked up, before the first use asks for it."""
        _ = self.token_gaps, self._table.ranks_of_bytes, self._ranks_by_key

    @cached_property
    def token_gaps(self) -> tuple[np.ndarray, np.ndarray]:
        """The gap ranks inside each symbol, NEVER after them, one symbol after the other; and where each begins."""
        gaps = [b""] * 256  # four bytes for each rank: bytes are joined far faster than lists
        for rank, (left, right) in enumerate(self.pairs.tolist()):
            gaps.append(gaps[left] + rank.to_bytes(4, "little") + gaps[right])
        never = NEVER.to_bytes(4, "little")
        flat = np.frombuffer(b"".join([inside + never for inside in gaps]), "<i4").astype(np.int32, copy=False)
        return flat, np.cumsum([0, *(len(inside) // 4 + 1 for inside in gaps)])

    @cached_property
    def _table(self) -> PairTable:
        return PairTable(self.pairs)

    @cached_property
    def _ranks_by_key(self) -> dict[int, int]:
        """The rank of each pair by its key; of equal pairs the first counts."""
        found: dict[int, int] = {}
        for rank, (left, right) in enumerate(self.pairs.tolist()):
            found.setdefault(pair_key(left, right), rank)
        return found
