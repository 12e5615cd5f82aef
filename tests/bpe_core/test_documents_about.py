"""Facts about a corpus, and parts of it."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import BpeError
from bpe_core.documents import (
    SPLITS,
    Example,
    Texts,
    blocks,
    corpus_facts,
    documents_csv,
    documents_of_text,
    every_nth,
    examples_of,
    first_bytes,
    join_documents,
    read_documents,
    read_files,
    split_further,
    without,
)

TEXTS = st.text(
    st.sampled_from("ab \n\r\t\ufffd\x85\u2003\0\x7f\x9fé") | st.characters(codec="utf-8"), min_size=1, max_size=30
)
CORPORA = st.lists(st.lists(TEXTS, min_size=1, max_size=4), min_size=1, max_size=3)


def corpus(files):
    """Documents of several files, made without reading any."""
    parts = []
    for number, texts in enumerate(files):
        part = documents_of_text("x", f"{number}.txt")
        count = len(texts)
        zeros = np.zeros(count, np.int64)
        made = Texts.of(text.encode() for text in texts)
        parts.append(type(part)(made, part.report, zeros, zeros + 1, zeros))
    return join_documents(parts)


def plain_facts(texts):
    """The facts of some documents, counted as one would say them."""
    joined_runs = [run for text in texts for run in text.split()]
    return {
        "num_bytes": sum(len(text.encode()) for text in texts),
        "num_characters": sum(map(len, texts)),
        "num_documents": len(texts),
        "duplicates": len(texts) - len(set(texts)),
        "blank": sum(text.isspace() for text in texts),
        "replacement": sum(text.count("\ufffd") for text in texts),
        "control": sum(len(re.findall("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", text)) for text in texts),
        "crlf": sum(text.count("\r\n") for text in texts),
        "lf": sum(len(re.findall("(?<!\r)\n", text)) for text in texts),
        "cr": sum(len(re.findall("\r(?!\n)", text)) for text in texts),
        "longest_document": max(len(text.encode()) for text in texts),
        "longest_run": max((len(run.encode()) for run in joined_runs), default=0),
    }


def counted(facts):
    return {name: getattr(value := getattr(facts, name), "count", value) for name in plain_facts(["x"])}


@given(CORPORA, st.sampled_from([1, 7, 1 << 22]))
def test_corpus_facts_equal_a_plain_count(files, block):
    kept, blocks._BLOCK = blocks._BLOCK, block  # small blocks cut long documents, as large ones cut 100 MB
    try:
        everything, *each = corpus_facts(corpus(files))
    finally:
        blocks._BLOCK = kept
    assert counted(everything) == plain_facts([text for texts in files for text in texts])
    assert [counted(facts) for facts in each] == [plain_facts(texts) for texts in files]


@given(CORPORA)
def test_examples_stand_where_they_say(files):
    documents = corpus(files)
    texts = list(documents)
    facts = corpus_facts(documents)[0]
    for name, sought in ("replacement", "\ufffd"), ("crlf", "\r\n"), ("cr", "\r"), ("lf", "\n"):
        figure = getattr(facts, name)
        assert len(figure.examples) == min(5, figure.count)
        for example in figure.examples:
            assert sought in texts[example.document]
            assert sought in example.excerpt
            assert example.excerpt in texts[example.document]
            assert 1 <= example.line <= 1 + texts[example.document].count("\n")
    for example in facts.duplicates.examples:
        assert texts.index(texts[example.document]) < example.document


def test_corpus_facts_name_file_document_and_line():
    documents = read_files([("a.txt", "ok\nbad \ufffd\n".encode()), ("b.csv", b'text\n"x\ny\x07"\nlow\nlow\n\n')])
    everything, first, second = corpus_facts(documents)
    assert (first.file, second.file, everything.file) == ("a.txt", "b.csv", None)
    assert everything.replacement.examples == (Example(0, "a.txt", 2, None, "ok\nbad \ufffd\n"),)
    assert everything.control.examples == (Example(1, "b.csv", 3, 1, "x\ny\x07"),)
    assert everything.duplicates.examples == (Example(3, "b.csv", 5, 3, "low"),)
    assert (second.empty, everything.empty) == (1, 1)


def test_a_line_ending_never_lies_in_two_documents():
    facts = corpus_facts(corpus([["a\r", "\nb"]]))[0]
    assert (facts.cr.count, facts.lf.count, facts.crlf.count) == (1, 1, 0)


def test_duplicates_between_files_count_only_in_all():
    facts = corpus_facts(read_files([("a.txt", b"low"), ("b.txt", b"low")]))
    assert [each.duplicates.count for each in facts] == [1, 0, 0]


def test_a_line_feed_in_json_is_no_line_of_the_file():
    documents = read_documents(b'{"text":"a\\nb\\ufffd"}\n', "a.jsonl")
    assert corpus_facts(documents)[0].replacement.examples[0].line == 1


def test_examples_of_gives_one_place_for_each_document():
    documents = documents_of_text("low low\nx\nlow\n", split="line")
    assert [(each.document, each.line) for each in examples_of(documents, b"low")] == [(0, 1), (2, 3)]
    assert examples_of(documents, b"zzz") == ()


def test_documents_csv_reads_back_as_the_same_documents():
    documents = documents_of_text('a,"b"\r\n\n=1+1\n\nx', split="blank lines")
    table = documents_csv(documents, [1, 0])
    assert list(read_documents(table, "marked.csv")) == [documents.documents[1], documents.documents[0]]
    assert b"1,pasted text,,3,6,=1+1" in table.replace(b'"', b"")


def test_every_nth_and_without_are_noted():
    documents = documents_of_text("a\nb\nc\nd\ne\n", split="line")
    third = every_nth(documents, 3)
    assert list(third) == ["a\n", "d\n"]
    assert third.report.notes == ("One document of every 3 is used: 2 of 5.",)
    rest = without(documents, [1, 3, 3])
    assert list(rest) == ["a\n", "c\n", "e\n"]
    assert rest.report.notes == ("2 marked documents left out; 3 are used.",)
    assert [rest.origin(number).line for number in range(3)] == [1, 3, 5]


REFUSED = [
    pytest.param(lambda documents: every_nth(documents, 0), "1 or more, not 0", id="every 0th"),
    pytest.param(lambda documents: without(documents, [3]), "There is no document 3", id="number too high"),
    pytest.param(lambda documents: without(documents, [-1]), "There is no document -1", id="number below 0"),
    pytest.param(lambda documents: without(documents, [0, 1, 2]), "Every document is marked", id="all marked"),
    pytest.param(lambda documents: first_bytes(documents, 0), "hold no whole character", id="no bytes"),
    pytest.param(lambda documents: first_bytes(documents, 1), "hold no whole character", id="half a character"),
    pytest.param(lambda documents: split_further(documents, "word"), "cannot be split by", id="unknown split"),
]


@pytest.mark.parametrize(("choose", "message"), REFUSED)
def test_choosing_refuses(choose, message):
    with pytest.raises(BpeError, match=message):
        choose(documents_of_text("é\nb\nc\n", split="line"))


def test_first_bytes_cuts_at_a_line_end_and_says_so():
    documents = first_bytes(documents_of_text("low\nlower\nlowest\n"), 12)
    assert list(documents) == ["low\nlower\n"]
    assert documents.report.notes == (
        "The first 12 bytes are used: 1 of 1 document; the last one is cut after 10 bytes.",
    )


@given(st.lists(TEXTS, min_size=1, max_size=4), st.integers(0, 60))
def test_first_bytes_is_a_beginning_of_whole_characters(texts, num_bytes):
    documents = corpus([texts])
    try:
        kept = first_bytes(documents, num_bytes)
    except BpeError:
        assert num_bytes < len(texts[0][0].encode())
        return
    assert kept.num_bytes <= num_bytes or kept is documents
    whole = list(kept)[:-1]
    assert whole == texts[: len(whole)]
    assert texts[len(whole)].startswith(list(kept)[-1])
    assert all(kept)


@given(TEXTS, st.sampled_from(SPLITS), st.sampled_from(SPLITS))
def test_split_further_equals_splitting_at_once(text, before, split):
    whole = documents_of_text(text, split="file")
    further = split_further(whole, split)
    at_once = documents_of_text(text, split=split)
    assert list(further) == list(at_once)
    assert further.lines.tolist() == at_once.lines.tolist()
    assert "".join(split_further(documents_of_text(text, split=before), split)) == text


def test_split_further_keeps_row_file_and_group():
    documents = read_documents(b'text,g\n"a\nb",x\nc,y\n', "a.csv", group_column="g")
    lines = split_further(documents, "line")
    assert [str(lines.origin(number)) for number in range(3)] == [
        "a.csv, row 1, line 2",
        "a.csv, row 1, line 3",
        "a.csv, row 2, line 4",
    ]
    assert lines.group_numbers.tolist() == [0, 0, 1]
