"""The tab Report: one file with settings, digests, chart and table, and the script that repeats it."""

from __future__ import annotations

import streamlit as st

from bpe_core.budgets import USUAL_BUDGETS
from bpe_core.compression_report import CompressionReport, ReportRow, ReportSide, report_html, report_script
from pages.ui import state
from pages.ui.compression_budgets import BUDGETS, checked_rows, parse_budgets
from pages.ui.compression_curves import curves_of
from pages.ui.compression_recipe import HELD_OUT_FILE, TRAIN_FILE, json_lines, recipe_of
from pages.ui.run import Run
from pages.ui.words import plural


def draw_report(run: Run) -> None:
    """Draw the tab."""
    report = report_of(run)
    st.markdown(
        "One HTML file that opens anywhere: the settings, the digests of both sides and of the merges, the chart, the "
        "table at your budgets, and a script that repeats the table and stops if a figure differs."
    )
    row = st.container(horizontal=True)
    row.download_button(
        "Report", report_html(report), "compression.html", "text/html", type="primary", on_click="ignore"
    )
    row.download_button("Script", report_script(report), "compression.py", "text/x-python", on_click="ignore")
    if report.recipe.needs:
        for name, side in ((TRAIN_FILE, run.sides.train), (HELD_OUT_FILE, run.sides.held_out)):
            row.download_button(
                name, lambda side=side: json_lines(side.documents), name, "application/jsonl", on_click="ignore"
            )
        st.caption("The script reads both sides from these two files; they hold your text.")
    with st.expander("The script"):
        st.code(report_script(report), language=None)


def report_of(run: Run) -> CompressionReport:
    """Return the report on the page as it stands, at the budgets of the first tab."""
    curves, sides = curves_of(run), run.sides
    usual = " ".join("all" if budget is None else str(budget) for budget in USUAL_BUDGETS)
    rows = checked_rows(run, tuple(parse_budgets(state.value(BUDGETS, usual))))
    return CompressionReport(
        sides.whole.name,
        run.training,
        run.settings.min_count,
        ReportSide(curves.train.counts, sides.train.digest, sides.learned_from),
        ReportSide(curves.held_out.counts, sides.held_out.digest, sides.measured_on),
        [ReportRow(row.row, row.sha256, row.comes_back) for row in rows],
        recipe_of(sides),
        _notes(run),
    )


def _notes(run: Run) -> list[str]:
    split = run.sides.split
    notes = [run.stop_sentence]
    if split.duplicates_kept_together:
        notes.append(f"{plural(split.duplicates_kept_together, 'document')} equal to an earlier one stand on its side.")
    if split.duplicates_dropped:
        notes.append(
            f"{plural(split.duplicates_dropped, 'document')} were dropped from the held-out side, because they are "
            "also learned from."
        )
    return [*notes, *([split.warning] if split.warning else [])]
