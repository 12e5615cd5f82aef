"""Patterns: what the named ones cut, and what is refused of one's own."""

import unicodedata
from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import PATTERN_NAMES, BpeError, count_chunks, custom_pattern, named_pattern
from bpe_core.counting.character_classes import SPACE, byte_classes

PARTS = [*"aeSt1_! \n\t\r'²漢é/", "'s", "'RE", "'ll", "e\u0301", "\x1c", "\x85", "\xa0", "\u3000", "\0", "😀", "١", "ǅ"]
texts = st.lists(st.sampled_from(PARTS), max_size=25).map("".join)


@pytest.mark.parametrize("name", PATTERN_NAMES)
@settings(max_examples=60)
@given(texts)
def test_chunks_joined_are_the_document(name, text):
    chunks = named_pattern(name).chunks(text)

    assert "".join(chunks) == text
    assert all(chunks)
    assert list(named_pattern(name).iter_chunks(text)) == chunks


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("four-type", "x_1", ["x_", "1"]),
        ("four-type", "a\n\tb", ["a", "\n\t", "b"]),
        ("four-type", "a\r\nb", ["a", "\r\n", "b"]),
        ("four-type", "café au", ["café", " ", "au"]),
        ("four-type", "cafe\u0301!", ["cafe\u0301", "!"]),
        ("four-type", "a\x1cb", ["a", "\x1c", "b"]),
        ("four-type", "<|eos|>", ["<|", "eos", "|>"]),
        ("four-type", "total_number = 3.14", ["total_number", " ", "=", " ", "3", ".", "14"]),
        ("four-type ascii", "é1", ["é", "1"]),
        ("four-type ascii", "a\x1c\xa0é", ["a", "\x1c", "\xa0é"]),
        ("gpt2", " hello world!", [" hello", " world", "!"]),
        ("gpt2", "a  b", ["a", " ", " b"]),
        ("gpt2", "You should've", ["You", " should", "'ve"]),
        ("cl100k", "12345", ["123", "45"]),
        ("cl100k", "a\n ", ["a", "\n "]),
        ("llama3", "a\n ", ["a", "\n", " "]),
        ("qwen", "123", ["1", "2", "3"]),
        ("o200k", "CamelCase's", ["Camel", "Case's"]),
        ("none", "a b\n", ["a b\n"]),
    ],
)
def test_named_patterns_cut_as_published(name, text, expected):
    assert named_pattern(name).chunks(text) == expected


def test_gpt2_leaves_the_last_of_many_spaces_to_the_word():
    [gpt2] = named_pattern("gpt2").regexes
    without_the_lookahead = gpt2.replace(r"\s+(?!\S)|", "")

    assert named_pattern("gpt2").chunks("a  b") == ["a", " ", " b"]
    assert custom_pattern(without_the_lookahead).chunks("a  b") == ["a", "  ", "b"]


# --- the classes of characters, by the regex and by the counting ---------------------------------


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("four-type", "a\x1c b", ["a", "\x1c ", "b"]),
        ("four-type", "a\x1d b", ["a", "\x1d ", "b"]),
        ("four-type", "a\x1e b", ["a", "\x1e ", "b"]),
        ("four-type", "a\x1f b", ["a", "\x1f ", "b"]),
        ("four-type", "!\x1f\x85\xa0\u2003\u3000!", ["!", "\x1f\x85\xa0\u2003\u3000", "!"]),
        ("four-type", "x²½Ⅷ1", ["x", "²½Ⅷ1"]),
        ("four-type", "का", ["का"]),
        ("four-type", "a\u20dd_é", ["a\u20dd_é"]),
        ("four-type", "a\u200b\x00b", ["a", "\u200b\x00", "b"]),
        ("four-type ascii", "a\x0b b", ["a", "\x0b ", "b"]),
        ("four-type ascii", "a\x0c!b", ["a", "\x0c", "!", "b"]),
        ("four-type ascii", "a\x1c\x1d\x1e\x1f b", ["a", "\x1c\x1d\x1e\x1f ", "b"]),
        ("four-type ascii", "a²\x85!", ["a", "²\x85!"]),
        ("gpt2", "a\x1c b\x85c", ["a", "\x1c", " b", "\x85", "c"]),
        ("gpt2", "क\u093e²½1", ["क", "\u093e", "²½1"]),
    ],
)
def test_classes_of_characters_by_value(name, text, expected):
    assert named_pattern(name).chunks(text) == expected
    assert count_chunks([text], name) == Counter(chunk.encode() for chunk in expected)


def test_four_type_takes_for_whitespace_what_python_does():
    # The planes from 4 to 13 are empty, those from 15 on private.
    characters = [chr(code) for code in (*range(0xD800), *range(0xE000, 0x40000), *range(0xE0000, 0xF0000))]
    text = " ".join(characters)
    content = text.encode()
    expected = [character for character in characters if character.isspace()]

    by_regex = "".join(chunk for chunk in named_pattern("four-type").chunks(text) if " " in chunk)
    by_class = np.frombuffer(content, np.uint8)[byte_classes([text], content, "four-type") == SPACE].tobytes().decode()
    assert by_regex.replace(" ", "") == by_class.replace(" ", "") == "".join(expected).replace(" ", "")
    assert len(expected) == 29


