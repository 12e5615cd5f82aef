"""Watch: how BPE learns, merge by merge, and how it cuts a text, pass by pass."""

from pages.ui import shell
from pages.ui.watch_learning import learning_view

run = shell.open_page("Watch it learn", "It joins the pair that occurs most, everywhere at once, and repeats.")
learning_view(run)
