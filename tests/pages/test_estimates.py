"""What is told before a long training: judged by parts from all over the text, whatever its documents."""

import pytest

from bpe_core import named_pattern
from bpe_core.documents import documents_of_text
from pages.ui import estimates
from pages.ui.corpus import Corpus
from pages.ui.jobs import Request
from pages.ui.run import Settings

SETTINGS = Settings(named_pattern("gpt2"), (), 8_192, 2)
ENGLISH = "the old man and the sea " * 20_000
NOISE = "".join(f" {number * 7919 % 1_000_003:x}" for number in range(150_000))


def request_for(text: str, split: str = "file", settings: Settings = SETTINGS) -> Request:
    return Request(Corpus.of_documents("text", documents_of_text(text, split=split)), settings)


@pytest.mark.parametrize("split", ["file", "line"])
@pytest.mark.parametrize("wanted", [20_000, 200_000])
def test_sample_comes_from_all_over_the_text_and_has_about_its_size(split, wanted):
    text = "".join(f"{number:07d}\n" for number in range(200_000))

    parts = list(estimates._spread(request_for(text, split), wanted))
    numbers = [int(line) for line in "".join(parts).splitlines() if len(line) == 7]

    assert wanted * 0.9 < sum(map(len, parts)) < wanted * 1.2
    assert min(numbers) < 10
    assert max(numbers) > 190_000
    assert numbers == sorted(numbers)


def test_character_cut_in_two_by_a_part_is_left_out():
    parts = list(estimates._spread(request_for("€" * 100_000), 10_000))

    assert set("".join(parts)) == {"€"}


def test_text_that_only_begins_simply_is_told_as_what_it_is():
    simple, mixed = (estimates.estimate(request_for(text)) for text in (ENGLISH * 3, ENGLISH + NOISE))

    assert mixed.memory_bytes > simple.memory_bytes
