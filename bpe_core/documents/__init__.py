"""Bytes of a file -> documents, a report of what was done with it, and the train / held-out split."""

from bpe_core.documents.contents import MOST_BYTES
from bpe_core.documents.encodings import ENCODINGS
from bpe_core.documents.joining import join_documents
from bpe_core.documents.model import Documents, Origin
from bpe_core.documents.reading import documents_of_text, read_documents, read_files, table_columns
from bpe_core.documents.report import FileReport, LeftOut, Report, shown_name
from bpe_core.documents.splitting import SPLITS
from bpe_core.documents.tables import TablePreview
from bpe_core.documents.texts import Texts

__all__ = [
    "ENCODINGS",
    "MOST_BYTES",
    "SPLITS",
    "Documents",
    "FileReport",
    "LeftOut",
    "Origin",
    "Report",
    "TablePreview",
    "Texts",
    "documents_of_text",
    "join_documents",
    "read_documents",
    "read_files",
    "shown_name",
    "table_columns",
]
