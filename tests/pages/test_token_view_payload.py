"""The payload says what the tokenizer says, is small, and tells when it changed."""

import base64
import json
import random

import numpy as np
import pytest

from bpe_core import BpeError, ChunkCounts, Tokenizer, count_chunks, token_totals, train
from bpe_core.gaps import NEVER, WALL
from pages.ui.token_view import corpus_counts, cut_model, text_model
from pages.ui.token_view.payload import pack, pack_bytes

TEXT = "the cat sat on the mat; the hat of the cat is on the mat."


def unpack(packed) -> np.ndarray:
    code, content = packed
    return np.frombuffer(base64.b64decode(content), f"<{code}")


@pytest.fixture(scope="module")
def training():
    return train(count_chunks([TEXT]), 280)


@pytest.mark.parametrize(
    ("values", "code"),
    [([], "u1"), ([255], "u1"), ([256], "u2"), ([65_536], "u4"), ([2**32], "f8"), ([2**53], "f8")],
)
def test_pack_takes_the_smallest_type_that_loses_nothing(values, code):
    packed = pack(np.array(values, np.int64))
    assert packed[0] == code
    assert unpack(packed).tolist() == values


def test_text_model_holds_the_text_and_its_gap_ranks(training):
    payload = text_model(training.tokenizer, TEXT).payload
    gaps = unpack(payload["gaps"]).astype(int)
    named = np.where(gaps == 65_535, WALL, np.where(gaps == 65_534, NEVER, gaps))
    assert unpack(payload["text"]).tobytes() == TEXT.encode()
    assert named.tolist() == training.tokenizer.gap_ranks(TEXT).tolist()


def test_text_model_holds_the_parts_of_every_merge(training):
    pairs = unpack(text_model(training.tokenizer, TEXT).payload["pairs"]).reshape(-1, 2)
    assert pairs.tolist() == [list(merge.pair) for merge in training.merges]


def test_corpus_counts_give_the_totals_at_every_size(training):
    corpus = corpus_counts("cats", training.chunk_counts, training.token_totals)
    totals = corpus.byte_counts.sum() - np.concatenate([[0], np.cumsum(corpus.replaced)])
    assert totals.tolist() == token_totals(training.tokenizer, training.chunk_counts).tolist()
    assert corpus.byte_counts.tolist() == np.bincount(np.frombuffer(TEXT.encode(), np.uint8), minlength=256).tolist()


def test_corpus_counts_are_exact_beyond_32_bits():
    chunks = ChunkCounts.from_counts({b"ab": 2**40})
    corpus = corpus_counts("many", chunks, np.array([2**41, 2**40]))
    model = text_model(Tokenizer.from_merges([(97, 98)], "none"), "ab", corpus=corpus)
    assert unpack(model.payload["corpus"]["replaced"]).tolist() == [2**40]
    assert unpack(model.payload["corpus"]["byte_counts"])[97] == 2**40


def test_ids_follow_from_first_id_behind_specials():
    model = text_model(Tokenizer.from_merges([(97, 98)], "none", ["<|end|>", "<|pad|>"]), "ab")
    assert (model.first_id, model.largest_size) == (258, 259)
    assert "symbol_ids" not in model.payload


def test_an_imported_table_of_ids_is_sent():
    byte_ids = np.arange(256)[::-1].astype(np.int32)
    merge = np.array([[158, 157]], np.int32)  # the ids of a and b in this table
    tokenizer = Tokenizer(
        Tokenizer.from_merges([], "none").pattern, byte_ids, merge, np.array([300], np.int32), np.array([0], np.int32)
    )
    payload = text_model(tokenizer, "ab").payload
    assert unpack(payload["symbol_ids"]).tolist() == [*byte_ids.tolist(), 300]
    assert unpack(payload["pairs"]).tolist() == [97, 98]


def test_cut_model_keeps_the_given_tokens_and_names_the_specials():
    tokenizer = Tokenizer.from_merges([(97, 98)], "none", ["<|end|>"])
    payload = cut_model(tokenizer, [[257, 97], [256]]).payload
    assert unpack(payload["text"]).tobytes() == b"aba<|end|>"
    assert unpack(payload["ids"]).tolist() == [257, 97, 256]
    assert unpack(payload["gaps"]).tolist() == [0, 65_534, 65_535, 0, 0, 0, 0, 0, 0]
    assert payload["specials"] == [(256, "<|end|>")]


def test_cut_model_of_nothing_is_an_empty_text():
    assert cut_model(Tokenizer.from_merges([]), []).num_bytes == 0


def test_text_model_refuses_a_vocabulary_without_smaller_sizes():
    tokenizer = Tokenizer.from_merges([(97, 98)], "none")
    alone = Tokenizer(
        tokenizer.pattern,
        tokenizer.byte_ids,
        tokenizer.pairs,
        tokenizer.token_ids,
        tokenizer.ranks,
        lone_tokens={b"xyz": 900},
    )
    with pytest.raises(BpeError, match="no smaller sizes"):
        text_model(alone, "ab")
    assert cut_model(alone, [[256, 900]]).num_bytes == 5


def test_signature_changes_with_the_text_and_with_nothing_else(training):
    model = text_model(training.tokenizer, TEXT)
    assert model.signature == text_model(training.tokenizer, TEXT).signature
    assert model.signature != text_model(training.tokenizer, TEXT + ".").signature


def test_payload_of_12000_bytes_and_2000_merges_is_below_100_kb():
    generator = random.Random(1)
    words = ["".join(generator.choices("abcdefghij", k=generator.randint(2, 9))) for _ in range(1_200)]
    text = " ".join(generator.choices(words, k=12_000))
    training = train(count_chunks([text]), 256 + 2_000)
    corpus = corpus_counts("random words", training.chunk_counts, training.token_totals)
    model = text_model(training.tokenizer, text[:12_000], corpus=corpus, counts=training.counts)
    assert model.num_merges == 2_000
    assert len(json.dumps(dict(model.payload))) < 100_000


def test_bytes_of_any_value_travel():
    content = bytes(range(256))
    assert unpack(pack_bytes(content)).tobytes() == content
