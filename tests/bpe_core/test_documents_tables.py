"""CSV, TSV, JSON lines and Parquet: one row is one document, and no cell is changed."""

import csv
import io
import json
import re

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import BpeError
from bpe_core.documents import read_documents, table_columns

CELLS = st.text(st.sampled_from('a",;\n\r\t é') | st.characters(codec="utf-8"), max_size=8)


def parquet(columns, **options):
    written = io.BytesIO()
    pq.write_table(pa.table(columns), written, **options)
    return written.getvalue()


def left_out(documents):
    return [str(each) for each in documents.files[0].left_out]


def test_csv_cells_stay_as_they_are_written():
    rows = b'id,text\n1,NA\n2,null\n3,007\n4,1e5\n5," a ""b"" "\n6,"x\r\ny"\n7,TRUE\n8,2020-01-02\n'
    documents = read_documents(rows, "a.csv")
    assert list(documents) == ["NA", "null", "007", "1e5", ' a "b" ', "x\r\ny", "TRUE", "2020-01-02"]
    assert [str(documents.origin(number)) for number in (0, 6)] == ["a.csv, row 1, line 2", "a.csv, row 7, line 9"]


def test_csv_counts_empty_rows_and_lists_broken_ones():
    documents = read_documents(b"id,text\n1,a\n2,\n\n3,b,c\n4\n5,d\n", "a.csv")
    assert list(documents) == ["a", "d"]
    assert documents.report.summary == "2 documents; 2 empty, skipped; 2 not readable, left out; UTF-8"
    assert left_out(documents) == [
        "a.csv, row 4, line 5: it has 3 cells, the table has 2 columns",
        "a.csv, row 5, line 6: it has 1 cell, the table has 2 columns",
    ]


def test_csv_reads_on_behind_a_broken_quote():
    documents = read_documents(b'text\na\n"b" c\nd\n"e\nf\ng\n', "a.csv")
    assert list(documents) == ["a", "d", "f", "g"]
    assert left_out(documents) == [
        "a.csv, row 2, line 3: a cell in it goes on after its closing quote; a quote in a cell is written twice",
        "a.csv, row 4, line 5: it opens a quote that never ends",
    ]


def test_csv_with_quotes_that_open_again_and_again_is_read_in_bounded_time():
    documents = read_documents(b"text,x\nok,1\n" + b'a","\n' * 3000, "a.csv", column="text")
    assert list(documents) == ["ok"]
    assert left_out(documents)[-1].endswith("nothing was read from here on")


def test_csv_without_header_is_noted_and_can_be_said():
    with_names = read_documents(b"1,low\n2,lower\n", "a.csv", column="low")
    assert list(with_names) == ["lower"]
    assert "'1' hardly is one" in with_names.report.all_notes[0]
    without_names = read_documents(b"1,low\n2,lower\n", "a.csv", column="column 2", header=False)
    assert list(without_names) == ["low", "lower"]
    assert without_names.report.all_notes == ()


def test_csv_with_another_delimiter_is_noted_and_can_be_said():
    assert 'holds ";". Is that the delimiter?' in read_documents(b"id;text\n1;a\n", "a.csv").report.all_notes[0]
    assert list(read_documents(b"id;text\n1;a\n", "a.csv", delimiter=";")) == ["a"]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_csv_rows_may_end_in_any_line_ending(line_end):
    documents = read_documents(line_end.join(["text", "a", "b"]).encode(), "a.csv")
    assert list(documents) == ["a", "b"]
    assert [documents.origin(number).line for number in range(2)] == [2, 3]


def test_csv_columns_of_one_name_are_told_apart():
    documents = read_documents(b"t,t,,t\na,b,c,d\n", "a.csv", column="t (3)")
    assert list(documents) == ["d"]
    assert documents.files[0].columns == ("t", "t (2)", "column 3", "t (3)")


def test_a_byte_order_mark_is_no_part_of_a_column_name():
    documents = read_documents(b'\xef\xbb\xbf"text"\na\n', "a.csv", byte_order_mark="keep")
    assert documents.files[0].columns == ("text",)
    assert documents.files[0].byte_order_mark == "dropped"


def test_tsv_quotes_are_text_if_that_is_said():
    rows = b'said\tby\n"no" he said\ta\n"yes"\tb\n'
    assert list(read_documents(rows, "a.tsv", column="said")) == ["yes"]
    assert list(read_documents(rows, "a.tsv", column="said", quotes=False)) == ['"no" he said', '"yes"']


def test_csv_may_hold_very_long_cells():
    assert read_documents(b"text\n" + b"x" * 200_000 + b"\n", "a.csv").num_bytes == 200_000


def test_jsonl_values_stay_as_they_are_written():
    values = ['"NA"', "1.50", "12345678901234567890123", "true", '"a\\nb"', "NaN"]
    lines = "".join(f'{{"text":{value}}}\n' for value in values).encode()
    assert list(read_documents(lines, "a.jsonl")) == ["NA", "1.50", "12345678901234567890123", "true", "a\nb", "NaN"]


