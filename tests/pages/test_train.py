"""The start page: the excerpt, a sentence, ids, and when a word becomes one token."""

import base64
import gc
import json

import numpy as np
import pytest

from bpe_core import BpeError, StopReason, Tokenizer, count_chunks, named_pattern, train
from bpe_core.gaps import packed
from bpe_core.samples import sample_documents
from bpe_core.word_history import cut_history, whole_from
from pages.ui import jobs, learning, shell, state
from pages.ui.excerpt import Excerpt, Place, excerpt_at, long_chunk, place_of
from pages.ui.ids_by_chunk import ids_by_chunk
from pages.ui.jobs import Workshop
from pages.ui.search_hits import Hit, hit_number, num_hits
from pages.ui.token_view import text_model
from pages.ui.try_it import canonical_sentence, parse_ids, read_ids


@pytest.mark.parametrize("pattern", ["gpt2", "four-type", "cl100k", "none"])
@pytest.mark.parametrize("limit", [1, 7, 100, 5_000])
def test_excerpt_is_made_of_the_first_chunks_of_the_whole_text(pattern, limit):
    documents = ("", "a  lot   of\n\n\n spaces   \n" * 300, "naïve 🙂 " * 500)
    tokenizer = Tokenizer.from_merges([], pattern)
    expected = [chunk for document in documents for chunk in tokenizer.chunks(document)]

    found = excerpt_at(tokenizer, documents, Place(0, 0), limit).chunks

    assert found == expected[: len(found)]
    assert len(b"".join(found)) >= limit
    assert len(b"".join(found[:-1])) < limit


def test_excerpt_of_a_short_text_is_all_of_it():
    documents = ["a b", "", "c"]
    whole = excerpt_at(Tokenizer.from_merges([], "gpt2"), documents, Place(0, 0))
    assert whole == Excerpt([b"a", b" b", b"c"], {0: 1, 3: 3}, 0)


def test_excerpt_from_the_middle_of_a_document_marks_the_next_ones_alone():
    tokenizer = Tokenizer.from_merges([], "gpt2")
    assert excerpt_at(tokenizer, ["x", "a\nb", "é", "c"], Place(1, 2)).document_starts == {1: 3, 3: 4}
    assert excerpt_at(tokenizer, ["x", "a\nb", "é", "c"], Place(1, 2), limit=1).document_starts == {}
    assert excerpt_at(tokenizer, ["only one"], Place(0, 0)).document_starts == {}


def test_place_of_a_search_hit_is_the_start_of_a_line():
    document = "".join(f"line {number}\n" for number in range(2_000))

    place = place_of(["nothing", document], "line 1500\n", Hit(1, document.find("line 1500\n")))

    assert (place.document, place.skip) == (1, 0)
    assert document[place.character - 1] == "\n"
    assert 0 < document.find("line 1500\n") - place.character < 2_100


@pytest.mark.parametrize("pattern", ["gpt2", "four-type", "o200k"])
def test_excerpt_holds_a_hit_that_stands_late_in_a_long_line(pattern):
    document = "first line\n" + "ab  cé " * 40_000 + "needle" + " xy" * 30_000
    tokenizer = Tokenizer.from_merges([], pattern)

    place = place_of([document], "needle", Hit(0, document.find("needle")))
    excerpt = excerpt_at(tokenizer, [document], place)
    shown = b"".join(excerpt.chunks)[:50_000]

    assert shown.index(b"needle") == excerpt.hit < 10_000
    whole = tokenizer.chunks(document)
    found = excerpt_at(tokenizer, [document], place).chunks
    first = next(i for i in range(len(whole)) if whole[i : i + len(found)] == found)
    assert first > 0


@pytest.mark.parametrize("pattern", ["gpt2", "four-type", "none"])
def test_every_hit_stands_where_the_excerpt_says(pattern):
    documents = ["", "é needle\nneedle 🙂" * 3, "none", "x\n" * 900 + "ab é " * 700 + "needles needle"]
    tokenizer = Tokenizer.from_merges([], pattern)
    total = num_hits(documents, "needle")
    assert total == 8
    places = [hit_number(documents, "needle", number) for number in range(1, total + 1)]
    assert len({*places}) == total
    assert places == sorted(places)
    for hit in places:
        assert documents[hit.document].startswith("needle", hit.character)
        excerpt = excerpt_at(tokenizer, documents, place_of(documents, "needle", hit))
        assert b"".join(excerpt.chunks)[excerpt.hit :].startswith(documents[hit.document][hit.character :].encode())


