"""What adding a special token after training would break."""

from __future__ import annotations

from collections.abc import Mapping

from bpe_core.chunks import check_text
from bpe_core.errors import BpeError
from bpe_core.tokenizer import Tokenizer


def effects_of_special(tokenizer: Tokenizer, name: str, chunk_counts: Mapping[bytes, int] | None = None) -> list[str]:
    """Return what giving `name` an id now would change, as sentences; the vocabulary itself is left as it is.

    `chunk_counts` are the chunks of the text that was trained on, if at hand.

    >>> effects_of_special(Tokenizer.from_merges([(97, 98)]), "<|end|>")[0]
    'It could only take the next free id, 257: a model of this vocabulary has no row for it and must be made larger.'

    Raises BpeError for an empty name, or one that already is a special or added token.
    """
    check_text(name)
    if not name:
        raise BpeError("A special token must have a name, such as <|end|>.")
    if name in tokenizer.specials or name in tokenizer.added_tokens:
        raise BpeError(f"{name} already is a special token of this vocabulary.")
    free = max(tokenizer.vocabulary) + 1
    effects = [
        f"It could only take the next free id, {free:,}: a model of this vocabulary has no row for it and must be "
        "made larger."
    ]
    if _is_numbered_as_trained(tokenizer):
        effects.append(_moved_ids(tokenizer))
    effects.append(_text_today(tokenizer, name))
    effects += _clashes(tokenizer, name)
    effects += _in_corpus(name, chunk_counts or {})
    return effects


def _is_numbered_as_trained(tokenizer: Tokenizer) -> bool:
    """Whether ids are those that training here gives: bytes by value, then the specials, then the merges."""
    specials = sorted(tokenizer.specials.values())
    ids = [*tokenizer.byte_ids.tolist(), *specials, *tokenizer.token_ids.tolist()]
    return len(ids) > 256 and ids == list(range(len(ids)))


def _moved_ids(tokenizer: Tokenizer) -> str:
    return (
        f"Reserved before training, it would have the id {256 + len(tokenizer.specials)}, and all "
        f"{tokenizer.num_merges:,} merges would have ids one higher: ids written down until now would mean other "
        "tokens."
    )


def _text_today(tokenizer: Tokenizer, name: str) -> str:
    ids = tokenizer.encode(name)
    tokens = f"{len(ids)} token" + "s" * (len(ids) != 1)
    return (
        f"Text that spells {name} is {tokens} today ({', '.join(map(str, ids[:8]))}{' …' if len(ids) > 8 else ''}); "
        "wherever specials are allowed it would become one, so texts encoded before and after differ."
    )


def _clashes(tokenizer: Tokenizer, name: str) -> list[str]:
    clashes = []
    token_id = tokenizer.ids_of_tokens.get(name.encode())
    if token_id is not None:
        clashes.append(
            f"{name} already is the ordinary token {token_id}: two ids with one spelling cannot be saved in "
            "encoder.json or tokenizer.json."
        )
    for other in (*tokenizer.specials, *tokenizer.added_tokens):
        if name in other or other in name:
            longer = max(name, other, key=len)
            clashes.append(
                f"It overlaps with the special token {other}; where both fit, the longer one, {longer}, counts."
            )
    return clashes


def _in_corpus(name: str, chunk_counts: Mapping[bytes, int]) -> list[str]:
    spelled = name.encode()
    occurrences = sum(chunk.count(spelled) * count for chunk, count in chunk_counts.items())
    if not occurrences:
        return []
    return [
        f"The text trained on spells {name} at least {occurrences:,} times as ordinary text, and merges were learned "
        "from it. To keep them apart, train again with the special token reserved."
    ]
