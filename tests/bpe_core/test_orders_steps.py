"""Encoding pass by pass, and the replay of the whole list: both must end in the cut itself."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_orders import texts, vocabularies

from bpe_core.errors import BpeError
from bpe_core.orders import cut, encode_rows, encode_steps, replay_steps
from bpe_core.orders.steps import KEPT_WHOLE, NO_RULE, NONE_SURVIVED, ONE_LEFT, TRACED
from bpe_core.tokenizer import Tokenizer

LOW = Tokenizer.from_merges([(111, 119), (108, 111), (108, 256)], "none")


@settings(max_examples=100, deadline=None)
@given(vocabularies(), texts(12), st.sampled_from(TRACED), st.sampled_from([0, 0.4, 1]))
def test_encode_steps_end_in_the_cut_of_the_order(tokenizer, text, order, p):
    chunk = text.encode()

    steps = list(encode_steps(tokenizer, chunk, order, p=p, seed=1))

    assert list(steps[-1].symbols) == cut(tokenizer, chunk, order, p=p, seed=1)
    assert steps[0].symbols == tuple(bytes([byte]) for byte in chunk)
    assert [step.number for step in steps] == list(range(len(steps)))
    for step, after in pairwise(steps):
        assert step.tokens_left == len(after.symbols) == len(step.symbols) - len(step.joined_at)
        assert all(step.ids[at : at + 2] == step.winner.pair for at in step.joined_at)
        assert b"".join(after.symbols) == chunk
        assert [(pair.left, pair.right) for pair in step.pairs] == list(
            zip(step.symbols, step.symbols[1:], strict=False)
        )
        assert all(pair.rank == tokenizer.rules.get(step.ids[pair.at : pair.at + 2], (None,))[0] for pair in step.pairs)
    assert [step.stopped_because is None for step in steps] == [True] * (len(steps) - 1) + [False]


def test_the_lower_rank_goes_first_although_the_other_stands_in_front():
    """The notes' example: `o w` has rank 2, `l o` 5, `l ow` 9; here the same order with ranks 0, 1, 2."""
    steps = list(encode_steps(LOW, b"low"))

    assert [step.symbols for step in steps] == [(b"l", b"o", b"w"), (b"l", b"ow"), (b"low",)]
    assert [[pair.rank for pair in step.pairs] for step in steps] == [[1, 0], [2], []]
    assert [step.winner and step.winner.rank for step in steps] == [0, 2, None]


@pytest.mark.parametrize(
    ("chunk", "order", "p", "why"),
    [
        (b"low", "rank", None, ONE_LEFT),
        (b"x", "rank", None, ONE_LEFT),
        (b"lowx", "rank", None, NO_RULE),
        (b"low", "leftmost pair", None, NO_RULE),
        (b"low", "dropout", 1, NONE_SURVIVED),
    ],
)
def test_encode_steps_say_why_they_ended(chunk, order, p, why):
    assert list(encode_steps(LOW, chunk, order, p=p))[-1].stopped_because == why


def test_all_occurrences_of_the_winner_are_joined_left_to_right():
    tokenizer = Tokenizer.from_merges([(97, 97)], "none")

    assert next(iter(encode_steps(tokenizer, b"aaabaa"))).joined_at == (0, 4)


def test_encode_rows_are_plain_text():
    rows = encode_rows(encode_steps(LOW, b"low "))

    assert rows[0] == (0, "l o w ·", "l o: 1; o w: 0; w ·: –", "o w", 0, 256, "1", 3, "")
    assert rows[-1] == (2, "low ·", "low ·: –", "", None, None, "", 2, NO_RULE)
    assert "dropped" in encode_rows(encode_steps(LOW, b"low", "dropout", p=1))[0].pairs_with_rank


@settings(max_examples=60, deadline=None)
@given(vocabularies(), texts(12))
def test_replay_steps_end_where_their_order_ends(tokenizer, text):
    chunk = text.encode()
    forwards, backwards = replay_steps(tokenizer, chunk), replay_steps(tokenizer, chunk, backwards=True)

    assert [step.rank for step in forwards] == [step.rank for step in backwards][::-1] == list(range(len(forwards)))
    for steps, order in ((forwards, "rank"), (backwards, "reversed pass")):
        tokens = len(cut(tokenizer, chunk, order))
        assert (steps[-1].tokens_left if steps else len(chunk)) == tokens
        assert len(chunk) - sum(step.matches for step in steps) == tokens


def test_replay_steps_tell_matches_from_skips():
    rows = [(step.left, step.right, step.matches, step.tokens_left) for step in replay_steps(LOW, b"lowlow")]

    assert rows == [(b"o", b"w", 2, 4), (b"l", b"o", 0, 4), (b"l", b"ow", 2, 2)]


def changed(**fields):
    kept = (LOW.pattern, LOW.byte_ids, LOW.pairs, LOW.token_ids, LOW.ranks)
    return Tokenizer(*kept, **fields)


def test_an_imported_vocabulary_is_followed_as_its_own_encoder_works():
    assert list(encode_steps(changed(lone_tokens={b"xyz": 400}), b"lowxyz"))[-1].symbols == (b"low", b"x", b"y", b"z")
    (step,) = encode_steps(changed(ignore_merges=True), b"ow")
    assert (step.symbols, step.stopped_because, step.tokens_left) == ((b"ow",), KEPT_WHOLE, 1)


def test_what_cannot_be_followed_is_refused():
    with pytest.raises(BpeError, match="empty"):
        encode_steps(LOW, b"")
    with pytest.raises(BpeError, match="empty"):
        replay_steps(LOW, b"")
    with pytest.raises(BpeError, match="step by step"):
        encode_steps(LOW, b"low", "longest match")
    with pytest.raises(BpeError, match="ignore_merges"):
        replay_steps(changed(ignore_merges=True), b"low")
