"""Compression in a browser: a click on the curve moves the size; themes, a phone, the camera, the tabs."""

import re

import pytest

CHART = ".st-key-compression_chart .js-plotly-plot"


def opened(open_page, serve, **options):
    page = open_page(f"{serve('app.py')}/compression", **options)
    page.locator(f"{CHART} .nsewdrag").first.wait_for(timeout=120_000)
    return page


def click_at(page, share):
    """Click into the chart, so far from its left edge; return what the hover said there."""
    box = page.locator(f"{CHART} .nsewdrag").first.bounding_box()
    page.mouse.move(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
    hover = page.locator(f"{CHART} .hoverlayer .legend")
    hover.wait_for()
    hovered = hover.text_content()
    page.mouse.down()
    page.mouse.up()
    return hovered


def size_in_sidebar(page):
    return page.get_by_role("spinbutton", name=re.compile("Vocabulary size")).input_value()


def test_a_click_on_the_curve_moves_the_size(open_page, serve):
    page = opened(open_page, serve)
    for share in (0.3, 0.6):
        before = size_in_sidebar(page)
        hovered = click_at(page, share)
        page.wait_for_function(
            "([chart, before]) => !document.querySelector(chart).textContent.includes(`(size ${before})`)",
            arg=[CHART, f"{int(before):,}"],
        )
        after = size_in_sidebar(page)
        assert after != before
        assert f"size {int(after):,}" in hovered
        assert f"you: {int(after) - 256:,} merges (size {int(after):,})" in page.locator(CHART).text_content()
        assert f"At size {int(after):,} a token covers" in page.locator(".head").inner_text()
        assert page.url.endswith(f"size={after}")


@pytest.mark.parametrize(("dark", "train", "held_out"), [(False, "9, 97, 185", "173, 40, 80"),
                                                       (True, "38, 156, 250", "255, 123, 130")])  # fmt: skip
def test_lines_have_the_colours_of_the_theme(open_page, serve, dark, train, held_out):
    page = opened(open_page, serve, dark=dark)
    strokes = page.locator(f"{CHART} .scatterlayer path.js-line").evaluate_all(
        "lines => lines.slice(0, 2).map(line => getComputedStyle(line).stroke)"
    )
    assert strokes == [f"rgb({train})", f"rgb({held_out})"]


def test_a_phone_shows_sentence_and_chart_without_sideways_scroll(open_page, serve):
    page = opened(open_page, serve, width=390, height=844)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator(CHART).bounding_box()["width"] <= 390


def test_the_camera_saves_the_chart_as_svg(open_page, serve):
    page = opened(open_page, serve)
    page.locator(CHART).hover()
    with page.expect_download() as download:
        page.locator(f"{CHART} .modebar-btn").first.click()
    assert download.value.suggested_filename == "bytes-per-token.svg"
    assert page.locator(f"{CHART} .modebar-btn").count() <= 2


def test_tabs_open_without_an_error(open_page, serve):
    page = opened(open_page, serve)
    for name in ("Other settings", "What size costs", "Against other tokenizers", "Report", "At your budgets"):
        page.get_by_role("tab", name=name).click()
        page.locator('[role="tabpanel"]:visible [data-testid="stElementContainer"]').first.wait_for()
        page.wait_for_function("!document.querySelector('[data-testid=\"stStatusWidget\"]')")
        assert page.locator('[data-testid="stException"]').count() == 0
