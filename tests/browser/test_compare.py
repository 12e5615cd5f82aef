"""Compare in a real browser: the lanes, the size bar over them, and the ways into and out of them."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import parse_qs, quote, urlparse

import pytest
from token_view_reader import colour_class

from bpe_core import Tokenizer, count_chunks, train
from bpe_core.disagreement import most_frequent_parted
from bpe_core.orders import cut_all, cut_text
from bpe_core.samples import sample_documents

SENTENCE = "The unhappiness of an unseen stranger, reëntered."
READ_LANES = """lanes => [...lanes.querySelectorAll('.lane:not(.ruler-row)')].map(lane => [
    lane.querySelector('.lane-name').textContent, lane.querySelector('.tokens-now').textContent,
    lane.querySelector('.against').textContent, lane.classList.contains('waiting'),
    [...lane.querySelectorAll('.tile')].map(tile => [tile.token.start, tile.token.end, tile.className,
        tile.getBoundingClientRect().left - lane.getBoundingClientRect().left]).sort((a, b) => a[0] - b[0])])"""


class Lane(NamedTuple):
    """A lane as it is drawn; of each tile: start, end, classes, left."""

    name: str
    tokens: str
    against: str
    waits: bool
    tiles: list

    @property
    def spans(self) -> list[tuple[int, int]]:
        """From which byte to which each tile reaches."""
        return [(start, end) for start, end, *_ in self.tiles]


@pytest.fixture(scope="module")
def training():
    return train(count_chunks(sample_documents("sherlock")), 8192)


@pytest.fixture
def open_compare(serve, open_page):
    def open_it(query: str = "", **how):
        page = open_page(f"{serve('app.py')}/compare{query}", **how)
        page.locator(".lane .tile").first.wait_for()
        return page

    return open_it


def read_lanes(page) -> list[Lane]:
    return [Lane(*lane) for lane in page.locator(".lanes").evaluate(READ_LANES)]


def spans_of(tokenizer: Tokenizer, text: str, order: str, **how) -> list[tuple[int, int]]:
    found, start = [], 0
    for token in [token for chunk in cut_text(tokenizer, text, order, **how) for token in chunk]:
        found.append((start, start + len(token)))
        start += len(token)
    return found


def check_tiles(lanes: list[Lane]) -> None:
    """Each tile has its token's colour, and those that rank order does not make are outlined."""
    for lane in lanes[1:]:
        for start, end, classes, _ in lane.tiles:
            shared = (start, end) in lanes[0].spans
            assert ("agrees" in classes.split(), "part" in classes.split()) == (shared, not shared)
            assert colour_class(SENTENCE.encode()[start:end]) in classes.split()


def release_at(page, share: float) -> None:
    """Drag the size bar to this share of its length, let go, and wait for the lanes."""
    box = page.locator(".track").bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.6 * box["width"], middle)
    page.mouse.down()
    page.mouse.move(box["x"] + share * box["width"], middle, steps=4)
    page.mouse.up()
    page.locator(".lane.waiting").first.wait_for()
    page.locator(".lane.waiting").first.wait_for(state="detached")


def wait_for_lanes(page, text: str) -> None:
    """Wait until no lane waits, and the lanes show this text."""
    page.wait_for_function(
        """text => {
            const roots = [...document.querySelectorAll('*')].map(each => each.shadowRoot).filter(Boolean);
            const lanes = roots.map(root => root.querySelector('.lanes')).find(Boolean);
            const shown = lanes?.querySelector('.lane:not(.ruler-row) .rows')?.innerText.replaceAll('\\n', '');
            return shown === text && !lanes.querySelector('.waiting');
        }""",
        arg=text,
    )


