"""The package's face: all that a script needs, and nothing that is there by accident."""

from inspect import ismodule

import bpe_core

PROMISED = {"read_documents", "count_chunks", "train", "Training", "merge_steps", "Tokenizer", "token_totals", "cut"}
PROMISED |= {"save_tokenizer", "load_tokenizer", "BpeError", "Stopped", "Documents", "ChunkCounts"}


def test_every_public_name_is_listed_and_the_promised_ones_are_public():
    public = {name for name, thing in vars(bpe_core).items() if not name.startswith("_") and not ismodule(thing)}

    assert public == set(bpe_core.__all__)
    assert public >= PROMISED


def test_the_list_is_sorted():
    listed = bpe_core.__all__

    assert listed == sorted(listed, key=lambda name: (not name.isupper(), name[0].islower(), name))
