"""The fast trainer is the reference, merge by merge; and what training promises beyond that."""

import os
import subprocess
import sys
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import BpeError, ChunkCounts, StopReason, count_chunks, merge_steps, train
from bpe_core.merging import epochs, one_merge, stopping
from bpe_core.merging.epochs import new_epoch
from bpe_core.merging.learning import Effort, learn
from bpe_core.merging.stopping import StopAsked, checker, go_on
from bpe_core.merging.token_slots import EDGE, TokenSlots

ROOT = Path(__file__).parents[2]
TEXTS = ROOT / "bpe_core" / "samples" / "texts"
CORPUS = ROOT / "tests" / "data" / "tie_rules" / "cs336_corpus.en"

ALPHABETS = ["a", "ab", "aab", "abc", "aaaab", "eé", "a😀", "abcdefgh "]
COUNTS = [1, 1, 2, 3, 7, 2**31 - 1, 2**31, 2**40, 2**53 + 1]
EFFORTS = [Effort(), Effort(1, 0, 0), Effort(2, 0, 1000), Effort(3, 0, 2), Effort(1, 0, 1000), Effort(600, 0.75, 0)]


@st.composite
def corpora(draw):
    letters = st.text(st.sampled_from(draw(st.sampled_from(ALPHABETS))), min_size=1, max_size=30)
    counts = st.sampled_from(COUNTS)
    return {chunk.encode(): count for chunk, count in draw(st.dictionaries(letters, counts, max_size=8)).items()}


def drained(generator):
    steps = []
    while True:
        try:
            steps.append(next(generator))
        except StopIteration as ended:
            return steps, ended.value


def rows(steps):
    return [(step.rank, tuple(step.pair), step.token_id, step.count, step.tied, step.replaced) for step in steps]


@pytest.mark.parametrize(
    ("many_ids", "block"), [(2**14, 2**18), (-(10**9), 2**18), (2**14, 1), (-(10**9), 3)],
    ids=["table of ids", "sorted neighbours", "blocks of 1", "both"],
)  # fmt: skip
@pytest.mark.parametrize("seed", range(3))
def test_learn_equals_the_reference_on_thousands_of_corpora(seed, many_ids, block, monkeypatch):
    monkeypatch.setattr(one_merge, "_MANY_IDS", many_ids)
    monkeypatch.setattr(epochs, "_BLOCK", block)
    random = Random(seed)
    for _ in range(750):
        letters = random.choice(ALPHABETS)
        words = (
            "".join(random.choices(letters, k=random.choice([1, 2, 3, 5, 9, 30]))) for _ in range(random.randint(0, 8))
        )
        chunks = {word.encode(): random.choice(COUNTS) for word in words}
        num_specials, min_count = random.choice([0, 0, 1, 5]), random.choice([1, 1, 2, 3])
        wanted, effort = random.choice([0, 1, 5, 60, 60, 40_000]), random.choice(EFFORTS)
        specials = [f"<{number}>" for number in range(num_specials)]
        first_id = 256 + num_specials
        steps, reason = drained(merge_steps(chunks, first_id + wanted, specials=specials, min_count=min_count))

        learned, why = learn(ChunkCounts.from_counts(chunks), first_id, wanted, min_count, effort=effort)

        columns = zip(learned.pairs, learned.counts, learned.tied, learned.replaced, strict=True)
        assert list(columns) == [(step.pair, step.count, step.tied, step.replaced) for step in steps], chunks
        assert why == reason, chunks


@pytest.mark.parametrize("num_ids", [256, 300, 40_000, 2**16, 2**16 + 1, 200_000])
@pytest.mark.parametrize("length", [0, 1, 2, 1_000, 600_000])
def test_an_epoch_follows_the_most_frequent_pairs_with_exact_counts_and_places(num_ids, length):
    random = np.random.default_rng(length)
    ids = np.append(random.integers(0, num_ids, 40), num_ids - 1)
    content = random.choice([EDGE, *ids.tolist()], length)
    weights = random.integers(1, 10, length)
    tokens = TokenSlots(content.astype(np.int32), weights)
    expected, places = Counter(), defaultdict(list)
    for at, pair in enumerate(pairwise(content.tolist())):
        if EDGE not in pair:
            expected[pair] += int(weights[at])
            places[pair].append(at)

    queue = new_epoch(tokens, num_ids, 20, 1, go_on)

    found = {}
    while pair := queue.take_best():
        found[pair.left, pair.right] = pair.count
        assert list(pair.positions) == places[pair.left, pair.right]
    assert found == {pair: count for pair, count in expected.items() if count >= queue.threshold}
    assert bool(found) == bool(expected)


