"""Counting chunks: the fast paths are the readable one."""

import threading
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import BpeError, ChunkCounts, count_chunks, custom_pattern, named_pattern
from bpe_core import chunks as chunks_module
from bpe_core.chunks import count_chunks_by_regex, cut_text
from bpe_core.counting import distinct, text_blocks
from bpe_core.counting.character_classes import CLASS_PATTERNS, byte_classes
from bpe_core.counting.class_chunks import chunk_edges
from bpe_core.counting.distinct import DistinctCounter, counted
from bpe_core.counting.text_blocks import pieces
from bpe_core.errors import Stopped

TEXTS = Path(__file__).parents[2] / "bpe_core" / "samples" / "texts"
STREAMED = (*CLASS_PATTERNS, "cl100k", "o200k", "qwen", "none")
PARTS = [*"aest1_! \n\t\r'²漢é", "'s", "'re", "'ll", "'v", "e\u0301", "\x1c", "\x1f", "\x85", "\xa0"]
PARTS += ["\u2003", "\u3000", "\0", "😀", "١", "\u200b", "\u180e", "\ufeff", "S", "  ", "👩\u200d🔬"]
documents = st.lists(st.lists(st.sampled_from(PARTS), max_size=12).map("".join) | st.text(max_size=12), max_size=4)


def rows(counts):
    return list(counts.items()), counts.num_documents, counts.num_characters, counts.num_bytes


@pytest.mark.parametrize("name", STREAMED)
@settings(max_examples=80)
@given(documents)
def test_count_chunks_equals_the_regex(name, texts):
    assert rows(count_chunks(texts, name)) == rows(count_chunks_by_regex(texts, named_pattern(name)))


def test_count_chunks_equals_the_regex_on_thousands_of_document_lists():
    random = Random(1)
    for _ in range(1000):
        texts = [
            "".join(random.choices(PARTS, k=random.choice([0, 1, 3, 10, 30]))) for _ in range(random.randint(0, 4))
        ]
        for name in CLASS_PATTERNS:
            assert rows(count_chunks(texts, name)) == rows(count_chunks_by_regex(texts, named_pattern(name))), texts


@pytest.mark.parametrize("name", [name for name in STREAMED if name != "none"])
@settings(max_examples=50)
@given(st.lists(st.sampled_from(PARTS), max_size=40).map("".join), st.integers(1, 6))
def test_pieces_of_a_document_have_the_chunks_of_the_whole(name, text, length):
    cut_before = " \n" if name in CLASS_PATTERNS else " "
    pattern = named_pattern(name)

    parts = list(pieces(text, cut_before, length))

    assert "".join(parts) == text
    assert [chunk for part in parts for chunk in pattern.chunks(part)] == pattern.chunks(text)


@pytest.mark.parametrize("name", [*CLASS_PATTERNS, "cl100k"])
@pytest.mark.parametrize("space", ["\x1c", "\x1f", "\x85", "\u3000", "\t"])
def test_a_document_is_not_cut_where_whitespace_goes_on(name, space):
    text, pattern = f"a{space} b{space}\n c", named_pattern(name)

    parts = pieces(text, " \n" if name in CLASS_PATTERNS else " ", 1)

    assert [chunk for part in parts for chunk in pattern.chunks(part)] == pattern.chunks(text)


@pytest.mark.parametrize("name", CLASS_PATTERNS)
@settings(max_examples=50)
@given(documents)
def test_chunk_edges_never_join_two_pieces(name, texts):
    content, edges = chunk_edges(texts, name)

    expected = [chunk.encode() for text in texts for chunk in named_pattern(name).chunks(text)]
    assert [content[a:b] for a, b in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)] == expected


