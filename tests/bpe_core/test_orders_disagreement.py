"""Where two orders part, over a text, against a count by hand; and why, on every chunk that parts."""

from collections import Counter
from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_orders import texts, vocabularies

from bpe_core.chunks import ChunkCounts, count_chunks
from bpe_core.disagreement import (
    disagreement,
    disagreement_by_size,
    most_frequent_parted,
    parted_chunks,
    shortest_parted,
    sizes_to_compare,
)
from bpe_core.errors import BpeError
from bpe_core.orders import ORDERS, cut, cut_all
from bpe_core.orders.partings import why_parted
from bpe_core.tokenizer import Tokenizer
from bpe_core.training import train


def inner_boundaries(tokens):
    return set(accumulate(map(len, tokens[:-1])))


@settings(max_examples=60, deadline=None)
@given(vocabularies(), st.lists(texts(), max_size=8), st.sampled_from(ORDERS), st.sampled_from(ORDERS))
def test_disagreement_counts_occurrences_one_by_one(tokenizer, some_texts, order, other):
    counts = ChunkCounts.from_counts(Counter(text.encode() for text in some_texts))
    one, two = cut_all(tokenizer, counts, order, p=0.3), cut_all(tokenizer, counts, other, p=0.3)
    apart, tokens, shared, inner = 0, [0, 0], 0, 0
    for text in some_texts:
        cuts = [cut(tokenizer, text.encode(), name, p=0.3) for name in (order, other)]
        apart += cuts[0] != cuts[1]
        tokens = [total + len(found) for total, found in zip(tokens, cuts, strict=True)]
        bounds = [inner_boundaries(found) for found in cuts]
        shared, inner = shared + len(bounds[0] & bounds[1]), inner + len(bounds[0]) + len(bounds[1])

    found = disagreement(tokenizer, one, two)

    assert found.num_tokens == tokens[0]
    assert found.in_vocabulary
    if some_texts:
        assert found.more_tokens == pytest.approx(tokens[0] / tokens[1] - 1)
        assert found.chunks_apart == apart / len(some_texts)
        assert found.boundary_f1 == (2 * shared / inner if inner else 1)
        distinct = {text: cut(tokenizer, text.encode(), order, p=0.3) for text in some_texts}
        differing = [t for t, tokens in distinct.items() if tokens != cut(tokenizer, t.encode(), other, p=0.3)]
        assert found.distinct_chunks_apart == len(differing) / len(distinct)
        shortest = shortest_parted(one, two)
        assert (shortest is None) == (not differing)
        if shortest:
            least = min(len(text.encode()) for text in differing)
            best = max(counts[t.encode()] for t in differing if len(t.encode()) == least)
            assert (len(shortest.chunk), shortest.count) == (least, best)
    else:
        assert found[2:6] == (None, None, None, None)


def test_the_most_frequent_chunks_that_part_come_first():
    tokenizer = Tokenizer.from_merges([(98, 99), (97, 98)], "none")
    counts = ChunkCounts.from_counts({b"abcd": 1, b"abc": 5, b"bc": 9, b"zabc": 5})
    cuts = [cut_all(tokenizer, counts, order) for order in ("rank", "longest match")]

    rows = most_frequent_parted(*cuts, 2)

    assert [(row.chunk, row.count) for row in rows] == [(b"abc", 5), (b"zabc", 5)]
    assert rows[0].first, rows[0].second == ((b"a", b"bc"), (b"ab", b"c"))
    assert shortest_parted(*cuts).chunk == b"abc"


def test_a_cut_that_is_no_vocabulary_is_noticed():
    """The cuts of a large vocabulary are not all entries of a smaller one."""
    counts = count_chunks(["low lower lowest low low"])
    tokenizer = train(counts, 262).tokenizer
    cuts = cut_all(tokenizer, counts, "rank")

    assert disagreement(tokenizer, cuts, cuts).in_vocabulary
    assert not disagreement(tokenizer.with_vocab_size(256), cuts, cuts).in_vocabulary


def test_cuts_of_two_texts_are_not_compared():
    tokenizer = Tokenizer.from_merges([])
    one, two = (cut_all(tokenizer, ChunkCounts.from_counts({chunk: 1}), "rank") for chunk in (b"ab", b"cd"))

    with pytest.raises(BpeError, match="two different texts"):
        parted_chunks(one, two)


