"""The five tabs of Compression; nothing in one is computed before it is opened."""

from __future__ import annotations

import streamlit as st

from pages.ui import shell
from pages.ui.compression_budgets import draw_budgets
from pages.ui.compression_costs import draw_costs
from pages.ui.compression_other_settings import draw_other_settings
from pages.ui.compression_others import draw_others
from pages.ui.compression_report import draw_report
from pages.ui.run import Run

TABS = {
    "At your budgets": draw_budgets,
    "Other settings": draw_other_settings,
    "What size costs": draw_costs,
    "Against other tokenizers": draw_others,
    "Report": draw_report,
}


def draw_tabs(run: Run) -> None:
    """Draw the tabs, and the one that is open."""
    tabs = st.tabs(list(TABS), key="compression_tab", on_change="rerun")
    for tab, draw in zip(tabs, TABS.values(), strict=True):
        if tab.open:
            with tab, shell.errors_shown():
                draw(run)
