"""The segment "Encoding a word" of the page Watch: the passes over a word, and the whole list rule by rule."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from bpe_core import ChunkCounts, Tokenizer
from bpe_core.chunks import check_text
from bpe_core.orders import EncodeStep, encode_rows, encode_steps, replay_steps
from bpe_core.visible import visible
from pages.ui import shell
from pages.ui.encoding_film import encoding_film
from pages.ui.run import Run
from pages.ui.words import number, plural

BY_PASS, BY_RULE = "pass by pass", "the whole list, rule by rule"
MATCHING, ALL_RULES = "rules that match", "all rules"
UNSEEN_WORDS = ("unhappiness", "tokenization", "Amelia", "strawberry", "blockchain", "wundervoll", "xylophones")
MOST_CHARACTERS = 400
MOST_BYTES, MOST_CHUNKS = 64, 24
_INPUT_HELP = (
    "Encoding learns and counts nothing: it only looks up which neighbours are a rule, and takes the lowest rank."
)


def unseen_word(chunk_counts: ChunkCounts) -> str:
    """Return a word that the text never saw, neither alone nor after a space.

    >>> unseen_word(ChunkCounts.from_counts({b" unhappiness": 1}))
    'tokenization'
    """
    seen = lambda word: word.encode() in chunk_counts or f" {word}".encode() in chunk_counts  # noqa: E731
    return next((word for word in UNSEEN_WORDS if not seen(word)), UNSEEN_WORDS[-1])


@st.fragment
def encoding_view(run: Run) -> None:
    """Ask for a word or a sentence; show how the vocabulary at this size cuts it."""
    word = st.text_input(
        "A word or a sentence", unseen_word(run.training.chunk_counts), max_chars=MOST_CHARACTERS, key="encoded_word",
        persist_state="session", help=_INPUT_HELP,
    )  # fmt: skip
    view = st.segmented_control(
        "View", [BY_PASS, BY_RULE], default=BY_PASS, required=True, key="encoding_shown", persist_state="session",
        label_visibility="collapsed",
    )  # fmt: skip
    if not word:
        st.info("Type a word to see how it is cut.")
        return
    with shell.errors_shown():
        check_text(word)
        _draw_passes(run, word) if view == BY_PASS else _draw_rules(run.tokenizer, word)


def _draw_passes(run: Run, word: str) -> None:
    tokenizer = run.tokenizer
    chunks = tokenizer.chunks(word)
    films = [list(encode_steps(tokenizer, chunk)) for chunk in chunks]
    st.text(seen_sentence(run, chunks))
    shown = [steps for chunk, steps in zip(chunks, films, strict=True) if len(chunk) <= MOST_BYTES][:MOST_CHUNKS]
    if shown:
        encoding_film(shown, key="encoding_film")
    if len(shown) < len(chunks):
        st.caption(
            f"{plural(len(shown), 'chunk')} of {number(len(chunks))} drawn: at most {MOST_CHUNKS}, and none of more "
            f"than {MOST_BYTES} bytes. The CSV holds all of them."
        )
    st.download_button(
        "Save the trace as CSV", lambda: trace_csv(chunks, films), "encoding.csv", "text/csv", on_click="ignore",
        help="One row for each pass: the tokens, the rank of every pair, the winner, where it was joined.",
    )  # fmt: skip


def seen_sentence(run: Run, chunks: list[bytes]) -> str:
    """Return how often the text that was learned from holds these chunks, in one sentence; it quotes them."""
    if len(chunks) > 3:
        unseen = sum(chunk not in run.training.chunk_counts for chunk in chunks)
        where = "in this text" if run.loaded else "seen while learning"
        return f"{plural(len(chunks), 'chunk')}, {number(unseen)} of them never {where}."
    counts = [(visible(chunk), run.training.chunk_counts.get(chunk, 0)) for chunk in chunks]
    parts = [f"{shown} {'never' if not count else plural(count, 'time')}" for shown, count in counts]
    return f"{'In this text' if run.loaded else 'Seen while learning'}: {', '.join(parts)}."


def trace_csv(chunks: list[bytes], films: list[list[EncodeStep]]) -> str:
    """Return all passes over all chunks as CSV, a row for each pass; chunks are numbered from 0."""
    rows = [
        {"chunk": number, "chunk_text": visible(chunk), **row._asdict()}
        for number, (chunk, steps) in enumerate(zip(chunks, films, strict=True))
        for row in encode_rows(steps)
    ]
    return pd.DataFrame(rows).astype({"rank": "Int64", "new_id": "Int64"}).to_csv(index=False)


def rules_table(tokenizer: Tokenizer, chunks: list[bytes]) -> pd.DataFrame:
    """Return every rule in rank order, how often it matched in `chunks`, and the tokens left after it.

    Raises BpeError for a vocabulary that has no prefixes.
    """
    replays = [replay_steps(tokenizer, chunk) for chunk in chunks]
    vocabulary = tokenizer.vocabulary
    rows = [
        {"rank": steps[0].rank, "left": visible(steps[0].left), "right": visible(steps[0].right),
         "makes": visible(vocabulary[token_id]), "matches": sum(step.matches for step in steps),
         "tokens left": sum(step.tokens_left for step in steps)}
        for steps, token_id in zip(zip(*replays, strict=True), tokenizer.token_ids.tolist(), strict=True)
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=["rank", "left", "right", "makes", "matches", "tokens left"])


def _draw_rules(tokenizer: Tokenizer, word: str) -> None:
    table = rules_table(tokenizer, tokenizer.chunks(word))
    matching = table[table["matches"] > 0]
    never = len(table) - len(matching)
    st.write(
        f"From rank 0 to the last: {number(len(matching))} of {plural(len(table), 'rule')} match and "
        f"{number(never)} never do. A rule that finds no pair is skipped; that is normal. "
        "For a vocabulary that was learned, this gives the same tokens as taking the lowest rank, pass by pass."
    )
    shown = st.segmented_control(
        "Rules", [MATCHING, ALL_RULES], default=MATCHING, required=True, key="rules_shown", label_visibility="collapsed"
    )
    st.dataframe(
        matching if shown == MATCHING else table, hide_index=True, key="rules_table",
        alt="The rules in rank order, and how often each matched",
    )  # fmt: skip
