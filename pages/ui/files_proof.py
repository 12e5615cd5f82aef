"""Proof: every format of the vocabulary in view, written, read back and compared before it is offered. No widgets."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from bpe_core import BpeError
from bpe_core.formats import Proof, Source, TrainedFrom, prove
from bpe_core.visible import visible
from pages.ui.remembered import Remembered
from pages.ui.run import Run
from pages.ui.words import number, plural

_MOST_IDS_SHOWN = 12


class Refused(NamedTuple):
    """A format that cannot hold the vocabulary, and why, in a sentence that may quote tokens."""

    format: str
    why: str


def proof_of(run: Run, format: str) -> Proof | Refused:
    """Return the proof that `format` holds the vocabulary at its size, made once; or why it cannot hold it."""
    found = _memory().get(run.corpus.text_digest, _key(run, format))
    if found is None:
        found = _proved(run, format)
        _memory().put(run.corpus.text_digest, _key(run, format), found)
    return found


def is_proved(run: Run, format: str) -> bool:
    """Return whether `proof_of` has the answer ready."""
    return _memory().get(run.corpus.text_digest, _key(run, format)) is not None


def forget(text_digest: str) -> None:
    """Drop the proofs of this text."""
    _memory().forget(text_digest)


def trained_from(run: Run) -> TrainedFrom | None:
    """Return how the run's vocabulary was made, for the manifest; None for a loaded one."""
    if run.loaded:
        return None
    files = run.corpus.read.files if run.corpus.read else ()
    sources = tuple(Source(file.name, file.num_bytes, file.sha256) for file in files)
    return TrainedFrom(
        sources,
        min_count=run.settings.min_count,
        vocab_size_wanted=run.settings.largest_size,
        stopped_because=str(run.training.stopped_because),
    )


def proof_sentence(proof: Proof) -> str:
    """Return what was compared and what differed, in one or more sentences. Quotes a chunk if one differs."""
    chunks = plural(proof.num_chunks, "distinct chunk")
    specials = f" and {plural(proof.num_specials, 'special token')}" if proof.num_specials else ""
    if proof.holds:
        every = "all " if proof.num_chunks > 1 else ""
        return f"Loaded back and compared: the same ids on {every}{chunks}{specials}."
    if not proof.example:
        return f"Loaded back and compared: {' '.join(proof.faults)}"
    chunk, ours, theirs = proof.example
    why = " tiktoken joins by the rank of the joined bytes." if proof.format == "tiktoken" else ""
    return (
        f"Loaded back and compared: other ids on {number(proof.num_different)} of {chunks}.{why} "
        f"For example {visible(chunk)}: {_ids(ours)} here, {_ids(theirs)} there."
    )


def zip_of(proofs: list[Proof]) -> bytes:
    """Return one zip of the files that were proved, in a folder for each format; equal proofs give equal bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for proof in proofs:
            for name, content in proof.files.items():
                member = zipfile.ZipInfo(f"{proof.format}/{name}" if len(proofs) > 1 else name)
                member.compress_type, member.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
                archive.writestr(member, content)
    return out.getvalue()


def _key(run: Run, format: str) -> tuple[object, ...]:
    return run.corpus.digest, run.settings, run.learned_size, run.vocab_size, format


def _proved(run: Run, format: str) -> Proof | Refused:
    try:
        return prove(run.tokenizer, format, run.training.chunk_counts, trained_from=trained_from(run))
    except BpeError as error:
        return Refused(format, str(error))


def _ids(ids: list[int]) -> str:
    return " ".join(map(str, ids[:_MOST_IDS_SHOWN])) + (" …" if len(ids) > _MOST_IDS_SHOWN else "")


def _num_bytes(proof: Proof | Refused) -> int:
    files: Mapping[str, bytes] = {} if isinstance(proof, Refused) else proof.files
    return 1_000 + sum(map(len, files.values()))


@st.cache_resource(show_spinner=False)
def _memory() -> Remembered:
    return Remembered(most_entries=40, most_bytes=80_000_000, num_bytes=_num_bytes)
