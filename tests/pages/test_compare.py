"""Compare: the lanes of a sentence, the table over a text, the chunks that part, other sizes, every cut of a word."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from itertools import accumulate, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import BpeError, ChunkCounts, Tokenizer, count_chunks, train
from bpe_core.counterexamples import counterexamples
from bpe_core.disagreement import disagreement, disagreement_by_size, sizes_to_compare
from bpe_core.lattice import lattice
from bpe_core.orders import ORDERS, cut_all, cut_text
from bpe_core.published import published_tokenizer
from bpe_core.samples import sample_documents
from pages.ui import compare_tasks, state
from pages.ui.charts import plain
from pages.ui.compare_cases import Subject
from pages.ui.compare_chart import MEASURES, ways_figure
from pages.ui.compare_corpus import HELD_OUT, LEARNED_TEXT, Measured
from pages.ui.compare_figures import check_countable, figures_of, figures_table, parted_pair, parted_table
from pages.ui.compare_lanes import LANE_BYTES, lanes_of, lanes_payload, spans
from pages.ui.compare_lattice import edge_shares, lattice_chunks, paths_table, samples_table
from pages.ui.compare_lattice_figure import lattice_figure
from pages.ui.compare_parted import show_shortest
from pages.ui.compare_sentence import DEFAULT_SENTENCE, MOST_SHARED, is_gpt4
from pages.ui.compare_sizes import sizes_table
from pages.ui.compare_view import added_sentence, lanes_table, limit_sentence
from pages.ui.compare_ways import DEFAULT_OTHERS, MOST_LANES, OTHERS, WAYS, Chosen
from pages.ui.corpus import Corpus
from pages.ui.loaded import LoadedVocabulary, load_published
from pages.ui.session import Session, SizeChosen

DTYPES = {"u1": np.uint8, "u2": np.uint16, "u4": np.uint32}
CHOSEN = Chosen(("rank", *DEFAULT_OTHERS), 0.1, 0)
HOSTILE = "<img src=x onerror=alert(1)> **b** :material/home: $x$ \u202etxt"


@pytest.fixture(autouse=True)
def patient_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare_tasks, "PATIENCE_SECONDS", 50.0)


@pytest.fixture(scope="module")
def sherlock():
    return train(count_chunks(sample_documents("sherlock")), 8192)


@pytest.fixture(scope="module")
def tokenizer(sherlock) -> Tokenizer:
    return sherlock.tokenizer.with_vocab_size(1024)


def payload(app) -> dict:
    found = [json.loads(each.proto.json) for each in app.get("bidi_component")]
    return next(data for data in found if "cut_signature" in data)


def unpacked(packed) -> np.ndarray:
    code, text = packed
    return np.frombuffer(base64.b64decode(text), DTYPES[code])


def drawn_tokens(data: dict, lane: dict) -> list[bytes]:
    """The tokens of a lane, from the bytes and gaps that the browser gets."""
    content, gaps = unpacked(data["model"]["text"]).tobytes(), unpacked(lane["cut"]["gaps"])
    ends = [*(np.flatnonzero(gaps) + 1).tolist(), len(content)]
    return [content[start:end] for start, end in pairwise([0, *ends])] if content else []


def joined(tokens: list[list[bytes]]) -> list[bytes]:
    return [token for chunk in tokens for token in chunk]


# --- lanes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sentence",
    [DEFAULT_SENTENCE, "", "x", "\n\n \t", HOSTILE, "strawberry " * 200, "s" * 5_000, "🙂é日" * 40],
    ids=["default", "empty", "one byte", "white space", "hostile", "long", "one long chunk", "many bytes each"],
)
def test_lanes_are_the_cuts_of_the_core_whatever_the_sentence(tokenizer, sentence):
    chosen = Chosen(("rank", "longest match", "reversed pass", "dropout"), 0.3, 7)

    found = lanes_of(tokenizer, sentence, chosen)

    rank = spans(cut_text(tokenizer, sentence, "rank"))
    for lane in found.lanes:
        expected = cut_text(tokenizer, sentence, lane.order, p=0.3, seed=7)
        assert lane.tokens == expected
        assert lane.num_tokens == len(joined(expected))
        if lane.order != "rank":
            assert lane.parts == sum(span not in rank for span in spans(expected))


@given(st.text(alphabet="abc é\n", max_size=30), st.sampled_from(OTHERS))
def test_lanes_tell_a_reason_exactly_where_a_way_parts(sentence, order):
    tokenizer = train(ChunkCounts.from_counts({b"abcab": 3, b" bca": 2, "é é".encode(): 2}), 270).tokenizer

    found = lanes_of(tokenizer, sentence, Chosen(("rank", order), 0.5, 1))

    parts = found.lanes[0].tokens != found.lanes[1].tokens
    assert bool(found.reasons) == parts == bool(found.lanes[1].parts)
    assert found.all_agree == (bool(sentence) and not parts)


def test_lanes_draw_whole_chunks_and_count_all(tokenizer):
    found = lanes_of(tokenizer, "stranger unhappiness " * 500, CHOSEN)

    assert found.is_limited
    assert not found.cut_short
    assert found.shown == found.chunks[: len(found.shown)]
    assert LANE_BYTES - 20 < len(b"".join(found.shown)) <= LANE_BYTES
    assert found.lanes[0].num_tokens == len(tokenizer.encode("stranger unhappiness " * 500))
    assert "of 1,001" in limit_sentence(found)


def test_lanes_draw_the_start_of_a_chunk_that_is_too_long(tokenizer):
    found = lanes_of(tokenizer, "é" * 10_000, CHOSEN)
    data = lanes_payload(tokenizer, found, CHOSEN, can_watch=True)

    assert found.cut_short
    assert data["cut_short"]
    assert found.shown == ["é".encode() * (LANE_BYTES // 2)]
    assert unpacked(data["lanes"][1]["cut"]["gaps"]).size == LANE_BYTES - 1
    assert found.lanes[1].num_tokens == len(joined(cut_text(tokenizer, "é" * 10_000, "longest match")))


@pytest.mark.parametrize(("p", "same_as"), [(0.0, "rank"), (1.0, None)])
def test_lanes_of_dropout_at_its_two_ends(tokenizer, p, same_as):
    found = lanes_of(tokenizer, DEFAULT_SENTENCE, Chosen(("rank", "dropout"), p, 0))

    if same_as:
        assert found.lanes[1].tokens == found.lanes[0].tokens
        assert found.all_agree
    else:
        assert all(len(token) == 1 for token in joined(found.lanes[1].tokens))


def test_lanes_say_why_an_order_cannot_run():
    whole = whole_chunks()
    found = lanes_of(whole, "abxyz xyz", Chosen(("rank", "longest match", "reversed priority", "dropout"), 0.1, 0))

    assert [bool(lane.problem) for lane in found.lanes] == [False, False, True, True]
    assert "cannot run on this vocabulary, because" in found.lanes[2].problem
    assert lanes_payload(whole, found, CHOSEN, can_watch=False)["lanes"][2]["cut"] is None


def test_lanes_refuse_what_is_no_text(tokenizer):
    with pytest.raises(BpeError, match="surrogate"):
        lanes_of(tokenizer, "\ud800", CHOSEN)


def test_lanes_table_puts_every_token_of_every_way_together_again(tokenizer):
    found = lanes_of(tokenizer, DEFAULT_SENTENCE, CHOSEN)

    table = lanes_table(found, CHOSEN)

    for order, rows in table.groupby("technical name"):
        assert bytes.fromhex("".join(rows["hex"]).replace(" ", "")) == DEFAULT_SENTENCE.encode()
        assert list(rows["end"]) == list(accumulate(rows["end"] - rows["start"])), order
    parts = table[~table["rank order has it"]].groupby("way").size()
    assert dict(parts) == {CHOSEN.name(lane.order): lane.parts for lane in found.lanes if lane.parts}


def test_ways_name_every_order_of_the_core_once():
    assert tuple(WAYS) == ORDERS
    assert len({way.name for way in WAYS.values()}) == len(ORDERS)


# --- the page -----------------------------------------------------------------------------------


def test_compare_opens_with_three_lanes_equal_to_the_core(open_page, tokenizer):
    app = open_page("compare")
    data = payload(app)

    assert [lane["order"] for lane in data["lanes"]] == ["rank", *DEFAULT_OTHERS]
    assert [lane["tokens"] for lane in data["lanes"]] == [
        len(joined(cut_text(tokenizer, DEFAULT_SENTENCE, lane["order"]))) for lane in data["lanes"]
    ]
    for lane in data["lanes"][1:]:
        expected = joined(cut_text(tokenizer, DEFAULT_SENTENCE, lane["order"]))
        assert drawn_tokens(data, lane) == expected
        assert unpacked(lane["cut"]["ids"]).tolist() == [tokenizer.ids_of_tokens[token] for token in expected]
    assert all("joined" in why["sentence"] for why in data["why"])


def test_compare_table_holds_the_figures_of_the_core(open_page, sherlock, tokenizer):
    table = open_page("compare").dataframe[0].value

    rank = cut_all(tokenizer, sherlock.chunk_counts, "rank")
    for order, (_, row) in zip(ORDERS, table.iterrows(), strict=True):
        expected = disagreement(tokenizer, cut_all(tokenizer, sherlock.chunk_counts, order), rank)
        assert row["tokens"] == expected.num_tokens
        assert row["v. BPE"] == pytest.approx(100 * expected.more_tokens)
        assert row["chunks cut differently"] == pytest.approx(100 * expected.chunks_apart)
        assert row["distinct chunks cut differently"] == pytest.approx(100 * expected.distinct_chunks_apart)
        assert row["boundaries agree"] == pytest.approx(expected.boundary_f1)
        assert row["all in vocabulary"] == expected.in_vocabulary


def test_compare_follows_the_size_and_says_when_all_agree(open_page):
    app = open_page("compare", size="256")
    data = payload(app)

    assert data["all_agree"]
    assert not data["why"]
    assert {lane["tokens"] for lane in data["lanes"]} == {len(DEFAULT_SENTENCE.encode())}
    assert "cuts every chunk of this text as lowest rank first does" in app.text[0].value


@pytest.mark.parametrize("sentence", ["", "x", HOSTILE, "ab " * 3_334, "🙂" * 2_500], ids=range(5))
def test_compare_stands_any_sentence(open_page, sentence):
    app = open_page("compare")
    app.text_area(key="compare_sentence").set_value(sentence).run()

    assert not app.exception
    assert not app.error
    data = payload(app)
    shown = unpacked(data["model"]["text"]).tobytes()
    assert sentence.encode().startswith(shown)
    assert [lane["problem"] for lane in data["lanes"]] == ["", "", ""]
    assert all("onerror" not in each.value for each in app.markdown)


def test_compare_adds_and_removes_lanes_up_to_four(open_page):
    app = open_page("compare")
    app.multiselect(key="ways").set_value(["fewest tokens", "dropout", "reversed pass"]).run()
    assert [lane["order"] for lane in payload(app)["lanes"]] == ["rank", "fewest tokens", "dropout", "reversed pass"]
    assert app.multiselect(key="ways").proto.max_selections == MOST_LANES - 1

    app.number_input(key="dropout_p").set_value(1.0).run()
    assert payload(app)["lanes"][2]["tokens"] == len(DEFAULT_SENTENCE.encode())
    assert payload(app)["lanes"][2]["name"] == "Dropout 1"

    app.multiselect(key="ways").set_value([]).run()
    assert [lane["order"] for lane in payload(app)["lanes"]] == ["rank"]
    assert not payload(app)["all_agree"]


def test_compare_reads_ways_and_dropout_from_the_address(open_page):
    app = open_page("compare", ways=["Fewest tokens", "Dropout"], dropout_p="0.5", dropout_seed="3", size="700")

    assert [lane["name"] for lane in payload(app)["lanes"]][1:] == ["Fewest tokens", "Dropout 0.5"]
    assert payload(app)["size"] == 700


def test_compare_puts_the_sentence_in_the_address_only_if_the_visitor_agrees(open_page):
    app = open_page("compare")
    app.text_area(key="compare_sentence").set_value("a secret").run()
    assert "sentence" not in app.query_params

    app.toggle(key="share_sentence").set_value(True).run()
    assert app.query_params["sentence"] == "a secret"

    app.text_area(key="compare_sentence").set_value("x" * (MOST_SHARED + 1)).run()
    assert "sentence" not in app.query_params

    app.text_area(key="compare_sentence").set_value("short").run()
    app.toggle(key="share_sentence").set_value(False).run()
    assert "sentence" not in app.query_params


def find(app, place):
    """Choose in the menu "Find me one": 0 is the shortest word, then come the classic cases."""
    app.menu_button(key="find_me_one").click(place).run()


@pytest.mark.parametrize("place", range(len(counterexamples())))
def test_compare_shows_a_classic_case_under_its_own_rules_and_leads_back(open_page, place):
    case = counterexamples()[place]
    app = open_page("compare")
    app.text_area(key="compare_sentence").set_value("my own").run()
    app.multiselect(key="ways").set_value(["fewest tokens"]).run()
    find(app, 1 + place)

    data = payload(app)
    assert [lane["order"] for lane in data["lanes"]] == list(case.orders)
    for lane in data["lanes"]:
        assert lane["tokens"] == len(joined(cut_text(case.tokenizer, case.text, lane["order"])))
    assert "Its only rules" in app.info[0].value

    assert app.query_params["case"] == str(place)
    linked = payload(open_page("compare", case=str(place), sentence=case.text))
    assert linked["lanes"][0] == data["lanes"][0]
    assert payload(open_page("compare", case=str(place)))["lanes"][0] == data["lanes"][0]

    app.button(key="compare_back").click().run()
    assert not app.info
    assert len(app.dataframe)
    assert "case" not in app.query_params
    assert app.text_area(key="compare_sentence").value == "my own"
    assert [lane["order"] for lane in payload(app)["lanes"]] == ["rank", "fewest tokens"]


@pytest.mark.parametrize("given", ["", "x", "-1", "99", "²"])
def test_a_case_in_the_address_that_is_none_is_no_case(open_page, given):
    assert len(open_page("compare", case=given).dataframe)


def test_compare_finds_the_shortest_chunk_that_parts_two_ways(open_page, sherlock, tokenizer):
    app = open_page("compare")
    app.selectbox(key="parted_first").set_value("fewest tokens").run()
    app.selectbox(key="parted_second").set_value("reversed priority").run()
    app.button(key="show_shortest").click().run()

    cuts = [cut_all(tokenizer, sherlock.chunk_counts, order) for order in ("fewest tokens", "reversed priority")]
    chunks = list(sherlock.chunk_counts)
    parted = [chunk for n, chunk in enumerate(chunks) if cuts[0].tokens(n) != cuts[1].tokens(n)]
    found = app.text_area(key="compare_sentence").value.encode()
    assert found in parted
    assert len(found) == min(map(len, parted))
    assert {"fewest tokens", "reversed priority"} <= {lane["order"] for lane in payload(app)["lanes"]}


def test_compare_draws_about_twelve_sizes_when_asked(open_page):
    app = open_page("compare")
    assert not app.get("plotly_chart")
    app.button(key="compare_sizes").click().run()

    spec = json.loads(app.get("plotly_chart")[0].proto.spec)
    assert [trace["customdata"] for trace in spec["data"]] == [sizes_to_compare(256, 2235)] * 6


def test_compare_tells_that_work_was_stopped_and_begins_again(open_page, monkeypatch):
    monkeypatch.setattr(compare_tasks, "already", lambda *_: None)
    stopped = True
    monkeypatch.setattr("pages.ui.compare_corpus.figures_of", lambda *args: None if stopped else figures_of(*args))
    app = open_page("compare")
    assert "Stopped before the end." in [each.value for each in app.caption]

    stopped = False
    app.button(key="again_figures").click().run()
    assert len(app.dataframe) == 2


def test_compare_keeps_the_sizes_that_were_done_when_it_was_stopped(open_page, monkeypatch):
    def stopped_after_two(tokenizer, counts, orders, sizes, **how):
        return disagreement_by_size(tokenizer, counts, orders, sizes[:2], p=how["p"], seed=how["seed"])

    monkeypatch.setattr(compare_tasks, "already", lambda *_: None)
    monkeypatch.setattr("pages.ui.compare_sizes.disagreement_by_size", stopped_after_two)
    app = open_page("compare")
    app.button(key="compare_sizes").click().run()

    assert "Stopped before the end." in [each.value for each in app.caption]
    assert len(json.loads(app.get("plotly_chart")[0].proto.spec)["data"][0]["customdata"]) == 2

    monkeypatch.setattr("pages.ui.compare_sizes.disagreement_by_size", disagreement_by_size)
    app.button(key="again_sizes").click().run()
    assert "Stopped before the end." not in [each.value for each in app.caption]


def use_loaded(app, loaded) -> None:
    session = app.session_state["session"]
    session.loaded[loaded.digest] = loaded
    session.wanted_vocabulary = loaded.digest


def test_compare_cuts_by_a_loaded_vocabulary_at_its_sizes(open_page, switch_page):
    app = open_page()
    use_loaded(app, load_published("gpt2"))
    switch_page(app, "compare")

    tokenizer = published_tokenizer("gpt2")
    data = payload(app)
    assert data["size"] == 50_257
    assert [lane["tokens"] for lane in data["lanes"]] == [
        len(joined(cut_text(tokenizer, DEFAULT_SENTENCE, lane["order"]))) for lane in data["lanes"]
    ]
    assert "ids" not in data["model"]  # so the size bar is there


def test_compare_says_what_a_vocabulary_without_sizes_cannot_do(open_page, switch_page):
    app = open_page()
    use_loaded(app, LoadedVocabulary("whole", whole_chunks(), "d" * 64, "a test"))
    switch_page(app, "compare")

    data = payload(app)
    assert [bool(lane["problem"]) for lane in data["lanes"]] == [False, False, True]
    assert "ids" in data["model"]  # one cut, no size bar
    assert not any(why["watch"] for why in data["why"])
    assert any("cannot run on this vocabulary" in each.value for each in app.caption)
    assert not any(button.key == "compare_sizes" for button in app.button)


def test_reasons_call_the_ways_as_their_lanes_do(tokenizer):
    chosen = Chosen(("rank", "longest match", "reversed priority", "fewest tokens"), 0.1, 0)
    payload = lanes_payload(tokenizer, lanes_of(tokenizer, DEFAULT_SENTENCE, chosen), chosen, can_watch=True)
    words = ["".join(why["sentence"].split("`")[::2]) for why in payload["why"]]
    assert len(words) >= 2
    assert not any("rank order" in each or "reversed priority" in each for each in words)
    assert any(each.startswith("Highest rank first joined ") for each in words)


def test_compare_says_so_when_no_way_of_the_lanes_can_run(tokenizer):
    chosen = Chosen(("rank", "reversed pass"), 0.1, 0)
    words = [
        lanes_payload(each, lanes_of(each, sentence, ways), ways, can_watch=False)["no_reason"]
        for each, sentence, ways in [
            (whole_chunks(), "low", chosen), (tokenizer, "", chosen), (tokenizer, "low", Chosen(("rank",), 0.1, 0)),
        ]
    ]  # fmt: skip
    assert words == ["None of these ways can run on this vocabulary.", *["Type a sentence, and add a way to cut."] * 2]


def test_files_of_the_two_sides_have_two_names():
    names = [Measured(None, None, None, None, None, side).file_name("ways", 300) for side in (LEARNED_TEXT, HELD_OUT)]
    assert names == ["ways_300.csv", "ways_300_held_out.csv"]


def test_compare_measures_on_the_held_out_text_if_there_is_one(open_page, switch_page):
    app = open_page("compression")
    app.toggle(key="training_side_everywhere").set_value(True).run()
    switch_page(app, "compare")
    learned = app.dataframe[0].value["tokens"].tolist()
    app.segmented_control(key="compare_side").set_value("the held-out text").run()

    held_out = app.dataframe[0].value["tokens"].tolist()
    assert 0 < held_out[0] < learned[0]
    assert len(held_out) == len(learned) == len(ORDERS)


def test_compare_finds_a_word_for_the_lanes_it_has(open_page, tokenizer):
    app = open_page("compare")
    app.text_area(key="compare_sentence").set_value("the").run()
    assert payload(app)["all_agree"]

    find(app, 0)
    word = app.text_area(key="compare_sentence").value
    assert cut_text(tokenizer, word, "rank") != cut_text(tokenizer, word, "reversed priority")
    assert not payload(app)["all_agree"]


@pytest.mark.parametrize("ways", [["longest match", "reversed priority"], ["reversed priority", "longest match"]])
@pytest.mark.parametrize("case", [None, 0])
def test_the_shortest_word_that_parts_the_lanes_is_that_of_all_lanes(open_page, sherlock, tokenizer, ways, case):
    app = open_page("compare")
    if case is not None:
        find(app, 1 + case)
    app.multiselect(key="ways").set_value(ways).run()
    find(app, 0)

    rank = cut_all(tokenizer, sherlock.chunk_counts, "rank")
    others = [cut_all(tokenizer, sherlock.chunk_counts, order) for order in ways]
    shortest = min(
        len(chunk)
        for number, chunk in enumerate(sherlock.chunk_counts)
        if any(each.tokens(number) != rank.tokens(number) for each in others)
    )
    assert len(app.text_area(key="compare_sentence").value.encode()) == shortest
    assert app.multiselect(key="ways").value == ways
    assert not app.info


def test_without_a_way_no_word_is_looked_for(open_page):
    app = open_page("compare")
    app.multiselect(key="ways").set_value([]).run()
    app.text_area(key="compare_sentence").set_value("mine").run()
    find(app, 0)
    assert not app.exception
    assert app.text_area(key="compare_sentence").value == "mine"


def whole_chunks() -> Tokenizer:
    """A vocabulary that keeps a chunk whole if it is a token, as some published ones do, and so has no prefixes."""
    merges = Tokenizer.from_merges([(97, 98)])
    return Tokenizer(
        merges.pattern, merges.byte_ids, merges.pairs, merges.token_ids, merges.ranks, ignore_merges=True,
        lone_tokens={b"xyz": 300},
    )  # fmt: skip


# --- over a whole text ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def small():
    counts = ChunkCounts.from_counts({b"abc": 4, b"bc": 3, b"abcab": 2, b"zz": 5})
    return Tokenizer.from_merges([(98, 99), (97, 98)], "none"), counts


def test_figures_of_stops_when_told(small):
    asked = []

    assert figures_of(*small, 0.1, 0, lambda share: asked.append(share) or len(asked) == 3) is None
    assert len(asked) == 3
    assert asked == sorted(asked)


def test_figures_of_tells_progress_up_to_the_end(small):
    shares = []
    found = figures_of(*small, 0.1, 0, lambda share: shares.append(share) or False)

    assert shares[-1] == 1.0
    assert [row.order for row in found.rows] == list(ORDERS)
    assert list(found.parted) == list(OTHERS)


def test_figures_leave_out_orders_that_cannot_run(small):
    tokenizer, counts = small
    whole = Tokenizer(tokenizer.pattern, tokenizer.byte_ids, tokenizer.pairs, tokenizer.token_ids, tokenizer.ranks,
                      ignore_merges=True, lone_tokens={b"zz": 300})  # fmt: skip

    found = figures_of(whole, counts, 0.1, 0, lambda _: False)

    assert {row.order for row in found.rows} | set(found.cannot) == set(ORDERS)
    assert "reversed priority" in found.cannot
    assert len(figures_table(found, CHOSEN)) == len(found.rows)


def test_parted_pair_lists_the_most_frequent_first(small):
    found = parted_pair(*small, ("longest match", "rank"), 0.1, 0, lambda _: False)

    assert found.shortest.chunk == b"abc"
    table = parted_table(found, CHOSEN)
    assert table.to_numpy().tolist() == [["abc", 4, "ab | c", "a | bc"], ["abcab", 2, "ab | c | ab", "a | bc | ab"]]


def test_check_countable_refuses_a_vocabulary_that_changes_the_text():
    plain_one = Tokenizer.from_merges([(97, 98)])
    check_countable(plain_one)
    changed = Tokenizer(plain_one.pattern, plain_one.byte_ids, plain_one.pairs, plain_one.token_ids, plain_one.ranks,
                        normalization="NFC")  # fmt: skip

    with pytest.raises(BpeError, match="on your sentence only"):
        check_countable(changed)


def test_lanes_say_which_words_the_vocabulary_would_not_cut():
    plain_one = Tokenizer.from_merges([(97, 98)])
    added = replace(plain_one, added_tokens={"stranger": 300, "absent": 301})

    assert "takes “stranger” as one token before" in added_sentence(added, "a stranger")
    assert added_sentence(added, "low") == added_sentence(plain_one, "a stranger") == ""


def test_no_word_is_looked_for_with_a_vocabulary_that_changes_the_text(monkeypatch):
    said = []
    monkeypatch.setattr("pages.ui.compare_parted.st.toast", said.append)
    prefixed = replace(Tokenizer.from_merges([(97, 98)]), prefix_space=True)

    show_shortest(None, Subject(prefixed, "prefixed"), CHOSEN)

    assert len(said) == 1
    assert "changes a text" in said[0]


def test_ways_figure_draws_each_value_and_escapes_names(small):
    rows = disagreement_by_size(*small, ["longest match", "fewest tokens"], [256, 257, 258])
    figure = ways_figure(rows, {"longest match": "<b>"}, MEASURES["chunks"], 256, 257)

    assert list(figure.data[0].y) == [
        row.disagreement.chunks_apart for row in rows if row.disagreement.order == "longest match"
    ]
    assert figure.data[0].name == plain("<b>") == "&lt;b>"
    assert len(sizes_table(rows, CHOSEN)) == 6


def test_is_gpt4_asks_for_pattern_and_size():
    assert not is_gpt4(Tokenizer.from_merges([], "cl100k"))
    pairs = [(number % 256, number // 256 % 256) for number in range(65_536)]
    pairs += [(256 + number, 97) for number in range(34_208)]
    assert is_gpt4(Tokenizer.from_merges(pairs, "cl100k"))
    assert not is_gpt4(Tokenizer.from_merges(pairs, "gpt2"))


# --- every way to cut one word ------------------------------------------------------------------------


def test_lattice_tables_and_shares_agree_with_the_core(tokenizer):
    shown = lattice(tokenizer, b" stranger")
    paths, samples = shown.order_paths(), shown.dropout_samples(0.3, 50)

    table = paths_table(shown, paths)
    shares = edge_shares(samples)

    assert next(iter(table["cut"])) == " | ".join(
        token.decode().replace(" ", "·") for token in cut_text(tokenizer, " stranger", "rank")[0]
    )
    assert samples_table(shown, samples)["times"].sum() == 50
    assert sum(share for edge, share in shares.items() if edge.start == 0) == pytest.approx(1)
    assert sum(share for edge, share in shares.items() if edge.end == 9) == pytest.approx(1)


def test_lattice_chunks_are_short_and_begin_with_those_that_part(tokenizer):
    found = lanes_of(tokenizer, "unbelievably-long " + "x" * 40 + " of stranger", CHOSEN)

    chunks = lattice_chunks(found)

    assert all(len(chunk) <= 16 for chunk in chunks)
    assert b" of" in chunks
    assert chunks[0] in {reason.chunk for reason in found.reasons} | {found.chunks[0]}


def test_lattice_figure_escapes_its_labels():
    tokenizer = Tokenizer.from_merges([(60, 98), (256, 62)], "none")
    shown = lattice(tokenizer, b"<b>")

    figure = lattice_figure(shown, {})

    labels = [text for trace in figure.data if trace.text is not None for text in trace.text]
    assert "&lt;b>" in labels
    assert not any("<" in label for label in labels)


@pytest.mark.parametrize(
    ("key", "before", "size"),
    [("size", 1024, 400), ("size", 999, 1024), ("size_of_another", 1024, 1024)],
    ids=["the field lags", "the field was used", "another vocabulary by now"],
)
def test_a_size_chosen_in_the_lanes_outlives_a_run_with_the_old_number_field(open_page, key, before, size):
    app = open_page("compare")
    visit = app.session_state["session"]

    visit.size_chosen = SizeChosen(key, before, 400)
    app.run()

    assert app.number_input(key="size").value == size
    assert visit.size_chosen is None
    assert payload(app)["size"] == size


def test_a_task_of_one_text_is_not_taken_for_that_of_another_with_the_same_second_text(monkeypatch):
    visit = Session()
    monkeypatch.setattr(state, "session", lambda: visit)
    texts = [Corpus("held-out", ["low lower"], whole_digest=digest) for digest in ("one text", "another")]

    found = [
        compare_tasks.result_or_progress("figures", text, "a key", lambda _, text=text: text.whole_digest, "Working.")
        for text in texts
    ]

    assert found == ["one text", "another"]