@pytest.mark.parametrize("name", CLASS_PATTERNS)
def test_every_character_has_the_class_that_the_regex_gives_it(name):
    codes = np.concatenate([np.arange(0xD800), np.arange(0xE000, 0x110000)])
    every = codes.astype("<u4").tobytes().decode("utf-32-le")
    of_bytes = byte_classes([every], every.encode(), name)
    is_lead = np.frombuffer(every.encode(), np.uint8) & 0xC0 != 0x80
    classes = of_bytes[is_lead]
    assert (np.repeat(classes, np.diff(np.flatnonzero(np.append(is_lead, True)))) == of_bytes).all()

    # Put between letters, digits and marks, the first and last character of each run of one class show its class.
    changes = np.flatnonzero(np.diff(classes, prepend=99, append=99))
    tried = np.unique(np.concatenate([changes[:-1], changes[1:] - 1]))
    text = "".join(f"a{every[at]}1{every[at]}!" for at in tried.tolist())
    pattern = named_pattern(name)
    expected = np.cumsum([0, *(len(chunk.encode()) for chunk in pattern.chunks(text))])
    assert cut_text(text, pattern)[1].tolist() == expected.tolist()


@pytest.mark.parametrize("name", [*CLASS_PATTERNS, "cl100k"])
@pytest.mark.parametrize("file", ["sherlock.txt", "btree.c", "emoji.txt"])
def test_count_chunks_equals_the_regex_on_real_text(name, file):
    lines = (TEXTS / file).read_text(encoding="utf-8").splitlines(keepends=True)
    texts = ["".join(lines[:200]), "", *lines[200:1000], "".join(lines[1000:])]

    assert rows(count_chunks(texts, name)) == rows(count_chunks_by_regex(texts, named_pattern(name)))


def test_count_chunks_cuts_long_documents_and_counts_across_blocks():
    text = "low lower\n" * 150_000 + "漢字 " * 200_000

    counted = count_chunks([text, text], "gpt2")

    low = {b"low": 300_000, b" lower": 300_000, b"\n": 300_000}
    assert dict(counted) == low | {"漢字".encode(): 2, " 漢字".encode(): 399_998, b" ": 2}
    assert list(counted)[:3] == [b"low", b" lower", b"\n"]


@pytest.mark.parametrize("name", ["four-type", "gpt2", "none"])
@pytest.mark.parametrize("line", ["a" * 10_000_000, "漢" * 3_500_000], ids=["letters", "characters of three bytes"])
def test_count_chunks_takes_one_line_of_10_mb_without_a_space(name, line):
    assert dict(count_chunks([line], name)) == {line.encode(): 1}


def test_count_chunks_consumes_a_stream():
    assert dict(count_chunks((f"a {number}" for number in range(3)), "four-type")) == {
        b"a": 3,
        b" ": 3,
        b"0": 1,
        b"1": 1,
        b"2": 1,
    }


@pytest.mark.parametrize("name", STREAMED)
def test_count_chunks_refuses_a_lone_surrogate_in_one_voice(name):
    texts = ["fine", "ab\udbc0c"]
    with pytest.raises(BpeError, match=r"U\+DBC0, at character 2") as fast:
        count_chunks(texts, name)
    with pytest.raises(BpeError) as plain:
        count_chunks_by_regex(texts, named_pattern(name))
    assert str(fast.value) == str(plain.value)


@pytest.mark.parametrize("name", ["gpt2", "none"])
def test_count_chunks_refuses_bytes_in_place_of_text(name):
    with pytest.raises(BpeError, match="this is bytes"):
        count_chunks([b"ab"], name)


def test_count_chunks_refuses_one_text_instead_of_a_list():
    with pytest.raises(BpeError, match="list of texts"):
        count_chunks("text")


@pytest.mark.parametrize("pattern", ["gpt2", custom_pattern("(?s).{1,999}")])
def test_count_chunks_tells_its_progress_and_stops_when_asked(pattern):
    seen = []
    texts = ["word " * 220_000] * 3

    count_chunks(texts, pattern, on_progress=seen.append)
    assert seen[-1] == 3_300_000
    assert seen == sorted(seen)
    assert len(seen) >= 3

    asked = []
    with pytest.raises(Stopped, match="stopped after"):
        count_chunks(texts, pattern, on_progress=lambda done: asked.append(done) or True)
    assert len(asked) == 1


