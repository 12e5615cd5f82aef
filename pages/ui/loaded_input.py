"""The sidebar's switch: the vocabulary that was learned from the text, or a loaded one; and the Run of a loaded one."""

from __future__ import annotations

import streamlit as st

from pages.ui import inputs, state
from pages.ui.cached import cached_chunk_counts
from pages.ui.corpus import Corpus
from pages.ui.literal import escape_markdown
from pages.ui.loaded import LoadedOnText, LoadedVocabulary
from pages.ui.run import Run, Settings
from pages.ui.words import plural

_HELP = "Every page shows the text under this vocabulary. Load another on the page Load & save."


def vocabulary_input(*, learned_only: bool) -> LoadedVocabulary | None:
    """Let the visitor choose, once something is loaded; return the loaded vocabulary that is chosen.

    A page that is about learning itself shows the learned one whatever is chosen (`learned_only`), and says so.
    """
    state.take_wanted_vocabulary()
    loaded = state.session().loaded
    if not loaded:
        return None
    titles = {state.LEARNED: "learned from this text"} | {
        digest: f"{escape_markdown(each.name)} (loaded)" for digest, each in loaded.items()
    }
    st.radio(
        "Vocabulary", list(titles), format_func=titles.get, key=state.VOCABULARY, persist_state="session",
        disabled=learned_only, help=_HELP,
    )  # fmt: skip
    chosen = state.chosen_loaded()
    if learned_only and chosen:
        st.caption(
            f"This page measures what is learned from your text. {escape_markdown(chosen.name)} is a line in its "
            "chart, and a row of Against other tokenizers."
        )
    return None if learned_only else chosen


def loaded_run(text: Corpus, loaded: LoadedVocabulary) -> Run:
    """Let the visitor choose a size, if there are several; return `text` under a loaded vocabulary."""
    tokenizer = loaded.tokenizer
    make = lambda: LoadedOnText(tokenizer, text, cached_chunk_counts(text, tokenizer.pattern))  # noqa: E731
    on_text = state.loaded_on_text(loaded, text, make)
    smallest = 256 + len(tokenizer.specials)
    largest = smallest + tokenizer.num_merges
    settings = Settings(tokenizer.pattern, tuple(tokenizer.specials), largest, 1, loaded.digest)
    run = Run(text, settings, on_text, tokenizer.vocab_size, loaded=loaded)
    if run.why_no_sizes:
        st.caption(
            f"{plural(tokenizer.vocab_size, 'token')}. No smaller sizes, because {escape_markdown(run.why_no_sizes)}."
        )
        return run
    size = inputs.loaded_size_input(smallest, largest, run.size_key)
    st.caption(f"Cut by {escape_markdown(tokenizer.pattern.name)}. {run.stop_sentence}")
    return Run(text, settings, on_text, size, loaded=loaded)
