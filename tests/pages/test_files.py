"""The page Load & save, and every page with a loaded vocabulary in the learned one's place."""

import base64
import io
import json
import zipfile
from dataclasses import replace
from hashlib import sha256

import numpy as np
import pytest

from bpe_core import BpeError, Tokenizer, count_chunks, token_totals, train
from bpe_core.formats import FORMATS, read_tokenizer, tokenizer_files, tokenizer_zip
from bpe_core.published import published_tokenizer
from bpe_core.samples import sample_documents
from bpe_core.vocabulary_table import one_size_table, vocabulary_table
from pages.ui import files_save
from pages.ui.corpus import sample_corpus
from pages.ui.files_ids import ids_around
from pages.ui.files_proof import Refused, proof_of, proof_sentence, zip_of
from pages.ui.loaded import MOST_LOADED, LoadedOnText, check_room, contents_of, load_files, load_published, round_trip
from pages.ui.run import Run, Settings

HOSTILE = "![x](http://outside) <b>$a$ :red[b].json"


@pytest.fixture(scope="module")
def training():
    return train(count_chunks(sample_documents("sherlock")), 700, specials=["<|end|>"])


@pytest.fixture(scope="module")
def small_files(training) -> dict[str, bytes]:
    return tokenizer_files(training.tokenizer, "huggingface")


def plain(text: str) -> str:
    return text.replace("\\", "").replace("\u2060", "")


def shown(app) -> str:
    parts = [*app.success, *app.warning, *app.error, *app.info, *app.markdown, *app.caption, *app.text]
    return plain("\n".join(part.value for part in parts))


def upload(app, files: dict[str, bytes], **widgets: str):
    """Load `files` through the page; `widgets` are what else the visitor says."""
    uploader = next(each for each in app.get("file_uploader") if each.key.startswith("load_files"))
    uploader.set_value([(name, content, "application/octet-stream") for name, content in files.items()]).run()
    if "pattern" in widgets:
        app.selectbox(key="load_pattern").set_value(widgets["pattern"]).run()
    if "digest" in widgets:
        app.text_input(key="load_digest").set_value(widgets["digest"]).run()
    app.button(key="load").click().run()
    assert not app.exception
    return app


def open_tab(app, key: str, name: str):
    """The page with this tab open."""
    app.session_state[key] = name
    assert not app.run().exception
    return app


def run_of(training, size: int | None = None) -> Run:
    tokenizer, corpus = training.tokenizer, sample_corpus("sherlock")
    largest = 256 + len(tokenizer.specials) + tokenizer.num_merges
    settings = Settings(tokenizer.pattern, tuple(tokenizer.specials), largest, 2)
    return Run(corpus, settings, training, size or largest)


# --- what was loaded ---------------------------------------------------------------


def test_loaded_vocabulary_on_a_text_counts_as_a_training_would(training):
    corpus = sample_corpus("sherlock")
    on_text = LoadedOnText(training.tokenizer, corpus, training.chunk_counts)

    assert np.array_equal(on_text.replaced, training.replaced)
    assert np.array_equal(on_text.token_totals, training.token_totals)
    assert np.array_equal(on_text.gap_ranks, training.gap_ranks)
    assert on_text.num_tokens == training.token_totals[-1]
    assert set(on_text.counts.tolist()) == {-1}


def test_the_same_file_under_another_pattern_is_another_vocabulary(training):
    files = tokenizer_files(training.tokenizer, "csv")

    assert load_files(files, pattern="gpt2").digest != load_files(files, pattern="four-type").digest
    assert load_files(files, pattern="gpt2").digest == load_files(dict(files), pattern="gpt2").digest


def test_round_trip_tells_of_a_chunk_that_does_not_come_back():
    changes = replace(Tokenizer.from_merges([]), normalization="NFC")
    counts = count_chunks(["a e\u0301"], "none")

    assert round_trip(changes, counts).failed == "a e\u0301".encode()
    assert "Not every chunk" in round_trip(changes, counts).sentence
    assert round_trip(Tokenizer.from_merges([]), counts).failed is None


def test_a_visitor_keeps_only_so_many(small_files):
    one = load_files(small_files)
    kept = {str(number): type(one)("x", one.tokenizer, str(number), "") for number in range(MOST_LOADED)}

    with pytest.raises(BpeError, match="Drop one first"):
        check_room(kept, one)
    check_room(kept, load_published("gpt2"))
    check_room(kept, kept["1"])


