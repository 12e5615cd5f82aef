"""Text files: encodings, splits, what is left out, and where each document came from."""

import re
import tracemalloc
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import BpeError, count_chunks, train
from bpe_core.documents import (
    ENCODINGS,
    SPLITS,
    Texts,
    documents_of_text,
    first_equals,
    join_documents,
    read_documents,
    read_files,
    shown_name,
    table_columns,
)
from bpe_core.errors import Stopped

TEXTS = st.text(st.sampled_from("ab \n\r\t") | st.characters(codec="utf-8"), min_size=1)

READ = [
    pytest.param(b"low", {}, ["low"], "1 document; UTF-8", id="plain"),
    pytest.param(b"\xef\xbb\xbflow", {}, ["low"], "1 document; UTF-8 (byte order mark dropped)", id="mark dropped"),
    pytest.param(
        b"\xef\xbb\xbflow",
        {"byte_order_mark": "keep"},
        ["\ufefflow"],
        "1 document; UTF-8 (byte order mark kept)",
        id="mark kept",
    ),
    pytest.param(
        "é".encode("utf-16"), {}, ["é"], "1 document; UTF-16 LE (byte order mark dropped)", id="UTF-16 by mark"
    ),
    pytest.param(
        b"\xfe\xff" + "é".encode("utf-16-be"),
        {},
        ["é"],
        "1 document; UTF-16 BE (byte order mark dropped)",
        id="UTF-16 BE by mark",
    ),
    pytest.param(
        "😀".encode("utf-32"), {}, ["😀"], "1 document; UTF-32 LE (byte order mark dropped)", id="UTF-32 by mark"
    ),
    pytest.param(
        "a\nb".encode("utf-16-le"),
        {"encoding": "utf-16-le", "split": "line"},
        ["a\n", "b"],
        "2 documents; UTF-16 LE",
        id="UTF-16 by choice",
    ),
    pytest.param(
        b"caf\xe9 \x80", {"encoding": "cp1252"}, ["café €"], "1 document; Windows-1252", id="cp1252 by choice"
    ),
    pytest.param(
        b"caf\xe9 \x80", {"encoding": "latin-1"}, ["café \x80"], "1 document; Latin-1", id="Latin-1 by choice"
    ),
    pytest.param(
        b"ok\ncaf\xe9\nend",
        {"bad": "skip", "split": "line"},
        ["ok\n", "end"],
        "2 documents; 1 not readable, left out; UTF-8",
        id="bad line skipped",
    ),
    pytest.param(
        "ab\n".encode("utf-16-le") + b"\x3d\xd8\n\0" + "c".encode("utf-16-le"),
        {"encoding": "utf-16-le", "bad": "skip", "split": "line"},
        ["ab\n", "c"],
        "2 documents; 1 not readable, left out; UTF-16 LE",
        id="bad UTF-16 line skipped",
    ),
    pytest.param(
        b"a\x81b\nc",
        {"encoding": "cp1252", "bad": "skip", "split": "line"},
        ["c"],
        "1 document; 1 not readable, left out; Windows-1252",
        id="byte that cp1252 lacks",
    ),
    pytest.param(b"a\r\n\nb\rc", {"split": "line"}, ["a\r\n", "\n", "b\rc"], "3 documents; UTF-8", id="by line"),
    pytest.param(
        b"\n\na\nb\n \t\r\n\nc\n",
        {"split": "blank lines"},
        ["\n\na\nb\n \t\r\n\n", "c\n"],
        "2 documents; UTF-8",
        id="by blank lines",
    ),
    pytest.param(b" \n", {}, [" \n"], "1 document; UTF-8", id="whitespace is a text"),
]


@pytest.mark.parametrize(("content", "options", "expected", "summary"), READ)
def test_read_documents_gives(content, options, expected, summary):
    documents = read_documents(content, "a.txt", **options)

    assert list(documents) == expected
    assert documents.report.summary == summary
    assert documents.report.num_documents == len(expected) == len(documents)


