"""How one chunk is cut, pass by pass, as records and as rows of plain text.

Encoding learns nothing and counts nothing: it only looks up the ranks of the pairs
that stand side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from bpe_core.errors import BpeError
from bpe_core.merges import Merge
from bpe_core.orders.cutting import check_order, chunk_dropper
from bpe_core.tokenizer import Tokenizer
from bpe_core.visible import visible

TRACED = ("rank", "reversed priority", "leftmost pair", "dropout")
"""The orders that `encode_steps` can follow."""

KEPT_WHOLE = "the chunk is itself a token and is kept whole"
ONE_LEFT = "one token is left"
NO_RULE = "no neighbouring pair is a rule"
NONE_SURVIVED = "every pair that is a rule was dropped in this pass"


class PairSeen(NamedTuple):
    """Two neighbouring tokens, where the left one stands in `EncodeStep.symbols`, and the rank of their rule or None.

    `dropped`: dropout left this pair out of this pass.
    """

    at: int
    left: bytes
    right: bytes
    rank: int | None
    dropped: bool = False


class EncodeStep(NamedTuple):
    """One pass over a chunk: what stood there, which pair won, and where it was joined.

    `symbols` are the tokens before the pass, `ids` theirs. `joined_at` are places in
    `symbols` whose token was joined to the next one. `tokens_left` counts after the
    pass. In the last step nothing is joined, `winner` is None and `stopped_because` says why.
    """

    number: int
    symbols: tuple[bytes, ...]
    ids: tuple[int, ...]
    pairs: tuple[PairSeen, ...]
    winner: Merge | None
    joined_at: tuple[int, ...]
    tokens_left: int
    stopped_because: str | None = None


class EncodeRow(NamedTuple):
    """An EncodeStep as a row of plain text for a table or a CSV; places count from 0."""

    step: int
    symbols: str
    pairs_with_rank: str
    winner: str
    rank: int | None
    new_id: int | None
    joined_at: str
    tokens_left: int
    stopped_because: str


# --- pass by pass --------------------------------------------------------------------------


def encode_steps(
    tokenizer: Tokenizer, chunk: bytes, order: str = "rank", *, p: float | None = None, seed: int | None = None
) -> Iterator[EncodeStep]:
    """Return an iterator over the passes that cut `chunk`, and a last step that tells why it ended.

    Each pass joins every occurrence of the winning pair, left to right; leftmost pair,
    and a vocabulary whose merges training cannot have made, join one at a time.

    >>> tokenizer = Tokenizer.from_merges([(111, 119), (108, 256)], "none")
    >>> for step in encode_steps(tokenizer, b"low"):
    ...     print(step.symbols, step.winner and step.winner.rank, step.joined_at, step.tokens_left)
    (b'l', b'o', b'w') 0 (1,) 2
    (b'l', b'ow') 1 (0,) 1
    (b'low',) None () 1

    Raises BpeError for an empty chunk, or an order that has no passes or that this vocabulary cannot have.
    """
    p, seed = check_order(tokenizer, order, p, seed)
    if order not in TRACED:
        raise BpeError(f"The order {order!r} joins nothing step by step. Choose one of {', '.join(TRACED)}.")
    check_chunk(chunk)
    return _passes(tokenizer, chunk, order, chunk_dropper(chunk, p, seed) if order == "dropout" else None)


def _passes(
    tokenizer: Tokenizer, chunk: bytes, order: str, is_dropped: Callable[[int, int], bool] | None
) -> Iterator[EncodeStep]:
    if tokenizer.ignore_merges and chunk in tokenizer.ids_of_tokens:
        yield EncodeStep(0, (chunk,), (tokenizer.ids_of_tokens[chunk],), (), None, (), 1, KEPT_WHOLE)
        return
    ids, number = tokenizer.byte_ids[np.frombuffer(chunk, np.uint8)].tolist(), 0
    one_at_a_time = order == "leftmost pair" or tokenizer.why_no_prefixes is not None
    while True:
        pairs = _pairs_seen(tokenizer, ids, number, is_dropped)
        candidates = [pair for pair in pairs if pair.rank is not None and not pair.dropped]
        symbols = tuple(map(tokenizer.vocabulary.__getitem__, ids))
        if not candidates:
            yield EncodeStep(number, symbols, tuple(ids), pairs, None, (), len(ids), _why_ended(ids, pairs))
            return
        best = _winner(candidates, order)
        pair = ids[best.at], ids[best.at + 1]
        winner = Merge(best.rank, pair, tokenizer.rules[pair][1])
        places = (best.at,) if one_at_a_time else _without_overlaps(candidates, best.rank)
        yield EncodeStep(number, symbols, tuple(ids), pairs, winner, places, len(ids) - len(places))
        ids, number = _joined(ids, places, winner.token_id), number + 1


def _pairs_seen(
    tokenizer: Tokenizer, ids: Sequence[int], step: int, is_dropped: Callable[[int, int], bool] | None
) -> tuple[PairSeen, ...]:
    seen, gap = [], 0
    for at, pair in enumerate(pairwise(ids)):
        left, right = (tokenizer.vocabulary[token_id] for token_id in pair)
        gap += len(left)
        rank = tokenizer.rules[pair][0] if pair in tokenizer.rules else None
        dropped = rank is not None and is_dropped is not None and is_dropped(step, gap)
        seen.append(PairSeen(at, left, right, rank, dropped))
    return tuple(seen)


def _winner(candidates: Sequence[PairSeen], order: str) -> PairSeen:
    if order == "leftmost pair":
        return candidates[0]
    if order == "reversed priority":
        return max(candidates, key=lambda pair: pair.rank)
    return min(candidates, key=lambda pair: pair.rank)


def _without_overlaps(candidates: Iterable[PairSeen], rank: int) -> tuple[int, ...]:
    places: list[int] = []
    for pair in candidates:
        if pair.rank == rank and (not places or pair.at > places[-1] + 1):
            places.append(pair.at)
    return tuple(places)


def _joined(ids: Sequence[int], places: Sequence[int], token_id: int) -> list[int]:
    joined = list(ids)
    for at in reversed(places):
        joined[at : at + 2] = [token_id]
    return joined


def _why_ended(ids: Sequence[int], pairs: Sequence[PairSeen]) -> str:
    if len(ids) == 1:
        return ONE_LEFT
    return NONE_SURVIVED if any(pair.dropped for pair in pairs) else NO_RULE


def check_chunk(chunk: bytes) -> None:
    """Raise BpeError if there is nothing to encode."""
    if not chunk:
        raise BpeError("There is nothing to encode: the chunk is empty. Give at least one byte.")


# --- as rows ----------------------------------------------------------------------------------


def encode_rows(steps: Iterable[EncodeStep]) -> list[EncodeRow]:
    """Return the steps as rows of plain text; tokens are written by `visible`.

    >>> tokenizer = Tokenizer.from_merges([(111, 119)], "none")
    >>> encode_rows(encode_steps(tokenizer, b"low"))[0].pairs_with_rank
    'l o: –; o w: 0'
    """
    return [_encode_row(step) for step in steps]


def _encode_row(step: EncodeStep) -> EncodeRow:
    won = step.winner and step.pairs[step.joined_at[0]]
    return EncodeRow(
        step.number,
        " ".join(map(visible, step.symbols)),
        "; ".join(f"{_spaced(pair)}: {_shown_rank(pair)}" for pair in step.pairs),
        _spaced(won) if won else "",
        step.winner.rank if step.winner else None,
        step.winner.token_id if step.winner else None,
        " ".join(map(str, step.joined_at)),
        step.tokens_left,
        step.stopped_because or "",
    )


def _spaced(pair: PairSeen) -> str:
    return f"{visible(pair.left)} {visible(pair.right)}"


def _shown_rank(pair: PairSeen) -> str:
    if pair.rank is None:
        return "–"
    return f"{pair.rank} dropped" if pair.dropped else str(pair.rank)