def test_one_size_table_and_the_prefix_table_name_the_same_merges():
    tokenizer = Tokenizer.from_merges([(97, 98), (256, 99)], "none")
    other = one_size_table(tokenizer)

    assert other.tokens[256:] == (b"ab", b"abc")
    assert other.ranks[256:].tolist() == [0, 1]
    assert other.left_ids[256:].tolist() == [97, 256]


def test_table_of_gpt2_has_its_own_ids():
    gpt2, corpus = published_tokenizer("gpt2"), sample_corpus("sherlock")
    on_text = LoadedOnText(gpt2, corpus, count_chunks(corpus.documents, gpt2.pattern))

    table = vocabulary_table(on_text, gpt2.num_merges)

    row, [token_id] = table.tokens.index(b" Sherlock"), gpt2.encode(" Sherlock")
    assert table.token_ids[row] == token_id
    assert table.uses[row] == sum(gpt2.encode(document).count(token_id) for document in corpus.documents) == 5
    assert [table.tokens[row] for row in np.flatnonzero(table.is_special)] == [b"<|endoftext|>"]
    assert table.uses.sum() == on_text.num_tokens
    assert (table.token_ids[0], table.tokens[33]) == (188, b"!")


# --- saving --------------------------------------------------------------------------


@pytest.mark.parametrize("format", FORMATS)
def test_proof_says_what_was_compared(training, format):
    proof = proof_of(run_of(training, 500), format)

    assert proof_sentence(proof) == (
        "Loaded back and compared: the same ids on all 2,174 distinct chunks and 1 special token."
    )
    assert proof_of(run_of(training, 500), format) is proof


def test_proof_of_ranks_that_give_other_ids_counts_them_and_shows_one():
    # bc comes first, and only ab + c makes abc: so abc is never made, but its bytes have a rank.
    tokenizer = Tokenizer.from_merges([(98, 99), (97, 98), (257, 99)], "none")
    corpus = sample_corpus("sherlock")
    on_text = LoadedOnText(tokenizer, corpus, count_chunks(["abc", "ab"], "none"))
    proof = proof_of(Run(corpus, Settings(tokenizer.pattern, (), 259, 2), on_text, 259), "tiktoken")

    assert not proof.holds
    assert proof_sentence(proof) == (
        "Loaded back and compared: other ids on 1 of 2 distinct chunks. tiktoken joins by the rank of the joined "
        "bytes. For example abc: 97 256 here, 258 there."
    )


def test_zip_holds_what_was_proved_and_reads_back(training):
    run = run_of(training, 600)
    proofs = [proof_of(run, format) for format in FORMATS]
    with zipfile.ZipFile(io.BytesIO(zip_of(proofs))) as archive:
        names = set(archive.namelist())
        manifest = json.loads(archive.read("manifest/manifest.json"))

    assert names == {f"{proof.format}/{name}" for proof in proofs for name in proof.files}
    assert manifest["trained_from"]["vocab_size_wanted"] == run.settings.largest_size
    assert manifest["trained_from"]["sources"][0]["num_bytes"] == 48_003
    one = zip_of([proof_of(run, "gpt2")])
    assert read_tokenizer({"any.zip": one}).tokenizer.encode("Sherlock") == run.tokenizer.encode("Sherlock")
    assert zip_of(proofs) == zip_of(proofs)


def test_a_format_that_cannot_hold_the_vocabulary_says_why():
    clash = train(count_chunks(["the the the the"]), 300, specials=["the"])

    refused = proof_of(run_of(clash), "gpt2")

    assert isinstance(refused, Refused)
    assert "both spelled the" in refused.why
    assert not isinstance(proof_of(run_of(clash), "manifest"), Refused)


def test_name_of_the_zip_holds_nothing_of_the_visitor(training):
    assert files_save.zip_name(run_of(training, 500), "gpt2") == "vocabulary-500-gpt2.zip"


def test_byte_alphabet_has_all_bytes():
    table = files_save.byte_alphabet_table()

    assert table["byte"].tolist() == list(range(256))
    assert table["in files"].is_unique
    assert [table.iloc[byte].tolist() for byte in (0, 9, 10, 32, 65, 126, 127, 173, 195, 255)] == [
        [0, "00", "⟨00⟩", "Ā"],
        [9, "09", "→", "ĉ"],
        [10, "0A", "↵", "Ċ"],
        [32, "20", "·", "Ġ"],
        [65, "41", "A", "A"],
        [126, "7E", "~", "~"],
        [127, "7F", "⟨7F⟩", "ġ"],
        [173, "AD", "⟨AD⟩", "Ń"],
        [195, "C3", "⟨C3⟩", "Ã"],
        [255, "FF", "⟨FF⟩", "ÿ"],
    ]