@given(st.lists(st.text("ab", min_size=2, max_size=12), min_size=1, max_size=6), st.sampled_from([0, 2, 100]))
def test_a_merged_token_fills_the_slots_of_its_bytes_and_shows_its_id_at_both_ends(texts, few):
    tokens = TokenSlots.of_chunks(count_chunks(texts, "none"), 300)
    queue, names = new_epoch(tokens, 256, 600, 1, go_on), {EDGE: b"|", **{byte: bytes([byte]) for byte in range(256)}}
    for token_id in range(256, 300):
        if not (pair := queue.take_best()):
            break
        one_merge.merge(tokens, queue, pair, token_id, few)
        names[token_id] = names[pair.left] + names[pair.right]

        at, spelled = 0, b""
        while at < len(tokens.tokens):
            token = int(tokens.tokens[at])
            assert tokens.size(token) == len(names[token])
            at += tokens.size(token)
            assert tokens.endings[at - 1] == token
            spelled += names[token]
        assert {*filter(None, spelled.split(b"|"))} == {text.encode() for text in texts}


def test_ids_and_weights_take_no_more_room_than_they_must_and_no_less():
    few, many = ChunkCounts.from_counts({b"ab": 2**31 - 1}), ChunkCounts.from_counts({b"ab": 2**31})

    kinds = [TokenSlots.of_chunks(*of).tokens.dtype for of in ((few, 2**15), (few, 2**15 + 1))]
    assert kinds == [np.int16, np.int32]
    assert [TokenSlots.of_chunks(of, 300).weights.tolist()[1] for of in (few, many)] == [2**31 - 1, 2**31]
    assert train({b"ab": 2**31 - 1, b"xab": 2**31 - 1}, 257).counts.tolist() == [2**32 - 2]


@pytest.mark.parametrize("many_ids", [2**14, -(10**9)], ids=["table of ids", "sorted neighbours"])
def test_the_last_id_of_16_bits_is_not_taken_for_an_edge(many_ids, monkeypatch):
    monkeypatch.setattr(one_merge, "_MANY_IDS", many_ids)
    others, weights, places = np.array([65535, EDGE, 65535, 3]), np.array([5, 7, 2, 1]), np.array([10, 20, 30, 40])

    side = one_merge._side(others, weights, places, 65536, 2, left_out=65536)

    assert [(token, count, list(at)) for token, count, at in side.frequent] == [(65535, 7, [10, 30])]
    assert [side.count(token) for token in (65535, 3, 4)] == [7, 1, 0]


def test_more_merges_than_16_bits_have_numbers_are_learned_and_counted():
    random = Random(0)
    words = {"".join(random.choices("abcdefghijklmnopqrstuvwxyz", k=random.randint(1, 12))) for _ in range(34_000)}
    chunks = ChunkCounts.from_counts({word.encode(): 1 for word in sorted(words)})

    training = train(chunks, 140_000, min_count=1)

    assert training.tokenizer.num_merges > 2**16
    assert training.token_totals[-1] == len(chunks)  # every word has become one token
    symbols, _ = training.tokenizer.encode_distinct(chunks)
    assert len(symbols) == len(chunks)


@settings(max_examples=60)
@given(corpora(), st.sampled_from([(), ("<|end|>",), ("a", "b")]))
def test_train_equals_the_reference(chunks, specials):
    steps, reason = drained(merge_steps(chunks, 320, specials=specials))

    training = train(chunks, 320, specials=specials)

    assert rows(training.merges) == rows(steps)
    assert training.stopped_because == reason


