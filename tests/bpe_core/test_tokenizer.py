"""A tokenizer that training made: encoding, decoding, sizes, specials; examples that others have worked out."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import BpeError, StopReason, Tokenizer, count_chunks, token_totals, train

TEXTS = Path(__file__).parents[2] / "bpe_core" / "samples" / "texts"
SPECIALS = ["<|end|>", "<|end|>>", "[x]", "a"]


@pytest.fixture(scope="module")
def trained():
    text = "".join((TEXTS / file).read_text(encoding="utf-8")[:20_000] for file in ("sherlock.txt", "emoji.txt"))
    return train(count_chunks([text]), 800, specials=SPECIALS).tokenizer


def spelled(tokenizer, text):
    return [tokenizer.vocabulary[token_id].decode() for token_id in tokenizer.encode(text)]


# --- laws ----------------------------------------------------------------------------------


@settings(max_examples=150)
@given(text=st.text(max_size=60))
def test_decode_gives_any_text_back(trained, text):
    for special in ("text", "allow"):
        assert trained.decode(trained.encode(text, special)) == text


@settings(max_examples=150)
@given(content=st.binary(max_size=60))
def test_decode_bytes_gives_any_bytes_back(trained, content):
    assert trained.decode_bytes(trained.encode_bytes(content)) == content


def test_a_long_text_is_encoded_as_its_chunks_are(trained):
    text = (TEXTS / "shakespeare.txt").read_text(encoding="utf-8")[:30_000] + "😀 नमस्ते\0" * 50

    assert trained.encode(text) == [i for chunk in trained.chunks(text) for i in trained.encode_chunk(chunk)]
    assert trained.encode_bytes(text.encode() + b"\xff") == [
        i for chunk in trained.chunks(text + "\udcff") for i in trained.encode_chunk(chunk)
    ]


@settings(max_examples=60)
@given(text=st.text("ab 'é😀\0", max_size=40))
def test_stream_decoder_gives_the_text_id_by_id(trained, text):
    stream = trained.stream_decoder()

    assert "".join([stream.feed([token_id]) for token_id in trained.encode(text)]) + stream.finish() == text


def test_stream_decoder_marks_what_is_no_character():
    tokenizer = Tokenizer.from_merges([])
    unfinished, broken = tokenizer.stream_decoder(), tokenizer.stream_decoder()

    assert (unfinished.feed([0xC3]), unfinished.finish()) == ("", "\ufffd")
    assert (broken.feed([0xFF, 97]), broken.finish()) == ("\ufffda", "")


def test_every_learned_token_is_one_token_and_every_size_is_a_prefix(trained):
    for merge in trained.merges[::37]:
        assert trained.encode_chunk(trained.vocabulary[merge.token_id]) == [merge.token_id]
    for size in (260, 261, 400, 800):
        smaller = trained.with_vocab_size(size)
        fresh = Tokenizer.from_merges(trained.pairs[: size - 260].tolist(), "gpt2", SPECIALS)
        assert smaller.vocabulary == fresh.vocabulary
        assert smaller.rules == fresh.rules
        assert smaller.merges == fresh.merges
        assert smaller.encode("the 😀 world" * 300) == fresh.encode("the 😀 world" * 300)
        assert smaller.gap_ranks("the world").tolist() == fresh.gap_ranks("the world").tolist()


@pytest.mark.parametrize("size", [259, 801, -1])
def test_with_vocab_size_refuses_a_size_it_cannot_have(trained, size):
    with pytest.raises(BpeError, match="260 to 800"):
        trained.with_vocab_size(size)


# --- decoding, specials --------------------------------------------------------------------


def test_two_id_sequences_may_spell_one_text():
    tokenizer = Tokenizer.from_merges([(97, 98)])

    assert tokenizer.decode([97, 98]) == tokenizer.decode([256]) == "ab"
    assert tokenizer.encode("ab") == [256]


def test_a_byte_that_is_no_character_is_an_error_a_mark_or_itself():
    tokenizer = Tokenizer.from_merges([])

    with pytest.raises(BpeError, match="FF at offset 0"):
        tokenizer.decode([255])
    with pytest.raises(BpeError, match="byte C3 at offset 2 is"):
        tokenizer.decode([97, 98, 0xC3, 40])
    assert tokenizer.decode([255], "replace") == "\ufffd"
    assert tokenizer.decode_bytes([255]) == b"\xff"


@pytest.mark.parametrize("unknown", [256, -1, 10**9])
def test_an_id_that_no_token_has_is_named(unknown):
    with pytest.raises(BpeError, match=str(unknown)):
        Tokenizer.from_merges([]).decode([104, unknown])


def test_text_that_spells_a_special_is_text_unless_allowed():
    five = ["<|bos|>", "<|eos|>", "<|pad|>", "<|unk|>", "<|sep|>"]
    training = train(count_chunks(["<|eos|> low low"], "four-type"), 300, specials=five)
    tokenizer = training.tokenizer

    assert tokenizer.chunks("<|eos|>") == [b"<|", b"eos", b"|>"]
    assert not set(tokenizer.encode("<|eos|>")) & set(range(256, 261))
    assert tokenizer.encode("<|eos|>", "allow") == [257]
    with pytest.raises(BpeError, match=r"<\|eos\|> at character 4"):
        tokenizer.encode("low <|eos|>", "reject")
    assert training.merges[0].token_id == 261


def test_encode_knows_three_ways_with_specials_and_no_fourth():
    with pytest.raises(BpeError, match="special='typo' is not known"):
        Tokenizer.from_merges([], specials=["<a>"]).encode("<a>", "typo")


@pytest.mark.timeout(20)
def test_a_special_of_one_letter_ten_thousand_times_is_found_at_once():
    long = "x" * 10_000
    tokenizer = Tokenizer.from_merges([], "none", [long])

    assert tokenizer.encode(f"a{long}b", "allow") == [97, 256, 98]


def test_of_two_specials_at_one_place_the_longer_is_taken(trained):
    assert trained.encode("<|end|>>", "allow") == [257]
    assert trained.encode("<|end|>a[x]", "allow") == [256, 259, 258]


def test_nul_line_feeds_and_a_lone_surrogate(trained):
    assert trained.decode(trained.encode("a\0b\r\n\n")) == "a\0b\r\n\n"
    with pytest.raises(BpeError, match=r"U\+DBC0"):
        trained.encode("\udbc0")


# --- worked examples -----------------------------------------------------------------------


def test_rank_decides_and_not_length_or_position():
    assert Tokenizer.from_merges([(98, 99), (97, 98)], "none").encode("abc") == [97, 256]
    assert Tokenizer.from_merges([(111, 119), (108, 111), (108, 256)], "none").encode("low") == [258]
    assert Tokenizer.from_merges([(111, 119), (108, 111)], "none").encode("low") == [108, 256]


def test_more_text_may_need_fewer_tokens():
    a, b, c = b"abc"
    tokenizer = Tokenizer.from_merges([(a, b), (c, b), (a, c), (b, b), (257, b), (a, 260)], "none")

    assert spelled(tokenizer, "abacb") == ["ab", "a", "cb"]
    assert spelled(tokenizer, "abacbb") == ["ab", "acbb"]


def test_pairs_do_not_cross_documents():
    training = train(count_chunks(["abab", "abac"], "none"), 260)

    assert [(merge.pair, merge.token_id, merge.count) for merge in training.merges] == [((97, 98), 256, 3)]
    assert training.stopped_because == StopReason.COUNT_TOO_LOW
    assert training.tokenizer.vocab_size == 257
    assert [training.tokenizer.encode(text) for text in ("abab", "abac")] == [[256, 256], [256, 97, 99]]


def test_wikipedias_example():
    tokenizer = train(count_chunks(["aaabdaaabac"], "none"), 259).tokenizer

    assert tokenizer.encode("aaabdaaabac") == [258, 100, 258, 97, 99]


def test_frequency_not_meaning():
    documents = ["qx " * 30, "unhappiness", "ababab café café", "తెలుగు 🙂 తెలుగు 🙂"]
    merges = train(count_chunks(documents, "none"), 286).merges

    first = [(113, 120), (256, 32), (257, 257), (258, 258), (224, 176), (224, 177)]
    assert [merge.pair for merge in merges[:6]] == first
    assert len(merges) == 30


@pytest.mark.parametrize(
    ("budget", "learned", "train_tokens", "held_out"), [(0, 0, 19, 26), (4, 4, 9, 25), (12, 6, 5, 25)]
)
def test_the_same_split_at_three_budgets(budget, learned, train_tokens, held_out):
    training = train(count_chunks(["abababab", "café café"], "none"), 256 + budget)
    counts = count_chunks(["abac", "తెలుగు🙂"], "none")

    assert len(training.merges) == learned
    assert training.token_totals[-1] == train_tokens
    assert token_totals(training.tokenizer, counts)[-1] == held_out
    assert (counts.num_bytes, counts.num_characters) == (26, 11)
    assert (training.chunk_counts.num_bytes, training.chunk_counts.num_characters) == (19, 17)


LOW = {b"low": 5, b"lower": 2, b"lowest": 2}
TALL = LOW | {b"faster": 3, b"smallest": 3, b"fast": 5, b"small": 5, b"taller": 2, b"tallest": 2}


@pytest.mark.parametrize(
    ("words", "learned", "newer", "newest"),
    [
        (LOW, "lo low lowe st lower lowest", "n e w e r", "n e w e st"),
        (
            TALL,
            "st al all lo low ast fast mall small er est tall faster smallest lower lowest taller tallest",
            "n e w er",
            "n e w est",
        ),
    ],
)
def test_when_a_suffix_becomes_a_token(words, learned, newer, newest):
    tokenizer = train(words, 276).tokenizer

    assert [tokenizer.vocabulary[merge.token_id].decode() for merge in tokenizer.merges] == learned.split()
    assert spelled(tokenizer, "newer") == newer.split()
    assert spelled(tokenizer, "newest") == newest.split()


def test_a_shared_root_emerges():
    lines = ["the quick brown fox jumps over the lazy dog"]
    lines += ["tokenization tokenizer tokenized tokenizing tokens", "lower lowest lowered lowering slower slowest"]
    tokenizer = train(count_chunks(lines * 20), 300).tokenizer

    learned = (
        "ow|er|low| t|en|ken|oken|iz|lower| token| tokeniz| s| lower|ed|es|he|in|lowes|ing|lowest| b| d| f| j| l| o"
    )
    learned += "| q| lowest|at|az|ck|io|ick|mp|og|ox|row|token|the|uick|ump|ver| the|izat"
    assert [tokenizer.vocabulary[merge.token_id].decode() for merge in tokenizer.merges] == learned.split("|")
    for text, expected in {
        "tokenization": "token|izat|io|n",
        " tokenization": " tokeniz|at|io|n",
        " tokenizer": " tokeniz|er",
        " slowest": " s|lowest",
        " fascinating": " f|a|s|c|in|at|ing",
    }.items():
        assert spelled(tokenizer, text) == expected.split("|")


def test_frequent_words_are_cheap_and_rare_ones_dear():
    counts = count_chunks([(TEXTS / "sherlock.txt").read_bytes().decode("utf-8")])
    tokenizer = train(counts, 356).tokenizer
    expected = {" that": 1, " with": 1, " have": 2, " which": 3, " from": 3, " abandoned": 6, " abhorrent": 7}
    expected |= {" above": 4, " absolute": 6, " absolutely": 7, " zettelkasten": 10}

    assert {word: len(tokenizer.encode(word)) for word in expected} == expected
    times = {" that": 96, " with": 66, " have": 62, " which": 54, " from": 42}
    assert {word: counts[word.encode()] for word in times} == times


def test_from_merges_refuses_parts_that_are_no_earlier_token():
    for pairs, specials in [([(256, 97)], ()), ([(97, -1)], ()), ([(97, 256)], ["<a>"])]:
        with pytest.raises(BpeError, match="Merge 0"):
            Tokenizer.from_merges(pairs, "none", specials)


def test_from_merges_refuses_a_pair_that_is_joined_twice():
    with pytest.raises(BpeError, match=r"Merges 1 and 3 both join \(98, 99\)"):
        Tokenizer.from_merges([(97, 98), (98, 99), (99, 98), (98, 99)])


def test_specials_must_be_a_list_of_names():
    with pytest.raises(BpeError, match="not one text"):
        train(count_chunks(["low low"]), 300, specials="<a>")


@pytest.mark.parametrize(
    ("ids", "words"),
    [
        ([300], r"ids run from 0 to 400, and some between have no token\.$"),
        ([401], r"ids run from 0 to 400, and some between have no token\.$"),
        ("ab", "one is the text 'a'"),
    ],
)
def test_decode_says_what_is_wrong_with_an_id(ids, words):
    tokenizer = Tokenizer.from_merges([(97, 98)])
    with_gap = replace(tokenizer, token_ids=np.array([400], np.int32))
    with pytest.raises(BpeError, match=words):
        with_gap.decode(ids)
    with pytest.raises(BpeError, match=r"ids run from 0 to 256\.$"):
        tokenizer.decode([257])


@pytest.mark.parametrize("pair", [(97.5, 98), (2**40, 98), (97,), ("a", "b")])
def test_from_merges_refuses_what_is_no_pair_of_ids(pair):
    with pytest.raises(BpeError, match="Merge 1"):
        Tokenizer.from_merges([(97, 98), pair])


def test_decode_knows_two_ways_with_broken_bytes_and_no_third():
    with pytest.raises(BpeError, match="'ignore' is not known"):
        Tokenizer.from_merges([]).decode([255], "ignore")


def test_decode_wants_a_list_of_ids():
    with pytest.raises(BpeError, match="a list"):
        Tokenizer.from_merges([]).decode(104)


def test_symbols_of_ids_numbers_bytes_and_merges_and_nothing_else(trained):
    symbols = trained.symbols_of_ids

    assert symbols[:256].tolist() == list(range(256))
    assert symbols[256:260].tolist() == [-1] * 4
    assert np.array_equal(symbols[260:], np.arange(256, 256 + trained.num_merges))
