"""How evenly a vocabulary is used."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core.chunks import count_chunks
from bpe_core.errors import BpeError
from bpe_core.measures import bytes_per_token, characters_per_token, token_histogram
from bpe_core.tokenizer import Tokenizer
from bpe_core.training import train
from bpe_core.usage import fertility, jaccard, joins_of_word_and_punctuation, rarely_used, renyi_efficiency

histograms = st.lists(st.integers(0, 1000), min_size=2, max_size=30).map(np.array)


@given(histograms, st.sampled_from([0.5, 1, 2, 2.5, 3]))
def test_renyi_efficiency_is_its_formula_and_runs_from_0_to_1(histogram, alpha):
    shares = [use / histogram.sum() for use in histogram.tolist() if use]

    found = renyi_efficiency(histogram, alpha)

    if not shares:
        assert found is None
        return
    if alpha == 1:
        entropy = -sum(share * math.log(share) for share in shares)
    else:
        entropy = math.log(sum(share**alpha for share in shares)) / (1 - alpha)
    assert found == pytest.approx(entropy / math.log(len(histogram)), abs=1e-12)
    assert -1e-12 <= found <= 1 + 1e-12


@given(histograms.filter(lambda histogram: histogram.any()))
def test_renyi_efficiency_falls_as_alpha_grows_and_tends_to_shannon_at_1(histogram):
    values = [renyi_efficiency(histogram, alpha) for alpha in (0.5, 1, 2, 2.5, 4)]

    assert values == pytest.approx(sorted(values, reverse=True), abs=1e-9)
    assert renyi_efficiency(histogram, 1 + 1e-7) == pytest.approx(values[1], abs=1e-5)


@pytest.mark.parametrize("alpha", [0, -1, float("nan")])
def test_renyi_efficiency_refuses_an_alpha_that_is_none(alpha):
    with pytest.raises(BpeError, match="above 0"):
        renyi_efficiency(np.array([1, 2]), alpha)


def test_rarely_used_on_a_real_histogram():
    counts = count_chunks(["low lower lowest low"])
    tokenizer = train(counts, 262).tokenizer
    histogram = token_histogram(tokenizer, counts)

    assert rarely_used(histogram, 1).number == int((histogram == 0).sum())
    assert rarely_used(histogram[256:], 10**9) == (tokenizer.num_merges, 1.0)
    assert rarely_used(np.array([]), 5) == (0, None)


def test_ratios_of_an_empty_text_are_undefined():
    assert (bytes_per_token(0, 0), characters_per_token(0, 0), fertility(3, 0)) == (None, None, None)


def test_jaccard_of_two_vocabularies():
    one, other = (Tokenizer.from_merges(pairs).vocabulary.values() for pairs in ([(97, 98)], [(97, 98), (98, 99)]))

    assert jaccard(one, other) == 257 / 258
    assert jaccard(one, one) == 1
    assert jaccard([], []) is None


def test_joins_of_word_and_punctuation_are_what_boundaries_prevent():
    text = "end. end. end. don't don't a_b a_b 3.14 3.14 é! é!"
    for pattern, expected in (("none", True), ("four-type", False)):
        tokenizer = train(count_chunks([text] * 2, pattern), 330).tokenizer
        joins = [tokenizer.vocabulary[token_id] for token_id in joins_of_word_and_punctuation(tokenizer)]
        assert bool(joins) == expected


@pytest.mark.parametrize(
    ("token", "joins"),
    [
        ("e.", True),
        ("_.", True),
        ("a_b", False),
        (". ", False),
        ("a ", False),
        ("é!", True),
        ("3€", True),
        ("\x00a", False),
    ],
)
def test_a_join_has_both_kinds(token, joins):
    chain = [*token.encode()]
    pairs = [(chain[0], chain[1])] + [(256 + n, byte) for n, byte in enumerate(chain[2:])]
    tokenizer = Tokenizer.from_merges(pairs, "none")

    assert (tokenizer.ids_of_tokens[token.encode()] in joins_of_word_and_punctuation(tokenizer)) == joins
