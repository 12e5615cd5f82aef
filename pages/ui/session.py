"""What one visitor made, and where the visitor stands: a typed record that `state` keeps for the visit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from bpe_core import Tokenizer
from pages.ui.compression_sides import SecondText
from pages.ui.corpus import Corpus
from pages.ui.jobs import Job
from pages.ui.loaded import LoadedOnText, LoadedVocabulary
from pages.ui.reading import Draft
from pages.ui.tasks import Task


class FilmStart(NamedTuple):
    """Where a film begins: after k merges; `watch` is a symbol whose own merges are shown first."""

    signature: str
    k: int
    watch: int | None = None


class FilmWish(NamedTuple):
    """Where the next film shall begin: before merge `rank`, or with the merges that built the symbol `watch`."""

    rank: int | None = None
    watch: int | None = None


class SizeKept(NamedTuple):
    """The size that the visitor chose last, the one that the text allowed, and one that was refused when it came."""

    wanted: int
    given: int
    refused: int | None = None


class SizeChosen(NamedTuple):
    """A size that was chosen in a part of the page, while the sidebar in the browser still shows the one `before`."""

    key: str
    before: int
    size: int


@dataclass
class Session:
    """What this visitor made. Lives in the server's memory for this visit only."""

    # The visitor's own text, and what is being read
    own_corpus: Corpus | None = None
    own_corpus_is_new: bool = False
    text_is_lost: bool = False
    """The address names a text of the visitor's that an earlier visit brought."""
    whole_corpus: Corpus | None = None
    """The text of which `own_corpus` is a part."""
    second_text: SecondText | None = None
    draft: Draft | None = None
    uploads: int = 0
    """How many uploads were taken in; each gets an uploader of its own, which begins empty."""

    # Work in the background, and its results
    job: Job | None = None
    stopped: Job | None = None
    agreed: set[object] = field(default_factory=set)
    """Long work that the visitor said yes to."""
    figures: tuple[object, Task] | None = None
    compare_tasks: dict[str, tuple[object, Task]] = field(default_factory=dict)
    marks: tuple[object, Task] | None = None

    # Where the visitor stands
    dialog: str | None = None
    opened: object = None
    """What this run is about, from the router to the page."""
    page: str | None = None
    page_is_new: bool = False
    left: dict[str, object] = field(default_factory=dict)
    """What the widgets of a page held when they were last drawn, for the browser's Back."""
    is_returning: bool = False
    seen: set[str] = field(default_factory=set)
    clicked_table: str = ""
    """The key of the table that was clicked last, where several stand side by side."""
    sizes: dict[str, SizeKept] = field(default_factory=dict)
    size_chosen: SizeChosen | None = None
    conditions: list[object] = field(default_factory=list)

    # The film
    film_places: dict[str, int] = field(default_factory=dict)
    film_start: FilmStart | None = None
    film_wanted: FilmWish | None = None

    # Vocabularies from files
    loaded: dict[str, LoadedVocabulary] = field(default_factory=dict)
    loaded_on_text: tuple[object, LoadedOnText] | None = None
    loads: int = 0
    """How many vocabularies were taken in; each gets an uploader of its own."""
    wanted_vocabulary: str | None = None
    load_error: str = ""

    @property
    def brought(self) -> dict[str, tuple[str, Tokenizer]]:
        """Digest and tokenizer of the vocabularies that were loaded from files, by their names."""
        files = (each for each in self.loaded.values() if not each.is_published)
        return {each.name: (each.digest, each.tokenizer) for each in files}
