"""The only user of st.session_state: the visitor's Session, and the keys of widgets that several pages share.

Widgets keep inputs; `Session` keeps what the visitor made; the cache keeps what can be made again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import NamedTuple

import streamlit as st

from bpe_core import Tokenizer
from pages.ui.corpus import Corpus
from pages.ui.jobs import Job
from pages.ui.reading import Draft
from pages.ui.tasks import Task

SIZE = "size"
TEXT = "text"
PATTERN = "pattern"
CUSTOM_REGEX = "custom_regex"
SPECIALS = "specials"
SPLIT = "split"
LARGEST_SIZE = "largest_size"
MIN_COUNT = "min_count"
TRAINING_SIDE_EVERYWHERE = "training_side_everywhere"

OWN_TEXT = "yours"
"""The value of the widget TEXT that stands for the visitor's own text."""

DEFAULT_SIZE = 1024

FILM = "film"
VOCABULARY_RANK = "vocabulary_rank"
_FILMS_REMEMBERED = 32


class FilmStart(NamedTuple):
    """Where a film begins: after k merges; `watch` is a symbol whose own merges are shown first."""

    signature: str
    k: int
    watch: int | None = None


@dataclass
class Session:
    """What this visitor made. Lives in the server's memory for this visit only."""

    own_corpus: Corpus | None = None
    own_corpus_is_new: bool = False
    whole_corpus: Corpus | None = None
    dialog: str | None = None
    draft: Draft | None = None
    uploads: int = 0
    job: Job | None = None
    stopped: Job | None = None
    agreed: set[object] = field(default_factory=set)
    figures: tuple[object, Task] | None = None
    marks: tuple[object, Task] | None = None
    opened: object = None
    seen: set[str] = field(default_factory=set)
    film_places: dict[str, int] = field(default_factory=dict)
    film_start: FilmStart | None = None
    film_wanted: tuple[int | None, int | None] | None = None
    second_text: tuple[str, bytes] | None = None
    conditions: list[object] = field(default_factory=list)
    brought: dict[str, tuple[str, Tokenizer]] = field(default_factory=dict)


def session() -> Session:
    """Return the Session of this visit."""
    return st.session_state.setdefault("session", Session())


def use_own_text(corpus: Corpus, whole: Corpus | None = None) -> None:
    """Make the visitor's own text the one that every page shows; `whole` is the text that it is a part of."""
    session().own_corpus, session().own_corpus_is_new, session().whole_corpus = corpus, True, whole
    close_dialog()


def use_whole_text() -> None:
    """Go back from a part of a text to all of it."""
    if whole := session().whole_corpus:
        use_own_text(whole)


def show_own_text_if_new() -> None:
    """Choose the visitor's own text if it has just come; before the widget TEXT is drawn."""
    if session().own_corpus_is_new:
        session().own_corpus_is_new = False
        st.session_state[TEXT] = OWN_TEXT


def open_dialog(name: str) -> None:
    """Keep this dialog open, whatever reruns come, until it is closed."""
    session().dialog = name


def close_dialog() -> None:
    """Let no dialog be open from the next run on."""
    session().dialog = None


def forget_own_text() -> None:
    """Drop the visitor's own text, and the jobs that learned from it, and go back to the first sample."""
    ours = session()
    ours.own_corpus, ours.own_corpus_is_new, ours.whole_corpus, ours.second_text = None, False, None, None
    ours.job, ours.stopped, ours.figures, ours.marks, ours.draft, ours.opened = None, None, None, None, None, None
    ours.agreed = set()
    for key in (TEXT, "pasted"):
        st.session_state.pop(key, None)


def learns_from_training_side() -> bool:
    """Return whether every page shall use the vocabulary of the training side."""
    return bool(st.session_state.get(TRAINING_SIDE_EVERYWHERE, False))


def value(key: str, default: object = None) -> object:
    """Return what the widget with this key holds."""
    return st.session_state.get(key, default)


def set_value(key: str, new_value: object) -> None:
    """Give the widget with this key a value; only before it is drawn, so from a callback."""
    st.session_state[key] = new_value


def keep_size_between(smallest: int, largest: int) -> None:
    """Move the vocabulary size into the range that the current text allows."""
    if SIZE in st.session_state:
        st.session_state[SIZE] = min(max(st.session_state[SIZE], smallest), largest)


def component_value(key: str, name: str) -> object:
    """Return one value of the state of the component with this key."""
    return getattr(st.session_state[key], name)


def first_sight_of(thing: str) -> bool:
    """Return whether this visit sees `thing` for the first time."""
    seen = session().seen
    if thing in seen:
        return False
    seen.add(thing)
    return True


def chosen_points(chart: str) -> list[dict]:
    """Return the points that are selected in the Plotly chart with this key."""
    return list(st.session_state[chart].selection.points)


def keep_among(key: str, options: list) -> None:
    """Forget what the widget with this key holds if that is no option of the current text."""
    held = st.session_state.get(key)
    held_all = held if isinstance(held, list) else [held]
    if held is not None and any(each not in options for each in held_all):
        del st.session_state[key]


def film_start(signature: str) -> FilmStart:
    """Return where the film begins; the same answer during a whole visit to its page, whatever the visitor does there.

    A component forgets its state when the page changes, so where a film stood is kept in the Session.
    """
    ours = session()
    begun = ours.film_start
    if FILM not in st.session_state or begun is None or begun.signature != signature:
        rank, watch = ours.film_wanted or (None, None)
        ours.film_wanted = None
        begun = FilmStart(signature, ours.film_places.get(signature, 0) if rank is None else rank, watch)
        ours.film_start, ours.film_places[signature] = begun, begun.k
    return begun


def film_place(signature: str) -> int:
    """Return after how many merges this film stood when the browser last told."""
    return session().film_places.get(signature, 0)


def keep_film_place() -> None:
    """Keep where the film stands; called when the browser tells."""
    at, places = st.session_state[FILM].at, session().film_places
    places[str(at["signature"])] = max(int(at["k"]), 0)
    if len(places) > _FILMS_REMEMBERED:
        del places[next(iter(places))]


def go_to_rank(rank: int) -> None:
    """Let the film of the text begin before merge `rank` at the next visit to its page."""
    session().film_wanted = rank, None


def watch_merges_of(symbol: int) -> None:
    """Let the film begin with the merges that built one token (256 + rank), at the next visit to its page."""
    session().film_wanted = None, symbol


def bring_tokenizer(name: str, files: Mapping[str, bytes], tokenizer: Tokenizer) -> None:
    """Keep a tokenizer that the visitor brought, under this name and with a digest of its files."""
    digest = sha256(b"".join(files.values())).hexdigest()
    session().brought[name] = (digest, tokenizer)


def drop_tokenizer(name: str) -> None:
    """Let a brought tokenizer go."""
    session().brought.pop(name, None)


def add_conditions(conditions: list[object]) -> None:
    """Put conditions to compare at the end of the list; one that is there already stays where it is."""
    listed = session().conditions
    listed += [each for each in conditions if each not in listed]


def drop_condition(condition: object) -> None:
    """Take a condition from the list."""
    session().conditions = [each for each in session().conditions if each != condition]
