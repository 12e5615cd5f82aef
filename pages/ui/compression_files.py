"""The held-out side by file or group: how many tokens each needs, beside the one that needs fewest."""

from __future__ import annotations

import numpy as np
import streamlit as st

from bpe_core import count_chunks, token_totals
from bpe_core.curves import decimated
from pages.ui.chart_values import MOST_LINES, Line, SizesChart
from pages.ui.charts import config, sizes_figure
from pages.ui.compression_markers import your_marker
from pages.ui.compression_memory import remembered
from pages.ui.literal import escape_markdown
from pages.ui.run import Run
from pages.ui.words import ratio

WARNING = (
    "Only texts that say the same can be compared so, such as translations of one text. "
    "Of other texts the longer one simply has more tokens."
)


def draw_by_file(run: Run) -> None:
    """Draw tokens relative to the best file or group at each size, if the held-out side has several."""
    what, parts = _parts(run)
    if len(parts) < 2:
        return
    st.markdown(f"**The held-out side by {what}:** tokens, relative to the {what} that needs fewest")
    numbers = list(range(len(parts)))
    chosen = st.multiselect(
        f"Lines, at most {MOST_LINES}", numbers, numbers[:MOST_LINES], max_selections=MOST_LINES,
        format_func=lambda at: escape_markdown(parts[at][0]), key=f"by_{what}_{len(parts)}",
    )  # fmt: skip
    if chosen:
        figure = sizes_figure(_chart(run, [parts[at] for at in chosen]))
        st.plotly_chart(
            figure,
            key="compression_by_file",
            config=config("tokens-by-file"),
            height=int(figure.layout.height),
            alt=f"tokens of each {what}, relative to the best",
        )
    st.caption(WARNING)


def _parts(run: Run) -> tuple[str, list[tuple[str, np.ndarray]]]:
    """What the parts are called, and for each its name and the numbers of its documents."""
    read = run.sides.split.held_out
    if read.group_numbers is not None:
        names, numbers, what = read.group_names, read.group_numbers, "group"
    else:
        names, numbers, what = [file.name for file in read.files], read.file_numbers, "file"
    present = np.unique(numbers)
    return what, [(names[each], np.flatnonzero(numbers == each)) for each in present.tolist()]


def _chart(run: Run, parts: list[tuple[str, np.ndarray]]) -> SizesChart:
    totals = np.array([_totals(run, documents) for _, documents in parts])
    relative = totals / totals.min(axis=0)
    learned = totals.shape[1] - 1
    merges = decimated(learned + 1, keep=[run.num_merges])
    return SizesChart(
        merges=merges,
        lines=[
            Line(name, values[merges], f"{name} {ratio(float(values[-1]))}")
            for (name, _), values in zip(parts, relative, strict=True)
        ],
        learned=learned,
        wanted=learned,
        y_title="tokens, relative to the best",
        markers=[your_marker(run)],
        smallest_size=run.smallest_size,
        height=300,
        title="after this many merges",
    )


def _totals(run: Run, documents: np.ndarray) -> np.ndarray:
    key = ("by file", run.settings, run.sides.held_out.digest, run.training.tokenizer.num_merges, documents.tobytes())
    texts = run.sides.held_out.documents.selected(documents)
    return remembered(
        run.corpus, key, lambda: token_totals(run.training.tokenizer, count_chunks(texts, run.settings.pattern))
    )
