"""A 100 MB training in the running app: its time, the server's memory, and how long another visitor waits meanwhile.

    python tests/bench/large_corpus.py FOLDER [--megabytes 100] [--entries 32768] [--pattern gpt2]

FOLDER holds text files; they are repeated, each time with other letters in some words, until the wanted
size is reached. The text is uploaded in a browser as any visitor would; then a second visitor changes the page
again and again, and each click is timed until the new page stands. Needs Chromium and Playwright.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.browser.conftest import BROWSER_ARGUMENTS, start_server, stop

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def main() -> None:
    """Run it and print the figures."""
    sys.stdout.reconfigure(line_buffering=True)
    options = _options()
    url, server = start_server("app.py")
    try:
        with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
            corpus = Path(folder) / "corpus.txt"
            _build(options.folder, corpus, options.megabytes * 1_000_000)
            browser = playwright.chromium.launch(executable_path=options.chromium, args=BROWSER_ARGUMENTS)
            other = _visitor(browser, url)
            print(f"memory of the server with one visitor: {_memory(server.pid):,.0f} MB")
            before = [_click_time(other, at) for at in range(6)]
            print(f"another visitor's clicks, server idle: {_spread(before)}")
            owner = _visitor(browser, f"{url}/?size=1024")
            _settings(owner, options.entries, options.pattern)
            started = time.monotonic()
            _upload(owner, corpus)
            print(f"uploaded, read and estimated: {time.monotonic() - started:.1f} s; peak {_peak(server.pid):,.0f} MB")
            print(owner.get_by_text("entries takes about").inner_text())
            owner.get_by_role("button", name="Start learning").click()
            started, during = time.monotonic(), []
            while not owner.locator(".text-line", has_text="learned from").count():
                during.append(_click_time(other, len(during)))
                if time.monotonic() - started > 1_800:
                    sys.exit("It did not end within half an hour.")
            print(f"trained: {time.monotonic() - started:.1f} s; peak {_peak(server.pid):,.0f} MB")
            print(owner.locator(".text-line").inner_text())
            print(f"another visitor's clicks meanwhile: {_spread(during)}")
            browser.close()
    finally:
        stop(server)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--entries", type=int, default=32_768)
    parser.add_argument("--pattern", default="gpt2")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    return parser.parse_args()


def _build(folder: Path, target: Path, num_bytes: int) -> None:
    """Write a text in which each round of the files has some words of its own, so that distinct chunks keep growing."""
    random = Random(0)
    texts = [path.read_text(errors="replace") for path in sorted(folder.rglob("*")) if path.is_file()]
    with target.open("w") as out:
        written = 0
        while written < num_bytes:
            table = str.maketrans(dict(zip(random.sample(LETTERS, 3), random.sample(LETTERS, 3), strict=True)))
            for text in texts:
                lines = text.splitlines(keepends=True)
                part = "".join(line.translate(table) if random.random() < 0.3 else line for line in lines)
                out.write(part[: num_bytes - written])
                written += len(part.encode())
                if written >= num_bytes:
                    return


def _visitor(browser, url: str) -> Page:
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.set_default_timeout(120_000)
    page.goto(url)
    page.locator(".text-line", has_text="learned from").wait_for()
    return page


def _settings(page: Page, entries: int, pattern: str) -> None:
    page.get_by_text("Settings", exact=True).click()
    field = page.locator(".st-key-largest_size input")
    field.fill(str(entries))
    field.press("Enter")
    page.wait_for_timeout(3_000)
    if pattern != "gpt2":
        page.locator(".st-key-pattern").get_by_role("combobox").fill(pattern)
        page.keyboard.press("Enter")
        page.wait_for_timeout(5_000)


def _upload(page: Page, corpus: Path) -> None:
    page.get_by_role("button", name="Upload…").click()
    page.locator("[role=dialog] input[type=file]").set_input_files(str(corpus))
    page.get_by_role("button", name="Use this document").click(timeout=300_000)
    page.get_by_role("button", name="Start learning").wait_for(timeout=300_000)


def _click_time(page: Page, turn: int) -> float:
    """Seconds from a click on another page's name until that page stands."""
    name, heading = [("Vocabulary", "What it learned"), ("Your text", "Your text, in tokens")][turn % 2]
    started = time.monotonic()
    page.get_by_role("link", name=name, exact=True).click()
    page.locator("h1", has_text=heading).wait_for()
    elapsed = time.monotonic() - started
    page.wait_for_timeout(500)
    return elapsed


def _spread(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    high = ordered[int(0.95 * (len(ordered) - 1))]
    return (
        f"median {statistics.median(ordered):.2f} s, 95 % {high:.2f} s, longest {ordered[-1]:.2f} s (n={len(ordered)})"
    )


def _memory(pid: int) -> float:
    return _status(pid, "VmRSS")


def _peak(pid: int) -> float:
    return _status(pid, "VmHWM")


def _status(pid: int, name: str) -> float:
    """MB of a figure of /proc/PID/status."""
    line = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith(name))
    return int(line.split()[1]) * 1024 / 1e6


if __name__ == "__main__":
    main()
