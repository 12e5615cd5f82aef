"""A report of one run of Compression: one HTML file with settings, digests, chart, table, and a script to repeat it.

Everything that came from the user's text or files is escaped; the file asks nothing from anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import NamedTuple

from bpe_core.budgets import BudgetRow
from bpe_core.chunks import ChunkCounts
from bpe_core.curves import per_token
from bpe_core.line_chart import ChartLine, line_chart
from bpe_core.measures import token_totals
from bpe_core.patterns import PATTERN_NAMES, Pattern, named_pattern
from bpe_core.reference import StopReason
from bpe_core.training import Training


class ReportSide(NamedTuple):
    """One side of the report: its chunks, the digest of its documents (`Texts.sha256`), and where it came from."""

    chunk_counts: ChunkCounts
    sha256: str
    words: str


class ReportRow(NamedTuple):
    """A row of the table, with the digest of the merges up to there and whether both sides come back."""

    row: BudgetRow
    sha256: str
    comes_back: bool


@dataclass(frozen=True)
class Recipe:
    """How a script comes to the two sides: imports, and lines of Python that set `train_side` and `held_out_side`.

    `needs` names the files that must lie beside the script.
    """

    imports: Sequence[str]
    lines: Sequence[str]
    needs: Sequence[str] = field(default=())


@dataclass(frozen=True)
class CompressionReport:
    """All that the report tells. `notes` are sentences that a reader must know."""

    name: str
    training: Training
    min_count: int
    train: ReportSide
    held_out: ReportSide
    rows: Sequence[ReportRow]
    recipe: Recipe
    notes: Sequence[str] = ()

    @property
    def specials(self) -> list[str]:
        """The special tokens, in the order of their ids."""
        return list(self.training.tokenizer.specials)


def report_html(report: CompressionReport) -> str:
    """Return the report as one HTML document."""
    train = per_token(report.train.chunk_counts.num_bytes, report.training.token_totals)
    totals = token_totals(report.training.tokenizer, report.held_out.chunk_counts)
    held_out = per_token(report.held_out.chunk_counts.num_bytes, totals)
    wanted = report.training.vocab_size_wanted - 256 - len(report.specials)
    chart = line_chart(
        [ChartLine("train", train, "#0961B9"), ChartLine("held-out", held_out, "#AD2850", "7 4")],
        "bytes per token", "merges learned (logarithmic)", wanted,
    )  # fmt: skip
    notes = "".join(f"<li>{escape(note)}</li>" for note in report.notes)
    return _PAGE.format(
        title=escape(f"Compression of {report.name}"),
        settings=_settings(report),
        chart=chart,
        table=_table(report.rows),
        notes=f"<ul>{notes}</ul>" if notes else "",
        needs=_needs(report.recipe),
        script=escape(report_script(report)),
    )


def report_script(report: CompressionReport) -> str:
    """Return a Python script that makes the same sides, trains, and prints each row of the table.

    It ends with an error if a digest or a figure differs from the report's.
    """
    imports = sorted({*_IMPORTS, *report.recipe.imports})
    expected = [_expected(row) for row in report.rows]
    return _SCRIPT.format(
        imports="\n".join(imports),
        recipe="\n".join(report.recipe.lines),
        digests=[report.train.sha256, report.held_out.sha256],
        pattern=_pattern_source(report.training.tokenizer.pattern),
        size=_size_to_ask(report.training),
        specials=report.specials,
        min_count=report.min_count,
        expected="\n".join(f"    {row!r}," for row in expected),
    )


def _size_to_ask(training: Training) -> int:
    """The size that gives the same merges: the one asked for, unless the training was stopped before."""
    if training.stopped_because == StopReason.STOPPED:
        return 256 + len(training.tokenizer.specials) + training.tokenizer.num_merges
    return training.vocab_size_wanted


def _expected(row: ReportRow) -> tuple:
    """Requested and learned merges, tokens of both sides, and the digest: what the script must find again."""
    figures = row.row
    return figures.requested, figures.learned, figures.train.num_tokens, figures.held_out.num_tokens, row.sha256


def _pattern_source(pattern: Pattern) -> str:
    if pattern.name in PATTERN_NAMES and pattern == named_pattern(pattern.name):
        return f"named_pattern({pattern.name!r})"
    return f"Pattern({pattern.name!r}, {pattern.regexes!r}, {pattern.keeps_gaps!r}, {pattern.time_limit!r})"


def _settings(report: CompressionReport) -> str:
    tokenizer = report.training.tokenizer
    facts = {
        "text": report.name,
        "learned from": f"{report.train.words}; {_amount(report.train.chunk_counts)}",
        "measured on": f"{report.held_out.words}; {_amount(report.held_out.chunk_counts)}",
        "SHA-256 of the training side": report.train.sha256,
        "SHA-256 of the held-out side": report.held_out.sha256,
        "cut by": f"{tokenizer.pattern.name}: {' then '.join(tokenizer.pattern.regexes) or 'not at all'}",
        "special tokens": ", ".join(report.specials) or "none",
        "least count of a pair": f"{report.min_count:,}",
        "ties": "the smallest pair of ids",
        "vocabulary size": f"{256 + len(report.specials) + tokenizer.num_merges:,} reached of "
        f"{report.training.vocab_size_wanted:,} asked for; {report.training.stopped_because}",
    }
    return "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in facts.items())


def _amount(counts: ChunkCounts) -> str:
    return (
        f"{counts.num_documents:,} documents, {counts.num_bytes:,} bytes, {counts.num_characters:,} characters, "
        f"{counts.num_chunks:,} chunks, {len(counts):,} distinct"
    )


def _table(rows: Sequence[ReportRow]) -> str:
    names = ["asked", "learned", *(f"{side} {what}" for side in ("train", "held-out") for what in _FIGURES),
             "round trip", "SHA-256 of the merges"]  # fmt: skip
    head = "".join(f"<th>{name}</th>" for name in names)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in _cells(row))}</tr>" for row in rows)
    return f"<tr>{head}</tr>{body}"


_FIGURES = ("bytes", "characters", "tokens", "bytes / token", "characters / token")


def _cells(checked: ReportRow) -> list[str]:
    row = checked.row
    cells = ["all" if row.requested is None else f"{row.requested:,}", f"{row.learned:,}"]
    for side in (row.train, row.held_out):
        cells += [f"{side.num_bytes:,}", f"{side.num_characters:,}", f"{side.num_tokens:,}"]
        cells += ["–" if value is None else f"{value:.4f}" for value in side[3:]]
    return [*cells, "holds" if checked.comes_back else "FAILS", f"<code>{checked.sha256}</code>"]


def _needs(recipe: Recipe) -> str:
    if not recipe.needs:
        return "It needs nothing but the package <code>bpe_core</code>."
    files = " and ".join(f"<code>{escape(name)}</code>" for name in recipe.needs)
    return f"It needs the package <code>bpe_core</code> and, beside it, {files}, which the page offers for download."


_IMPORTS = (
    "from bpe_core import Pattern, count_chunks, named_pattern, token_totals, train",
    "from bpe_core.documents import Texts",
    "from bpe_core.formats.manifest import merges_sha256",
)

_SCRIPT = '''"""Repeats the table of the report: run it with Python, bpe_core on the path."""

{imports}

{recipe}

digests = [Texts.of(text.encode() for text in side).sha256 for side in (train_side, held_out_side)]
assert digests == {digests!r}, "these are other texts than the report's"

pattern = {pattern}
training = train(count_chunks(train_side, pattern), {size}, specials={specials!r}, min_count={min_count})
held_out_totals = token_totals(training.tokenizer, count_chunks(held_out_side, pattern))

# merges asked for (None: all) and learned, tokens of the training and the held-out side, SHA-256 of the merges
EXPECTED = [
{expected}
]
for asked, *expected in EXPECTED:
    learned = len(training.merges) if asked is None else min(asked, len(training.merges))
    prefix = training.tokenizer.with_vocab_size(256 + len(training.tokenizer.specials) + learned)
    found = [learned, int(training.token_totals[learned]), int(held_out_totals[learned]), merges_sha256(prefix)]
    print(asked, *found)
    assert found == list(expected), f"the report has {{expected}}"
'''

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light; }}
body {{ font: 15px/1.5 system-ui, sans-serif; color: #14181F; background: #fff; margin: 32px auto; max-width: 60rem;
  padding: 0 16px; }}
h1 {{ font-size: 26px; }} h2 {{ font-size: 18px; margin-top: 32px; }}
svg {{ max-width: 100%; height: auto; }}
.wide {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }}
.wide th {{ white-space: nowrap; }}
th, td {{ border-bottom: 1px solid #d5d9df; padding: 4px 8px; text-align: right; vertical-align: top; }}
.settings th, .settings td {{ text-align: left; overflow-wrap: anywhere; }}
.settings th {{ white-space: nowrap; font-weight: 600; }}
pre {{ background: #EEF0F3; padding: 12px; overflow-x: auto; font-size: 13px; }}
</style></head><body>
<h1>{title}</h1>
<h2>Bytes per token at every vocabulary size</h2>
{chart}
<h2>At these budgets</h2>
<div class="wide"><table>{table}</table></div>
<h2>Settings</h2>
<table class="settings">{settings}</table>
{notes}
<h2>A script that repeats the table</h2>
<p>{needs} It stops with an error if a figure differs.</p>
<pre>{script}</pre>
</body></html>
"""
