"""The vocabulary table against counting tokens in the encoded text."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import bytes_per_token, train
from bpe_core.vocabulary_table import vocabulary_table

chunk_counts = st.dictionaries(st.text("aab", min_size=1, max_size=9).map(str.encode), st.integers(1, 5), max_size=5)


@given(chunk_counts, st.integers(0, 6), st.sampled_from([(), ("<|end|>", "<|pad|>")]))
def test_uses_equal_the_encoded_text_at_every_size(chunks, num_merges, specials):
    training = train(chunks, 262 + len(specials), specials=specials, min_count=1)
    num_merges = min(num_merges, training.tokenizer.num_merges)
    tokenizer = training.tokenizer.with_vocab_size(256 + len(specials) + num_merges)
    expected = Counter()
    for chunk, count in chunks.items():
        for token_id in tokenizer.encode_chunk(chunk):
            expected[token_id] += count

    table = vocabulary_table(training, num_merges)

    assert {i: n for i, n in zip(table.token_ids.tolist(), table.uses.tolist(), strict=True) if n} == expected
    assert table.tokens == tuple(tokenizer.vocabulary.values())
    assert int(table.uses.sum()) == training.token_totals[num_merges]


def test_merge_columns_hold_what_training_recorded():
    training = train({b"aaabdaaabac": 1}, 300, specials=["<|end|>"])

    table = vocabulary_table(training, 3)

    assert np.flatnonzero(table.is_special).tolist() == [256]
    assert table.tokens[256] == b"<|end|>"
    assert table.ranks[257:].tolist() == [0, 1, 2]
    assert list(zip(table.left_ids[257:].tolist(), table.right_ids[257:].tolist(), strict=True)) == [
        (97, 97),
        (97, 98),
        (257, 258),
    ]
    assert table.counts[257:].tolist() == [4, 2, 2]
    assert table.replaced[257:].tolist() == [2, 2, 2]
    assert table.tied[257:].tolist() == [1, 2, 1]
    assert table.tokens_before[257:].tolist() == [11, 9, 7]
    assert table.tokens_after[257:].tolist() == [9, 7, 5]
    assert bytes_per_token(11, int(table.tokens_after[-1])) == pytest.approx(2.2)
