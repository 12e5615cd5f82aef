"""Longest match on published vocabularies, and BPE's own cut of the same words."""

import json
from base64 import b64encode
from pathlib import Path

import pytest

from bpe_core.formats import read_tokenizer
from bpe_core.orders import ORDERS, cut, cut_text, why_parted
from bpe_core.published import published_tokenizer

CASES = Path(__file__).parent.parent / "data" / "longest_match_differs.jsonl"
ROWS = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['tokenizer']}{row['text']}")
def test_longest_match_differs_from_rank_order_as_published(row):
    tokenizer = published_tokenizer(row["tokenizer"])
    for order, key in (("rank", "rank_order"), ("longest match", "longest_match")):
        (tokens,) = cut_text(tokenizer, row["text"], order)
        assert [tokenizer.ids_of_tokens[token] for token in tokens] == row[key]

    parting = why_parted(tokenizer, row["text"].encode(), "longest match")

    assert parting.sentence.startswith("rank order joined `")


GPT4_PIECES = [
    *("er", "st", "al", "is", "ic", "il", "if", "ag", "pe", "ist", "up", "per", "li", "ca", "ra", "rc", "list", "fr"),
    *("erc", "uper", "ili", "rag", "istic", "cal", "ali", "gi", "super", "ti", "sup", "su", "tic", "frag", "agi"),
    *("fra", "lis", "perc", "gil", "isti", "erca", "sti", "upe", "ifr"),
]
"""The tokens of GPT-4's vocabulary (cl100k) that are parts of the word below, in rank order: facts of its file."""


def test_longest_match_cuts_a_long_word_otherwise_than_rank_order():
    """Why not longest match? Asked in openai/tiktoken #99; here on what GPT-4's vocabulary knows of the word."""
    tokens = [bytes([byte]) for byte in range(256)] + [piece.encode() for piece in GPT4_PIECES]
    lines = (f"{b64encode(token).decode()} {rank}" for rank, token in enumerate(tokens))
    tokenizer = read_tokenizer({"gpt4.tiktoken": "\n".join(lines).encode()}, pattern="cl100k").tokenizer

    cuts = [cut(tokenizer, b"supercalifragilistic", order) for order in ("rank", "longest match")]

    assert cuts[0] == [b"sup", b"erc", b"al", b"if", b"rag", b"il", b"istic"]
    assert cuts[1] == [b"super", b"cal", b"ifr", b"agi", b"list", b"ic"]


def test_every_order_runs_on_a_published_vocabulary_and_on_a_part_of_it():
    tokenizer = published_tokenizer("gpt2")
    smaller = tokenizer.with_vocab_size(256 + len(tokenizer.specials) + 1_000)
    for order in ORDERS:
        for vocabulary in (tokenizer, smaller):
            assert b"".join(cut(vocabulary, b" stethoscope", order, p=0.2)) == b" stethoscope"
    assert cut(smaller, b" stethoscope", "rank") == [smaller.vocabulary[i] for i in smaller.encode(" stethoscope")]
