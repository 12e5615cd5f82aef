"""What visitors do on any page, as the browser tests need it."""

from __future__ import annotations


def when_idle(page) -> None:
    """Wait for the end of the run in progress: it may close a list, or draw again what was just measured."""
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()


def choose(page, box, option: str, *, exact: bool = False) -> None:
    """Choose from a selectbox by what the option shows; `box` finds the selectbox. A run may close its list again."""
    from playwright.sync_api import TimeoutError  # here: without the package these tests are skipped

    wanted = page.get_by_role("option", name=option, exact=exact)
    for _ in range(10):
        when_idle(page)
        if not wanted.is_visible():
            box.get_by_role("combobox").click()
        try:
            return wanted.click(timeout=4_000)
        except TimeoutError:
            continue  # and no Escape, which would stop a training
    raise AssertionError(f"the option {option} never came into sight")
