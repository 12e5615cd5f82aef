"""What a file is, by its name and by its first bytes; they should agree."""

from __future__ import annotations

import re

from bpe_core.documents.report import shown_name
from bpe_core.errors import BpeError

_KINDS = {
    "csv": "csv", "tsv": "tsv", "jsonl": "jsonl", "ndjson": "jsonl", "parquet": "parquet", "gz": "gz", "zip": "zip",
    "tgz": "other archive", "tar": "other archive", "7z": "other archive", "rar": "other archive",
    "bz2": "other archive", "xz": "other archive", "zst": "other archive",
}  # fmt: skip
TABLES = ("csv", "tsv", "jsonl", "parquet")
ARCHIVES = ("gz", "zip", "other archive")

MOST_BYTES = 256 * 1024 * 1024
"""So many bytes a file may hold, packed or unpacked, unless the caller says otherwise."""

# Each of these holds a control or a byte that UTF-8 never has, so no text begins like it by chance.
_SIGNATURES = {
    b"PK\x03\x04": "a ZIP archive (or an Office document, which is one)", b"\x1f\x8b": "a gzip file",
    b"\x89PNG\r\n\x1a\n": "a PNG image", b"\xff\xd8\xff": "a JPEG image", b"\xfd7zXZ\x00": "an xz archive",
    b"\x28\xb5\x2f\xfd": "a Zstandard archive", b"7z\xbc\xaf\x27\x1c": "a 7z archive", b"Rar!\x1a\x07": "a RAR archive",
    b"\xd0\xcf\x11\xe0": "an old Office document", b"\x7fELF": "a program", b"SQLite format 3\x00": "a SQLite database",
}  # fmt: skip
_LFS_POINTER = re.compile(rb"version https://git-lfs\.github\.com/spec/v1\r?\n(?:[^\n]*\n)*?size (\d{1,20})\r?\n?")
_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s{0,1000}(?:<!--.{0,1000}?-->\s{0,1000})?<(?:!doctype html|html)[\s>]", re.I | re.S
)
_MAY_BE_HTML = re.compile(r"\.(html?|xhtml|md|markdown|php|asp|jsp|vue|svelte|warc|eml|mht|mhtml)$", re.I)


def kind_of(name: str) -> str:
    """Return what a file is by its name: "text" if no table or archive.

    >>> kind_of("export.CSV"), kind_of("notes.md"), kind_of("log.txt.gz")
    ('csv', 'text', 'gz')
    """
    return _KINDS.get(name.rpartition(".")[2].lower(), "text") if "." in name else "text"


def why_passed_over(path: str) -> str | None:
    """Return why a file that came with a whole folder or archive is not read, told by its path; None if it is read.

    >>> why_passed_over("notes/Thumbs.db"), why_passed_over("../notes/a.txt")
    ('it is a note of the operating system, not a text', None)
    """
    parts = path.split("/")
    if "__MACOSX" in parts or parts[-1] in (".DS_Store", "Thumbs.db", "desktop.ini"):
        return "it is a note of the operating system, not a text"
    if any(part.startswith(".") and part not in (".", "..") for part in parts):
        return "it is hidden: its name or its folder's begins with a dot; to use it, choose it by itself"
    return None


def looks_like(content: bytes) -> str | None:
    """Return what the bytes are, if their beginning tells, and they are not the text, table or archive they should be.

    >>> looks_like(b"\\x1f\\x8b\\x08..."), looks_like(b"plain text")
    ('a gzip file', None)
    """
    for beginning, what in _SIGNATURES.items():
        if content.startswith(beginning):
            return what
    if len(content) > 8 and content[:4] == content[-4:] == b"PAR1":
        return "a Parquet file"
    if content.startswith(b"%PDF-"):
        return "a PDF"
    return "an HTML page" if _HTML.match(content) else None


def check_content(content: bytes, name: str, kind: str) -> tuple[str, ...]:
    """Return notes on a file whose content is doubtful.

    Raises BpeError if it is empty or too plainly not what its name says.
    """
    if not content:
        raise BpeError(f"{shown_name(name)} is empty (0 bytes). Choose a file that holds text.")
    if len(content) < 1024 and (pointer := _LFS_POINTER.fullmatch(content)):
        raise BpeError(
            f"{shown_name(name)} is a Git LFS pointer, not the file itself ({int(pointer[1]):,} bytes, stored "
            "elsewhere). Fetch it with `git lfs pull`, or download it from the repository's page."
        )
    if kind == "other archive":
        raise BpeError(f"{shown_name(name)} is an archive that is not read here. Unpack it, or pack it as .zip or .gz.")
    what = looks_like(content)
    if what == "an HTML page" and kind == "text":
        if _MAY_BE_HTML.search(name):
            return ()
        return (f"{shown_name(name)} is an HTML page. If you expected something else, download the file itself again.",)
    if what and not _as_expected(what, kind):
        raise BpeError(f"{shown_name(name)} is not {_WORDS[kind]}: it is {what}. {_remedy(what)}")
    return ()


_WORDS = {
    "text": "text", "csv": "a CSV table", "tsv": "a TSV table", "jsonl": "JSON lines", "parquet": "a Parquet file",
    "gz": "a gzip file", "zip": "a ZIP archive",
}  # fmt: skip


def _as_expected(what: str, kind: str) -> bool:
    return what.startswith(_WORDS[kind])


def _remedy(what: str) -> str:
    if what == "an HTML page":
        return "It is probably an error page in place of the file; download the file itself again."
    endings = {"a ZIP archive": ".zip", "a gzip file": ".gz", "a Parquet file": ".parquet"}
    ending = next((ending for start, ending in endings.items() if what.startswith(start)), None)
    return f"If that is right, let its name end in {ending}." if ending else "Save it as text first."


def too_big(name: str, most_bytes: int) -> BpeError:
    """Return the error for a file that holds, or unpacks to, more than `most_bytes`."""
    return BpeError(
        f"{shown_name(name)} holds more than {most_bytes / 2**20:,.4g} MB of text (counted unpacked), the limit here, "
        "and was not read. Cut it into smaller files, or choose a part of it."
    )
