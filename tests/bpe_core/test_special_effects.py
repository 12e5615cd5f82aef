"""What adding a special token after training would break."""

import pytest
from formats_oracles import CORPUS, trained

from bpe_core import BpeError, Tokenizer, count_chunks
from bpe_core.formats import effects_of_special


def test_effects_name_the_free_id_the_moved_ids_and_the_text_today():
    tokenizer = trained(vocab_size=300, specials=("<|end|>",))
    effects = effects_of_special(tokenizer, "<|new|>")

    assert effects == [
        "It could only take the next free id, 300: a model of this vocabulary has no row for it and must be "
        "made larger.",
        "Reserved before training, it would have the id 257, and all 43 merges would have ids one higher: ids "
        "written down until now would mean other tokens.",
        f"Text that spells <|new|> is {len(tokenizer.encode('<|new|>'))} tokens today "
        f"({', '.join(map(str, tokenizer.encode('<|new|>')))}); "
        "wherever specials are allowed it would become one, so texts encoded before and after differ.",
    ]


def test_effects_name_a_token_of_the_same_spelling():
    effects = effects_of_special(Tokenizer.from_merges([(97, 98)]), "ab")

    assert any("ab already is the ordinary token 256: two ids with one spelling" in effect for effect in effects)


def test_effects_name_specials_that_overlap_and_which_counts():
    effects = effects_of_special(Tokenizer.from_merges([], specials=["<|end|>"]), "<|end|>x")

    assert any(
        "overlaps with the special token <|end|>; where both fit, the longer one, <|end|>x" in one for one in effects
    )


def test_effects_count_the_spelling_in_the_text_trained_on():
    chunks = count_chunks(["a the the", *CORPUS], "none")
    effects = effects_of_special(trained(), "the", chunks)

    occurrences = sum(text.count("the") for text in ["a the the", *CORPUS])
    assert any(f"spells the at least {occurrences} times as ordinary text" in effect for effect in effects)


@pytest.mark.parametrize("name", ["", "<|end|>", "\ud800"])
def test_effects_refuse_a_name_that_cannot_be_added(name):
    with pytest.raises(BpeError):
        effects_of_special(trained(specials=("<|end|>",)), name)
