"""The column Load: files or a built-in vocabulary, what was read, and what it does on the visitor's text."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from bpe_core import PATTERN_NAMES, BpeError
from bpe_core.formats.incoming import MAX_BYTES
from bpe_core.published import PUBLISHED
from pages.ui import shell, state
from pages.ui.cached import cached_chunk_counts
from pages.ui.compression_memory import remembered
from pages.ui.literal import escape_markdown
from pages.ui.loaded import LoadedVocabulary, RoundTrip, contents_of, load_files, load_published, round_trip
from pages.ui.run import Run
from pages.ui.words import plural

AS_THE_FILE_SAYS = "as the files say"
_FILES_HELP = (
    "A tokenizer.json; a GPT-2 pair (encoder.json + vocab.bpe, or vocab.json + merges.txt); a tiktoken rank file; our "
    "manifest or CSV; or one zip of these. Only byte-level BPE: other kinds are recognised and refused by name."
)
_PATTERN_HELP = (
    "Rank files, GPT-2 pairs and CSV name no pattern. Published rank files are recognised by their SHA-256, a pair is "
    "taken to be cut as GPT-2 does; choose here if your tokenizer cuts text in another way."
)
_DIGEST_HELP = "If its maker publishes one: nothing is read unless the digest of the file or zip is this."


def load_view(run: Run) -> None:
    """Draw the column."""
    st.subheader("Load")
    licences = " and ".join(f"{each.title} ({each.licence})" for each in PUBLISHED.values())
    st.caption(f"Built in: {licences}.")
    for place, name in zip(st.columns(len(PUBLISHED)), PUBLISHED, strict=True):
        place.button(
            PUBLISHED[name].title, key=f"load_{name}", width="stretch",
            on_click=_load, args=(lambda name=name: load_published(name),),
        )  # fmt: skip
    _draw_upload()
    if state.session().load_error:
        st.error(escape_markdown(state.session().load_error))
    for vocabulary in list(state.session().loaded.values()):
        with shell.errors_shown():
            _draw_loaded(run, vocabulary)


def _draw_upload() -> None:
    key = f"load_files_{state.session().loads}"  # a new uploader after each load lets the read files go
    files = st.file_uploader(
        "Or from files", accept_multiple_files=True, key=key, help=_FILES_HELP, max_upload_size=MAX_BYTES // 2**20
    )
    st.caption("tokenizer.json · encoder.json + vocab.bpe · tiktoken ranks · our manifest or CSV · a zip of these")
    with st.expander("Pattern and digest"):
        pattern = st.selectbox(
            "How its text is cut", [AS_THE_FILE_SAYS, *PATTERN_NAMES], key="load_pattern", help=_PATTERN_HELP,
            persist_state="session",
        )  # fmt: skip
        digest = st.text_input("SHA-256 of the file, if you know it", key="load_digest", help=_DIGEST_HELP)
    chosen = None if pattern == AS_THE_FILE_SAYS else pattern

    def read() -> LoadedVocabulary:
        contents = contents_of((file.name, file.getvalue()) for file in files)
        return load_files(contents, pattern=chosen, digest=digest)

    st.button(
        "Load these files",
        key="load",
        type="primary",
        disabled=not files,
        width="stretch",
        on_click=_load,
        args=(read,),
    )


def _load(read: Callable[[], LoadedVocabulary]) -> None:
    """Keep what `read` returns and put it in the learned one's place, or keep the sentence why that cannot be.

    A callback, so that the sidebar above already shows it in the same run.
    """
    state.session().load_error = ""
    try:
        state.use_vocabulary(state.keep_loaded(read()).digest)
    except BpeError as error:
        state.session().load_error = str(error)


def _draw_loaded(run: Run, vocabulary: LoadedVocabulary) -> None:
    in_use = run.loaded is not None and run.loaded.digest == vocabulary.digest
    tokenizer = vocabulary.tokenizer
    with st.container(border=True):
        st.markdown(f"**{escape_markdown(vocabulary.name)}**" + (" · in use" if in_use else ""))
        st.write(
            f"{escape_markdown(vocabulary.origin)}. {plural(tokenizer.vocab_size, 'token')}: "
            f"{plural(tokenizer.num_merges, 'merge')}, {plural(len(tokenizer.specials), 'special token')}. "
            f"Text is cut by {escape_markdown(tokenizer.pattern.name)}."
        )
        _draw_proof(run, vocabulary)
        for note in vocabulary.notes:
            st.caption(escape_markdown(note))
        if tokenizer.why_no_prefixes:
            st.caption(f"It has no smaller sizes, because {escape_markdown(tokenizer.why_no_prefixes)}.")
        if in_use:
            st.caption("Every page shows it; Compression draws it as a line beside what your text teaches.")
        _draw_buttons(vocabulary, in_use)


def _draw_proof(run: Run, vocabulary: LoadedVocabulary) -> None:
    key = "round trip", vocabulary.digest
    tried: RoundTrip = remembered(run.corpus, key, lambda: _tried(run, vocabulary))
    if tried.failed is None:
        st.success(tried.sentence, icon=":material/check:")
    else:
        st.warning(tried.sentence)


def _tried(run: Run, vocabulary: LoadedVocabulary) -> RoundTrip:
    return round_trip(vocabulary.tokenizer, cached_chunk_counts(run.corpus, vocabulary.tokenizer.pattern))


def _draw_buttons(vocabulary: LoadedVocabulary, in_use: bool) -> None:
    use, drop = st.columns(2)
    choice = state.LEARNED if in_use else vocabulary.digest
    label = "Back to the learned one" if in_use else "Use this one"
    short = vocabulary.digest[:12]
    use.button(label, key=f"use_{short}", on_click=state.use_vocabulary, args=(choice,), width="stretch")
    drop.button("Drop", key=f"drop_{short}", on_click=state.drop_loaded, args=(vocabulary.digest,), width="stretch")
