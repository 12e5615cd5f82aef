"""The lattice of a short chunk: every cut is a path, and every order takes one."""

import pytest
from hypothesis import given, settings
from test_orders import every_cut, texts, vocabularies

from bpe_core.errors import BpeError
from bpe_core.lattice import LONGEST_CHUNK, lattice
from bpe_core.orders import ORDERS, cut
from bpe_core.tokenizer import Tokenizer


def spelled(found, path):
    return [found.tokenizer.vocabulary[edge.token_id] for edge in path]


@settings(max_examples=60, deadline=None)
@given(vocabularies(), texts(10))
def test_num_cuts_is_the_number_of_ways_one_can_list(tokenizer, text):
    chunk = text.encode()[:LONGEST_CHUNK]
    found = lattice(tokenizer, chunk)
    cuts = list(every_cut(chunk, set(tokenizer.ids_of_tokens)))

    assert found.num_cuts == len(cuts)
    assert {(edge.start, edge.end) for edge in found.edges} == {
        (edge.start, edge.end) for tokens in cuts for edge in found.path(tokens)
    }
    for edge in found.edges:
        assert tokenizer.vocabulary[edge.token_id] == chunk[edge.start : edge.end]


@settings(max_examples=60, deadline=None)
@given(vocabularies(), texts(10))
def test_every_order_takes_a_path(tokenizer, text):
    chunk = text.encode()[:LONGEST_CHUNK]
    found = lattice(tokenizer, chunk)

    paths = found.order_paths(ORDERS, p=0.5, seed=4)

    assert [path.order for path in paths] == list(ORDERS)
    for order, edges in paths:
        assert spelled(found, edges) == cut(tokenizer, chunk, order, p=0.5, seed=4)
        assert set(edges) <= set(found.edges)


def test_dropout_samples_are_counted_and_the_same_again():
    found = lattice(Tokenizer.from_merges([(97, 98), (256, 99)], "none"), b"abcab")

    samples = found.dropout_samples(0.5, 200, seed=7)

    assert sum(sample.times for sample in samples) == 200
    assert samples == found.dropout_samples(0.5, 200, seed=7)
    assert [s.times for s in samples] == sorted((s.times for s in samples), reverse=True)
    assert len(samples) == len({sample.edges for sample in samples}) > 2
    assert spelled(found, found.dropout_samples(0, 5)[0].edges) == [b"abc", b"ab"]


def test_the_most_cuts_that_a_lattice_can_have():
    """Every run of up to 16 equal bytes is a token: each of the 15 gaps may be cut or not."""
    chain = [(97, 97)] + [(255 + made, 97) for made in range(1, 15)]

    assert lattice(Tokenizer.from_merges(chain, "none"), b"a" * 16).num_cuts == 2**15


def test_orders_that_an_imported_vocabulary_cannot_have_are_left_out():
    plain = Tokenizer.from_merges([(97, 98)], "none")
    kept = (plain.pattern, plain.byte_ids, plain.pairs, plain.token_ids, plain.ranks)
    found = lattice(Tokenizer(*kept, lone_tokens={b"abc": 300}), b"abc")

    orders = [path.order for path in found.order_paths()]

    assert orders == ["rank", "longest match", "longest match from the end", "fewest tokens"]
    assert found.num_cuts == 3


@pytest.mark.parametrize("chunk", [b"", b"a" * 17])
def test_a_chunk_that_has_no_lattice_is_refused(chunk):
    with pytest.raises(BpeError, match="1 to 16 bytes"):
        lattice(Tokenizer.from_merges([]), chunk)


def test_no_samples_are_refused():
    with pytest.raises(BpeError, match="1 or more"):
        lattice(Tokenizer.from_merges([]), b"a").dropout_samples(0.1, 0)
