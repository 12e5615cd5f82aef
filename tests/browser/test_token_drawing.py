"""The shared drawing by itself, in a page without a server: model, rows, tiles, rings, given cuts."""

from __future__ import annotations

import unicodedata
from collections import Counter
from random import Random

import numpy as np
import pytest

from bpe_core import Tokenizer, count_chunks, train
from bpe_core.visible import visible
from pages.ui.token_view import corpus_counts, cut_model, drawing_css, drawing_js, text_model

TEXT = "the theme of these tales: there, then, 🙂🙂🙂 the cat sat; aaaa aaa aaaaaaa\n\tthe ete ete — “the”\n"
PAGE = """<style>{css} .rows {{ height: 220px }}</style><div class="tokens" style="width: {width}px"></div>"""
NAMES = "window.D = { TextModel, TokenText, TokenCard, drawToken, visibleText, spokenText, colourOf };"


@pytest.fixture
def draw(open_page):
    """A function: model -> a page in which `view` shows all its merges."""

    def draw_it(model, *, width: int = 900, options: str = "{}"):
        page = open_page("about:blank")
        page.set_content(PAGE.format(css=drawing_css(), width=width))
        page.add_script_tag(content=drawing_js() + NAMES)
        start = f"""payload => {{
            window.model = new D.TextModel(payload);
            window.view = new D.TokenText(document.querySelector('.tokens'), {options});
            view.setModel(model);
            view.show(model.numMerges);
        }}"""
        page.evaluate(start, dict(model.payload))
        return page

    return draw_it


@pytest.fixture(scope="module")
def training():
    return train(count_chunks([TEXT]), 400)


@pytest.fixture(scope="module")
def model(training):
    corpus = corpus_counts("tales", training.chunk_counts, training.token_totals)
    return text_model(training.tokenizer, TEXT, corpus=corpus, counts=training.counts)


def tiles(page) -> list[dict]:
    read = """() => [...view.tiles()].sort((one, other) => one.start - other.start).map(tile => ({
        start: tile.start, end: tile.end, id: tile.token.id, text: tile.textContent, classes: [...tile.classList],
        left: tile.getBoundingClientRect().left, width: tile.getBoundingClientRect().width, top: tile.parentNode.parentNode.style.top }))"""  # noqa: E501
    return page.evaluate(read)


def test_model_counts_what_encoding_counts_at_every_size(draw, model, training):
    page = draw(model)
    counted = page.evaluate(
        """() => Array.from({ length: model.numMerges + 1 }, (_, k) => [model.numTokens(k), model.totalAt(k),
            Array.from({ length: 256 + k }, (_, s) => [model.usesHere(s, k), model.usesInCorpus(s, k)])])"""
    )
    for num_merges, (here, total, uses) in enumerate(counted):
        ids = training.tokenizer.with_vocab_size(256 + num_merges).encode(TEXT)
        expected = Counter(ids)
        assert (here, total) == (len(ids), len(ids))
        assert uses == [[expected[symbol], expected[symbol]] for symbol in range(256 + num_merges)]


def test_bytes_of_every_symbol_are_those_of_the_vocabulary(draw, model, training):
    drawn = draw(model).evaluate(
        "() => Array.from({ length: 256 + model.numMerges }, (_, symbol) => [...model.bytesOf(symbol)])"
    )
    assert [bytes(token) for token in drawn] == list(training.tokenizer.vocabulary.values())


def test_a_character_closes_in_the_place_of_its_bytes(draw, model, training):
    page = draw(model)
    start = TEXT.encode().index("🙂".encode())
    page.evaluate("view.show(0)")
    halves = [tile for tile in tiles(page) if start <= tile["start"] < start + 4]
    assert [tile["text"] for tile in halves] == ["F0", "9F", "99", "82"]
    page.evaluate("view.show(model.numMerges)")
    whole = next(tile for tile in tiles(page) if tile["start"] <= start < tile["end"])
    assert "🙂" in whole["text"]
    assert sum(tile["width"] for tile in halves) == 4 * halves[0]["width"]
    face = page.locator(".shown", has_text="🙂").first.bounding_box()
    assert face["width"] == pytest.approx(4 * halves[0]["width"])
    assert face["x"] == pytest.approx(halves[0]["left"])


def test_rows_keep_their_width_at_every_size(draw, model):
    page = draw(model, width=300)
    seen = set()
    for num_merges in range(0, model.num_merges + 1, 7):
        page.evaluate(f"view.show({num_merges})")
        rows: dict[str, float] = {}
        for tile in tiles(page):
            rows[tile["top"]] = rows.get(tile["top"], 0) + tile["width"]
        seen.add(tuple(sorted(rows.items())))
    assert len(seen) == 1


