"""Documents marked for a reason."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import BpeError
from bpe_core.documents import documents_of_text
from bpe_core.documents.marks import LONG_RUN_BYTES, REASONS, Mark, marked


def lines(text):
    return documents_of_text(text, split="line")


@pytest.mark.parametrize(
    ("text", "reasons", "expected"),
    [
        pytest.param("a\nb\na\na", ["duplicate"], [(2, ("duplicate",))], id="the last a has no line feed"),
        pytest.param("a\n\t\u3000\n", ["blank"], [(1, ("blank",))], id="wide spaces are whitespace"),
        pytest.param("a\n\ufffd\n", ["replacement"], [(1, ("replacement",))], id="U+FFFD"),
        pytest.param("a\tb\r\n\x85\nc\x00\n", ["control"], [(1, ("control",)), (2, ("control",))], id="controls"),
        pytest.param("x" * LONG_RUN_BYTES + "\ny", ["long run"], [], id="as long as is allowed"),
        pytest.param("y\nx" + "x" * LONG_RUN_BYTES, ["long run"], [(1, ("long run",))], id="one byte longer"),
        pytest.param("\x00\n\x00\n", list(REASONS), [(0, ("control",)), (1, ("duplicate", "control"))], id="both"),
        pytest.param("a\x00", [], [], id="no reason"),
    ],
)
def test_marked_finds_documents(text, reasons, expected):
    assert marked(lines(text), reasons) == tuple(Mark(*mark) for mark in expected)


def test_marked_refuses_an_unknown_reason():
    with pytest.raises(BpeError, match="Choose from"):
        marked(lines("a"), ["ugly"])


@settings(max_examples=60, deadline=None)
@given(st.text("a \n\x00\ufffd\u3000", min_size=1, max_size=30))
def test_marked_agrees_with_a_look_at_each_document(text):
    documents = lines(text)
    seen, expected = set(), []
    for number, each in enumerate(documents):
        tests = {
            "duplicate": each in seen,
            "blank": each.isspace(),
            "replacement": "\ufffd" in each,
            "control": "\0" in each,
        }
        seen.add(each)
        if any(tests.values()):
            expected.append(Mark(number, tuple(reason for reason, holds in tests.items() if holds)))
    assert marked(documents, list(REASONS)) == tuple(expected)
