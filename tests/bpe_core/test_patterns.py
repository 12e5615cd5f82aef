"""Patterns: what the named ones cut, and what is refused of one's own."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import PATTERN_NAMES, BpeError, custom_pattern, named_pattern

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
