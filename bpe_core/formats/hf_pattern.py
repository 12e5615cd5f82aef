"""Pre-tokenizers of a tokenizer.json <-> Pattern.

`Split`, `Digits`, `ByteLevel` and sequences of them, in order. What would lose text,
or means something that a list of regexes cannot say, is refused by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import regex

from bpe_core.errors import BpeError
from bpe_core.formats.portable import portable, why_not_portable
from bpe_core.patterns import CUSTOM_TIME_LIMIT, PATTERN_NAMES, Pattern, named_pattern

UNICODE_LIMIT = (
    "The {} names classes of characters, such as all letters, and not the characters. A release of {} with another "
    "version of Unicode than ours may cut characters that are new in one of them otherwise."
)

_GPT2 = named_pattern("gpt2").regexes[0]


class PreTokenizer(NamedTuple):
    """How a file cuts text: the pattern, and whether a leading space is added first."""

    pattern: Pattern
    prefix_space: bool


class _Step(NamedTuple):
    source: str
    keeps_gaps: bool


def read_pre_tokenizer(node: Any, name: str) -> PreTokenizer:
    """Return what the `pre_tokenizer` entry of the file `name` does. Raises BpeError for what we cannot do exactly."""
    nodes = list(_flat(node, name))
    if not nodes or nodes[-1]["type"] != "ByteLevel":
        raise BpeError(
            f"{name} is not byte-level: its last pre-tokenizer is not ByteLevel. Only byte-level BPE can be loaded."
        )
    for number, step in enumerate(nodes[:-1], 1):
        if step["type"] == "ByteLevel":
            raise BpeError(
                f"{name} has a pre-tokenizer after ByteLevel ({nodes[number]['type']}); that is not supported."
            )
    last = nodes[-1]
    prefix_space = _flag(last, "add_prefix_space", True, name)
    if prefix_space and len(nodes) > 1:
        raise BpeError(f"{name}: ByteLevel with add_prefix_space after {nodes[0]['type']} is not supported.")
    steps = [_step(step, name) for step in nodes[:-1]]
    if _flag(last, "use_regex", True, name):
        steps.append(_Step(_GPT2, True))
    return PreTokenizer(_pattern(steps, name), prefix_space)


def _flat(node: Any, name: str, depth: int = 0) -> list[Mapping[str, Any]]:
    if node is None:
        return []
    if not isinstance(node, dict) or not isinstance(node.get("type"), str) or depth > 20:
        raise BpeError(
            f"{name} has a pre-tokenizer without a type. The file is damaged or of a kind that we do not know."
        )
    if node["type"] != "Sequence":
        return [node]
    inner = node.get("pretokenizers")
    if not isinstance(inner, list):
        raise BpeError(f"{name} has a Sequence without a list of pre-tokenizers.")
    return [step for child in inner for step in _flat(child, name, depth + 1)]


def _flag(node: Mapping[str, Any], key: str, default: bool, name: str) -> bool:
    value = node.get(key, default)
    if not isinstance(value, bool):
        raise BpeError(f"{name}: {key} of {node['type']} must be true or false.")
    return value


def _step(node: Mapping[str, Any], name: str) -> _Step:
    if node["type"] == "Digits":
        return _Step(r"\p{N}" if _flag(node, "individual_digits", False, name) else r"\p{N}+", True)
    if node["type"] == "Split":
        return _split(node, name)
    raise BpeError(f"{name} uses the pre-tokenizer {str(node['type'])[:60]}, which is not supported.")


def _split(node: Mapping[str, Any], name: str) -> _Step:
    source, behavior = _split_source(node.get("pattern"), name), node.get("behavior")
    invert = _flag(node, "invert", False, name)
    until = f"(?>(?:(?!{source})[^\\n]|(?!{source})\\n)*)"
    if behavior == "Isolated":
        return _Step(source, True)
    if behavior == "Contiguous":
        return _Step(f"(?:(?>{source}))+", True)
    if behavior == "Removed" and invert:
        return _Step(source, False)
    if behavior == "MergedWithPrevious" and not invert:
        return _Step(rf"(?!\Z){until}(?:(?>{source})|\Z)", True)
    if behavior == "MergedWithNext" and not invert:
        return _Step(f"(?>{source}){until}", True)
    if behavior == "Removed":
        raise BpeError(
            f"{name} has a Split that removes text (behavior Removed). Its tokens could not give the text back."
        )
    shown = f"{str(behavior)[:40]}{' with invert' if invert else ''}"
    raise BpeError(f"{name} has a Split with the behavior {shown}, which is not supported.")


def _split_source(pattern: Any, name: str) -> str:
    match pattern:
        case {"String": str(text)} if text:
            return regex.escape(text)
        case {"Regex": str(source)} if source:
            fault = why_not_portable(source)
            if fault:
                raise BpeError(
                    f"{name} cuts with the regular expression {source[:120]!r}; its part {fault!r} is read "
                    "differently by different engines, so the ids could not be trusted."
                )
            return source
    raise BpeError(f"{name} has a Split without a pattern.")


def _pattern(steps: list[_Step], name: str) -> Pattern:
    regexes = tuple(step.source for step in steps)
    for known in map(named_pattern, PATTERN_NAMES):
        if regexes in (known.regexes, portable_regexes(known)):
            return known
    if len({step.keeps_gaps for step in steps}) > 1:
        raise BpeError(
            f"{name} has a Split that removes what it does not match beside other steps; that is not supported."
        )
    for source in regexes:
        _check_compiles(source, name)
    return Pattern(" then ".join(regexes), regexes, steps[0].keeps_gaps, CUSTOM_TIME_LIMIT)


def _check_compiles(source: str, name: str) -> None:
    try:
        regex.compile(source)
    except (regex.error, OverflowError, RecursionError) as error:
        raise BpeError(f"{name} has a regular expression that is not valid: {str(error)[:120]}.") from None


def pre_tokenizer_of(pattern: Pattern, prefix_space: bool) -> dict[str, Any]:
    """Return the `pre_tokenizer` entry that cuts as `pattern` does.

    Raises BpeError if that cannot be promised.
    """
    if pattern.regexes in ((_GPT2,), ()):
        return _byte_level(prefix_space, use_regex=bool(pattern.regexes))
    if prefix_space:
        raise BpeError(
            "tokenizer.json can add a leading space only with the pattern gpt2 or none. Save the manifest instead."
        )
    splits = [
        {"type": "Split", "pattern": {"Regex": source}, "behavior": "Isolated", "invert": False}
        for source in checked_portable(pattern, "tokenizer.json")
    ]
    return {"type": "Sequence", "pretokenizers": [*splits, _byte_level(False, use_regex=False)]}


def portable_regexes(pattern: Pattern) -> tuple[str, ...]:
    """Return the regexes of `pattern` as they are written to files."""
    return tuple(map(portable, pattern.regexes))


def checked_portable(pattern: Pattern, format: str) -> tuple[str, ...]:
    """Return `portable_regexes`; raise BpeError if one may mean something else to the library that reads `format`."""
    for source in portable_regexes(pattern):
        fault = why_not_portable(source)
        if fault:
            raise BpeError(
                f"The pattern cannot be saved as {format}: its part {fault!r} is read differently by the library that "
                "reads the file, and the ids could differ. Use a named pattern, or save the manifest."
            )
    return portable_regexes(pattern)


def _byte_level(prefix_space: bool, *, use_regex: bool) -> dict[str, Any]:
    return {"type": "ByteLevel", "add_prefix_space": prefix_space, "trim_offsets": False, "use_regex": use_regex}
