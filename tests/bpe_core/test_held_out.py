"""The train / held-out split: a partition, the same everywhere, and no document on both sides."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import BpeError
from bpe_core.documents import (
    documents_of_text,
    hold_out_files,
    hold_out_groups,
    hold_out_share,
    hold_out_tail,
    hold_out_text,
    join_documents,
    read_documents,
    read_files,
    repeated,
)

LINES = st.lists(st.sampled_from(["a", "b", "c", "dd", "é", "", "low"]), min_size=1, max_size=25)


def by_line(lines):
    return documents_of_text("".join(line + "\n" for line in lines), split="line")


@given(LINES, st.floats(0.01, 0.99), st.integers(-3, 3))
def test_hold_out_share_is_a_partition_without_repeats(lines, share, seed):
    documents = by_line(lines)
    if len(set(lines)) == 1:
        with pytest.raises(BpeError):
            hold_out_share(documents, share, seed)
        return
    split = hold_out_share(documents, share, seed)
    train, held_out = list(split.train), list(split.held_out)
    assert train
    assert held_out
    assert sorted(train + held_out) == sorted(documents)
    assert not set(train) & set(held_out)
    assert split.duplicates_kept_together == len(lines) - len(set(lines))
    assert split.train.lines.tolist() == sorted(split.train.lines.tolist())
    target = max(1, round(len(lines) * share))
    smallest = min(map(lines.count, lines))
    assert len(held_out) <= max(target, smallest)


@given(LINES, st.randoms())
def test_hold_out_share_does_not_depend_on_the_order_of_documents(lines, random):
    if len(set(lines)) == 1:
        return
    shuffled = random.sample(lines, len(lines))
    one, other = (sorted(hold_out_share(by_line(each), 0.3, 7).held_out) for each in (lines, shuffled))
    assert one == other


def test_hold_out_share_is_the_same_on_every_machine():
    documents = by_line(map(str, range(20)))
    assert "".join(hold_out_share(documents, 0.2, 0).held_out).split() == ["2", "5", "15", "18"]
    assert "".join(hold_out_share(documents, 0.2, 1).held_out).split() == ["1", "6", "13", "18"]


def test_hold_out_share_tells_what_it_held_back():
    split = hold_out_share(by_line("abcd"), 0.25, 3)
    assert split.how == "25 % of the documents, at random (seed 3)"
    assert (len(split.train), len(split.held_out)) == (3, 1)


def test_one_document_is_held_back_by_paragraphs_or_lines_with_a_warning():
    documents = documents_of_text("one two\n\nthree\n\nfour\n\nfive\n")
    with pytest.raises(BpeError, match=r"no two documents.*Hold back paragraphs or lines of it"):
        hold_out_share(documents, 0.25)
    for parts, what in ("blank lines", "paragraphs"), ("line", "lines"):
        for split in (
            hold_out_share(documents, 0.25, parts=parts),
            hold_out_tail(documents, 0.25, parts=parts, repeats="drop"),
        ):
            assert "Neighbours share words" in split.warning
            assert what in split.how
    assert list(hold_out_tail(documents, 0.25, parts="blank lines").held_out) == ["five\n"]
    with pytest.raises(BpeError, match="no two paragraphs"):
        hold_out_share(documents_of_text("one"), 0.5, parts="blank lines")
    with pytest.raises(BpeError, match="Choose one of: line, blank lines"):
        hold_out_share(documents, 0.5, parts="words")


def test_whole_files_carry_no_warning_and_lines_of_files_do():
    files = read_files([("a.txt", b"low"), ("b.txt", b"lower")])
    assert hold_out_share(files, 0.5).warning is None
    assert "Neighbours share words" in hold_out_share(by_line("ab"), 0.5).warning


@pytest.mark.parametrize("share", [0, 1, -0.1, 1.5, float("nan"), float("inf")])
def test_a_share_of_nothing_or_all_is_refused(share):
    for hold_out in hold_out_share, hold_out_tail:
        with pytest.raises(BpeError, match=r"more than 0 % and less than 100 %"):
            hold_out(by_line("abc"), share)


def test_equal_documents_cannot_be_held_back():
    with pytest.raises(BpeError, match="All 3 documents are equal"):
        hold_out_share(by_line("aaa"), 0.5)


def test_documents_of_which_every_one_occurs_twice_can_be_held_back():
    split = hold_out_share(by_line("aabb"), 0.25)
    assert sorted([len(split.train), len(split.held_out)]) == [2, 2]
    assert split.duplicates_kept_together == 2


def test_hold_out_tail_keeps_the_order():
    split = hold_out_tail(by_line("abcde"), 0.4)
    assert (list(split.train), list(split.held_out)) == (["a\n", "b\n", "c\n"], ["d\n", "e\n"])
    assert split.how == "the last 40 % of the documents"


def test_hold_out_files_and_what_it_refuses():
    documents = read_files([("a.txt", b"low"), ("b.txt", b"lower"), ("c.txt", b"low")])
    split = hold_out_files(documents, ["b.txt"])
    assert (list(split.train), list(split.held_out), split.how) == (["low", "low"], ["lower"], "the file b.txt")
    assert split.held_out.origin(0).file == "b.txt"
    with pytest.raises(BpeError, match=r"There is no file 'x'. Choose among: a.txt, b.txt, c.txt"):
        hold_out_files(documents, ["x"])
    with pytest.raises(BpeError, match="Everything would be held back"):
        hold_out_files(documents, ["a.txt", "b.txt", "c.txt"])
    with pytest.raises(BpeError, match="Nothing would be held back"):
        hold_out_files(documents, [])
    with pytest.raises(BpeError, match=r"1 held-out document of 1 also stand.*the first is c\.txt, line 1"):
        hold_out_files(documents, ["c.txt"])
    with pytest.raises(BpeError, match="so none would be left"):
        hold_out_files(documents, ["c.txt"], repeats="drop")


def test_hold_out_groups_and_what_it_refuses():
    rows = b"text,lang\nlow,en\ntief,de\nlower,en\nlow,fr\nbas,fr\n"
    documents = read_documents(rows, "a.csv", group_column="lang")
    split = hold_out_groups(documents, ["de"])
    assert (list(split.train), list(split.held_out)) == (["low", "lower", "low", "bas"], ["tief"])
    assert split.how == "the group de"
    dropped = hold_out_groups(documents, ["fr", "de"], repeats="drop")
    assert (list(dropped.held_out), dropped.duplicates_dropped) == (["tief", "bas"], 1)
    with pytest.raises(BpeError, match="There is no group 'it'"):
        hold_out_groups(documents, ["it"])
    with pytest.raises(BpeError, match="have no groups"):
        hold_out_groups(read_documents(rows, "a.csv"), ["de"])
    one = read_documents(b"text,lang\na,en\nb,en\n", "a.csv", group_column="lang")
    with pytest.raises(BpeError, match=re.escape("one group only ('en')")):
        hold_out_groups(one, ["en"])


def test_groups_of_several_tables_are_joined_by_name():
    tables = [read_documents(f"text,g\n{n}1,x\n{n}2,{n}\n".encode(), f"{n}.csv", group_column="g") for n in "ab"]
    joined = join_documents([*tables, documents_of_text("plain")])
    assert joined.group_names == ("x", "a", "b", "")
    assert list(hold_out_groups(joined, ["x", ""]).held_out) == ["a1", "b1", "plain"]


def test_hold_out_text_refuses_repeats_or_drops_them():
    train, held_out = by_line("abc"), by_line("xbya")
    with pytest.raises(BpeError, match=r"2 held-out documents of 4 also stand in the training text.*line 2"):
        hold_out_text(train, held_out)
    split = hold_out_text(train, held_out, repeats="drop")
    assert (list(split.train), list(split.held_out)) == (["a\n", "b\n", "c\n"], ["x\n", "y\n"])
    assert split.duplicates_dropped == 2
    assert split.how == "a separate text: pasted text"
    with pytest.raises(BpeError, match="'refuse' or 'drop'"):
        hold_out_text(train, held_out, repeats="keep")


def test_a_separate_text_in_another_encoding_repeats_what_it_repeats():
    train = read_documents("café".encode(), "a.txt")
    held_out = read_documents("café".encode("utf-16"), "b.txt")
    with pytest.raises(BpeError, match="letter for letter"):
        hold_out_text(train, held_out)


@given(LINES, LINES)
def test_repeated_finds_every_repeat(train, held_out):
    numbers = repeated(by_line(train), by_line(held_out))
    assert numbers.tolist() == [number for number, line in enumerate(held_out) if line in train]
