"""How numbers are written on the screen: one format everywhere."""

from __future__ import annotations

from math import ceil


def number(value: int) -> str:
    """Return a whole number with thousands set apart.

    >>> number(16143)
    '16,143'
    """
    return f"{value:,}"


def ratio(value: float | None, digits: int = 2) -> str:
    """Return a ratio such as bytes per token; "–" where it is undefined.

    >>> ratio(2.9736), ratio(1111111.1), ratio(None)
    ('2.97', '1,111,111.10', '–')
    """
    return "–" if value is None else f"{value:,.{digits}f}"


def percent(share: float | None, digits: int = 2) -> str:
    """Return a share of 1 in percent, with a space that never breaks; "–" where it is undefined.

    >>> percent(0.0234), percent(0.205, 1), percent(None)
    ('2.34\\xa0%', '20.5\\xa0%', '–')
    """
    return "–" if share is None else f"{100 * share:.{digits}f}\u00a0%"


def file_size(num_bytes: int) -> str:
    """Return a number of bytes in the unit that a person would use.

    >>> file_size(1), file_size(907), file_size(48_003), file_size(7_244_163)
    ('1 byte', '907 bytes', '48 KB', '7.2 MB')
    """
    if num_bytes < 1_000:
        return plural(num_bytes, "byte")
    if num_bytes < 1_000_000:
        return f"{num_bytes / 1_000:.0f} KB"
    return f"{num_bytes / 1_000_000:.1f} MB"


def plural(count: int, one: str, many: str | None = None) -> str:
    """Return a count with its noun.

    >>> plural(1, "document"), plural(1200, "document")
    ('1 document', '1,200 documents')
    """
    return f"{number(count)} {one if count == 1 else many or one + 's'}"


def duration(seconds: float) -> str:
    """Return a time in the unit that a person would use, rounded up.

    >>> duration(0.2), duration(41.3), duration(95), duration(4000)
    ('1 s', '42 s', '1 min 35 s', '1 h 7 min')
    """
    whole = max(1, ceil(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{ceil(whole / 60) // 60} h {ceil(whole / 60) % 60} min"


def ordinal(value: int) -> str:
    """Return a place in a row.

    >>> ordinal(1), ordinal(2), ordinal(3), ordinal(11), ordinal(22)
    ('1st', '2nd', '3rd', '11th', '22nd')
    """
    ending = "th" if value % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
    return f"{number(value)}{ending}"
