"""Rank order: the scan, the heap, all chunks at once and the replay of a long one give the same tokens."""

from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest

from bpe_core.chunks import ChunkCounts, count_chunks
from bpe_core.encoding.long_chunk import encode_long_chunk
from bpe_core.encoding.many_chunks import encode_chunks
from bpe_core.encoding.nested import NestedVocabulary
from bpe_core.encoding.one_chunk import _by_heap, _by_scan, encode_symbols
from bpe_core.encoding.pair_table import PairTable
from bpe_core.gaps import NEVER
from bpe_core.measures import token_histogram, token_totals
from bpe_core.merging.pair_queue import pair_key
from bpe_core.tokenizer import Tokenizer
from bpe_core.training import train

TEXTS = Path(__file__).parents[2] / "bpe_core" / "samples" / "texts"


def random_pairs(random, letters):
    """Merges as a careless hand might write them: nested, but some never fire and some stand twice."""
    pairs = []
    for rank in range(random.choice([0, 1, 3, 10, 50])):
        symbols = [*letters, *range(256, 256 + rank)]
        pairs.append((random.choice(symbols), random.choice(symbols)))
    return np.array(pairs, np.int64).reshape(-1, 2)


def rules_of(pairs, num_merges):
    rules = {}
    for rank, pair in enumerate(map(tuple, pairs[:num_merges].tolist())):
        rules.setdefault(pair, (rank, 256 + rank))
    return rules


def cases(seed, number):
    random = Random(seed)
    for _ in range(number):
        letters = random.choice([b"a", b"ab", b"abc", bytes(range(97, 105))])
        pairs = random_pairs(random, letters)
        lengths = random.choices([1, 2, 3, 8, 20, 60], k=random.choice([0, 1, 3, 20]))
        yield pairs, random.randint(0, len(pairs)), [bytes(random.choices(letters, k=length)) for length in lengths]


def side_by_side(chunks):
    return np.frombuffer(b"".join(chunks), np.uint8), np.cumsum([0, *map(len, chunks)])


def test_all_chunks_at_once_equal_one_by_one():
    for pairs, num_merges, chunks in cases(1, 800):
        rules = rules_of(pairs, num_merges)

        symbols, offsets = encode_chunks(*side_by_side(chunks), PairTable(pairs), num_merges)

        found = [symbols[start:end].tolist() for start, end in pairwise(offsets)]
        assert found == [encode_symbols(chunk, rules) for chunk in chunks]


def test_replay_of_a_long_chunk_equals_the_heap():
    for pairs, num_merges, chunks in cases(2, 500):
        ranks = {}
        for rank, pair in enumerate(pairs.tolist()):
            ranks.setdefault(pair_key(*pair), rank)
        for chunk in [*chunks[:2], b"".join(chunks)]:
            if chunk:
                found = encode_long_chunk(np.frombuffer(chunk, np.uint8), ranks, num_merges).tolist()
                assert found == _by_heap(list(chunk), rules_of(pairs, num_merges))


def test_heap_equals_scan_for_any_rules():
    random = Random(3)
    for _ in range(800):
        symbols = [*range(97, 97 + random.randint(1, 3)), *range(256, 262)]
        rules = {
            (random.choice(symbols), random.choice(symbols)): (random.randint(0, 5), random.choice(symbols[-6:]))
            for _ in range(random.randint(0, 12))
        }
        chunk = random.choices(symbols[:-6], k=random.choice([0, 1, 2, 9, 30]))
        assert _by_heap(list(chunk), rules) == _by_scan(list(chunk), rules)


def test_nested_vocabulary_gives_long_and_short_chunks_in_their_order():
    pairs = np.array([[97, 98], [256, 256], [257, 97]])
    chunks = [b"ab", b"ab" * 2000, b"a", b"ba" * 3000, b"abab"]
    symbols, offsets = NestedVocabulary(pairs).encode(*side_by_side(chunks), 3)

    found = [symbols[start:end].tolist() for start, end in pairwise(offsets)]
    assert found == [encode_symbols(chunk, rules_of(pairs, 3)) for chunk in chunks]


def test_pair_table_knows_every_pair_and_no_other():
    random = np.random.default_rng(1)
    for number in (0, 1, 5, 3000):
        pairs = random.integers(0, 256 + number, (number, 2))
        expected = {}
        for rank, pair in enumerate(map(tuple, pairs.tolist())):
            expected.setdefault(pair, rank)
        asked = np.concatenate([pairs, random.integers(0, 256 + number, (5000, 2))])

        found = PairTable(pairs).ranks(asked[:, 0], asked[:, 1])

        assert found.tolist() == [expected.get(pair, NEVER) for pair in map(tuple, asked.tolist())]


