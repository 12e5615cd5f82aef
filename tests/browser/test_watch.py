"""The film in a real browser: the tokens on screen are those of the readable reference, however they were reached."""

from __future__ import annotations

import random
import re
from functools import cache

import pytest
from film_cases import CASES, trained
from steps import choose
from token_view_reader import READ_TILES, Tile, drawn_text, read_tiles

from bpe_core import merge_steps
from bpe_core.reference import join
from bpe_core.traces import trace
from pages.ui.merge_player.textbook import PRESETS

APP = "tests/browser/apps/film_app.py"
ROOT = "[...document.querySelectorAll('*')].map(e => e.shadowRoot?.querySelector('.film')).find(Boolean)"
FILM = f"{ROOT}.film"
# Does what is asked, one after the other, and reads the tiles after each: {jump: k}, {click: button}, {scroll: pixels}.
WALK = f"""async deeds => {{
    const root = {ROOT}, rows = root.querySelector('.rows'), seen = [];
    const drawn = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    for (const {{ jump, click, scroll }} of deeds) {{
        if (jump !== undefined) root.film.jump(jump);
        if (click !== undefined) root.querySelector(`[data-do=${{click}}]`).click();
        if (scroll !== undefined) {{ rows.scrollTop = scroll; await drawn(); }}
        seen.push([root.film.k, ({READ_TILES})(rows)]);
    }}
    return seen;
}}"""


class Reference:
    """The tokens of a film's text after k merges: every merge replayed, one list join at a time."""

    def __init__(self, name: str):
        case = CASES[name]
        training = trained(name)
        steps = merge_steps(training.chunk_counts, case.vocab_size)
        self.pairs = [(step.pair, step.token_id) for step in steps]
        self.spelled = {byte: bytes([byte]) for byte in range(256)}
        for (left, right), token_id in self.pairs:
            self.spelled[token_id] = self.spelled[left] + self.spelled[right]
        self.chunks = training.tokenizer.chunks(case.shown)
        self.histories = {chunk: self._history(chunk) for chunk in set(self.chunks)}

    def _history(self, chunk: bytes) -> list[tuple[int, list[int]]]:
        """The symbols of a chunk from each number of merges on at which they change."""
        history = [(0, list(chunk))]
        for rank, (pair, token_id) in enumerate(self.pairs):
            symbols = history[-1][1]
            if pair[0] in symbols and (joined := join(symbols, pair, token_id)) != symbols:
                history.append((rank + 1, joined))
        return history

    def tokens(self, k: int) -> list[tuple[int, int, int]]:
        """Return (first byte, end, id) of every token after k merges."""
        found, start = [], 0
        for chunk in self.chunks:
            symbols = next(symbols for since, symbols in reversed(self.histories[chunk]) if since <= k)
            for symbol in symbols:
                found.append((start, start + len(self.spelled[symbol]), symbol))
                start = found[-1][1]
        return found


@cache
def reference_of(name: str) -> Reference:
    return Reference(name)


@pytest.fixture
def films(serve, open_page):
    """A function: name of a case -> a page with its film, at its beginning."""

    def open_film(case: str = "small", *, extra: str = "", **how):
        page = open_page(f"{serve(APP)}/?case={case.replace(' ', '+')}{extra}", height=844, **how)
        page.locator(".film .rows").wait_for()
        wait_for_server(page, 0)
        return page

    return open_film


def film_k(page) -> int:
    return page.evaluate(f"() => {FILM}.k")


def wait_for_k(page, k: int) -> None:
    page.wait_for_function(f"() => {ROOT}?.film?.k === {k}")


def wait_for_server(page, k: int) -> None:
    page.get_by_text(f"stands at {k},").wait_for()


def walk(page, deeds: list[dict]) -> list[tuple[int, list[Tile]]]:
    """Do what is asked, and return after each deed where the film stands and the tiles drawn."""
    return [(k, [Tile(*tile) for tile in tiles]) for k, tiles in page.evaluate(WALK, deeds)]


def whole(tiles: list[Tile]) -> list[Tile]:
    """The tiles of tokens that stand in one row."""
    return [tile for tile in tiles if "goes-on" not in tile.classes and "from-before" not in tile.classes]


