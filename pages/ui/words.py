"""How numbers are written on the screen: one format everywhere."""

from __future__ import annotations


def number(value: int) -> str:
    """Return a whole number with thousands set apart.

    >>> number(16143)
    '16,143'
    """
    return f"{value:,}"


def ratio(value: float | None, digits: int = 2) -> str:
    """Return a ratio such as bytes per token; "–" where it is undefined.

    >>> ratio(2.9736), ratio(None)
    ('2.97', '–')
    """
    return "–" if value is None else f"{value:.{digits}f}"


def file_size(num_bytes: int) -> str:
    """Return a number of bytes in the unit that a person would use.

    >>> file_size(907), file_size(48_003), file_size(7_244_163)
    ('907 bytes', '48 KB', '7.2 MB')
    """
    if num_bytes < 1_000:
        return f"{num_bytes} bytes"
    if num_bytes < 1_000_000:
        return f"{num_bytes / 1_000:.0f} KB"
    return f"{num_bytes / 1_000_000:.1f} MB"


def plural(count: int, one: str, many: str | None = None) -> str:
    """Return a count with its noun.

    >>> plural(1, "document"), plural(1200, "document")
    ('1 document', '1,200 documents')
    """
    return f"{number(count)} {one if count == 1 else many or one + 's'}"
