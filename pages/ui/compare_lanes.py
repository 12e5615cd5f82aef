"""The lanes of one sentence: every chosen way's cut of it, its figures, and why it parts from rank order."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from bpe_core import BpeError, Tokenizer
from bpe_core.chunks import check_text
from bpe_core.orders import cut, why_parted
from bpe_core.visible import visible
from pages.ui.compare_ways import WAYS, Chosen
from pages.ui.token_view.payload import cut_model, start_of

LANE_BYTES = 1_200
"""So many bytes of a sentence are drawn at most; the figures are always those of all of it."""

MOST_TRACED_BYTES = 2_000
"""The longest chunk whose merges are followed, one by one, to tell why two ways part."""

Tokens = list[list[bytes]]


class Lane(NamedTuple):
    """A way's cut of the sentence: the tokens of each chunk; or `problem`, why it cannot cut it.

    `parts` are its tokens that rank order does not make at the same place.
    """

    order: str
    tokens: Tokens
    num_tokens: int = 0
    parts: int = 0
    problem: str = ""


class Reason(NamedTuple):
    """Why a way parts from rank order: the first chunk where it does, and the sentence of `why_parted`."""

    order: str
    chunk: bytes
    sentence: str


class Lanes(NamedTuple):
    """All lanes, rank order first, of the whole sentence; `shown` are its chunks that are drawn.

    `cut_short`: the one chunk that is drawn goes on beyond what is drawn.
    """

    chunks: list[bytes]
    lanes: list[Lane]
    reasons: list[Reason]
    shown: list[bytes]
    cut_short: bool

    @property
    def is_limited(self) -> bool:
        """Whether less than the sentence is drawn."""
        return self.cut_short or len(self.shown) < len(self.chunks)

    @property
    def all_agree(self) -> bool:
        """Whether every other way that can run cuts the sentence as rank order does."""
        others = [lane for lane in self.lanes[1:] if not lane.problem]
        return bool(self.chunks and others) and not any(lane.parts for lane in others)


def lanes_of(tokenizer: Tokenizer, sentence: str, chosen: Chosen) -> Lanes:
    """Return the lanes of `sentence`.

    >>> tokenizer = Tokenizer.from_merges([(98, 99), (97, 98)], "none")
    >>> found = lanes_of(tokenizer, "abc", Chosen(("rank", "longest match"), 0.1, 0))
    >>> [lane.tokens for lane in found.lanes], found.lanes[1].parts
    ([[[b'a', b'bc']], [[b'ab', b'c']]], 2)
    >>> found.reasons[0].sentence
    'rank order joined `b c` (rank 0) before `ab` could form'

    Raises BpeError for a lone surrogate.
    """
    check_text(sentence)
    chunks = tokenizer.chunks(sentence)
    rank = _lane(tokenizer, chunks, "rank", chosen)
    others = [_against(_lane(tokenizer, chunks, order, chosen), rank) for order in chosen.orders[1:]]
    reasons = [reason for lane in others if (reason := _reason(tokenizer, chunks, rank, lane, chosen))]
    shown, cut_short = _shown(chunks)
    return Lanes(chunks, [rank, *others], reasons, shown, cut_short)


def cut_chunks(tokenizer: Tokenizer, chunks: Sequence[bytes], order: str, chosen: Chosen) -> Tokens:
    """Return the tokens of each chunk; equal chunks are cut once.

    Raises BpeError as `cut` does.
    """
    known = {chunk: cut(tokenizer, chunk, order, p=chosen.p, seed=chosen.seed) for chunk in dict.fromkeys(chunks)}
    return [known[chunk] for chunk in chunks]


def spans(tokens: Tokens) -> set[tuple[int, int]]:
    """Return from which byte to which each token reaches.

    >>> sorted(spans([[b"ab"], [b"c", b"d"]]))
    [(0, 2), (2, 3), (3, 4)]
    """
    lengths = (len(token) for chunk in tokens for token in chunk)
    return set(pairwise(accumulate(lengths, initial=0)))


def _lane(tokenizer: Tokenizer, chunks: Sequence[bytes], order: str, chosen: Chosen) -> Lane:
    try:
        tokens = cut_chunks(tokenizer, chunks, order, chosen)
    except BpeError as error:
        return Lane(order, [], problem=str(error))
    return Lane(order, tokens, sum(map(len, tokens)))


def _against(lane: Lane, rank: Lane) -> Lane:
    return lane if lane.problem else lane._replace(parts=len(spans(lane.tokens) - spans(rank.tokens)))


def _reason(tokenizer: Tokenizer, chunks: list[bytes], rank: Lane, lane: Lane, chosen: Chosen) -> Reason | None:
    if not lane.parts:
        return None
    place = next(n for n, (one, other) in enumerate(zip(rank.tokens, lane.tokens, strict=True)) if one != other)
    chunk = chunks[place]
    if len(chunk) > MOST_TRACED_BYTES:
        return Reason(lane.order, chunk, f"This chunk has {len(chunk):,} bytes, too many to follow merge by merge.")
    try:
        parting = why_parted(tokenizer, chunk, lane.order, p=chosen.p, seed=chosen.seed)
    except BpeError as error:
        return Reason(lane.order, chunk, str(error))
    return Reason(lane.order, chunk, parting.sentence)


def _shown(chunks: list[bytes]) -> tuple[list[bytes], bool]:
    """Whole chunks of LANE_BYTES in all; of a first chunk that is longer, its start."""
    ends = accumulate(map(len, chunks))
    whole = [chunk for chunk, end in zip(chunks, ends, strict=True) if end <= LANE_BYTES]
    if whole or not chunks:
        return whole, False
    return [start_of(chunks[0], LANE_BYTES)], True


# --- for the browser ---------------------------------------------------------------------


def lanes_payload(tokenizer: Tokenizer, found: Lanes, chosen: Chosen, *, can_watch: bool) -> dict[str, Any]:
    """Return what the browser needs beside the model of rank order: cuts, figures, names and reasons.

    A chunk that is drawn by its start alone is cut as if nothing came after that.
    """
    described = [_described(tokenizer, found, lane, chosen) for lane in found.lanes]
    return {
        "lanes": described,
        "cut_signature": blake2b(repr((described, found.shown)).encode(), digest_size=12).hexdigest(),
        "cut_short": found.cut_short,
        "why": [_why(reason, chosen, can_watch) for reason in found.reasons],
        "all_agree": found.all_agree,
        "no_reason": _no_reason(found),
    }


def _no_reason(found: Lanes) -> str:
    """What stands in place of the reasons if there is none."""
    if found.chunks and found.lanes[1:] and all(lane.problem for lane in found.lanes[1:]):
        return "None of these ways can run on this vocabulary."
    return "Type a sentence, and add a way to cut."


def _described(tokenizer: Tokenizer, found: Lanes, lane: Lane, chosen: Chosen) -> dict[str, Any]:
    is_other = lane.order != "rank" and not lane.problem
    return {
        "order": lane.order,
        "name": chosen.name(lane.order),
        "help": WAYS[lane.order].help,
        "tokens": lane.num_tokens,
        "parts": lane.parts,
        "problem": lane.problem,
        "cut": _cut(tokenizer, found, lane, chosen) if is_other else None,
    }


def _cut(tokenizer: Tokenizer, found: Lanes, lane: Lane, chosen: Chosen) -> dict[str, Any]:
    tokens = lane.tokens[: len(found.shown)]
    if found.cut_short:
        tokens = cut_chunks(tokenizer, found.shown, lane.order, chosen)
    ids = tokenizer.ids_of_tokens
    payload = cut_model(tokenizer, [[ids[token] for token in chunk] for chunk in tokens]).payload
    return {"gaps": payload["gaps"], "ids": payload["ids"]}


def _why(reason: Reason, chosen: Chosen, can_watch: bool) -> dict[str, Any]:
    at, quotes = visible(reason.chunk), b"`" not in reason.chunk
    return {
        "name": chosen.name(reason.order),
        "order": reason.order,
        "at": at if len(at) <= 40 else f"{at[:40]}…",
        "sentence": _in_names_of_lanes(reason, chosen) if quotes else reason.sentence,
        "quotes": quotes,
        "watch": can_watch and len(reason.chunk) <= 64,
    }


def _in_names_of_lanes(reason: Reason, chosen: Chosen) -> str:
    """The sentence with the orders called as their lanes are; what stands between backticks is text."""
    parts = reason.sentence.split("`")
    for place in range(0, len(parts), 2):
        parts[place] = parts[place].replace("rank order", "BPE").replace(reason.order, chosen.name(reason.order))
    return "`".join(parts)
