"""The lanes on the page: drawn, saved as CSV, and what was clicked in them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from time import sleep
from typing import Any

import pandas as pd
import streamlit as st

from bpe_core import Tokenizer
from bpe_core.visible import hex_bytes, visible
from pages.ui import shell, state
from pages.ui.compare_cases import Subject
from pages.ui.compare_cases import subject as subject_of
from pages.ui.compare_lanes import LANE_BYTES, Lanes, cut_chunks, lanes_of, lanes_payload, spans
from pages.ui.compare_lattice import lattice_dialog
from pages.ui.compare_parted import show_shortest
from pages.ui.compare_tasks import stop_tasks
from pages.ui.compare_ways import Chosen, draw_ways
from pages.ui.lanes import lanes_view
from pages.ui.literal import escape_markdown
from pages.ui.run import Run
from pages.ui.text_models import chunks_model
from pages.ui.token_view import TextModel, cut_model
from pages.ui.words import number, plural

LANES = "lanes"
_SECONDS_TO_DRAW = 0.2  # a new run of the page would make the browser draw the lanes later


def draw_lanes(run: Run, subject: Subject, sentence: str, chosen: Chosen) -> None:
    """Draw the sentence cut in every chosen way.

    Raises BpeError for a sentence that is no text.
    """
    found = lanes_of(subject.tokenizer, sentence, chosen)
    _draw_view(run, subject, found, sentence, chosen)
    if found.is_limited:
        st.caption(limit_sentence(found))
    if added := added_sentence(subject.tokenizer, sentence):
        st.caption(escape_markdown(added))
    _draw_buttons(subject, found, chosen)


@st.fragment
def _draw_view(run: Run, subject: Subject, found: Lanes, sentence: str, chosen: Chosen) -> None:
    """Draw the lanes; when their size bar is let go they alone are drawn at once, and then the page follows."""
    size = run.vocab_size if run.why_no_sizes else state.value(run.size_key)
    is_new_size = size != run.vocab_size
    if is_new_size:
        run = replace(run, vocab_size=size)
        subject = subject_of(run)
        found = lanes_of(subject.tokenizer, sentence, chosen)
    asked = lanes_view(
        _view_data(run, subject, found, chosen),
        key=LANES,
        on_size_change=partial(_keep_size, run),
        on_find=partial(show_shortest, run, subject, chosen),
    )
    if asked.watch is not None and asked.watch < len(found.reasons):
        _watch_chunk(found.reasons[asked.watch].chunk)
    if is_new_size:
        sleep(_SECONDS_TO_DRAW)
    if is_new_size or asked.find:
        st.rerun()


def _view_data(run: Run, subject: Subject, found: Lanes, chosen: Chosen) -> dict[str, Any]:
    can_watch = not subject.case and not subject.tokenizer.why_no_prefixes
    return {
        "model": dict(rank_model(run, subject, found, chosen).payload),
        "size": run.vocab_size,
        "told": state.size_told(LANES),
        "wanted_merges": 0 if subject.case else run.settings.largest_size - run.smallest_size,
        "stop_sentence": run.stop_sentence,
        **lanes_payload(subject.tokenizer, found, chosen, can_watch=can_watch),
    }


def rank_model(run: Run, subject: Subject, found: Lanes, chosen: Chosen) -> TextModel:
    """Return the model of rank order: at every size, if the vocabulary in view has sizes, else at the one it has."""
    if not subject.case and not subject.tokenizer.why_no_prefixes:
        return chunks_model(run, found.shown)
    tokens = cut_chunks(subject.tokenizer, found.shown, "rank", chosen)
    ids = subject.tokenizer.ids_of_tokens
    return cut_model(subject.tokenizer, [[ids[token] for token in chunk] for chunk in tokens])


def lanes_table(found: Lanes, chosen: Chosen) -> pd.DataFrame:
    """Return the tokens of every lane, a row for each; bytes are counted from 0, `end` is behind the last."""
    rank = spans(found.lanes[0].tokens)
    rows = [
        (chosen.name(lane.order), lane.order, place, start, end, visible(token), hex_bytes(token), (start, end) in rank)
        for lane in found.lanes
        for place, (token, (start, end)) in enumerate(
            zip([token for chunk in lane.tokens for token in chunk], sorted(spans(lane.tokens)), strict=True), 1
        )
    ]
    columns = ["way", "technical name", "token number", "start", "end", "token", "hex", "rank order has it"]
    return pd.DataFrame(rows, columns=columns)


def limit_sentence(found: Lanes) -> str:
    """Return what of a long sentence is drawn."""
    if found.cut_short:
        return (
            f"This chunk has {number(len(found.chunks[0]))} bytes. Its first {number(len(found.shown[0]))} are drawn, "
            "cut as if nothing came after them; the figures are those of the whole sentence."
        )
    return (
        f"The lanes draw the first {plural(len(found.shown), 'chunk')} of {number(len(found.chunks))}, at most "
        f"{number(LANE_BYTES)} bytes. The figures, and why they part, are those of the whole sentence."
    )


def added_sentence(tokenizer: Tokenizer, sentence: str) -> str:
    """Return which words of the sentence the vocabulary does not cut at all, though the lanes do; "" if none.

    >>> added_sentence(Tokenizer.from_merges([]), "low")
    ''
    """
    words = [f"“{word}”" for word in tokenizer.added_tokens if word in sentence]
    if not words:
        return ""
    return (
        f"This vocabulary takes {', '.join(words)} as one token before anything is cut. The lanes cut it like any "
        "other text, so that the ways can be compared; the page “Your text” shows it as it is."
    )


def _draw_buttons(subject: Subject, found: Lanes, chosen: Chosen) -> None:
    row = st.container(horizontal=True)
    if row.button("Every way to cut one word…", key="open_lattice", disabled=not found.chunks):
        lattice_dialog(subject, found, chosen)
    with row:
        draw_ways()
    row.download_button(
        "Save the lanes as CSV", lambda: lanes_table(found, chosen).to_csv(index=False), "lanes.csv", "text/csv",
        on_click="ignore", key="save_lanes", help="One row for each token of each way.",
    )  # fmt: skip


def _keep_size(run: Run) -> None:
    stop_tasks("figures", "parted")  # of the size before, so that the lanes need not wait beside them
    state.take_size_told(LANES, run.size_key)


def _watch_chunk(chunk: bytes) -> None:
    """Open Watch where it shows how rank order cuts this chunk, pass by pass."""
    state.set_value("watch_segment", "Encoding a word")
    state.set_value("encoded_word", chunk.decode())
    st.switch_page(shell.page_file("watch"), query_params=[])  # None is refused while a widget is bound
