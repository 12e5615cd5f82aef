"""The shell in a real browser: cold links, the address, back and forward, and no request to the outside."""

import re

import pytest
from steps import choose

from bpe_core import Tokenizer
from bpe_core.samples import sample_documents
from pages.ui.excerpt import excerpt_at, place_of
from pages.ui.search_hits import hit_number, num_hits

FIRST_HIT = "[...document.querySelectorAll('*')].map(e => e.shadowRoot?.querySelector('.tile.hit')).find(Boolean)"
PAGES = {"": "Your text, in tokens", "train": "Your text, in tokens", "vocabulary": "What it learned"}


def size_field(page):
    return page.locator(".st-key-size input")


def is_in_sight(page, tile) -> bool:
    box, hit = page.locator(".text-view .rows").bounding_box(), tile.bounding_box()
    return box["y"] <= hit["y"] <= box["y"] + box["height"] - hit["height"]


def open_settled(page, heading: str):
    page.get_by_role("heading", name=heading, exact=True).wait_for()
    size_field(page).wait_for()


@pytest.mark.parametrize("name", PAGES, ids=lambda name: name or "start")
def test_page_opens_cold_by_its_link_on_a_fresh_server(serve_fresh, open_page, name):
    page = open_page(f"{serve_fresh('app.py')}/{name}?size=700")

    open_settled(page, PAGES[name])

    assert size_field(page).input_value() == "700"
    assert page.get_by_role("link", name="Vocabulary").count()
    assert page.locator("[data-testid=stException]").count() == 0


def test_size_stays_in_the_address_over_pages_back_forward_and_reload(serve, open_page):
    page = open_page(f"{serve('app.py')}/?size=700")
    open_settled(page, "Your text, in tokens")

    page.get_by_role("link", name="Vocabulary").click()
    open_settled(page, "What it learned")
    page.wait_for_url(re.compile(r"/vocabulary\?.*size=700"))
    page.go_back()
    open_settled(page, "Your text, in tokens")
    page.go_forward()
    open_settled(page, "What it learned")
    page.reload()
    open_settled(page, "What it learned")

    page.wait_for_url(re.compile(r"/vocabulary\?.*size=700"))
    assert size_field(page).input_value() == "700"


def test_a_search_hit_is_outlined_and_in_sight(serve, open_page):
    page = open_page(serve("app.py"))
    page.locator(".tile").first.wait_for()
    choose(page, page.locator(".st-key-excerpt_kind"), "a search hit")
    page.get_by_label("Find", exact=True).fill("Irene Adler")
    page.get_by_label("Find", exact=True).press("Enter")
    page.locator(".tile.found").first.wait_for()

    found, hit = page.locator(".tile.found"), page.locator(".tile.hit")
    assert "Irene·Adler" in "".join(found.all_inner_texts())
    assert "".join(hit.all_inner_texts()).strip("·") == "Irene·Adler"
    assert is_in_sight(page, hit.first)

    documents = sample_documents("sherlock")
    third = place_of(documents, "Irene Adler", hit_number(documents, "Irene Adler", 3))
    page.get_by_label(f"Hit, of {num_hits(documents, 'Irene Adler')}").fill("3")
    page.get_by_label("Hit, of").press("Enter")
    begins = excerpt_at(Tokenizer.from_merges([], "gpt2"), documents, third).hit
    page.wait_for_function(f"() => {FIRST_HIT}?.start <= {begins} && {FIRST_HIT}?.end > {begins}")
    assert is_in_sight(page, hit.first)

    page.get_by_label("Find", exact=True).fill("")
    page.get_by_label("Find", exact=True).press("Enter")
    found.first.wait_for(state="detached")


def test_no_page_asks_for_anything_outside(serve, open_page):
    url = serve("app.py")
    page = open_page("about:blank")
    asked = []
    page.on("request", lambda request: asked.append(request.url))

    for name, heading in PAGES.items():
        page.goto(f"{url}/{name}")
        open_settled(page, heading)
        page.wait_for_load_state("networkidle")

    assert len(asked) > 20
    assert [address for address in asked if not address.startswith((url, "data:", "blob:"))] == []


def test_dragging_the_bar_sends_the_size_once_and_the_address_follows(serve, open_page):
    page = open_page("about:blank")
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    page.goto(f"{serve('app.py')}/?size=700")
    open_settled(page, "Your text, in tokens")
    page.locator(".text-view .tile").first.wait_for()
    page.wait_for_timeout(3_500)  # the opening sweep takes 2.4 s
    track = page.locator(".track").bounding_box()
    before = len(sent)

    page.mouse.move(track["x"] + 60, track["y"] + 30)
    page.mouse.down()
    for step in range(30):
        page.mouse.move(track["x"] + 60 + 8 * step, track["y"] + 30)
    assert len(sent) == before
    page.mouse.up()

    shown = page.locator(".figures .size").inner_text().replace(",", "")
    page.wait_for_url(re.compile(rf"size={shown}\b"))
    page.wait_for_function("shown => document.querySelector('.st-key-size input').value === shown", arg=shown)
    assert shown != "700"
    assert len(sent) == before + 1


def test_hits_neither_overlap_nor_reach_into_the_next_document(serve, open_page):
    page = open_page(serve("app.py"))
    page.locator(".tile").first.wait_for()
    page.get_by_role("button", name="Upload…").click()
    texts = ["aa bb", "xa", "ax", "aaa"]
    files = [{"name": f"{n}.txt", "mimeType": "text/plain", "buffer": text.encode()} for n, text in enumerate(texts)]
    page.locator("[role=dialog] input[type=file]").set_input_files(files)
    page.get_by_role("button", name="Use these 4 documents").click()
    page.get_by_role("dialog").wait_for(state="detached")
    choose(page, page.locator(".st-key-excerpt_kind"), "a search hit")
    page.get_by_label("Find", exact=True).fill("aa")
    page.get_by_label("Find", exact=True).press("Enter")
    page.get_by_label("Hit, of 2").wait_for()
    page.locator(".tile.hit").first.wait_for()
    assert page.locator(".tile.found").all_inner_texts() == ["aa", "aa"]
    assert page.locator(".tile.hit").all_inner_texts() == ["aa"]
