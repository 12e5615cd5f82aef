"""tiktoken rank files: on each line a token in base64 and its rank, which is also its id.

The file holds no merges, no pattern and no specials. Merges are recovered (`recover`), the
pattern is chosen by the user, or known because the table is a published one (by its SHA-256).
"""

from __future__ import annotations

import base64
import binascii
import hashlib

import numpy as np

from bpe_core.errors import BpeError
from bpe_core.formats.hf_pattern import UNICODE_LIMIT
from bpe_core.formats.incoming import numbered_lines, text_of
from bpe_core.formats.known_tables import KNOWN_TABLES, KnownTable
from bpe_core.formats.loaded import Loaded
from bpe_core.formats.recover import recover_merges
from bpe_core.formats.rules import check_id
from bpe_core.formats.tiktoken_snippet import Snippet, snippet_of
from bpe_core.patterns import Pattern, as_pattern, named_pattern
from bpe_core.tokenizer import Tokenizer
from bpe_core.visible import hex_bytes, visible


def read_rank_file(
    name: str, content: bytes, pattern: str | Pattern | None = None, snippet: Snippet | None = None
) -> Loaded:
    """Return the tokenizer of a rank file; a `snippet` gives its pattern and its special tokens.

    Raises BpeError for a damaged line, with its number, and if neither the file nor `pattern` tells how to cut text.
    """
    known = KNOWN_TABLES.get(hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest())
    if known is None and pattern is None and snippet is None:
        raise BpeError(
            f"{name} is a table of ranks, which names no pattern, and no published table that we know. "
            "Choose the pattern that its tokenizer cuts text by."
        )
    ranks, notes = read_ranks(name, text_of(name, content))
    recovered = recover_merges(ranks)
    rows = np.array(recovered.merges, np.int32).reshape(-1, 3)
    specials = snippet.specials if snippet else known.specials if known else {}
    _check_specials(specials, ranks, name)
    tokenizer = Tokenizer(
        as_pattern(pattern or (snippet.pattern if snippet else known.pattern)),
        np.array([ranks[bytes([byte])] for byte in range(256)], np.int32),
        rows[:, :2],
        rows[:, 2],
        np.arange(len(rows), dtype=np.int32),
        specials=specials,
        lone_tokens=recovered.lone,
        ignore_merges=bool(recovered.lone),
    )
    return Loaded(tokenizer, "tiktoken", (*_notes(tokenizer, known), *notes))


def _check_specials(specials: dict[str, int], ranks: dict[bytes, int], name: str) -> None:
    taken = set(ranks.values())
    for special, token_id in specials.items():
        check_id(token_id, f"the special token {special[:80]}")
        if token_id in taken:
            raise BpeError(
                f"The special token {special[:80]} has the id {token_id}, which another token of {name} has too."
            )
        taken.add(token_id)


def _notes(tokenizer: Tokenizer, known: KnownTable | None) -> list[str]:
    notes = [
        f"The file holds no merges. The {tokenizer.num_merges:,} merges here are recovered from the ranks, not the "
        "original ones; they give the same ids."
    ]
    if known:
        own = tokenizer.pattern.regexes == named_pattern(known.pattern).regexes
        used = "used" if own else f"not used, because {tokenizer.pattern.name} was chosen"
        notes.append(
            f"By its SHA-256 this is the published table {known.name}; its pattern, {known.pattern}, is {used}."
        )
    if tokenizer.lone_tokens:
        token = visible(next(iter(tokenizer.lone_tokens)))
        notes.append(
            f"{len(tokenizer.lone_tokens):,} tokens, such as {token}, are reached only where they are a whole chunk."
        )
    return notes


