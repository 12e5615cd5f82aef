"""Bytes of a file -> documents, a report of what was done with it, and the train / held-out split."""

from bpe_core.documents.about import CorpusFacts, corpus_facts
from bpe_core.documents.choosing import every_nth, first_bytes, split_further, without
from bpe_core.documents.contents import MOST_BYTES
from bpe_core.documents.encodings import ENCODINGS
from bpe_core.documents.held_out import (
    hold_out_files,
    hold_out_groups,
    hold_out_share,
    hold_out_tail,
    hold_out_text,
)
from bpe_core.documents.joining import join_documents
from bpe_core.documents.model import Documents, Origin
from bpe_core.documents.places import Example, Figure, documents_csv, examples_of
from bpe_core.documents.reading import documents_of_text, read_documents, read_files, table_columns
from bpe_core.documents.report import FileReport, LeftOut, Report, shown_name
from bpe_core.documents.sides import HeldOutSplit, repeated
from bpe_core.documents.splitting import SPLITS
from bpe_core.documents.tables import TablePreview
from bpe_core.documents.texts import Texts, first_equals

__all__ = [
    "ENCODINGS",
    "MOST_BYTES",
    "SPLITS",
    "CorpusFacts",
    "Documents",
    "Example",
    "Figure",
    "FileReport",
    "HeldOutSplit",
    "LeftOut",
    "Origin",
    "Report",
    "TablePreview",
    "Texts",
    "corpus_facts",
    "documents_csv",
    "documents_of_text",
    "every_nth",
    "examples_of",
    "first_bytes",
    "first_equals",
    "hold_out_files",
    "hold_out_groups",
    "hold_out_share",
    "hold_out_tail",
    "hold_out_text",
    "join_documents",
    "read_documents",
    "read_files",
    "repeated",
    "shown_name",
    "split_further",
    "table_columns",
    "without",
]
