"""Forget my text: everything that holds a part of it goes, wherever it is kept."""

from __future__ import annotations

from pages.ui import compression_memory, files_proof, state, text_models, vocabulary_view, what_if, why_panel
from pages.ui.cached import workshop


def forget_own_text() -> None:
    """Drop the visitor's own text, what was learned from it, and the job that still learns."""
    session = state.session()
    for job in filter(None, (session.job, session.stopped)):
        job.stop()
    if session.own_corpus:
        digest = session.own_corpus.text_digest
        workshop().forget(digest)
        compression_memory.forget(digest)
        files_proof.forget(digest)
        # These know no text by its name; what they hold of other texts is made again when it is asked for.
        caches = text_models._chunks_model, why_panel._text_counts, what_if._other_rule, vocabulary_view._loaded_frame
        for cache in caches:
            cache.clear()
    state.forget_own_text()
