"""Fixtures for tests of pages without a browser: Streamlit's AppTest runs the script and keeps what it drew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import learning

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


@pytest.fixture(autouse=True)
def patient_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages wait for a training instead of showing its progress, so that a busy machine changes no test."""
    monkeypatch.setattr(learning, "PATIENCE_SECONDS", 50.0)


@pytest.fixture
def switch_page() -> Callable[[AppTest, str], AppTest]:
    """A function: the app and the name of a page -> the app on that page, with every choice kept."""

    def switch(app: AppTest, name: str) -> AppTest:
        app.switch_page(f"pages/{name}.py").run()
        assert not app.exception
        return app

    return switch
