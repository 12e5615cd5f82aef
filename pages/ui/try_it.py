"""Try it: a sentence to ids, ids to text, one sentence at two sizes, and when a word becomes one token."""

from __future__ import annotations

import re
from typing import NamedTuple

import pandas as pd
import streamlit as st

from bpe_core import BpeError, Tokenizer, bytes_per_token
from bpe_core.chunks import check_text
from bpe_core.visible import hex_bytes, visible
from bpe_core.word_history import cut_history, whole_from
from pages.ui import shell
from pages.ui.ids_by_chunk import ids_by_chunk
from pages.ui.run import Run
from pages.ui.token_view import cut_model, text_model
from pages.ui.token_view.strip import token_strip
from pages.ui.words import number, plural, ratio

_NOT_AN_ID = re.compile(r"[^0-9\s,;\[\]()-]|(?<=[0-9])-|-(?![0-9])")
_MOST_QUOTED = 60  # characters of a word, in a sentence about it
_LONG_TEXT, _HIGHEST = 2_000, 240  # characters, and pixels of the box that holds more
_MOST_DIGITS = 30  # no id has more; Python refuses to read numbers of some thousand digits


class Reading(NamedTuple):
    """What pasted ids spell: their bytes, the ids that encoding gives for these bytes, and the specials among them.

    `canonical_ids` is with special tokens allowed if the ids hold some.
    """

    content: bytes
    canonical_ids: list[int]
    specials: list[str]

    @property
    def is_text(self) -> bool:
        """Whether the bytes are valid UTF-8."""
        return self.content.decode("utf-8", "ignore").encode() == self.content


def parse_ids(text: str) -> list[int]:
    """Return the whole numbers in `text`, which may be written as a list.

    >>> parse_ids("[12, 7] 300")
    [12, 7, 300]

    Raises BpeError for anything that is not a list of whole numbers.
    """
    wrong = _NOT_AN_ID.search(text)
    if wrong:
        raise BpeError(
            f"Ids are whole numbers, but {wrong.group()!r} stands at character {wrong.start()}. "
            "Separate ids by spaces or commas."
        )
    written = re.findall(r"-?[0-9]+", text)
    if long := next((digits for digits in written if len(digits) > _MOST_DIGITS), ""):
        raise BpeError(f"No token has an id of {len(long):,} digits, as the one that begins with {long[:8]}.")
    return [int(digits) for digits in written]


def read_ids(tokenizer: Tokenizer, ids: list[int]) -> Reading:
    """Return what `ids` spell, and how encoding would spell the same bytes.

    >>> read_ids(Tokenizer.from_merges([(97, 98)]), [97, 98])
    Reading(content=b'ab', canonical_ids=[256], specials=[])

    Raises BpeError for an id that no token has.
    """
    content, held = tokenizer.decode_bytes(ids), {*ids}
    reading = Reading(content, [], [name for name, token_id in tokenizer.specials.items() if token_id in held])
    if reading.specials and reading.is_text:
        return reading._replace(canonical_ids=tokenizer.encode(content.decode(), "allow"))
    return reading._replace(canonical_ids=tokenizer.encode_bytes(content))


def history_sentence(run: Run, word: str) -> str:
    """Return when `word` becomes one token, in one sentence; it quotes the word."""
    tokenizer, shown = run.training.tokenizer, _shortened(visible(word.encode()))
    chunks = tokenizer.chunks(word)
    if len(chunks) > 1:
        return f"{shown}: cut into {number(len(chunks))} chunks before anything is learned, so it is never one token."
    merges = whole_from(tokenizer, chunks[0])
    if merges is None:
        pieces = plural(len(tokenizer.encode_chunk(chunks[0])), "piece")
        fate = f"never one token; {pieces} at size {number(run.learned_size)}"
    else:
        fate = f"one token from size {number(run.smallest_size + merges)}"
    return f"{shown}: {fate}. {occurrence_sentence(run, word, chunks[0])}"


def occurrence_sentence(run: Run, word: str, chunk: bytes) -> str:
    """Return how often the text holds `word`, and how often it is cut out as the chunk `chunk`."""
    anywhere = sum(document.count(word) for document in run.corpus.documents)
    alone = run.training.chunk_counts.get(chunk, 0)
    if not anywhere:
        return "It does not occur here."
    apart = "" if alone == anywhere else f", {number(alone) if alone else 'none'} of them as a chunk of its own"
    return f"It occurs {plural(anywhere, 'time')} here{apart}."


def _shortened(shown: str) -> str:
    return shown if len(shown) <= _MOST_QUOTED else f"{shown[:_MOST_QUOTED]}…"


def word_history_view(run: Run) -> None:
    """Ask for a word; say from which size it is one token, and show its cut at every size before."""
    word = st.text_input("A word", "Sherlock", key="history_word", persist_state="session", help=_WORD_HELP)
    if not word:
        return
    check_text(word)
    spellings = dict.fromkeys([word, " " + word.strip()])
    for spelled in spellings:
        st.text(history_sentence(run, spelled))
    rows = [row for spelled in spellings for row in _history_rows(run, spelled)]
    st.dataframe(pd.DataFrame(rows), hide_index=True, key="history_table", alt="How the word is cut from each size on")


