"""The only user of st.session_state: it keeps the visitor's Session, and knows the keys of widgets that pages share.

Widgets keep inputs; `Session` keeps what the visitor made; the cache keeps what can be made again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from pages.ui.corpus import Corpus
from pages.ui.loaded import LoadedOnText, LoadedVocabulary, check_room
from pages.ui.run import SIZE
from pages.ui.session import FilmStart, FilmWish, Session, SizeChosen, SizeKept

TEXT = "text"
PASTED = "pasted"
PATTERN = "pattern"
CUSTOM_REGEX = "custom_regex"
SPECIALS = "specials"
SPLIT = "split"
LARGEST_SIZE = "largest_size"
MIN_COUNT = "min_count"
TRAINING_SIDE_EVERYWHERE = "training_side_everywhere"

VOCABULARY = "vocabulary"
LEARNED = "learned"
"""The value of the widget VOCABULARY that stands for what was learned; any other is the digest of a loaded one."""

OWN_TEXT = "yours"
"""The value of the widget TEXT that stands for the visitor's own text."""

DEFAULT_SIZE = 1024

FILM = "film"
VOCABULARY_RANK = "vocabulary_rank"
WATCH_SEGMENT, LEARNING = "watch_segment", "Learning"
WATCH_SHOWN, THE_TEXT = "watch_shown", "the text"
FILMS_REMEMBERED = 32


def session() -> Session:
    """Return the Session of this visit."""
    if "session" not in st.session_state:
        st.session_state["session"] = Session()
    return st.session_state["session"]


def use_own_text(corpus: Corpus, whole: Corpus | None = None) -> None:
    """Make the visitor's own text the one that every page shows; `whole` is the text that it is a part of."""
    session().own_corpus, session().own_corpus_is_new, session().whole_corpus = corpus, True, whole
    let_lost_text_go()
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


def look_for_lost_text(title: str) -> None:
    """Note whether the address names the visitor's own text (`title`), though this visit has brought none."""
    if first_sight_of("address"):
        session().text_is_lost = st.query_params.get(TEXT) == title and not session().own_corpus


def let_lost_text_go() -> None:
    """Say no more that a text is lost: the visitor has chosen another."""
    session().text_is_lost = False


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
    ours.agreed, ours.compare_tasks, ours.loaded_on_text = set(), {}, None
    for key in (TEXT, PASTED):
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
    session().left.pop(key, None)


def come_to(page: str) -> None:
    """Note which page is drawn; the first call of a run."""
    ours = session()
    ours.page_is_new, ours.page = page != ours.page, page


def give_back(*keys: str) -> None:
    """Let widgets hold what `keep_for_return` noted, if it found that Back had emptied them; before they are drawn."""
    ours = session()
    for key in keys if ours.is_returning else ():
        if key in ours.left:
            st.session_state[key] = ours.left[key]
    ours.is_returning = False


def keep_for_return(*keys: str) -> None:
    """Note what the widgets with these keys hold, so that the browser's Back finds it again; after they are drawn.

    When a page is left, what its widgets wrote into the address goes; so on Back Streamlit draws them with their
    defaults. Then the page runs once more.
    """
    ours = session()
    held = {key: st.session_state[key] for key in keys if key in st.session_state}
    emptied = (key for key, now in held.items() if ours.left.get(key, now) != now and key not in st.query_params)
    if ours.page_is_new and any(emptied):
        ours.is_returning = True
        st.rerun()
    ours.left.update(held)


def choose_size(key: str, size: int) -> None:
    """Let the number field with this key hold a size that was chosen elsewhere on the page; from a callback.

    If a fragment runs next, the browser's field holds the old size until the page runs, and another fragment's run
    would bring that back: so the choice is noted.
    """
    waiting = session().size_chosen
    before = waiting.before if waiting and waiting.key == key else st.session_state.get(key)
    session().size_chosen = SizeChosen(key, before, size)
    set_value(key, size)


def size_told(component: str) -> int:
    """Return the number of the last size that the size bar of this component told; 0 if it told none."""
    told = getattr(st.session_state.get(component), "chosen", None)
    return int(told["number"]) if told else 0


def take_size_told(component: str, key: str) -> None:
    """Let the number field with this key hold the size that the size bar of this component told; from a callback."""
    choose_size(key, int(component_value(component, "chosen")["size"]))


def size_is_waiting() -> bool:
    """Return whether a size was chosen that the sidebar does not show yet."""
    return session().size_chosen is not None


def _take_chosen_size(key: str) -> None:
    chosen, session().size_chosen = session().size_chosen, None
    if chosen and chosen.key == key and st.session_state.get(key) == chosen.before:
        st.session_state[key] = chosen.size


def keep_size_between(smallest: int, largest: int, key: str = SIZE) -> None:
    """Move a vocabulary size into the range that the text or loaded vocabulary allows; a larger one gives it back."""
    _take_chosen_size(key)
    if key not in st.session_state:
        return
    now, kept = st.session_state[key], session().sizes.get(key)
    is_new = not kept or now != kept.given
    wanted, refused = (now, now) if is_new else (kept.wanted, kept.refused)
    if refused is not None and smallest <= refused <= largest:
        refused = None
    st.session_state[key] = min(max(wanted, smallest), largest)
    session().sizes[key] = SizeKept(wanted, st.session_state[key], refused)