REFUSED = [
    pytest.param(b"", {}, "a.txt is empty (0 bytes)", id="empty"),
    pytest.param(b"\xef\xbb\xbf", {}, "a.txt is empty (3 bytes, no text)", id="a mark alone"),
    pytest.param(b"ab\nc\xe9\n", {}, "the first bad byte is at offset 4, line 2 (E9)", id="bad byte"),
    pytest.param(b"\xef\xbb\xbfab\nc\xe9\n", {}, "at offset 7, line 2", id="offset counts the mark"),
    pytest.param(b"\xed\xa0\x80", {}, "at offset 0, line 1", id="surrogate in UTF-8"),
    pytest.param("a\nb".encode("utf-16-le") + b"\0", {"encoding": "utf-16-le"}, "at offset 6, line 2", id="odd UTF-16"),
    pytest.param(b"\xff\xfea\0\x3d\xd8", {}, "is not UTF-16 LE text: the first bad byte is at offset 4", id="half"),
    pytest.param(b"\0\xd8\0\0", {"encoding": "utf-32-le"}, "at offset 0", id="surrogate in UTF-32"),
    pytest.param(b"a\x81", {"encoding": "cp1252"}, "is not Windows-1252 text", id="byte that cp1252 lacks"),
    pytest.param(b"ab", {"encoding": "utf-16"}, "Choose utf-16-le (most files) or utf-16-be", id="no byte order"),
    pytest.param(b"ab", {"encoding": "ebcdic"}, "There is no encoding 'ebcdic'", id="unknown encoding"),
    pytest.param(b"ab", {"split": "word"}, "cannot be split by 'word'", id="unknown split"),
    pytest.param(b"ab", {"bad": "guess"}, "'refuse' or 'skip'", id="unknown choice"),
    pytest.param(b"ab", {"byte_order_mark": "x"}, "'drop' or 'keep'", id="unknown choice of mark"),
    pytest.param(b"\xe9", {"bad": "skip"}, "No document of a.txt can be read: 1 left out", id="nothing left"),
    pytest.param(b"abc", {"most_bytes": 2}, "more than", id="too big"),
]


@pytest.mark.parametrize(("content", "options", "message"), REFUSED)
def test_read_documents_refuses(content, options, message):
    with pytest.raises(BpeError, match=re.escape(message)):
        read_documents(content, "a.txt", **options)


CONTENTS = [
    pytest.param("a.txt", b"\x1f\x8b\x08\0", "it is a gzip file. If that is right, let its name end in .gz", id="gzip"),
    pytest.param("a.txt", b"PK\x03\x04rest", "it is a ZIP archive", id="zip"),
    pytest.param("a.csv", b"PAR1....PAR1", "is not a CSV table: it is a Parquet file", id="parquet"),
    pytest.param("a.txt", b"\x89PNG\r\n\x1a\n", "it is a PNG image", id="image"),
    pytest.param("a.txt", b"%PDF-1.7\n", "it is a PDF", id="PDF"),
    pytest.param("a.csv", b"<!DOCTYPE html><html>", "is not a CSV table: it is an HTML page", id="error page"),
    pytest.param("a.zip", b"\n<html lang=en>", "is not a ZIP archive: it is an HTML page", id="error page as zip"),
    pytest.param("a.gz", b"text", "is not a gzip file, as its name says", id="not gzip"),
    pytest.param("a.zip", b"text", "is not a ZIP archive", id="not zip"),
    pytest.param("a.parquet", b"text", "cannot be read as Parquet", id="not parquet"),
    pytest.param("a.7z", b"7z", "is an archive that is not read here", id="other archive"),
    pytest.param(
        "a.txt",
        b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
        "is a Git LFS pointer, not the file itself (12,345 bytes",
        id="LFS pointer",
    ),
]


@pytest.mark.parametrize(("name", "content", "message"), CONTENTS)
def test_read_documents_refuses_what_is_not_what_its_name_says(name, content, message):
    with pytest.raises(BpeError, match=re.escape(message)):
        read_documents(content, name)


