"""Bad input gets a clear sentence on every page, and a text that looks hopeless still works."""

import pytest

from bpe_core import custom_pattern
from pages.ui import state
from pages.ui.words import plural

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
            assert f"{plural(len(text.encode()), 'byte')}, 1 document" in " ".join(
                caption.value for caption in app.caption
            )


@pytest.mark.parametrize("by_link", [False, True])
@pytest.mark.parametrize(
    ("asked", "given", "why"),
    [
        (3, 256, "256 are there before any merge"),
        (-5, 256, "256 are there before any merge"),
        (1_000_000_000, 2_235, "No more than 2,235 were learned"),
    ],
)
def test_size_out_of_range_is_moved_into_it_with_a_sentence(open_page, by_link, asked, given, why):
    app = open_page("train", **{"size": str(asked)} if by_link else {})
    if not by_link:
        app.number_input(key="size").set_value(asked).run()

    assert not app.exception
    assert app.number_input(key="size").value == given
    [warning] = app.warning
    assert warning.value.startswith(f"You asked for {asked:,}. Sizes go from 256 to 2,235. {why}")
    app.number_input(key="size").set_value(700).run()
    assert not app.warning


def test_size_that_a_shorter_text_does_not_reach_is_no_mistake_and_comes_back(open_page):
    app = open_page("train", size="2000")
    app.text_area(key=state.SPECIALS).set_value("\n".join(f"<{number}>" for number in range(2_000))).run()
    assert (app.number_input(key="size").value, len(app.warning)) == (2_256, 0)
    app.text_area(key=state.SPECIALS).set_value("").run()
    assert (app.number_input(key="size").value, len(app.warning)) == (2_000, 0)


def test_size_that_was_refused_is_given_without_a_word_once_it_is_allowed(open_page):
    app = open_page("train", size="700")
    app.text_area(key=state.SPECIALS).set_value("<a>\n<b>\n<c>\n<d>").run()
    app.number_input(key="size").set_value(257).run()
    assert (app.number_input(key="size").value, len(app.warning)) == (260, 1)
    app.text_area(key=state.SPECIALS).set_value("").run()
    assert (app.number_input(key="size").value, len(app.warning)) == (257, 0)

    app.number_input(key="size").set_value(2_500).run()
    assert (app.number_input(key="size").value, len(app.warning)) == (2_235, 1)
    app.number_input(key=state.MIN_COUNT).set_value(1).run()
    assert (app.number_input(key="size").value, len(app.warning)) == (2_500, 0)


def test_link_to_a_text_of_an_earlier_visit_says_that_it_is_gone(open_page):
    app = open_page("train", text="Your own text")
    gone = "Your text is no longer on the server. Choose a sample or bring it again."
    assert [warning.value for warning in app.warning] == [gone]
    app.number_input(key="size").set_value(700).run()
    assert [warning.value for warning in app.warning] == [gone]
    app = paste(app, "low lower lowest")
    assert not app.warning

    app = open_page("train", text="Your own text")
    app.selectbox(key="text").select_index(1).run()
    assert not app.warning

    app = open_page("train", text="Your own text")
    next(button for button in app.button if button.label == "Go on with the sample").click().run()
    assert not app.warning


def test_special_named_twice_is_refused_with_a_sentence(open_page):
    app = open_page("train")

    app.text_area(key=state.SPECIALS).set_value("<|end|>\n<|end|>").run()

    assert any("listed twice" in error.value.replace("\u2060", "") for error in app.error)


def test_largest_size_below_the_specials_is_refused_with_a_sentence(open_page):
    app = open_page("train")

    app.number_input(key=state.LARGEST_SIZE).set_value(256)
    app.text_area(key=state.SPECIALS).set_value("<|end|>").run()

    assert any("too small" in error.value.replace("\u2060", "") for error in app.error)
