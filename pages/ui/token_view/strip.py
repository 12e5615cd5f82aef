"""token_strip: a short text in tokens at one size, with its token card."""

from __future__ import annotations

import streamlit as st

from pages.ui.token_view import FOLDER, TextModel, drawing_css, drawing_js

_token_strip = st.components.v2.component(
    "bpe_token_strip",
    js=drawing_js(FOLDER / "token_strip.js"),
    css=drawing_css(FOLDER / "token_strip.css"),
)


def token_strip(
    model: TextModel, *, key: str, merges: int | None = None, rows: int = 4, into_sight: bool = False
) -> None:
    """Draw `model`'s text after `merges` merges (all of them if None) in a box of `rows` rows that scrolls.

    With `into_sight` the page scrolls to it whenever it shows another text.
    """
    merges = model.num_merges if merges is None else merges
    _token_strip(key=key, data={"model": dict(model.payload), "merges": merges, "rows": rows, "into_sight": into_sight})
