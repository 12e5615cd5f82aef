"""The readable reference, on examples that others have worked out."""

import json
from pathlib import Path

import pytest

from bpe_core import BpeError, count_chunks, merge_steps, train
from bpe_core.reference import END, cut_word, pair_counts, show_end, word_counts
from bpe_core.visible import spell

TIE_RULES = Path(__file__).parents[1] / "data" / "tie_rules"
LETTERS = "characters + </w>"
LOW = {b"low": 5, b"lower": 2, b"lowest": 2}


def learned(documents, num_merges, ties, pattern="none"):
    counts = count_chunks(documents, pattern)
    steps = merge_steps(counts, 256 + num_merges, ties=ties, min_count=1)
    return [(step.left + step.right).decode() for step in steps]


def shown(symbols):
    return [show_end(symbol) for symbol in symbols]


# --- the alphabet of characters -------------------------------------------------------------


@pytest.fixture(scope="module")
def low_steps():
    return list(merge_steps(LOW, 9 + 7, ties="first seen", alphabet=LETTERS))


def test_low_lower_lowest_learns_eight_merges(low_steps):
    expected = [("l", "o", 9), ("lo", "w", 9), ("low", "</w>", 5), ("low", "e", 4)]
    expected += [("lowe", "r", 2), ("lower", "</w>", 2), ("lowe", "s", 2), ("lowes", "t", 2)]

    assert [(show_end(step.left), show_end(step.right), step.count) for step in low_steps] == expected
    assert [step.tied for step in low_steps] == [2, 1, 1, 1, 5, 4, 3, 2]


@pytest.mark.parametrize(
    ("word", "forwards", "backwards"),
    [
        ("low", ["low</w>"], ["lo", "w", "</w>"]),
        ("lower", ["lower</w>"], ["lo", "w", "e", "r", "</w>"]),
        ("lowest", ["lowest", "</w>"], ["lo", "w", "e", "s", "t", "</w>"]),
        ("lowered", ["lower", "e", "d", "</w>"], ["lo", "w", "e", "r", "e", "d", "</w>"]),
        ("lowering", ["lower", "i", "n", "g", "</w>"], None),
    ],
)
def test_cut_word_replays_low_lower_lowest(low_steps, word, forwards, backwards):
    assert shown(cut_word(word, low_steps)) == forwards
    if backwards:
        assert shown(cut_word(word, low_steps, backwards=True)) == backwards


def test_low_lower_lowest_under_smallest_pair_learns_other_merges():
    steps = list(merge_steps(LOW, 16, alphabet=LETTERS))

    last = [(show_end(step.left), show_end(step.right)) for step in steps[4:]]
    assert last == [("r", "</w>"), ("s", "t"), ("lowe", "r</w>"), ("lowe", "st")]
    assert shown(cut_word("lowering", steps)) == ["lowe", "r", "i", "n", "g", "</w>"]


def test_newest_6_is_the_example_of_the_paper():
    counts = {b"low": 5, b"lower": 2, b"newest": 6, b"widest": 3}
    steps = list(merge_steps(counts, 12 + 4, ties="first seen", alphabet=LETTERS))[:5]

    expected = [("e", "s", 9), ("es", "t", 9), ("est", "</w>", 9), ("l", "o", 7), ("lo", "w", 7)]
    assert [(show_end(step.left), show_end(step.right), step.count) for step in steps] == expected


@pytest.mark.parametrize(
    ("ties", "expected"),
    [
        ("smallest pair", [("l", "o", 7), ("lo", "w", 7)]),
        ("first seen", [("l", "o", 7), ("lo", "w", 7)]),
        ("largest bytes", [("o", "w", 7), ("l", "ow", 7)]),
    ],
)
def test_newest_2_begins_with_low_in_two_merges(ties, expected):
    counts = {b"low": 5, b"lower": 2, b"newest": 2, b"widest": 3}
    steps = list(merge_steps(counts, 100, ties=ties, alphabet=LETTERS))[:2]

    assert [(step.left, step.right, step.count) for step in steps] == expected
    assert shown(cut_word("low", steps)) == ["low", "</w>"]
    assert shown(cut_word("lower", steps)) == ["low", "e", "r", "</w>"]


def test_the_end_mark_is_not_the_text_that_looks_like_it():
    words = {b"</w>x": 5, b"</w>y": 5, b"a": 3}
    steps = list(merge_steps(words, 100, alphabet=LETTERS))

    assert {("</w", ">", 10), ("a", END, 3)} <= {(step.left, step.right, step.count) for step in steps}
    assert cut_word("a", steps) == ["a" + END]
    assert cut_word("a</w>", steps) == ["a", "</w>", END]


def test_no_text_can_hold_the_end_mark():
    with pytest.raises(UnicodeEncodeError):
        END.encode()


