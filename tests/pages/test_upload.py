"""Upload: every kind of bad file gets a sentence in the dialog, what can be read is kept, and nothing else breaks."""

import gzip
import io
import zipfile
from random import Random

import pytest

from pages.ui import state
from pages.ui.corpus import MOST_TEXT_BYTES
from pages.ui.reading import Choices, Upload, documents_of

GOOD = ("good.txt", b"low lower lowest", "text/plain")
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 12345\n"
NOISE = Random(1).randbytes(200_000)


def zipped(name: str = "a.txt", content: bytes = b"low lower lowest") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return file.getvalue()


def encrypted(archive: bytes) -> bytes:
    """Return a zip with the flag of encryption set in both of its headers."""
    changed = bytearray(archive)
    changed[6] |= 1
    changed[archive.index(b"PK\x01\x02") + 8] |= 1
    return bytes(changed)


def press(app, label):
    return next(button for button in app.button if button.label == label).click().run()


def uploaded(app, *files):
    """Open the dialog and give it files; return the app once they are read."""
    press(app, "Upload…")
    app.file_uploader[0].set_value(list(files)).run()
    while any("Reading" in bar.text for bar in app.get("progress")):
        app.run()
    return app


def messages(app) -> str:
    drawn = [*app.error, *app.warning, *app.info, *app.success]
    return " ".join(each.value for each in drawn).replace("\\", "").replace("\u2060", "")


def can_be_used(app) -> bool:
    return any(button.label.startswith("Use th") for button in app.button)


BAD = [
    pytest.param("a.parquet", b"no parquet at all", "parquet", id="not what its name says"),
    pytest.param("a.csv", b"PK\x03\x04....", "it is a ZIP archive", id="an archive named as a table"),
    pytest.param("a.zip", b"not a zip", "not a ZIP archive", id="no zip at all"),
    pytest.param("a.jsonl", b"<html><body>404</body></html>", "HTML page", id="HTML error page as JSON"),
    pytest.param("a.jsonl", b"{\n", "Line 1", id="broken JSON line"),
    pytest.param("a.zip", encrypted(zipped()), "password", id="encrypted zip"),
    pytest.param("a.zip", zipped(content=NOISE)[:1000], "zip", id="damaged zip"),
    pytest.param("a.zip", zipped("b.zip", zipped()), "archive", id="archive in an archive"),
    pytest.param("a.txt", LFS, "Git LFS", id="Git LFS pointer"),
    pytest.param("a.csv", b"<!DOCTYPE html><html><body>404</body></html>", "HTML page", id="HTML error page"),
    pytest.param("a.txt", b"", "empty (0 bytes)", id="empty file"),
    pytest.param("a.txt", b"ok\ncaf\xe9\n", "offset 6", id="not UTF-8"),
    pytest.param("<img src=x>\u202egpj.txt", b"\xff", "⟨RLO⟩", id="hostile name"),
]


@pytest.mark.parametrize(("name", "content", "sentence"), BAD)
def test_bad_file_alone_is_refused_with_a_sentence_that_names_it(open_page, name, content, sentence):
    app = uploaded(open_page(), (name, content, "text/plain"))

    (error,) = app.error
    assert sentence in messages(app)
    assert "\u202e" not in error.value
    assert state.OWN_TEXT not in app.selectbox("text").options
    assert not can_be_used(app)
    assert not app.exception


@pytest.mark.parametrize(("name", "content", "sentence"), BAD)
def test_bad_file_beside_a_good_one_is_left_out_and_the_good_one_is_used(open_page, name, content, sentence):
    app = uploaded(open_page(), GOOD, (name, content, "text/plain"))
    assert sentence in messages(app)
    assert "1 file left out" in messages(app)

    press(app, "Use this document")

    assert "16 bytes" in " ".join(caption.value for caption in app.caption)


def test_gz_cut_short_is_used_as_far_as_it_goes_and_says_so(open_page):
    lines = "".join(f"line {number}\n" for number in Random(2).choices(range(10**9), k=20_000)).encode()
    app = uploaded(open_page(), ("a.txt.gz", gzip.compress(lines)[:-2000], "application/gzip"))

    assert "cut short" in messages(app) or "ends too early" in messages(app)
    assert can_be_used(app)


def test_zip_bomb_is_refused_with_the_limit(open_page):
    app = uploaded(open_page(), ("bomb.zip", zipped(content=b"\0" * (MOST_TEXT_BYTES + 1)), "application/zip"))

    assert f"{MOST_TEXT_BYTES >> 20} MB" in messages(app)
    assert not can_be_used(app)


def test_two_hundred_megabytes_are_refused_with_the_limit(open_page):
    app = uploaded(open_page(), ("big.txt", b"x" * 200_000_000, "text/plain"))

    assert f"{MOST_TEXT_BYTES >> 20} MB" in messages(app)
    assert not can_be_used(app)


def test_same_file_twice_is_kept_and_noted(open_page):
    app = uploaded(open_page(), GOOD, GOOD)

    assert "2 documents" in messages(app)
    assert "same" in messages(app)


def test_csv_with_a_broken_row_keeps_the_others_and_names_its_line(open_page):
    app = uploaded(open_page(), ("a.csv", b'text\nlow\n"lo"w\nlower\n', "text/csv"))

    assert "line 3" in messages(app)
    assert any(button.label == "Use these 2 documents" for button in app.button)


def test_reading_tells_how_far_it_is_inside_one_file_and_stops_there():
    rows = b"text\n" + b"low lower lowest\n" * 20_000
    shares: list[float] = []

    def stops_in_the_middle(share: float) -> bool:
        shares.append(share)
        return share > 0.5

    with pytest.raises(Exception, match="stopped"):
        documents_of([Upload("1", "a.csv", rows)], Choices(column="text"), stops_in_the_middle)
    assert len(shares) > 3
    assert shares == sorted(shares)
    assert 0.5 < shares[-1] < 0.7
