"""Bringing a text in a real browser: upload, column choice, progress, Stop, and pages changed during a job."""

import re
from random import Random

import pytest

HOSTILE_NAME = "<b>bold</b> :material/home: $x$ ![i](http://127.0.0.1:9/i.png) *it* \u202egpj.csv"
TABLE = b'id,said,<b>n</b> *x* $y$\n1,"The soup, I am told",a\n2,"The soup",b\n3,,c\n'


def uploaded(page, *files):
    """Open the dialog and drop files, given as (name, content)."""
    page.get_by_role("button", name="Upload…").click()
    payloads = [{"name": name, "mimeType": "text/plain", "buffer": content} for name, content in files]
    page.locator("[role=dialog] input[type=file]").set_input_files(payloads)
    return page.locator("[role=dialog]")


def choose(page, key, option):
    """Choose from a selectbox by what the option shows."""
    page.locator(f".st-key-{key}").get_by_role("combobox").click()
    page.get_by_role("option", name=option).click()


def text_line(page):
    return page.locator(".text-line").inner_text()


def long_text(num_bytes=21_000_000):
    """A text that takes some time to learn from: hardly a word stands in it twice, and nobody has learned it before."""
    random = Random()
    return "".join(f" {random.getrandbits(48):x}" for _ in range(num_bytes // 12)).encode()[:num_bytes]


@pytest.fixture
def app(serve):
    return serve("app.py")


def test_upload_of_a_table_and_a_text_with_a_column_chosen(open_page, app):
    page = open_page(app)
    outside = []
    page.on("request", lambda request: outside.append(request.url) if not request.url.startswith(app) else None)
    dialog = uploaded(page, (HOSTILE_NAME, TABLE), ("note.txt", b"low lower lowest"))
    dialog.get_by_text("2 files read: 3 documents; 1 empty, skipped; UTF-8").wait_for()
    choose(page, "upload_column", "1. id")
    dialog.get_by_text("2 files read: 4 documents").wait_for()
    choose(page, "upload_column", "2. said")
    dialog.get_by_role("button", name="Use these 3 documents").click()
    page.locator(".text-line", has_text="and 1 more").wait_for()
    assert text_line(page).startswith(
        "<b>bold</b> :material/home: $x$ ![i](http://127.0.0.1:9/i.png) *it* ⟨RLO⟩gpj.csv and 1 more · 43 bytes"
    )
    assert page.locator("[role=dialog]").count() == 0
    page.get_by_text("Read: 3 documents; 1 empty, skipped; UTF-8.").wait_for()
    assert [url for url in outside if not url.startswith(("data:", "blob:"))] == []


def test_a_file_that_is_no_utf8_shows_its_place_and_the_choice(open_page, app):
    page = open_page(app)
    dialog = uploaded(page, (HOSTILE_NAME.replace("csv", "txt"), b"ok\ncaf\xe9\n"))
    dialog.get_by_text(re.compile("first bad byte is at offset 6, line 2")).wait_for()
    assert dialog.locator("b, img, em, .katex").count() == 0
    choose(page, "upload_encoding", "Windows-1252")
    dialog.get_by_role("button", name="Use this document").click()
    page.get_by_text("Read: 1 document; Windows-1252.").wait_for()


def test_dismissed_upload_leaves_the_text_as_it_was_and_no_file_behind(open_page, app):
    page = open_page(app)
    page.locator(".text-line", has_text="Sherlock").wait_for()
    uploaded(page, ("a.txt", b"low lower")).get_by_role("button", name="Use this document").wait_for()
    page.keyboard.press("Escape")
    page.locator("[role=dialog]").wait_for(state="detached")
    assert text_line(page).startswith("Sherlock")
    page.get_by_role("button", name="Upload…").click()
    page.get_by_text("up to 128 MB of text").wait_for()
    assert page.get_by_text("a.txt").count() == 0


def test_long_job_goes_on_over_a_change_of_page_and_keeps_what_it_learned_when_stopped(open_page, app):
    page = open_page(app)
    dialog = uploaded(page, ("long.txt", long_text()))
    dialog.get_by_role("button", name="Use this document").click(timeout=60_000)
    page.get_by_text(re.compile(r"Learning up to 8,192 entries takes about .* of this server's memory")).wait_for()
    page.get_by_role("button", name="Start learning").click()
    page.get_by_text(re.compile("Counting chunks|Learning merge")).first.wait_for()
    page.get_by_role("link", name="Vocabulary", exact=True).click()
    page.locator("h1", has_text="What it learned").wait_for()
    choose(page, "text", "Sherlock")
    page.locator(".text-line", has_text="Sherlock").wait_for()
    page.get_by_text("Another training is at work:").wait_for()
    choose(page, "text", "Your own text")
    # The sidebar tells of the job until the page itself does; a key pressed in between belongs to neither.
    page.get_by_test_id("stMain").get_by_text(re.compile(r"Learning merge [1-9]")).wait_for(timeout=120_000)
    page.keyboard.press("Escape")
    page.get_by_text(re.compile(r"Stopped by you after [\d,]+ merges. Everything here uses those.")).wait_for()
    merges = int(re.search(r"stopped at ([\d,]+): you stopped it", text_line(page))[1].replace(",", "")) - 256
    assert 0 < merges < 8_192 - 256
    page.get_by_role("button", name="Learn on").click()
    page.get_by_text(re.compile("Learning merge")).first.wait_for()
    page.get_by_role("button", name="Forget my text").click()
    page.locator(".text-line", has_text="Sherlock").wait_for()


def test_a_whole_folder_is_read_and_called_by_its_name(open_page, app, tmp_path):
    folder = tmp_path / "my <b>notes"
    (folder / "old").mkdir(parents=True)
    (folder / "a.txt").write_text("low lower lowest")
    (folder / "old" / "b.txt").write_text("slow slower")
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    page = open_page(app)
    page.get_by_role("button", name="Upload…").click()
    dialog = page.locator("[role=dialog]")
    dialog.get_by_role("radio", name="A whole folder").click()
    dialog.locator("input[type=file][webkitdirectory]").set_input_files(folder)
    dialog.get_by_text("2 files read: 2 documents; 1 file left out").wait_for()
    assert dialog.locator("b").count() == 0
    dialog.get_by_role("button", name="Use these 2 documents").click()
    page.locator(".text-line", has_text="my <b>notes (3 files) · 27 bytes").wait_for()
