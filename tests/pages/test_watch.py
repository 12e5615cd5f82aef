"""The page Watch without a browser: what it sends, what it counts, and the textbook traces as printed."""

import base64
import io
import json

import numpy as np
import pandas as pd
import pytest

from bpe_core import count_chunks, merge_steps, named_pattern, train
from bpe_core.orders.steps import encode_steps
from bpe_core.reference import join, pair_counts
from bpe_core.samples import sample_documents
from bpe_core.traces import trace
from pages.ui import state
from pages.ui.corpus import Corpus
from pages.ui.encoding_film import chunk_payload
from pages.ui.merge_player import most_frequent_chunks, text_film, trace_film
from pages.ui.merge_player.textbook import BYTES, CHARACTERS, PRESETS, cut_by, preset_trace, readable
from pages.ui.run import Run, Settings
from pages.ui.session import Session
from pages.ui.text_models import chunks_model
from pages.ui.watch_encoding import UNSEEN_WORDS, rules_table, seen_sentence, trace_csv, unseen_word
from pages.ui.what_if import most_merges, other_rule, table
from pages.ui.why_panel import text_counts, trace_counts

DECODED = {"u1": np.uint8, "u2": np.dtype("<u2"), "u4": np.dtype("<u4")}


def run_of(*documents: str, size: int = 400, pattern: str = "gpt2", specials: tuple[str, ...] = ()) -> Run:
    settings = Settings(named_pattern(pattern), specials, size, 2)
    training = train(count_chunks(documents, settings.pattern), size, specials=specials)
    return Run(Corpus("a text", documents), settings, training, 256 + len(specials))


def unpacked(packed):
    code, content = packed
    return np.frombuffer(base64.b64decode(content), DECODED[code])


def preset(title):
    number = next(number for number, each in enumerate(PRESETS) if each.title == title)
    return PRESETS[number], preset_trace(number)


def learned(title):
    return [readable(step.left + step.right) for step in preset(title)[1].steps]


# --- what is sent -----------------------------------------------------------------------------


def test_film_of_12000_bytes_and_2000_merges_is_sent_in_under_100_kb():
    text = "".join(sample_documents("shakespeare"))
    run = run_of(text, size=2_256)
    model = chunks_model(run, run.training.tokenizer.chunks(text[:12_000]))
    film = text_film(model, run.training)
    assert (film.num_merges, model.num_bytes) == (2_000, 12_000)
    assert len(json.dumps(film.payload)) < 100_000


def test_film_of_chunks_holds_the_most_frequent_first_with_their_counts():
    run = run_of("b b a a b the the the the")
    chunks, times = most_frequent_chunks(run.training.chunk_counts, limit=100)
    film = text_film(chunks_model(run, chunks), run.training, times)
    assert chunks == [b" the", b" b", b" a", b"b"]
    assert unpacked(film.payload["times"]).tolist() == [4, 2, 2, 1]
    assert unpacked(film.payload["model"]["text"]).tobytes() == b" the b ab"
    assert film.signature != text_film(chunks_model(run, chunks), run.training).signature


def test_film_of_a_trace_hides_nothing_and_marks_gaps_that_never_close():
    made = trace({"a\u202e\0".encode(): 2}, 5, ties="first seen", alphabet=CHARACTERS)
    [word] = trace_film(made).payload["model"]["words"]
    assert word["symbols"] == ["a", "⟨RLO⟩", "⟨00⟩", "</w>"]
    unlearned = trace({b"ab": 1}, 5, ties="first seen", alphabet=BYTES)
    assert trace_film(unlearned).payload["model"]["words"][0]["gaps"] == [-1]


# --- why this pair ------------------------------------------------------------------------------


@pytest.mark.parametrize("specials", [(), ("<|a|>", "<|b|>")])
def test_rail_shows_the_pairs_that_the_reference_counts(specials):
    run = run_of("the cat and the hat that sat on the mat " * 3, size=290, specials=specials)
    chunks = [(list(chunk), count) for chunk, count in run.training.chunk_counts.items()]
    first = 256 + len(specials)
    for k in range(run.training.tokenizer.num_merges + 1):
        counted = pair_counts(chunks)
        shown = text_counts(run, k)
        as_id = lambda symbol: symbol if symbol < 256 else first + symbol - 256  # noqa: E731
        pairs = [((as_id(pair["left"]), as_id(pair["right"])), pair["count"]) for pair in shown["pairs"]]
        assert pairs == sorted(counted.items(), key=lambda item: (-item[1], item[0]))[:10]
        assert shown["num_tied"] == sum(count == pairs[0][1] for count in counted.values())
        if k < run.training.tokenizer.num_merges:
            merge = run.training.merges[k]
            assert (pairs[0], shown["num_tied"], shown["stops"]) == ((merge.pair, merge.count), merge.tied, "")
            chunks = [(join(symbols, merge.pair, merge.token_id), count) for symbols, count in chunks]
    assert shown["stops"] == run.stop_sentence


