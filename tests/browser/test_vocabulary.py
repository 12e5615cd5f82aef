"""The table of the vocabulary in a real browser, where its cells are drawn on a canvas."""

HEAD, ROW = 36, 35  # px


def click(page, table: int, row: int) -> None:
    grid = page.locator("[data-testid=stDataFrame]").nth(table)
    grid.scroll_into_view_if_needed()
    box = grid.bounding_box()
    x, y = box["x"] + 60, box["y"] + HEAD + ROW * row + ROW / 2
    for place in (x + 3, x):  # the canvas takes a press for a click on a cell that the pointer has rested on
        page.mouse.move(place, y)
        page.wait_for_timeout(250)
    page.mouse.down()
    page.wait_for_timeout(60)
    page.mouse.up()


def test_the_card_is_that_of_the_row_clicked_last_in_either_table(serve, open_page):
    page = open_page(f"{serve('app.py')}/vocabulary?size=300", height=1300)
    page.get_by_text("first 15 and last 15").click()
    page.get_by_role("heading", name="Last learned").wait_for()
    for table, row, token_id in [(1, 2, 297), (0, 1, 257), (1, 5, 294), (1, 0, 299), (0, 14, 270)]:
        click(page, table, row)
        page.locator(".card-id", has_text=f"id {token_id}").wait_for()
