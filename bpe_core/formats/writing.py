"""A tokenizer -> files, and what each format cannot carry."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, get_args

from bpe_core.errors import BpeError
from bpe_core.formats import csv, gpt2, huggingface, manifest, tiktoken
from bpe_core.formats.manifest import TrainedFrom
from bpe_core.tokenizer import Tokenizer

Format = Literal["gpt2", "huggingface", "tiktoken", "csv", "manifest"]
FORMATS: tuple[Format, ...] = get_args(Format)
"""The formats that can be written; all can be read."""

_FILES = {
    "gpt2": gpt2.pair_files,
    "huggingface": huggingface.tokenizer_json_files,
    "tiktoken": tiktoken.rank_files,
    "csv": csv.csv_files,
}
_LIMITS = {
    "gpt2": gpt2.pair_limits,
    "huggingface": huggingface.tokenizer_json_limits,
    "tiktoken": tiktoken.rank_limits,
    "csv": csv.csv_limits,
}


def tokenizer_files(
    tokenizer: Tokenizer, format: Format, *, trained_from: TrainedFrom | None = None
) -> dict[str, bytes]:
    """Return the files of `tokenizer` in `format`: content by name. `trained_from` goes into the manifest.

    >>> sorted(tokenizer_files(Tokenizer.from_merges([(97, 98)]), "gpt2"))
    ['encoder.json', 'vocab.bpe']

    Raises BpeError for an unknown format, and if the format cannot hold the tokenizer.
    """
    check_format(format)
    if len(set(tokenizer.ranks.tolist())) < tokenizer.num_merges:
        raise BpeError("Some merges of this vocabulary share a rank, and no file format can say that.")
    if format == "manifest":
        return manifest.manifest_files(tokenizer, trained_from)
    return _FILES[format](tokenizer)


def limits(tokenizer: Tokenizer, format: Format) -> list[str]:
    """Return what `format` cannot carry of `tokenizer`, as sentences; empty for the manifest."""
    check_format(format)
    return _LIMITS[format](tokenizer) if format in _LIMITS else []


def save_tokenizer(
    tokenizer: Tokenizer, folder: str | Path, format: Format, *, trained_from: TrainedFrom | None = None
) -> list[Path]:
    """Write the files of `tokenizer` into `folder`, which is made if needed, and return their paths.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     [path.name for path in save_tokenizer(Tokenizer.from_merges([(97, 98)]), folder, "huggingface")]
    ['tokenizer.json']

    Raises BpeError if the format cannot hold the tokenizer or the folder cannot be written.
    """
    files = tokenizer_files(tokenizer, format, trained_from=trained_from)
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (folder / name).write_bytes(content)
    except OSError as error:
        raise BpeError(f"The folder {folder} cannot be written: {error.strerror}.") from None
    return [folder / name for name in files]


def tokenizer_zip(tokenizer: Tokenizer, formats: Iterable[Format], *, trained_from: TrainedFrom | None = None) -> bytes:
    """Return one zip with the files of each of `formats`, each in a folder of that name if there are several.

    The same tokenizer always gives the same bytes. Raises BpeError if a format cannot hold it.
    """
    formats = list(formats)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for format in formats:
            folder = f"{format}/" if len(formats) > 1 else ""
            for name, content in tokenizer_files(tokenizer, format, trained_from=trained_from).items():
                member = zipfile.ZipInfo(folder + name, date_time=(1980, 1, 1, 0, 0, 0))
                member.compress_type = zipfile.ZIP_DEFLATED
                member.external_attr = 0o644 << 16
                archive.writestr(member, content)
    return out.getvalue()


def check_format(format: str) -> None:
    """Raise BpeError if `format` is none of `FORMATS`."""
    if format not in FORMATS:
        raise BpeError(f"There is no format called {format!r}. Choose one of {', '.join(FORMATS)}.")
