"""Every way to cut: what it means, against brute force, and all chunks at once against one by one."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core.chunks import ChunkCounts, count_chunks
from bpe_core.errors import BpeError
from bpe_core.orders import NEED_MERGES, ORDERS, cut, cut_all, cut_text, cutting, rounds, tables
from bpe_core.reference import merge_steps
from bpe_core.tokenizer import Tokenizer
from bpe_core.training import train

OTHERS = [order for order in ORDERS if order != "rank"]
ALPHABETS = ["a", "ab", "aab", "abc", "éè", "🙂🙃a"]


@st.composite
def texts(draw, max_size=14):
    letters = draw(st.sampled_from(ALPHABETS))
    return draw(st.text(letters, min_size=1, max_size=max_size))


@st.composite
def vocabularies(draw):
    """Either learned from a random text, or any nested list of distinct pairs, which no training need have made."""
    if draw(st.booleans()):
        learned = train(count_chunks([draw(texts(60))], "none"), 256 + draw(st.integers(0, 12)), min_count=1)
        return learned.tokenizer
    known, pairs = [*b"ab", 0xC3, 0xA9, *b"a"], []
    for _ in range(draw(st.integers(0, 10))):
        pair = draw(st.sampled_from(known)), draw(st.sampled_from(known))
        if pair not in pairs:
            pairs.append(pair)
            known.append(255 + len(pairs))
    return Tokenizer.from_merges(pairs, "none")


# --- brute force: the definitions taken literally, sharing nothing with the package -------


def every_cut(chunk, tokens):
    if not chunk:
        yield []
    for end in range(1, len(chunk) + 1):
        if chunk[:end] in tokens:
            for rest in every_cut(chunk[end:], tokens):
                yield [chunk[:end], *rest]


def replace_at(ids, pair, token_id, allowed):
    """Scan left to right; join where `pair` stands and its index is allowed."""
    out, at = [], 0
    while at < len(ids):
        if at + 1 < len(ids) and (ids[at], ids[at + 1]) == pair and at in allowed:
            out.append(token_id)
            at += 2
        else:
            out.append(ids[at])
            at += 1
    return out


def brute_force(tokenizer, chunk, order, p, seed):
    tokens = set(tokenizer.ids_of_tokens)
    if order == "longest match":
        return max(every_cut(chunk, tokens), key=lambda cut: [len(token) for token in cut])
    if order == "longest match from the end":
        return max(every_cut(chunk, tokens), key=lambda cut: [len(token) for token in cut[::-1]])
    if order == "fewest tokens":
        cuts = list(every_cut(chunk, tokens))
        fewest = min(map(len, cuts))
        return max((cut for cut in cuts if len(cut) == fewest), key=lambda cut: [len(token) for token in cut])
    return [tokenizer.vocabulary[token_id] for token_id in brute_merging(tokenizer, list(chunk), order, p, seed)]


def brute_merging(tokenizer, ids, order, p, seed):
    rules = {merge.pair: merge for merge in reversed(tokenizer.merges)}
    size, step = len(ids), 0
    if order == "reversed pass":
        for merge in tokenizer.merges[::-1]:
            ids = replace_at(ids, merge.pair, merge.token_id, range(size))
        return ids
    dropped = cutting.chunk_dropper(bytes(ids), p, seed)
    while True:
        found = [(rules[pair].rank, at) for at, pair in enumerate(pairwise(ids)) if pair in rules]
        if order == "dropout":
            gaps = np.cumsum([len(tokenizer.vocabulary[token_id]) for token_id in ids]).tolist()
            found = [(rank, at) for rank, at in found if not dropped(step, gaps[at])]
        if not found:
            return ids
        if order == "leftmost pair":
            rank, at = min(found, key=lambda candidate: candidate[1])
            allowed = {at}
        else:
            rank = (max if order == "reversed priority" else min)(rank for rank, _ in found)
            allowed = {at for other, at in found if other == rank}
        merge = tokenizer.merges[rank]
        ids = replace_at(ids, merge.pair, merge.token_id, allowed)
        step += 1


@settings(max_examples=200, deadline=None)
@given(vocabularies(), texts(10), st.sampled_from(ORDERS), st.sampled_from([0, 0.1, 0.5, 0.9, 1]), st.integers(0, 3))
def test_cut_equals_brute_force(tokenizer, text, order, p, seed):
    chunk = text.encode()[:14]

    found = cut(tokenizer, chunk, order, p=p, seed=seed)

    assert found == brute_force(
        tokenizer, chunk, "dropout" if order == "rank" else order, 0 if order == "rank" else p, seed
    )


@pytest.mark.parametrize("order", ORDERS)
@settings(max_examples=40, deadline=None)
@given(
    vocabularies(),
    st.lists(texts(20), min_size=1, max_size=8),
    st.sampled_from([0, 0.3, 1]),
    st.sampled_from([1, 7, 1 << 20]),
    st.sampled_from([1, 6, 400]),
    st.sampled_from([1, 2, 48]),
)
def test_cut_all_equals_cut_one_by_one(order, tokenizer, some_texts, p, block, heap_from, deepest):
    """Also when blocks are tiny, and when some chunks are cut by the heap, or some tokens outgrow the trie."""
    counts = ChunkCounts.from_counts({text.encode(): number + 1 for number, text in enumerate(some_texts)})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cutting, "_BLOCK", block)
        patch.setattr(rounds, "_HEAP_FROM", heap_from)
        patch.setattr(tables, "_DEEPEST", deepest)
        cuts = cut_all(tokenizer, counts, order, p=p, seed=5)

    assert [cuts.tokens(n) for n in range(len(counts))] == [cut(tokenizer, c, order, p=p, seed=5) for c in counts]
    assert cuts.num_tokens == sum(len(cuts.tokens(n)) * count for n, count in enumerate(counts.counts.tolist()))
    assert cuts.distinct_tokens() == {token for n in range(len(counts)) for token in cuts.tokens(n)}


def test_fewest_tokens_gives_ties_to_the_longest_first_token():
    tokenizer = Tokenizer.from_merges([(97, 97), (256, 256)], "none")

    for number in (3, 5, 6, 7, 203):
        chunk = b"a" * number
        expected = [b"aaaa"] * (number // 4) + {0: [], 1: [b"a"], 2: [b"aa"], 3: [b"aa", b"a"]}[number % 4]
        assert cut(tokenizer, chunk, "fewest tokens") == expected
        assert cut_all(tokenizer, ChunkCounts.from_counts({chunk: 1}), "fewest tokens").tokens(0) == expected


@settings(max_examples=60, deadline=None)
@given(vocabularies(), texts(30), st.data())
def test_every_order_keeps_the_bytes_and_fewest_is_a_floor(tokenizer, text, data):
    chunk = text.encode()
    tokenizer = tokenizer.with_vocab_size(256 + data.draw(st.integers(0, tokenizer.num_merges)))
    fewest = len(cut(tokenizer, chunk, "fewest tokens"))

    for order in ORDERS:
        tokens = cut(tokenizer, chunk, order, p=0.4, seed=1)

        assert b"".join(tokens) == chunk
        assert set(tokens) <= set(tokenizer.ids_of_tokens)
        assert len(tokens) >= fewest


@settings(max_examples=60, deadline=None)
@given(vocabularies(), texts(30), st.integers())
def test_dropout_at_its_ends(tokenizer, text, seed):
    chunk = text.encode()

    assert cut(tokenizer, chunk, "dropout", p=0, seed=seed) == cut(tokenizer, chunk, "rank")
    assert cut(tokenizer, chunk, "dropout", p=1, seed=seed) == [bytes([byte]) for byte in chunk]


def test_dropout_is_the_same_everywhere_and_each_seed_differs():
    """The values are pinned: another machine or version must give them too."""
    tokenizer = train(count_chunks(["abcabcabc bcabca"], "none"), 262).tokenizer
    samples = [cut(tokenizer, b"abcabcabc", "dropout", p=0.5, seed=seed) for seed in range(4)]

    assert [[len(token) for token in sample] for sample in samples] == PINNED
    assert len({tuple(sample) for sample in samples}) > 1


PINNED = [[3, 1, 2, 3], [3, 1, 2, 1, 2], [1, 1, 1, 1, 2, 1, 2], [1, 2, 3, 3]]


def test_dropout_is_a_tenth_and_its_seed_0_unless_told():
    tokenizer = Tokenizer.from_merges([(97, 98)], "none")
    counts = ChunkCounts.from_counts({b"ab" + str(n).encode(): 1 for n in range(2_000)})
    usual = cut_all(tokenizer, counts, "dropout").ends.tolist()

    assert cutting.check_order(tokenizer, "dropout", None, None) == (0.1, 0)
    assert usual == cut_all(tokenizer, counts, "dropout", p=0.1, seed=0).ends.tolist()
    assert usual != cut_all(tokenizer, counts, "dropout", p=0.1, seed=1).ends.tolist()
    assert [cut(tokenizer, chunk, "dropout") for chunk in counts] == [
        cut(tokenizer, chunk, "dropout", p=0.1, seed=0) for chunk in counts
    ]


def test_dropout_drops_the_share_that_was_asked_for():
    tokenizer = Tokenizer.from_merges([(97, 98)], "none")
    counts = ChunkCounts.from_counts({b"ab" + str(n).encode(): 1 for n in range(20_000)})
    bytes_left = cut_all(tokenizer, counts, "dropout", p=0.25, seed=3).num_tokens
    joined = counts.num_bytes - bytes_left

    assert joined == pytest.approx(15_000, abs=250)  # four standard deviations


def test_a_longer_chunk_is_cut_by_the_same_rules(monkeypatch):
    chunk = ("ab" * 40 + "aabb" * 40 + "é" * 30).encode()
    tokenizer = train(count_chunks([chunk.decode() * 2], "none"), 300).tokenizer
    fast = {order: cut(tokenizer, chunk, order, p=0.2) for order in ORDERS}
    monkeypatch.setattr(cutting, "_PLAIN_BELOW", 10_000)

    assert fast == {order: cut(tokenizer, chunk, order, p=0.2) for order in ORDERS}


def test_cut_text_cuts_chunk_by_chunk():
    tokenizer = train(count_chunks(["low lower lowest low"]), 262).tokenizer
    text = "low lower\n lowest 🙂"

    for order in ORDERS:
        chunks = cut_text(tokenizer, text, order)
        assert [b"".join(tokens) for tokens in chunks] == tokenizer.chunks(text)
    flat = [token for tokens in cut_text(tokenizer, text, "rank") for token in tokens]
    assert flat == [tokenizer.vocabulary[token_id] for token_id in tokenizer.encode(text)]


@pytest.mark.parametrize("order", ORDERS)
def test_an_empty_text_one_byte_and_bytes_that_no_merge_touches(order):
    tokenizer = Tokenizer.from_merges([(97, 98)], "gpt2")
    bare = tokenizer.with_vocab_size(256)

    assert cut(tokenizer, b"", order) == []
    assert cut_text(tokenizer, "", order) == []
    assert cut(tokenizer, b"a", order, p=0) == [b"a"]
    assert cut(tokenizer, b"\xff\x00z", order, p=0) == [b"\xff", b"\x00", b"z"]
    assert cut(bare, b"ab", order, p=0) == [b"a", b"b"]
    assert cut_all(bare, ChunkCounts.from_counts({}), order).num_tokens == 0


def test_cut_all_tells_progress_and_stops():
    counts = count_chunks(["low lower lowest"])
    seen = []

    assert cut_all(Tokenizer.from_merges([]), counts, "rank", on_progress=lambda *done: seen.append(done)) is not None
    assert seen == [(len(counts.data), len(counts.data))]
    assert cut_all(Tokenizer.from_merges([]), counts, "rank", on_progress=lambda *done: True) is None


@pytest.mark.parametrize(
    ("order", "options", "named"),
    [
        ("backwards", {}, "backwards"),
        ("dropout", {"p": 1.5}, "1.5"),
        ("dropout", {"p": -0.1}, "-0.1"),
        ("dropout", {"p": float("nan")}, "nan"),
        ("dropout", {"p": "half"}, "half"),
        ("dropout", {"seed": 1.5}, "1.5"),
    ],
)
def test_bad_settings_are_refused_by_name(order, options, named):
    tokenizer = Tokenizer.from_merges([(97, 98)])

    for call in (
        lambda: cut(tokenizer, b"ab", order, **options),
        lambda: cut_text(tokenizer, "ab", order, **options),
        lambda: cut_all(tokenizer, ChunkCounts.from_counts({b"ab": 1}), order, **options),
    ):
        with pytest.raises(BpeError, match=named):
            call()


@pytest.mark.parametrize("order", ORDERS)
def test_a_vocabulary_without_prefixes_is_cut_where_it_can_be(order):
    """`xyz` is made by no merge, so rank order never finds it, but longest match does."""
    plain = Tokenizer.from_merges([(97, 98)], "none")
    tokenizer = Tokenizer(
        plain.pattern, plain.byte_ids, plain.pairs, plain.token_ids, plain.ranks, lone_tokens={b"xyz": 300}
    )
    counts = ChunkCounts.from_counts({b"abxyz": 1, b"xyzab": 2})
    if order in NEED_MERGES:
        with pytest.raises(BpeError, match="made by no merge"):
            cut(tokenizer, b"abxyz", order)
    else:
        expected = [b"ab", b"x", b"y", b"z"] if order == "rank" else [b"ab", b"xyz"]
        assert cut(tokenizer, b"abxyz", order) == expected
        assert cut_all(tokenizer, counts, order).tokens(0) == expected


# --- worked examples ---------------------------------------------------------------------


def test_abc_rank_decides_not_length_and_not_position():
    tokenizer = Tokenizer.from_merges([(98, 99), (97, 98)], "none")

    assert cut(tokenizer, b"abc", "rank") == [b"a", b"bc"]
    for order in ("longest match", "reversed priority", "reversed pass"):
        assert cut(tokenizer, b"abc", order) == [b"ab", b"c"]


def test_low_the_leftmost_pair_is_wrong():
    tokenizer = Tokenizer.from_merges([(111, 119), (108, 111)], "none")

    assert cut(tokenizer, b"low", "rank") == [b"l", b"ow"]
    assert cut(tokenizer, b"low", "leftmost pair") == [b"lo", b"w"]


def test_gems_more_text_fewer_tokens():
    """The example of the crate `bpe` (rust-gems): ab, cb, ac, bb, cbb, acbb in rank order."""
    a, b, c, ab, cb, ac, bb, cbb = 97, 98, 99, 256, 257, 258, 259, 260
    tokenizer = Tokenizer.from_merges([(a, b), (c, b), (a, c), (b, b), (cb, b), (a, cbb)], "none")
    assert [tokenizer.vocabulary[i] for i in (ab, cb, ac, bb, cbb, 261)] == [
        b"ab",
        b"cb",
        b"ac",
        b"bb",
        b"cbb",
        b"acbb",
    ]

    assert cut(tokenizer, b"abacb", "rank") == [b"ab", b"a", b"cb"]
    assert cut(tokenizer, b"abacbb", "rank") == [b"ab", b"acbb"]
    assert cut(tokenizer, b"abacb", "longest match") == [b"ab", b"ac", b"b"]


@pytest.mark.parametrize(
    ("chunk", "rank", "reversed_pass"),
    [
        (b"low", [b"low"], [b"lo", b"w"]),
        (b"lower", [b"lower"], [b"lo", b"w", b"e", b"r"]),
        (b"lowest", [b"lowest"], [b"lo", b"w", b"e", b"s", b"t"]),
        (b"lowered", [b"lower", b"e", b"d"], [b"lo", b"w", b"e", b"r", b"e", b"d"]),
    ],
)
def test_low_lower_lowest_in_bytes(chunk, rank, reversed_pass):
    """The course's words without their end mark, and a word never seen in training."""
    steps = list(merge_steps({b"low": 5, b"lower": 2, b"lowest": 2}, 262, ties="first seen"))
    tokenizer = Tokenizer.from_merges([step.pair for step in steps], "none")
    assert [step.left + step.right for step in steps] == [b"lo", b"low", b"lowe", b"lower", b"lowes", b"lowest"]

    assert cut(tokenizer, chunk, "rank") == rank
    assert cut(tokenizer, chunk, "reversed pass") == reversed_pass


def test_reversed_priority_joins_all_occurrences_before_it_looks_again():
    """Choosing again after every single replacement would give another cut here."""
    tokenizer = Tokenizer.from_merges([(97, 98), (256, 97)], "none")

    assert cut(tokenizer, b"abab", "reversed priority") == [b"ab", b"ab"]