def test_something_absent_is_an_error():
    with pytest.raises(BpeError, match="does not hold"):
        num_hits(["abc"], "d")


@pytest.mark.parametrize("text", ["1 2 3", "1,2,3", "[1, 2, 3]", "(1; 2; 3)", "1\n2\t3"])
def test_parse_ids_reads_every_usual_spelling(text):
    assert parse_ids(text) == [1, 2, 3]


@pytest.mark.parametrize("text", ["1 a", "1.5", "0x10", "٣", "1-2", "1 - 2", "--1", "1 -"])
def test_parse_ids_refuses_what_is_no_list_of_whole_numbers(text):
    with pytest.raises(BpeError, match="Ids are whole numbers"):
        parse_ids(text)


def test_parse_ids_refuses_a_number_of_thousands_of_digits():
    with pytest.raises(BpeError, match="5,000 digits"):
        parse_ids("1 " + "7" * 5_000)


def test_read_ids_tells_canonical_from_not():
    tokenizer = Tokenizer.from_merges([(97, 98)])

    assert canonical_sentence([256], read_ids(tokenizer, [256])).startswith("These ids are canonical")
    assert "encoding this text gives 1 id: 256" in canonical_sentence([97, 98], read_ids(tokenizer, [97, 98]))


def test_other_ids_are_not_canonical_though_they_are_as_many():
    tokenizer = Tokenizer.from_merges([(97, 98), (98, 99)])

    assert canonical_sentence([97, 257], read_ids(tokenizer, [97, 257])) == (
        "Not canonical: encoding this text gives 2 ids: 256 99"
    )


def test_canonical_sentence_tells_bytes_from_text_and_specials_from_their_spelling():
    tokenizer = Tokenizer.from_merges([(97, 98)], "gpt2", ["<|end|>"])
    told = lambda ids: canonical_sentence(ids, read_ids(tokenizer, ids))  # noqa: E731

    assert told([72, 255, 65]) == (
        "These ids are canonical: encoding these bytes, which are no text, gives exactly them."
    )
    allowed = "with special tokens allowed (here: <|end|>; by default their names are ordinary text)"
    assert told([257, 256, 257]) == f"These ids are canonical: encoding this text {allowed} gives exactly them."
    assert told([256, 97, 98]) == (f"Not canonical: encoding this text {allowed} gives 2 ids: 256 257")
    assert told([*b"<|end|>"]) == "These ids are canonical: encoding this text gives exactly them."


def test_ids_of_bytes_that_are_no_text_are_judged_even_where_they_cannot_be_shown(open_page):
    app = open_page("train")
    app.text_area(key="pasted_ids").set_value("72 255").run()
    assert any("do not spell whole characters" in error.value for error in app.error)
    assert any("canonical: encoding these bytes, which are no text" in text.value for text in app.text)
    app.text_area(key="pasted_ids").set_value("").run()
    assert not app.error
    assert not any("canonical" in text.value for text in app.text)


def test_ids_that_spell_what_cannot_be_seen_say_so(open_page):
    app = open_page("train")
    app.text_area(key="pasted_ids").set_value(", ".join(map(str, "\u202ea\n".encode()))).run()
    assert "With what cannot be seen: ⟨RLO⟩a↵" in [text.value for text in app.text]


def test_hit_beyond_the_last_is_the_last_and_it_is_said(open_page):
    app = open_page("train")
    app.selectbox(key="excerpt_kind").set_value("a search hit").run()
    app.text_input(key="excerpt_search").set_value("Irene Adler").run()
    [text] = sample_documents("sherlock")
    last = text.count("Irene Adler")
    field = next(each for each in app.number_input if each.label == f"Hit, of {last}")
    field.set_value(100).run()
    assert any(each.value == f"They go from 1 to {last}: {last} is shown." for each in app.caption)
    payload = json.loads(app.get("bidi_component")[0].proto.json)
    shown = base64.b64decode(payload["model"]["text"][1])[payload["hit"] :]
    assert shown == text[text.rindex("Irene Adler") :].encode()[: len(shown)]
    assert len(shown) > 100