def test_rail_of_a_trace_puts_the_chosen_pair_before_those_it_ties_with():
    made = trace({b"ab": 2, b"cd": 2}, 2, ties="largest bytes", alphabet=BYTES)
    shown = trace_counts(made, "largest bytes", 0)
    pairs = [(pair["left"], pair["right"], pair["count"]) for pair in shown["pairs"]]
    assert pairs == [(["c"], ["d"], 2), (["a"], ["b"], 2)]
    assert (shown["num_tied"], shown["rule"], shown["k"]) == (2, "largest bytes", 0)


@pytest.mark.parametrize("ties", ["first seen", "largest bytes"])
def test_what_if_is_the_reference_under_the_other_rule(ties):
    run = run_of("zebra zeal the quick brown fox, the quick red fox; abc cba abc cba " * 2)
    other = other_rule(run, ties)
    steps = list(merge_steps(run.training.chunk_counts, 400, ties=ties))[: len(other.theirs)]
    assert other.theirs == tuple(step.left + step.right for step in steps)
    assert other.ours == tuple(run.training.tokenizer.vocabulary[merge.token_id] for merge in run.training.merges)
    assert other.alike == len({*other.ours} & {*other.theirs}) / len({*other.ours} | {*other.theirs})
    rows = table(other)
    assert (rows["in the other list"] == "nowhere").sum() == len({*other.ours} - {*other.theirs})
    assert (rows["in our list"] == "nowhere").sum() == len({*other.theirs} - {*other.ours})
    assert rows["rank"].tolist() == list(range(other.first_difference, max(len(other.ours), len(other.theirs))))
    assert other.ours[: other.first_difference] == other.theirs[: other.first_difference]
    assert other.ours[other.first_difference] != other.theirs[other.first_difference]


def test_what_if_is_capped_so_that_it_answers_soon():
    assert most_merges(200_000, 8_000) <= 20
    assert most_merges(15_000, 8_000) == 200


# --- textbook traces, as printed ------------------------------------------------------------------


def test_low_lower_lowest_cuts_other_words_as_printed():
    shown, made = preset("low, lower, lowest")
    cuts = {word: cut_by(made, shown.alphabet, word) for word in shown.try_words}
    assert cuts == {
        "low": ["low</w>"],
        "lower": ["lower</w>"],
        "lowest": ["lowest", "</w>"],
        "lowering": ["lower", "i", "n", "g", "</w>"],
        "lowered": ["lower", "e", "d", "</w>"],
    }


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("newest, 2 times", ["lo", "low"]),
        ("newest, 6 times", ["es", "est", "est</w>", "lo", "low"]),
        ("abab, abac", ["ab"]),
        ("aaabdaaabac, smallest pair", ["aa", "ab", "aaab"]),
        ("aaabdaaabac, first seen", ["aa", "aaa", "aaab"]),
        ("When is a suffix a token? Three words", ["lo", "low", "lowe", "st", "lower", "lowest"]),
        (
            "When is a suffix a token? Nine words",
            ["st", "al", "all", "lo", "low", "ast", "fast", "mall", "small", "er", "est", "tall", "faster", "smallest",
             "lower", "lowest", "taller", "tallest"],
        ),
        (
            "A shared root",
            ["ow", "er", "low", "·t", "en", "ken", "oken", "iz", "lower", "·token", "·tokeniz", "·s", "·lower", "ed",
             "es", "he", "in", "lowes", "ing", "lowest", "·b", "·d", "·f", "·j", "·l", "·o", "·q", "·lowest", "at",
             "az", "ck", "io", "ick", "mp", "og", "ox", "row", "token", "the", "uick", "ump", "ver", "·the", "izat"],
        ),
    ],
)  # fmt: skip
def test_preset_learns_what_is_printed(title, expected):
    assert learned(title)[: len(expected)] == expected
    if not title.startswith("newest"):
        assert len(learned(title)) == len(expected)


@pytest.mark.parametrize(
    ("title", "cuts"),
    [
        ("When is a suffix a token? Three words", {"newer": "n e w e r", "newest": "n e w e st"}),
        ("When is a suffix a token? Nine words", {"newer": "n e w er", "newest": "n e w est"}),
        ("abab, abac", {"abab": "ab ab", "abac": "ab a c"}),
        (
            "A shared root",
            {"tokenization": "token izat io n", " tokenization": "·tokeniz at io n", " tokenizer": "·tokeniz er",
             " slowest": "·s lowest", " fascinating": "·f a s c in at ing"},
        ),
    ],
)  # fmt: skip
def test_preset_cuts_other_words_as_printed(title, cuts):
    shown, made = preset(title)
    assert {word: " ".join(cut_by(made, shown.alphabet, word)) for word in cuts} == cuts
    assert set(cuts) == set(shown.try_words)


def test_newest_two_times_counts_es_only_five_times():
    _, made = preset("newest, 2 times")
    counts = {"".join(map(readable, made.spelled(pair))): count for pair, count in made.counts[0]}
    assert (counts["lo"], counts["ow"], counts["es"]) == (7, 7, 5)


# --- encoding a word --------------------------------------------------------------------------------


