"""User text that must stand in a sentence of Streamlit's markdown, shown letter by letter, whatever it holds."""

from __future__ import annotations

import re

from bpe_core.visible import visible

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
# Icons (:material/x:), emoji codes, colours, arrows and bare addresses are found after the
# backslashes are gone. An invisible joiner parts their letters.
_JOINTS = re.compile(r"(?<=[:@])(?=\S)|(?<=[<>=~\-])(?=[<>=~\-])|(?<=www)(?=\.)", re.IGNORECASE)
_JOINER = "\u2060"


def escape_markdown(text: str) -> str:
    """Return `text` as markdown that shows it literally on one line; hidden and reversing characters become visible.

    >>> escape_markdown("*a*")
    '\\\\*a\\\\*'
    """
    seen = "".join(each if each.isprintable() else visible(each.encode("utf-8", "replace")) for each in text)
    return _PUNCTUATION.sub(r"\\\1", _JOINTS.sub(_JOINER, seen))
