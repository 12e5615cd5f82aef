"""The ids of a text, chunk by chunk: what the drawing of one given cut needs."""

from __future__ import annotations

from bpe_core import Tokenizer


def ids_by_chunk(tokenizer: Tokenizer, text: str, policy: str) -> list[list[int]]:
    """Return the ids of `text` as `encode` gives them, by chunk; a special or added token is a chunk of its own.

    >>> ids_by_chunk(Tokenizer.from_merges([], "gpt2", ["<|end|>"]), "a b<|end|>", "allow")
    [[97], [32, 98], [256]]
    """
    special_ids = {*tokenizer.specials.values(), *tokenizer.added_tokens.values()}
    groups: list[list[int]] = []
    ordinary: list[int] = []
    for token_id in [*tokenizer.encode(text, policy), None]:
        if token_id is not None and token_id not in special_ids:
            ordinary.append(token_id)
            continue
        groups += _split_at_chunks(tokenizer, ordinary)
        ordinary = []
        if token_id is not None:
            groups.append([token_id])
    return groups


def _split_at_chunks(tokenizer: Tokenizer, ids: list[int]) -> list[list[int]]:
    chunks = tokenizer.chunks(tokenizer.decode(ids))
    return [tokenizer.encode_chunk(chunk) for chunk in chunks]