def test_read_documents_notes_an_html_page_in_a_text_file_and_reads_it():
    page = b"<!DOCTYPE html><html><body>404</body></html>"

    assert "is an HTML page" in read_documents(page, "a.txt").report.all_notes[0]
    assert read_documents(page, "a.html").report.all_notes == ()
    assert list(read_documents(page, "a.txt")) == [page.decode()]


def test_read_documents_notes_nul_characters_and_a_mark_that_was_overruled():
    assert "3 NUL characters" in read_documents("abc".encode("utf-16-le"), "a.txt").report.all_notes[0]
    overruled = read_documents(b"\xef\xbb\xbfa", "a.txt", encoding="latin-1")
    assert list(overruled) == ["ï»¿a"]
    assert "begins with the byte order mark of UTF-8, but was read as Latin-1" in overruled.report.all_notes[0]


def test_read_documents_tells_who_chose_the_encoding():
    def by(content, **options):
        return read_documents(content, "a.txt", **options).files[0].encoding_by

    assert by(b"a") == "default"
    assert by(b"\xef\xbb\xbfa") == "byte order mark"
    assert by(b"a", encoding="cp1252") == "choice"


def test_read_documents_finds_a_bad_byte_behind_the_first_block():
    content = b"x\n" * (1 << 19) + "é".encode() * 3 + b"\n\xff"
    with pytest.raises(BpeError, match=f"offset {len(content) - 1:,}, line {(1 << 19) + 2:,}"):
        read_documents(content, "a.txt")


def test_read_documents_finds_a_bad_byte_that_ends_the_first_block():
    content = b"x" * ((1 << 20) - 1) + b"\xe2("
    with pytest.raises(BpeError, match=rf"offset {(1 << 20) - 1:,}, line 1 \(E2\)"):
        read_documents(content, "a.txt")


def test_read_documents_reads_characters_that_lie_across_blocks():
    text = "x" + "€😀" * 400_000
    for encoding in "utf-8", "utf-16", "utf-32":
        assert "".join(read_documents(text.encode(encoding), "a.txt")) == text


def test_origin_names_file_and_line():
    documents = read_documents(b"a\n\n\nb\n\nc", "a.txt", split="blank lines")
    assert [str(documents.origin(number)) for number in range(3)] == ["a.txt, line 1", "a.txt, line 4", "a.txt, line 6"]


def test_left_out_documents_are_listed_with_their_line():
    documents = read_documents(b"a\n\xff\nb\n\xff", "a.txt", split="line", bad="skip")
    assert [str(each) for each in documents.files[0].left_out] == [
        "a.txt, line 2: it is not UTF-8 text",
        "a.txt, line 4: it is not UTF-8 text",
    ]


def test_left_out_documents_are_all_counted_and_the_first_thousand_listed():
    file = read_documents(b"a\n" + b"\xff\n" * 1500, "a.txt", split="line", bad="skip").files[0]
    assert (file.num_left_out, len(file.left_out)) == (1500, 1000)


def test_documents_of_text_refuses_a_lone_surrogate():
    with pytest.raises(BpeError, match=r"lone surrogate, U\+D800, at character 3, line 2"):
        documents_of_text("ab\n\ud800")


@given(TEXTS, st.sampled_from(SPLITS))
def test_joined_documents_give_the_text_back(text, split):
    documents = documents_of_text(text, split=split)
    assert "".join(documents) == text
    assert all(documents)


@given(TEXTS)
def test_split_by_line_ends_each_line_with_its_line_feed(text):
    assert list(documents_of_text(text, split="line")) == re.findall(r"[^\n]*\n|[^\n]+", text)


@given(TEXTS)
def test_split_by_blank_lines_cuts_only_behind_blank_lines(text):
    documents = list(documents_of_text(text, split="blank lines"))
    for before, after in pairwise(documents):
        assert re.search(r"\n[ \t\r]*\n\Z", before)
        assert not re.match(r"[ \t\r]*\n", after)


