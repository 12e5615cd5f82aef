"""Figures that follow from the tokens at every size, budgets and baselines, each against a count by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_orders import texts

from bpe_core.baselines import baselines, count_words
from bpe_core.budgets import USUAL_BUDGETS, budget_table, check_budget, embedding_cost
from bpe_core.chunks import ChunkCounts, count_chunks
from bpe_core.curves import decimated, gap_percent, known_share, per_token, saved_per_entry, stops_paying
from bpe_core.errors import BpeError
from bpe_core.measures import token_totals
from bpe_core.reference import StopReason
from bpe_core.training import train


@settings(max_examples=30, deadline=None)
@given(texts(60), texts(60), st.sampled_from(["none", "gpt2", "four-type"]))
def test_the_curve_is_what_each_shorter_vocabulary_gives_and_never_rises(learned, measured, pattern):
    training = train(count_chunks([learned], pattern), 280)
    for text in (learned, measured):
        totals = token_totals(training.tokenizer, count_chunks([text], pattern)).tolist()
        sizes = [training.tokenizer.with_vocab_size(256 + k) for k in range(len(totals))]

        assert totals == [len(tokenizer.encode(text)) for tokenizer in sizes]
        assert totals == sorted(totals, reverse=True)
        assert totals[0] == len(text.encode())


def test_per_token_is_undefined_without_tokens():
    assert np.isnan(per_token(0, np.zeros(3))).all()
    assert gap_percent(np.array([4.0]), np.array([3.0])).tolist() == [25]


def test_saved_per_entry_takes_what_there_is():
    totals = np.array([100, 60, 40, 39])

    assert saved_per_entry(totals, 1) == 40
    assert saved_per_entry(totals, 3, over=2) == 10.5
    assert saved_per_entry(totals, 3, over=100) == pytest.approx(61 / 3)
    with pytest.raises(BpeError, match="0 to 3"):
        saved_per_entry(totals, 4)


@pytest.mark.parametrize(
    ("share", "over", "expected"), [(0, 1, None), (0.05, 1, 2), (0.5, 1, 0), (1, 1, 0), (0.4, 3, 1), (0.5, 9, None)]
)
def test_stops_paying_is_the_first_size_whose_next_merges_save_too_little(share, over, expected):
    assert stops_paying(np.array([100, 60, 40, 39, 39]), share, over) == expected


@pytest.mark.parametrize(("share", "over"), [(-0.1, 1), (1.1, 1), (float("nan"), 1), (0.1, 0)])
def test_stops_paying_refuses_what_is_no_threshold(share, over):
    with pytest.raises(BpeError):
        stops_paying(np.array([3, 2, 1]), share, over)


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 70_000), st.integers(4, 2_500), st.lists(st.integers(-5, 80_000), max_size=2))
def test_decimated_keeps_ends_and_markers_and_its_limit(num_points, most, keep):
    points = decimated(num_points, most, keep).tolist()

    assert points == sorted(set(points))
    assert len(points) <= max(most, 0)
    assert points[0] == 0
    assert points[-1] == num_points - 1
    assert {point for point in keep if 0 <= point < num_points} <= set(points)
    assert len(points) == num_points or num_points > most


def test_decimated_is_dense_enough_to_draw():
    points = decimated(32_001)

    assert len(points) > 1_000
    assert points[:100].tolist() == list(range(100))
    with pytest.raises(BpeError, match="Keep fewer"):
        decimated(100, 3, keep=range(9))


def test_known_share_counts_repeats():
    train_side = ChunkCounts.from_counts({b"low": 1, b"er": 4})

    assert known_share(train_side, ChunkCounts.from_counts({b"low": 3, b"new": 1})) == 0.75
    assert known_share(train_side, ChunkCounts.from_counts({})) is None


# --- budgets -----------------------------------------------------------------------------


def test_budgets_the_same_split_at_three_budgets():
    """A lesson's example: the third budget asks for 12 merges, and 6 can be learned."""
    training = train(count_chunks(["abababab", "café café"], "none"), 256 + 12)
    held_out = count_chunks(["abac", "తెలుగు🙂"], "none")

    rows = budget_table(training, held_out, [0, 4, 12])

    assert [row.requested for row in rows] == [0, 4, 12]
    assert [row.learned for row in rows] == [0, 4, 6]
    assert [row.reached for row in rows] == [True, True, False]
    assert [row.train[:3] for row in rows] == [(19, 17, 19), (19, 17, 9), (19, 17, 5)]
    assert [row.held_out[:3] for row in rows] == [(26, 11, 26), (26, 11, 25), (26, 11, 25)]
    assert rows[2].train[3:] == (19 / 5, 17 / 5)
    learned = [[training.tokenizer.vocabulary[part] for part in merge.pair] for merge in training.merges]
    assert learned == [
        [b"a", b"b"],
        [b"ab", b"ab"],
        [b"a", b"f"],
        [b"c", b"af"],
        [b"\xc3", b"\xa9"],
        [b"caf", b"\xc3\xa9"],
    ]


