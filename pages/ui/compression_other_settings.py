"""The tab Other settings: the held-out curve under other patterns, seeds, least counts and training sizes."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from bpe_core import PATTERN_NAMES, Training, named_pattern
from bpe_core.curves import decimated
from bpe_core.usage import joins_of_word_and_punctuation
from bpe_core.visible import visible
from pages.ui import learning, state
from pages.ui.cached import cached_chunk_counts
from pages.ui.chart_values import MOST_LINES, Line, SizesChart
from pages.ui.charts import config, sizes_figure
from pages.ui.compression_conditions import Condition, condition_of, has_seed, request_under, sides_under
from pages.ui.compression_curves import Curves, both_curves
from pages.ui.compression_files import draw_by_file
from pages.ui.compression_markers import your_marker
from pages.ui.compression_memory import remembered
from pages.ui.compression_split import SEED_HELP
from pages.ui.estimates import Estimate
from pages.ui.jobs import Job
from pages.ui.learning_view import draw_instead_of_page
from pages.ui.run import Run
from pages.ui.words import number, percent, plural, ratio

SHARES = (10, 30, 100)
JOINS_HELP = "Without boundaries, merges join a word and its punctuation, so “dog” and “dog.” become different entries."
_MOST_JOINS = 500
_LETTERS = "ABCDEF"


class Learned(NamedTuple):
    """A condition whose training is there."""

    condition: Condition
    curves: Curves


def draw_other_settings(run: Run) -> None:
    """Draw the tab."""
    _draw_add(run)
    conditions = _conditions(run)
    found, waiting = _learned(run, conditions)
    figure = sizes_figure(_chart(run, found))
    st.plotly_chart(
        figure,
        key="compression_conditions",
        config=config("other-settings"),
        height=int(figure.layout.height),
        alt="bytes per token of the held-out side under each condition",
    )
    _draw_list(run, conditions, found)
    if waiting:
        draw_instead_of_page(waiting)
    _draw_joins(run, found)
    draw_by_file(run)


def _conditions(run: Run) -> list[Condition]:
    """The page's own settings, then what the visitor added."""
    base = condition_of(run)
    return [base, *(each for each in state.session().conditions if each != base)]


def _draw_add(run: Run) -> None:
    base = condition_of(run)
    row = st.container(horizontal=True, vertical_alignment="bottom")
    name = row.selectbox("How the text is cut", ["as in Settings", *PATTERN_NAMES], key="condition_pattern", width=170)
    least = row.number_input("Least count", 1, 10**6, base.min_count, key="condition_count", width=130)
    seed = row.number_input(
        "Seed", 0, 10**6, base.seed, key="condition_seed", width=130, disabled=not has_seed(run),
        help=SEED_HELP,
    )  # fmt: skip
    share = row.selectbox("Learn from, in %", SHARES, len(SHARES) - 1, key="condition_share", width=130)
    pattern = base.pattern if name == "as in Settings" else named_pattern(name)
    full = len(_conditions(run)) >= MOST_LINES
    row.button(
        "Add", type="primary", disabled=full, on_click=state.add_conditions,
        args=([Condition(pattern, seed, least, share)],),
    )  # fmt: skip
    with row.popover("Add a set", disabled=full):
        room = MOST_LINES - len(_conditions(run))
        for words, sets in _sets(run, base).items():
            st.button(words, on_click=state.add_conditions, args=(sets[:room],), width="stretch")
    if full:
        st.caption(f"{MOST_LINES} lines are as many as one can tell apart. Drop one to add another.")


def _sets(run: Run, base: Condition) -> dict[str, list[Condition]]:
    """Conditions that belong together, by the words on their button."""
    patterns = [replace(base, pattern=named_pattern(name)) for name in ("gpt2", "four-type", "none")]
    sets = {
        "Cut as GPT-2, four-type, not at all": patterns,
        "Learn from 10 %, 30 %, 100 %": [replace(base, share=share) for share in SHARES],
        "Least count 2, 10, 50": [replace(base, min_count=count) for count in (2, 10, 50)],
    }
    seeds = [replace(base, seed=base.seed + step) for step in (1, 2, 3)]
    return sets | ({"Three other seeds": seeds} if has_seed(run) else {})