@given(TEXTS, st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be", "utf-32-le"]))
def test_a_text_reads_the_same_in_every_encoding(text, encoding):
    text = text.lstrip("\ufeff\0") or "x"  # a mark of UTF-16 and a NUL would be the mark of UTF-32
    chosen = encoding if encoding[-3:] in ("-le", "-be") else None
    documents = read_documents(text.encode(encoding), "a.txt", encoding=chosen)
    assert list(documents) == [text]
    assert documents.num_bytes == len(text.encode())


@given(st.binary(max_size=60), st.sampled_from([None, *ENCODINGS]), st.sampled_from(SPLITS), st.booleans())
@settings(max_examples=300)
def test_any_bytes_give_documents_or_a_bpe_error(content, encoding, split, skip):
    try:
        documents = read_documents(content, "a.txt", encoding=encoding, split=split, bad="skip" if skip else "refuse")
    except BpeError:
        return
    texts = list(documents)
    assert all(texts)
    assert documents.report.num_documents == len(texts)
    if not skip and encoding in ("utf-8", "latin-1") and not content.startswith(b"\xef\xbb\xbf"):
        assert "".join(texts) == content.decode(encoding)


@given(st.lists(st.binary(max_size=4), min_size=1, max_size=8))
def test_skipping_bad_lines_keeps_every_good_one(lines):
    content = b"a" + b"\n".join(lines) + b"\n"
    good, bad = [], 0
    for line in re.findall(rb"[^\n]*\n", content):
        try:
            good.append(line.decode())
        except UnicodeDecodeError:
            bad += 1
    if not good:
        return
    documents = read_documents(content, "a.txt", split="line", bad="skip")
    assert list(documents) == good
    assert documents.report.num_left_out == bad


def test_read_files_keeps_what_can_be_read_and_lists_the_rest():
    documents = read_files([("a.txt", b"low"), ("b.txt", b""), ("c.txt", b"\xff")])
    assert list(documents) == ["low"]
    assert documents.report.summary == "1 document; 2 files left out; UTF-8"
    assert [str(each)[:30] for each in documents.report.left_out_files] == [
        "b.txt: it is empty (0 bytes). ",
        "c.txt: it is not UTF-8 text: t",
    ]


def test_hidden_files_of_a_folder_are_left_out_and_listed_but_a_chosen_one_is_read():
    names = ["notes/a.txt", "notes/.git/HEAD", "notes/old/.env", "notes/.DS_Store", "notes/Thumbs.db"]
    documents = read_files([(name, b"low") for name in names])

    hidden = "it is hidden: its name or its folder's begins with a dot; to use it, choose it by itself"
    system = "it is a note of the operating system, not a text"
    assert [file.name for file in documents.files] == ["notes/a.txt"]
    assert [(each.file, each.reason) for each in documents.report.left_out_files] == [
        ("notes/.git/HEAD", hidden),
        ("notes/old/.env", hidden),
        ("notes/.DS_Store", system),
        ("notes/Thumbs.db", system),
    ]
    assert table_columns(b"id,said\n1,low\n", "notes/.old/a.csv") is None
    assert len(read_files([(".env", b"low"), (".config/a.txt", b"low")])) == 2
    with pytest.raises(BpeError, match="it is hidden"):
        read_files([("notes/.env", b"low")])


def test_read_files_refuses_if_none_can_be_read():
    with pytest.raises(BpeError, match=r"b\.txt: it is empty.*None of the other 1 can be read either"):
        read_files([("b.txt", b""), ("c.txt", b"\xff")])
    with pytest.raises(BpeError, match="There is no file to read"):
        read_files([])


def test_the_same_file_twice_is_kept_and_noted():
    documents = read_files([("a.txt", b"low"), ("a.txt", b"low"), ("a.txt", b"lower")])
    assert list(documents) == ["low", "low", "lower"]
    assert [file.name for file in documents.files] == ["a.txt", "a.txt (2)", "a.txt (3)"]
    assert documents.report.notes == (
        "a.txt (2) has the same content as a.txt; both are used, so each of its documents weighs double.",
    )


@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_join_documents_keeps_texts_files_and_lines(texts):
    parts = [documents_of_text(text, f"{number}.txt", split="line") for number, text in enumerate(texts)]
    joined = join_documents(parts)
    assert list(joined) == [document for part in parts for document in part]
    for number, part in enumerate(parts):
        of_file = joined.of_file(number)
        assert list(of_file) == list(part)
        assert np.array_equal(of_file.lines, part.lines)
        assert [of_file.origin(each) for each in range(len(part))] == [part.origin(each) for each in range(len(part))]


def test_a_file_name_is_data_and_shown_without_tricks():
    name = "<b>\u202e../../etc/passwd\ud800.txt"
    documents = read_documents(b"low", name)
    assert documents.files[0].name == name
    assert shown_name(name) == "<b>⟨RLO⟩../../etc/passwd⟨ED⟩⟨A0⟩⟨80⟩.txt"
    assert "\u202e" not in str(documents.origin(0))
    assert len(shown_name("x" * 10_000)) == 100


@given(st.text() | st.text(st.characters()))
def test_shown_name_can_always_be_shown(name):
    shown = shown_name(name)
    shown.encode()
    assert len(shown) <= 100
    assert not any(character in shown for character in "\u202e\u2066\u200b\0\n\r\x1b")


@given(st.lists(st.sampled_from([b"a", b"b", b"ab", "é".encode(), b""]), max_size=12))
def test_first_equals_finds_the_first_of_each(pieces):
    assert first_equals(Texts.of(pieces)).tolist() == [pieces.index(piece) for piece in pieces]


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=4), max_size=8), st.data())
def test_texts_behave_like_a_tuple(strings, data):
    texts = Texts.of(each.encode() for each in strings)
    assert texts == tuple(strings)
    assert texts[1:-1] == tuple(strings)[1:-1]
    assert texts.joined().decode() == "".join(strings)
    numbers = data.draw(st.lists(st.integers(0, max(0, len(strings) - 1)), max_size=5)) if strings else []
    chosen = texts.selected(np.array(numbers, np.int64))
    assert chosen == tuple(strings[number] for number in numbers)
    assert chosen.joined().decode() == "".join(strings[number] for number in numbers)
    assert chosen.sha256 == Texts.of(strings[number].encode() for number in numbers).sha256


