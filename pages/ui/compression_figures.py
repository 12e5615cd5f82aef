"""What the curves say at the size in view: the conclusion in two sentences, and the small table of figures."""

from __future__ import annotations

from html import escape
from pathlib import Path

from bpe_core.curves import saved_per_entry
from pages.ui.compression_curves import STRIDE, Curve, Curves, curves_of, train_curve
from pages.ui.run import Run
from pages.ui.words import number, percent, plural, ratio

HELD_OUT_HELP = "Held-out is the text kept back from learning."
_NOTE = "A text begins as one token for each byte, so each token fewer is a byte saved."
_STYLE = (Path(__file__).parent / "compression.css").read_text()


def conclusion(run: Run) -> str:
    """Return what a reader should conclude at the size in view, in two sentences."""
    if not run.sides:
        return _conclusion_alone(run)
    curves, k = curves_of(run), run.num_merges
    train, held_out = float(curves.train.bytes_per_token[k]), float(curves.held_out.bytes_per_token[k])
    return (
        f"At size {number(run.vocab_size)} a token covers {ratio(train)} bytes of the training text and "
        f"{ratio(held_out)} bytes of text it never saw: {gap_words(float(curves.gap[k]))}. {advice(curves, k)}"
    )


def _conclusion_alone(run: Run) -> str:
    """What the text itself says, if nothing could be held back."""
    curve = train_curve(run)
    gain = curve.next_gain(run.num_merges)
    covers = f"{ratio(float(curve.bytes_per_token[run.num_merges]))} bytes of the text that it learned from"
    more = "Nothing more was learned."
    if gain.merges:
        more = f"The next {plural(gain.merges, 'merge')} would save {percent(gain.share)} of its tokens."
    return f"At size {number(run.vocab_size)} a token covers {covers}. {more}"


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
    these = f"The next {plural(train.merges, 'merge')} would save {percent(held_out.share)} of its tokens"
    if not held_out.tokens:
        return (
            f"The next {plural(train.merges, 'merge')} would save nothing there: they only memorise the training text."
        )
    if held_out.share < train.share / 2:
        return f"{these}, against {percent(train.share)} on the training text: from here it mostly memorises."
    if held_out.share / held_out.merges < 0.005 / 100:
        return f"{these}: there is little left to gain."
    return f"{these}: a bigger vocabulary still pays."


def figures_html(run: Run, curves: Curves) -> str:
    """The figures at the size in view as a small table in HTML; it holds numbers and our own words only."""
    wide = [
        ("gap: held-out below train", percent(float(curves.gap[run.num_merges]) / 100, 1)),
        ("held-out chunks that are in train", percent(curves.known, 1)),
    ]
    rest = "".join(f"<tr><th colspan='2'>{escape(name)}</th><td>{value}</td></tr>" for name, value in wide)
    return _table(run, {"train": curves.train, "held-out": curves.held_out}, rest, f"{HELD_OUT_HELP} {_NOTE}")


def train_figures_html(run: Run) -> str:
    """The figures of the training text alone, as such a table."""
    return _table(run, {"train": train_curve(run)}, "", _NOTE)


def _table(run: Run, named: dict[str, Curve], rest: str, note: str) -> str:
    k, sides = run.num_merges, list(named.values())
    rows = [
        ("bytes per token", [ratio(side.bytes_per_token[k]) for side in sides]),
        ("characters per token", [ratio(side.characters_per_token[k]) for side in sides]),
        ("tokens", [number(int(side.totals[k])) for side in sides]),
        (_saved_words(k), [ratio(saved_per_entry(side.totals, k, STRIDE), 1) for side in sides]),
    ]
    if more := sides[0].next_gain(k).merges:
        saved = [percent(side.next_gain(k).share) for side in sides]
        rows.append((f"saved by the next {plural(more, 'merge')}", saved))
    head = f"<tr><th>At size {number(run.vocab_size)}</th>{''.join(f'<th>{name}</th>' for name in named)}</tr>"
    cells = [(name, "".join(f"<td>{value}</td>" for value in values)) for name, values in rows]
    body = "".join(f"<tr><th>{escape(name)}</th>{values}</tr>" for name, values in cells)
    return f"<style>{_STYLE}</style><table class='figures'>{head}{body}{rest}</table><p class='figures-note'>{note}</p>"


def _saved_words(merges: int) -> str:
    last = min(merges, STRIDE)
    return f"bytes saved by each of the last {plural(last, 'merge')}" if last else "bytes saved by a merge"