@pytest.mark.parametrize("letter", ["b", "\uffff", "😀"])
def test_the_end_mark_comes_after_every_letter_on_a_tie(letter):
    step = next(merge_steps({b"a": 2, f"a{letter}".encode(): 2}, 100, alphabet=LETTERS))

    assert (step.left, step.right, step.count, step.tied) == ("a", letter, 2, 3)


def test_word_counts_splits_at_any_whitespace():
    assert word_counts("a\tb\nc") == {b"a": 1, b"b": 1, b"c": 1}
    assert word_counts("\n low  \u3000low\r\nlower ") == {b"low": 2, b"lower": 1}


# --- bytes -----------------------------------------------------------------------------------


def test_pairs_overlap_when_counted_and_not_when_joined():
    step = next(merge_steps({b"aaaaa": 1}, 257))

    assert (step.count, step.replaced) == (4, 2)
    assert pair_counts([([97] * 5, 1)]) == {(97, 97): 4}


@pytest.mark.parametrize(
    ("documents", "num_merges", "expected"),
    [
        pytest.param(
            ["aaabdaaabac"],
            3,
            {
                "first seen": ["aa", "aaa", "aaab"],
                "smallest pair": ["aa", "ab", "aaab"],
                "largest bytes": ["aa", "aaa", "aaab"],
            },
            id="Wikipedia's example",
        ),
        pytest.param(
            ["bbbaaaddddcccc"],
            4,
            {
                "first seen": ["dd", "cc", "bb", "aa"],
                "smallest pair": ["cc", "dd", "aa", "bb"],
                "largest bytes": ["dd", "cc", "bb", "aa"],
            },
            id="runs, b first",
        ),
        pytest.param(
            ["aaabbbccccdddd"],
            4,
            {
                "first seen": ["cc", "dd", "aa", "bb"],
                "smallest pair": ["cc", "dd", "aa", "bb"],
                "largest bytes": ["dd", "cc", "bb", "aa"],
            },
            id="runs, a first",
        ),
        pytest.param(
            ["111121212"],
            2,
            {"first seen": ["11", "21"], "smallest pair": ["11", "12"], "largest bytes": ["12", "1212"]},
            id="overlaps",
        ),
        pytest.param(
            ["aaaaa bc bc bc bc"],
            1,
            {"first seen": ["aa"], "smallest pair": [" b"], "largest bytes": ["bc"]},
            id="overlaps against pairs apart",
        ),
        pytest.param(
            ["bc a aaa"],
            3,
            {
                "first seen": [" a", "bc", "bc a"],
                "smallest pair": [" a", "aa", "bc"],
                "largest bytes": ["aa", "c ", "c a"],
            },
            id="across spaces",
        ),
    ],
)
def test_merge_steps_breaks_ties_by_its_rule(documents, num_merges, expected):
    assert {ties: learned(documents, num_merges, ties) for ties in expected} == expected


@pytest.fixture(scope="module")
def cs336_counts():
    return count_chunks([(TIE_RULES / "cs336_corpus.en").read_text(encoding="utf-8")])


@pytest.mark.parametrize("ties", ["first seen", "largest bytes"])
def test_cs336_corpus_gives_the_published_tokens_of_each_tie_rule(cs336_counts, ties):
    tokens = json.loads((TIE_RULES / "cs336_tokens_by_tie_rule.json").read_text(encoding="utf-8"))[ties]
    lines = (TIE_RULES / "cs336_train-bpe-reference-merges.txt").read_text(encoding="utf-8").splitlines()

    steps = list(merge_steps(cs336_counts, 257 + len(tokens), specials=["<|endoftext|>"], ties=ties))

    assert [(step.left + step.right).hex() for step in steps] == tokens
    if ties == "largest bytes":
        assert [f"{spell(step.left)} {spell(step.right)}" for step in steps] == lines


def test_cs336_corpus_gives_the_published_tokens_of_smallest_pair(cs336_counts):
    tokens = json.loads((TIE_RULES / "cs336_tokens_by_tie_rule.json").read_text(encoding="utf-8"))["smallest pair"]

    vocabulary = train(cs336_counts, 256 + len(tokens)).tokenizer.vocabulary

    assert [vocabulary[token_id].hex() for token_id in range(256, 256 + len(tokens))] == tokens


def test_first_seen_depends_on_document_order_and_smallest_pair_does_not():
    documents = ["dc", "ba", "dc", "ba"]

    assert learned(documents, 1, "first seen") != learned(documents[::-1], 1, "first seen")
    assert learned(documents, 1, "smallest pair") == learned(documents[::-1], 1, "smallest pair")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"vocab_size": 255}, "256"),
        ({"vocab_size": 300, "ties": "random"}, "tie rule"),
        ({"vocab_size": 300, "alphabet": "words"}, "alphabet"),
        ({"vocab_size": 300, "min_count": 0}, "min_count"),
    ],
)
def test_merge_steps_refuses_what_it_does_not_know(options, message):
    with pytest.raises(BpeError, match=message):
        list(merge_steps({b"abab": 2}, **options))
