"""Compression: the conclusion, the chart, what is held back, the five tabs, and bad input."""

import base64
import json
import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import count_chunks, token_totals, train
from bpe_core.documents import documents_of_text, hold_out_share
from bpe_core.samples import sample_documents
from pages.ui import compression_others, compression_report, compression_tabs
from pages.ui.chart_scale import apart
from pages.ui.chart_values import Level, Line, Marker, SizesChart, Strip
from pages.ui.charts import sizes_figure
from pages.ui.compression_budgets import parse_budgets
from pages.ui.compression_costs import UNTIED
from pages.ui.compression_recipe import json_lines

HOSTILE = "<b>bold</b> <img src=x> &amp; "


def press(app, label):
    return next(button for button in app.button if button.label == label).click().run()


def paste(app, text):
    """The app on Compression, with a pasted text; the app given is on its first page."""
    app = press(app, "Paste…")
    app.text_area("pasted").set_value(text)
    press(app, "Use this text")
    return app.switch_page("pages/compression.py").run()


def head(app):
    return next(each.proto.body for each in app.get("html") if "class='head'" in each.proto.body)


def text_line(app):
    return re.search(r"<p class='text-line'>(.*?)</p>", head(app)).group(1)


def chart(app, number=0):
    return json.loads(app.get("plotly_chart")[number].proto.spec)


def captions(app):
    return " ".join(caption.value for caption in app.caption)


def open_tab(app, name):
    app.session_state["compression_tab"] = name
    return app.run()


@pytest.fixture
def sherlock_curves():
    """Training, tokens of both sides at every size, and the held-out chunks, straight from the core."""
    documents = documents_of_text(sample_documents("sherlock")[0])
    split = hold_out_share(documents, 0.2, 0, parts="blank lines")
    training = train(count_chunks(split.train), 8_192)
    held_out = count_chunks(split.held_out)
    return training, token_totals(training.tokenizer, held_out), held_out


def test_the_conclusion_and_the_chart_say_what_the_core_says(open_page, sherlock_curves):
    training, held_out_totals, held_out = sherlock_curves
    app = open_page("compression")
    train_ratio = training.chunk_counts.num_bytes / training.token_totals[768]
    held_out_ratio = held_out.num_bytes / held_out_totals[768]
    sentence = (
        f"covers {train_ratio:.2f} bytes of the training text and {held_out_ratio:.2f} bytes of text it never saw"
    )
    assert sentence in head(app)
    drawn = chart(app)
    for trace, totals, counts in (
        (drawn["data"][0], training.token_totals, training.chunk_counts),
        (drawn["data"][1], held_out_totals, held_out),
    ):
        merges = [point[0] for point in trace["customdata"]]
        assert merges[-1] == len(training.merges)
        assert np.allclose(read_values(trace["y"]), counts.num_bytes / totals[merges], rtol=1e-12)


def read_values(values):
    """Plotly sends arrays as base64 of their bytes."""
    if isinstance(values, dict):
        return np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"])
    return np.array(values)


def test_the_text_line_names_what_was_learned_from_and_one_switch_takes_it_everywhere(open_page, switch_page):
    app = open_page("compression")
    here = text_line(app)
    assert "learned from all but 20 % of the paragraphs, at random (seed 0)" in here
    switch_page(app, "vocabulary")
    assert "learned from all of it" in text_line(app)
    switch_page(app, "compression")
    app.toggle("training_side_everywhere").set_value(True).run()
    switch_page(app, "vocabulary")
    assert text_line(app) == here
    app.toggle("training_side_everywhere").set_value(False).run()
    assert "learned from all of it" in text_line(app)


def test_one_document_is_held_back_by_paragraphs_with_a_warning(open_page):
    app = open_page("compression")
    assert "Neighbours share words" in captions(app)
    assert "20 \\% of the paragraphs" in captions(app)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param("low lower lowest", "This text is one paragraph, so nothing", id="one paragraph"),
        pytest.param("low lower\n\nlow lower\n\nlow lower\n\n", "All parts of this text are equal", id="all equal"),
    ],
)
def test_a_text_that_cannot_be_divided_is_drawn_alone_and_its_size_can_be_chosen(open_page, text, why):
    app = paste(open_page(), text)
    assert not app.exception
    assert not app.error
    assert why in app.info[0].value
    training = train(count_chunks([text]), 8_192)
    drawn = next(iter(chart(app)["data"]))
    assert np.allclose(read_values(drawn["y"]), training.chunk_counts.num_bytes / training.token_totals, rtol=1e-12)
    size = 256 + len(training.merges) - 1
    app.number_input("size").set_value(size).run()
    assert f"At size {size} a token covers" in head(app)
    assert "learned from all of it" in text_line(app)
    assert "cannot be divided" in captions(app)