def test_word_is_counted_in_the_text_and_as_a_chunk(open_page):
    app = open_page("train")
    app.text_input(key="history_word").set_value("Holmes").run()
    [text] = sample_documents("sherlock")
    chunks = count_chunks([text])
    held, alone = text.count("Holmes"), chunks[b"Holmes"]
    assert f"It occurs {held} times here, {alone} of them as a chunk of its own." in app.text[0].value
    assert app.text[1].value.endswith(f"It occurs {chunks[b' Holmes']} times here.")
    app.text_input(key="history_word").set_value("Zettelkasten").run()
    assert app.text[0].value.endswith("It does not occur here.")
    app.text_input(key="history_word").set_value("y" * 3_000).run()
    assert len(app.text[0].value) < 200


def test_word_is_one_token_from_the_size_that_the_page_says(open_page):
    app = open_page("train")
    app.text_input(key="history_word").set_value("Holmes").run()
    assert app.text[1].value.startswith("·Holmes: one token from size 389. ")

    app.text_input(key="history_word").set_value("Sherlock").run()
    assert app.text[0].value.startswith("Sherlock: one token from size 930. ")
    assert app.text[1].value.startswith("·Sherlock: one token from size 1,066. ")
    [history] = [table.value for table in app.dataframe if "from size" in table.value]
    alone = history[history["chunk"] == "Sherlock"]
    assert alone["from size"].tolist() == [256, 258, 373, 423, 434, 563, 690, 930]
    assert alone["pieces"].tolist() == [8, 7, 6, 5, 4, 3, 2, 1]
    assert alone["cut"].tolist()[-3:] == ["S  |  her  |  lock", "S  |  herlock", "Sherlock"]
    assert history[history["chunk"] == "·Sherlock"]["from size"].tolist()[-1] == 1066


def captions(app) -> list[str]:
    return [caption.value for caption in app.caption if "of this sentence" in caption.value]


def test_figures_of_a_sentence_count_bytes_and_tokens(open_page):
    app = open_page("train", size="256")
    app.text_area(key="try_sentence").set_value("é").run()
    assert captions(app)[0] == "2 tokens · 2 bytes · 1.00 bytes per token of this sentence"

    app.number_input(key="size").set_value(389).run()
    app.text_area(key="try_sentence").set_value(" Holmes").run()
    assert captions(app)[0] == "1 token · 7 bytes · 7.00 bytes per token of this sentence"


def test_two_sizes_have_the_tokens_that_encoding_gives_at_each(open_page):
    app = open_page("train", size="1066")
    text = "é Sherlock Holmes"
    app.text_area(key="two_sizes_sentence").set_value(text).run()
    app.number_input(key="second_size").set_value(1065).run()

    tokenizer = train(count_chunks(sample_documents("sherlock")), 1066).tokenizer
    tokens = [len(tokenizer.with_vocab_size(size).encode(text)) for size in (1065, 1066)]
    assert tokens == [5, 4]
    assert captions(app)[-2:] == [
        "At size 1,065: 5 tokens · 18 bytes · 3.60 bytes per token of this sentence",
        "At size 1,066: 4 tokens · 18 bytes · 4.50 bytes per token of this sentence",
    ]


def test_read_ids_names_an_id_that_no_token_has():
    with pytest.raises(BpeError, match="No token has the id 999"):
        read_ids(Tokenizer.from_merges([]), [65, 999])


@pytest.mark.parametrize("policy", ["text", "allow"])
def test_ids_by_chunk_holds_the_same_ids_in_the_same_order(policy):
    training = train(count_chunks(["one <|end|> two <|end|>"] * 3), 300, specials=["<|end|>"])
    text = "<|end|>one two<|end|><|end|> é"

    groups = ids_by_chunk(training.tokenizer, text, policy)

    assert [token_id for group in groups for token_id in group] == training.tokenizer.encode(text, policy)
    assert sum(group == [256] for group in groups) == (3 if policy == "allow" else 0)