def test_trace_csv_has_a_row_for_each_pass_and_ends_with_the_tokens():
    run = run_of("low lower lowest " * 3)
    chunks = run.training.tokenizer.chunks("slowest low")
    films = [list(encode_steps(run.training.tokenizer, chunk)) for chunk in chunks]
    rows = pd.read_csv(io.StringIO(trace_csv(chunks, films)))
    assert len(rows) == sum(map(len, films))
    last = rows.groupby("chunk")["tokens_left"].last()
    assert last.sum() == len(run.training.tokenizer.encode("slowest low"))


def test_pass_payload_says_which_gap_has_which_rule():
    run = run_of("low low low", specials=("<|end|>",))
    tokenizer = run.training.tokenizer
    payload = chunk_payload(list(encode_steps(tokenizer, b"slow")))
    expected = [tokenizer.rules.get(pair, (None,))[0] for pair in [(108, 111), (111, 119)]]
    first, last = payload["passes"][0], payload["passes"][-1]
    assert base64.b64decode(payload["bytes"]) == b"slow"
    assert first["ranks"] == [None, *expected]
    assert (last["rank"], last["joined_at"], last["lengths"]) == (None, (), [1, 3])
    assert payload["stopped"] == "no neighbouring pair is a rule"


def test_rules_that_match_leave_the_tokens_that_encoding_gives():
    run = run_of("the cat and the hat that sat on the mat " * 3)
    tokenizer = run.training.tokenizer
    rows = rules_table(tokenizer, tokenizer.chunks("that hatter"))
    assert rows["rank"].tolist() == list(range(tokenizer.num_merges))
    assert rows["tokens left"].iloc[-1] == len(tokenizer.encode("that hatter"))
    assert (rows["matches"] == 0).any()


def test_default_word_was_never_seen():
    counts = count_chunks(["unhappiness and tokenization"])
    assert unseen_word(counts) == "Amelia"
    assert unseen_word(count_chunks([" ".join(UNSEEN_WORDS)])) == UNSEEN_WORDS[-1]


def test_sentence_says_how_often_a_chunk_was_seen():
    run = run_of("low low lower")
    assert seen_sentence(run, [b" low", b"unseen"]) == "Seen while learning: ·low 1 time, unseen never."


# --- the page ---------------------------------------------------------------------------------------


def test_page_opens_on_the_film_of_the_text(open_page):
    app = open_page("watch")
    film, news = app.get("bidi_component")
    assert "bpe_merge_player" in film.proto.component_name
    assert json.loads(news.proto.json)["counts"]["k"] == 0


def test_page_shows_every_segment(open_page):
    app = open_page("watch")
    for shown in ("distinct chunks", "a textbook trace"):
        app.segmented_control(key="watch_shown").set_value(shown).run()
        assert not app.exception
    for title in [each.title for each in PRESETS] + ["Your own few words"]:
        app.selectbox(key="trace").set_value(title).run()
        assert not app.exception
        assert not app.error
    app.segmented_control(key="watch_segment").set_value("Encoding a word").run()
    app.segmented_control(key="encoding_shown").set_value("the whole list, rule by rule").run()
    assert not app.exception


FEW_WORDS = ["", "a", "<b>x</b> <b>x</b>", "</w> </w>", "\u202e\0 \u202e\0", "aaaa aaaa", "🙂 🙂"]


def test_any_few_words_make_a_film(open_page):
    app = open_page("watch")
    app.segmented_control(key="watch_shown").set_value("a textbook trace").run()
    app.selectbox(key="trace").set_value("Your own few words").run()
    for words in FEW_WORDS:
        app.text_input(key="own_words").set_value(words).run()
        assert not app.exception
        assert not app.error


def test_too_many_words_are_refused_in_one_sentence(open_page):
    app = open_page("watch")
    app.segmented_control(key="watch_shown").set_value("a textbook trace").run()
    app.selectbox(key="trace").set_value("Your own few words").run()
    app.text_input(key="own_words").set_value(" ".join(f"word{number}" for number in range(400))).run()
    assert not app.exception
    assert "a trace shows at most" in app.error[0].value


WORDS = ["", "x" * 400, "<script>", "\u202e\0é🙂", "a b c d e f g h i j k l m n o p q r s t u v w x y z"]


@pytest.mark.parametrize("view", ["pass by pass", "the whole list, rule by rule"])
def test_any_word_is_encoded(open_page, view):
    app = open_page("watch")
    app.segmented_control(key="watch_segment").set_value("Encoding a word").run()
    app.segmented_control(key="encoding_shown").set_value(view).run()
    for word in WORDS:
        app.text_input(key="encoded_word").set_value(word).run()
        assert not app.exception
        assert not app.error


def test_the_film_seen_longest_ago_is_the_one_forgotten(monkeypatch):
    visit = Session()
    monkeypatch.setattr(state, "session", lambda: visit)

    for number in range(state.FILMS_REMEMBERED):
        state.remember_film(f"film {number}", number)
    state.remember_film("film 0", 500)
    state.remember_film("one more", 7)

    assert [state.film_place(film) for film in ("film 0", "film 1", "film 2", "one more")] == [500, 0, 2, 7]
    assert len(visit.film_places) == state.FILMS_REMEMBERED