def test_jsonl_lists_broken_lines_and_counts_empty_ones():
    lines = (
        b'{"text":"a"}\n\n{"text":null}\n{"other":"x"}\n{"text":""}\nbroken\n{"text":["a"]}\n{"text":"\\ud800"}\n[1]\n'
    )
    documents = read_documents(lines + b'{"text":"z"}', "a.jsonl")
    assert list(documents) == ["a", "z"]
    assert documents.report.summary == "2 documents; 3 empty, skipped; 4 not readable, left out; UTF-8"
    assert left_out(documents) == [
        "a.jsonl, row 5, line 6: it is not JSON (Expecting value, column 1)",
        "a.jsonl, row 6, line 7: its value is a list or an object, not a text",
        "a.jsonl, row 7, line 8: its text holds bytes that are no text, or half a character (a lone surrogate)",
        "a.jsonl, row 8, line 9: it is a list, not an object or a text",
    ]


def test_jsonl_of_plain_texts_has_one_column():
    assert list(read_documents(b'"a"\n"b"\n', "a.jsonl")) == ["a", "b"]


def test_jsonl_survives_lists_too_deep():
    documents = read_documents(b"[" * 100_000 + b'\n{"text":"a"}\n', "a.jsonl")
    assert list(documents) == ["a"]
    assert documents.report.num_left_out == 1


def test_jsonl_that_is_one_array_says_so():
    with pytest.raises(BpeError, match="begins like one JSON array"):
        read_documents(b'[\n {"text":"a"},\n {"text":"b"},\n]', "a.jsonl")


def test_bad_bytes_in_a_table_cost_their_row_only_if_skipped():
    rows = b"id,text\n1,a\n2,\xff\n3,b\n"
    with pytest.raises(BpeError, match="offset 14, line 3"):
        read_documents(rows, "a.csv")
    documents = read_documents(rows, "a.csv", bad="skip")
    assert list(documents) == ["a", "b"]
    assert documents.files[0].left_out[0].line == 3


def test_parquet_reads_texts_dictionaries_and_bytes():
    columns = {
        "text": ["a", "NA", None, ""],
        "kind": pa.array(["x", "y", "x", "y"]).dictionary_encode(),
        "raw": [b"b", b"\xff", b"c", b"d"],
        "view": pa.array(["p", "q", "r", "s"], pa.string_view()),
        "year": [1, 2, 2, 1],
    }
    content = parquet(columns)
    documents = read_documents(content, "a.parquet", group_column="year")
    assert list(documents) == ["a", "NA"]
    assert documents.report.summary == "2 documents; 2 empty, skipped; UTF-8"
    assert (documents.group_names, documents.group_numbers.tolist()) == (("1", "2"), [0, 1])
    assert list(read_documents(content, "a.parquet", column="kind")) == ["x", "y", "x", "y"]
    assert list(read_documents(content, "a.parquet", column="view")) == ["p", "q", "r", "s"]
    raw = read_documents(content, "a.parquet", column="raw")
    assert list(raw) == ["b", "c", "d"]
    assert raw.files[0].left_out[0].row == 2


@pytest.mark.parametrize("compression", ["none", "snappy", "zstd"])
def test_parquet_bomb_is_refused(compression):
    content = parquet({"text": ["x" * 100_000] * 2000}, compression=compression)
    assert len(content) < 1_000_000
    with pytest.raises(BpeError, match="holds more than"):
        read_documents(content, "a.parquet", most_bytes=50_000_000)


def test_parquet_with_a_damaged_part_keeps_the_rest():
    numbers = {"text": [f"{number} " * 20 for number in range(4000)]}
    content = bytearray(parquet(numbers, row_group_size=1000, compression="snappy", use_dictionary=False))
    start = pq.ParquetFile(pa.BufferReader(content)).metadata.row_group(1).column(0).data_page_offset
    content[start + 40 : start + 1040] = bytes(1000)
    documents = read_documents(bytes(content), "a.parquet")
    assert list(documents) == numbers["text"][:1000] + numbers["text"][2000:]
    assert documents.report.num_left_out == 1000
    assert "a.parquet, row 1,001: rows 1,001 to 2,000 are damaged" in left_out(documents)[0]