def test_one_paragraph_of_two_lines_is_held_back_by_lines_and_the_choice_is_not_carried_over(open_page):
    app = paste(open_page(), "low lower lowest\nwide wider widest")
    assert not app.error
    assert not app.info
    assert "20 % of the lines" in text_line(app)
    app.selectbox("text").set_value("sherlock").run()
    assert "20 % of the paragraphs" in text_line(app)


def test_a_text_that_cannot_be_divided_takes_a_second_text(open_page):
    app = second_text(paste(open_page(), "low lower lowest"), b"lower and lowest")
    assert not app.error
    assert not app.info
    assert len([trace for trace in chart(app)["data"] if trace.get("customdata")]) == 2


def test_numbers_that_differ_from_other_pages_are_explained(open_page):
    app = open_page("compression")
    split = hold_out_share(documents_of_text(sample_documents("sherlock")[0]), 0.2, 0, parts="blank lines")
    kept, whole = split.held_out.num_bytes, split.train.num_bytes + split.held_out.num_bytes
    share = f"{100 * kept / whole:.1f}\u00a0%"
    assert f"This page keeps {share} of the text back" in captions(app)
    assert f"{whole - kept:,} of {whole:,} bytes ({share} held back), {len(split.train)} paragraphs" in captions(app)
    app.toggle("training_side_everywhere").set_value(True).run()
    assert "This page keeps" not in captions(app)


def test_marks_on_the_axis_of_merges_tell_merges_with_their_size(open_page):
    labels = " ".join(label["text"] for label in chart(open_page("compression"))["layout"]["annotations"])
    assert "you: 768 merges<span style='--aside:1'> (size 1,024)</span>" in labels
    assert re.search(r"stopped: 1,698 merges<span style='--aside:1'> \(size 1,954\)", labels)


def test_a_text_shorter_than_any_merge_has_a_chart_of_one_point(open_page):
    app = paste(open_page(), "a\n\nb\n\nc\n\nd\n\ne\n\n")
    assert not app.exception
    assert "Nothing more was learned" in head(app) or "The next" in head(app)
    for tab in compression_tabs.TABS:
        assert not open_tab(app, tab).exception


@pytest.mark.parametrize("share", [0, 100])
def test_a_share_of_nothing_or_all_is_refused(open_page, share):
    app = open_page("compression")
    app.number_input("held_out_share").set_value(share).run()
    assert not app.exception
    assert "more than 0 % and less than 100 %" in app.error[0].value.replace("\\", "")


def second_text(app, content):
    app.selectbox("held_out_how").set_value("a second text").run()
    return app.file_uploader("held_out_file").upload("second.txt", content, "text/plain").run()


def test_a_second_text_is_measured_and_its_repeats_are_refused_or_dropped(open_page):
    app = open_page("compression")
    app.selectbox("held_out_how").set_value("a second text").run()
    assert "No second text was given yet" in app.error[0].value
    second_text(app, b"Another story, of another night.")
    assert not app.error
    assert "learned from all of it" in text_line(app)
    app.file_uploader("held_out_file").upload("same.txt", sample_documents("sherlock")[0].encode(), "text/plain").run()
    assert "also stand in the training text" in app.error[0].value
    app.checkbox("held_out_drop").set_value(True).run()
    assert "none would be left" in app.error[0].value


def test_a_second_text_in_another_encoding_says_where_and_is_read_when_it_is_named(open_page):
    app = second_text(open_page("compression"), "Noël naïve".encode("latin-1"))
    assert "second" in app.error[0].value
    encoding = next(each for each in app.selectbox("held_out_encoding").options if "1252" in each or "8859-1" in each)
    app.selectbox("held_out_encoding").set_value(encoding).run()
    assert not app.error
    assert not app.exception


