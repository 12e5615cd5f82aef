"""Bad input gets a clear sentence on every page, and a text that looks hopeless still works."""

import pytest

from bpe_core import custom_pattern
from pages.ui import state

PAGES = ("train", "watch", "compression", "vocabulary")


def press(app, label: str):
    return next(button for button in app.button if button.label == label).click().run()


def paste(app, text: str):
    app = press(app, "Paste…")
    app.text_area("pasted").set_value(text)
    return press(app, "Use this text")


@pytest.mark.parametrize(
    ("regex", "sentence"),
    [
        pytest.param("(", "not a valid regular expression", id="does not compile"),
        pytest.param(r"\w+", "would lose text", id="loses text"),
        pytest.param(r"\w*|\W", "matches empty text", id="matches empty"),
        pytest.param(r"(?:a|aa|aaa)+$|(?s:.)", "ran longer than", id="runs away"),
    ],
)
def test_custom_regex_that_cannot_be_used_is_refused_with_a_sentence(open_page, monkeypatch, regex, sentence):
    monkeypatch.setitem(custom_pattern.__kwdefaults__, "time_limit", 0.5)
    app = paste(open_page("train"), "some words and " + "a" * 60 + "b")

    app.selectbox(key=state.PATTERN).set_value("your own regex").run()
    app.text_input(key=state.CUSTOM_REGEX).set_value(regex).run()

    assert any(sentence in error.value.replace("\\", "").replace("\u2060", "") for error in app.error)
    assert not app.exception


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a", id="one byte"),
        pytest.param("abcdefg", id="no pair occurs twice"),
        pytest.param("\0" * 40, id="NUL bytes"),
        pytest.param("\u202eabc\u2066 <script>alert(1)</script> ![i](http://x) $x$ :red[k]" * 3, id="hostile"),
        pytest.param("x" * 600_000, id="one long line"),
    ],
)
def test_odd_text_opens_every_page(open_page, switch_page, text):
    app = paste(open_page("train"), text)

    for name in PAGES:
        app = switch_page(app, name)

        assert not app.exception
        if name != "compression":  # it holds a part of the text back, and refuses a text that has only one
            assert f"{len(text.encode()):,} bytes, 1 document" in " ".join(caption.value for caption in app.caption)


def test_whole_number_below_the_smallest_size_in_a_link_is_moved_into_the_range(open_page):
    app = open_page("train", size="3")

    assert app.number_input(key="size").value >= 256
    assert not app.exception


def test_special_named_twice_is_refused_with_a_sentence(open_page):
    app = open_page("train")

    app.text_area(key=state.SPECIALS).set_value("<|end|>\n<|end|>").run()

    assert any("listed twice" in error.value.replace("\u2060", "") for error in app.error)


def test_largest_size_below_the_specials_is_refused_with_a_sentence(open_page):
    app = open_page("train")

    app.number_input(key=state.LARGEST_SIZE).set_value(256)
    app.text_area(key=state.SPECIALS).set_value("<|end|>").run()

    assert any("too small" in error.value.replace("\u2060", "") for error in app.error)
