r"""Regular expressions that mean the same to `regex`, to Oniguruma (tokenizers) and to fancy-regex (tiktoken).

The three engines read one syntax in different ways: `$`, `\\w`, `(?s:…)`, a `[` inside
a class, `&&`. Only what is known to agree is let through; the rest is named.
"""

from __future__ import annotations

import regex

_SCRIPTS = "Han|Hiragana|Katakana|Hangul|Latin|Cyrillic|Greek|Arabic|Hebrew|Thai|Devanagari"
_ESCAPE = rf"\\(?:[pP]\{{(?:[A-Z][a-z]?|{_SCRIPTS})\}}|[sSdDrnt]|x[0-7][0-9A-Fa-f]|u[0-9A-Fa-f]{{4}}|[^\w\s])"
_CLASS_ITEM = rf"(?:{_ESCAPE}|(?!&&|--|~~|\|\|)[^\\\[\]])"
_TOKEN = regex.compile(
    rf"(?P<class>\[\^?{_CLASS_ITEM}+\])|(?P<escape>{_ESCAPE})|(?P<group>\((?:\?(?:i?:|=|!|<=|<!|>))?(?!\?))"
    r"|(?P<repeat>(?:[*+?][+?]?|\{\d+(?:,\d*)?\})(?![*+?{]))|(?P<plain>[^\\\[\]{}()*+?^$])|(?P<close>\))"
)
_END = r"(?![\s\S])"  # no character follows
_FOLDS_TOGETHER = regex.compile(r"(?i)ss|st|ff|fi|fl")


def portable(source: str) -> str:
    r"""Return the regex `source` with the end of the text, `\Z` for us, written so that every engine means it.

    >>> portable(r"\s+\Z|\S")
    '\\s+(?![\\s\\S])|\\S'
    """
    return regex.sub(r"\\(.)", lambda escape: _END if escape[1] == "Z" else escape[0], source, flags=regex.DOTALL)


def why_not_portable(source: str) -> str | None:
    """Return which part of the regex `source` may mean something else in another engine; None if no part may.

    >>> why_not_portable(r" ?\\p{L}+|\\s+(?!\\S)") is None
    True
    >>> why_not_portable(r"\\w+$")
    '\\\\w'
    """
    at = 0
    while at < len(source):
        match = _TOKEN.match(source, at)
        if match is None:
            return source[at : at + 2] if source[at] in "\\(" else source[at]
        at = match.end()
    if "(?i:" in source and (not source.isascii() or _FOLDS_TOGETHER.search(source)):
        return "letters that fold together without case, such as ss and ß, under (?i:"
    return None