def test_an_early_stop_is_told_by_the_merges_learned():
    training = train(count_chunks(["low lower lowest low"]), 2048)

    (row,) = budget_table(training, None, [2048 - 256])

    assert row.learned == training.tokenizer.num_merges < 1792
    assert training.stopped_because is StopReason.COUNT_TOO_LOW
    assert (row.reached, row.held_out) == (False, None)


def test_usual_budgets_end_with_all():
    rows = budget_table(train(count_chunks(["low lower lowest low"]), 2048))

    assert [row.requested for row in rows] == list(USUAL_BUDGETS)
    assert rows[-1].reached
    assert rows[-1].learned == rows[-2].learned
    assert not rows[-2].reached


def test_the_ratios_of_an_empty_side_are_undefined():
    training = train(count_chunks(["low low"]), 260)

    (row,) = budget_table(training, count_chunks([""]), [1])

    assert row.held_out == (0, 0, 0, None, None)


@pytest.mark.parametrize("budget", [-1, 1.5, 2.0, True, "-1", "1.5", "many", "", "²", "9" * 5000, float("nan"), [1]])
def test_a_budget_that_is_no_whole_number_is_refused(budget):
    with pytest.raises(BpeError, match="whole number"):
        check_budget(budget)


def test_embedding_cost_of_gemma_3_1b():
    """Its report, table 1: 302 million embedding parameters, 698 million others."""
    tied = embedding_cost(262_144, 1_152, tied=True, other_parameters=698_000_000)

    assert round(tied.parameters, -6) == 302_000_000
    assert round(tied.share, 3) == 0.302
    assert embedding_cost(262_144, 1_152, tied=False) == (2 * tied.parameters, None)
    for wrong in ({"vocab_size": 0, "width": 1}, {"vocab_size": 1, "width": 0}):
        with pytest.raises(BpeError, match="1 or more"):
            embedding_cost(**wrong, tied=True)
    with pytest.raises(BpeError, match="0 or more"):
        embedding_cost(1, 1, tied=True, other_parameters=-1)


# --- baselines ------------------------------------------------------------------------------


def test_baselines_count_what_the_training_text_never_had():
    by_bytes, by_characters, by_words = baselines(["café au lait", "au"], ["café  olé\n", "au"])

    assert by_bytes == ("bytes", 256, 14, 1.0, 12 / 14, 0.0)
    assert by_characters == ("characters", 9, 12, 14 / 12, 1.0, 2 / 12)  # o and the line feed are new
    assert by_words == ("words", 3, 3, 14 / 3, 4.0, 1 / 3)


def test_baselines_of_nothing_are_undefined():
    for row in baselines(["a"], [""]):
        assert row[2:] == (0, None, None, None)


def test_count_words_cuts_at_white_space_of_any_kind():
    assert count_words(["a b\u00a0c\u3000d", "\n"]) == 4
