"""Gap ranks: a truncated merge list, a naive replay and the gap ranks cut every text alike, at every prefix."""

from random import Random

import numpy as np
import pytest

from bpe_core import BpeError, Tokenizer, train
from bpe_core.gaps import NEVER, WALL, last_merges, packed, token_lengths, totals_by_size
from bpe_core.reference import join


def replayed(chunk, tokenizer, k):
    symbols = list(chunk)
    for merge in tokenizer.merges[:k]:
        symbols = join(symbols, merge.pair, merge.token_id)
    return symbols


def test_prefix_replay_and_gap_ranks_agree_at_every_size():
    random = Random(1)
    for _ in range(120):
        letters = random.choice(["a", "ab", "aab", "abc", "aaaab", "eé", "a😀"])
        words = ["".join(random.choices(letters, k=random.choice([1, 3, 9, 25]))).encode() for _ in range(4)]
        tokenizer = train({word: random.randint(1, 3) for word in words}, 280, min_count=1).tokenizer
        chunk = random.choice([*words, "".join(random.choices(letters, k=30)).encode()])
        gap_ranks = tokenizer.gap_ranks_of_chunks([chunk])
        totals = totals_by_size(gap_ranks, tokenizer.num_merges)
        for k in range(tokenizer.num_merges + 1):
            smaller = tokenizer.with_vocab_size(256 + k)
            ids = replayed(chunk, tokenizer, k)
            assert smaller.encode_chunk(chunk) == ids
            assert token_lengths(gap_ranks, k).tolist() == [len(smaller.vocabulary[token_id]) for token_id in ids]
            ranks = last_merges(gap_ranks, k)
            assert [rank + 256 for rank in ranks.tolist() if rank >= 0] == [i for i in ids if i >= 256]
            assert totals[k] == len(ids)
            assert totals_by_size(gap_ranks, k).tolist() == totals[: k + 1].tolist()


def test_gap_ranks_has_one_number_for_each_gap_and_walls_between_chunks():
    tokenizer = Tokenizer.from_merges([(97, 98), (256, 99)], "four-type")

    assert tokenizer.gap_ranks("").tolist() == []
    assert tokenizer.gap_ranks("a").tolist() == []
    assert tokenizer.gap_ranks("abc xbab").tolist() == [0, 1, WALL, WALL, NEVER, NEVER, 0]


def test_gap_ranks_need_a_nested_vocabulary():
    from dataclasses import replace

    broken = replace(Tokenizer.from_merges([(97, 98)]), ignore_merges=True)
    with pytest.raises(BpeError, match="ignore_merges"):
        broken.gap_ranks("ab")
    with pytest.raises(BpeError, match="ignore_merges"):
        broken.with_vocab_size(256)


@pytest.mark.parametrize(
    ("ranks", "kind", "expected"),
    [
        ([0, NEVER, WALL], "<u2", [0, 65534, 65535]),
        ([65_533, NEVER], "<u2", [65_533, 65534]),
        ([65_534, NEVER, WALL], "<u4", [65_534, 2**32 - 2, 2**32 - 1]),
        ([], "<u2", []),
    ],
)
def test_packed_keeps_never_and_wall_apart_from_every_rank(ranks, kind, expected):
    found = packed(np.array(ranks, np.int32))

    assert found.dtype == np.dtype(kind)
    assert found.tolist() == expected
