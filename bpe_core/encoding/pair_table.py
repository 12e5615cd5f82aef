"""PairTable: the ranks of very many pairs at once."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from bpe_core.gaps import NEVER

_FREE = -1
_MULTIPLIER = 0x9E3779B97F4A7C15 - 2**64  # Knuth's multiplicative hash; its upper bits are well mixed


class PairTable:
    """Maps pairs of symbols to their ranks, as a hash table in arrays with open addresses.

    >>> PairTable(np.array([[97, 98], [256, 99]])).ranks(np.array([256, 97]), np.array([99, 97])) == [1, NEVER]
    array([ True,  True])
    """

    def __init__(self, pairs: np.ndarray) -> None:
        bits = max(4, (4 * len(pairs)).bit_length())  # at most a quarter is full, so searches are short
        self._shift = 64 - bits
        self._keys = np.full(2**bits, _FREE, np.int64)
        self._ranks = np.full(2**bits, NEVER, np.int32)
        keys = _keys(pairs[:, 0], pairs[:, 1])
        slots, waiting = self._slots(keys), np.arange(len(keys))
        while len(waiting):
            # Of several that want a free slot the one of lowest rank takes it; equal pairs share it.
            free = self._keys.take(slots) == _FREE
            self._keys[slots[free][::-1]] = keys[waiting[free]][::-1]
            mine = self._keys.take(slots) == keys.take(waiting)
            np.minimum.at(self._ranks, slots[mine], waiting[mine].astype(np.int32))
            waiting, slots = waiting[~mine], self._next(slots[~mine])

    def ranks(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Return the rank of each pair (int32); NEVER if it is no rule, the lowest if it is several."""
        keys = _keys(left, right)
        slots = self._slots(keys)
        found = self._keys.take(slots)
        ranks = self._ranks.take(slots)
        searching = np.flatnonzero((found != keys) & (found != _FREE))
        ranks[searching] = NEVER
        slots = slots.take(searching)
        while len(searching):
            slots = self._next(slots)
            found = self._keys.take(slots)
            hit = found == keys.take(searching)
            ranks[searching[hit]] = self._ranks.take(slots[hit])
            goes_on = ~hit & (found != _FREE)
            searching, slots = searching[goes_on], slots[goes_on]
        return ranks

    @cached_property
    def ranks_of_bytes(self) -> np.ndarray:
        """The rank of each pair of bytes, at left * 256 + right: most look-ups are these."""
        return self.ranks(*np.divmod(np.arange(256 * 256), 256))

    def _slots(self, keys: np.ndarray) -> np.ndarray:
        return ((keys * _MULTIPLIER).view(np.uint64) >> np.uint64(self._shift)).view(np.int64)

    def _next(self, slots: np.ndarray) -> np.ndarray:
        return (slots + 1) & (len(self._keys) - 1)


def _keys(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return (left.astype(np.int64) << 32) | right
