"""The random numbers of dropout: the same on every machine, in every version, for every order of the chunks.

SplitMix64 (Steele, Lea and Flood 2014), seeded for each chunk with the first eight
bytes of BLAKE2b over "seed:" and the chunk. A draw is found by its number alone, so
one chunk or a million at once give the same answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

import numpy as np

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def stream_keys(seed: int, chunks: Iterable[bytes]) -> np.ndarray:
    """Return the seed of each chunk's own stream (uint64); equal chunks have equal streams.

    >>> stream_keys(0, [b"low", b"low", b"lower"]).tolist()
    [2865122656209598937, 2865122656209598937, 6158572455976597072]
    """
    prefix = f"{seed}:".encode()
    digests = b"".join(blake2b(prefix + chunk, digest_size=8).digest() for chunk in chunks)
    return np.frombuffer(digests, "<u8").astype(np.uint64)


def draws(keys: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Return draw number `numbers[i]` of the stream `keys[i]`: 53 random bits as a fraction, at least 0 and below 1.

    >>> draws(np.zeros(3, np.uint64), np.arange(3)).round(6).tolist()
    [0.883311, 0.431528, 0.026434]
    """
    mixed = keys + (numbers.astype(np.uint64) + np.uint64(1)) * _GOLDEN
    mixed = (mixed ^ (mixed >> np.uint64(30))) * _MIX_1
    mixed = (mixed ^ (mixed >> np.uint64(27))) * _MIX_2
    mixed ^= mixed >> np.uint64(31)
    return (mixed >> np.uint64(11)) * 2.0**-53
