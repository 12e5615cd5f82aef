"""The text a visitor chooses: sample, pasted, uploaded."""

import gc
import weakref

import pytest

from pages.ui.cached import workshop
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


def test_sidebar_counts_the_bytes_the_documents_and_the_chunks(open_page):
    sample = open_page()
    assert "48,003 bytes, 1 document  \n10,615 chunks, 2,174 distinct" in texts(sample)

    assert "11 bytes, 1 document  \n3 chunks, 2 distinct" in texts(paste(open_page(), "low low low"))


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


def paste(app, text, split="file"):
    press(app, "Paste…")
    app.text_area("pasted").set_value(text)
    app.selectbox("pasted_split").set_value(split)
    return press(app, "Use this text")


def table_with(app, column):
    return next(table.value for table in app.dataframe if column in table.value.columns)


def test_about_shows_figures_with_their_places(open_page):
    app = press(paste(open_page(), "low\n\ufffd\nlow\n\n", "line"), "About this text…")
    assert not app.exception
    figures = dict(table_with(app, "the text").values.tolist())
    assert figures["Documents"] == "4"
    assert figures["Exact duplicates"] == "1"
    assert figures["Blank"] == "1"
    assert figures["U+FFFD"] == "1"
    places = table_with(app, "text from there")
    assert places[["document", "line"]].values.tolist() == [[3, 3]]


def test_a_part_of_the_text_is_used_and_the_whole_comes_back(open_page):
    app = press(paste(open_page(), "a a\nb b\nc c\n", "line"), "About this text…")
    app.number_input("part_nth").set_value(2).run()
    press(app, "Use this part")
    assert "8 bytes, 2 documents" in texts(app)
    press(app, "About this text…")
    press(app, "Use the whole text again")
    assert "12 bytes, 3 documents" in texts(app)


def test_marked_documents_are_left_out(open_page):
    app = press(paste(open_page(), "low\nlow\nlower\n", "line"), "About this text…")
    next(group for group in app.pills if group.key == "marks").set_value(["duplicate"]).run()
    press(app, "Leave out 1 document and learn again")
    assert not app.exception
    assert "10 bytes, 2 documents" in texts(app)


def test_forgetting_drops_the_text_and_all_that_was_made_of_it(open_page):
    app = paste(open_page(), "a text that nobody else has")
    session = app.session_state["session"]
    digest = session.own_corpus.text_digest
    assert any(key[0] == digest for key in workshop().trainings._results)
    own = weakref.ref(session.own_corpus)
    press(app, "Forget my text")
    gc.collect()
    assert own() is None
    assert (session.own_corpus, session.job, session.stopped, session.figures) == (None, None, None, None)
    assert not any(key[0] == digest for key in (*workshop().trainings._results, *workshop().counts._results))
    assert app.selectbox("text").value == "sherlock"


def test_table_column_is_chosen_from_a_list(open_page):
    app = upload(open_page(), ("a.csv", b"id,said\n1,low lower\n2,\n3,low\n"))
    assert app.selectbox("upload_column").options == ["1. id", "2. said"]
    app.selectbox("upload_column").set_value(0).run()
    press(app, "Use these 3 documents")
    assert "3 bytes, 3 documents" in texts(app)


def test_what_can_be_read_is_kept_beside_what_cannot(open_page):
    app = upload(open_page(), ("good.txt", b"low lower"), ("bad.txt", b"\xe9"))
    assert "bad" in app.warning[0].value
    press(app, "Use this document")
    assert "9 bytes, 1 document" in texts(app)
    assert "1 file left out" in texts(app)


def test_choice_of_encoding_reads_a_file_that_is_no_utf8(open_page):
    app = upload(open_page(), ("a.txt", b"caf\xe9"))
    app.selectbox("upload_encoding").set_value("cp1252").run()
    press(app, "Use this document")
    assert "5 bytes, 1 document" in texts(app)
    assert "Windows" in texts(app)
