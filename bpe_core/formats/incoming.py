"""Bytes of files -> the text or JSON inside, or a sentence that says what they are instead.

Files come from strangers: nothing here runs code, follows paths, or unpacks without a limit.
"""

from __future__ import annotations

import hashlib
import io
import json
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, NoReturn

from bpe_core.errors import BpeError

MAX_BYTES = 128 * 2**20
"""The largest file, or sum of files, that is read. The largest published tables are about 35 MB."""
MAX_FILES = 200
_ZIP_FAULTS = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    RuntimeError,
    LookupError,
    OverflowError,
    MemoryError,
)
"""What zipfile lets through when a file is damaged on purpose; RuntimeError is a password."""

_PICKLE = "a Python pickle", "Pickles run code when they are read, so they never are; export it as tokenizer.json"
_FOREIGN = {
    b"version https://git-lfs": ("a Git LFS pointer, not the file itself", "Download the real file (git lfs pull)"),
    b"<!": ("an HTML page", "The link probably led to a web page; download the raw file"),
    b"<html": ("an HTML page", "The link probably led to a web page; download the raw file"),
    b"<?xml": ("an XML page", "The link probably led to a web page; download the raw file"),
    b"GGUF": ("a GGUF model file", "Give the model's tokenizer.json instead"),
    b"\x1f\x8b": ("a gzip archive", "Unpack it first, or give a zip"),
    b"\xfd7zXZ": ("an xz archive", "Unpack it first, or give a zip"),
    **{b"\x80" + bytes([version]): _PICKLE for version in range(2, 6)},
}


def check_digest(files: Mapping[str, bytes], sha256: str | Mapping[str, str] | None) -> None:
    """Raise BpeError if a file has not the SHA-256 that the user expects.

    `sha256` is one digest for a single file, or a digest for each name.
    """
    if sha256 is None:
        return
    if isinstance(sha256, str):
        if len(files) != 1:
            raise BpeError(f"One digest was given for {len(files)} files. Give one for each file name, or one zip.")
        sha256 = dict.fromkeys(files, sha256)
    for name, expected in sha256.items():
        if name not in files:
            raise BpeError(f"A digest was given for {name}, but there is no such file.")
        found = hashlib.sha256(files[name]).hexdigest()
        if found != expected.strip().lower():
            raise BpeError(
                f"The digest of {name} is {found}, not {expected.strip()}: this is another file. Nothing was read "
                "from it."
            )


def unpacked(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return `files` with each zip replaced by the files in it.

    Raises BpeError for too much content, and for a zip that is damaged or locked.
    """
    found: dict[str, bytes] = {}
    for name, content in files.items():
        found.update(_zip_members(name, content) if content.startswith(b"PK\x03\x04") else [(name, content)])
        if len(found) > MAX_FILES or sum(map(len, found.values())) > MAX_BYTES:
            raise BpeError(
                f"That is more than {MAX_FILES} files or {MAX_BYTES // 2**20} MB. Give only the tokenizer's files."
            )
    return found


def _zip_members(zip_name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = [member for member in archive.infolist() if not _is_clutter(member)]
            if len(members) > MAX_FILES or sum(member.file_size for member in members) > MAX_BYTES:
                raise BpeError(
                    f"{zip_name} unpacks to too much: at most {MAX_FILES} files and {MAX_BYTES // 2**20} MB."
                )
            for member in members:
                yield member.filename, archive.read(member)
    except _ZIP_FAULTS as error:
        if isinstance(error, BpeError):
            raise
        raise BpeError(
            f"{zip_name} is not a zip that can be read ({error}). Pack it again without a password."
        ) from None


def _is_clutter(member: zipfile.ZipInfo) -> bool:
    path = PurePosixPath(member.filename)
    return not path.name or member.filename.endswith("/") or path.name.startswith(".") or "__MACOSX" in path.parts


def refuse_foreign(name: str, content: bytes) -> None:
    """Raise BpeError if `content` is plainly no tokenizer file that we read, saying what it is."""
    start = content.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start:
        raise BpeError(f"{name} is empty.")
    for magic, (what, advice) in _FOREIGN.items():
        if start[:40].lower().startswith(magic.lower()):
            raise BpeError(f"{name} is {what}. {advice}.")
    if b"\x00" in content[:200] or (b"<unk>" in content[:200] and not start.startswith((b"{", b"<unk>"))):
        raise BpeError(
            f"{name} is a binary file, perhaps a SentencePiece model: that is not byte-level BPE. "
            "Give a tokenizer.json, a GPT-2 pair, a tiktoken rank file or a manifest."
        )


def text_of(name: str, content: bytes) -> str:
    """Return `content` as text; a byte order mark is dropped. Raises BpeError if it is no UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BpeError(f"{name} is not UTF-8 text: byte {content[error.start]:02X} on line {line}.") from None


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield each line that is not blank with its number from 1; CRLF counts as one line end.

    >>> list(numbered_lines("a b\\r\\n\\nc d"))
    [(1, 'a b'), (3, 'c d')]
    """
    for number, line in enumerate(text.split("\n"), 1):
        line = line.removesuffix("\r")
        if line.strip(" \t"):
            yield number, line


def json_of(name: str, content: bytes) -> Any:
    """Return what the JSON in `content` says.

    Raises BpeError if it is no JSON, nests too deep, or spells one key twice in the same object.
    """
    try:
        return json.loads(text_of(name, content), object_pairs_hook=_object, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise BpeError(f"{name} is not valid JSON: {error.msg} on line {error.lineno}, column {error.colno}.") from None
    except RecursionError:
        raise BpeError(f"{name} is JSON nested too deep to be a tokenizer.") from None
    except BpeError as error:
        raise BpeError(f"{name}: {error}") from None
    except ValueError:
        raise BpeError(f"{name} holds a number that is far too long.") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))
        raise BpeError(f"the key {twice[:80]!r} stands twice in one object, so it is unclear which counts. Remove one.")
    return found


def _refuse_constant(constant: str) -> NoReturn:
    raise BpeError(f"{constant} is not a number that JSON allows.")
