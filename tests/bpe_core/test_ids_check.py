"""Check my ids: each convention that goes wrong in the wild is named."""

import json
import unicodedata
from dataclasses import replace

import numpy as np
import pytest
from formats_oracles import trained

from bpe_core import BpeError, Tokenizer, named_pattern
from bpe_core.formats import ExpectedIds, check_ids, read_expected_ids
from bpe_core.formats.gpt2 import GPT2_BYTE_ORDER

TEXTS = ["The cat sat on the hat.", "It's 2024, they'll say", "für naïve café", "a<|end|>b", " x\r\n y "]
OURS = trained(vocab_size=420, specials=("<|end|>",))


def as_lines(encode, texts=TEXTS):
    return [ExpectedIds(number, text, encode(text)) for number, text in enumerate(texts, 1)]


def renumbered(text):
    """The same tokens where the bytes are numbered in GPT-2's order."""
    return [GPT2_BYTE_ORDER.index(one) if one < 256 else one for one in OURS.encode(text)]


def reversed_order(text):
    last = OURS.num_merges - 1
    backwards = replace(OURS, ranks=(last - OURS.ranks).astype(np.int32))
    return backwards.encode(text)


CONVENTIONS = [
    pytest.param(
        replace(OURS, pattern=named_pattern("cl100k")).encode, "Pattern: with the pattern cl100k", id="pattern"
    ),
    pytest.param(
        replace(OURS, pattern=named_pattern("four-type")).encode, "Pattern: with the pattern four-type", id="four-type"
    ),
    pytest.param(renumbered, "Byte map: with the ids of the 256 bytes in GPT-2's order", id="byte map"),
    pytest.param(reversed_order, "Merge order: with the last learned merge first", id="merge order"),
    pytest.param(
        lambda text: [one - 1 if one > 256 else one for one in OURS.encode(text)],
        "Specials: with the 1 special tokens numbered after the merges",
        id="ids shifted by the specials",
    ),
    pytest.param(lambda text: OURS.encode(text, "allow"), "Specials: where text that spells a special", id="allowed"),
    pytest.param(lambda text: [256, *OURS.encode(text)], r"Specials: with <\|end\|> put before", id="one put before"),
    pytest.param(lambda text: [*OURS.encode(text), 256], r"Specials: with <\|end\|> put after", id="one put after"),
    pytest.param(lambda text: OURS.encode(unicodedata.normalize("NFD", text)), "Normalization: .* form NFD", id="NFD"),
    pytest.param(lambda text: OURS.encode(" " + text), "Normalization: with a space put before", id="space before"),
    pytest.param(lambda text: OURS.encode(text.strip()), "Normalization: with white space removed", id="stripped"),
    pytest.param(lambda text: OURS.encode(text.replace("\r\n", "\n")), "Normalization: with CR LF turned", id="CR LF"),
    pytest.param(lambda text: OURS.encode(text.lower()), "Normalization: with capital letters made small", id="lower"),
]


@pytest.mark.parametrize(("encode", "named"), CONVENTIONS)
def test_check_ids_names_the_convention_at_fault(encode, named):
    check = check_ids(OURS, as_lines(encode))

    assert check.num_equal < check.num_lines == 5
    assert check.our_ids == OURS.encode(check.mismatch.text) != check.mismatch.ids
    assert check.our_ids[: check.position] == check.mismatch.ids[: check.position]
    with pytest.raises(BpeError, match=f"^{named}.*, this line's ids are as expected \\(5 of all 5 lines are\\)"):
        raise BpeError(check.fault)


def test_check_ids_of_equal_lines_finds_nothing():
    check = check_ids(OURS, as_lines(OURS.encode))

    assert (check.num_lines, check.num_equal, check.mismatch, check.fault) == (5, 5, None, None)


def test_check_ids_gives_the_first_line_and_place_that_differ():
    lines = as_lines(OURS.encode)
    lines[2] = lines[2]._replace(ids=[*lines[2].ids[:2], 0, *lines[2].ids[3:]])
    check = check_ids(OURS, lines)

    assert (check.num_equal, check.mismatch.line, check.position) == (4, 3, 2)
    assert (
        check.fault == "No convention that we know explains it: the expected ids spell another text in this vocabulary."
    )


def test_check_ids_finds_the_end_of_the_shorter_list():
    assert check_ids(OURS, [ExpectedIds(1, "zqx", [*b"zqx", 0])]).position == 3
    assert check_ids(OURS, [ExpectedIds(1, "zqx", [*b"zq"])]).position == 2


def test_check_ids_says_that_ids_belong_to_another_vocabulary():
    assert "The expected id 99999 belongs to no token" in check_ids(OURS, [ExpectedIds(1, "hi", [99999])]).fault


def test_check_ids_says_that_the_text_is_the_same_but_the_merges_are_not():
    tokenizer = Tokenizer.from_merges([(97, 98), (99, 100)], "none")

    assert "cut in another way" in check_ids(tokenizer, [ExpectedIds(1, "abcdab", [256, 257, 97, 98])]).fault


@pytest.mark.parametrize(
    "content",
    [
        b'{"text": "hi", "ids": [1]}\r\n\n{"text": "", "ids": []}\n',
        b'[{"text": "hi", "ids": [1]}, {"text": "", "ids": []}]',
    ],
)
def test_read_expected_ids_reads_lines_or_one_list(content):
    assert [(line.text, line.ids) for line in read_expected_ids(content)] == [("hi", [1]), ("", [])]


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b"", "holds no lines"),
        (b'{"text": "hi", "ids": [1]}\n{"text": "hi"}', "Line 2 of The upload"),
        (b'{"text": "hi", "ids": [1]}\nhi', "Line 2 of The upload is not valid JSON"),
        (b'{"text": "hi", "ids": [1.5]}', "Line 1"),
        (b'{"text": "hi", "ids": [true]}', "Line 1"),
        (b"\xff\xfe", "not UTF-8"),
    ],
)
def test_read_expected_ids_refuses_another_form_with_the_line(content, named):
    with pytest.raises(BpeError, match=named):
        read_expected_ids(content)


def test_read_expected_ids_and_check_refuse_a_lone_surrogate():
    lines = read_expected_ids(json.dumps({"text": "\udbc0", "ids": [1]}).encode())

    with pytest.raises(BpeError, match="lone surrogate"):
        check_ids(OURS, lines)