def test_word_history_equals_encoding_at_every_size():
    training = train(count_chunks(sample_documents("sherlock")), 800)
    chunk = b" Holmes"
    history = cut_history(training.tokenizer, chunk)

    for num_merges in range(0, training.tokenizer.num_merges + 1, 7):
        tokenizer = training.tokenizer.with_vocab_size(256 + num_merges)
        expected = tuple(tokenizer.vocabulary[token_id] for token_id in tokenizer.encode_chunk(chunk))
        current = [change.tokens for change in history if change.num_merges <= num_merges][-1]
        assert current == expected
    assert training.tokenizer.with_vocab_size(256 + whole_from(training.tokenizer, chunk)).encode(" Holmes")[0] >= 256
    assert whole_from(training.tokenizer, b" Zettelkasten") is None


def test_page_names_the_text_its_chunks_and_why_learning_stopped(open_page):
    app = open_page("train")
    training = train(count_chunks(sample_documents("sherlock"), named_pattern("gpt2")), 8192)

    head = " ".join(element.value for element in app.get("html"))

    assert training.stopped_because == StopReason.COUNT_TOO_LOW
    reached = 256 + len(training.merges)
    assert f"2,174 distinct chunks · learned from all of it · stopped at {reached:,}: no remaining pair" in head
    assert app.number_input(key="size").value == 1024


@pytest.mark.parametrize("fails", [False, True])
def test_training_that_ends_while_its_page_is_drawn_is_shown_and_so_is_its_error(open_page, monkeypatch, fails):
    fresh, draw = Workshop(), shell.draw_open_dialog

    def fail(*_, **__):
        raise BpeError("Not usable")

    def draw_when_it_has_ended(opened):
        assert state.session().job.wait(60)
        draw(opened)

    monkeypatch.setattr(learning, "workshop", lambda: fresh)
    monkeypatch.setattr(learning, "PATIENCE_SECONDS", 0.0)
    monkeypatch.setattr(shell, "draw_open_dialog", draw_when_it_has_ended)
    if fails:
        monkeypatch.setattr(jobs, "train", fail)
    app = open_page("train")

    assert not any("Stopped" in info.value for info in app.info)
    assert [error.value for error in app.error] == ["Not usable"] * fails
    assert [field.value for field in app.number_input if field.key == "size"] == [1024] * (not fails)


def test_word_of_many_chunks_is_never_one_token(open_page):
    app = open_page("train")

    app.text_input(key="history_word").set_value("New York").run()

    assert "cut into 2 chunks before anything is learned, so it is never one token" in app.text[0].value


def test_unknown_id_is_named_on_the_page(open_page):
    app = open_page("train")

    app.text_area(key="pasted_ids").set_value("72 99999").run()

    assert any("No token has the id 99999" in error.value for error in app.error)
    assert np.all([not exception for exception in app.exception])


def test_excerpt_of_one_long_chunk_keeps_the_gap_ranks_of_the_whole_chunk():
    text = "aab é" * 300
    training = train(count_chunks([text], "none"), 290)
    chunk = text.encode()

    model = text_model(training.tokenizer, [chunk], limit=1_000)

    shown = base64.b64decode(model.payload["text"][1])
    gaps = np.frombuffer(base64.b64decode(model.payload["gaps"][1]), "<u2")
    whole = training.tokenizer.gap_ranks_of_chunks([chunk])
    assert shown == chunk[: len(shown)]
    assert 997 <= len(shown) <= 1_000
    assert shown.decode() in text
    assert np.array_equal(gaps, packed(whole)[: len(shown) - 1])


def test_chunk_too_long_to_encode_is_found():
    assert long_chunk([b"ab", b"x" * 500_001]) == b"x" * 500_001
    assert long_chunk([b"ab"] * 500_000) is None


def test_size_comes_back_when_the_text_allows_it_again(open_page):
    app = open_page("train", size="2000")

    app.selectbox(key="text").set_value("weather").run()
    small = app.number_input(key="size").value
    app.selectbox(key="text").set_value("shakespeare").run()

    assert small < 2000
    assert app.number_input(key="size").value == 2000


def test_what_is_loaded_is_left_out_of_collection_until_a_visit_ends(open_page):
    app = open_page()
    assert gc.get_freeze_count() > 50_000

    shell.let_all_be_collected()  # which Streamlit calls at the end of a visit
    assert gc.get_freeze_count() == 0

    app.run()
    assert gc.get_freeze_count() > 50_000