def test_an_empty_second_text_has_no_ratio_and_is_refused(open_page):
    app = second_text(open_page("compression"), b"")
    assert not app.exception
    assert app.error


def test_whole_files_can_be_held_back(open_page):
    app = open_page("compression")
    app.selectbox("text").set_value("rights").run()
    app.selectbox("held_out_how").set_value("whole files").run()
    assert not app.exception
    assert "the file" in captions(app)
    app.multiselect("held_out_names").set_value([]).run()
    assert "Choose whole files" in app.error[0].value


# --- tabs ---------------------------------------------------------------------------


def test_nothing_in_a_closed_tab_is_computed(open_page, monkeypatch):
    def fail(*_):
        raise AssertionError("this tab is closed")

    monkeypatch.setattr(compression_others, "baselines", fail)
    monkeypatch.setattr(compression_report, "report_html", fail)
    app = open_page("compression")
    assert not app.exception
    assert app.dataframe


def test_the_budget_table_has_learned_merges_never_the_request(open_page, sherlock_curves):
    training, held_out_totals, _ = sherlock_curves
    frame = open_page("compression").dataframe[0].value
    learned = len(training.merges)
    missed = ["2,000 (not reached)", "5,000 (not reached)"]
    assert frame["budget"].tolist() == ["0", "256", "500", "1,000", *missed, "all"]
    assert frame["merges learned"].tolist() == [min(each, learned) for each in (0, 256, 500, 1000, 2000, 5000, learned)]
    assert frame["train tokens"].tolist() == training.token_totals[frame["merges learned"]].tolist()
    assert frame["held-out tokens"].tolist() == held_out_totals[frame["merges learned"]].tolist()
    assert set(frame["round trip"]) == {"holds"}
    assert frame["SHA-256 of the merges"].str.fullmatch("[0-9a-f]{64}").all()
    assert frame["SHA-256 of the merges"].nunique() == 5


@pytest.mark.parametrize("budgets", ["1.5", "-3", "ten", "0,256", "²", " ", "1 2,00"])
def test_a_budget_that_is_no_whole_number_is_refused(open_page, budgets):
    app = open_page("compression")
    app.text_input("compression_budgets").set_value(budgets).run()
    assert not app.exception
    assert "budget" in app.error[0].value.lower()


def test_parse_budgets_takes_thousands_and_all():
    assert parse_budgets("0 1,000;12,  ALL") == [0, 1_000, 12, None]


def test_other_settings_are_learned_listed_and_dropped(open_page):
    app = open_tab(open_page("compression"), "Other settings")
    press(app, "Cut as GPT-2, four-type, not at all")
    listed = app.dataframe[0].value
    assert listed["cut by"].tolist() == ["gpt2", "four-type", "none"]
    assert "waiting" not in listed["merges learned"].tolist()
    joins = app.dataframe[1].value["entry"].tolist()
    assert all(re.search(r"\w", token) and re.search(r"[^\w·↵]", token) for token in joins)
    press(app, "Drop C")
    assert app.dataframe[0].value["cut by"].tolist() == ["gpt2", "four-type"]
    press(app, "Learn from 10 %, 30 %, 100 %")
    assert app.dataframe[0].value["learned from"].str.startswith("10 %").sum() == 1


def test_the_held_out_side_by_file_is_relative_to_the_best(open_page):
    app = open_page("compression")
    app.selectbox("text").set_value("rights").run()
    app.number_input("held_out_share").set_value(40).run()
    open_tab(app, "Other settings")
    lines = [read_values(trace["y"]) for trace in chart(app, 2)["data"] if trace["name"]]
    assert len(lines) == 4
    assert np.allclose(np.min(lines, axis=0), 1)
    assert "Only texts that say the same" in captions(app)


def test_what_size_costs_is_the_formula(open_page):
    app = open_tab(open_page("compression"), "What size costs")
    app.number_input("compression_width").set_value(100).run()
    assert any("**102,400 parameters**" in each.value for each in app.markdown)
    next(each for each in app.get("button_group") if each.key == "compression_tables").set_value(UNTIED).run()
    assert any("**204,800 parameters**" in each.value for each in app.markdown)


