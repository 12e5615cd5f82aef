"""All merges of one training, epoch after epoch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from bpe_core.chunks import ChunkCounts
from bpe_core.merging.epochs import new_epoch
from bpe_core.merging.one_merge import FEW, merge
from bpe_core.merging.pair_queue import Chosen
from bpe_core.merging.stopping import Check, StopAsked, checker, go_on
from bpe_core.merging.token_slots import TokenSlots
from bpe_core.reference import Pair, StopReason

OnProgress = Callable[[int, int], bool | None]
"""Called as on_progress(merges learned, merges wanted), some times a second; a true answer stops the training."""


@dataclass
class Learned:
    """The merges so far in rank order, a column each."""

    pairs: list[Pair] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    tied: list[int] = field(default_factory=list)
    replaced: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.pairs)

    def add(self, pair: Chosen, replaced: int) -> None:
        """Note one merge more."""
        self.pairs.append((pair.left, pair.right))
        self.counts.append(pair.count)
        self.tied.append(pair.tied)
        self.replaced.append(replaced)


class Effort(NamedTuple):
    """What changes the speed and never the merges; tests force small values.

    An epoch follows about `followed` pairs, or `followed_per_id` for each id if these are more;
    a merge of at most `few` places is done in plain Python.
    """

    followed: int = 600
    followed_per_id: float = 0.75
    few: int = FEW


NORMAL_EFFORT = Effort()


def learn(
    chunk_counts: ChunkCounts,
    first_id: int,
    wanted: int,
    min_count: int,
    on_progress: OnProgress | None = None,
    effort: Effort = NORMAL_EFFORT,
) -> tuple[Learned, StopReason]:
    """Return the merges learned, `wanted` at most (the first makes the id `first_id`), and why they ended.

    If `on_progress` says so, they end with those learned by then, as STOPPED.
    """
    learned = Learned()
    try:
        check = checker(lambda: on_progress(len(learned), wanted)) if on_progress else go_on
        check()
        tokens = TokenSlots.of_chunks(chunk_counts, first_id + wanted, check)
        reason = _learn_all(tokens, learned, _Plan(first_id, wanted, min_count, check, effort))
    except StopAsked:
        return learned, StopReason.STOPPED
    if on_progress:
        on_progress(len(learned), wanted)
    return learned, reason


class _Plan(NamedTuple):
    """What stays the same during a training; `learn` says what it means."""

    first_id: int
    wanted: int
    min_count: int
    check: Check
    effort: Effort


def _learn_all(tokens: TokenSlots, learned: Learned, plan: _Plan) -> StopReason:
    while len(learned) < plan.wanted:
        threshold = _learn_epoch(tokens, learned, plan)
        if len(learned) == plan.wanted:
            break
        plan.check()
        tokens.compact(plan.check)
        if threshold == plan.min_count:
            return StopReason.COUNT_TOO_LOW if tokens.has_pairs else StopReason.NO_PAIR_LEFT
    return StopReason.SIZE_REACHED


def _learn_epoch(tokens: TokenSlots, learned: Learned, plan: _Plan) -> int:
    """Learn all merges down to a threshold, and return it; the epoch's queue is freed before the next one is built."""
    first_id, wanted, min_count, check, effort = plan
    check()
    num_ids = first_id + len(learned)
    followed = max(effort.followed, int(effort.followed_per_id * num_ids))
    queue = new_epoch(tokens, num_ids, followed, min_count, check)
    while len(learned) < wanted and (pair := queue.take_best()):
        check()
        learned.add(pair, merge(tokens, queue, pair, first_id + len(learned), effort.few, check))
    return queue.threshold
