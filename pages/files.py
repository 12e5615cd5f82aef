"""Load & save: bring a published tokenizer, take the vocabulary along, and see proof that every id is the same."""

import streamlit as st

from pages.ui import shell
from pages.ui.files_ids import ids_check_view
from pages.ui.files_load import load_view
from pages.ui.files_save import save_view
from pages.ui.files_specials import specials_view

ANSWER = "Load a published tokenizer, or take this vocabulary with you. Each file is read back before it is offered."
IDS, SPECIALS = "Check my ids", "What a special token would change"
# On a narrow screen the columns stand below each other, and there saving comes first.
STYLE = "@media (max-width: 640px) { .st-key-load_and_save > div > [data-testid='stHorizontalBlock'], "
STYLE += (
    ".st-key-load_and_save > [data-testid='stHorizontalBlock'] { flex-direction: column-reverse; flex-wrap: nowrap; } "
    ".st-key-load_and_save [data-testid='stColumn'] { min-width: 100%; } }"
)

run = shell.open_page("Bring one, take one", ANSWER)
st.html(f"<style>{STYLE}</style>")
both, check, specials = st.tabs(["Load and save", IDS, SPECIALS], key="files_tab", on_change="rerun")
if both.open:
    with both, st.container(key="load_and_save"), shell.errors_shown():
        load, save = st.columns(2, gap="large")
        with load:
            load_view(run)
        with save:
            save_view(run)
if check.open:
    with check, shell.errors_shown():
        ids_check_view(run)
if specials.open:
    with specials, shell.errors_shown():
        specials_view(run)