# --- the page ---------------------------------------------------------------------------


def test_page_proves_before_it_offers(open_page):
    app = open_page("files", size="600")

    assert "Loaded back and compared: the same ids on all 2,174 distinct chunks." in shown(app)
    assert "a space is Ġ" in shown(app)
    app.selectbox(key="save_format").set_value("all").run()
    assert shown(app).count("the same ids on all 2,174 distinct chunks.") == 5
    app.selectbox(key="save_format").set_value("tiktoken").run()
    assert "mergeable_ranks" in app.code[0].value
    assert "What this format cannot carry (3)" in [each.label for each in app.expander]


def test_uploaded_tokenizer_takes_the_learned_ones_place_and_gives_it_back(
    open_page, switch_page, small_files, training
):
    app = upload(open_page("files"), {HOSTILE: small_files["tokenizer.json"]})

    assert "Encoded and decoded: all 2,174 distinct chunks of this text come back byte for byte." in shown(app)
    assert f"{HOSTILE} · in use" in shown(app).replace("*", "")
    app = switch_page(app, "vocabulary")
    assert app.dataframe[0].value["id"].tolist() == list(range(257, 700))
    app.radio(key="vocabulary").set_value("learned").run()
    assert app.number_input(key="size").value == 1024
    app = switch_page(app, "files")
    app.button(key=next(each.key for each in app.button if each.key and each.key.startswith("drop_"))).click().run()
    assert [each for each in app.radio if each.key == "vocabulary"] == []


@pytest.mark.parametrize("format", FORMATS)
def test_our_own_files_load_again(open_page, training, format):
    pattern = "gpt2" if format == "csv" else "as the files say"
    app = upload(open_page("files"), {"ours.zip": tokenizer_zip(training.tokenizer, [format])}, pattern=pattern)

    loaded = next(iter(app.session_state["session"].loaded.values()))
    assert app.error == []
    assert loaded.tokenizer.encode("A Scandal in Bohemia") == training.tokenizer.encode("A Scandal in Bohemia")


