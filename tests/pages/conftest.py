"""Fixtures for tests of pages without a browser: Streamlit's AppTest runs the script and keeps what it drew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture
def open_page() -> Callable[..., AppTest]:
    """A function: name of a page's file, and query parameters -> the app, opened there as a new visitor."""

    def open_named(name: str = "train", **query: str) -> AppTest:
        app = AppTest.from_file(str(REPOSITORY / "app.py"), default_timeout=60)
        for key, value in query.items():
            app.query_params[key] = value
        app.run()
        if name != "train":
            app.switch_page(f"pages/{name}.py").run()
        assert not app.exception
        return app

    return open_named
