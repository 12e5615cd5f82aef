"""How long the film's own script takes, read from the page in headless Chromium.

    python tests/bench/film.py

For 12,000 and 50,000 bytes shown: the first build; the script of each step, playing 12 merges a second for
`SECONDS`; the frames drawn in that time; the jump from the first merge to the last and back, until it is drawn; and
the payload. The script's times are CPU times of one thread as the page's own clock tells them, so a busy machine
makes them longer: the least of `ROUNDS` rounds stands beside the median of the rounds.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from statistics import median

REPOSITORY = Path(__file__).parents[2]
sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "tests" / "browser")]

from conftest import BROWSER_ARGUMENTS, BROWSER_NAMES, start_server, stop  # noqa: E402
from film_cases import CASES, trained  # noqa: E402
from playwright.sync_api import Page, sync_playwright  # noqa: E402

from pages.ui.merge_player import text_film  # noqa: E402
from pages.ui.token_view import corpus_counts, text_model  # noqa: E402

SECONDS, ROUNDS = 8, 3
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
JUMP = f"""async () => {{
    const film = {ROOT}.film, took = [];
    const drawn = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
    for (const k of [0, film.script.numMerges, 0]) {{
        const started = performance.now();
        film.jump(k);
        const script = performance.now() - started;
        await drawn();
        took.push([script, performance.now() - started]);
    }}
    return took.slice(1);
}}"""


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


def measure(page: Page) -> dict[str, float]:
    """Return one round of measures in ms, and frames a second."""
    build = page.evaluate(BUILD)
    times, frames = page.evaluate(PLAY, SECONDS)
    jumps = page.evaluate(JUMP)
    return {
        "build": build,
        "step median": median(times),
        "step 99 %": percentile(times, 0.99),
        "steps": len(times),
        "frames a second": frames,
        "jump, script": max(script for script, _ in jumps),
        "jump": max(drawn for _, drawn in jumps),
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
                rounds = [measure(page) for _ in range(ROUNDS)]
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
