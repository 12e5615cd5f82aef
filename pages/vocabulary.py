"""Vocabulary: what was learned."""

from pages.ui import shell

run = shell.open_page("What it learned", "Every token at this size, with the merge that made it.")