def test_texts_fingerprint_knows_the_edges():
    assert Texts.of([b"ab"]).sha256 != Texts.of([b"a", b"b"]).sha256


def test_the_same_text_gives_the_same_merges_by_line_or_whole_file_name():
    text = "low lower lowest\r\n" * 9
    merges = {
        train(count_chunks(documents), 280).tokenizer.merges
        for documents in (
            documents_of_text(text),
            read_documents(text.encode(), "a.md"),
            read_documents(text.encode("utf-16"), "b.log"),
        )
    }
    assert len(merges) == 1


def test_a_mark_and_a_nul_are_utf16_only_by_choice():
    content = b"\xff\xfe\0\0a\0b\0"
    with pytest.raises(BpeError, match="is not UTF-32 LE text"):
        read_documents(content, "a.txt")
    for encoding in "utf-16", "utf-16-le":
        documents = read_documents(content, "a.txt", encoding=encoding)
        assert list(documents) == ["\0ab"]
        assert documents.files[0].byte_order_mark == "dropped"


def test_splitting_a_million_blank_lines_takes_no_memory_for_each():
    text = "\n" * 1_000_000 + "a"
    tracemalloc.start()
    documents = documents_of_text(text, split="blank lines")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(documents) == 1
    assert peak < 25_000_000


def test_reading_tells_how_far_it_is_and_can_be_stopped():
    text = "é\n" * 1_500_000
    rows = b"text\n" + b"low\n" * 5000
    told = []
    read_files([("a.txt", text.encode()), ("b.csv", rows)], on_progress=told.append)
    assert told == sorted(told)
    assert len(told) >= 9
    assert told[-1] > len(text.encode())
    for name, content in ("a.txt", text.encode()), ("b.csv", rows):
        with pytest.raises(Stopped):
            read_documents(content, name, on_progress=lambda done: True)
        with pytest.raises(Stopped):
            read_files([("first.txt", b"low"), (name, content)], on_progress=lambda done: done > 5)
