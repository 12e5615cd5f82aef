"""Vocabulary: what was learned, as the app's one table."""

from functools import partial
from zlib import crc32

import pandas as pd
import streamlit as st

from pages.ui import shell, state
from pages.ui.text_models import token_model
from pages.ui.token_view.strip import token_strip
from pages.ui.vocabulary_view import (
    COLUMN_SETS,
    COUNTS,
    HELP,
    MOST_ROWS,
    found_rows,
    frame_of,
    learned_rows,
    rows_around,
)
from pages.ui.words import number, plural, ratio

MOST_IN_SIGHT = 15
LEARNED, ENDS, ALL = "learned", "first 15 and last 15", "all"
LOADED_ANSWER = "Every token of the loaded vocabulary. What its files do not tell, such as counts, stays empty."
NO_MERGES_YET = "No merges at this size yet, only single bytes. A larger size has some."
NOTHING_LEARNED = "No merge was learned: there is no pair of bytes to join. Only single bytes are in this vocabulary."

run = shell.open_page(
    "What it learned",
    lambda run: LOADED_ANSWER if run.loaded else "Every token at this size, with the merge that made it.",
)
frame = frame_of(run)
columns = {name: st.column_config.Column(help=text) for name, text in HELP.items()}
for name in COUNTS:
    columns[name] = st.column_config.NumberColumn(format="localized", help=HELP.get(name))
columns["share of tokens"] = st.column_config.NumberColumn(format="percent", help=HELP["share of tokens"])
columns["bytes per token"] = st.column_config.NumberColumn(format="%.3f", help=HELP["bytes per token"])


def key_of(name: str, rows: pd.DataFrame) -> str:
    """Return the key of a table: a click is kept as the number of a row, so it must not outlive these rows."""
    return f"{name}_{crc32(rows['id'].to_numpy().tobytes())}"


def table(rows: pd.DataFrame, key: str) -> int | None:
    """Draw rows in the chosen column set; return the id in the row that was clicked."""
    height = 36 + 35 * max(min(len(rows), MOST_IN_SIGHT), 1)
    event = st.dataframe(
        rows[COLUMN_SETS[chosen]], hide_index=True, column_config=columns, key=key, height=height, placeholder="",
        on_select=partial(state.note_click, key), selection_mode="single-cell",
        alt="The vocabulary, one token in each row",
    )  # fmt: skip
    return int(rows["id"].iloc[event.selection.cells[0][0]]) if event.selection.cells else None


def card(token_id: int | None) -> None:
    """Draw the token card, or how to get one."""
    if token_id is None:
        st.caption("Click a row, and its token card stands here.")
        return
    model = token_model(run, token_id)
    token_strip(model, key="vocabulary_card", merges=min(run.num_merges, model.num_merges), card_alone=True)


with st.container(horizontal=True, vertical_alignment="top"):
    chosen = st.segmented_control("Columns", list(COLUMN_SETS), default="Token", required=True, key="columns",
                                  persist_state="session")  # fmt: skip
    shown = st.segmented_control(
        "Rows", [LEARNED, ENDS, ALL], default=LEARNED, required=True, key="rows", persist_state="session"
    )
    wanted = st.text_input("Find a token, hex bytes or id", key="find_token", width=210)
    rank = st.number_input("Around rank", 0, max(run.num_merges - 1, 0), None, key="vocabulary_rank", width=140,
                           persist_state="session", help="Show the merges learned around this one.")  # fmt: skip

if rank is not None and not run.loaded and st.button("Watch this merge", key="watch_merge"):
    state.go_to_rank(rank)
    shell.go_to_page("watch")
if not run.num_merges:
    st.info(NO_MERGES_YET if run.training.tokenizer.num_merges else NOTHING_LEARNED)
if shown == ENDS and run.num_merges and not wanted and rank is None:
    first, last = learned_rows(frame).head(15), learned_rows(frame).tail(15).iloc[::-1]
    keys = key_of("first_learned", first), key_of("last_learned", last)
    left, right = st.columns(2)
    with left:
        st.subheader("First learned")
        clicked = table(first, keys[0])
    with right:
        st.subheader("Last learned")
        also_clicked = table(last, keys[1])
    latest, earlier = (also_clicked, clicked) if state.session().clicked_table == keys[1] else (clicked, also_clicked)
    card(earlier if latest is None else latest)
else:
    rows = frame if shown == ALL or wanted or not run.num_merges else learned_rows(frame)
    rows = found_rows(rows if rank is None else rows_around(rows, rank), wanted)
    cut_off = f"The first {number(MOST_ROWS)} of these are below; Find looks at all. " if len(rows) > MOST_ROWS else ""
    st.caption(
        f"{number(len(rows))} of {plural(len(frame), 'token')}. {cut_off}Click a column's name to sort. The whole text "
        f"has {plural(run.num_tokens, 'token')} at this size, {ratio(run.bytes_per_token)} bytes per token."
    )
    beside, docked = st.columns([2.1, 1], gap="small")
    with beside:
        drawn = rows.head(MOST_ROWS)
        clicked = table(drawn, key_of("vocabulary_table", drawn))
    with docked:
        card(clicked)
st.download_button(
    "Save as CSV", lambda: frame.to_csv(index=False), f"vocabulary-table-{run.vocab_size}.csv", "text/csv",
    on_click="ignore",
    help="All tokens at this size, with all columns.",
)  # fmt: skip
