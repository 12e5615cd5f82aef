"""The chunks of a text that part two ways: the shortest, and the most frequent, which a click puts in the lanes."""

from __future__ import annotations

from functools import partial

import streamlit as st

from bpe_core import BpeError
from pages.ui import state
from pages.ui.cached import cached_chunk_counts
from pages.ui.compare_cases import Subject, use_case
from pages.ui.compare_cases import subject as subject_of
from pages.ui.compare_corpus import LEARNED_TEXT, Measured, figures_key
from pages.ui.compare_figures import (
    MOST_PARTED,
    Figures,
    Parted,
    check_countable,
    cut_text_of,
    orders_that_run,
    parted_pair,
    parted_table,
)
from pages.ui.compare_sentence import show_sentence
from pages.ui.compare_tasks import result_or_progress
from pages.ui.compare_ways import Chosen
from pages.ui.compression_memory import already
from pages.ui.literal import escape_markdown
from pages.ui.run import Run
from pages.ui.words import number, plural

FIRST_KEY, SECOND_KEY = "parted_first", "parted_second"


def draw_parted(measured: Measured, found: Figures) -> None:
    """Draw the chunks that part two ways: the shortest, and the most frequent, which a click puts in the lanes."""
    orders = _pair_input(measured)
    if orders[0] == orders[1]:
        st.info("Choose two different ways.")
        return
    parted = _parted_for(measured, found, orders)
    if parted is None:
        return
    if parted.shortest is None:
        st.text("These two cut every chunk of this text alike.")
        return
    _draw_shortest(measured, parted)
    _draw_frequent(measured, parted)


def _pair_input(measured: Measured) -> tuple[str, str]:
    orders, _ = orders_that_run(measured.tokenizer)
    for key in (FIRST_KEY, SECOND_KEY):
        state.keep_among(key, orders)
    row = st.container(horizontal=True, vertical_alignment="bottom")
    first, second = (
        row.selectbox(
            label,
            orders,
            orders.index(default),
            key=key,
            format_func=measured.chosen.name,
            persist_state="session",
            width=260,
        )
        for label, key, default in (("One way", FIRST_KEY, "longest match"), ("Another way", SECOND_KEY, "rank"))
    )
    return first, second


def _parted_for(measured: Measured, found: Figures, orders: tuple[str, str]) -> Parted | None:
    if orders[1] == "rank":
        return found.parted[orders[0]]
    p, seed = measured.chosen.p, measured.chosen.seed
    work = partial(parted_pair, measured.tokenizer, measured.chunk_counts, orders, p, seed)
    return result_or_progress(
        "parted", measured.corpus, ("parted", orders, measured.key), work, "Cutting the whole text both ways."
    )


def _draw_shortest(measured: Measured, parted: Parted) -> None:
    shortest, name = parted.shortest, measured.chosen.name
    row = st.container(horizontal=True, vertical_alignment="center")
    row.text(
        f"The shortest chunk that parts them has {plural(len(shortest.chunk), 'byte')} and occurs "
        f"{plural(shortest.count, 'time')}: {cut_text_of(shortest.first)} ({name(parted.first)}), "
        f"{cut_text_of(shortest.second)} ({name(parted.second)})."
    )
    row.button(
        "Put it in the lanes", key="show_shortest", on_click=show_sentence,
        args=(shortest.chunk.decode(), parted.first, parted.second),
    )  # fmt: skip


def _draw_frequent(measured: Measured, parted: Parted) -> None:
    table = parted_table(parted, measured.chosen)
    key = f"parted_{parted.first}_{parted.second}".replace(" ", "_")
    shown = "all of them" if len(table) < MOST_PARTED else f"the {number(len(table))} most frequent"
    st.caption(f"Chunks that they cut differently, {shown}. Click a row, and its chunk goes into the lanes.")
    st.dataframe(
        table, hide_index=True, key=key, height=320, selection_mode="single-cell",
        on_select=partial(_show_row, key, parted), alt="The most frequent chunks that the two ways cut differently",
        column_config={"times": st.column_config.NumberColumn(format="localized")},
    )  # fmt: skip
    st.download_button(
        "Save as CSV", lambda: table.to_csv(index=False),
        measured.file_name("chunks_that_part", measured.tokenizer.vocab_size), "text/csv",
        on_click="ignore", key="save_parted",
    )  # fmt: skip


def _show_row(key: str, parted: Parted) -> None:
    """Put the chunk of the row that was clicked in the lanes."""
    for row in state.take_clicked_rows(key):
        if row < len(parted.frequent):
            show_sentence(parted.frequent[row].chunk.decode(), parted.first, parted.second)


def show_shortest(run: Run, subject: Subject, chosen: Chosen) -> None:
    """Put the shortest chunk that parts a way of the lanes from rank order in the lanes; from a callback.

    The rules of a classic case are left: they are too few to look for words of a text.
    """
    if subject.case:
        use_case(None)
        subject = subject_of(run)
    try:
        check_countable(subject.tokenizer)
    except BpeError as error:
        st.toast(escape_markdown(str(error)))
        return
    parted = [_already_parted(run, subject, chosen, order) for order in chosen.orders[1:]]
    found = [each for each in parted if each and each.shortest]
    if found:
        best = min(found, key=lambda each: len(each.shortest.chunk))
        show_sentence(best.shortest.chunk.decode(), best.first)
    elif not parted:
        st.toast("Add a way to cut first.")
    elif not any(parted):
        st.toast("None of these ways can run on this vocabulary.")
    else:
        st.toast("No chunk of this text parts these ways at this size.")


def _already_parted(run: Run, subject: Subject, chosen: Chosen, order: str) -> Parted | None:
    """From the table if it is there; else computed; None for an order that cannot run."""
    if order not in orders_that_run(subject.tokenizer)[0]:
        return None
    if found := already(run.corpus, figures_key(subject, LEARNED_TEXT, chosen)):
        return found.parted[order]
    counts = cached_chunk_counts(run.corpus, subject.tokenizer.pattern)
    return parted_pair(subject.tokenizer, counts, (order, "rank"), chosen.p, chosen.seed, lambda _: False)