def assert_tiles(tiles: list[Tile], reference: Reference, k: int) -> None:
    expected = {token[0]: token for token in reference.tokens(k)}
    assert tiles
    for tile in whole(tiles):
        assert (tile.start, tile.end, tile.token_id) == expected[tile.start]
        assert tile.text == drawn_text(reference.spelled[tile.token_id])


def assert_shows(page, reference: Reference, k: int) -> None:
    assert_tiles(read_tiles(page), reference, k)


def ringed(page) -> list[int]:
    """First bytes of the tokens that stand under a ring's left edge."""
    return page.locator(".film .rows").evaluate(
        """rows => [...rows.querySelectorAll('.ring')].map(ring => {
            const at = ring.getBoundingClientRect();
            const tile = [...rows.querySelectorAll('.tile')].find(tile => {
                const box = tile.getBoundingClientRect();
                return Math.abs(box.left - at.left) < 3 && Math.abs(box.top - at.top) < 8;
            });
            return tile.token.start;
        })"""
    )


# --- the tokens on screen -------------------------------------------------------------------------


def test_every_step_on_and_back_shows_the_tokens_of_the_reference(films):
    page, reference = films(), reference_of("small")
    last = len(reference.pairs)
    seen = walk(page, [{}] + [{"click": "next"}] * (last + 1) + [{"click": "back"}] * (last + 1))
    assert [k for k, _ in seen] == [*range(last + 1), last, *range(last - 1, -1, -1), 0]
    places = {tile.start: tile.left for tile in seen[0][1]}
    for k, tiles in seen:
        assert_tiles(tiles, reference, k)
        assert len(tiles) == len(reference.tokens(k))
        assert all(places[tile.start] == tile.left for tile in tiles)


def test_jumps_to_random_steps_of_a_long_text_show_the_tokens_of_the_reference(films):
    page, reference = films("large"), reference_of("large")
    random.seed(4)
    steps = random.sample(range(len(reference.pairs) + 1), 20)
    seen = walk(page, [{"jump": k, "scroll": random.randrange(8_000)} for k in steps])
    assert [k for k, _ in seen] == steps
    assert len({tiles[0].start for _, tiles in seen}) > 10
    for k, tiles in seen:
        assert_tiles(tiles, reference, k)


def test_first_and_last_and_a_click_in_the_list_jump(films):
    page, reference = films(), reference_of("small")
    page.get_by_role("button", name="Last: after every merge").click()
    assert_shows(page, reference, len(reference.pairs))
    page.get_by_role("button", name=re.compile("Go to rank")).nth(2).click()
    assert film_k(page) == len(reference.pairs) - 3
    assert_shows(page, reference, film_k(page))
    page.get_by_role("button", name="First: before any merge").click()
    assert_shows(page, reference, 0)


def test_dragging_the_scrubber_shows_every_place_and_tells_the_server_once(films):
    page, reference = films(), reference_of("small")
    scrub = page.get_by_label("After how many merges")
    for position in (9_000, 2_500, 5_000):
        scrub.evaluate(f"range => {{ range.value = {position}; range.dispatchEvent(new Event('input')); }}")
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert_shows(page, reference, film_k(page))
        page.get_by_text("stands at 0,").wait_for()
    scrub.evaluate("range => range.dispatchEvent(new Event('change'))")
    wait_for_server(page, film_k(page))


def test_distinct_chunks_show_their_counts(films):
    page = films("small", extra="&shown=chunks")
    labels = page.locator(".chunk-label").all_inner_texts()
    counts = sorted(trained("small").chunk_counts.counts.tolist(), reverse=True)
    assert labels == [f"×{count}" for count in counts]


# --- playing ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("speed", ["slow", "steady", "fast", "blur"])
def test_play_stops_once_at_the_flag_and_then_at_the_end(films, speed):
    page, reference = films(), reference_of("small")
    flag, last = CASES["small"].flag, len(reference.pairs)
    page.evaluate(f"() => {FILM}.jump({flag - 2})")
    page.get_by_role("button", name=speed, exact=True).click()
    page.get_by_role("button", name="Play").click()
    page.get_by_text("This is your vocabulary.").wait_for()
    assert film_k(page) == flag
    assert_shows(page, reference, flag)
    wait_for_server(page, flag)
    if speed == "slow":
        return
    page.get_by_role("button", name="Play").click()
    wait_for_server(page, last)
    assert_shows(page, reference, last)