def read_ranks(name: str, text: str) -> tuple[dict[bytes, int], list[str]]:
    """Return the rank of every token of a rank file's text, and notes on what was left out.

    Raises BpeError with the line's number for bad base64, a token or rank that stands twice, or another form.
    """
    ranks: dict[bytes, int] = {}
    lines: dict[int, int] = {}
    notes = []
    for number, line in numbered_lines(text):
        token, rank = _rank_line(name, number, line)
        if rank in lines:
            raise BpeError(
                f"Line {number} of {name} repeats the rank {rank} of line {lines[rank]}. Each rank may stand once."
            )
        if token in ranks:
            first = lines[ranks[token]]
            raise BpeError(
                f"Line {number} of {name} repeats the token {visible(token)} of line {first}. Each may stand once."
            )
        lines[rank] = number
        if token:
            ranks[token] = rank
        else:
            notes.append(
                f"Line {number} holds the empty token with the id {rank}. No text can give it, so it was left out."
            )
    missing = bytes(byte for byte in range(256) if bytes([byte]) not in ranks)
    if missing:
        shown = hex_bytes(missing[:8]) + (" …" if len(missing) > 8 else "")
        raise BpeError(
            f"{name} has no token for {len(missing)} of the 256 single bytes ({shown}). "
            "Such a table cannot encode every text."
        )
    return ranks, notes


def _rank_line(name: str, number: int, line: str) -> tuple[bytes, int]:
    spelling, _, rank = line.strip().partition(" ")
    if not (rank.isascii() and rank.isdigit() and len(rank) < 12):
        raise BpeError(f"Line {number} of {name} is {line[:60]!r}; it must be a token in base64, a space and its rank.")
    try:
        token = b"" if spelling == "=" else base64.b64decode(spelling, validate=True)
    except (binascii.Error, ValueError):
        raise BpeError(f"Line {number} of {name}: {spelling[:60]!r} is not valid base64.") from None
    return token, check_id(int(rank), f"the token on line {number} of {name}")


# --- writing -----------------------------------------------------------------------


def rank_files(tokenizer: Tokenizer, name: str = "tokenizer") -> dict[str, bytes]:
    """Return the rank file of `tokenizer` and a Python snippet that loads it with its pattern and specials.

    Raises BpeError if ranks cannot hold it.
    """
    _check_ranks(tokenizer)
    lines = [
        f"{base64.b64encode(token).decode()} {token_id}\n"
        for token, token_id in sorted(tokenizer.ids_of_tokens.items(), key=lambda item: item[1])
    ]
    specials = {**tokenizer.specials, **tokenizer.added_tokens}
    snippet = snippet_of(name, tokenizer.pattern, specials)
    return {f"{name}.tiktoken": "".join(lines).encode(), f"load_{name}.py": snippet.encode()}


def _check_ranks(tokenizer: Tokenizer) -> None:
    owners: dict[bytes, int] = {}
    named = {*tokenizer.specials.values(), *tokenizer.added_tokens.values()} - {*tokenizer.token_ids.tolist()}
    for token_id, token in tokenizer.vocabulary.items():
        if token_id not in named and owners.setdefault(token, token_id) != token_id:
            raise BpeError(
                f"The ids {owners[token]} and {token_id} are both the token {visible(token)}; a rank file holds one "
                "rank for each token. Save the manifest, which holds both."
            )
    order = np.argsort(tokenizer.ranks, kind="stable")
    if (np.diff(tokenizer.token_ids[order]) < 0).any():
        raise BpeError(
            "The ids of this vocabulary do not follow the order of its merges, and in a rank file the id is the rank."
        )


def rank_limits(tokenizer: Tokenizer) -> list[str]:
    """Return what a rank file cannot carry of `tokenizer`, as sentences."""
    limits = [
        "The file holds tokens and ranks, not the pairs that were merged. Readers join the pair whose joined bytes "
        "have the lowest rank.",
        "The file holds no pattern and no special tokens. The snippet beside it does.",
    ]
    if tokenizer.normalization or tokenizer.prefix_space:
        limits.append(
            "tiktoken does not change the text before it cuts it, and this vocabulary does; change it yourself first."
        )
    if tokenizer.added_tokens:
        limits.append("In the snippet the added tokens are special tokens: tiktoken makes them only if you allow them.")
    if any("\\p" in source or "\\s" in source for source in tokenizer.pattern.regexes):
        limits.append(UNICODE_LIMIT.format("snippet", "tiktoken"))
    return limits