REFUSED = [
    pytest.param("a.csv", b"id,said\n1,a\n", {}, "has 2 columns: id, said. Choose the one", id="column not chosen"),
    pytest.param(
        "a.csv",
        b"id,said\n1,a\n",
        {"column": "x"},
        "'x' of a.csv is not there. Choose one of: id, said",
        id="no column",
    ),
    pytest.param(
        "a.jsonl", b'{"a":"b"}', {"column": "x"}, "'x' of a.jsonl is not there. Choose one of: a", id="no key"
    ),
    pytest.param("a.csv", b"text\n", {}, "holds no text in its column 'text'", id="header only"),
    pytest.param("a.csv", b"a,text\n1,\n", {}, "1 empty row, no other", id="all empty"),
    pytest.param("a.csv", b"\n\n", {}, "holds no row that can be read as a table", id="no row"),
    pytest.param("a.csv", b"text\na,b\n", {}, "No document of a.csv can be read: 1 left out", id="all ragged"),
    pytest.param("a.csv", b"text\na\n", {"delimiter": "ab"}, "must be one character", id="bad delimiter"),
    pytest.param(
        "a.csv", b"text\na\n", {"group_column": "g"}, "has no column 'g' to tell groups", id="no group column"
    ),
    pytest.param("a.jsonl", b"not json\n", {}, "Line 1: it is not JSON", id="no JSON"),
    pytest.param(
        "a.parquet", parquet({"n": [1]}), {}, "has no column of text; its columns are: n (int64)", id="no text"
    ),
    pytest.param(
        "a.parquet", parquet({"t": ["a"], "n": [1]}), {"column": "n"}, "'n' of a.parquet holds no text", id="number"
    ),
    pytest.param("a.parquet", parquet({"t": ["a"]})[:-9], {}, "cannot be read as Parquet", id="parquet cut short"),
]


@pytest.mark.parametrize(("name", "content", "options", "message"), REFUSED)
def test_read_documents_refuses_tables(name, content, options, message):
    with pytest.raises(BpeError, match=re.escape(message)):
        read_documents(content, name, **options)


def test_table_columns_previews_three_rows_and_suggests_the_longest_text():
    rows = "id,said,by\n" + "".join(f"{number},{'word ' * number},x\n" for number in range(1, 9))
    preview = table_columns(rows.encode(), "a.csv")
    assert preview.columns == ("id", "said", "by")
    assert preview.rows == (("1", "word ", "x"), ("2", "word word ", "x"), ("3", "word word word ", "x"))
    assert preview.suggested == "said"
    assert table_columns(b"text", "a.txt") is None


def test_table_columns_shows_json_and_parquet():
    preview = table_columns(b'{"a":"x","b":[1]}\n{"c":null}\n{"a":"<b>"}\n', "a.jsonl")
    assert preview.columns == ("a", "b", "c")
    assert preview.rows == (("x", '["1"]', ""), ("<b>", "", ""))
    preview = table_columns(parquet({"n": [1], "t": ["x" * 300]}), "a.parquet")
    assert preview.columns == ("t",)
    assert preview.group_columns == ("t", "n")
    assert preview.rows == (("x" * 200 + "…",),)


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=6), st.sampled_from([",", ";", "\t", "|"]))
def test_csv_gives_back_what_was_written(rows, delimiter):
    written = io.StringIO(newline="")
    writer = csv.writer(written, delimiter=delimiter, quoting=csv.QUOTE_ALL)
    writer.writerows([("text", "group"), *rows])
    expected = [text for text, _ in rows if text]
    try:
        documents = read_documents(written.getvalue().encode(), "a.csv", delimiter=delimiter, group_column="group")
    except BpeError:
        assert not expected
        return
    assert list(documents) == expected
    groups = [documents.group_names[number] for number in documents.group_numbers]
    assert groups == [group for text, group in rows if text]


@given(st.lists(CELLS.filter(bool), min_size=1, max_size=6), st.booleans())
def test_jsonl_gives_back_what_was_written(texts, ascii_only):
    lines = "".join(json.dumps({"text": text}, ensure_ascii=ascii_only) + "\n" for text in texts)
    assert list(read_documents(lines.encode(), "a.jsonl")) == texts


@given(st.lists(CELLS.filter(bool), min_size=1, max_size=6))
@settings(max_examples=30)
def test_parquet_gives_back_what_was_written(texts):
    assert list(read_documents(parquet({"text": texts}), "a.parquet")) == texts


TABLE_BYTES = st.lists(
    st.sampled_from(
        [b"text", b"a", b",", b"\t", b'"', b"\n", b"\r", b'{"text":', b'"x"}', b"[", b"\xff", b"\xc3\xa9", b"\0"]
    ),
    max_size=30,
).map(b"".join)


@given(
    TABLE_BYTES,
    st.sampled_from(["a.csv", "a.tsv", "a.jsonl", "a.parquet"]),
    st.sampled_from([None, "text", "column 1"]),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["refuse", "skip"]),
)
@settings(max_examples=400)
def test_any_table_gives_documents_or_a_bpe_error(content, name, column, header, quotes, bad):
    options = {"column": column, "header": header, "quotes": quotes, "bad": bad}
    try:
        documents = read_documents(content, name, **options)
    except BpeError:
        return
    assert all(documents)
    assert table_columns(content, name, **options).columns == documents.files[0].columns