def test_against_others_bytes_are_one_and_words_may_be_unknown(open_page):
    frame = open_tab(open_page("compression"), "Against other tokenizers").dataframe[0].value
    rows = frame.set_index("the held-out text as")
    assert rows.loc["single bytes", "bytes / token"] == 1.0
    assert rows.loc["words between white space", "unknown, %"] > 0
    assert rows.loc["GPT-2", "vocabulary size"] == 50_257


def test_the_report_of_pasted_text_offers_the_two_sides(open_page):
    app = paste(open_page(), "\n\n".join(f"{HOSTILE} {number} low lower" for number in range(20)))
    open_tab(app, "Report")
    assert not app.exception
    assert {"train.jsonl", "held_out.jsonl"} <= {button.proto.label for button in app.get("download_button")}


def test_json_lines_hold_any_text():
    documents = ["a\nb\r\n", "\u2028", '"', "🙂"]
    assert [json.loads(line) for line in json_lines(documents).decode().split("\n")[:-1]] == documents


# --- figures ------------------------------------------------------------------------


def made_chart(**changes):
    merges = np.arange(0, 101, 10)
    lines = [Line("train", np.linspace(1, 3, 11)), Line(HOSTILE, np.linspace(1, 2.9, 11))]
    values = {"merges": merges, "lines": lines, "learned": 100, "wanted": 100, "y_title": "bytes per token"}
    return SizesChart(**values | changes)


def test_not_reached_is_a_hatched_region_and_never_a_line():
    figure = sizes_figure(made_chart(wanted=500))
    lines, region = figure.data[:2], figure.data[2]
    assert region.fillpattern.shape == "/"
    assert min(region.x) == max(lines[0].x) == max(lines[1].x)
    assert len(sizes_figure(made_chart()).data) == 2


def test_no_mark_runs_through_the_title_of_a_strip_and_no_two_share_a_row():
    strip = Strip("how often", np.arange(11), ",d")
    figure = sizes_figure(made_chart(strips=[strip], markers=[Marker(5, "you", "(size 261)"), Marker(6, "stopped")]))
    title = next(each for each in figure.layout.annotations if each.text == "how often")
    assert len(figure.layout.shapes) == 4
    assert not [line for line in figure.layout.shapes if line.y0 <= title.y < line.y1]
    rows = [each.yshift for each in figure.layout.annotations if each.text.startswith(("you", "stopped"))]
    assert len(set(rows)) == 2


def test_names_and_words_are_escaped_in_a_figure():
    chart = made_chart(levels=[Level(2.0, HOSTILE)], markers=[Marker(5, HOSTILE, HOSTILE)])
    assert "<b>bold" not in sizes_figure(chart).to_json().replace("\\u003c", "<")


def test_labels_at_the_ends_of_lines_do_not_overlap():
    lines = [Line(str(number), np.full(11, 2.0 + number / 1000)) for number in range(6)]
    heights = sorted(label.y for label in sizes_figure(made_chart(lines=lines)).layout.annotations)
    assert min(np.diff(heights)) > 0
    assert np.mean(heights) == pytest.approx(2.0025)  # spread around their lines, not pushed up


@given(st.lists(st.floats(-100, 100), max_size=9), st.floats(0, 20))
def test_places_are_moved_apart_and_as_a_whole_not_away(places, least):
    places = sorted(places)
    moved = apart(places, least)
    assert all(after - before >= least - 1e-9 for before, after in pairwise(moved))
    assert sum(moved) == pytest.approx(sum(places), abs=1e-6)
    if all(after - before > least + 1e-9 for before, after in pairwise(places)):
        assert moved == pytest.approx(places)


def test_hostile_tokens_are_escaped_in_the_hover(open_page):
    app = paste(open_page(), "\n\n".join(f"{HOSTILE * 3}{number}" for number in range(30)))
    hovers = " ".join(point[2] for point in chart(app)["data"][0]["customdata"])
    assert "&lt;" in hovers
    assert "<" not in hovers


def test_at_most_2000_points_a_line(open_page):
    app = open_page("compression")
    app.selectbox("text").set_value("c").run()
    app.number_input("min_count").set_value(1).run()
    trace = chart(app)["data"][0]
    assert trace["customdata"][-1][0] > 2_000
    assert len(trace["customdata"]) <= 2_000
