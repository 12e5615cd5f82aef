"""Tokens on the screen: the one drawing, and the text view with its size bar."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from pages.ui.token_view.payload import CorpusCounts, TextModel, corpus_counts, cut_model, text_model

__all__ = ["CorpusCounts", "TextModel", "corpus_counts", "cut_model", "drawing_css", "drawing_js",
           "text_model", "text_view"]  # fmt: skip

FOLDER = Path(__file__).parent
_DRAWING = ("figures.js", "glyphs.js", "model.js", "rows.js", "tile.js", "token_keys.js", "token_copy.js", "tokens.js",
            "tree.js", "card.js")  # fmt: skip


def drawing_js(*own: Path) -> str:
    """Return the shared drawing followed by a component's own scripts: one module, as Streamlit wants it."""
    return "\n".join(path.read_text("utf-8") for path in [*map(FOLDER.joinpath, _DRAWING), *own])


def drawing_css(*own: Path) -> str:
    """Return the style of the shared drawing followed by a component's own."""
    shared = [FOLDER / "tokens.css", FOLDER / "card.css"]
    return "\n".join(path.read_text("utf-8") for path in [*shared, *own])


_text_view = st.components.v2.component(
    "bpe_text_view",
    js=drawing_js(FOLDER / "size_bar.js", FOLDER / "size_talk.js", FOLDER / "text_view.js"),
    css=drawing_css(FOLDER / "text_view.css"),
)


def text_view(
    model: TextModel,
    *,
    size: int,
    key: str,
    told: int,
    on_size_change: Callable[[], None],
    wanted_merges: int | None = None,
    stop_sentence: str = "",
    sweep: bool = False,
    on_watch: Callable[[], None] | None = None,
    rows: int = 12,
    found: str = "",
    hit: int = 0,
) -> int | None:
    """Draw `model`'s text in tokens under its size bar, with the token card beside it.

    `size` is the vocabulary size shown; when it changes from outside, the bar moves. When the bar is let go,
    `on_size_change` is called before the page runs again; the component's state "chosen" under `key` then holds the
    new `size` and its `number`, which is `told` from then on (before, 0). `wanted_merges` is how many were asked for:
    what training did not reach is hatched, and `stop_sentence` says why. With `sweep` the bar glides once from 256 to
    `size`. With `on_watch` the token card offers to watch the merges of its token: then the token's symbol is
    returned, in one run only.
    Every place of `found` is outlined; the one at byte `hit` stands out and is scrolled to.
    """
    result = _text_view(
        key=key,
        data={
            "model": dict(model.payload),
            "size": size,
            "told": told,
            "wanted_merges": max(wanted_merges or 0, model.num_merges),
            "stop_sentence": stop_sentence,
            "sweep": sweep,
            "watch": on_watch is not None,
            "rows": rows,
            "found": found,
            "hit": hit,
        },
        on_chosen_change=on_size_change,
        on_watch_change=on_watch or (lambda: None),
    )
    return int(result.watch["symbol"]) if result.watch else None