def test_a_click_while_playing_pauses_there(films):
    page, reference = films("large"), reference_of("large")
    page.get_by_role("button", name="fast", exact=True).click()
    page.get_by_role("button", name="Play").click()
    page.wait_for_function(f"() => {FILM}.k >= 6")
    page.get_by_role("button", name="One merge back").click()
    k = film_k(page)
    page.wait_for_timeout(400)
    assert film_k(page) == k
    assert_shows(page, reference, k)


def test_the_next_pair_is_ringed_where_it_stands(films):
    page, reference = films(), reference_of("small")
    for k in (0, 3, 9):
        page.evaluate(f"() => {FILM}.jump({k})")
        joined = {start for start, _, _ in reference.tokens(k)} - {start for start, _, _ in reference.tokens(k + 1)}
        before = [token[0] for token in reference.tokens(k)]
        assert sorted(ringed(page)) == sorted(before[before.index(start) - 1] for start in joined)


def test_pairs_out_of_sight_are_counted_at_the_edges_and_a_click_leads_there(films):
    page, reference = films("large"), reference_of("large")
    in_sight = page.locator(".film .rows").evaluate(
        """rows => [...rows.querySelectorAll('.ring')].filter(ring =>
            ring.closest('.row').offsetTop < rows.scrollTop + rows.clientHeight).length"""
    )
    joins = len(reference.tokens(0)) - len(reference.tokens(1))
    page.get_by_text(f"↓ {joins - in_sight:,} more").wait_for()
    page.locator(".edge.below").click()
    page.locator(".edge.above").wait_for()


def test_play_passes_over_merges_that_do_not_occur_here(films):
    page, reference = films("partly elsewhere"), reference_of("partly elsewhere")
    changes = [k for k in range(len(reference.pairs)) if reference.tokens(k) != reference.tokens(k + 1)]
    page.get_by_role("button", name="Play").click()
    last = len(reference.pairs)
    wait_for_k(page, last)
    page.get_by_text(f"Passed {last - len(changes)} that do not occur here.").wait_for()
    assert_shows(page, reference, last)


def test_a_merge_that_is_not_here_offers_one_that_is(films):
    page, reference = films("partly elsewhere"), reference_of("partly elsewhere")
    changes = [k for k in range(len(reference.pairs)) if reference.tokens(k) != reference.tokens(k + 1)]
    missing = next(k for k in range(len(reference.pairs)) if k not in changes)
    page.evaluate(f"() => {FILM}.jump({missing})")
    page.get_by_text("This merge does not occur in this excerpt.").wait_for()
    page.get_by_role("button", name="Go to one that does").click()
    assert film_k(page) in changes


# --- figures ------------------------------------------------------------------------------------------


def test_figures_are_those_of_the_training(films):
    page, training = films(), trained("small")
    page.evaluate(f"() => {FILM}.jump(5)")
    merge, totals = training.merges[5], training.token_totals
    num_bytes = training.chunk_counts.num_bytes
    done, upcoming = page.locator(".done").inner_text(), " ".join(page.locator(".upcoming").inner_text().split())
    assert done == f"After 5 merges: {totals[5]} tokens, {num_bytes / totals[5]:.3f} bytes per token of small."
    assert f"ids {merge.pair[0]} + {merge.pair[1]} → {merge.token_id}" in upcoming
    assert f"Counted {merge.count}, will join {merge.replaced}." in upcoming
    assert f"Tokens {totals[5]} → {totals[6]}" in upcoming
    assert f"{num_bytes / totals[5]:.3f} → {num_bytes / totals[6]:.3f}" in upcoming


def test_overlapping_pairs_are_explained(films):
    page = films("runs")
    assert "Counted 4, will join 2: in aaa the two pairs overlap." in page.locator(".upcoming").inner_text()


