"""The real libraries as outside oracles of our files, and small tokenizers to write."""

import ast
import json

import numpy as np
import pytest

from bpe_core import Tokenizer, count_chunks, train
from bpe_core.visible import BYTE_ALPHABET, spell

CORPUS = [
    "The cat sat on the mat; the hat sat on the cat. It's 2024, isn't it? We've 12345 reasons, they'll say.",
    "für Führer über Düne naïve café – “quoted” text…\r\n\r\n    indented\tcode(x_1, y_2) = 3.14 // comment\n",
    "我非常渴望与人工智能一起工作 🚀🚀 ½ ² Ⅷ नमस्ते दुनिया  e\u0301 \u00a0\u2003x\x1c\x1fy",
    "HTTPServer camelCase snake_case SCREAMING_SNAKE don'T CAN'T I'LL we'Ve \u017f's 'ſ K\u212a",
] * 3

SPECIALS = ("<|end|>", "<|end|>x", "<|é ü|>")


def trained(pattern="gpt2", vocab_size=420, specials=SPECIALS):
    return train(count_chunks(CORPUS, pattern), vocab_size, specials=specials).tokenizer


def hf(files):
    """The tokenizer that the `tokenizers` library makes of a tokenizer.json."""
    tokenizers = pytest.importorskip("tokenizers", reason="the tokenizers package is an outside oracle")
    return tokenizers.Tokenizer.from_str(files["tokenizer.json"].decode())


def hf_ids(library, text):
    return library.encode(text, add_special_tokens=False).ids


def tiktoken_of(files, folder):
    """The encoding that the snippet beside a rank file makes when it is run."""
    pytest.importorskip("tiktoken", reason="the tiktoken package is an outside oracle")
    for name, content in files.items():
        (folder / name).write_bytes(content)
    script = next(name for name in files if name.endswith(".py"))
    ast.parse(files[script])
    scope = {"__file__": str(folder / script), "__name__": "snippet"}
    exec(compile(files[script], script, "exec"), scope)
    return scope["encoding"]


def table_of_bytes():
    """A table in which each of the 256 bytes has its value as its id."""
    return {symbol: byte for byte, symbol in enumerate(BYTE_ALPHABET)}


def hf_json(tokens=(), merges=(), **parts):
    """A tokenizer.json with `tokens` after the bytes; `parts` replace entries, with `model_` of its model."""
    model = {
        "type": "BPE",
        "vocab": table_of_bytes() | {spelling: 256 + number for number, spelling in enumerate(tokens)},
        "merges": [list(merge) for merge in merges],
    }
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": True}
    document = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": byte_level,
        "post_processor": None,
        "decoder": byte_level,
        "model": model,
    }
    for key, value in parts.items():
        if key.startswith("model_"):
            model[key.removeprefix("model_")] = value
        else:
            document[key] = value
    return json.dumps(document).encode()


def added(content, token_id, **flags):
    plain = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": False}
    return {"id": token_id, "content": content, **plain, **flags}


def same(one: Tokenizer, other: Tokenizer) -> bool:
    """Whether two tokenizers have the same rules, tokens, names and pattern."""
    arrays = ("byte_ids", "pairs", "token_ids", "ranks")
    fields = ("specials", "added_tokens", "lone_tokens", "ignore_merges", "normalization", "prefix_space")
    return (
        all(np.array_equal(getattr(one, name), getattr(other, name)) for name in arrays)
        and all(getattr(one, name) == getattr(other, name) for name in fields)
        and one.pattern.regexes == other.pattern.regexes
    )


def spelled(token: str) -> str:
    return spell(token.encode())
