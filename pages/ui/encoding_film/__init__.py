"""The encoding film: one row for each pass over a chunk, with the rank under every gap."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from bpe_core.orders.steps import EncodeStep
from pages.ui.token_view import drawing_css, drawing_js

FOLDER = Path(__file__).parent

_film = st.components.v2.component(
    "bpe_encoding_film", js=drawing_js(FOLDER / "encoding.js"), css=drawing_css(FOLDER / "encoding.css")
)


def encoding_film(chunks: Sequence[Sequence[EncodeStep]], *, key: str) -> None:
    """Draw the passes over each chunk, one chunk below the other."""
    _film(key=key, data={"chunks": [chunk_payload(steps) for steps in chunks]})


def chunk_payload(steps: Sequence[EncodeStep]) -> dict[str, Any]:
    """Return what the browser draws of one chunk: its bytes, and for each pass the tokens' lengths and ids, the rank
    under each gap (None: no rule), the winner, where it was joined and how many tokens are left.
    """
    return {
        "bytes": base64.b64encode(b"".join(steps[0].symbols)).decode(),
        "passes": [_pass(step) for step in steps],
        "stopped": steps[-1].stopped_because,
    }


def _pass(step: EncodeStep) -> dict[str, Any]:
    return {
        "lengths": [len(symbol) for symbol in step.symbols],
        "ids": step.ids,
        "ranks": [pair.rank for pair in step.pairs],
        "joined_at": step.joined_at,
        "rank": step.winner.rank if step.winner else None,
        "new_id": step.winner.token_id if step.winner else None,
        "left": step.tokens_left,
    }
