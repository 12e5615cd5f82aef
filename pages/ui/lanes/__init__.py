"""The lanes: one sentence cut by several ways, on one byte ruler, under the size bar."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from pages.ui.token_view import FOLDER as TOKEN_VIEW
from pages.ui.token_view import drawing_css, drawing_js

FOLDER = Path(__file__).parent

_lanes = st.components.v2.component(
    "bpe_lanes",
    js=drawing_js(
        TOKEN_VIEW / "size_bar.js",
        TOKEN_VIEW / "size_talk.js",
        *(FOLDER / name for name in ("why.js", "lane.js", "lanes.js")),
    ),
    css=drawing_css(TOKEN_VIEW / "text_view.css", FOLDER / "lanes.css"),
)


class Asked(NamedTuple):
    """What the visitor clicked: the number of a reason to `watch`; `find` a word where the ways part."""

    watch: int | None
    find: bool


def lanes_view(
    data: Mapping[str, Any],
    *,
    key: str,
    on_size_change: Callable[[], None],
    on_find: Callable[[], None],
) -> Asked:
    """Draw the lanes that `data` describes (`pages.ui.compare_lanes.lanes_payload` makes it).

    When the size bar is let go, `on_size_change` is called before the page runs again; the component's state "chosen"
    under `key` then holds the new `size` and its `number`, which is `told` in `data` from then on. `on_find` is called
    when the visitor asks for a word where the ways part.
    Returns what was clicked, in one run only.
    """
    result = _lanes(
        key=key,
        data=dict(data),
        on_chosen_change=on_size_change,
        on_watch_change=lambda: None,
        on_find_change=on_find,
    )
    return Asked(int(result.watch["lane"]) if result.watch else None, bool(result.find))
