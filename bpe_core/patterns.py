"""The rules that cut a document into chunks; merges never cross a chunk's edge.

A pattern is a list of regular expressions in the syntax of the `regex` package.
Each one in turn isolates its matches inside the pieces that it is given. Joined,
the chunks give the document back: a pattern that would lose text is refused.

The published patterns are quoted from the projects that use them: `gpt2` from
openai/gpt-2 (`src/encoder.py`), `cl100k` and `o200k` from openai/tiktoken
(`tiktoken_ext/openai_public.py`), `llama3` from meta-llama/llama3
(`llama/tokenizer.py`), `qwen` from QwenLM/Qwen (`tokenization_qwen.py`).
tiktoken's present `cl100k` keeps whitespace at the very end of a text whole, also
after a line feed; `llama3` is the same pattern as it was before that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from time import monotonic
from typing import NamedTuple

import regex

from bpe_core.errors import BpeError

CUSTOM_TIME_LIMIT = 10.0  # seconds that a custom regex may run on one document …
_SECONDS_PER_CHARACTER = 2e-6  # … and two more for each million characters, three times what a good one needs

_ASCII_SPACE = r"\t-\r\x1c-\x20"
_SPACE, _WORD, _NUMBER = r"\s\x1c-\x1f", r"_\p{L}\p{M}", r"\p{N}"
_CONTRACTION = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_UPPER, _LOWER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"\p{Ll}\p{Lm}\p{Lo}\p{M}"

_NAMED = {
    "four-type": rf"[{_SPACE}]+|[{_WORD}]+|{_NUMBER}+|[^{_SPACE}{_WORD}{_NUMBER}]+",
    "four-type ascii": rf"[{_ASCII_SPACE}]+|[A-Za-z_]+|[0-9]+|[^{_ASCII_SPACE}A-Za-z_0-9]+",
    "gpt2": r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    "cl100k": rf"{_CONTRACTION}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*"
    r"|\s+\Z|\s*[\r\n]+|\s+(?!\S)|\s+",
    "o200k": rf"[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]*[{_LOWER}]+{_CONTRACTION}?"
    rf"|[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]+[{_LOWER}]*{_CONTRACTION}?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    "qwen": rf"{_CONTRACTION}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+",
    "llama3": rf"{_CONTRACTION}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+",
}

PATTERN_NAMES = (*_NAMED, "none")
"""The names that `named_pattern` knows."""


class _Deadline(NamedTuple):
    """When a pattern must be done with a document, and the seconds that it was given."""

    seconds: float
    end: float

    @property
    def left(self) -> float:
        return max(self.end - monotonic(), 0.001)


@dataclass(frozen=True)
class Pattern:
    """A named way to cut a document into chunks.

    `regexes` are applied one after the other. `keeps_gaps` says what becomes of
    text that a regex does not match: a chunk of its own, or an error.
    `time_limit` is in seconds for each document, with two seconds more for each million
    characters; None for the patterns we know.
    """

    name: str
    regexes: tuple[str, ...]
    keeps_gaps: bool = False
    time_limit: float | None = None

    def chunks(self, document: str) -> list[str]:
        """Return the chunks of `document`, in order; joined, they are the document.

        >>> named_pattern("four-type").chunks("x_1 = 3.14")
        ['x_', '1', ' ', '=', ' ', '3', '.', '14']

        Raises BpeError if the pattern loses text, matches empty text or runs too long.
        """
        pieces = [document] if document else []
        deadline = self._deadline(document)
        for source in self.regexes:
            pieces = [part for piece in pieces for part in self._isolated(_compiled(source), piece, deadline)]
        return pieces

    def iter_chunks(self, document: str) -> Iterator[str]:
        """Return an iterator over the same chunks: slower, but the caller may stop in between.

        >>> next(named_pattern("gpt2").iter_chunks("low lower"))
        'low'

        Raises BpeError as `chunks` does, when it comes to that place.
        """
        pieces = iter([document] if document else [])
        deadline = self._deadline(document)
        for source in self.regexes:
            pieces = self._isolated_one_by_one(_compiled(source), pieces, deadline)
        return pieces

    def _deadline(self, document: str) -> _Deadline | None:
        if self.time_limit is None:
            return None
        seconds = self.time_limit + len(document) * _SECONDS_PER_CHARACTER
        return _Deadline(seconds, monotonic() + seconds)

    def _isolated(self, compiled: regex.Pattern, piece: str, deadline: _Deadline | None) -> list[str]:
        """Return the matches of one regex in `piece`, and the gaps between them if these are kept."""
        if self.keeps_gaps or compiled.groups:
            return list(self._isolated_one_by_one(compiled, [piece], deadline))
        try:
            matches = compiled.findall(piece, timeout=deadline and deadline.left)
        except TimeoutError:
            raise self._too_slow(deadline) from None
        if all(matches) and "".join(matches) == piece:
            return matches
        return list(self._isolated_one_by_one(compiled, [piece], deadline))

    def _isolated_one_by_one(
        self, compiled: regex.Pattern, pieces: Iterable[str], deadline: _Deadline | None
    ) -> Iterator[str]:
        for piece in pieces:
            try:
                yield from self._matches_and_gaps(compiled, piece, deadline and deadline.left)
            except TimeoutError:
                raise self._too_slow(deadline) from None

    def _too_slow(self, deadline: _Deadline) -> BpeError:
        return BpeError(_TOO_SLOW.format(self.name, deadline.seconds))

    def _matches_and_gaps(self, compiled: regex.Pattern, piece: str, timeout: float | None) -> Iterator[str]:
        end = 0
        for match in compiled.finditer(piece, timeout=timeout):
            if match.end() == match.start():
                raise BpeError(_EMPTY_MATCH.format(self.name, match.start()))
            if match.start() > end:
                yield self._gap(piece, end, match.start())
            yield match.group()
            end = match.end()
        if end < len(piece):
            yield self._gap(piece, end, len(piece))

    def _gap(self, piece: str, start: int, end: int) -> str:
        if not self.keeps_gaps:
            raise BpeError(_LOSES_TEXT.format(self.name, piece[start : min(end, start + 20)], start))
        return piece[start:end]


_EMPTY_MATCH = (
    "The pattern “{}” matches empty text (at character {}). Change it so that every match has at least one character."
)
_TOO_SLOW = (
    "The pattern “{}” ran longer than {:.3g} seconds on one document. Make it simpler: avoid nested repeats like (a+)+."
)
_LOSES_TEXT = (
    "The pattern “{}” would lose text: it does not match {!r} at character {}. "
    "Add a last alternative that takes everything else, such as |(?s:.)."
)


def named_pattern(name: str) -> Pattern:
    """Return the pattern called `name`, one of `PATTERN_NAMES`.

    >>> named_pattern("gpt2").chunks(" hello world!")
    [' hello', ' world', '!']

    Raises BpeError for an unknown name.
    """
    if name == "none":
        return Pattern("none", ())
    if name not in _NAMED:
        raise BpeError(f"There is no pattern called {name!r}. Choose one of {', '.join(PATTERN_NAMES)}.")
    return Pattern(name, (_NAMED[name],))


def custom_pattern(source: str, *, time_limit: float = CUSTOM_TIME_LIMIT) -> Pattern:
    """Return a pattern that cuts with the user's own regular expression.

    It must match all of every document and never empty text; both are checked
    while it cuts, because only the text can tell.

    >>> custom_pattern(r"\\w+|\\W+").chunks("no 7!")
    ['no', ' ', '7', '!']

    Raises BpeError if `source` does not compile.
    """
    _compiled(source)
    return Pattern(source, (source,), time_limit=time_limit)


def as_pattern(pattern: str | Pattern) -> Pattern:
    """Return `pattern` itself, or the named pattern of that name."""
    return pattern if isinstance(pattern, Pattern) else named_pattern(pattern)


@lru_cache(maxsize=64)
def _compiled(source: str) -> regex.Pattern:
    if len(source) > _MOST_SOURCE:
        raise BpeError(f"The pattern has {len(source):,} characters; {_MOST_SOURCE:,} are the limit. Make it shorter.")
    _check_repeats(source)
    try:
        compiled = regex.compile(source)
    except regex.error as error:
        raise BpeError(f"The pattern is not a valid regular expression: {error}. Correct it and try again.") from None
    except RecursionError:
        raise BpeError("The pattern is nested too deep: too many brackets stand inside each other.") from None
    if compiled.flags & regex.REVERSE:
        raise BpeError("The pattern searches backwards, from the end of the text: chunks go forwards. Remove (?r).")
    return compiled


def _check_repeats(source: str) -> None:
    """Raise BpeError if the compiled regex may be too large for the memory: x{1000} compiles to 1,000 times x.

    All least counts are multiplied, as if each stood inside the next: none can hide from that.
    """
    least = ("".join(re.findall("[0-9]", each)) for each in _REPEAT.findall(source))
    times = prod(min(max(int(digits[:12] or 1), 1), _MOST_COMPILED) for digits in least)
    if times > 1 and times * len(source) > _MOST_COMPILED:
        raise BpeError(
            "The pattern repeats too much: written out, its repeats such as {1000} are too long. Make them smaller."
        )


_REPEAT = re.compile(r"\{((?:[0-9\s]|#[^\n]*\n)+)")  # in a verbose regex (?x) blanks and comments may part the digits
_MOST_SOURCE = 2_000  # seven times the longest published pattern; a long row of one letter takes regex n³ to prepare
_MOST_COMPILED = 1_000_000  # characters: about 300 MB and a second to compile at the worst
