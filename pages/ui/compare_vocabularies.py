"""Which vocabulary is compared: the text's own at the size in view, a published or brought one, or a classic case."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import streamlit as st

from bpe_core import Tokenizer
from bpe_core.counterexamples import Counterexample, counterexamples
from bpe_core.published import PUBLISHED, published_tokenizer
from bpe_core.visible import visible
from pages.ui import state
from pages.ui.literal import escape_markdown
from pages.ui.run import Run
from pages.ui.words import number

VOCABULARY_KEY = "compare_vocabulary"
OWN = "own"
VOCABULARY_HELP = (
    "Whose merges and tokens all lanes use. The text's own vocabulary follows the size bar. A published vocabulary, or "
    "one that you brought, is taken whole."
)


@dataclass(frozen=True, eq=False)
class Subject:
    """The vocabulary in view. `name` may hold the name of a file. `case` is the classic case it belongs to, if any."""

    key: str
    name: str
    tokenizer: Tokenizer
    case: Counterexample | None = None

    @property
    def is_own(self) -> bool:
        """Whether it was learned from the text, and so has the sizes of the size bar."""
        return self.key == OWN


def vocabulary_input(run: Run) -> Subject:
    """Let the visitor choose the vocabulary."""
    names = vocabulary_names(run)
    state.keep_among(VOCABULARY_KEY, list(names))
    chosen = st.selectbox(
        "Vocabulary", list(names), key=VOCABULARY_KEY, format_func=lambda key: escape_markdown(names[key]),
        help=VOCABULARY_HELP, persist_state="session",
    )  # fmt: skip
    return subject(run, chosen)


def vocabulary_names(run: Run) -> dict[str, str]:
    """Return the name of every vocabulary that can be chosen, by its key."""
    names = {OWN: f"learned from {run.corpus.name}, size {number(run.vocab_size)}"}
    names |= {f"published {key}": published.title for key, published in PUBLISHED.items()}
    names |= {f"brought {name}": name for name in state.session().brought}
    return names | {case_key(place): f"the rules of {case.title}" for place, case in enumerate(counterexamples())}


def case_key(place: int) -> str:
    """Return the key of the vocabulary of a classic case."""
    return f"case {place}"


def subject(run: Run, key: str) -> Subject:
    """Return the vocabulary with this key."""
    kind, _, which = key.partition(" ")
    if kind == "case":
        case = counterexamples()[int(which)]
        return Subject(key, f"the rules of {case.title}", case.tokenizer, case)
    if kind == "published":
        return Subject(key, PUBLISHED[which].title, published_tokenizer(which))
    if kind == "brought":
        return Subject(key, which, state.session().brought[which][1])
    return Subject(OWN, run.corpus.name, run.tokenizer)


def use_vocabulary(key: str) -> None:
    """Let this vocabulary be the one in view from the next run on; from a callback."""
    state.set_value(VOCABULARY_KEY, key)


def draw_rules_of(found: Subject) -> None:
    """Draw what a classic case shows and its few rules, and the way back to the text's own vocabulary."""
    case = found.case
    if case is None:
        return
    vocabulary = case.tokenizer.vocabulary
    rules = [
        f"rank {merge.rank}: {' + '.join(visible(vocabulary[part]) for part in merge.pair)} → "
        f"{visible(vocabulary[merge.token_id])}"
        for merge in case.tokenizer.merges
    ]
    row = st.container(horizontal=True, vertical_alignment="center")
    row.info(escape_markdown(f"{case.shows} Its only rules are {'; '.join(rules)}. Source: {case.source}."))
    row.button("Back to my text's vocabulary", on_click=partial(use_vocabulary, OWN), key="compare_back")