def test_one_long_document_can_be_stopped_under_a_pattern_of_ones_own():
    document, pattern, asked = "word " * 500_000, custom_pattern(r"\w+|\W+"), []

    assert dict(count_chunks([document], pattern, on_progress=asked.append)) == {b"word": 500_000, b" ": 500_000}
    assert len(asked) > 10

    asked.clear()
    with pytest.raises(Stopped):
        count_chunks([document], pattern, on_progress=lambda done: asked.append(done) or len(asked) == 3)
    assert len(asked) == 3


def test_a_pattern_of_ones_own_is_not_taken_for_the_named_one_of_that_name():
    mine = replace(custom_pattern("(?s)."), name="gpt2")

    assert dict(count_chunks(["ab"], mine)) == {b"a": 1, b"b": 1}


@pytest.mark.parametrize("waiting", [0, 3, 500_000])
@given(st.lists(st.lists(st.binary(min_size=1, max_size=3), max_size=8), max_size=8))
def test_distinct_counter_counts_as_a_dictionary_does(waiting, blocks):
    counter = DistinctCounter()
    expected = {}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(distinct, "_ALWAYS_WAIT", waiting)
        for block in blocks:
            counter.add(counted([(b"".join(block), np.cumsum([0, *map(len, block)]))]))
            for string in block:
                expected[string] = expected.get(string, 0) + 1

    data, offsets, counts = counter.result()

    found = [data[a:b].tobytes() for a, b in pairwise(offsets)]
    assert dict(zip(found, counts.tolist(), strict=True)) == expected
    assert found == list(expected)


@pytest.mark.parametrize("counts", [
    {b"": 1}, {b"a": 0}, {b"a": -1}, {b"a": 2**63}, {b"ab": 2**62}, {b"ab": np.int64(2**62)}, {b"a": 1.5}, {"low": 5}
])  # fmt: skip
def test_from_counts_refuses_what_cannot_be_counted(counts):
    with pytest.raises(BpeError):
        ChunkCounts.from_counts(counts)


def test_counts_of_few_bits_are_added_up_in_many():
    assert ChunkCounts.from_counts({b"abc": np.uint8(200)}).num_characters == 600


def test_cut_text_takes_bytes_that_are_no_text():
    text = b"a \xff\xfeb".decode("utf-8", "surrogateescape")

    content, edges = cut_text(text, named_pattern("gpt2"))

    assert content == b"a \xff\xfeb"
    assert edges.tolist() == [0, 1, 4, 5]


@pytest.mark.parametrize("length", [1, 3, 20])
def test_blocks_counted_in_threads_keep_the_order_of_first_occurrence(length, monkeypatch):
    monkeypatch.setattr(chunks_module, "blocks", partial(text_blocks.blocks, length=length))
    monkeypatch.setattr(chunks_module, "pieces", partial(text_blocks.pieces, length=length))
    random = Random(length)
    for _ in range(30):
        documents = ["".join(random.choices("ab é1'!\n😀", k=random.randint(0, 60))) for _ in range(5)]
        expected = count_chunks_by_regex(documents, named_pattern("gpt2"))

        assert list(count_chunks(documents).items()) == list(expected.items())


def test_what_goes_wrong_in_a_counting_thread_comes_out_and_leaves_no_thread(monkeypatch):
    monkeypatch.setattr(chunks_module, "blocks", partial(text_blocks.blocks, length=10))

    def failing(pieces, name):
        if "bad" in pieces:
            raise RuntimeError("in a thread")
        return chunk_edges(pieces, name)

    monkeypatch.setattr(chunks_module, "chunk_edges", failing)
    with pytest.raises(RuntimeError, match="in a thread"):
        count_chunks(["some words", "bad", "more words"] * 20)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("counting")]