def test_rail_shows_bars_margin_and_tie_when_the_film_stands(films):
    page, training = films(), trained("small")
    tied = next(merge for merge in training.merges if merge.tied > 1)
    page.evaluate(f"() => {FILM}.jump({tied.rank})")
    wait_for_server(page, tied.rank)
    page.locator(".why:not(.stale)").wait_for()
    assert page.locator(".bar-row").count() == 5
    assert page.locator(".bar-row .number").first.inner_text() == str(tied.count)
    assert page.locator(".bar-row .margin").nth(1).inner_text() == "tie"
    page.get_by_text(f"Tie of {tied.tied}: why this one?").click()
    page.get_by_text("The rule “smallest pair” chose this one.").wait_for()
    assert page.locator(".tied .pair").count() == tied.tied
    assert page.locator(".tied .pair.winner").count() == 1
    page.get_by_role("button", name="Show ten").click()
    assert page.locator(".bar-row").count() == 10


def test_what_was_clicked_reaches_the_server(films):
    page = films()
    page.evaluate(f"() => {FILM}.jump(7)")
    for button, what in [
        ("Use this size", "size"),
        ("See rank 7 in the vocabulary", "vocabulary"),
        ("What if another rule chose?", "what if"),
    ]:
        page.get_by_role("button", name=button).click()
        page.get_by_text(f"asked Asked(what='{what}', k=7)").wait_for()


def test_a_question_just_after_a_step_is_the_last_that_the_server_hears(films):
    page = films()
    page.get_by_role("button", name="Use this size").wait_for()
    asked = page.get_by_text("stands at 9, asked Asked(what='size', k=9)")
    page.evaluate(f"() => {{ {FILM}.jump(9); {ROOT}.querySelector('[data-ask=size]').click(); }}")
    asked.wait_for()
    page.wait_for_timeout(600)  # four times as long as the film waits before it tells where it stands
    assert asked.is_visible()


# --- one token's merges ---------------------------------------------------------------------------------


def test_a_token_plays_only_its_own_merges_and_leads_back(films):
    page, reference = films(), reference_of("small")
    last = len(reference.pairs)
    page.get_by_role("button", name="Last: after every merge").click()
    start, end, token_id = next(token for token in reference.tokens(last) if token[1] - token[0] == 4)
    page.locator(".film .rows .tile").nth([token[0] for token in reference.tokens(last)].index(start)).click()
    page.get_by_role("button", name="Watch these merges").click()
    page.get_by_text("merges of this token, no others").wait_for()
    assert all(tile.end - tile.start == 1 for tile in read_tiles(page))
    page.get_by_role("button", name="Last: after every merge").click()
    shown = {(tile.start, tile.end, tile.token_id) for tile in read_tiles(page)}
    assert (start, end, token_id) in shown
    rank = token_id - 256  # and not its number among the few merges of this film
    card = page.locator(".card").inner_text().replace(",", "")
    assert f"\n{rank} (the {rank + 1}" in card
    assert f"\nfrom size {token_id + 1}" in card
    assert page.locator(".card .node small").first.inner_text() == str(rank)
    assert all(reference.spelled[other] in reference.spelled[token_id] or other < 256 for _, _, other in shown)
    page.get_by_role("button", name="Back to all merges").click()
    assert_shows(page, reference, last)


# --- keys, motion, words for a screen reader --------------------------------------------------------------


def test_keys_drive_the_film(films):
    page, last = films(), len(reference_of("small").pairs)
    page.get_by_role("button", name="One merge on").focus()
    for key, k in [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last), ("Home", 0)]:
        page.keyboard.press(key)
        assert film_k(page) == k
    for key, speed in [("[", "slow"), ("[", "slow"), ("]", "steady"), ("]", "fast"), ("]", "blur"), ("]", "blur")]:
        page.keyboard.press(key)
        assert page.locator(".speed [aria-pressed=true]").inner_text() == speed
    page.get_by_role("button", name="Play").focus()
    page.keyboard.press(" ")
    assert page.evaluate(f"() => {FILM}.playing")
    page.keyboard.press(" ")
    assert not page.evaluate(f"() => {FILM}.playing")


def test_keys_in_the_text_belong_to_the_tokens(films):
    page = films()
    page.locator(".film .rows .tile").first.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ArrowRight")
    assert film_k(page) == 0


def test_reduced_motion_rings_and_joins_once_a_second_without_fades(films):
    page = films(reduced_motion=True)
    page.get_by_role("button", name="blur", exact=True).click()
    page.get_by_role("button", name="Play").click()
    page.wait_for_timeout(1_200)
    assert film_k(page) in (1, 2)
    assert page.evaluate(f"() => {ROOT}.querySelector('.rows').getAnimations({{ subtree: true }}).length") == 0


