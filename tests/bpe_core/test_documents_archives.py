"""Files in .gz and .zip: every readable member, a cap on what they unpack to, and nothing that is a path."""

import gzip
import io
import re
import tracemalloc
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import BpeError
from bpe_core.documents import read_documents, table_columns


def zipped(members, method=zipfile.ZIP_DEFLATED):
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", method) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return written.getvalue()


def left_out(documents):
    return [str(each) for each in documents.report.left_out_files]


def test_zip_reads_every_readable_member_and_lists_the_rest():
    content = zipped(
        [
            ("a.txt", "low"),
            ("folder/", ""),
            ("folder/b.csv", "text\nlower\n\n"),
            ("inner.zip", b"PK"),
            ("c.tar.gz", b"\x1f\x8b"),
            ("d.png", b"\x89PNG\r\n\x1a\n"),
            ("e.txt", ""),
            ("f.csv", "id,said\n1,a\n"),
            ("g.txt", b"caf\xe9"),
            ("__MACOSX/._a.txt", "x"),
            (".git/HEAD", "x"),
        ]
    )
    documents = read_documents(content, "z.zip")
    assert list(documents) == ["low", "lower"]
    assert [str(documents.origin(number)) for number in range(2)] == [
        "z.zip › a.txt, line 1",
        "z.zip › folder/b.csv, row 1, line 2",
    ]
    assert documents.report.summary == "2 documents; 1 empty, skipped; 8 files left out; UTF-8"
    assert left_out(documents) == [
        "z.zip › inner.zip: it is an archive in an archive; unpack it first",
        "z.zip › c.tar.gz: it is an archive in an archive; unpack it first",
        "z.zip › d.png: it is not text: it is a PNG image. Save it as text first.",
        "z.zip › e.txt: it is empty (0 bytes). Choose a file that holds text.",
        "z.zip › f.csv: it has 2 columns: id, said. Choose the one that holds the text.",
        "z.zip › g.txt: it is not UTF-8 text: the first bad byte is at offset 3, line 1 (E9). Choose its encoding "
        "(cp1252 or latin-1 for older Western files, utf-16-le or utf-16-be, …), or skip the bad documents.",
        "z.zip › __MACOSX/._a.txt: it is a note of the operating system, not a text",
        "z.zip › .git/HEAD: it is hidden: its name or its folder's begins with a dot; to use it, choose it by itself",
    ]


def test_zip_member_names_are_only_shown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = ["../../outside.txt", "/etc/passwd", "C:\\x.txt", "a/../b.txt"]
    documents = read_documents(zipped([(name, "low") for name in names]), "z.zip")
    assert len(documents) == 4
    assert documents.files[0].name == "z.zip › ../../outside.txt"
    assert list(tmp_path.iterdir()) == []


def test_zip_of_the_same_file_twice_notes_it():
    documents = read_documents(zipped([("a.txt", "low"), ("b.txt", "low")]), "z.zip")
    assert list(documents) == ["low", "low"]
    assert "z.zip › b.txt has the same content as z.zip › a.txt" in documents.report.notes[0]


def test_zip_keeps_the_members_beside_an_encrypted_one():
    content = bytearray(zipped([("a.txt", "low"), ("b.txt", "lower")]))
    content[content.rfind(b"PK\x01\x02") + 8] |= 1
    documents = read_documents(bytes(content), "z.zip")
    assert list(documents) == ["low"]
    assert left_out(documents) == ["z.zip › b.txt: it is encrypted; unpack it with its password first"]


def test_zip_keeps_the_members_beside_a_damaged_one():
    content = bytearray(zipped([("a.txt", "low"), ("b.txt", "lower")], zipfile.ZIP_STORED))
    content[content.find(b"lower")] ^= 1
    documents = read_documents(bytes(content), "z.zip")
    assert list(documents) == ["low"]
    assert left_out(documents) == ["z.zip › b.txt: it is damaged: it cannot be unpacked, or its checksum does not fit"]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_zip_leaves_out_methods_that_cannot_be_bounded(method):
    with pytest.raises(BpeError, match=r"is packed by method .* which is not read here"):
        read_documents(zipped([("a.txt", "low")], method), "z.zip")


def test_zip_may_hold_ten_thousand_files_and_no_more():
    many = [(f"{number}.txt", "") for number in range(10_001)]

    with pytest.raises(BpeError, match=r"z\.zip holds 10,001 files; 10,000 are the limit\."):
        read_documents(zipped(many), "z.zip")
    with pytest.raises(BpeError, match=r"Nothing in z\.zip can be read; 10,000 files"):
        read_documents(zipped(many[1:]), "z.zip")


REFUSED = [
    pytest.param("z.zip", zipped([]), "holds no files", id="empty zip"),
    pytest.param(
        "z.zip", zipped([("a.txt", "low")])[:-25], "is not a ZIP archive, or is damaged or cut short", id="cut zip"
    ),
    pytest.param(
        "z.zip", zipped([("a.png", b"\x89PNG\r\n\x1a\n")]), "Nothing in z.zip can be read; 1 file", id="no text"
    ),
    pytest.param("z.zip", zipped([("a.txt", b"\0" * 2_000_000)]), "holds more than", id="zip bomb"),
    pytest.param(
        "z.zip", zipped([(f"{n}.txt", b"x" * 400_000) for n in range(3)]), "holds more than", id="bomb of many"
    ),
    pytest.param("a.gz", gzip.compress(b"\0" * 2_000_000), "holds more than", id="gzip bomb"),
    pytest.param("a.gz", gzip.compress(b"x" * 600_000) * 2, "holds more than", id="gzip bomb of two streams"),
    pytest.param("a.txt.gz", gzip.compress(b"low")[:11], "is cut short before any text", id="gzip cut at once"),
    pytest.param("a.txt.gz", gzip.compress(b""), "is empty", id="gzip of nothing"),
    pytest.param("a.zip.gz", gzip.compress(b"PK"), "is an archive in an archive", id="nested"),
    pytest.param("a.tar.gz", gzip.compress(b"x"), "is an archive in an archive", id="tar"),
    pytest.param("a.txt.gz", gzip.compress(gzip.compress(b"low")), "it is a gzip file", id="nested without a name"),
    pytest.param("a.txt.gz", gzip.compress(b"low")[:-8] + b"\0" * 8, "its checksum does not fit", id="gzip damaged"),
]