@pytest.mark.parametrize("file", ["sherlock.txt", "btree.c", "emoji.txt"])
def test_totals_and_histogram_equal_one_by_one_on_real_text(file):
    text = (TEXTS / file).read_text(encoding="utf-8")
    tokenizer = train(count_chunks([text[:30_000]]), 700).tokenizer
    counts = count_chunks([text[30_000:50_000]])

    histogram = np.zeros(256 + tokenizer.num_merges, np.int64)
    for chunk, count in counts.items():
        np.add.at(histogram, tokenizer.symbols_of_ids[tokenizer.encode_chunk(chunk)], count)

    assert token_histogram(tokenizer, counts).tolist() == histogram.tolist()
    totals = token_totals(tokenizer, counts)
    for num_merges in (0, 1, 100, tokenizer.num_merges):
        smaller = tokenizer.with_vocab_size(256 + num_merges)
        assert totals[num_merges] == sum(len(smaller.encode_chunk(chunk)) * n for chunk, n in counts.items())


def test_totals_count_in_64_bits():
    tokenizer = Tokenizer.from_merges([(97, 98)])

    assert token_totals(tokenizer, ChunkCounts.from_counts({b"abc": 2**60 + 1})).tolist() == [
        3 * (2**60 + 1),
        2 * (2**60 + 1),
    ]


@pytest.mark.parametrize("text", ["a" * 100_000, "ab" * 50_000, "_" * 99_999 + "b"])
def test_a_chunk_of_100_000_bytes_is_encoded_as_by_the_heap(text):
    tokenizer = train({b"aaaaaaaa" * 4: 3, b"abab" * 8: 3, b"____" * 4: 3}, 280).tokenizer

    found = Tokenizer.from_merges(tokenizer.pairs.tolist(), "none").encode(text)

    assert found == _by_heap(list(text.encode()), tokenizer.rules)


# --- tiktoken, from our own merges ------------------------------------------------------------


def differing_from_tiktoken(tokenizer, samples):
    """Those of `samples` whose ids tiktoken gives otherwise; each is explained by its rule.

    tiktoken merges whatever pair spells a token, by that token's rank; BPE only the pairs that were learned.
    So a pair that was never learned may join where its bytes are a token made of other parts.
    Where the two differ, replaying tiktoken's rule must give tiktoken's ids.
    """
    tiktoken = pytest.importorskip("tiktoken")
    ranks = {token: token_id for token_id, token in tokenizer.vocabulary.items()}
    peer = tiktoken.Encoding("ours", pat_str=tokenizer.pattern.regexes[0], mergeable_ranks=ranks, special_tokens={})
    theirs = {sample: peer.encode_ordinary(sample) for sample in samples}
    differing = [sample for sample in samples if tokenizer.encode(sample) != theirs[sample]]
    for sample in differing:
        replayed = [i for chunk in tokenizer.chunks(sample) for i in joined_by_bytes(chunk, ranks)]
        assert replayed == theirs[sample], sample
    return differing


def test_encode_by_learned_merges_equals_tiktoken():
    text = "".join(
        (TEXTS / file).read_text(encoding="utf-8")[:60_000] for file in ("sherlock.txt", "btree.c", "emoji.txt")
    )
    tokenizer = train(count_chunks([text]), 1500).tokenizer
    random, samples = Random(5), set()
    letters = text + "ñßжשعक्षि漢字한글\u3000\x00\x1f\u200d🏴" * 200
    while len(samples) < 10_000:
        start = random.randrange(len(text))
        drawn = "".join(random.choices(letters, k=random.randint(0, 12)))
        samples.add(text[start : start + random.randint(0, 12)] + drawn)

    assert len(set(letters) - set(text)) > 10
    assert differing_from_tiktoken(tokenizer, samples) == []


def test_encode_differs_from_tiktoken_where_a_token_arises_from_parts_that_are_no_rule():
    # bc comes first, and only ab + c makes abc: tiktoken joins a + bc too. The like holds of éa and babc.
    tokenizer = Tokenizer.from_merges([(98, 99), (97, 98), (257, 99), (0xC3, 0xA9), (0xA9, 97), (0xC3, 260), (98, 258)])
    random, samples = Random(6), set()
    while len(samples) < 3_000:
        samples.add("".join(random.choices("abcé d", k=random.randint(1, 14))))

    assert tokenizer.encode("abc") == [97, 256]
    assert differing_from_tiktoken(tokenizer, ["abc", "cab", "ab", "éa", "é"]) == ["abc", "éa"]
    assert 500 < len(differing_from_tiktoken(tokenizer, samples)) < 3_000


def joined_by_bytes(chunk, ranks):
    parts = [bytes([byte]) for byte in chunk]
    while True:
        found = [(ranks[a + b], i) for i, (a, b) in enumerate(pairwise(parts)) if a + b in ranks]
        if not found:
            return [ranks[part] for part in parts]
        _, i = min(found)
        parts[i : i + 2] = [parts[i] + parts[i + 1]]