def test_a_screen_reader_hears_steps_and_finds_names(films):
    page = films()
    page.get_by_role("button", name="One merge on").click()
    assert re.fullmatch(r"after 1 merge; . and . joined \d+ times", page.locator("[role=status]").inner_text())
    assert page.get_by_role("slider").get_attribute("aria-valuetext") == "after 1 merge"
    for button in page.locator(".film button:visible").all():
        assert button.get_attribute("aria-label") or button.inner_text()


def test_a_tab_in_the_background_pauses(films):
    page = films("story")
    page.get_by_role("button", name="Play").click()
    page.evaluate(
        """() => {
            Object.defineProperty(document, 'hidden', { value: true, configurable: true });
            document.dispatchEvent(new Event('visibilitychange'));
        }"""
    )
    assert not page.evaluate(f"() => {FILM}.playing")


# --- state ------------------------------------------------------------------------------------------------


def test_the_text_may_change_while_the_film_plays_and_each_remembers_its_place(films):
    page = films("large", extra="&changes=1")
    page.evaluate(f"() => {FILM}.jump(9)")
    wait_for_server(page, 9)
    page.get_by_role("button", name="slow", exact=True).click()
    page.get_by_role("button", name="Play").click()
    choose_case(page, "runs")
    wait_for_server(page, 0)
    page.wait_for_function(f"() => {ROOT}?.film?.script.numMerges === {len(reference_of('runs').pairs)}")
    assert_shows(page, reference_of("runs"), 0)
    assert not page.evaluate(f"() => {FILM}.playing")
    choose_case(page, "large")
    wait_for_server(page, 9)
    wait_for_k(page, 9)


def choose_case(page, name: str) -> None:
    choose(page, page.locator(".st-key-case"), name, exact=True)


def test_a_change_of_theme_keeps_the_film_where_it_is(films):
    page = films()
    page.evaluate(f"() => {FILM}.jump(9)")
    wait_for_server(page, 9)
    page.emulate_media(color_scheme="dark")
    page.locator(".film.dark").wait_for()
    assert film_k(page) == 9
    assert_shows(page, reference_of("small"), 9)
    page.emulate_media(color_scheme="light")
    page.locator(".film:not(.dark)").wait_for()


