"""tokenizer.json of the Hugging Face `tokenizers` library, for byte-level BPE.

Ids are those of `encode(text, add_special_tokens=False)`: what a post-processor puts
around a text is named in a note and not added. Everything else in the file is honoured
or refused by name. Written from the library's own format and checked against it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from bpe_core.errors import BpeError
from bpe_core.formats.hf_added import Added, read_added_tokens
from bpe_core.formats.hf_pattern import UNICODE_LIMIT, pre_tokenizer_of, read_pre_tokenizer
from bpe_core.formats.incoming import json_of
from bpe_core.formats.loaded import Loaded
from bpe_core.formats.rules import (
    check_has_merges,
    merges_in_rank_order,
    read_rules,
    table_of,
    token_of,
)
from bpe_core.patterns import Pattern, as_pattern
from bpe_core.tokenizer import Tokenizer

FORMS = ("NFC", "NFD", "NFKC", "NFKD")
_OTHER_MODELS = {"WordPiece", "WordLevel", "Unigram"}


def read_tokenizer_json(name: str, content: bytes, pattern: str | Pattern | None = None) -> Loaded:
    """Return the tokenizer of a tokenizer.json; `pattern` is refused, because the file names its own.

    Raises BpeError for another kind of tokenizer, and for each part that cannot be honoured.
    """
    if pattern is not None:
        raise BpeError(f"{name} names its own pattern. Load it without choosing one.")
    document = json_of(name, content)
    model = _model(document, name)
    before = read_pre_tokenizer(document.get("pre_tokenizer"), name)
    _check_decoder(document.get("decoder"), name)
    table, merges = _table(model, name), _merges(model, name)
    rules = read_rules(table, merges, f"the vocabulary of {name}", lambda number: f"merge {number + 1} of {name}")
    normalization = _normalization(document.get("normalizer"), name)
    added = read_added_tokens(document.get("added_tokens"), table, normalization, name)
    lone_tokens = _lone_tokens(rules.unmade, added, name)
    check_has_merges(merges, list(lone_tokens), name)
    tokenizer = Tokenizer(
        as_pattern(before.pattern),
        rules.byte_ids,
        rules.pairs,
        rules.token_ids,
        np.arange(len(rules.pairs), dtype=np.int32),
        specials=added.specials,
        lone_tokens=lone_tokens,
        ignore_merges=bool(model.get("ignore_merges")),
        normalization=normalization,
        prefix_space=before.prefix_space,
        added_tokens=added.plain,
    )
    notes = (*_text_notes(tokenizer), *added.notes, *_left_out(document), *rules.notes)
    return Loaded(tokenizer, "huggingface", notes)


# --- model ------------------------------------------------------------------------


def _model(document: Any, name: str) -> Mapping[str, Any]:
    model = document.get("model") if isinstance(document, dict) else None
    if not isinstance(model, dict):
        raise BpeError(f"{name} is no tokenizer.json: it has no model.")
    kind = model.get("type")
    if str(kind) in _OTHER_MODELS:
        raise BpeError(f"{name} holds a {kind} model. Only byte-level BPE can be loaded.")
    if kind not in ("BPE", None) or (kind is None and "merges" not in model):
        raise BpeError(f"{name} holds a model of the unknown type {str(kind)[:60]}. Only byte-level BPE can be loaded.")
    if model.get("byte_fallback"):
        raise BpeError(f"{name} uses byte_fallback, as SentencePiece BPE does. Only byte-level BPE can be loaded.")
    for key in "continuing_subword_prefix", "end_of_word_suffix":
        if model.get(key):
            raise BpeError(f"{name} uses {key} ({str(model[key])[:40]}), which byte-level BPE does not have.")
    if model.get("dropout"):
        raise BpeError(f"{name} drops merges at random (dropout), so it has no fixed ids. Set dropout to null.")
    return model


def _table(model: Mapping[str, Any], name: str) -> dict[str, int]:
    table = model.get("vocab")
    if not isinstance(table, dict) or not table:
        raise BpeError(f"{name} has no vocabulary: model.vocab must be an object of tokens and ids.")
    return table


def _merges(model: Mapping[str, Any], name: str) -> list[tuple[str, str]]:
    """The merges, written as "Ġ t" or as ["Ġ", "t"]."""
    entries = model.get("merges")
    if not isinstance(entries, list):
        raise BpeError(f"{name} has no merges: model.merges must be a list.")
    merges = []
    for number, entry in enumerate(entries, 1):
        parts = entry.split(" ") if isinstance(entry, str) else entry
        if not (isinstance(parts, list) and len(parts) == 2 and all(isinstance(part, str) and part for part in parts)):
            raise BpeError(f'Merge {number} of {name} is {str(entry)[:80]!r}; it must be "Ġ t" or ["Ġ", "t"].')
        merges.append((parts[0], parts[1]))
    return merges


def _lone_tokens(unmade: Mapping[str, int], added: Added, name: str) -> dict[bytes, int]:
    lone: dict[bytes, int] = {}
    for spelling, token_id in unmade.items():
        if spelling in added.specials or spelling in added.plain:
            continue
        token = token_of(spelling)
        if token is None:
            raise BpeError(
                f"{name} has the token {spelling[:80]!r}, which is not written in the byte alphabet and is no added "
                "token. A byte-level vocabulary has no such tokens."
            )
        lone[token] = token_id
    return lone


# --- what stands around the model ----------------------------------------------------


def _normalization(node: Any, name: str) -> str | None:
    while isinstance(node, dict) and node.get("type") == "Sequence" and isinstance(node.get("normalizers"), list):
        if len(node["normalizers"]) > 1:
            kinds = ", ".join(str(inner.get("type"))[:40] for inner in node["normalizers"] if isinstance(inner, dict))
            raise BpeError(f"{name} normalizes text in several steps ({kinds}), which is not supported.")
        node = node["normalizers"][0] if node["normalizers"] else None
    if node is None:
        return None
    kind = node.get("type") if isinstance(node, dict) else node
    if kind not in FORMS:
        raise BpeError(f"{name} uses the normalizer {str(kind)[:60]}, which is not supported; {', '.join(FORMS)} are.")
    return kind


def _check_decoder(node: Any, name: str) -> None:
    if node is None:
        return
    kind = node.get("type") if isinstance(node, dict) else node
    if kind == "Sequence" and isinstance(node.get("decoders"), list) and len(node["decoders"]) == 1:
        return _check_decoder(node["decoders"][0], name)
    if kind != "ByteLevel":
        raise BpeError(f"{name} uses the decoder {str(kind)[:60]}; byte-level BPE is decoded by ByteLevel alone.")


def _text_notes(tokenizer: Tokenizer) -> list[str]:
    notes = []
    if tokenizer.normalization:
        notes.append(
            f"The text is brought into the form {tokenizer.normalization} before it is cut, as the file demands."
        )
    if tokenizer.prefix_space:
        notes.append("A space is put before a text that does not begin with one, as the file demands.")
    return notes


def _left_out(document: Mapping[str, Any]) -> list[str]:
    notes = []
    post = document.get("post_processor")
    if post is not None and not (isinstance(post, dict) and post.get("type") == "ByteLevel"):
        kind = post.get("type") if isinstance(post, dict) else post
        notes.append(
            f"The file puts special tokens around each text ({str(kind)[:40]}); the ids here are without them."
        )
    notes += [
        f"The file asks for {key}; it is not applied here." for key in ("truncation", "padding") if document.get(key)
    ]
    return notes


# --- writing -----------------------------------------------------------------------


def tokenizer_json_files(tokenizer: Tokenizer) -> dict[str, bytes]:
    """Return the tokenizer.json of `tokenizer`.

    Special tokens stand in the model's own table too: the library gives those that do not new ids.
    Raises BpeError if the file cannot hold it.
    """
    added = {**dict.fromkeys(tokenizer.specials, True), **dict.fromkeys(tokenizer.added_tokens, False)}
    ids = {**tokenizer.specials, **tokenizer.added_tokens}
    model = _model_of(tokenizer)
    for content, token_id in ids.items():
        if model["vocab"].get(content) != token_id:
            raise BpeError(
                f"The added token {content[:80]} cannot be saved as tokenizer.json: the library would give it "
                "another id, because its id belongs to a token of another spelling. Save the manifest."
            )
    document = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            _added_token(content, ids[content], added[content]) for content in sorted(ids, key=ids.__getitem__)
        ],
        "normalizer": {"type": tokenizer.normalization} if tokenizer.normalization else None,
        "pre_tokenizer": pre_tokenizer_of(tokenizer.pattern, tokenizer.prefix_space),
        "post_processor": None,
        "decoder": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False},
        "model": model,
    }
    return {"tokenizer.json": json.dumps(document, ensure_ascii=False, indent=1).encode()}


def _model_of(tokenizer: Tokenizer) -> dict[str, Any]:
    return {
        "type": "BPE",
        "dropout": None,
        "unk_token": None,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": False,
        "byte_fallback": False,
        "ignore_merges": tokenizer.ignore_merges,
        "vocab": table_of(tokenizer, format="tokenizer.json"),
        "merges": [list(pair) for pair in merges_in_rank_order(tokenizer)],
    }


def _added_token(content: str, token_id: int, special: bool) -> dict[str, Any]:
    plain = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    return {"id": token_id, "content": content, **plain, "special": special}


def tokenizer_json_limits(tokenizer: Tokenizer) -> list[str]:
    """Return what a tokenizer.json cannot carry of `tokenizer`, as sentences."""
    limits = []
    if any("\\p" in source or "\\s" in source for source in tokenizer.pattern.regexes):
        limits.append(UNICODE_LIMIT.format("file", "tokenizers"))
    if tokenizer.pattern.regexes and tokenizer.pattern.time_limit and not tokenizer.pattern.keeps_gaps:
        limits.append(
            "Here text that your pattern does not match is an error; the tokenizers library makes it a chunk."
        )
    if tokenizer.specials:
        limits.append(
            "The tokenizers library always turns the spelling of a special token into its id, also in user text."
        )
    return limits