@pytest.mark.parametrize(("file", "num_merges"), [("sherlock.txt", 80), ("btree.c", 40), ("emoji.txt", 40)])
def test_train_equals_the_reference_on_real_text(file, num_merges):
    counts = count_chunks([(TEXTS / file).read_text(encoding="utf-8")[:20_000]])
    steps, _ = drained(merge_steps(counts, 256 + num_merges))

    assert rows(train(counts, 256 + num_merges).merges) == rows(steps)


def test_train_forced_to_many_epochs_equals_itself_on_real_text():
    counts = count_chunks([(TEXTS / "shakespeare.txt").read_text(encoding="utf-8")])
    usual, reason = learn(counts, 256, 3000, 2)
    for effort in (Effort(20, 0, 0), Effort(5000, 1, 5000)):
        assert learn(counts, 256, 3000, 2, effort=effort) == (usual, reason)


@settings(max_examples=40)
@given(corpora(), st.randoms(use_true_random=False))
def test_train_does_not_depend_on_the_order_of_the_chunks(chunks, random):
    shuffled = list(chunks.items())
    random.shuffle(shuffled)

    assert rows(train(dict(shuffled), 300).merges) == rows(train(chunks, 300).merges)


@settings(max_examples=40)
@given(corpora())
def test_train_counts_never_rise_and_totals_follow_the_replacements(chunks):
    training = train(chunks, 320, min_count=1)

    assert (np.diff(training.counts) <= 0).all()
    assert (training.replaced <= training.counts).all()
    assert training.token_totals[0] == sum(len(chunk) * count for chunk, count in chunks.items())
    assert training.token_totals[-1] == sum(
        len(training.tokenizer.encode_chunk(chunk)) * count for chunk, count in chunks.items()
    )


def test_train_is_the_same_for_any_hash_seed_and_document_order():
    program = (
        "import sys; from bpe_core import count_chunks, train;"
        "lines = open(sys.argv[1], encoding='utf-8').read().splitlines(keepends=True);"
        "lines = lines[::int(sys.argv[2])];"
        "print([tuple(merge) for merge in train(count_chunks(lines), 499).merges])"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program, str(CORPUS), step],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed, step in [("1", "1"), ("2", "-1")]
    }
    assert len(outputs) == 1


# --- counts ------------------------------------------------------------------------------


def test_train_counts_in_64_bits():
    merges = train({b"the": 3_000_000_000, b"thx": 1}, 258).merges

    assert [(merge.pair, merge.count) for merge in merges] == [
        ((116, 104), 3_000_000_001),
        ((256, 101), 3_000_000_000),
    ]


def test_train_is_exact_near_the_largest_counts():
    chunks = {b"ab": 2**60 + 1, b"cd": 2**60 + 3, b"ad": 5}

    assert [(merge.pair, merge.count) for merge in train(chunks, 258).merges] == [
        ((99, 100), 2**60 + 3),
        ((97, 98), 2**60 + 1),
    ]


def test_learn_loses_no_pair_whose_count_floats_round_down():
    chunks = {b"ab": 2**53, b"1ab": 1, b"2ab": 1, b"cd": 2**53 + 2}  # as floats, one by one, ab comes to 2**53 only

    learned, _ = learn(ChunkCounts.from_counts(chunks), 256, 2, 2, effort=Effort(1, 0, 0))

    assert (learned.pairs, learned.tied) == ([(97, 98), (99, 100)], [2, 1])
    assert learned.counts == [2**53 + 2, 2**53 + 2]


# --- why it ends, what it refuses ------------------------------------------------------------