BAD_FILES = {
    "LFS pointer": ({"vocab.bpe": b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n"}, "Git LFS pointer"),
    "HTML page": ({"tokenizer.json": b"<!DOCTYPE html><html></html>"}, "HTML page"),
    "pickle": ({"tokenizer.pkl": b"\x80\x04\x95\x00"}, "pickle"),
    "merges alone": ({"vocab.bpe": b"#version: 0.2\nt h\n"}, "without their ids"),
    "WordPiece": ({"tokenizer.json": b'{"model": {"type": "WordPiece", "vocab": {}}}'}, "WordPiece"),
    "Unigram": ({"tokenizer.json": b'{"model": {"type": "Unigram", "vocab": []}}'}, "Unigram"),
    "no pattern": ({"a.tiktoken": b"IQ== 0\nIg== 1\nIw== 2\n"}, "Choose the pattern"),
    "nested JSON": ({"tokenizer.json": b'{"model":' + b"[" * 100_000}, "nested too deep|not valid JSON"),
    "empty": ({"tokenizer.json": b""}, "is empty"),
    "no bytes": ({"encoder.json": b'{"a": 0}', "vocab.bpe": b"#version: 0.2\na a\n"}, "256 single bytes"),
}


@pytest.mark.parametrize(("files", "sentence"), BAD_FILES.values(), ids=BAD_FILES)
def test_files_that_cannot_be_read_give_a_sentence(open_page, files, sentence):
    app = upload(open_page("files"), files)

    assert len(app.error) == 1
    assert any(part.lower() in shown(app).lower() for part in sentence.split("|")), app.error[0].value
    assert app.session_state["session"].loaded == {}


def test_bad_base64_is_named_with_its_line(open_page):
    app = upload(open_page("files"), {"a.tiktoken": b"IQ== 0\n!!!! 1\n"}, pattern="gpt2")

    assert "Line 2 of a.tiktoken: '!!!!' is not valid base64." in shown(app)


def test_digest_is_checked_before_anything_is_read(open_page, small_files):
    app = upload(open_page("files"), small_files, digest="0" * 64)
    assert "Nothing was read" in shown(app)
    assert app.session_state["session"].loaded == {}

    app.text_input(key="load_digest").set_value(sha256(small_files["tokenizer.json"]).hexdigest()).run()
    app.button(key="load").click().run()
    assert app.error == []
    assert len(app.session_state["session"].loaded) == 1


def test_two_files_of_one_name_at_once_are_refused():
    with pytest.raises(BpeError, match=r"Two of the files are called a\.json"):
        contents_of([("a.json", b"1"), ("a.json", b"2")])


def test_two_files_of_one_name_have_two_names(open_page, small_files, training):
    app = upload(open_page("files"), small_files)
    app = upload(app, tokenizer_files(training.tokenizer.with_vocab_size(400), "huggingface"))

    assert list(app.session_state["session"].brought) == ["tokenizer.json", "tokenizer.json (2)"]


# --- the tabs ---------------------------------------------------------------------------------


def said_of(app, lines: str) -> str:
    """What the tab says of these lines."""
    app.text_area(key="expected_ids").set_value(lines).run()
    assert not app.exception
    return shown(app) + "\n" + "\n".join(code.value for code in app.code)


def test_check_of_ids_names_the_convention_at_fault(open_page):
    app = open_tab(with_gpt2(open_page), "files_tab", "Check my ids")

    assert "The same ids on all 1 line." in said_of(app, '{"text": "hello world", "ids": [31373, 995]}')
    other = said_of(app, json.dumps({"text": "hello world", "ids": [31373, 995, 50256]}))
    assert "Specials: with <|endoftext|> put after each text" in other
    assert "expected 31373 995 50256\nhere     31373 995" in other
    assert "Line 1" in said_of(app, '{"text": 5}')
    assert "not valid JSON" in said_of(app, "{")


def test_tab_on_special_tokens_tells_what_a_late_one_would_break(open_page):
    app = open_tab(open_page("files"), "files_tab", "What a special token would change")

    assert "It could only take the next free id, 1,024" in shown(app)
    app.text_input(key="late_special").set_value("").run()
    assert "must have a name" in shown(app)


def test_ids_around_shows_both_lists_where_they_part():
    from bpe_core.formats import ExpectedIds, IdsCheck

    ours, theirs = list(range(40)), [*range(20), 99]
    check = IdsCheck(1, 0, ExpectedIds(1, "x", theirs), ours, 20, "")

    assert ids_around(check).splitlines() == [
        "expected … 12 13 14 15 16 17 18 19 99",
        "here     … 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 …",
    ]


# --- every page with GPT-2 -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def gpt2_totals():
    corpus = sample_corpus("sherlock")
    return token_totals(published_tokenizer("gpt2"), count_chunks(corpus.documents, "gpt2"))


def with_gpt2(open_page):
    app = open_page("files")
    app.button(key="load_gpt2").click().run()
    assert not app.exception
    assert not app.error
    return app


def test_gpt2_stands_on_your_text_with_its_slider(open_page, switch_page, gpt2_totals):
    app = switch_page(with_gpt2(open_page), "train")
    size = next(each for each in app.number_input if each.label.startswith("Vocabulary size"))
    model = json.loads(app.get("bidi_component")[0].proto.json)["model"]

    assert size.value == 50_257
    assert "under GPT-2, loaded, 50,257 tokens" in " ".join(each.value for each in app.get("html"))
    assert "counts" not in model
    assert model["corpus"]["name"] == sample_corpus("sherlock").name
    kind, replaced = model["corpus"]["replaced"]
    replaced = np.frombuffer(base64.b64decode(replaced), f"<{kind}").astype(np.int64)
    assert np.array_equal(48_003 - np.cumsum(replaced), gpt2_totals[1:])
    for asked, given in [(1_000, 1_000), (50_258, 50_257), (256, 257)]:
        next(each for each in app.number_input if each.label == size.label).set_value(asked).run()
        assert json.loads(app.get("bidi_component")[0].proto.json)["size"] == given


def test_gpt2_cuts_a_sentence_and_reads_ids(open_page, switch_page):
    app = switch_page(with_gpt2(open_page), "train")
    assert len(app.get("bidi_component")) == 1  # no strip of a closed tab

    app = open_tab(app, "try_it", "A sentence, its tokens and ids")
    app.text_area(key="try_sentence").set_value("hello world").run()
    assert "31373, 995" in [code.value for code in app.code]
    app = open_tab(app, "try_it", "Ids, and what they spell")
    app.text_area(key="pasted_ids").set_value("31373 995").run()
    assert "hello world" in [code.value for code in app.code]


def test_qwen_stands_on_your_text(open_page, switch_page):
    app = open_page("files")
    app.button(key="load_qwen").click().run()
    app = switch_page(app, "train")
    size = next(each for each in app.number_input if each.label.startswith("Vocabulary size"))

    assert size.value == 151_851
    size.set_value(0).run()
    assert [warning.value.partition(". 464")[0] for warning in app.warning] == [
        "You asked for 0. Sizes go from 464 to 151,851"
    ]
    size.set_value(151_851).run()
    app = open_tab(app, "try_it", "A sentence, its tokens and ids")
    app.text_area(key="try_sentence").set_value("hello").run()
    assert "14990" in [code.value for code in app.code]


def test_gpt2_on_watch_tells_what_is_not_known_and_films_an_encoding(open_page, switch_page):
    app = switch_page(with_gpt2(open_page), "watch")

    assert "How GPT-2 was learned is not known" in shown(app)
    assert "The merges of GPT-2 at work on this text." in " ".join(each.value for each in app.get("html"))
    model = json.loads(app.get("bidi_component")[0].proto.json)["model"]
    assert "counts" not in model
    assert model["first_id"] == 257
    app.button_group(key="watch_segment").set_value("Encoding a word").run()
    assert not app.exception
    assert "In this text:" in shown(app)


def test_gpt2_on_vocabulary_leaves_empty_what_is_not_known(open_page, switch_page):
    app = switch_page(with_gpt2(open_page), "vocabulary")

    assert "50,000 of 50,257 tokens" in shown(app)
    assert len(app.dataframe[0].value) == 20_000
    app.button_group(key="columns").set_value("Merge").run()
    first = app.dataframe[0].value.iloc[0]
    assert (first["rank"], first["id"], first["token"]) == (0, 256, "·t")
    assert first[["count when learned", "tied"]].isna().all()
    assert first["replaced"] > 100


def test_gpt2_is_a_line_of_compression(open_page, switch_page):
    app = switch_page(with_gpt2(open_page), "compression")

    assert "GPT-2 is a line in its chart" in shown(app)
    assert "GPT-2" in app.get("plotly_chart")[0].proto.spec


def test_gpt2_saves_only_after_its_proof(open_page):
    app = with_gpt2(open_page)
    assert app.get("download_button") == []

    app.selectbox(key="save_format").set_value("gpt2").run()
    app.button(key="prove").click().run()

    assert "the same ids on all 2,174 distinct chunks and 1 special token." in shown(app)
    assert len(app.get("download_button")) == 3


@pytest.mark.parametrize("name", ["train", "watch", "compare", "compression", "vocabulary", "files"])
def test_every_page_opens_with_a_vocabulary_that_has_no_smaller_sizes(open_page, switch_page, name, training):
    document = json.loads(tokenizer_files(training.tokenizer, "huggingface")["tokenizer.json"])
    document["model"]["ignore_merges"] = True
    app = upload(open_page("files"), {"tokenizer.json": json.dumps(document).encode()})

    assert app.error == []
    app = switch_page(app, name)
    assert not app.exception
    if name == "train":
        assert "No bar to drag" in " ".join(each.value for each in app.get("html"))
        model = json.loads(app.get("bidi_component")[0].proto.json)["model"]
        assert "ids" in model
    if name == "vocabulary":
        assert app.dataframe[0].value["uses now"].isna().all()


def test_dropping_a_vocabulary_gives_the_learned_one_its_place_back(open_page):
    app = with_gpt2(open_page)
    session = app.session_state["session"]
    assert session.loaded_on_text is not None

    digest = next(iter(session.loaded))
    app.button(key=f"drop_{digest[:12]}").click().run()

    assert not app.exception
    assert session.loaded_on_text is None
    assert session.loaded == {}
    assert app.number_input(key="size").value == 1024


def test_late_special_token_speaks_of_moved_ids_only_where_ids_are_numbered_as_here():
    from bpe_core.formats import effects_of_special

    ours = train(count_chunks(["ab ab ab"]), 260, specials=["<|a|>"]).tokenizer
    moved = "all 2 merges would have ids one higher"

    assert any(moved in effect for effect in effects_of_special(ours, "<|b|>"))
    assert not any("one higher" in effect for effect in effects_of_special(published_tokenizer("gpt2"), "<|b|>"))