def test_a_token_over_a_row_end_is_one_token_in_two_open_tiles(draw):
    page = draw(
        text_model(Tokenizer.from_merges([(97, 97), (256, 256), (257, 257), (258, 258)], "none"), "a" * 64), width=200
    )
    drawn = tiles(page)
    first = next(tile for tile in drawn if "goes-on" in tile["classes"])
    second = next(tile for tile in drawn if tile["start"] == first["end"])
    assert "from-before" in second["classes"]
    assert first["id"] == second["id"]
    assert first["top"] != second["top"]
    names = page.evaluate("view.keys.nameAll(), [...view.tiles()].map(tile => tile.ariaLabel)")
    assert len(set(names)) == 4


def test_a_ring_stands_round_each_pair_that_will_join(draw, model, training):
    page = draw(model)
    rank = next(rank for rank in range(model.num_merges) if training.replaced[rank] > 3)
    page.evaluate(f"view.show({rank}), view.ring(model.gapsOfMerge({rank}))")
    gaps = page.evaluate(f"[...model.gapsOfMerge({rank})]")
    rings = page.evaluate("[...document.querySelectorAll('.ring')].map(ring => ring.getBoundingClientRect().toJSON())")
    assert len(rings) == len(gaps) == training.replaced[rank]
    before = tiles(page)
    pairs = [(t, u) for gap in gaps for t in before for u in before if t["end"] == gap + 1 == u["start"]]
    assert sorted(ring["left"] for ring in rings) == sorted(left["left"] for left, _ in pairs)
    assert sorted(ring["width"] for ring in rings) == sorted(left["width"] + right["width"] for left, right in pairs)
    page.evaluate("view.ring([])")
    assert page.locator(".ring").count() == 0


def test_a_closing_cut_fades_and_is_gone(draw, model):
    page = draw(model)
    closing = "document.querySelectorAll('.closing').length"
    assert page.evaluate(f"view.show(0), view.show(1, {{ close: 100 }}), {closing}") > 0
    page.wait_for_function(f"{closing} === 0")


def test_copying_takes_half_a_character_whole_and_keeps_a_byte_order_mark(draw):
    page = draw(text_model(Tokenizer.from_merges([]), "\ufeffa🙂b"))
    select = "[...view.tiles()].find(tile => tile.start === {}).firstChild"
    page.evaluate(f"getSelection().setBaseAndExtent({select.format(0)}, 0, {select.format(5)}, 1)")
    copied = page.evaluate("view.copy.selectedText()")
    assert copied == "\ufeffa🙂"


def test_out_of_sight_counts_both_directions(draw, training):
    long = text_model(training.tokenizer, TEXT * 30)
    page = draw(long, width=400)
    gaps = "model.gapsOfMerge(0)"
    assert page.evaluate(f"view.box.scrollTop = 0, view.outOfSight({gaps}).above") == 0
    page.evaluate(f"view.scrollTo({gaps}[{gaps}.length >> 1])")
    there = page.evaluate(f"view.outOfSight({gaps})")
    assert there["above"] > 0
    assert there["below"] > 0
    assert there["previous"] < there["next"]


def test_neighbours_of_one_colour_get_a_line(draw, model):
    for one, two in zip(drawn := tiles(draw(model)), drawn[1:], strict=False):
        colour = {"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"} & set(two["classes"])
        adjacent = one["end"] == two["start"] and two["left"] == pytest.approx(one["left"] + one["width"], abs=0.01)
        assert ("twin" in two["classes"]) == (adjacent and bool(colour & set(one["classes"])))


def test_a_given_cut_is_drawn_as_given_with_its_special_tokens(draw):
    tokenizer = Tokenizer.from_merges([(97, 98), (98, 99)], "none", ["<|end|>"])
    page = draw(cut_model(tokenizer, [[97, 258], [256], [257, 99]]))
    assert [(tile["text"], tile["id"]) for tile in tiles(page)] == [
        ("a", 97), ("bc", 258), ("<|END|>", 256), ("ab", 257), ("c", 99),
    ]  # fmt: skip
    page.evaluate("view.keys.nameAll()")
    assert page.locator(".special").get_attribute("aria-label") == "token 3 of 5: special token <|end|>, id 256"
    assert page.evaluate("[model.numTokens(0), model.usesHere(257, 0), model.tokenNumber(3, 0)]") == [5, 1, 3]


