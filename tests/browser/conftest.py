"""Fixtures for tests in a real browser.

    url = serve("app.py")                          # a Streamlit server of its own, one per script and session
    page = open_page(url, width=390, dark=True)    # a Playwright page; a Streamlit session of its own

Without Chromium these tests are skipped; with CI=true in the environment they fail instead.
An uncaught script error on any page fails its test at the end.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

try:
    from playwright.sync_api import sync_playwright
except ImportError:
    sync_playwright = None

REPOSITORY = Path(__file__).parents[2]
IMPORTABLE = (REPOSITORY, Path(__file__).parent)  # apps may import what lies beside the tests
collect_ignore = ["apps"]  # Streamlit scripts: importing one would run it
BROWSER_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
# No sandbox inside containers; the rest keeps the browser itself from asking the network for anything.
BROWSER_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                     "--disable-background-networking", "--disable-component-update", "--disable-sync"]  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give a test in the browser a second and a third try: a busy machine can starve a page of a minute."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.flaky(reruns=2))


@pytest.fixture(scope="session")
def browser() -> Iterator:
    """A headless Chromium, started once."""
    executable = next(filter(None, map(shutil.which, BROWSER_NAMES)), None)
    if executable is None or sync_playwright is None:
        reason = f"Needs the package playwright, and one of {', '.join(BROWSER_NAMES)} on the PATH."
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(reason)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=BROWSER_ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def context_of(browser) -> Callable:
    """A function: colour scheme and motion -> browser context. Kept, so that only its first page loads every file."""

    @cache
    def make_context(color_scheme: str, reduced_motion: str):
        return browser.new_context(
            color_scheme=color_scheme,
            reduced_motion=reduced_motion,
            permissions=["clipboard-read", "clipboard-write"],
        )

    return make_context


@pytest.fixture
def open_page(context_of) -> Iterator[Callable]:
    """A function that opens a URL as a new visitor; an uncaught script error fails the test."""
    pages, errors = [], []

    def open_url(url: str, *, width: int = 1280, height: int = 800, dark: bool = False, reduced_motion: bool = False):
        context = context_of("dark" if dark else "light", "reduce" if reduced_motion else "no-preference")
        page = context.new_page()
        pages.append(page)
        page.set_viewport_size({"width": width, "height": height})
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(url)
        return page

    yield open_url
    for page in pages:
        page.close()
    assert errors == []


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[str], str]]:
    """A function: path of a Streamlit script, from the repository's root -> its URL. Stopped at the end."""
    servers: dict[str, tuple[str, subprocess.Popen]] = {}

    def serve_script(script: str) -> str:
        if script not in servers:
            servers[script] = start_server(script)
        return servers[script][0]

    yield serve_script
    for _, process in servers.values():
        stop(process)


@pytest.fixture
def serve_fresh() -> Iterator[Callable[[str], str]]:
    """Like `serve`, but each call starts a server that nobody has visited yet."""
    processes = []

    def serve_script(script: str) -> str:
        url, process = start_server(script)
        processes.append(process)
        return url

    yield serve_script
    for process in processes:
        stop(process)


def start_server(script: str) -> tuple[str, subprocess.Popen]:
    """Start `streamlit run script` on a free port and return its URL and process once it is healthy."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", script, "--server.port", str(port), "--server.address",
               "127.0.0.1", "--server.headless", "true", "--server.fileWatcherType", "none",
               "--browser.gatherUsageStats", "false"]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, IMPORTABLE))}
    process = subprocess.Popen(command, cwd=REPOSITORY, env=environment, stdout=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    wait_until_healthy(process, f"{url}/_stcore/health")
    return url, process


def wait_until_healthy(process: subprocess.Popen, health_url: str, seconds: float = 60) -> None:
    """Return when the server answers "ok"; fail if it ends or does not in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(health_url, timeout=1) as answer:
                if answer.read() == b"ok":
                    return
        except OSError:
            time.sleep(0.1)
    stop(process)
    pytest.fail(f"The server did not answer at {health_url} within {seconds:.0f} s.")


def stop(process: subprocess.Popen) -> None:
    """End a server, by force if it does not go."""
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
