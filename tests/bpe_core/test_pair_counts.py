"""Pairs counted afresh at any step are the pairs that the readable reference counts there."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import train
from bpe_core.pair_counts import PairCount, top_pairs
from bpe_core.reference import join, pair_counts

TEXTS = st.sampled_from(["a", "ab", "aab", "é a", "🙂e"]).flatmap(
    lambda letters: st.text(letters, min_size=1, max_size=9)
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(TEXTS.map(str.encode), st.integers(1, 4), max_size=6))
def test_top_pairs_are_those_of_the_reference_after_every_merge(chunk_counts):
    training = train(chunk_counts, 276, specials=("<|end|>",), min_count=1)
    chunks = [(list(chunk), count) for chunk, count in chunk_counts.items()]
    for k in range(training.tokenizer.num_merges + 1):
        wanted = pair_counts(chunks)
        top = top_pairs(training, k, number=10**6)
        assert {pair[:2]: pair.count for pair in top.best} == dict(wanted)
        assert [pair.count for pair in top.best] == sorted(wanted.values(), reverse=True)
        most = max(wanted.values(), default=0)
        assert [pair[:2] for pair in top.tied] == sorted(pair for pair, count in wanted.items() if count == most)
        if k < training.tokenizer.num_merges:
            left, right, _ = top.best[0]
            chunks = [(join(symbols, (left, right), 256 + k), count) for symbols, count in chunks]


@pytest.mark.parametrize(("number", "shown"), [(1, 1), (3, 3), (99, 4)])
def test_top_pairs_shows_so_many_but_lists_every_tie(number, shown):
    top = top_pairs(train({b"abcde": 2}, 256), 0, number)
    assert len(top.best) == shown
    assert top.tied == tuple(PairCount(left, left + 1, 2) for left in b"abcd")


def test_top_pairs_of_nothing_are_none():
    assert top_pairs(train({}, 256), 0) == ((), ())