def _history_rows(run: Run, spelled: str) -> list[dict[str, str | int]]:
    return [
        {
            "chunk": visible(chunk),
            "from size": run.smallest_size + change.num_merges,
            "pieces": len(change.tokens),
            "cut": "  |  ".join(map(visible, change.tokens)),
        }
        for chunk in run.training.tokenizer.chunks(spelled)
        for change in cut_history(run.training.tokenizer, chunk)
    ]


def sentence_view(run: Run) -> None:
    """Ask for a sentence; show its tokens, and its ids to copy."""
    text = st.text_area("A sentence", EXAMPLE, key="try_sentence", persist_state="session", height=80)
    policy = _special_policy_input() if run.settings.specials else "text"
    ids = run.tokenizer.encode(text, policy)
    st.caption(_figures(text, len(ids)))
    if not ids:
        return
    token_strip(cut_model(run.tokenizer, ids_by_chunk(run.tokenizer, text, policy)), key="sentence_tokens")
    _code(", ".join(map(str, ids)))


def two_sizes_view(run: Run) -> None:
    """Ask for a sentence and a second size; show the sentence at both."""
    text = st.text_area("The sentence", EXAMPLE, key="two_sizes_sentence", persist_state="session", height=80)
    smallest, largest = run.smallest_size, run.learned_size
    other = st.number_input(
        f"A second size, {number(smallest)} to {number(largest)}",
        smallest, largest, min(largest, smallest + 44), key="second_size", width=240
    )  # fmt: skip
    check_text(text)
    if not text:
        return
    model = text_model(run.training.tokenizer, text, counts=run.pair_counts)
    for name, size in (("before", min(other, run.vocab_size)), ("after", max(other, run.vocab_size))):
        num_tokens = int((run.training.tokenizer.gap_ranks(text) >= size - smallest).sum()) + 1
        st.caption(f"At size {number(size)}: {_figures(text, num_tokens)}")
        token_strip(model, key=f"two_sizes_{name}", merges=size - smallest, rows=3)


def _special_policy_input() -> str:
    return st.segmented_control(
        "Text that spells a special token", ["text", "allow", "reject"], default="text", required=True,
        key="special_policy", help=_POLICY_HELP, persist_state="session",
    )  # fmt: skip


def _figures(text: str, num_tokens: int) -> str:
    num_bytes = len(text.encode())
    measure = ratio(bytes_per_token(num_bytes, num_tokens))
    return f"{plural(num_tokens, 'token')} · {plural(num_bytes, 'byte')} · {measure} bytes per token of this sentence"


def ids_view(run: Run) -> None:
    """Ask for ids; show the text they spell and whether encoding would give the same ids."""
    text = st.text_area("Ids", "72, 111, 108, 109, 101, 115", key="pasted_ids", persist_state="session", height=80)
    how = st.segmented_control(
        "Bytes that are no text", list(_HOW_TO_DECODE), default="strict", required=True, key="decode_how",
        help="strict: an error names the first such byte. replace: each becomes \ufffd. bytes: hex, nothing lost.",
        persist_state="session",
    )  # fmt: skip
    ids = parse_ids(text)
    if not ids:
        return
    reading = read_ids(run.tokenizer, ids)
    st.caption(f"{plural(len(ids), 'id')}, {plural(len(reading.content), 'byte')}")
    with shell.errors_shown():
        shown = _HOW_TO_DECODE[how](run.tokenizer, ids)
        _code(shown)
        if not shown.replace("\n", "").isprintable() or shown.isspace():
            st.text(f"With what cannot be seen: {visible(shown.encode())}")
    st.text(canonical_sentence(ids, reading))


def _code(text: str) -> None:
    """Draw text that can be copied; a long one in a box of its own height."""
    st.code(text, language=None, wrap_lines=True, height=_HIGHEST if len(text) > _LONG_TEXT else "content")


def canonical_sentence(ids: list[int], reading: Reading) -> str:
    """Return whether `ids` are what encoding would give, in one sentence or two. Holds names of special tokens."""
    spelled = "this text" if reading.is_text else "these bytes, which are no text,"
    allowed = ""
    if reading.specials:
        named = ", ".join(reading.specials)
        allowed = f" with special tokens allowed (here: {named}; by default their names are ordinary text)"
    if ids == reading.canonical_ids:
        return f"These ids are canonical: encoding {spelled}{allowed} gives exactly them."
    better = " ".join(map(str, reading.canonical_ids[:40])) + (" …" if len(reading.canonical_ids) > 40 else "")
    return f"Not canonical: encoding {spelled}{allowed} gives {plural(len(reading.canonical_ids), 'id')}: {better}"


EXAMPLE = "The unhappiness of an unseen stranger, reëntered. 🙂"
_POLICY_HELP = "text: it is ordinary text. allow: it becomes the special token. reject: it is an error."
_WORD_HELP = (
    "A word after a space is another chunk than the same word alone, so both are shown. · stands for the space."
)
_HOW_TO_DECODE = {
    "strict": lambda tokenizer, ids: tokenizer.decode(ids),
    "replace": lambda tokenizer, ids: tokenizer.decode(ids, "replace"),
    "bytes": lambda tokenizer, ids: hex_bytes(tokenizer.decode_bytes(ids)),
}
