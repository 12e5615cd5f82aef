"""Byte-level byte-pair encoding: train, encode, compare and measure, exactly.

>>> from bpe_core import count_chunks, train
>>> training = train(count_chunks(["low lower lowest"]), 300)
>>> training.tokenizer.encode(" lower")
[259, 114]
"""

from bpe_core.chunks import ChunkCounts, count_chunks
from bpe_core.documents import Documents, documents_of_text, read_documents
from bpe_core.errors import BpeError, Stopped
from bpe_core.formats import load_tokenizer, save_tokenizer
from bpe_core.measures import bytes_per_token, characters_per_token, token_totals
from bpe_core.merges import Merge
from bpe_core.orders import ORDERS, Cuts, cut, cut_all
from bpe_core.patterns import PATTERN_NAMES, Pattern, custom_pattern, named_pattern
from bpe_core.reference import MergeStep, StopReason, merge_steps
from bpe_core.tokenizer import Tokenizer
from bpe_core.training import LearnedMerge, Training, train

__all__ = [
    "ORDERS",
    "PATTERN_NAMES",
    "BpeError",
    "ChunkCounts",
    "Cuts",
    "Documents",
    "LearnedMerge",
    "Merge",
    "MergeStep",
    "Pattern",
    "StopReason",
    "Stopped",
    "Tokenizer",
    "Training",
    "bytes_per_token",
    "characters_per_token",
    "count_chunks",
    "custom_pattern",
    "cut",
    "cut_all",
    "documents_of_text",
    "load_tokenizer",
    "merge_steps",
    "named_pattern",
    "read_documents",
    "save_tokenizer",
    "token_totals",
    "train",
]
