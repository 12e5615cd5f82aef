"""The members of a .gz or .zip file, unpacked in memory, piece by piece, and never more than a stated size.

A member's name is only shown: nothing is ever written to, or read from, a path.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from bpe_core.documents.contents import ARCHIVES, kind_of, looks_like, too_big, why_passed_over
from bpe_core.documents.report import LeftOut, counted, shown_name
from bpe_core.errors import BpeError

MOST_MEMBERS = 10_000

_PIECE = 1 << 18
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    ValueError,
)
_GZIP = b"\x1f\x8b"


class Member(NamedTuple):
    """One unpacked file. `name` is to show, `inner_name` tells its kind; `cut_short` if its end is missing."""

    name: str
    inner_name: str
    content: bytes
    cut_short: bool = False
    notes: tuple[str, ...] = ()


def members(content: bytes, name: str, kind: str, most_bytes: int) -> Iterator[Member | LeftOut]:
    """Yield what is in the archive: each member that can be unpacked, and each that was left out.

    Raises BpeError if it is damaged as a whole, or holds more than `most_bytes`.
    """
    return iter([_gunzipped(content, name, most_bytes)]) if kind == "gz" else _unzipped(content, name, most_bytes)


def _gunzipped(content: bytes, name: str, most_bytes: int) -> Member:
    inner_name = name[: -len(".gz")]
    if kind_of(inner_name) in ARCHIVES:
        raise BpeError(f"{shown_name(name)} is an archive in an archive. Unpack the outer one first.")
    if not content.startswith(_GZIP):
        raise BpeError(
            f"{shown_name(name)} is not a gzip file, as its name says. If it is text, let its name end in .txt; "
            "else download it again."
        )
    unpacked = io.BytesIO()
    at, notes = 0, ()
    while at is not None and content.startswith(_GZIP, at):  # gzip streams may stand behind each other
        at = _gunzip_one(content, at, name, most_bytes, unpacked)
    if at is None:
        if not unpacked.tell():
            raise BpeError(f"{shown_name(name)} is cut short before any text. Download or pack it again.")
        notes = (
            f"{shown_name(name)} is cut short: its end is missing. "
            f"The {counted(unpacked.tell(), 'byte')} that could be unpacked were read.",
        )
    elif content[at:].strip(b"\0"):  # zeros are padding
        notes = (
            f"{shown_name(name)} goes on after the end of its gzip data; "
            f"what follows ({counted(len(content) - at, 'byte')}) was left out.",
        )
    return Member(name, inner_name, unpacked.getvalue(), at is None, notes)


def _gunzip_one(content: bytes, at: int, name: str, most_bytes: int, unpacked: io.BytesIO) -> int | None:
    """Unpack the gzip stream that begins at `at`; where it ends, or None if its end is missing."""
    stream = zlib.decompressobj(wbits=31)
    packed = b""
    while not stream.eof:
        if not packed:
            packed = content[at : at + _PIECE]
            at += len(packed)
        try:
            piece = stream.decompress(packed, _PIECE)
        except zlib.error:
            raise BpeError(
                f"{shown_name(name)} is damaged: it cannot be unpacked, or its "
                "checksum does not fit. Download or pack it again."
            ) from None
        unpacked.write(piece)
        if unpacked.tell() > most_bytes:
            raise too_big(name, most_bytes)
        packed = stream.unconsumed_tail
        if not piece and not packed and at == len(content) and not stream.eof:
            return None
    return at - len(stream.unused_data)


def _unzipped(content: bytes, name: str, most_bytes: int) -> Iterator[Member | LeftOut]:
    archive = _opened(content, name)
    infos = [info for info in archive.infolist() if not info.is_dir()]
    if len(infos) > MOST_MEMBERS:
        raise BpeError(f"{shown_name(name)} holds {len(infos):,} files; {MOST_MEMBERS:,} are the limit. Pack fewer.")
    left = most_bytes
    for info in infos:
        member_name = f"{name} › {info.filename}"
        unpacked = _unreadable(info) or _unzip_one(archive, info, left)
        if isinstance(unpacked, str):
            yield LeftOut(member_name, None, None, unpacked)
            continue
        left -= len(unpacked)
        if left < 0:
            raise too_big(name, most_bytes)
        yield Member(member_name, info.filename, unpacked)


def _opened(content: bytes, name: str) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(io.BytesIO(content))
    except _DAMAGED as error:
        what = looks_like(content)
        why = f"it is {what}" if what and "ZIP" not in what else f"its list of files cannot be read ({error})"
        raise BpeError(
            f"{shown_name(name)} is not a ZIP archive, or is damaged or cut short: {why}. Download or pack it again."
        ) from None


def _unreadable(info: zipfile.ZipInfo) -> str | None:
    """Why a member is left out without a look into it."""
    if info.flag_bits & 0x1:
        return "it is encrypted; unpack it with its password first"
    if why := why_passed_over(info.filename):
        return why
    if kind_of(info.filename) in ARCHIVES:
        return "it is an archive in an archive; unpack it first"
    if info.compress_type not in (
        zipfile.ZIP_STORED,
        zipfile.ZIP_DEFLATED,
    ):  # the others cannot be bounded while reading
        return (
            f"it is packed by method {info.compress_type}, which is not read here; pack it by the usual method, deflate"
        )
    return None


def _unzip_one(archive: zipfile.ZipFile, info: zipfile.ZipInfo, left: int) -> bytes | str:
    """The member's bytes, or why there are none. Whatever size its header states, reading ends just past `left`."""
    unpacked = io.BytesIO()
    try:
        with archive.open(info) as packed:
            while unpacked.tell() <= left and (piece := packed.read(_PIECE)):
                unpacked.write(piece)
    except _DAMAGED:
        return "it is damaged: it cannot be unpacked, or its checksum does not fit"
    return unpacked.getvalue()
