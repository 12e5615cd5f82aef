"""Your text: what it looks like in tokens, at every vocabulary size."""

from pages.ui import shell

run = shell.open_page(
    "Your text, in tokens", "Drag the bar: the same text at every vocabulary size. Nothing is trained again."
)