def test_ids_of_an_imported_table_are_shown(draw):
    tokenizer = Tokenizer(
        Tokenizer.from_merges([], "none").pattern,
        np.arange(256, dtype=np.int32)[::-1],
        np.array([[158, 157]], np.int32),
        np.array([300], np.int32),
        np.array([0], np.int32),
    )
    assert [tile["id"] for tile in tiles(draw(text_model(tokenizer, "abb")))] == [300, 157]


def test_one_line_scrolls_sideways_when_wrapping_is_off(draw, training):
    page = draw(text_model(training.tokenizer, "the theme " * 40), width=300, options="{ wrap: false }")
    assert page.evaluate("view.layoutRows.starts.length") == 1
    assert page.evaluate("view.box.scrollWidth > 3000")
    assert page.evaluate("getComputedStyle(view.box).overflowX") == "auto"


@pytest.mark.parametrize(
    ("token", "seen", "spoken"),
    [
        (b" Holmes", "·Holmes", "space Holmes"),
        (b"\n\n", "↵↵", "line feed line feed"),
        ("é".encode(), "é", "é"),
        (b"\xe2\x80", "⟨E2⟩⟨80⟩", "byte E2 byte 80"),
        ("\u202e·".encode(), "⟨RLO⟩·", "character RLO ·"),
        (b"\x00", "⟨00⟩", "control 00"),
        (b"\xed\xa0\x80", "⟨ED⟩⟨A0⟩⟨80⟩", "byte ED byte A0 byte 80"),
        (b"\xc0\x80\xf5", "⟨C0⟩⟨80⟩⟨F5⟩", "byte C0 byte 80 byte F5"),
        ("\ufffd".encode(), "\ufffd", "\ufffd"),
    ],
)
def test_bytes_are_written_and_spoken(draw, model, token, seen, spoken):
    page = draw(model)
    written = page.evaluate("bytes => [D.visibleText(bytes), D.spokenText(Uint8Array.from(bytes))]", list(token))
    assert written == [seen, spoken]


def test_tokens_are_written_as_in_the_tables(draw, model):
    characters = [chr(code) for code in range(0x20000) if unicodedata.category(chr(code)) not in ("Cn", "Cs")]
    tricky = [
        " ",
        "a",
        "\t",
        "\n",
        "\x00",
        "\x85",
        "\u0301",
        "\u093e",
        "क",
        "\u200d",
        "\u202e",
        "م",
        "\u0650",
        "👩",
        "🏽",
        "\ufe0f",
    ]
    random = Random(1)
    tokens = [character.encode() for character in characters]
    tokens += [
        "".join(random.choices(tricky, k=random.randint(2, 6))).encode()[random.randint(0, 1) :] for _ in range(5_000)
    ]
    written = draw(model).evaluate(
        "tokens => tokens.map(hex => D.visibleText(Uint8Array.from(hex.match(/../g) ?? [], two => parseInt(two, 16))))",
        [token.hex() for token in tokens],
    )
    different = [(token, seen) for token, seen in zip(tokens, written, strict=True) if seen != visible(token)]
    assert different == []


@pytest.mark.parametrize("width", [900, 200])
def test_every_document_begins_a_row_with_its_name(draw, training, width):
    documents = ["the theme of these tales", "there\n", "the cat sat; there, then the theme", "é"]
    chunks, starts, length = [], {}, 0
    for number, document in enumerate(documents, 1):
        starts[length] = number
        chunks += training.tokenizer.chunks(document)
        length += len(document.encode())
    page = draw(text_model(training.tokenizer, chunks, document_starts=starts), width=width)

    rows = page.evaluate(
        """() => [...document.querySelectorAll('.row')].map(row => [row.querySelector('.document-label')?.textContent,
            row.querySelector('.tile').start, row.querySelector('.tile').getBoundingClientRect().left,
            row.querySelector('.document-label')?.getBoundingClientRect().right])"""
    )
    named = [(name, byte) for name, byte, *_ in rows if name]
    assert named == [(f"document {number}", byte) for byte, number in starts.items()]
    assert all(left >= right for name, _, left, right in rows if name)
    page.evaluate("view.show(0)")
    page.evaluate("getSelection().selectAllChildren(view.sheet)")
    copied = "the theme of these tales\nthere\nthe cat sat; there, then the theme\né"
    assert page.evaluate("view.copy.selectedText()") == copied


def test_all_that_was_selected_is_let_go_with_its_text(draw, model, training):
    page = draw(model)
    page.locator(".tile").first.press("Control+a")
    assert page.evaluate("view.copy.selectedText()") == TEXT
    page.evaluate(
        "payload => view.setModel(new D.TextModel(payload))", dict(text_model(training.tokenizer, "a").payload)
    )
    page.evaluate("getSelection().removeAllRanges()")
    assert page.evaluate("view.copy.selectedText()") is None
