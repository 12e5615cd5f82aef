"""The bytes of a file, or a pasted text -> Documents."""

from __future__ import annotations

import hashlib

from bpe_core.documents.encodings import Decoded, decoded
from bpe_core.documents.model import Documents
from bpe_core.documents.plain import text_documents
from bpe_core.documents.report import shown_name
from bpe_core.errors import BpeError


def read_documents(
    content: bytes,
    name: str,
    *,
    encoding: str | None = None,
    split: str = "file",
    bad: str = "refuse",
    byte_order_mark: str = "drop",
) -> Documents:
    """Return the documents in the `content` of the file `name`, with a report of what was read and how.

    Nothing is normalised, stripped or line-ending-converted. `encoding` is one of ENCODINGS;
    without it the byte order mark decides, and without a mark it is UTF-8. `split` is one
    of SPLITS. `bad="skip"` leaves out documents that are no text in this encoding
    and lists them; "refuse" raises. `byte_order_mark` is "drop" or "keep".

    >>> documents = read_documents(b"one\\ntwo", "a.txt", split="line")
    >>> tuple(documents), documents.report.summary, str(documents.origin(1))
    (('one\\n', 'two'), '2 documents; UTF-8', 'a.txt, line 2')

    Raises BpeError if no document can be read.
    """
    text = decoded(content, name, encoding, byte_order_mark=byte_order_mark, bad=bad)
    documents = text_documents(text, name, len(content), hashlib.sha256(content).hexdigest(), split)
    return _not_empty(documents, name, len(content))


def documents_of_text(text: str, name: str = "pasted text", *, split: str = "file") -> Documents:
    """Return the documents of a text that is text already, such as a pasted one.

    >>> tuple(documents_of_text("one\\n\\ntwo", split="blank lines"))
    ('one\\n\\n', 'two')

    Raises BpeError if it is empty, or if it holds half a character (a lone surrogate).
    """
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise BpeError(
            f"{shown_name(name)} holds a lone surrogate, U+{ord(text[error.start]):04X}, at character {error.start:,}, "
            f"line {line:,}: half of a character, which has no UTF-8 bytes. Remove it."
        ) from None
    whole = Decoded(data, "UTF-8", "format", "none", (), sound=True)
    return _not_empty(text_documents(whole, name, len(data), hashlib.sha256(data).hexdigest(), split), name, len(data))


def _not_empty(documents: Documents, name: str, num_bytes: int) -> Documents:
    if len(documents):
        return documents
    left_out = documents.report.num_left_out
    if left_out:
        raise BpeError(
            f"No document of {shown_name(name)} could be read: {left_out:,} of {left_out:,} are not "
            f"{documents.files[0].encoding} text. Choose another encoding."
        )
    raise BpeError(f"{shown_name(name)} is empty ({num_bytes:,} bytes, no text). Choose a file that holds text.")
