"""Traces of a few words: the well-known hand traces, and what every trace must keep."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import BpeError, count_chunks
from bpe_core.reference import ALPHABETS, TIE_RULES, join, merge_steps, show_end
from bpe_core.traces import TRACE_LIMIT, trace

WORDS = st.dictionaries(st.text("aabé🙂", min_size=1, max_size=8).map(str.encode), st.integers(1, 4), max_size=5)


def shown(spelling):
    return show_end(spelling) if isinstance(spelling, str) else spelling.decode()


@settings(max_examples=150, deadline=None)
@given(WORDS, st.sampled_from(TIE_RULES), st.sampled_from(ALPHABETS))
def test_trace_is_the_reference_with_its_cuts_at_every_step(words, ties, alphabet):
    made = trace(words, 12, ties=ties, alphabet=alphabet, min_count=1)
    assert made.steps == tuple(merge_steps(words, len(made.spellings), ties=ties, alphabet=alphabet, min_count=1))
    for word in made.words:
        symbols = list(word.symbols)
        for k in range(len(made.steps) + 1):
            cuts = [number + 1 for number, rank in enumerate(word.gap_ranks) if rank >= k]
            starts, ends = [0, *cuts], [*cuts, len(word.symbols)]
            tokens = [word.symbols[0][:0].join(word.symbols[a:b]) for a, b in zip(starts, ends, strict=True)]
            assert [made.spellings[s] if isinstance(s, int) else s for s in symbols] == tokens
            if k < len(made.steps):
                ids = [s if isinstance(s, int) else id_of(made, s) for s in symbols]
                symbols = join(ids, made.steps[k].pair, made.steps[k].token_id)


def id_of(made, spelling):
    return next(symbol for symbol, text in made.spellings.items() if text == spelling)


def test_trace_counts_begin_with_the_pair_that_is_joined():
    made = trace({b"abab": 1, b"cdcd": 1}, 3, ties="largest bytes", alphabet="bytes")
    for step, counts in zip(made.steps, made.counts, strict=False):
        assert counts[0] == (step.pair, step.count)
        assert sum(count == step.count for _, count in counts) == step.tied


def test_trace_of_low_lower_lowest_as_printed():
    words = {b"low": 5, b"lower": 2, b"lowest": 2}
    made = trace(words, 8, ties="first seen", alphabet="characters + </w>")
    assert [(step.left, shown(step.right), step.count) for step in made.steps] == [
        ("l", "o", 9), ("lo", "w", 9), ("low", "</w>", 5), ("low", "e", 4), ("lowe", "r", 2), ("lower", "</w>", 2),
        ("lowe", "s", 2), ("lowes", "t", 2),
    ]  # fmt: skip
    assert [step.tied for step in made.steps] == [2, 1, 1, 1, 5, 4, 3, 2]
    first = {" ".join(map(shown, made.spelled(pair))): count for pair, count in made.counts[0]}
    assert first == {"l o": 9, "o w": 9, "w </w>": 5, "w e": 4, "e r": 2, "r </w>": 2, "e s": 2, "s t": 2, "t </w>": 2}


@pytest.mark.parametrize(
    ("newest", "merges"),
    [
        pytest.param(2, [("l", "o", 7), ("lo", "w", 7)], id="two times newest: es has only 5 and cannot win"),
        pytest.param(
            6,
            [("e", "s", 9), ("es", "t", 9), ("est", "</w>", 9), ("l", "o", 7), ("lo", "w", 7)],
            id="six times newest: the corpus of the paper",
        ),
    ],
)
def test_trace_of_newest_as_printed(newest, merges):
    words = {b"low": 5, b"lower": 2, b"newest": newest, b"widest": 3}
    made = trace(words, len(merges), ties="first seen", alphabet="characters + </w>")
    assert [(step.left, shown(step.right), step.count) for step in made.steps] == merges


@pytest.mark.parametrize(
    ("ties", "learned"),
    [("smallest pair", [b"aa", b"ab", b"aaab"]), ("first seen", [b"aa", b"aaa", b"aaab"])],
)
def test_trace_of_the_wikipedia_example_has_two_right_answers(ties, learned):
    made = trace({b"aaabdaaabac": 1}, 3, ties=ties, alphabet="bytes")
    assert [step.left + step.right for step in made.steps] == learned
    assert (made.steps[0].count, made.steps[0].replaced) == (4, 2)


def test_trace_of_two_documents_joins_no_pair_across_them():
    made = trace(dict(count_chunks(["abab", "abac"], "none")), 4, ties="smallest pair", alphabet="bytes")
    assert [step.pair for step in made.steps] == [(97, 98)]
    assert dict(made.counts[0]) == {(97, 98): 3, (98, 97): 2, (97, 99): 1}
    assert made.stopped_because == "the best count is below min_count"


def test_trace_refuses_more_than_can_be_watched():
    with pytest.raises(BpeError, match="2,001 symbols"):
        trace({b"a" * (TRACE_LIMIT + 1): 1}, 3, ties="first seen", alphabet="bytes")


def test_trace_of_a_long_word_built_letter_by_letter():
    word = bytes(range(33, 127)) * 2 + bytes(range(128, 256))
    made = trace({word: 2}, 400, ties="first seen", alphabet="bytes")
    assert len(made.words[0].gap_ranks) == len(word) - 1
