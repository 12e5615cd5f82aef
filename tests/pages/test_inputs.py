"""The text a visitor chooses: sample, pasted, uploaded."""

import pytest

from pages.ui.literal import escape_markdown


def press(app, label):
    return next(button for button in app.button if button.label == label).click().run()


def texts(app):
    return " ".join(str(element.value) for kind in ("caption", "text") for element in app.get(kind))


def test_pasted_text_becomes_the_text_of_every_page(open_page, switch_page):
    app = press(open_page(), "Paste…")
    app.text_area("pasted").set_value("low lower lowest")
    press(app, "Use this text")
    assert not app.exception
    assert app.selectbox("text").value == "yours"
    switch_page(app, "vocabulary")
    assert "16 bytes, 1 document" in texts(app)


def test_paste_of_nothing_is_refused_with_a_sentence(open_page):
    app = press(press(open_page(), "Paste…"), "Use this text")
    assert [error.value for error in app.error] == ["The box is empty. Paste some text first."]
    assert app.selectbox("text").value != "yours"


@pytest.mark.parametrize("hostile", ["*a*", ":material/home:", "$x$", "[a](http://b)", "![a](http://b)", "<img>"])
def test_escape_markdown_leaves_no_punctuation_bare(hostile):
    escaped = escape_markdown(hostile)
    bare = [
        letter
        for before, letter in zip(" " + escaped, escaped, strict=False)
        if not letter.isalnum() and before != "\\"
    ]
    assert set(bare) <= {"\\", "\u2060"}


def test_escape_markdown_shows_hidden_characters_on_one_line():
    assert escape_markdown("a\nb\u202ec") == "a↵b⟨RLO⟩c"


def upload(app, *files):
    press(app, "Upload…")
    uploader = app.file_uploader("uploaded_0_Files")
    for name, content in files:
        uploader.upload(name, content)
    uploader.run()
    return app


def test_uploaded_files_are_one_document_each(open_page):
    app = upload(open_page(), ("a.txt", b"low lower"), ("b.txt", "né".encode()))
    press(app, "Use these 2 documents")
    assert not app.exception
    assert "12 bytes, 2 documents" in texts(app)


def test_upload_of_bytes_that_are_no_text_names_the_place(open_page):
    app = upload(open_page(), ("a.txt", b"low\nl\xffw"))
    assert "offset 5" in app.error[0].value
    assert "line 2" in app.error[0].value