def _learned(run: Run, conditions: list[Condition]) -> tuple[list[Learned], Job | Estimate | None]:
    """The conditions whose training is there, and what the next one waits for. One is learned at a time."""
    found = [Learned(conditions[0], _curves(run, conditions[0], run.training))]
    for condition in conditions[1:]:
        training = learning.training_for(request_under(run, condition), run.sides.whole)
        if not isinstance(training, Training):
            return found, training
        if learning.was_stopped(training):
            state.drop_condition(condition)  # what the visitor stopped is not wanted
            st.rerun()
        found.append(Learned(condition, _curves(run, condition, training)))
    return found, None


def _curves(run: Run, condition: Condition, training: Training) -> Curves:
    held_out = cached_chunk_counts(sides_under(run, condition).held_out, condition.pattern)
    key = ("condition", condition, run.settings, run.sides.choice, run.sides.held_out.digest, len(training.counts))
    return remembered(run.sides.whole, key, lambda: both_curves(training, held_out))


def _chart(run: Run, found: list[Learned]) -> SizesChart:
    most = max(curves.learned for _, curves in found)
    merges = decimated(most + 1, keep=[run.num_merges, *(curves.learned for _, curves in found)])
    lines = []
    for letter, (_, curves) in zip(_LETTERS, found, strict=False):
        values = curves.held_out.bytes_per_token[merges[merges <= curves.learned]]
        lines.append(Line(letter, values, f"{letter} {ratio(float(values[-1]))}"))
    return SizesChart(
        merges=merges,
        lines=lines,
        learned=most,
        wanted=most,
        y_title="bytes per token, held-out",
        markers=[your_marker(run)],
        digits=".3f",
        smallest_size=run.smallest_size,
        height=300,
        title="after this many merges",
    )


def _draw_list(run: Run, conditions: list[Condition], found: list[Learned]) -> None:
    """The legend: each line named exactly, with its figures, and the way to drop it."""
    st.dataframe(
        pd.DataFrame(
            [_row(run, *each) for each in zip(_LETTERS, conditions, _padded(found, len(conditions)), strict=False)]
        ),
        hide_index=True,
    )
    row = st.container(horizontal=True)
    for letter, condition in list(zip(_LETTERS, conditions, strict=False))[1:]:
        row.button(f"Drop {letter}", key=f"drop_{letter}", on_click=state.drop_condition, args=(condition,))


def _row(run: Run, letter: str, condition: Condition, learned: Learned | None) -> dict[str, object]:
    curves = learned.curves if learned else None
    reached = curves is not None and run.num_merges <= curves.learned
    return {
        "line": letter,
        "cut by": condition.pattern.name,
        "least count": condition.min_count,
        "seed": condition.seed if has_seed(run) else None,
        "learned from": f"{condition.share} % of the training side",
        "merges learned": "waiting" if curves is None else number(curves.learned),
        f"train at {number(run.vocab_size)}": _value(curves.train.bytes_per_token, run) if reached else "–",
        f"held-out at {number(run.vocab_size)}": _value(curves.held_out.bytes_per_token, run) if reached else "–",
        "gap": percent(float(curves.gap[run.num_merges]) / 100, 1) if reached else "–",
    }


def _value(values: np.ndarray, run: Run) -> str:
    return ratio(float(values[run.num_merges]), 3)


def _padded(found: list[Learned], length: int) -> list[Learned | None]:
    return [*found, *[None] * (length - len(found))]


def _draw_joins(run: Run, found: list[Learned]) -> None:
    """What boundaries are for: the entries that join a word and its punctuation, where nothing is cut."""
    uncut = next((each for each in found if each.condition.pattern.name == "none"), None)
    if uncut is None:
        return
    merges = min(run.num_merges, uncut.curves.learned)
    tokenizer = uncut.curves.training.tokenizer.with_vocab_size(run.smallest_size + merges)
    ids = joins_of_word_and_punctuation(tokenizer)
    st.markdown(
        f"**What boundaries are for.** Cut by none, {plural(len(ids), 'entry', 'entries')} of "
        f"{number(merges)} learned join a word and its punctuation.",
        help=JOINS_HELP,
    )
    if ids:
        tokens = [visible(tokenizer.vocabulary[token_id]) for token_id in ids[:_MOST_JOINS]]
        st.dataframe({"entry": tokens, "id": ids[:_MOST_JOINS]}, hide_index=True, height=220, width="content")