# --- difficult texts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", ["one merge", "halves", "hostile", "runs"])
def test_difficult_text_plays_from_end_to_end(films, case):
    page, reference = films(case), reference_of(case)
    last = len(reference.pairs)
    for k in sorted({0, 1, last // 2, last}):
        page.evaluate(f"() => {FILM}.jump({k})")
        assert_shows(page, reference, k)
    page.evaluate(f"() => {FILM}.jump(0)")
    page.get_by_role("button", name="blur", exact=True).click()
    page.get_by_role("button", name="Play").click()
    page.wait_for_function(f"() => {FILM}.k > 0")
    assert page.evaluate("() => window.hacked") is None


def test_nothing_learned_is_said(films):
    page = films("no merges")
    page.get_by_text("Nothing to watch: no pair of bytes occurs twice. Try a longer text.").wait_for()
    for name in ("Play", "One merge on", "Last: after every merge"):
        assert page.get_by_role("button", name=name, exact=True).is_disabled()
    assert page.get_by_role("button", name="vocabulary").count() == 0
    page.locator(".film .rows").press("ArrowRight")
    page.locator(".film .rows").press("Space")
    assert film_k(page) == 0


def test_an_excerpt_that_no_merge_touches_is_said(films):
    page = films("elsewhere")
    page.get_by_text("No merge at all occurs in this excerpt.").wait_for()


def test_a_phone_has_no_sideways_scroll_and_the_controls_in_sight(films):
    page = films("story", width=390)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    box = page.get_by_role("button", name="Play").bounding_box()
    assert box["y"] + box["height"] <= 844


# --- the real page: textbook traces, and the film of encoding --------------------------------------------------


@pytest.fixture
def watch(serve, open_page):
    """A function: what the page Watch shall show -> the page."""

    def show(segment: str = "Learning", shown: str = "the text"):
        page = open_page(f"{serve('app.py')}/watch")
        page.locator(".film .tile").first.wait_for()
        page.get_by_text(segment, exact=True).click()
        if segment == "Learning":
            page.get_by_text(shown, exact=True).click()
            ready = "model.words" if shown == "a textbook trace" else "model.bytes"
            page.wait_for_function(f"() => {ROOT}?.film?.script?.{ready}")
        return page

    return show


# The words on screen and the line about the next merge, from the beginning to the end of a trace.
WALK_WORDS = f"""numMerges => {{
    const root = {ROOT};
    root.film.jump(0);
    const read = () => [
        [...root.querySelectorAll('.word .line')].map(line => [...line.children].map(tile => tile.textContent)),
        root.querySelector('.upcoming').textContent];
    const seen = [read()];
    for (let k = 0; k < numMerges; k++) {{ root.querySelector('[data-do=next]').click(); seen.push(read()); }}
    return seen;
}}"""


def expected_words(made, k: int) -> list[list[str]]:
    words = []
    for word in made.words:
        cuts = [number + 1 for number, rank in enumerate(word.gap_ranks) if rank >= k]
        symbols = [drawn(symbol) for symbol in word.symbols]
        words.append(["".join(symbols[a:b]) for a, b in zip([0, *cuts], [*cuts, len(symbols)], strict=True)])
    return words


def drawn(symbol) -> str:
    if isinstance(symbol, bytes):
        return drawn_text(symbol)
    return "</w>" if symbol == "\udfff" else symbol


def test_textbook_traces_are_shown_as_printed_at_every_step(watch):
    page = watch(shown="a textbook trace")
    for preset in PRESETS:
        made = trace(preset.words, preset.num_merges, ties=preset.ties, alphabet=preset.alphabet)
        choose(page, page.locator(".st-key-trace"), preset.title, exact=True)
        page.get_by_text(f"Printed in: {preset.source}").wait_for()
        page.wait_for_function(
            f"""made => {{
                const model = {ROOT}?.film?.script?.model;
                return JSON.stringify([model?.totals, model?.merges?.map(merge => merge.ids)]) === JSON.stringify(made);
            }}""",
            arg=[list(made.totals), [[*step.pair, step.token_id] for step in made.steps]],
        )
        for k, (words, upcoming) in enumerate(page.evaluate(WALK_WORDS, len(made.steps))):
            assert words == expected_words(made, k)
            if k < len(made.steps):
                step = made.steps[k]
                assert f"Counted {step.count}, will join {step.replaced}" in upcoming


def test_film_comes_back_where_it_stood_after_another_page(watch):
    page = watch()
    page.evaluate(f"() => {FILM}.jump(21)")
    page.locator(".why:not(.stale)").wait_for()
    page.get_by_role("link", name="Vocabulary").click()
    page.get_by_role("heading", name="What it learned").wait_for()
    page.get_by_role("link", name="Watch").click()
    page.locator(".film .tile").first.wait_for()
    wait_for_k(page, 21)
    page.get_by_role("button", name="See rank 21 in the vocabulary").click()
    page.get_by_role("heading", name="What it learned").wait_for()
    assert page.get_by_role("spinbutton", name="Around rank").input_value() == "21"


def test_use_this_size_sets_the_size_of_the_app(watch):
    page = watch()
    page.evaluate(f"() => {FILM}.jump(44)")
    page.get_by_role("button", name="Use this size").click()
    page.wait_for_url("**size=300**")
    page.get_by_text("This is your vocabulary.").wait_for()


def test_what_if_answers_in_a_dialog(watch):
    page = watch()
    page.get_by_role("button", name="What if another rule chose?").click()
    page.get_by_text("tokens are in both lists").wait_for()
    page.get_by_text("Only the first").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")


def test_encoding_shows_a_rank_under_every_gap_and_why_it_stops(watch):
    page = watch("Encoding a word")
    passes = page.locator(".pass")
    passes.first.wait_for()
    for row in passes.all():
        tiles = row.locator(".pass-tiles .tile").count()
        assert row.locator(".pass-ranks > span").count() == tiles - 1
    assert page.locator(".pass:not(.last) .ring").count() >= passes.count() - 1
    assert passes.last.locator(".outcome").inner_text().startswith("Stops: no two neighbours are a rule.")
    assert all(text == "no\nrule" for text in passes.last.locator(".pass-ranks > span").all_inner_texts())
