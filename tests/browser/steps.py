"""What visitors do on any page, as the browser tests need it."""

from __future__ import annotations


def when_idle(page) -> None:
    """Wait for the end of the run in progress: it may close a list, or draw again what was just measured."""
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()


def choose(page, box, option: str, *, exact: bool = False) -> None:
    """Choose from a selectbox by what the option shows; `box` finds the selectbox."""
    when_idle(page)
    box.get_by_role("combobox").click()
    page.get_by_role("option", name=option, exact=exact).click()
