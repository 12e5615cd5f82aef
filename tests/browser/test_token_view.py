"""The text view in a real browser: the size bar, the tokens, the card, keys, copying."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from token_view_cases import CASES, HOSTILE, STORY
from token_view_reader import Tile, colour_class, expected_tiles, read_tiles

from bpe_core import count_chunks, train

APP = "tests/browser/apps/token_view_app.py"


@pytest.fixture(scope="module")
def training():
    case = CASES["story"]
    return train(count_chunks([case.learn_from], case.pattern), case.vocab_size)


@pytest.fixture(scope="module")
def tokenizer(training):
    return training.tokenizer


@pytest.fixture
def open_case(serve, open_page):
    def open_it(case: str = "story", *, ready: str = ".rows", extra: str = "", **how):
        page = open_page(f"{serve(APP)}/?case={case}{extra}", **how)
        page.locator(ready).first.wait_for()
        return page

    return open_it


def shown_size(page) -> int:
    return int(page.locator(".figures .size").inner_text().replace(",", ""))


def wait_for_size(page, size: int) -> None:
    page.wait_for_function(f"document.body.innerText.includes('size {size}, watch')")


def whole(tiles: list[Tile]) -> list[Tile]:
    """The tiles of tokens that stand in one row."""
    return [tile for tile in tiles if "goes-on" not in tile.classes and "from-before" not in tile.classes]


BOX_OF = (
    "[...document.querySelectorAll('*')].map(each => each.shadowRoot?.querySelector('{}')).find(Boolean)"
    ".getBoundingClientRect()"
).format
BOXES = """ticks => ticks.map(tick => tick.getBoundingClientRect()).map(({ left, right }) => [left, right])"""


def ordinal(number: int) -> str:
    end = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{end}"


def drag_to(page, position: float) -> None:
    box = page.locator(".track").bounding_box()
    page.mouse.move(box["x"] + position * box["width"], box["y"] + box["height"] / 2)
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def test_dragging_shows_the_tokens_of_every_size_without_a_server_call(open_case, tokenizer):
    page = open_case()
    text = CASES["story"].shown
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda _: sent.append(1)))
    page.reload()
    page.locator(".tile").first.wait_for()
    wait_for_size(page, 1024)
    drag_to(page, 0.7)
    page.mouse.down()
    before, sizes = len(sent), set()
    for position in (0, 0.05, 0.13, 0.21, 0.33, 0.41, 0.52, 0.63, 0.72, 0.9):
        drag_to(page, position)
        size = shown_size(page)
        sizes.add(size)
        vocabulary = tokenizer.with_vocab_size(size)
        expected = expected_tiles(vocabulary, text)
        tiles = [
            tile for tile in read_tiles(page) if "goes-on" not in tile.classes and "from-before" not in tile.classes
        ]
        assert len(tiles) > 100
        for tile in tiles:
            assert (tile.end, tile.token_id, tile.text) == expected[tile.start]
            assert colour_class(vocabulary.vocabulary[tile.token_id]) in tile.classes.split()
    assert len(sizes) == 10
    assert min(sizes) == 256
    assert max(sizes) == 256 + tokenizer.num_merges
    assert len(sent) == before
    page.mouse.up()
    wait_for_size(page, max(sizes))


def test_figures_are_those_of_the_whole_corpus(open_case, tokenizer):
    page = open_case()
    tokens = len(tokenizer.with_vocab_size(1024).encode(STORY))
    wait_for_size(page, 1024)
    assert page.locator(".figures").inner_text().split("\n") == [
        "size 1,024",
        "= 256 bytes + 768 merges",
        f"{len(STORY.encode()) / tokens:.2f} bytes per token",
        f"{tokens:,} tokens in all",
    ]


def test_nothing_moves_when_tokens_join(open_case):
    page = open_case()
    page.locator(".track").press("Home")
    letters = {tile.start: tile.left for tile in read_tiles(page)}
    page.locator(".track").press("End")
    tokens = whole(read_tiles(page))
    assert len(tokens) < len(letters) / 2
    for tile in tokens:
        assert tile.left == letters[tile.start]


def test_bar_obeys_keys_and_speaks(open_case):
    page = open_case()
    wait_for_size(page, 1024)
    track = page.locator(".track")
    for key, size in [("Home", 256), ("ArrowRight", 257), ("PageUp", 258), ("PageUp", 261), ("ArrowLeft", 260)]:
        track.press(key)
        wait_for_size(page, size)
        assert track.get_attribute("aria-valuenow") == str(size)
    assert track.get_attribute("aria-valuetext").startswith("size 260, 4 merges, 1.")


def test_a_size_from_outside_moves_the_bar(open_case, tokenizer):
    page = open_case()
    page.get_by_label("Size", exact=True).fill("300")
    page.keyboard.press("Enter")
    page.locator(".track[aria-valuenow='300']").wait_for()
    expected = expected_tiles(tokenizer.with_vocab_size(300), CASES["story"].shown)
    assert all(expected[tile.start][0] == tile.end for tile in read_tiles(page))


def test_the_same_size_can_be_chosen_again_after_another_came_from_outside(open_case):
    page = open_case()
    wait_for_size(page, 1024)
    outside, track = page.get_by_label("Size", exact=True), page.locator(".track")
    for _ in range(2):
        track.press("Home")
        page.get_by_text("size 256, watch None").wait_for()
        outside.fill("300")
        page.keyboard.press("Enter")
        wait_for_size(page, 300)
    track.press("Home")
    page.get_by_text("size 256, watch None").wait_for()
    assert outside.input_value() == "256"


def test_release_is_not_undone_by_the_servers_late_answer(open_case):
    page = open_case()
    wait_for_size(page, 1024)
    track = page.locator(".track")
    track.press("Home")
    track.press("End")
    end = int(track.get_attribute("aria-valuemax"))
    wait_for_size(page, end)
    page.wait_for_timeout(500)
    assert shown_size(page) == end
    assert page.get_by_label("Size", exact=True).input_value() == str(end)


@pytest.mark.parametrize("size", [256, 280, 360])
def test_hostile_text_shows_literally_and_runs_nothing(open_case, size):
    page = open_case("hostile")
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.get_by_label("Size", exact=True).fill(str(size))
    page.keyboard.press("Enter")
    page.locator(f".track[aria-valuenow='{size}']").wait_for()
    case = CASES["hostile"]
    learned = train(count_chunks([case.learn_from], case.pattern), case.vocab_size).tokenizer
    expected = expected_tiles(learned.with_vocab_size(size), HOSTILE)
    tiles = read_tiles(page)
    assert {tile.start for tile in tiles} == set(expected)
    for tile in tiles:
        assert (tile.end, tile.token_id, tile.text) == expected[tile.start]
    whole_replacement = any("\ufffd" in text for _, _, text in expected.values())
    assert any("\ufffd" in tile.text for tile in tiles) == whole_replacement
    assert page.evaluate("window.hacked") is None
    assert page.locator(".rows script, .rows img, .rows b").count() == 0
    assert all(url.startswith(("http://127.0.0.1", "blob:", "data:")) for url in requests)


@pytest.mark.parametrize("case", ["empty", "nothing learned", "one line", "nothing to see"])
def test_odd_texts_are_drawn_at_the_smallest_and_the_largest_size(open_case, case):
    page = open_case(case)
    shown = CASES[case].shown.encode()
    for key in ("Home", "End"):
        page.locator(".track").press(key)
        tiles = read_tiles(page)
        assert (tiles[0].start if tiles else 0) == 0
        assert all(one.end == two.start for one, two in pairwise(tiles) if one.start != two.start)
        assert bool(tiles) == bool(shown)
    assert "U+FFFD" not in page.locator(".card").inner_text()


def test_tokens_are_one_listbox_for_the_keyboard(open_case, tokenizer):
    page = open_case()
    wait_for_size(page, 1024)
    rows = page.locator(".rows")
    assert rows.locator("[tabindex='0']").count() == 1
    rows.locator("[tabindex='0']").focus()
    focused = lambda: rows.evaluate("rows => rows.getRootNode().activeElement.ariaLabel")  # noqa: E731
    tokens = tokenizer.with_vocab_size(1024).encode(CASES["story"].shown)
    assert focused() == f"token 1 of {len(tokens):,}: A, id 65"
    page.keyboard.press("ArrowRight")
    assert focused() == f"token 2 of {len(tokens):,}: space S, id {tokens[1]}"
    page.keyboard.press("Control+End")
    assert focused().startswith(f"token {len(tokens):,} of {len(tokens):,}: ")
    page.keyboard.press("Control+Home")
    page.keyboard.press("ArrowDown")
    assert focused().endswith("line feed, id 10") or "line feed" in focused()


def test_card_tells_of_a_token_and_pinning_marks_its_other_uses(open_case, training, tokenizer):
    page = open_case()
    wait_for_size(page, 1024)
    vocabulary = tokenizer.with_vocab_size(1024)
    holmes = next(token_id for token_id, token in vocabulary.vocabulary.items() if token == b" Holmes")
    page.locator(".tile", has_text=re.compile("^·Holmes$")).first.click()
    card = page.locator(".card").inner_text()
    for fact in (
        f"id {holmes}",
        "20 48 6F 6C 6D 65 73",
        "32 72 111 108 109 101 115",
        f"from size {holmes + 1}",
        f"{holmes - 256} (the {ordinal(holmes - 255)} merge learned)",
        f"counted when learned\n{training.counts[holmes - 256]:,}",
        "Only this token is coloured. Unpin to see all.",
        f"{vocabulary.encode(CASES['story'].shown).count(holmes)} in this excerpt",
        f"{vocabulary.encode(STORY).count(holmes)} in all of the <b>corpus</b>",
    ):
        assert fact in card
    tiles = read_tiles(page)
    marked = [tile for tile in tiles if "same" in tile.classes.split()]
    assert {tile.token_id for tile in marked} == {holmes}
    assert len(marked) == sum(tile.token_id == holmes for tile in tiles)
    assert sum("pinned" in tile.classes.split() for tile in tiles) == 1
    page.keyboard.press("Escape")
    assert page.locator(".same").count() == 0


def test_card_of_a_whole_short_text_does_not_count_it_twice(open_case):
    page = open_case("short")
    page.locator(".tile", has_text=re.compile("^e$")).first.click()
    uses = page.locator(".card dd").last.inner_text()
    assert re.fullmatch(r"[\d,]+ in all of the <b>corpus</b>", uses)


def test_sheet_of_a_phone_leaves_the_tapped_token_in_sight(open_case):
    page = open_case(width=390, height=844)
    tile = page.locator(".row").nth(7).locator(".tile").first
    tile.click()
    page.locator(".card.open").wait_for()
    page.wait_for_function(f"() => {BOX_OF('.tile.pinned')}.bottom <= {BOX_OF('.card')}.top")


def test_tree_of_merges_is_reached_by_keys_and_stands_as_text(open_case, tokenizer):
    page = open_case()
    wait_for_size(page, 1024)
    page.locator(".tile", has_text=re.compile("^·Holmes$")).first.click()
    page.locator(".tree [tabindex='0']").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    ids = {token: token_id for token_id, token in tokenizer.vocabulary.items()}
    merge = tokenizer.merges[ids[b" Holmes"] - 256]
    left, right = (tokenizer.vocabulary[part] for part in merge.pair)
    about = page.locator(".about-node").inner_text()
    assert about.startswith(f"{right.decode()}  rank {ids[right] - 256}, counted ")
    page.get_by_text("The tree as text").click()
    outline = page.locator(".card pre", has_text="Holmes").inner_text().split("\n")  # written when the fold opens
    assert len(outline) == 2 * len(b" Holmes") - 1
    assert outline[0].startswith(f"·Holmes  rank {merge.rank}, counted ")
    assert outline[1].startswith(f"  {left.decode().replace(' ', '·')}  ")


def test_copying_gives_the_raw_text(open_case):
    page = open_case()
    wait_for_size(page, 1024)
    select = """rows => {
        const tiles = [...rows.querySelectorAll('.tile')];
        const from = tiles.find(tile => tile.textContent === '·Holmes');
        const to = tiles[tiles.indexOf(from) + 9];
        from.focus();
        const selection = rows.getRootNode().getSelection();
        selection.setBaseAndExtent(from.firstChild, 1, to.firstChild, to.firstChild.length);
        return [from.start + 1, to.end];
    }"""
    start, end = page.locator(".rows").evaluate(select)
    page.keyboard.press("Control+c")
    shown = CASES["story"].shown.encode()
    assert page.evaluate("navigator.clipboard.readText()") == shown[start:end].decode()
    page.locator(".tile").first.focus()
    page.keyboard.press("Control+a")
    page.keyboard.press("Control+c")
    assert page.evaluate("navigator.clipboard.readText()") == CASES["story"].shown


def test_opening_sweep_ends_at_the_size_and_any_input_ends_it(open_case):
    page = open_case(extra="&sweep=1")
    assert shown_size(page) < 1024
    page.keyboard.press("Shift")
    assert shown_size(page) == 1024


def test_opening_sweep_runs_to_its_end_alone(open_case):
    page = open_case(extra="&sweep=1")
    first = shown_size(page)
    page.wait_for_timeout(3_500)
    assert first < 1024
    assert shown_size(page) == 1024


def test_reduced_motion_has_no_sweep_and_no_fading(open_case):
    page = open_case(extra="&sweep=1", reduced_motion=True)
    assert shown_size(page) == 1024
    name = "rows => { const tile = rows.querySelector('.tile'); tile.classList.add('closing');"
    assert page.locator(".rows").evaluate(f"{name} return getComputedStyle(tile, '::after').animationName }}") == "none"


def test_watch_button_names_the_merge(open_case, tokenizer):
    page = open_case(extra="&watch=1")
    wait_for_size(page, 1024)
    page.locator(".tile", has_text=re.compile("^·Holmes$")).first.click()
    page.get_by_role("button", name="Watch these merges").click()
    symbol = next(token_id for token_id, token in tokenizer.vocabulary.items() if token == b" Holmes")
    page.wait_for_function(f"document.body.innerText.includes('watch {symbol}')")


def test_dark_theme_is_followed_while_the_page_is_open(open_case):
    page = open_case()
    wait_for_size(page, 1024)
    page.locator(".track").press("Home")
    wait_for_size(page, 256)
    page.emulate_media(color_scheme="dark")
    page.locator(".tokens.dark").wait_for()
    assert shown_size(page) == 256


def test_phone_docks_the_bar_and_brings_the_card_up_on_a_tap(open_case):
    page = open_case(width=390, height=844)
    wait_for_size(page, 1024)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator(".card").is_visible() is False
    page.locator(".tile", has_text=re.compile("^·Holmes$")).first.click()
    box = page.locator(".card").bounding_box()
    assert box["y"] + box["height"] == pytest.approx(844, abs=1)
    assert box["height"] <= 422
    page.get_by_role("button", name="Close").click()
    assert page.locator(".card").is_visible() is False
    assert page.locator(".same").count() == 0
    assert page.locator(".ticks .first").inner_text() == "0 merges"
    labels = page.locator(".ticks > :is(.first, .major):not(.near)").evaluate_all(BOXES)
    assert all(one[1] < two[0] for one, two in pairwise(labels))


def test_what_was_learned_has_room_though_training_stopped_early(open_case):
    page = open_case("short")
    bar = page.locator(".track").bounding_box()
    hatched = page.locator(".not-reached").bounding_box()
    assert hatched["width"] == pytest.approx(0.4 * bar["width"], abs=1)
    track = page.locator(".track")
    learned = int(track.get_attribute("aria-valuemax")) - 258
    drag_to(page, 0.3)  # half of what was learned
    page.mouse.down()
    page.mouse.up()
    assert shown_size(page) - 258 == round(8 * ((1 + learned / 8) ** 0.5 - 1))
    track.press("End")
    page.get_by_text(f"= 256 bytes + 2 specials + {learned} merges", exact=True).wait_for()
    track.press("Home")
    page.get_by_text("= 256 bytes + 2 specials + 0 merges", exact=True).wait_for()  # drawn with the next frame
    track.press("ArrowRight")
    page.get_by_text("= 256 bytes + 2 specials + 1 merge", exact=True).wait_for()


@pytest.mark.parametrize("case", ["story", "short", "nothing learned"])
def test_knob_and_curve_never_touch_the_name_of_the_track(open_case, case):
    page = open_case(case)
    name = page.locator(".track-name").bounding_box()
    for key in ("Home", "End"):
        page.locator(".track").press(key)
        assert page.locator(".handle i").bounding_box()["y"] >= name["y"] + name["height"]
        assert page.locator(".curve").bounding_box()["y"] >= name["y"] + name["height"]


def test_card_says_when_later_merges_took_most_of_what_was_counted(open_case, tokenizer):
    page = open_case()
    wait_for_size(page, 1024)
    page.locator(".track").press("Home")
    page.locator(".track").press("ArrowRight")
    first = tokenizer.vocabulary[256]
    uses = [STORY.encode().count(first), tokenizer.encode(STORY).count(256)]
    assert uses[1] < uses[0] / 2
    page.locator(".rows .tile:not(.raw)").first.click()
    note = page.get_by_text("Later merges took most of them into longer tokens.")
    tree = page.locator(".tree").bounding_box()
    assert note.is_visible() is False
    page.locator(".track").press("End")
    note.wait_for()
    assert page.locator(".tree").bounding_box() == tree


def test_fold_explains_the_marks_and_the_words(open_case):
    page = open_case()
    page.get_by_text("What do the marks mean?").click()
    words = page.locator(".legend dl").nth(1).inner_text().split("\n")
    assert words[::2] == ["Byte", "Chunk", "Merge", "Rank", "Token", "Vocabulary", "Document"]
    assert words[7] == "the merge's number; 0 was learned first"


@pytest.mark.parametrize("width", [1280, 390])
def test_card_of_a_strip_shows_everything_and_keeps_its_height(serve, open_page, width):
    page = open_page(serve("tests/browser/apps/token_strip_app.py"), width=width)
    page.locator(".tile").first.wait_for()
    heights = set()
    tiles = page.locator(".rows .tile")
    for i in range(tiles.count()):
        tiles.nth(i).hover()
        assert page.locator(".card-body").evaluate("body => body.scrollHeight <= body.clientHeight")
        assert page.locator(".card").evaluate("card => card.scrollHeight <= card.clientHeight")
        heights.add(page.locator(".card").bounding_box()["height"])
    assert len(heights) == 1
    assert tiles.count() > 10
    tiles.nth(1).click()
    assert page.get_by_text("Only this token is coloured. Unpin to see all.").is_visible()
    page.get_by_role("button", name="Unpin").click()
    assert page.get_by_role("button", name="Pin", exact=True).is_visible()
    tiles.nth(1).click()
    page.get_by_text("Made of, by rank").click()
    page.locator(".tree .tile").nth(2).wait_for()
    assert page.locator(".card").evaluate("card => card.scrollHeight <= card.clientHeight")
