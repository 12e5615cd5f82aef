"""All the ways to cut one short chunk into tokens of a vocabulary, as a lattice.

Nodes are the places between bytes (0 before the first, n after the last); an edge is
a token that fits from one place to another. A way to cut is a path from 0 to n.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import NamedTuple

from bpe_core.errors import BpeError
from bpe_core.orders import NEED_MERGES, ORDERS, cut
from bpe_core.tokenizer import Tokenizer

LONGEST_CHUNK = 16
"""The most bytes of a chunk whose lattice is built: 16 bytes have up to 32,768 cuts."""

Path = tuple["Edge", ...]


class Edge(NamedTuple):
    """A token that fits from byte `start` to byte `end` of the chunk."""

    start: int
    end: int
    token_id: int


class OrderPath(NamedTuple):
    """The edges that one order takes."""

    order: str
    edges: Path


class Sample(NamedTuple):
    """A cut that dropout gave, how often, and its edges."""

    times: int
    edges: Path


@dataclass(frozen=True, eq=False)
class Lattice:
    """Every token that fits anywhere in `chunk`: `edges` in order of their start, the longest first."""

    tokenizer: Tokenizer
    chunk: bytes
    edges: tuple[Edge, ...]

    @cached_property
    def num_cuts(self) -> int:
        """How many ways there are to cut the chunk into tokens, exactly."""
        ways = [0] * len(self.chunk) + [1]
        for edge in reversed(self.edges):
            ways[edge.start] += ways[edge.end]
        return ways[0]

    def path(self, tokens: Iterable[bytes]) -> Path:
        """Return the edges of a cut of the chunk."""
        known = {(edge.start, edge.end): edge for edge in self.edges}
        return tuple(known[place] for place in pairwise(accumulate(map(len, tokens), initial=0)))

    def order_paths(
        self, orders: Sequence[str] | None = None, *, p: float | None = None, seed: int | None = None
    ) -> list[OrderPath]:
        """Return the path that each order takes; of None, every order that this vocabulary can have, dropout aside.

        Raises BpeError as `cut` does.
        """
        if orders is None:
            needs_more = NEED_MERGES if self.tokenizer.why_no_prefixes else {"dropout"}
            orders = [order for order in ORDERS if order not in needs_more]
        cuts = ((order, cut(self.tokenizer, self.chunk, order, p=p, seed=seed)) for order in orders)
        return [OrderPath(order, self.path(tokens)) for order, tokens in cuts]

    def dropout_samples(self, p: float, number: int = 100, seed: int = 0) -> list[Sample]:
        """Return the cuts of `number` dropouts, with the seeds `seed`, `seed` + 1, …; the most frequent first.

        Raises BpeError as `cut` does, or for a number below 1.
        """
        if number < 1:
            raise BpeError(f"{number} samples were asked for. Ask for 1 or more.")
        drawn = Counter(
            tuple(cut(self.tokenizer, self.chunk, "dropout", p=p, seed=seed + more)) for more in range(number)
        )
        return [Sample(times, self.path(tokens)) for tokens, times in drawn.most_common()]


def lattice(tokenizer: Tokenizer, chunk: bytes) -> Lattice:
    """Return the lattice of `chunk`: of tokens that spell the same, the one that `ids_of_tokens` names.

    >>> found = lattice(Tokenizer.from_merges([(98, 99), (97, 98)], "none"), b"abc")
    >>> found.num_cuts, found.edges[0]
    (3, Edge(start=0, end=2, token_id=257))
    >>> [(path.order, len(path.edges)) for path in found.order_paths(["rank", "leftmost pair"])]
    [('rank', 2), ('leftmost pair', 2)]

    Raises BpeError for a chunk that is empty or has more than LONGEST_CHUNK bytes.
    """
    if not 1 <= len(chunk) <= LONGEST_CHUNK:
        raise BpeError(
            f"A lattice shows a chunk of 1 to {LONGEST_CHUNK} bytes, but this one has {len(chunk):,}. "
            "Choose a shorter word."
        )
    ids = tokenizer.ids_of_tokens
    spans = ((start, end) for start in range(len(chunk)) for end in range(len(chunk), start, -1))
    fitting = ((start, end, ids.get(chunk[start:end])) for start, end in spans)
    return Lattice(tokenizer, chunk, tuple(Edge(*span) for span in fitting if span[2] is not None))
