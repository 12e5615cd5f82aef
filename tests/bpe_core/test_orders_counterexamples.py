"""Every counterexample shows what it says it shows."""

import pytest

from bpe_core.counterexamples import counterexamples
from bpe_core.orders import cut

CASES = {case.text: case for case in counterexamples()}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_orders_of_a_counterexample_part_from_rank_order(case):
    cuts = {order: tuple(cut(case.tokenizer, case.text.encode(), order)) for order in case.orders}

    assert case.orders[0] == "rank"
    assert all(cuts[order] != cuts["rank"] for order in case.orders[1:])


@pytest.mark.parametrize(
    ("text", "order", "tokens"),
    [
        ("abc", "rank", "a bc"),
        ("abc", "longest match", "ab c"),
        ("low", "rank", "l ow"),
        ("low", "leftmost pair", "lo w"),
        ("abacb", "rank", "ab a cb"),
        ("abacb", "longest match", "ab ac b"),
        ("abacbb", "rank", "ab acbb"),
        ("lowered", "rank", "lower e d"),
        ("lowered", "reversed pass", "lo w e r e d"),
    ],
)
def test_counterexamples_cut_as_published(text, order, tokens):
    assert b" ".join(cut(CASES[text].tokenizer, CASES[text].text.encode(), order)).decode() == tokens
