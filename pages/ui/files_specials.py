"""The tab about special tokens: what adding one after training would break."""

from __future__ import annotations

import streamlit as st

from bpe_core.formats import effects_of_special
from pages.ui.literal import escape_markdown
from pages.ui.run import Run
from pages.ui.words import plural


def specials_view(run: Run) -> None:
    """Ask for a name; show what giving it an id now would change."""
    names = run.settings.specials
    held = f": {', '.join(names[:8])}{' …' if len(names) > 8 else ''}" if names else ""
    st.write(
        "Special tokens get their ids before anything is learned; name yours under Settings in the sidebar. This "
        f"vocabulary has {plural(len(names), 'special token') if names else 'none'}{escape_markdown(held)}. "
        "What would it break to add one now?"
    )
    name = st.text_input("Its name", "<|endofturn|>", key="late_special", persist_state="session", width=320)
    counts = None if run.loaded else run.training.chunk_counts
    for effect in effects_of_special(run.tokenizer, name, counts):
        st.markdown(f"- {escape_markdown(effect)}")
