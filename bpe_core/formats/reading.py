"""Which format are these files, and who reads them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from pathlib import Path

import regex

from bpe_core.errors import BpeError
from bpe_core.formats import csv, gpt2, huggingface, manifest, tiktoken, tiktoken_snippet
from bpe_core.formats.incoming import (
    MAX_BYTES,
    check_digest,
    json_of,
    numbered_lines,
    refuse_foreign,
    text_of,
    unpacked,
)
from bpe_core.formats.loaded import Loaded
from bpe_core.patterns import Pattern
from bpe_core.tokenizer import Tokenizer

_MAX_SNIPPET = 2**20  # bytes
_MOST_NAMED = 5  # files in a sentence
_RANK_LINE = regex.compile(r"(?:[A-Za-z0-9+/]{2,}={0,2}|=) [0-9]+[ \t\r]*")
_MERGE_LINE = regex.compile(r"[^ \t]+ [^ \t]+\r?")


def load_tokenizer(
    path: str | Path, *, pattern: str | Pattern | None = None, sha256: str | Mapping[str, str] | None = None
) -> Tokenizer:
    """Return the tokenizer in the file, zip or folder at `path`; `read_tokenizer` says more about it.

    >>> from tempfile import TemporaryDirectory
    >>> from bpe_core.formats.writing import save_tokenizer
    >>> with TemporaryDirectory() as folder:
    ...     _ = save_tokenizer(Tokenizer.from_merges([(104, 105)], "none"), folder, "manifest")
    ...     load_tokenizer(folder).encode("hi")
    [256]

    Raises BpeError if it cannot be read.
    """
    path = Path(path)
    try:
        paths = sorted(one for one in path.iterdir() if one.is_file()) if path.is_dir() else [path]
        size = sum(one.stat().st_size for one in paths)
        if size > MAX_BYTES:
            raise BpeError(f"{path.name} has {size:,} bytes; at most {MAX_BYTES:,} are read.")
        files = {one.name: one.read_bytes() for one in paths}
    except OSError as error:
        raise BpeError(f"{path.name} cannot be read: {error.strerror}.") from None
    return read_tokenizer(files, pattern=pattern, sha256=sha256).tokenizer


def read_tokenizer(
    files: Mapping[str, bytes],
    *,
    pattern: str | Pattern | None = None,
    sha256: str | Mapping[str, str] | None = None,
) -> Loaded:
    """Return the tokenizer that `files` (content by name, or one zip) hold, and notes on how it was read.

    `pattern` is for formats that name none: the GPT-2 pair, rank files, CSV. `sha256`, one digest
    or a digest for each name, is checked before anything is read.

    Raises BpeError for files of another kind, naming it, and for everything that cannot be honoured.

    >>> from bpe_core.formats.writing import tokenizer_files
    >>> files = tokenizer_files(Tokenizer.from_merges([(104, 105)], "gpt2"), "tiktoken")
    >>> read_tokenizer(files, pattern="gpt2").tokenizer.encode("hi hi")
    [256, 32, 256]
    """
    if not files:
        raise BpeError(
            "There is no file. Give a tokenizer.json, a GPT-2 pair, a tiktoken rank file, a manifest or a zip."
        )
    check_digest(files, sha256)
    contents = unpacked(files)
    kinds: dict[str, str] = {}
    for name, content in contents.items():
        kind = _kind(name, content, alone=len(contents) == 1)
        if kind is not None and kinds.setdefault(kind, name) != name:
            raise BpeError(f"{kinds[kind]} and {name} are both files of the kind {kind}. Give one tokenizer at a time.")
    loaded = _read_kinds(kinds, contents, pattern)
    used = {name for kind, name in kinds.items() if kind in _used_kinds(loaded.format)}
    if unread := [name for name in contents if name not in used and not _is_snippet(name, loaded.format)]:
        more = f" and {len(unread) - _MOST_NAMED:,} more" if len(unread) > _MOST_NAMED else ""
        left = f"Other files were left unread: {', '.join(unread[:_MOST_NAMED])}{more}."
        loaded = Loaded(loaded.tokenizer, loaded.format, (*loaded.notes, left))
    return loaded


def _is_snippet(name: str, format: str) -> bool:
    return format == "tiktoken" and name.endswith(".py")


def _used_kinds(format: str) -> set[str]:
    return {"table", "merges"} if format == "gpt2" else {format}


def _read_kinds(kinds: Mapping[str, str], contents: Mapping[str, bytes], pattern: str | Pattern | None) -> Loaded:
    if "manifest" in kinds:
        return manifest.read_manifest(kinds["manifest"], contents[kinds["manifest"]], pattern)
    if "huggingface" in kinds:
        return huggingface.read_tokenizer_json(kinds["huggingface"], contents[kinds["huggingface"]], pattern)
    if "table" in kinds and "merges" in kinds:
        table, merges = kinds["table"], kinds["merges"]
        return gpt2.read_pair(table, contents[table], merges, contents[merges], pattern)
    if "tiktoken" in kinds:
        name = kinds["tiktoken"]
        return tiktoken.read_rank_file(name, contents[name], pattern, _snippet(contents, pattern))
    if "csv" in kinds:
        return csv.read_csv(kinds["csv"], contents[kinds["csv"]], pattern)
    if "table" in kinds:
        raise BpeError(
            f"{kinds['table']} is a table of tokens without its merges. Give vocab.bpe (or merges.txt) as well."
        )
    if "merges" in kinds:
        raise BpeError(f"{kinds['merges']} holds merges without their ids. Give encoder.json (or vocab.json) as well.")
    raise BpeError(
        f"{', '.join(contents)[:200]}: no tokenizer was found. Give a tokenizer.json, a GPT-2 pair, a tiktoken rank "
        "file, a manifest, a CSV of merges, or a zip of one of these."
    )


def _snippet(contents: Mapping[str, bytes], pattern: str | Pattern | None) -> tiktoken_snippet.Snippet | None:
    """What a Python file beside the rank file says of pattern and specials."""
    for name, content in contents.items():
        if name.endswith(".py") and b"Encoding(" in content and len(content) < _MAX_SNIPPET:
            snippet = tiktoken_snippet.read_snippet(name, text_of(name, content), pattern)
            if snippet:
                return snippet
    return None


def _kind(name: str, content: bytes, *, alone: bool) -> str | None:
    """What a file is; None for one that is no part of a tokenizer, such as a licence in a zip."""
    try:
        refuse_foreign(name, content)
        if name.endswith(".py"):
            return None
        start = content.removeprefix(b"\xef\xbb\xbf").lstrip()
        if start.startswith(b"{") or (start.startswith(b"[") and name.endswith(".json")):
            return _json_kind(name, content)
        return _text_kind(name, text_of(name, content[:100_000] if content.isascii() else content))
    except BpeError:
        if alone or name.endswith((".json", ".bpe", ".tiktoken", ".model")):
            raise
        return None


def _json_kind(name: str, content: bytes) -> str | None:
    head = content[:4096]
    if b'"' + manifest.FORMAT.encode() + b'"' in head:
        return "manifest"
    document = json_of(name, content)
    if isinstance(document, dict) and document and all(type(value) is int for value in document.values()):
        return "table"  # asked first: GPT-2 has a token that is spelled model
    if isinstance(document, dict) and "model" in document:
        return "huggingface"
    if isinstance(document, dict) and {"model_type", "tokenizer_class", "bos_token", "eos_token"} & {*document}:
        return None  # config.json, tokenizer_config.json and special_tokens_map.json of a model's folder
    raise BpeError(f"{name} is JSON, but no tokenizer.json, no table of tokens and ids, and no manifest.")


def _text_kind(name: str, text: str) -> str | None:
    lines = [line for _, line in islice(numbered_lines(text), 20)]
    if not lines:
        raise BpeError(f"{name} is empty.")
    if lines[0].rstrip("\r") == csv.HEADER:
        return "csv"
    if lines[0].startswith("#version"):
        return "merges"
    if name.endswith(".tiktoken") or all(_RANK_LINE.fullmatch(line) for line in lines[:3]):
        return "tiktoken"
    if _looks_like_word_pieces(lines):
        raise BpeError(f"{name} is a list of tokens, as WordPiece has it. Only byte-level BPE can be loaded.")
    if all(_MERGE_LINE.fullmatch(line) for line in lines[:3]):
        return "merges"
    if name.endswith(".model"):
        return "tiktoken"
    if name.endswith((".bpe", "merges.txt")):
        return "merges"
    return None


def _looks_like_word_pieces(lines: list[str]) -> bool:
    marks = {"[PAD]", "[UNK]", "[CLS]", "<unk>", "<s>", "<pad>"}
    return bool({line.split("\t")[0].strip() for line in lines} & marks)
