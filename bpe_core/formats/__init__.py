"""Tokenizers in files: read what others published, write ours, and prove that the ids are the same.

read_tokenizer    files (or one zip) -> Loaded: the tokenizer and notes on how it was read
load_tokenizer    the same from a path, the tokenizer alone
tokenizer_files   a tokenizer -> the files of one format, as bytes
save_tokenizer    the same into a folder
prove             writes, reads back and compares every id
"""

from bpe_core.formats.ids_check import ExpectedIds, IdsCheck, check_ids, read_expected_ids
from bpe_core.formats.loaded import Loaded
from bpe_core.formats.manifest import CONTRACT_VERSION, Source, TrainedFrom
from bpe_core.formats.proof import Proof, prove
from bpe_core.formats.reading import load_tokenizer, read_tokenizer
from bpe_core.formats.special_effects import effects_of_special
from bpe_core.formats.writing import FORMATS, limits, save_tokenizer, tokenizer_files, tokenizer_zip

__all__ = [
    "CONTRACT_VERSION",
    "FORMATS",
    "ExpectedIds",
    "IdsCheck",
    "Loaded",
    "Proof",
    "Source",
    "TrainedFrom",
    "check_ids",
    "effects_of_special",
    "limits",
    "load_tokenizer",
    "prove",
    "read_expected_ids",
    "read_tokenizer",
    "save_tokenizer",
    "tokenizer_files",
    "tokenizer_zip",
]
