"""The ways to cut, as the screen names them, and the inputs that choose among them."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from bpe_core.orders import ORDERS
from pages.ui import state

WAYS_KEY, P_KEY, SEED_KEY = "ways", "dropout_p", "dropout_seed"
MOST_LANES = 4
DROPOUT = "dropout"


class Way(NamedTuple):
    """One order: its name on the screen, in one sentence what it does, and where it comes from."""

    order: str
    name: str
    does: str
    source: str

    @property
    def help(self) -> str:
        """What it does, with its technical name."""
        return f"{self.does} Technical name: {self.order}."


WAYS = {
    way.order: way
    for way in (
        Way(
            "rank",
            "Lowest rank first (BPE)",
            "Of all neighbouring pairs the one learned first is joined, again and again.",
            "Sennrich et al. 2016",
        ),
        Way(
            "longest match",
            "Longest match",
            "From left to right, always the longest token that fits.",
            "as in WordPiece, Song et al. 2021; asked in tiktoken #99",
        ),
        Way(
            "longest match from the end",
            "Longest match from the end",
            "From right to left, always the longest token that fits.",
            "“longest suffix” of Uzan et al. 2024",
        ),
        Way(
            "reversed priority",
            "Highest rank first",
            "Of the pairs that are there, the one learned last is joined everywhere, pass by pass.",
            "one answer to “does the order matter?”",
        ),
        Way(
            "reversed pass",
            "List run backwards",
            "The list of merges is gone through once, from the last to the first.",
            "the other answer to “does the order matter?”",
        ),
        Way(
            "leftmost pair",
            "First pair from the left",
            "The first pair from the left that is a rule is joined: a classic fault in encoders.",
            "ztxz16/fastllm, pull request 715",
        ),
        Way(
            "fewest tokens",
            "Fewest tokens",
            "As few tokens as can be; of equal cuts the one whose first token is longest.",
            "PathPiece, Schmidt et al. 2024",
        ),
        Way(
            DROPOUT,
            "Dropout",
            "Rank order, but at each step each pair is left out with probability p, by lot.",
            "BPE-dropout, Provilkov et al. 2020",
        ),
    )
}
OTHERS = tuple(order for order in ORDERS if order != "rank")
DEFAULT_OTHERS = ("longest match", "reversed priority")
WAYS_HELP = (
    "Lowest rank first is BPE itself; its lane is always there, and the others are held against it. "
    "At most four lanes. The table below knows all ways."
)
P_HELP = "How likely a pair is left out at each step. 0 is rank order; 1 leaves single bytes. Its authors use 0.1."
SEED_HELP = "Another number, other lots. The same chunk, p and seed always give the same cut."


class Chosen(NamedTuple):
    """The orders of the lanes, rank order first, and what dropout needs."""

    orders: tuple[str, ...]
    p: float
    seed: int

    def name(self, order: str) -> str:
        """Return how this order is called on the screen; dropout with its p."""
        return f"Dropout {self.p:g}" if order == DROPOUT else WAYS[order].name


def ways_input() -> Chosen:
    """Let the visitor choose the ways to compare with rank order, and p and seed of dropout."""
    state.give_back(WAYS_KEY, P_KEY, SEED_KEY)
    others = st.multiselect(
        f"Up to {MOST_LANES - 1} ways to cut, beside lowest rank first (BPE)", OTHERS, default=list(DEFAULT_OTHERS),
        key=WAYS_KEY,
        format_func=lambda order: WAYS[order].name, max_selections=MOST_LANES - 1, help=WAYS_HELP,
        placeholder="Add a way to cut", bind="query-params", persist_state="session",
    )  # fmt: skip
    p, seed = dropout_input(st.container(horizontal=True)) if DROPOUT in others else (0.1, 0)
    state.keep_for_return(WAYS_KEY, P_KEY, SEED_KEY)
    return Chosen(("rank", *others), p, seed)


def dropout_input(place: st.delta_generator.DeltaGenerator) -> tuple[float, int]:
    """Let the visitor set p and seed of dropout."""
    p = place.number_input(
        "Dropout p", 0.0, 1.0, 0.1, 0.05, key=P_KEY, width=120, help=P_HELP, bind="query-params",
        persist_state="session",
    )  # fmt: skip
    seed = place.number_input(
        "Seed", 0, 10**6, 0, key=SEED_KEY, width=120, help=SEED_HELP, bind="query-params", persist_state="session"
    )
    return float(p), int(seed)


def draw_ways() -> None:
    """Draw what each way does, its technical name and its source; these are our own words."""
    with st.popover("What each way does"):
        for way in WAYS.values():
            st.markdown(f"**{way.name}.** {way.does} *{way.order}*; {way.source}.")


def show_ways(*orders: str) -> None:
    """Let these orders have lanes from the next run on, behind those that are there and may stay; from a callback."""
    there = list(state.value(WAYS_KEY, list(DEFAULT_OTHERS)))
    new = [order for order in orders if order != "rank" and order not in there]
    while len(there) + len(new) > MOST_LANES - 1:
        there.remove(next(order for order in reversed(there) if order not in orders))
    state.set_value(WAYS_KEY, there + new)
