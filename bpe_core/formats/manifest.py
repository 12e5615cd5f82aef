"""Our own file, `manifest.json`: the whole vocabulary, how it was made, and digests to hold it against.

`merges_sha256` is of the lines `left right\\n` in the byte alphabet, by rank (a vocab.bpe without its
first line); `vocabulary_sha256` is of the lines `id hex\\n`, by id. Both are checked on reading.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import regex

from bpe_core.errors import BpeError
from bpe_core.formats.by_ids import Entries, tokenizer_of
from bpe_core.formats.gpt2 import GPT2_BYTE_ORDER, has_gpt2_byte_order
from bpe_core.formats.huggingface import FORMS
from bpe_core.formats.incoming import json_of
from bpe_core.formats.loaded import Loaded
from bpe_core.formats.rules import merges_in_rank_order
from bpe_core.patterns import CUSTOM_TIME_LIMIT, PATTERN_NAMES, Pattern, named_pattern
from bpe_core.tokenizer import Tokenizer

FORMAT = "byte-level BPE manifest"
CONTRACT_VERSION = 1
"""Goes up when the meaning of a field changes; a file of a later version is refused."""

_ALGORITHM = (
    "byte-level BPE: text as UTF-8 bytes, cut by the pattern; in each chunk the pair of the lowest rank is merged first"
)


@dataclass(frozen=True)
class Source:
    """A text that was trained on: its name, its size in bytes and its SHA-256."""

    name: str
    num_bytes: int
    sha256: str


@dataclass(frozen=True)
class TrainedFrom:
    """How a vocabulary was made: the settings of its training and the texts."""

    sources: tuple[Source, ...] = ()
    ties: str = "smallest pair"
    min_count: int = 2
    vocab_size_wanted: int | None = None
    stopped_because: str | None = None


def manifest_files(tokenizer: Tokenizer, trained_from: TrainedFrom | None = None) -> dict[str, bytes]:
    """Return `manifest.json` of `tokenizer`; `trained_from` is None for one that was not trained here."""
    order = np.argsort(tokenizer.ranks, kind="stable")
    document = {
        "format": FORMAT,
        "contract": CONTRACT_VERSION,
        "algorithm": _ALGORITHM,
        "pattern": {
            "name": tokenizer.pattern.name,
            "regexes": list(tokenizer.pattern.regexes),
            "keeps_gaps": tokenizer.pattern.keeps_gaps,
        },
        "normalization": tokenizer.normalization,
        "prefix_space": tokenizer.prefix_space,
        "ignore_merges": tokenizer.ignore_merges,
        "byte_ids": _byte_mapping(tokenizer.byte_ids),
        "specials": dict(tokenizer.specials),
        "added_tokens": dict(tokenizer.added_tokens),
        "lone_tokens": {token.hex(): token_id for token, token_id in tokenizer.lone_tokens.items()},
        "sizes": {
            "vocabulary": tokenizer.vocab_size,
            "merges": tokenizer.num_merges,
            "specials": len(tokenizer.specials),
        },
        "trained_from": asdict(trained_from) if trained_from else None,
        "merges_sha256": merges_sha256(tokenizer),
        "vocabulary_sha256": vocabulary_sha256(tokenizer),
    }
    rows = np.column_stack([tokenizer.pairs, tokenizer.token_ids])[order].tolist()
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    head = json.dumps(document, indent=1, ensure_ascii=False).removesuffix("\n}")
    return {"manifest.json": f'{head},\n "merges": [\n{lines}\n]\n}}\n'.encode()}


def merges_sha256(tokenizer: Tokenizer) -> str:
    """Return the SHA-256 of the merges, one on a line in the byte alphabet, by rank."""
    return hashlib.sha256(
        "".join(f"{left} {right}\n" for left, right in merges_in_rank_order(tokenizer)).encode()
    ).hexdigest()


def vocabulary_sha256(tokenizer: Tokenizer) -> str:
    """Return the SHA-256 of the tokens, one on a line as `id hex`, by id."""
    lines = (f"{token_id} {token.hex()}\n" for token_id, token in tokenizer.vocabulary.items())
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _byte_mapping(byte_ids: np.ndarray) -> str | list[int]:
    if byte_ids.tolist() == list(range(256)):
        return "value"
    return "gpt2" if has_gpt2_byte_order(byte_ids) else byte_ids.tolist()


# --- reading -------------------------------------------------------------------------


def is_manifest(document: Any) -> bool:
    """Whether a JSON document says that it is a manifest."""
    return isinstance(document, dict) and document.get("format") == FORMAT


def read_manifest(name: str, content: bytes, pattern: str | Pattern | None = None) -> Loaded:
    """Return the tokenizer of a manifest; `pattern` is refused, because the file names its own.

    Raises BpeError if a field is missing or wrong, or if a digest does not fit what the file holds.
    """
    if pattern is not None:
        raise BpeError(f"{name} names its own pattern. Load it without choosing one.")
    document = json_of(name, content)
    if not is_manifest(document):
        raise BpeError(f"{name} is no manifest: its format is not {FORMAT!r}.")
    if document.get("contract") != CONTRACT_VERSION:
        raise BpeError(
            f"{name} follows version {str(document.get('contract'))[:20]} of the contract; this is {CONTRACT_VERSION}."
        )
    entries = Entries(
        _read_byte_ids(document.get("byte_ids"), name),
        _read_merges(document.get("merges"), name),
        _ids(document, "specials", name),
        _ids(document, "added_tokens", name),
        {_hex(key, name): token_id for key, token_id in _ids(document, "lone_tokens", name).items()},
    )
    tokenizer = replace(
        tokenizer_of(entries, _read_pattern(document.get("pattern"), name), name),
        normalization=_one_of(document, "normalization", (None, *FORMS), name),
        prefix_space=_one_of(document, "prefix_space", (False, True), name),
        ignore_merges=_one_of(document, "ignore_merges", (False, True), name),
    )
    for key, digest in ("merges_sha256", merges_sha256), ("vocabulary_sha256", vocabulary_sha256):
        if document.get(key) != digest(tokenizer):
            raise BpeError(f"{name} was changed after it was written: its {key} does not fit what it holds.")
    return Loaded(tokenizer, "manifest", tuple(_made_notes(document.get("trained_from"))))


def _made_notes(trained_from: Any) -> list[str]:
    if not isinstance(trained_from, dict):
        return []
    sources = [source for source in trained_from.get("sources") or () if isinstance(source, dict)]
    names = ", ".join(str(source.get("name"))[:60] for source in sources[:3])
    return [f"The file says that it was trained on {len(sources)} texts: {names}."] if sources else []


def _one_of(document: Mapping[str, Any], key: str, allowed: tuple[Any, ...], name: str) -> Any:
    value = document.get(key)
    for one in allowed:
        if value is one or (isinstance(value, str) and value == one):
            return one
    raise BpeError(f"{name}: {key} is {str(value)[:40]}; it must be one of {', '.join(map(str, allowed))}.")


def _ids(document: Mapping[str, Any], key: str, name: str) -> dict[str, Any]:
    value = document.get(key)
    if not isinstance(value, dict):
        raise BpeError(f"{name}: {key} must be an object of names and ids.")
    return value


def _hex(key: str, name: str) -> bytes:
    try:
        token = bytes.fromhex(key)
    except ValueError:
        token = b""
    if len(token) < 2:
        raise BpeError(f"{name}: the lone token {key[:40]!r} must be two bytes or more, in hex.")
    return token


def _read_byte_ids(value: Any, name: str) -> list[int]:
    if value == "value":
        return list(range(256))
    if value == "gpt2":
        return np.argsort(GPT2_BYTE_ORDER).tolist()
    if isinstance(value, list):
        return value
    raise BpeError(f'{name}: byte_ids must be "value", "gpt2" or a list of 256 ids.')


def _read_merges(value: Any, name: str) -> list[tuple[int, int, int]]:
    if not isinstance(value, list):
        raise BpeError(f"{name}: merges must be a list.")
    for rank, row in enumerate(value):
        if not (isinstance(row, list) and len(row) == 3):
            raise BpeError(f"{name}: the merge of rank {rank} is {str(row)[:60]}; it must be [left id, right id, id].")
    return [tuple(row) for row in value]


def _read_pattern(value: Any, name: str) -> Pattern:
    match value:
        case {"name": str(label), "regexes": list(sources), "keeps_gaps": bool(keeps_gaps)} if all(
            isinstance(source, str) for source in sources
        ):
            regexes = tuple(sources)
        case _:
            raise BpeError(f"{name}: pattern must have a name, a list of regexes, and keeps_gaps.")
    if label in PATTERN_NAMES:
        if named_pattern(label).regexes != regexes:
            raise BpeError(f"{name} names the pattern {label} but holds other regular expressions for it.")
        return named_pattern(label)
    for source in regexes:
        try:
            regex.compile(source)
        except (regex.error, OverflowError, RecursionError) as error:
            raise BpeError(f"{name} has a pattern that is not valid: {str(error)[:120]}.") from None
    return Pattern(label, regexes, keeps_gaps, CUSTOM_TIME_LIMIT)