def test_disagreement_by_size_has_a_row_for_each_and_stops_when_told():
    counts = count_chunks(["the cat sat on the mat, the hat that the cat has"])
    tokenizer = train(counts, 280).tokenizer
    sizes = sizes_to_compare(256, tokenizer.vocab_size, 4)
    orders = ["longest match", "reversed pass"]

    rows = disagreement_by_size(tokenizer, counts, orders, sizes)

    assert [(row.vocab_size, row.disagreement.order) for row in rows] == [(s, o) for s in sizes for o in orders]
    assert rows[0].disagreement[2:6] == (0, 0, 0, 1)
    for size, row in zip(sizes, rows[::2], strict=True):
        smaller = tokenizer.with_vocab_size(size)
        assert row.disagreement.num_tokens == cut_all(smaller, counts, "longest match").num_tokens
    assert disagreement_by_size(tokenizer, counts, orders, sizes, on_progress=lambda done, _: done == 3) == rows[:3]


@settings(max_examples=150, deadline=None)
@given(vocabularies(), texts(12), st.sampled_from(ORDERS), st.sampled_from(ORDERS), st.sampled_from([0.3, 0.9]))
def test_why_parted_finds_the_first_place_and_a_merge_that_was_made_there(tokenizer, text, first, second, p):
    chunk = text.encode()
    cuts = {order: cut(tokenizer, chunk, order, p=p, seed=2) for order in (first, second)}

    parting = why_parted(tokenizer, chunk, first, second, p=p, seed=2)

    if cuts[first] == cuts[second]:
        assert parting is None
        return
    longer, shorter = cuts[parting.longer_order], cuts[parting.shorter_order]
    same = next(n for n in range(len(longer)) if longer[n] != shorter[n])
    assert parting.start == len(b"".join(longer[:same]))
    assert (longer[same], shorter[same]) == (parting.longer, parting.shorter)
    assert len(parting.longer) > len(parting.shorter)
    if parting.shorter_order in ("rank", "reversed priority", "leftmost pair"):
        assert parting.rank is not None
    if parting.rank is not None:
        merge = tokenizer.merges[parting.rank]
        assert tuple(tokenizer.vocabulary[part] for part in merge.pair) == (parting.left, parting.right)
        assert any(parting.left + parting.right in token for token in shorter[same:])
    assert parting.shorter_order != "longest match"


@pytest.mark.parametrize(
    ("pairs", "chunk", "first", "second", "sentence"),
    [
        ([(101, 114), (115, 117), (112, 256), (257, 258)], b"superc", "longest match", "rank", None),
        (
            [(101, 114), (115, 117), (257, 112), (258, 101)],
            b"super",
            "longest match",
            "rank",
            "rank order joined `e r` (rank 0) before `supe` could form",
        ),
        (
            [(111, 119), (108, 111)],
            b"low",
            "leftmost pair",
            "rank",
            "rank order joined `o w` (rank 0) before `lo` could form",
        ),
        (
            [(108, 111), (256, 119)],
            b"low",
            "reversed pass",
            "rank",
            "reversed pass was past the merge that makes `low` when its parts stood ready, and keeps `lo`",
        ),
        (
            [(97, 98), (99, 100), (98, 257), (256, 99)],
            b"abcd",
            "longest match",
            "fewest tokens",
            None,
        ),
        (
            [(97, 98), (98, 99), (257, 100)],
            b"abcd",
            "longest match",
            "longest match from the end",
            "longest match from the end took `bcd` first, which reaches past the end of `ab`",
        ),
        (
            [(97, 98), (98, 99), (257, 100)],
            b"abcd",
            "longest match",
            "fewest tokens",
            "fewest tokens stops at `a` although `ab` fits, because so 2 tokens are enough; longest match needs 3",
        ),
        (
            [(108, 111)],
            b"lo",
            "dropout",
            "rank",
            "dropout dropped every merge that was left on the way to `lo`, and ended with `l`",
        ),
        (
            [(32, 60), (60, 10)],
            b" <\n",
            "leftmost pair",
            "reversed pass",
            "reversed pass joined `< ↵` (rank 1) before `·<` could form",
        ),
    ],
)
def test_why_parted_says_it_in_one_sentence(pairs, chunk, first, second, sentence):
    parting = why_parted(Tokenizer.from_merges(pairs, "none"), chunk, first, second, p=1)

    assert (parting and parting.sentence) == sentence


def test_why_parted_needs_merges():
    plain = Tokenizer.from_merges([(97, 98)], "none")
    tokenizer = Tokenizer(
        plain.pattern, plain.byte_ids, plain.pairs, plain.token_ids, plain.ranks, lone_tokens={b"xyz": 300}
    )

    with pytest.raises(BpeError, match="made by no merge"):
        why_parted(tokenizer, b"xyz", "longest match")
