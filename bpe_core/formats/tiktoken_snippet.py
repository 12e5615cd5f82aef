"""The Python lines beside a rank file: they give tiktoken the pattern and the specials, and give them back to us.

Reading them runs nothing: only literal arguments are taken.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import NamedTuple

from bpe_core.chunks import check_text
from bpe_core.errors import BpeError
from bpe_core.formats.hf_pattern import checked_portable
from bpe_core.formats.portable import why_not_portable
from bpe_core.patterns import PATTERN_NAMES, Pattern, as_pattern, custom_pattern, named_pattern

ALL_TEXT = "(?s:.+)"
"""The pattern `none` for tiktoken: the whole text is one chunk."""


class Snippet(NamedTuple):
    """What the Python lines beside a rank file say."""

    pattern: Pattern
    specials: dict[str, int]


def snippet_of(name: str, pattern: Pattern, specials: Mapping[str, int]) -> str:
    """Return Python lines that load `name`.tiktoken, beside them, with `pattern` and `specials`."""
    return _SNIPPET.format(
        file=f"{name}.tiktoken", name=name, pattern=tiktoken_pattern(pattern), specials=dict(specials)
    )


def read_snippet(name: str, text: str, pattern: str | Pattern | None = None) -> Snippet | None:
    """Return the pattern and specials of Python lines that make a `tiktoken.Encoding`; None if they make none.

    A `pattern` that is given takes the place of theirs. Nothing is run: only the two literal arguments are read.
    Raises BpeError if they are not literals, or if the pattern may mean something else here.
    """
    try:
        calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
        arguments = {key.arg: key.value for call in calls for key in call.keywords if _is_encoding(call)}
        if "pat_str" not in arguments:
            return None
        source = ast.literal_eval(arguments["pat_str"])
        specials = ast.literal_eval(arguments["special_tokens"]) if "special_tokens" in arguments else {}
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        raise BpeError(f"{name} does not give its pattern and special tokens as plain Python literals.") from None
    if (
        not isinstance(source, str)
        or not isinstance(specials, dict)
        or not all(isinstance(key, str) for key in specials)
    ):
        raise BpeError(f"{name}: pat_str must be a text, and special_tokens names with ids.")
    check_text("".join(specials))
    return Snippet(as_pattern(pattern) if pattern else _pattern_of(source, name), specials)


def _is_encoding(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "Encoding"


def _pattern_of(source: str, name: str) -> Pattern:
    for known in map(named_pattern, PATTERN_NAMES):
        if tiktoken_pattern(known) == source:
            return known
    fault = why_not_portable(source)
    if fault:
        raise BpeError(
            f"{name} cuts by {source[:120]!r}; its part {fault!r} may mean something else here. Choose the pattern."
        )
    return custom_pattern(source)


def tiktoken_pattern(pattern: Pattern) -> str:
    """Return the one regex by which tiktoken cuts as `pattern` does.

    Raises BpeError if there is none that we can promise.
    """
    if not pattern.regexes:
        return ALL_TEXT
    if len(pattern.regexes) > 1:
        raise BpeError(
            f"tiktoken cuts text by one regular expression; this pattern has {len(pattern.regexes)}, one after the "
            "other."
        )
    (source,) = checked_portable(pattern, "a tiktoken snippet")
    return rf"{source}|(?:(?!{source})(?:.|\n))+" if pattern.keeps_gaps else source


_SNIPPET = '''"""Load this vocabulary into tiktoken: from load_{name} import encoding"""

from pathlib import Path

import tiktoken
from tiktoken.load import load_tiktoken_bpe

encoding = tiktoken.Encoding(
    name={name!r},
    pat_str={pattern!r},
    mergeable_ranks=load_tiktoken_bpe(str(Path(__file__).with_name({file!r}))),
    special_tokens={specials!r},
)
'''
