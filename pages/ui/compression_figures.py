"""What the curves say at the size in view: the conclusion in two sentences, and the small table of figures."""

from __future__ import annotations

from html import escape
from pathlib import Path

from bpe_core.curves import saved_per_entry
from pages.ui.compression_curves import STRIDE, Curves, Gain, curves_of
from pages.ui.run import Run
from pages.ui.words import number, plural, ratio

_STYLE = (Path(__file__).parent / "compression.css").read_text()


def conclusion(run: Run) -> str:
    """Return what a reader should conclude at the size in view, in two sentences."""
    curves, k = curves_of(run), run.num_merges
    train, held_out = float(curves.train.bytes_per_token[k]), float(curves.held_out.bytes_per_token[k])
    return (
        f"At size {number(run.vocab_size)} a token covers {ratio(train)} bytes of the training text and "
        f"{ratio(held_out)} bytes of text it never saw: {gap_words(float(curves.gap[k]))}. {advice(curves, k)}"
    )


def gap_words(gap: float) -> str:
    """Return a gap in percent in words.

    >>> gap_words(4.2), gap_words(-1.04), gap_words(0.3)
    ('4\\xa0% less', '1\\xa0% more', 'about the same')
    """
    if abs(gap) < 0.5:
        return "about the same"
    return f"{abs(gap):.0f}\u00a0% {'less' if gap > 0 else 'more'}"


def advice(curves: Curves, merges: int) -> str:
    """Return whether more merges would pay on unseen text, told by what the next ones save on either side."""
    train, held_out = curves.train.next_gain(merges), curves.held_out.next_gain(merges)
    if not train.merges:
        return "Nothing more was learned."
    these = f"The next {plural(train.merges, 'merge')} would save {_percent(held_out)} of its tokens"
    if not held_out.tokens:
        return (
            f"The next {plural(train.merges, 'merge')} would save nothing there: they only memorise the training text."
        )
    if held_out.share < train.share / 2:
        return f"{these}, against {_percent(train)} on the training text: from here it mostly memorises."
    if held_out.share / held_out.merges < 0.005 / 100:
        return f"{these}: there is little left to gain."
    return f"{these}: a bigger vocabulary still pays."


def figures_html(run: Run, curves: Curves) -> str:
    """The figures at the size in view as a small table in HTML; it holds numbers and our own words only."""
    k = run.num_merges
    sides = curves.train, curves.held_out
    rows = [
        ("bytes per token", [ratio(side.bytes_per_token[k]) for side in sides]),
        ("characters per token", [ratio(side.characters_per_token[k]) for side in sides]),
        ("tokens", [number(int(side.totals[k])) for side in sides]),
        (_saved_words(k), [ratio(saved_per_entry(side.totals, k, STRIDE), 1) for side in sides]),
        (
            f"saved by the next {plural(sides[0].next_gain(k).merges, 'merge')}",
            [_percent(side.next_gain(k)) for side in sides],
        ),
    ]
    wide = [
        ("gap: held-out below train", f"{float(curves.gap[k]):.1f}\u00a0%"),
        ("held-out chunks that are in train", f"{100 * curves.known:.1f}\u00a0%"),
    ]
    head = f"<tr><th>At size {number(run.vocab_size)}</th><th>train</th><th>held-out</th></tr>"
    body = "".join(f"<tr><th>{escape(name)}</th><td>{a}</td><td>{b}</td></tr>" for name, (a, b) in rows)
    body += "".join(f"<tr><th colspan='2'>{escape(name)}</th><td>{value}</td></tr>" for name, value in wide)
    note = "A text begins as one token for each byte, so each token fewer is a byte saved."
    return f"<style>{_STYLE}</style><table class='figures'>{head}{body}</table><p class='figures-note'>{note}</p>"


def _saved_words(merges: int) -> str:
    last = min(merges, STRIDE)
    return f"bytes saved by each of the last {plural(last, 'entry', 'entries')}" if last else "bytes saved by an entry"


def _percent(gain: Gain) -> str:
    return f"{100 * gain.share:.2f}\u00a0%"
