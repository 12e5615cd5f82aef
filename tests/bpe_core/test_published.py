"""GPT-2 and Qwen in the package: every id as the published encoders give it."""

import json
from pathlib import Path

import pytest

from bpe_core import BpeError
from bpe_core.published import FOLDER, PUBLISHED, published_tokenizer

DATA = Path(__file__).parents[1] / "data" / "published_ids"

LINES = [
    pytest.param(name, json.loads(line), id=f"{name} {json.loads(line)['name']}")
    for name in PUBLISHED
    for line in (DATA / f"{name}.jsonl").read_text().splitlines()
]


@pytest.mark.parametrize(("name", "line"), LINES)
def test_published_ids_are_those_of_the_published_encoder(name, line):
    tokenizer = published_tokenizer(name)

    assert tokenizer.encode(line["text"]) == line["ids"]
    assert tokenizer.decode(line["ids"]) == line["text"]
    if "ids_special" in line:
        assert tokenizer.encode(line["text"], "allow") == line["ids_special"]


@pytest.mark.parametrize(
    ("name", "text", "ids"),
    [
        ("gpt2", "##", [2235]),
        ("gpt2", "####", [4242]),
        ("gpt2", "# $", [2, 720]),
        ("gpt2", "#$", [29953]),
        ("gpt2", "12345", [10163, 2231]),
        ("gpt2", "000000000000000", [8269, 24598]),
        ("gpt2", "00000000000000000", [8269, 10535, 830]),
        ("gpt2", "“wrote jack a letter”", [447, 250, 42910, 14509, 257, 3850, 447, 251]),
        ("gpt2", "你", [19526, 254]),
        ("gpt2", "You should've done this", [1639, 815, 1053, 1760, 428]),
        ("gpt2", "Hello,", [15496, 11]),
        ("qwen", "hello", [14990]),
        ("qwen", "12345", [16, 17, 18, 19, 20]),
        ("qwen", "ied 4 ½ months", [1122, 220, 19, 220, 26062, 3951]),
        ("qwen", "\t\n", [1572]),
        ("qwen", " this is 🦙.cpp", [419, 374, 11162, 99, 247, 13, 10821]),
        ("qwen", "нещо на Български", [78762, 14144, 1456, 13073, 63471, 33594, 3038, 133178, 79012]),
        ("qwen", "    Hello\n    Hello", [262, 21927, 198, 262, 21927]),
        ("qwen", "33333333", [18] * 8),
    ],
)
def test_published_ids_of_strings_that_made_other_encoders_fail(name, text, ids):
    assert published_tokenizer(name).encode(text) == ids


def test_published_gpt2_keeps_a_special_in_text_as_text_unless_allowed():
    gpt2 = published_tokenizer("gpt2")

    assert gpt2.encode("hello <|endoftext|>", "allow") == [31373, 220, 50256]
    assert gpt2.encode("<|endoftext|>") == [27, 91, 437, 1659, 5239, 91, 29]
    with pytest.raises(BpeError, match=r"<\|endoftext\|> at character 6"):
        gpt2.encode("hello <|endoftext|>", "reject")


def test_published_gpt2_refuses_a_lone_surrogate():
    with pytest.raises(BpeError, match="lone surrogate, U\\+DBC0, at character 0"):
        published_tokenizer("gpt2").encode("\udbc0")


@pytest.mark.parametrize(("name", "num_merges", "vocab_size"), [("gpt2", 50_000, 50_257), ("qwen", 151_387, 151_851)])
def test_published_vocabularies_have_every_smaller_size(name, num_merges, vocab_size):
    tokenizer = published_tokenizer(name)
    half = tokenizer.with_vocab_size(vocab_size - num_merges // 2)

    assert (tokenizer.num_merges, tokenizer.vocab_size, tokenizer.why_no_prefixes) == (num_merges, vocab_size, None)
    assert half.vocabulary == {
        token_id: token for token_id, token in tokenizer.vocabulary.items() if token_id in half.vocabulary
    }
    assert len(half.encode("internationalization")) >= len(tokenizer.encode("internationalization"))


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_files_stand_beside_their_licence_and_source(name):
    published = PUBLISHED[name]
    readme = (FOLDER / "README.md").read_text()

    assert all(word in readme for word in (published.merges_file, published.sha256, published.licence))
    assert (
        (FOLDER / f"LICENSE-{name}.txt")
        .read_text()
        .strip()
        .startswith({"gpt2": "Modified MIT License", "qwen": "Apache License"}[name])
    )


def test_published_tokenizer_refuses_an_unknown_name():
    with pytest.raises(BpeError, match="Choose one of gpt2, qwen"):
        published_tokenizer("gpt5")
