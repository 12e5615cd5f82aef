"""The merge player: every merge as a film that can be stopped, reversed and questioned."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from pages.ui.merge_player.films import Film, most_frequent_chunks, text_film, trace_film
from pages.ui.token_view import drawing_css, drawing_js

__all__ = ["Asked", "Film", "merge_player", "most_frequent_chunks", "text_film", "trace_film"]

FOLDER = Path(__file__).parent
_SCRIPTS = ("news_name.js", "film.js", "facts.js", "tiles.js", "rail.js", "player.js")

_player = st.components.v2.component(
    "bpe_merge_player",
    html=(FOLDER / "player.html").read_text("utf-8"),
    js=drawing_js(*(FOLDER / name for name in _SCRIPTS)),
    css=drawing_css(FOLDER / "player.css"),
)
_news = st.components.v2.component(
    "bpe_film_news", js="\n".join((FOLDER / name).read_text("utf-8") for name in ("news_name.js", "news.js"))
)


class Asked(NamedTuple):
    """What the reader clicked: "size", "vocabulary" or "what if", and where the film stood: after k merges."""

    what: str
    k: int


def merge_player(
    film: Film,
    *,
    key: str,
    start: int,
    flag: int,
    counts: Mapping[str, Any],
    watch: int | None = None,
    on_stand: Callable[[], None],
    on_ask: Callable[[], None],
) -> Asked | None:
    """Draw the film; return what was clicked, in one run only.

    `start` is where a film begins that the browser has not yet, and `watch` a symbol whose merges it shows first; both
    must stay the same during a visit to the page, or all is sent again. `flag` is the number of merges at the visitor's
    size, `counts` what the rail shows. When the film stands, `on_stand` is called before the page runs again; the
    component's state "at" then holds `signature` and `k`. `on_ask` is called so when something is clicked.
    """
    result = _player(
        key=key,
        data={**film.payload, "start": start, "watch": watch},
        default={"at": {"signature": film.signature, "k": start}},
        on_at_change=on_stand,
        on_asked_change=on_ask,
    )
    _news(key=f"{key}_news", data={"signature": film.signature, "flag": flag, "counts": dict(counts)})
    asked = result.asked
    return Asked(str(asked["what"]), min(max(int(asked["k"]), 0), film.num_merges)) if asked else None
