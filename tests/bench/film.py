"""How long the film's own script takes, read from the page in headless Chromium.

    python tests/bench/film.py

For 12,000 and 50,000 bytes shown: the script of each step, playing 12 merges a second for `SECONDS`; the frames drawn
in that time; the first build; the jump from the first merge to the last and back, with style, layout and paint; and
the payload. Step, build and jump are CPU times of the page's thread, from Chromium's own trace, so that other programs
on the machine count little; ", clock" is the same by the page's clock. `ROUNDS` rounds: the least and the median.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from statistics import median
from typing import Any

REPOSITORY = Path(__file__).parents[2]
sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "tests" / "browser")]

from conftest import BROWSER_ARGUMENTS, BROWSER_NAMES, start_server, stop  # noqa: E402
from film_cases import CASES, trained  # noqa: E402
from playwright.sync_api import Browser, Page, sync_playwright  # noqa: E402

from pages.ui.merge_player import text_film  # noqa: E402
from pages.ui.token_view import corpus_counts, text_model  # noqa: E402

SECONDS, ROUNDS = 10, 3
TARGETS = {"step median": 2, "step 99 %": 8, "build": 400, "jump": 100}
ROOT = "[...document.querySelectorAll('*')].map(e => e.shadowRoot?.querySelector('.film')).find(Boolean)"
BUILD = f"""() => {{
    const player = {ROOT}.film.screen, data = player.data;
    player.signature = undefined;
    player.picture.destroy();
    player.picture = null;
    const started = performance.now();
    player.update({{ data, setStateValue: player.setStateValue, setTriggerValue: player.setTriggerValue }});
    return performance.now() - started;
}}"""
PLAY = f"""async seconds => {{
    const film = {ROOT}.film;
    film.jump(0);
    film.flagSeen = true;
    film.setSpeed(2);
    film.times = [];
    film.numTimes = 0;
    let frames = 0, on = true;
    const count = () => {{ frames++; if (on) requestAnimationFrame(count); }};
    requestAnimationFrame(count);
    film.play();
    await new Promise(done => setTimeout(done, seconds * 1000));
    on = false;
    film.pause();
    return [film.times.slice(), frames / seconds];
}}"""
JUMP = f"""async k => {{
    const film = {ROOT}.film;
    film.jump(k < 0 ? film.script.numMerges : k);
    await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
}}"""
TRACED = ["devtools.timeline", "toplevel"]  # no more: what is traced costs time too


def percentile(times: list[float], share: float) -> float:
    """Return the value below which `share` of `times` lie."""
    return sorted(times)[min(int(share * len(times)), len(times) - 1)]


def payload_bytes(name: str) -> int:
    """Return the size of what is sent for the film of case `name`, as JSON."""
    case, training = CASES[name], trained(name)
    corpus = corpus_counts(name, training.chunk_counts, training.token_totals)
    chunks = training.tokenizer.chunks(case.shown)
    model = text_model(training.tokenizer, chunks, corpus=corpus, counts=training.counts)
    return len(json.dumps(text_film(model, training).payload))


def step_times(events: list[dict], num_steps: int) -> list[float]:
    """Return CPU ms of the frames that did most, as many as there were steps: other frames only look at the clock."""
    frames = [event["tdur"] / 1000 for event in events if event["name"] == "FireAnimationFrame" and "tdur" in event]
    return sorted(frames)[-num_steps:]


def busiest_thread(events: list[dict]) -> float:
    """Return CPU ms of the thread that worked most: the page's own, with script, style, layout and paint."""
    threads: dict[tuple[int, int], float] = {}
    for event in events:
        if event["name"] == "RunTask" or event["name"].endswith("::RunTask"):
            thread = event["pid"], event["tid"]
            threads[thread] = threads.get(thread, 0) + event.get("tdur", 0) / 1000
    return max(threads.values(), default=float("nan"))


def traced(browser: Browser, page: Page, script: str, argument: int | None = None) -> tuple[Any, list[dict]]:
    """Return what a script gives, and Chromium's trace of the time it took."""
    browser.start_tracing(page=page, categories=TRACED)
    result = page.evaluate(script, argument)
    return result, json.loads(browser.stop_tracing())["traceEvents"]


def measure(browser: Browser, page: Page) -> dict[str, float]:
    """Return one round of measures in ms, and frames a second."""
    (times, frames), playing = traced(browser, page, PLAY, SECONDS)
    cpu = step_times(playing, len(times))
    page.evaluate(JUMP, 0)
    _, there = traced(browser, page, JUMP, -1)
    _, back = traced(browser, page, JUMP, 0)
    built, building = traced(browser, page, BUILD)
    return {
        "step median": median(cpu),
        "step 99 %": percentile(cpu, 0.99),
        "step, clock": median(times),
        "steps": len(times),
        "frames a second": frames,
        "build": busiest_thread(building),
        "build, clock": built,
        "jump": max(busiest_thread(there), busiest_thread(back)),
    }


def main() -> None:
    """Measure both cases and print a table."""
    url, server = start_server("tests/browser/apps/film_app.py")
    executable = next(filter(None, map(shutil.which, BROWSER_NAMES)))
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=executable, args=BROWSER_ARGUMENTS)
            for name in ("story", "long story"):
                page = browser.new_page(viewport={"width": 1280, "height": 800})
                page.goto(f"{url}/?case={name.replace(' ', '+')}")
                page.locator(".film .tile").first.wait_for(timeout=90_000)
                rounds = [measure(browser, page) for _ in range(ROUNDS)]
                print(f"\n{len(CASES[name].shown.encode()):,} bytes shown, payload {payload_bytes(name):,} bytes")
                print(f"{'ms':16} {'least':>9} {'median':>9} {'target':>8}")
                for what in rounds[0]:
                    values = [each[what] for each in rounds]
                    target = f"< {TARGETS[what]}" if what in TARGETS else ""
                    print(f"{what:16} {min(values):9.2f} {median(values):9.2f} {target:>8}")
                page.close()
            browser.close()
    finally:
        stop(server)


if __name__ == "__main__":
    main()
