"""The vocabulary as a table on the screen: column sets, search, and rows around a rank."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import streamlit as st

from bpe_core.visible import hex_bytes, visible
from bpe_core.vocabulary_table import VocabularyTable, one_size_table, vocabulary_table
from pages.ui.run import Run

COLUMN_SETS = {
    "Token": ["token", "rank", "uses now", "id", "bytes", "length"],  # a phone shows the first three
    "Merge": ["rank", "id", "token", "left", "right", "left id", "right id", "left bytes", "right bytes",
              "count when learned", "tied", "replaced", "tokens before", "tokens after", "bytes per token"],
    "Uses": ["id", "token", "uses now", "share of tokens", "bytes covered", "count when learned"],
}  # fmt: skip
"""Which columns each set shows; a row is the same token in all of them."""

HELP = {
    "id": "The number of the token.",
    "token": "· is a space, ↵ a line feed, → a tab; ⟨E2⟩ is a byte that is no whole character.",
    "uses now": "How often the token stands in the whole text at this size. Later merges take many into longer tokens.",
    "count when learned": "How often its pair occurred when it was learned.",
    "tied": "How many pairs shared that count, this one included; 1 means no tie.",
    "replaced": "How often the pair was joined. Fewer than counted in runs such as aaa, where pairs overlap.",
    "rank": "Which merge made it; 0 was the first.",
    "bytes per token": "UTF-8 bytes divided by tokens of this text, after this merge.",
    "share of tokens": "Uses now, as a share of all tokens of the text.",
    "bytes covered": "Uses now, times the token's length.",
}
COUNTS = ("uses now", "bytes covered", "count when learned", "tied", "replaced", "tokens before", "tokens after")
"""Columns of numbers that may be large."""

MOST_ROWS = 20_000
"""So many rows go to the browser at once: about 2 MB."""

_HEX = re.compile(r"\s*(?:[0-9a-fA-F]{2}\s*)+")
_TWO_DIGITS = re.compile("[0-9A-F]{2}")
_MERGE_COLUMNS = [
    "rank",
    "left id",
    "right id",
    "count when learned",
    "tied",
    "replaced",
    "tokens before",
    "tokens after",
]


def vocabulary_frame(table: VocabularyTable, num_bytes: int) -> pd.DataFrame:
    """Return all columns of the table, readable; cells that have no value are empty. `num_bytes` of the text."""
    frame = pd.DataFrame({"id": table.token_ids, "token": list(map(visible, table.tokens))})
    frame["bytes"] = list(map(hex_bytes, table.tokens))
    frame["length"] = list(map(len, table.tokens))
    uses = _known(table.uses)
    frame["uses now"], frame["bytes covered"] = uses, uses * frame["length"]
    frame["share of tokens"] = np.where(table.uses < 0, np.nan, table.uses / max(int(table.uses.sum()), 1))
    values = (table.ranks, table.left_ids, table.right_ids, table.counts, table.tied, table.replaced,
              table.tokens_before, table.tokens_after)  # fmt: skip
    for name, column in zip(_MERGE_COLUMNS, values, strict=True):
        frame[name] = _known(column)
    frame["bytes per token"] = np.where(table.tokens_after < 0, np.nan, num_bytes / np.maximum(table.tokens_after, 1))
    for side, ids in (("left", table.left_ids), ("right", table.right_ids)):
        rows = _rows_of(ids, table.token_ids)
        for column, whole in ((side, "token"), (f"{side} bytes", "bytes")):
            frame[column] = np.append(frame[whole].to_numpy(object), "")[rows]
    return frame


def frame_of(run: Run) -> pd.DataFrame:
    """Return the whole table of the run's vocabulary at its size."""
    return _loaded_frame(run.corpus.digest, run.settings, run.vocab_size, run) if run.loaded else _frame_of(run)


@st.cache_resource(max_entries=6, show_spinner="Making the table…")
def _loaded_frame(digest: str, settings: object, vocab_size: int, _run: Run) -> pd.DataFrame:
    """Published vocabularies have 50,000 tokens and more, which take seconds to spell out."""
    return _frame_of(_run)


def _frame_of(run: Run) -> pd.DataFrame:
    if run.why_no_sizes:
        return vocabulary_frame(one_size_table(run.tokenizer), run.corpus.num_bytes)
    return vocabulary_frame(vocabulary_table(run.training, run.num_merges), run.training.chunk_counts.num_bytes)


def _rows_of(ids: np.ndarray, token_ids: np.ndarray) -> np.ndarray:
    """In which row of `token_ids` each id stands; −1 for the id −1."""
    rows = np.full(int(token_ids.max()) + 2, -1)
    rows[token_ids] = np.arange(len(token_ids))
    return rows[ids]  # −1 takes the last entry, which no id has


def _known(column: np.ndarray) -> pd.Series:
    return pd.Series(column, dtype="Int64").mask(column < 0)


def found_rows(frame: pd.DataFrame, wanted: str) -> pd.DataFrame:
    """Return the rows whose token holds `wanted`, as text, as shown or as whole bytes in hex; or whose id it is."""
    if not wanted:
        return frame
    shown = visible(wanted.encode("utf-8", "replace"))
    in_token = frame["token"].str.contains(shown, regex=False) | frame["token"].str.contains(wanted, regex=False)
    found = in_token | (frame["id"].astype(str) == wanted.strip())
    if _HEX.fullmatch(wanted):
        whole_bytes = " ".join(_TWO_DIGITS.findall(wanted.upper()))
        found |= frame["bytes"].str.contains(whole_bytes, regex=False)
    return frame[found]


def rows_around(frame: pd.DataFrame, rank: int, reach: int = 12) -> pd.DataFrame:
    """Return the merges from `rank` − reach to `rank` + reach."""
    return frame[frame["rank"].between(rank - reach, rank + reach).fillna(False)]


def learned_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that a merge made, in rank order."""
    return frame[frame["rank"].notna()]
