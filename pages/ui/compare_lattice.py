"""Every way to cut one short chunk of the sentence: its lattice, what each order takes, and samples of dropout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pandas as pd
import streamlit as st

from bpe_core.lattice import LONGEST_CHUNK, Edge, Lattice, OrderPath, Sample, lattice
from bpe_core.visible import visible
from pages.ui.charts import PICTURES, config
from pages.ui.compare_cases import Subject
from pages.ui.compare_figures import cut_text_of
from pages.ui.compare_lanes import Lanes
from pages.ui.compare_lattice_figure import lattice_figure
from pages.ui.compare_ways import P_HELP, WAYS, Chosen
from pages.ui.words import number, plural

SAMPLES = 200
DROPOUT_SAMPLES = "dropout samples"


def lattice_chunks(found: Lanes) -> list[bytes]:
    """Return the chunks of the sentence that are short enough, each once; those where the ways part come first."""
    short = [chunk for chunk in dict.fromkeys(found.chunks) if len(chunk) <= LONGEST_CHUNK]
    parted = [reason.chunk for reason in found.reasons if reason.chunk in short]
    return list(dict.fromkeys([*parted, *short]))


@st.dialog("Every way to cut one word", width="large")
def lattice_dialog(subject: Subject, found: Lanes, chosen: Chosen) -> None:
    """Show the lattice of a chunk that the visitor chooses."""
    chunks = lattice_chunks(found)
    if not chunks:
        st.info(f"No chunk of this sentence has {LONGEST_CHUNK} bytes or fewer. Choose a shorter word.")
        return
    row = st.container(horizontal=True, vertical_alignment="bottom")
    place = row.selectbox(
        "Chunk", range(len(chunks)), format_func=lambda place: visible(chunks[place]), key="lattice_chunk"
    )
    shown = lattice(subject.tokenizer, chunks[place])
    paths = shown.order_paths()
    can_drop = not subject.tokenizer.why_no_prefixes
    ways = [path.order for path in paths] + ([DROPOUT_SAMPLES] if can_drop else [])
    way = row.selectbox(
        "Show the way of", ways, format_func=lambda way: WAYS[way].name if way in WAYS else way, key="lattice_way"
    )
    p = row.number_input("Dropout p", 0.0, 1.0, chosen.p, 0.05, key="lattice_p", help=P_HELP) if can_drop else 0.0
    picture = row.segmented_control(
        "The camera saves", PICTURES, default=PICTURES[0], required=True, key="lattice_picture"
    )
    samples = shown.dropout_samples(p, SAMPLES, chosen.seed) if can_drop else []
    st.text(_ways_sentence(shown, samples, p))
    used = edge_shares(samples) if way == DROPOUT_SAMPLES else dict.fromkeys(_path_of(paths, way), 1.0)
    st.plotly_chart(
        lattice_figure(shown, used), key="lattice_chart", config=config("every-cut", picture), height=340,
        alt=f"All tokens that fit in {visible(shown.chunk)}, as arcs over its bytes",
    )  # fmt: skip
    _draw_tables(paths_table(shown, paths), samples_table(shown, samples))


def edge_shares(samples: Iterable[Sample]) -> dict[Edge, float]:
    """Return of each edge that a sample takes the share of the samples that take it."""
    times: Counter[Edge] = Counter()
    for sample in samples:
        times.update(dict.fromkeys(sample.edges, sample.times))
    all_times = sum(sample.times for sample in samples)
    return {edge: count / all_times for edge, count in times.items()}


def paths_table(shown: Lattice, paths: Iterable[OrderPath]) -> pd.DataFrame:
    """Return the cut of each order as a row."""
    rows = [(WAYS[path.order].name, len(path.edges), _spelled(shown, path.edges), path.order) for path in paths]
    return pd.DataFrame(rows, columns=["way to cut", "tokens", "cut", "technical name"])


def samples_table(shown: Lattice, samples: Iterable[Sample]) -> pd.DataFrame:
    """Return the cuts that dropout gave as rows, the most frequent first."""
    rows = [(sample.times, len(sample.edges), _spelled(shown, sample.edges)) for sample in samples]
    return pd.DataFrame(rows, columns=["times", "tokens", "cut"])


def _path_of(paths: Iterable[OrderPath], order: str) -> tuple[Edge, ...]:
    return next(path.edges for path in paths if path.order == order)


def _spelled(shown: Lattice, edges: Iterable[Edge]) -> str:
    return cut_text_of(tuple(shown.chunk[edge.start : edge.end] for edge in edges))


def _ways_sentence(shown: Lattice, samples: list[Sample], p: float) -> str:
    fitting = f"In “{visible(shown.chunk)}” tokens fit at {plural(len(shown.edges), 'place')}"
    ways = f"so it can be cut in {plural(shown.num_cuts, 'way')}"
    if not samples:
        return f"{fitting}, {ways}."
    return f"{fitting}, {ways}. {number(SAMPLES)} dropouts with p = {p:g} took {number(len(samples))} of them."


def _draw_tables(paths: pd.DataFrame, samples: pd.DataFrame) -> None:
    orders, drawn = st.tabs(["What each way takes", "Dropout samples"])
    for place, table, name in ((orders, paths, "lattice_ways"), (drawn, samples, "lattice_samples")):
        with place:
            st.dataframe(table, hide_index=True, key=name, height="auto", alt="Cuts of this chunk")
            st.download_button(
                "Save as CSV", table.to_csv(index=False), f"{name}.csv", "text/csv", on_click="ignore",
                key=f"save_{name}",
            )  # fmt: skip