def test_lanes_on_screen_are_the_cuts_of_the_core(open_compare, training):
    page = open_compare("?ways=Longest+match&ways=Fewest+tokens&ways=Dropout&dropout_p=0.3&dropout_seed=5")
    tokenizer = training.tokenizer.with_vocab_size(1024)
    lanes = read_lanes(page)

    orders = ["rank", "longest match", "fewest tokens", "dropout"]
    expected = [spans_of(tokenizer, SENTENCE, order, p=0.3, seed=5) for order in orders]
    assert [lane.spans for lane in lanes] == expected
    assert [lane.tokens for lane in lanes] == [f"{len(spans)} tokens" for spans in expected]
    assert lanes[3].against.endswith(f"{len(set(expected[3]) - set(expected[0]))} differ")
    check_tiles(lanes)


def test_lanes_stand_on_one_byte_ruler(open_compare):
    page = open_compare("?ways=List+run+backwards&ways=Highest+rank+first")

    lefts = [{start: left for start, _, _, left in lane.tiles} for lane in read_lanes(page)]

    for other in lefts[1:]:
        assert all(abs(other[start] - left) < 0.51 for start, left in lefts[0].items() if start in other)
    ticks = page.locator(".ruler span").evaluate_all("all => all.map(each => each.getBoundingClientRect().left)")
    lane_left = page.locator(".lane:not(.ruler-row)").first.bounding_box()["x"]
    under_ticks = [(start, left) for lane in lefts for start, left in lane.items() if start % 5 == 0]
    assert len(under_ticks) > 10
    assert all(abs(ticks[start // 5] - lane_left - left) < 1.01 for start, left in under_ticks)


def test_lanes_follow_the_bar_rank_order_at_once_the_others_on_release(open_compare, training):
    page = open_compare()
    box = page.locator(".track").bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.6 * box["width"], middle)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.4 * box["width"], middle, steps=4)
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    size = int(page.locator(".lanes-view .figures .size").inner_text().replace(",", ""))
    smaller = training.tokenizer.with_vocab_size(size)

    dragged = read_lanes(page)
    assert size < 1024
    assert dragged[0].spans == spans_of(smaller, SENTENCE, "rank")
    assert [(lane.waits, lane.tokens) for lane in dragged[1:]] == [(True, "…"), (True, "…")]

    page.mouse.up()
    page.locator(".lane.waiting").first.wait_for(state="detached")
    released = read_lanes(page)
    assert [lane.spans for lane in released] == [
        spans_of(smaller, SENTENCE, order) for order in ("rank", "longest match", "reversed priority")
    ]
    check_tiles(released)
    page.wait_for_function("size => document.querySelector('.st-key-size input').value === size", arg=str(size))


def test_the_card_keeps_its_place_and_a_token_its_pin_when_the_size_changes(open_compare, training):
    page = open_compare()
    lanes, card = page.locator(".lane:not(.ruler-row)"), page.locator(".lanes-view .card")
    place = SENTENCE.encode().index(b"stranger")
    find = "(tiles, at) => tiles.findIndex(({ token }) => token.start <= at && at < token.end)"
    tiles = lanes.nth(1).locator(".tile")
    tiles.nth(tiles.evaluate_all(find, place)).hover()
    release_at(page, 0.4)

    size = int(page.locator(".lanes-view .figures .size").inner_text().replace(",", ""))
    spans = spans_of(training.tokenizer.with_vocab_size(size), SENTENCE, "longest match")
    start, end = next((start, end) for start, end in spans if start <= place < end)
    assert f"\n{SENTENCE.encode()[start:end].hex(' ').upper()}\n" in card.inner_text()

    tiles = lanes.first.locator(".tile")
    tiles.nth(tiles.evaluate_all(find, place)).click()
    pinned = lanes.first.locator(".tile.pinned").evaluate("({ token }) => [token.start, token.end]")
    release_at(page, 0.5)
    assert pinned in [[start, end] for start, end, *_ in read_lanes(page)[0].tiles]
    assert lanes.first.locator(".tile.pinned").evaluate("({ token }) => [token.start, token.end]") == pinned
    assert card.get_by_role("button", name="Unpin").count() == 1


def test_a_row_of_the_table_puts_its_chunk_in_the_lanes(open_compare, training):
    page = open_compare()
    tokenizer = training.tokenizer.with_vocab_size(1024)
    cuts = [cut_all(tokenizer, training.chunk_counts, order) for order in ("longest match", "rank")]
    third = most_frequent_parted(*cuts)[2].chunk.decode()
    table = page.locator(".st-key-parted_longest_match_rank")
    table.locator("canvas").first.wait_for()
    table.scroll_into_view_if_needed()
    page.wait_for_timeout(300)  # the table draws itself after it has come into sight

    box = table.locator("canvas").first.bounding_box()
    page.mouse.click(box["x"] + 60, box["y"] + 3.5 * 35)

    wait_for_lanes(page, third.replace(" ", "·"))
    lanes = read_lanes(page)
    assert page.get_by_label("A sentence or a word", exact=True).input_value() == third
    assert lanes[0].spans == spans_of(tokenizer, third, "rank")
    assert spans_of(tokenizer, third, "longest match") in [lane.spans for lane in lanes[1:]]


def test_back_finds_the_ways_that_were_left_and_so_does_a_reload(open_compare):
    page = open_compare("?ways=Fewest+tokens&ways=Dropout&dropout_p=0.35")
    names = [lane.name for lane in read_lanes(page)]
    page.get_by_role("link", name="Watch").click()
    page.locator(".tile").first.wait_for()
    page.get_by_text("Encoding a word", exact=True).click()
    page.wait_for_url("**/watch?*watch_segment=*")
    page.get_by_role("link", name="Vocabulary").click()
    page.wait_for_url("**/vocabulary*")

    page.go_back()
    page.wait_for_url("**/watch?*watch_segment=*")
    page.get_by_label("A word or a sentence", exact=True).wait_for()
    page.go_back()  # Streamlit keeps two entries for a page whose address it changed
    page.go_back()
    page.wait_for_url("**/compare?*dropout_p=0.35*")
    page.locator(".lane .tile").first.wait_for()
    assert [lane.name for lane in read_lanes(page)] == names
    page.reload()
    page.locator(".lane .tile").first.wait_for()
    assert [lane.name for lane in read_lanes(page)] == names


def test_why_leads_to_watch_where_the_chunk_is_cut_pass_by_pass(open_compare):
    page = open_compare()
    at = page.locator(".reason").first.locator("code").first.inner_text()

    page.locator(".reason").first.get_by_role("button").click()

    page.wait_for_url("**/watch*")
    page.get_by_label("A word or a sentence", exact=True).wait_for()
    assert page.get_by_label("A word or a sentence", exact=True).input_value() == at.replace("·", " ")


def test_lanes_offer_a_word_that_parts_where_all_agree(open_compare):
    page = open_compare(f"?sentence={quote('the')}")
    assert "All ways agree here." in page.locator(".why-place").inner_text()

    page.locator(".why-place").get_by_role("button").click()

    page.locator(".reason").first.wait_for()
    assert page.get_by_label("A sentence or a word", exact=True).input_value() != "the"


def test_the_address_holds_ways_and_the_sentence_that_may_be_there(open_compare):
    sentence = "a<b> x\n2"
    page = open_compare(f"?sentence={quote(sentence)}&ways=Fewest+tokens")
    wait_for_lanes(page, "a<b>·x↵2")

    query = parse_qs(urlparse(page.url).query)
    assert (query["sentence"], query["ways"]) == ([sentence], ["Fewest tokens"])
    page.locator(".st-key-share_sentence label").click()
    page.wait_for_function("!location.search.includes('sentence')")


def test_lanes_scroll_together_inside_their_box_on_a_phone(open_compare):
    page = open_compare(width=390, height=844)

    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    before = [lane.bounding_box()["x"] for lane in page.locator(".lane .rows").all()]
    names = [name.bounding_box()["x"] for name in page.locator(".lane-name").all()]
    page.locator(".lanes").evaluate("lanes => lanes.scrollTo(120, 0)")

    assert [lane.bounding_box()["x"] for lane in page.locator(".lane .rows").all()] == [x - 120 for x in before]
    assert [name.bounding_box()["x"] for name in page.locator(".lane-name").all()] == names
