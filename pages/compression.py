"""Compression: does a bigger vocabulary still pay, on text it never saw?"""

from pages.ui import shell
from pages.ui.compression_figures import conclusion
from pages.ui.compression_tabs import draw_tabs
from pages.ui.compression_view import draw_chart

run = shell.open_page("Does a bigger vocabulary pay?", conclusion)
draw_chart(run)
if run.sides:
    draw_tabs(run)  # each of them compares both sides