def note_size(key: str, size: int) -> None:
    """Note the size that the field with this key begins with."""
    session().sizes.setdefault(key, SizeKept(size, size))


def refused_size(key: str = SIZE) -> int | None:
    """Return the size that was asked for last, if it is none that the text or loaded vocabulary allows."""
    kept = session().sizes.get(key)
    return kept.refused if kept else None


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


def take_clicked_rows(table: str) -> list[int]:
    """Return the number of the row of which a cell was clicked in the table with this key; it may be clicked again."""
    clicked = [row for row, _ in st.session_state[table].selection.cells]
    st.session_state[table] = {"selection": {"cells": []}}
    return clicked


def note_click(table: str) -> None:
    """Note that the table with this key was clicked last; from a callback."""
    session().clicked_table = table


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
        rank, watch = ours.film_wanted or FilmWish()
        ours.film_wanted = None
        begun = FilmStart(signature, ours.film_places.get(signature, 0) if rank is None else rank, watch)
        ours.film_start = begun
        remember_film(signature, begun.k)
    return begun


def film_place(signature: str) -> int:
    """Return after how many merges this film stood when the browser last told."""
    return session().film_places.get(signature, 0)


def keep_film_place() -> None:
    """Keep where the film stands; called when the browser tells."""
    at = st.session_state[FILM].at
    remember_film(str(at["signature"]), max(int(at["k"]), 0))


def remember_film(signature: str, k: int) -> None:
    """Keep where this film stands; the one seen longest ago is forgotten when there are too many."""
    places = session().film_places
    places.pop(signature, None)
    places[signature] = k
    if len(places) > FILMS_REMEMBERED:
        del places[next(iter(places))]


def go_to_rank(rank: int) -> None:
    """Let the film of the text begin before merge `rank` at the next visit to its page."""
    session().film_wanted = FilmWish(rank=rank)
    show_film_of_text()


def watch_merges_of(symbol: int) -> None:
    """Let the film begin with the merges that built one token (256 + rank), at the next visit to its page."""
    session().film_wanted = FilmWish(watch=symbol)
    show_film_of_text()


def show_film_of_text() -> None:
    """Let the page Watch open on the film of the text."""
    set_value(WATCH_SEGMENT, LEARNING)
    set_value(WATCH_SHOWN, THE_TEXT)


def keep_loaded(vocabulary: LoadedVocabulary) -> LoadedVocabulary:
    """Keep a loaded vocabulary, under a name that no other one has, and return it.

    Raises BpeError if the visitor keeps too many already.
    """
    ours = session()
    check_room(ours.loaded, vocabulary)
    ours.loads += 1
    taken = {each.name for each in ours.loaded.values() if each.digest != vocabulary.digest}
    names = (vocabulary.name if number == 1 else f"{vocabulary.name} ({number})" for number in range(1, len(taken) + 2))
    kept = replace(vocabulary, name=next(name for name in names if name not in taken))
    ours.loaded[kept.digest] = kept
    return kept


def loaded_on_text(vocabulary: LoadedVocabulary, corpus: Corpus, make: Callable[[], LoadedOnText]) -> LoadedOnText:
    """Return what `make` returns, made once as long as neither the vocabulary nor the text changes."""
    ours, key = session(), (vocabulary.digest, corpus.digest)
    if ours.loaded_on_text is None or ours.loaded_on_text[0] != key:
        ours.loaded_on_text = key, make()
    return ours.loaded_on_text[1]


def drop_loaded(digest: str) -> None:
    """Let a loaded vocabulary go; if it is in use, the learned one takes its place."""
    session().loaded.pop(digest, None)
    session().loaded_on_text = None
    if st.session_state.get(VOCABULARY) == digest:
        use_vocabulary(LEARNED)


def use_vocabulary(choice: str) -> None:
    """Let every page show the learned vocabulary (LEARNED) or the loaded one with this digest, from the next run on."""
    session().wanted_vocabulary = choice


def take_wanted_vocabulary() -> None:
    """Choose the vocabulary that was asked for; before the widget VOCABULARY is drawn."""
    ours = session()
    if ours.wanted_vocabulary is not None:
        st.session_state[VOCABULARY] = ours.wanted_vocabulary
        ours.wanted_vocabulary = None
    keep_among(VOCABULARY, [LEARNED, *ours.loaded])


def chosen_loaded() -> LoadedVocabulary | None:
    """Return the loaded vocabulary that takes the learned one's place, if one does."""
    return session().loaded.get(st.session_state.get(VOCABULARY, LEARNED))


def add_conditions(conditions: list[object]) -> None:
    """Put conditions to compare at the end of the list; one that is there already stays where it is."""
    listed = session().conditions
    listed += [each for each in conditions if each not in listed]


def drop_condition(condition: object) -> None:
    """Take a condition from the list."""
    session().conditions = [each for each in session().conditions if each != condition]
