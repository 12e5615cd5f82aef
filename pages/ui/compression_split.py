"""The sidebar's choice of what to hold back, and the switch that takes the training side to every page."""

from __future__ import annotations

from hashlib import sha256

import streamlit as st

from bpe_core import BpeError
from bpe_core.documents.splitting import split_text
from pages.ui import state
from pages.ui.compression_sides import Sides
from pages.ui.corpus import Corpus

EVERYWHERE_HELP = (
    "On: the other pages show the training side and what was learned from it, so their numbers agree with this page. "
    "Off: they show the whole text and what was learned from all of it."
)


def sides_input(corpus: Corpus) -> Sides:
    """Let the visitor choose what to hold back from learning; return both sides."""
    with st.expander("Held back"):
        share = st.number_input("Share held back, in %", 1, 99, 20, key=state.HELD_OUT_SHARE, persist_state="session")
        seed = st.number_input("Seed", 0, 10**6, 0, key=state.HELD_OUT_SEED, persist_state="session")
    return _cached_sides(corpus.digest, share, seed, corpus)


def draw_use_everywhere() -> None:
    """Draw the switch that makes every page use the vocabulary of the training side."""
    st.toggle(
        "Use this vocabulary on every page",
        key=state.TRAINING_SIDE_EVERYWHERE,
        persist_state="session",
        help=EVERYWHERE_HELP,
    )


@st.cache_resource(max_entries=8, show_spinner=False)
def _cached_sides(digest: str, share: int, seed: int, _corpus: Corpus) -> Sides:
    documents = list(_corpus.documents)
    if len(documents) == 1:
        documents = list(split_text(documents[0].encode(), "blank lines"))
    order = sorted(dict.fromkeys(documents), key=lambda each: sha256(f"{seed} {each}".encode()).digest())
    held = set(order[: max(1, round(len(order) * share / 100))])
    train = tuple(each for each in documents if each not in held)
    held_out = tuple(each for each in documents if each in held)
    if not train:
        raise BpeError("This text is too short to hold some back. Upload a second text, or try a sample.")
    name = _corpus.name
    return Sides(
        Corpus(f"{name}, training side", train),
        Corpus(f"{name}, held-out side", held_out),
        f"{100 - share} % of it",
        f"the other {share} %",
    )
