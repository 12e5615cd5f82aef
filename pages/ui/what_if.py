"""What if another rule had broken the ties? The same training through the reference, and what stays the same."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

import pandas as pd
import streamlit as st

from bpe_core.reference import TIE_RULES, merge_steps
from bpe_core.usage import jaccard
from bpe_core.visible import visible
from pages.ui import shell
from pages.ui.run import Run
from pages.ui.words import number

OUR_RULE = "smallest pair"
OTHER_RULES = tuple(rule for rule in TIE_RULES if rule != OUR_RULE)
RULE_HELP = (
    "smallest pair: the smallest ids, as here and in Hugging Face tokenizers. first seen: the pair that comes first in "
    "the text, as in minbpe. largest bytes: the greatest bytes, as in Stanford's course CS336."
)
_WORK = 3_000_000  # symbols looked at; the reference counts all of them at every merge, about a million a second


@dataclass(frozen=True)
class OtherRule:
    """The first merges under our rule and under another, as the tokens they make."""

    ours: tuple[bytes, ...]
    theirs: tuple[bytes, ...]

    @property
    def alike(self) -> float | None:
        """Tokens that both learned, as a share of those that either learned."""
        return jaccard(self.ours, self.theirs)

    @property
    def num_shared(self) -> int:
        """Tokens that both learned."""
        return len({*self.ours} & {*self.theirs})

    @property
    def first_difference(self) -> int | None:
        """The first rank at which they made different tokens."""
        pairs = enumerate(zip(self.ours, self.theirs, strict=False))
        return next((rank for rank, (one, other) in pairs if one != other), None)


def most_merges(num_symbols: int, num_merges: int) -> int:
    """Return how many merges the reference can redo in a few seconds, of `num_merges`.

    >>> most_merges(13_000, 2_000), most_merges(100, 50)
    (230, 50)
    """
    return min(num_merges, max(20, _WORK // max(num_symbols, 1)))


def other_rule(run: Run, ties: str) -> OtherRule:
    """Return the first merges of the run's text under `ties` beside those under our own rule."""
    return _other_rule(run.corpus.digest, run.settings, run.learned_size, ties, run)


@st.cache_resource(max_entries=32, show_spinner="Learning again under the other rule…")
def _other_rule(digest: str, settings: object, learned: int, ties: str, _run: Run) -> OtherRule:
    training = _run.training
    wanted = most_merges(len(training.chunk_counts.data), training.tokenizer.num_merges)
    steps = merge_steps(
        training.chunk_counts, _run.smallest_size + wanted, specials=_run.settings.specials,
        min_count=_run.settings.min_count, ties=ties,
    )  # fmt: skip
    theirs = tuple(step.left + step.right for step in islice(steps, wanted))
    vocabulary = training.tokenizer.vocabulary
    return OtherRule(tuple(vocabulary[merge.token_id] for merge in training.tokenizer.merges[:wanted]), theirs)


def table(other: OtherRule) -> pd.DataFrame:
    """Return both lists side by side from the first difference on, and which tokens the other list holds nowhere."""
    ranks = range(other.first_difference or 0, max(len(other.ours), len(other.theirs)))
    both = {*other.ours} & {*other.theirs}
    at = lambda tokens, rank: tokens[rank] if rank < len(tokens) else b""  # noqa: E731
    rows = [(rank, at(other.ours, rank), at(other.theirs, rank)) for rank in ranks]
    return pd.DataFrame(
        [
            (rank, visible(ours), _nowhere(ours, both), visible(theirs), _nowhere(theirs, both))
            for rank, ours, theirs in rows
        ],
        columns=["rank", "smallest pair", "in the other list", "the other rule", "in our list"],
    )


def _nowhere(token: bytes, both: set[bytes]) -> str:
    return "nowhere" if token and token not in both else ""


@st.dialog("What if another rule chose?", width="large")
def what_if_dialog(run: Run) -> None:
    """Let the visitor choose another tie rule; show what the same text would have taught."""
    st.write("When several pairs share the top count, a rule must choose. The text says nothing about which.")
    ties = st.segmented_control(
        "Rule for ties", OTHER_RULES, default=OTHER_RULES[0], required=True, key="what_if_rule", help=RULE_HELP
    )
    with shell.errors_shown():
        draw_other_rule(run, ties)


def draw_other_rule(run: Run, ties: str) -> None:
    """Draw what another tie rule learns beside what ours learned."""
    other = other_rule(run, ties)
    compared, learned = len(other.ours), run.training.tokenizer.num_merges
    if not compared:
        st.info("No merge was learned, so no tie was broken.")
        return
    st.subheader(f"{number(other.num_shared)} of {number(compared)} tokens are in both lists")
    st.write(f"Tokens in both ÷ tokens in either = {other.alike:.3f}. " + _difference_sentence(other))
    if compared < learned:
        st.caption(
            f"Only the first {number(compared)} of {number(learned)} merges, so that the answer comes in seconds."
        )
    st.dataframe(
        table(other), hide_index=True, key="what_if_table", height=360,
        alt="Tokens learned under both rules, one rank in each row",
    )  # fmt: skip


def _difference_sentence(other: OtherRule) -> str:
    if other.first_difference is None:
        return "Both lists are the same from first to last."
    return f"They part for the first time at rank {number(other.first_difference)}; the table begins there."
