"""The tab Against other tokenizers: bytes, characters, words and other vocabularies on the held-out text."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from bpe_core import Tokenizer
from bpe_core.baselines import OtherTokenizer, baselines
from bpe_core.measures import bytes_per_token, characters_per_token
from bpe_core.published import PUBLISHED, published_tokenizer
from bpe_core.token_number import num_tokens
from pages.ui import shell, state
from pages.ui.compression_curves import curves_of
from pages.ui.compression_memory import remembered
from pages.ui.run import Run
from pages.ui.words import number

CHOSEN = "compression_published"
UNKNOWN_HELP = "The share of the held-out characters or words that the training side never had. Bytes know everything."
_NAMES = {"bytes": "single bytes", "characters": "single characters", "words": "words between white space"}


def draw_others(run: Run) -> None:
    """Draw the tab."""
    st.multiselect(
        "Published vocabularies", list(PUBLISHED), default=["gpt2"], key=CHOSEN, persist_state="session",
        format_func=lambda name: PUBLISHED[name].title,
    )  # fmt: skip
    st.page_link(shell.page_file("files"), label="Bring another on Load & save", icon=":material/upload_file:")
    ours = _ours(run)
    rows = sorted([ours, *other_tokenizers(run)], key=lambda row: row.bytes_per_token or 0)
    st.dataframe(
        pd.DataFrame(
            {
                "the held-out text as": [row.name for row in rows],
                "bytes / token": [row.bytes_per_token for row in rows],
                "characters / token": [row.characters_per_token for row in rows],
                "tokens": [row.num_tokens for row in rows],
                "vocabulary size": [row.vocab_size for row in rows],
                "unknown, %": [None if row.unknown is None else 100 * row.unknown for row in rows],
            }
        ),
        hide_index=True,
        column_config={
            "bytes / token": st.column_config.NumberColumn(format="%.3f"),
            "characters / token": st.column_config.NumberColumn(format="%.3f"),
            "tokens": st.column_config.NumberColumn(format="localized"),
            "vocabulary size": st.column_config.NumberColumn(format="localized"),
            "unknown, %": st.column_config.NumberColumn(format="%.2f", help=UNKNOWN_HELP),
        },
    )
    st.caption(
        "Characters and words are counted as the training side has them; white space between words is no token there, "
        "so that line flatters words. A published vocabulary learned from other and far larger texts. "
        "“Add a line” above draws these into the chart."
    )


def other_tokenizers(run: Run) -> list[OtherTokenizer]:
    """Return the held-out text under everything that is chosen in the tab, baselines first."""
    sides = run.sides
    key = sides.held_out.digest
    plain = remembered(
        run.corpus, ("baselines", key), lambda: baselines(sides.train.documents, sides.held_out.documents)
    )
    found = [row._replace(name=_NAMES[row.name]) for row in plain]
    in_use = state.chosen_loaded()
    also = [name for name in PUBLISHED if in_use and in_use.is_published and PUBLISHED[name].title == in_use.name]
    for name in dict.fromkeys([*state.value(CHOSEN, ["gpt2"]), *also]):
        make = lambda name=name: _on_held_out(run, PUBLISHED[name].title, published_tokenizer(name))  # noqa: E731
        found.append(remembered(run.corpus, ("published", name, key), make))
    for name, (digest, tokenizer) in state.session().brought.items():
        make = lambda name=name, tokenizer=tokenizer: _on_held_out(run, name, tokenizer)  # noqa: E731
        found.append(remembered(run.corpus, ("brought", name, digest, key), make))
    return found


def _ours(run: Run) -> OtherTokenizer:
    curve, k = curves_of(run).held_out, run.num_merges
    return OtherTokenizer(
        f"this vocabulary at size {number(run.vocab_size)}", run.vocab_size, int(curve.totals[k]),
        float(curve.bytes_per_token[k]), float(curve.characters_per_token[k]), 0.0,
    )  # fmt: skip


def _on_held_out(run: Run, name: str, tokenizer: Tokenizer) -> OtherTokenizer:
    curve = curves_of(run).held_out
    tokens = num_tokens(tokenizer, run.sides.held_out.documents)
    return OtherTokenizer(
        name, tokenizer.vocab_size, tokens, bytes_per_token(curve.counts.num_bytes, tokens),
        characters_per_token(curve.counts.num_characters, tokens), 0.0,
    )  # fmt: skip