@pytest.mark.parametrize(("name", "content", "message"), REFUSED)
def test_read_documents_refuses_archives(name, content, message):
    with pytest.raises(BpeError, match=re.escape(message)):
        read_documents(content, name, most_bytes=1_000_000)


@pytest.mark.parametrize("name", ["z.zip", "a.txt.gz"])
def test_a_bomb_is_found_before_it_fills_the_memory(name):
    bomb = b"\0" * 30_000_000
    content = zipped([("a.txt", bomb)]) if name == "z.zip" else gzip.compress(bomb)
    del bomb
    tracemalloc.start()
    with pytest.raises(BpeError, match="holds more than"):
        read_documents(content, name, most_bytes=1_000_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8_000_000


def test_a_zip_header_that_lies_about_the_size_is_found_out():
    content = bytearray(zipped([("a.txt", b"\0" * 2_000_000)]))
    for header, at in (b"PK\x03\x04", 22), (b"PK\x01\x02", 24):
        place = content.find(header) + at
        content[place : place + 4] = (10).to_bytes(4, "little")
    with pytest.raises(BpeError):
        read_documents(bytes(content), "z.zip", most_bytes=1_000_000)


def test_gzip_cut_short_keeps_what_was_readable():
    text = "héé wörld\n" * 3000 + "".join(map(chr, range(0x4E00, 0x5200)))
    whole = gzip.compress(text.encode())
    documents = read_documents(whole[: len(whole) - 700], "a.txt.gz")
    (kept,) = documents
    assert text.startswith(kept)
    assert 30_000 < len(kept) < len(text)
    notes = documents.report.all_notes
    assert "a.txt.gz is cut short: its end is missing" in notes[0]
    lost = len(kept.encode()) != documents.files[0].num_bytes
    assert lost == any("ends within a character" in note for note in notes)


def test_gzip_streams_behind_each_other_are_one_text_and_other_bytes_are_noted():
    stream = gzip.compress(b"low\n")
    assert list(read_documents(stream * 3 + b"\0" * 9, "a.gz")) == ["low\nlow\nlow\n"]
    assert read_documents(stream * 3 + b"\0" * 9, "a.gz").report.all_notes == ()
    junk = read_documents(stream + b"junk", "a.gz")
    assert list(junk) == ["low\n"]
    assert junk.report.all_notes == (
        "a.gz goes on after the end of its gzip data; what follows (4 bytes) was left out.",
    )


def test_table_columns_looks_into_archives():
    rows = b"id,said\n1,low\n"
    for name, content in ("a.csv.gz", gzip.compress(rows)), ("z.zip", zipped([("a.txt", "x"), ("b.csv", rows)])):
        assert table_columns(content, name).columns == ("id", "said")
        assert "low" in list(read_documents(content, name, column="said"))
    assert table_columns(zipped([("a.txt", "x")]), "z.zip") is None
    assert table_columns(gzip.compress(b"x"), "a.txt.gz") is None


@given(
    st.text(st.sampled_from('ab \n\r\t,"') | st.characters(codec="utf-8"), min_size=1).filter(
        lambda text: text[0] != "\ufeff"
    )
)
def test_the_same_text_gives_the_same_documents_uploaded_zipped_or_in_a_cell(text):
    content = text.encode()
    if content.startswith((b"\x1f\x8b", b"PK\x03\x04")):
        return
    quoted = '"' + text.replace('"', '""') + '"'
    ways = [
        (content, "a.txt"),
        (gzip.compress(content), "a.txt.gz"),
        (zipped([("a.txt", content)]), "z.zip"),
        (f"text\n{quoted}\n".encode(), "a.csv"),
        (f"text\n{quoted}\n".encode("utf-16"), "a.tsv"),
    ]
    for packed, name in ways:
        assert list(read_documents(packed, name)) == [text], name


PACKED = [
    gzip.compress(b"low lower\n" * 30),
    zipped([("a.txt", "low"), ("b/c.csv", 'id,text\n1,"a\nb"\n')]),
    zipped([("a.txt", "low" * 50), ("d.jsonl", '{"text":"x"}\n')], zipfile.ZIP_STORED),
]


@given(
    st.sampled_from(PACKED),
    st.lists(st.tuples(st.integers(0, 400), st.integers(0, 255)), max_size=3),
    st.integers(0, 400),
    st.sampled_from(["a.zip", "a.gz", "a.csv.gz", "a.txt"]),
)
@settings(max_examples=300)
def test_any_damaged_archive_gives_documents_or_a_bpe_error(packed, changes, cut, name):
    content = bytearray(packed)
    for at, value in changes:
        content[at % len(content)] = value
    try:
        documents = read_documents(bytes(content[: len(content) - cut]), name)
    except BpeError:
        return
    assert all(documents)
    assert documents.report.num_documents == len(documents)
