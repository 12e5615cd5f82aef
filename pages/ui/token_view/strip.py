"""token_strip: a short text in tokens at one size, with its token card; or one token's card alone."""

from __future__ import annotations

import streamlit as st

from pages.ui.token_view import FOLDER, TextModel, drawing_css, drawing_js

_token_strip = st.components.v2.component(
    "bpe_token_strip",
    js=drawing_js(FOLDER / "token_strip.js"),
    css=drawing_css(FOLDER / "token_strip.css"),
)


def token_strip(
    model: TextModel, *, key: str, merges: int | None = None, rows: int = 4, card_alone: bool = False
) -> None:
    """Draw `model`'s text after `merges` merges (all of them if None) in a box of `rows` rows that scrolls.

    With `card_alone` only the card of the text's first token is drawn, and the page scrolls to it if it must.
    """
    merges = model.num_merges if merges is None else merges
    _token_strip(key=key, data={"model": dict(model.payload), "merges": merges, "rows": rows, "card_alone": card_alone})
