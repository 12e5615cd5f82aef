"""Bundled texts, small and free to share; `texts/SOURCES.md` names the source and licence of each."""

from __future__ import annotations

from importlib.resources import files
from typing import NamedTuple

from bpe_core.errors import BpeError


class Sample(NamedTuple):
    """A bundled text: `key` names it in code and links, `title` on the screen; one document per file."""

    key: str
    title: str
    about: str
    file_names: tuple[str, ...]


_UDHR = ("eng", "fra", "tur", "rus", "arb", "amh", "hin", "cmn_hans", "jpn", "kor")

SAMPLES = (
    Sample("sherlock", "Sherlock", "A Scandal in Bohemia, a story of 1891", ("sherlock.txt",)),
    Sample("shakespeare", "Shakespeare", "The start of Coriolanus, a play", ("shakespeare.txt",)),
    Sample("constitution", "US Constitution", "A legal text of 1787", ("us_constitution.txt",)),
    Sample("rights", "Human rights", "One declaration in ten languages", tuple(f"udhr/{code}.txt" for code in _UDHR)),
    Sample("c", "C code", "The B-tree of SQLite", ("btree.c",)),
    Sample("javascript", "JavaScript", "The library Underscore", ("underscore.js",)),
    Sample("weather", "Numbers (CSV)", "Four years of weather in Seattle", ("seattle_weather.csv",)),
    Sample("emoji", "Emoji", "Emoji and their names, shuffled", ("emoji.txt",)),
)


def sample(key: str) -> Sample:
    """Return the sample called `key`.

    >>> sample("sherlock").title
    'Sherlock'

    Raises BpeError for an unknown key.
    """
    for candidate in SAMPLES:
        if candidate.key == key:
            return candidate
    known = ", ".join(candidate.key for candidate in SAMPLES)
    raise BpeError(f"There is no sample called {key!r}. Choose one of {known}.")


def sample_files(key: str) -> dict[str, bytes]:
    """Return the bytes of each file of the sample called `key`, by file name.

    >>> list(sample_files("sherlock").values())[0][:20]
    b'A Scandal in Bohemia'
    """
    folder = files(__name__) / "texts"
    return {name: folder.joinpath(name).read_bytes() for name in sample(key).file_names}


def sample_documents(key: str) -> tuple[str, ...]:
    """Return the documents of the sample called `key`.

    >>> len(sample_documents("rights"))
    10
    """
    return tuple(content.decode() for content in sample_files(key).values())