@pytest.mark.parametrize(
    ("chunks", "vocab_size", "min_count", "num_merges", "reason"),
    [
        ({}, 260, 2, 0, StopReason.NO_PAIR_LEFT),
        ({b"a": 9}, 260, 2, 0, StopReason.NO_PAIR_LEFT),
        ({b"ab": 1}, 300, 2, 0, StopReason.COUNT_TOO_LOW),
        ({b"ab": 1}, 300, 1, 1, StopReason.NO_PAIR_LEFT),
        ({b"ab": 9}, 257, 2, 1, StopReason.SIZE_REACHED),
        ({b"ab": 9}, 256, 2, 0, StopReason.SIZE_REACHED),
        ({b"abc": 2, b"abd": 1}, 300, 2, 2, StopReason.COUNT_TOO_LOW),
    ],
)
def test_train_says_why_it_ended(chunks, vocab_size, min_count, num_merges, reason):
    training = train(chunks, vocab_size, min_count=min_count)

    assert (len(training.merges), training.stopped_because) == (num_merges, reason)


def test_train_learns_vocabulary_size_minus_256_minus_specials():
    counts = count_chunks([CORPUS.read_text(encoding="utf-8")])

    training = train(counts, 1000, specials=["<|endoftext|>"])

    assert len(training.merges) == 743
    assert training.merges[0].token_id == 257


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"vocab_size": 255}, "256"),
        ({"vocab_size": 257, "specials": ["<a>", "<b>"]}, "258"),
        ({"vocab_size": 300, "min_count": 0}, "min_count"),
        ({"vocab_size": 300.5}, "whole number"),
        ({"vocab_size": "300"}, "whole number"),
        ({"vocab_size": 300, "min_count": 2.5}, "min_count is 2.5"),
        ({"vocab_size": 300, "specials": ["<a>", "<a>"]}, "twice"),
        ({"vocab_size": 300, "specials": [""]}, "empty"),
    ],
)
def test_train_refuses_impossible_settings(options, message):
    with pytest.raises(BpeError, match=message):
        train({b"aa bb aa": 1}, **options)


# --- progress and stop ----------------------------------------------------------------------


def test_train_tells_its_progress():
    seen = []
    train({b"abcabcabc": 5}, 258, on_progress=lambda done, wanted: seen.append((done, wanted)))

    assert seen[0] == (0, 2)
    assert seen[-1] == (2, 2)


def test_checker_asks_ten_times_a_second_and_ends_at_a_yes(monkeypatch):
    now, asked_at = 0.0, []
    monkeypatch.setattr(stopping, "monotonic", lambda: now)
    check = checker(lambda: asked_at.append(now))
    for milliseconds in range(1_050):
        now = milliseconds / 1000
        check()

    assert asked_at == pytest.approx([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1], abs=0.01)
    with pytest.raises(StopAsked):
        checker(lambda: True)()


def test_train_stops_when_asked_and_keeps_its_merges(monkeypatch):
    monkeypatch.setattr(stopping, "_SECONDS_BETWEEN_CALLS", 0)
    counts = count_chunks([(TEXTS / "shakespeare.txt").read_text(encoding="utf-8")])
    whole = train(counts, 5000)

    stopped = train(counts, 5000, on_progress=lambda done, wanted: done >= 100)

    assert stopped.stopped_because == StopReason.STOPPED
    assert len(stopped.merges) == 100
    assert stopped.merges == whole.merges[:100]
    assert stopped.tokenizer.vocab_size == 356


def test_train_stopped_at_any_moment_keeps_whole_merges(monkeypatch):
    monkeypatch.setattr(stopping, "_SECONDS_BETWEEN_CALLS", 0)
    chunks = {b"a" * 99: 2, b"abab" * 20: 3, b"abc": 1}
    every_call = []
    whole = train(chunks, 262, on_progress=lambda done, wanted: every_call.append(done))
    *moments, last = every_call

    assert last == 6
    assert len(moments) > 20
    for moment, done in enumerate(moments):
        calls = iter(range(len(every_call)))
        stopped = train(chunks, 262, on_progress=lambda done, wanted, calls=calls, moment=moment: next(calls) == moment)
        assert (stopped.stopped_because, stopped.merges) == (StopReason.STOPPED, whole.merges[:done])


def test_train_takes_a_single_chunk_of_a_megabyte():
    text = (TEXTS / "btree.c").read_text(encoding="utf-8") * 8

    training = train(count_chunks([text], "none"), 300)

    assert len(training.merges) == 44
    assert training.token_totals[-1] == len(training.tokenizer.encode(text))