def test_four_type_takes_all_letters_and_marks_for_words_and_all_numbers_for_numbers():
    cuts = {}
    for character in map(chr, range(0x3000)):
        kind = "L" if character == "_" else unicodedata.category(character)
        if kind[0] in "LM":
            cuts[f"a{character}1"] = [f"a{character}", "1"]
        elif kind[0] == "N":
            cuts[f"a{character}1"] = ["a", f"{character}1"]
        elif kind != "Cn":  # a newer version of Unicode may know it
            cuts[f"a{character}1"] = ["a", character, "1"]

    assert len(cuts) > 11_000
    assert {text: named_pattern("four-type").chunks(text) for text in cuts} == cuts
    assert count_chunks(cuts, "four-type") == Counter(chunk.encode() for cut in cuts.values() for chunk in cut)


CL100K_AS_IN_TIKTOKEN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)


@pytest.mark.parametrize("name", ["gpt2", "cl100k", "o200k", "qwen", "llama3"])
def test_tiktoken_cuts_by_our_patterns_as_we_do(name):
    """Each piece of a random text is made a token, so that tiktoken gives one id for each chunk."""
    tiktoken = pytest.importorskip("tiktoken")
    random = Random(1)
    sources = [*named_pattern(name).regexes, *([CL100K_AS_IN_TIKTOKEN] if name == "cl100k" else [])]
    for _ in range(60):
        text = "".join(random.choices(PARTS, k=random.randint(1, 15)))
        content = text.encode()
        pieces = {content[a:b] for a in range(len(content)) for b in range(a + 1, len(content) + 1)}
        tokens = [bytes([byte]) for byte in range(256)] + sorted(piece for piece in pieces if len(piece) > 1)
        for source in sources:
            ranks = {token: token_id for token_id, token in enumerate(tokens)}
            peer = tiktoken.Encoding(name, pat_str=source, mergeable_ranks=ranks, special_tokens={})
            theirs = [tokens[token_id].decode() for token_id in peer.encode_ordinary(text)]
            assert named_pattern(name).chunks(text) == theirs, text


@pytest.mark.parametrize("name", ["gpt2", "four-type"])
def test_a_million_spaces_are_cut_at_once(name):
    chunks = named_pattern(name).chunks(" " * 1_000_000 + "x")

    assert len(chunks) == 2


@pytest.mark.parametrize("name", ["cl100k", "o200k", "qwen", "llama3"])
def test_a_long_run_of_spaces_does_not_run_away(name):
    assert named_pattern(name).chunks(" " * 100_000 + "x") == [" " * 99_999, " x"]


@pytest.mark.parametrize(
    ("source", "text", "message"),
    [
        ("(a", "a", "not a valid regular expression"),
        (r"\w+", "a b", "would lose text"),
        ("a*", "b", "empty"),
        ("(?:a|aa)+$|.", "a" * 60 + "b", "ran longer"),
    ],
)
def test_custom_pattern_refuses_what_would_harm_the_text(source, text, message):
    with pytest.raises(BpeError, match=message):
        custom_pattern(source, time_limit=0.2).chunks(text)
    with pytest.raises(BpeError, match=message):
        list(custom_pattern(source, time_limit=0.2).iter_chunks(text))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        pytest.param("(?r)(?s:.)", "backwards", id="chunks from last to first"),
        pytest.param("(?:(?r)ab)|(?s:.)", "backwards", id="backwards in a part"),
        pytest.param("(" * 900 + ")" * 900, "nested too deep", id="nested"),
        pytest.param("x" * 10_000, "10,000 characters", id="hours to prepare"),
        pytest.param("(?:x{65535}){65535}|(?s:.)", "repeats too much", id="gigabytes when compiled"),
        pytest.param("x{99999999}|(?s:.)", "repeats too much", id="one long repeat"),
        pytest.param("(?x)x{9 9 #0\n99999999}|(?s:.)", "repeats too much", id="digits apart"),
        pytest.param("x{" + "9" * 1900 + "}|(?s:.)", "repeats too much", id="number without end"),
    ],
)
def test_custom_pattern_refuses_what_would_turn_the_text_round_or_fill_the_memory(source, message):
    with pytest.raises(BpeError, match=message):
        custom_pattern(source)


def test_custom_pattern_may_repeat():
    assert custom_pattern(r"\w{2,100000}|x{0,99999}y|(?s:.){1,3}").chunks("ab c") == ["ab", " c"]


@pytest.mark.parametrize("source", [r"\w+|\W+", r"(\w)+|(\W)+", "(?s)."])
def test_custom_pattern_with_and_without_groups_gives_whole_matches(source):
    chunks = custom_pattern(source).chunks("no 7!\n")

    assert "".join(chunks) == "no 7!\n"
    assert len(chunks) in (4, 6)


def test_named_pattern_refuses_an_unknown_name():
    with pytest.raises(BpeError, match="four-type"):
        named_pattern("gpt5")
