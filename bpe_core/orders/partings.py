"""Why do two ways of cutting part? The first place where they do, and the merge that is to blame.

Where two cuts part, both start a token at the same byte and one token is longer. So
the question is always: why did the other order not make that token? Either it joined
something first that overlaps the token and does not belong to its tree of merges, or
it never got round to it.
"""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

from bpe_core.errors import BpeError
from bpe_core.orders.cutting import cut
from bpe_core.orders.steps import TRACED, encode_steps
from bpe_core.tokenizer import Tokenizer
from bpe_core.visible import visible


class Parting(NamedTuple):
    """The first place where two orders part on one chunk.

    From byte `start` on, `longer_order` makes the token `longer` and `shorter_order`
    the token `shorter`. `rank`, `left` and `right` name the merge that kept
    `shorter_order` from making `longer`; None where no merge is to blame. `sentence` says it.
    """

    start: int
    longer_order: str
    longer: bytes
    shorter_order: str
    shorter: bytes
    rank: int | None
    left: bytes | None
    right: bytes | None
    sentence: str


class _Joined(NamedTuple):
    """A merge as an order made it: bytes `start` to `end` became one token."""

    start: int
    end: int
    rank: int
    left: bytes
    right: bytes


Tree = set[tuple[int, int]]
"""The bytes from..to of every token in a token's tree of merges, itself included, counted from its first byte."""


def why_parted(
    tokenizer: Tokenizer,
    chunk: bytes,
    first: str,
    second: str = "rank",
    *,
    p: float | None = None,
    seed: int | None = None,
) -> Parting | None:
    """Return where and why the orders `first` and `second` part on `chunk`; None if they cut it alike.

    >>> tokenizer = Tokenizer.from_merges([(98, 99), (97, 98)], "none")
    >>> why_parted(tokenizer, b"abc", "longest match").sentence
    'rank order joined `b c` (rank 0) before `ab` could form'

    Raises BpeError as `cut` does, and for a vocabulary that has no prefixes.
    """
    if tokenizer.why_no_prefixes:
        raise BpeError(f"No merge can be named for this vocabulary, because {tokenizer.why_no_prefixes}.")
    cuts = [(order, cut(tokenizer, chunk, order, p=p, seed=seed)) for order in (first, second)]
    if cuts[0][1] == cuts[1][1]:
        return None
    same = next(n for n, (one, other) in enumerate(zip(cuts[0][1], cuts[1][1], strict=False)) if one != other)
    start = sum(map(len, cuts[0][1][:same]))
    (shorter_order, shorter), (longer_order, longer) = sorted(cuts, key=lambda named: len(named[1][same]))
    blame = _blame(_merges_made(tokenizer, chunk, shorter_order, p, seed), _trees(tokenizer, longer[same]), start)
    if blame:
        sentence = _accusation(blame, shorter_order, longer[same])
    else:
        sentence = _excuse(shorter_order, shorter, longer_order, longer, same)
    merge = (blame.rank, blame.left, blame.right) if blame else (None, None, None)
    return Parting(start, longer_order, longer[same], shorter_order, shorter[same], *merge, sentence)


# --- the sentence --------------------------------------------------------------------------


def _accusation(blame: _Joined, order: str, token: bytes) -> str:
    joined = f"`{visible(blame.left)} {visible(blame.right)}` (rank {blame.rank})"
    return f"{_named(order)} joined {joined} before `{visible(token)}` could form"


def _excuse(shorter_order: str, shorter: list[bytes], longer_order: str, longer: list[bytes], same: int) -> str:
    """Why an order left a token unmade when no merge stood in its way."""
    token, kept = f"`{visible(longer[same])}`", f"`{visible(shorter[same])}`"
    if shorter_order == "fewest tokens":
        return (
            f"fewest tokens stops at {kept} although {token} fits, because so {len(shorter)} tokens are enough; "
            f"{_named(longer_order)} needs {len(longer)}"
        )
    if shorter_order == "longest match from the end":
        across = _token_across(shorter, sum(map(len, longer[: same + 1])))
        return f"longest match from the end took `{visible(across)}` first, which reaches past the end of {token}"
    if shorter_order == "reversed pass":
        return f"reversed pass was past the merge that makes {token} when its parts stood ready, and keeps {kept}"
    return f"dropout dropped every merge that was left on the way to {token}, and ended with {kept}"


def _named(order: str) -> str:
    return "rank order" if order == "rank" else order


def _token_across(tokens: list[bytes], place: int) -> bytes:
    """The token that begins before byte `place` and ends after it."""
    ends = accumulate(map(len, tokens))
    return next(token for token, end in zip(tokens, ends, strict=True) if end > place)


# --- the merge to blame ----------------------------------------------------------------------


def _blame(made: list[_Joined], trees: list[Tree], start: int) -> _Joined | None:
    """The merge after which a token with these `trees`, from byte `start` on, could no longer form.

    That is the first that overlaps the token without belonging to its tree. Several
    trees may spell one token; it is lost when the last of them is.
    """
    lost = [next((n for n, joined in enumerate(made) if _breaks(joined, tree, start)), None) for tree in trees]
    return None if None in lost else made[max(lost)]


def _breaks(joined: _Joined, tree: Tree, start: int) -> bool:
    span = joined.start - start, joined.end - start
    return span[0] < max(end for _, end in tree) and span[1] > 0 and span not in tree


def _trees(tokenizer: Tokenizer, token: bytes) -> list[Tree]:
    """The tree of every id that spells `token`."""
    parts = {merge.token_id: merge.pair for merge in tokenizer.merges}
    specials = set(tokenizer.specials.values())
    spelling = [token_id for token_id, spelled in tokenizer.vocabulary.items() if spelled == token]
    return [_tree(tokenizer, parts, token_id) for token_id in spelling if token_id not in specials]


def _tree(tokenizer: Tokenizer, parts: dict[int, tuple[int, int]], token_id: int) -> Tree:
    spans, waiting = set(), [(token_id, 0)]
    while waiting:
        found, start = waiting.pop()
        spans.add((start, start + len(tokenizer.vocabulary[found])))
        if found in parts:
            left, right = parts[found]
            waiting += [(left, start), (right, start + len(tokenizer.vocabulary[left]))]
    return spans


def _merges_made(tokenizer: Tokenizer, chunk: bytes, order: str, p: float | None, seed: int | None) -> list[_Joined]:
    """The merges that an order made, in time; none for an order that matches instead."""
    if order == "reversed pass":
        return _made_in_reversed_pass(tokenizer, chunk)
    made = []
    for step in encode_steps(tokenizer, chunk, order, p=p, seed=seed) if order in TRACED else ():
        starts = [0, *accumulate(map(len, step.symbols))]
        for at in step.joined_at:
            left, right = step.symbols[at : at + 2]
            made.append(_Joined(starts[at], starts[at + 2], step.winner.rank, left, right))
    return made


def _made_in_reversed_pass(tokenizer: Tokenizer, chunk: bytes) -> list[_Joined]:
    """Its tokens of two bytes, each made by one merge; the highest rank came first."""
    ranks = {merge.pair: merge.rank for merge in tokenizer.merges}
    made, start = [], 0
    for token in cut(tokenizer, chunk, "reversed pass"):
        if len(token) == 2:
            left, right = tokenizer.byte_ids[list(token)].tolist()
            made.append(_Joined(start, start + 2, ranks[left, right], token[:1], token[1:]))
        start += len(token)
    return sorted(made, key=lambda joined: -joined.rank)
