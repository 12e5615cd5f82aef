"""The report and its script; round trips, what a training takes, and the tokens of any tokenizer."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bpe_core import BpeError, ChunkCounts, StopReason, Tokenizer, count_chunks, custom_pattern, token_totals, train
from bpe_core.budgets import budget_table
from bpe_core.compression_report import CompressionReport, Recipe, ReportRow, ReportSide, report_html, report_script
from bpe_core.documents import Texts
from bpe_core.formats.manifest import merges_sha256
from bpe_core.line_chart import ChartLine, line_chart
from bpe_core.published import published_tokenizer
from bpe_core.round_trip import round_trip
from bpe_core.samples import SAMPLES, sample_documents
from bpe_core.token_number import num_tokens
from bpe_core.training_cost import training_cost

REPOSITORY = Path(__file__).parents[2]
HOSTILE = '<script>alert(1)</script> & {braces} \'quotes\' """ \u202e'
TRAIN = ["the cat sat on the mat, the cat\n", "a rat sat\x00 on a hat 🙂🙂", HOSTILE * 3]
HELD_OUT = ["the rat and the cat\u2028sat", "é" * 9, HOSTILE]
FROM_FILES = Recipe(
    ["import json"],
    ["def side(name):", "    with open(name, encoding='utf-8') as lines:",
     "        return [json.loads(line) for line in lines]",
     "train_side, held_out_side = side('train.jsonl'), side('held_out.jsonl')"],
    ["train.jsonl", "held_out.jsonl"],
)  # fmt: skip


def side(documents, pattern, words):
    digest = Texts.of(document.encode() for document in documents).sha256
    return ReportSide(count_chunks(documents, pattern), digest, words)


def stopped(training, merges):
    """The training as it is when a visitor stops it after so many merges."""
    if merges is None:
        return training
    tokenizer = training.tokenizer.with_vocab_size(256 + len(training.tokenizer.specials) + merges)
    columns = {name: getattr(training, name)[:merges] for name in ("counts", "tied", "replaced")}
    return replace(training, tokenizer=tokenizer, stopped_because=StopReason.STOPPED, **columns)


def report(pattern="gpt2", specials=("<|end|>",), budgets=(0, 5, 12, 99_999, None), stopped_after=None):
    sides = side(TRAIN, pattern, f"all but {HOSTILE}"), side(HELD_OUT, pattern, HOSTILE)
    training = stopped(train(sides[0].chunk_counts, 400, specials=specials), stopped_after)
    rows = [
        ReportRow(row, merges_sha256(training.tokenizer.with_vocab_size(256 + len(specials) + row.learned)), True)
        for row in budget_table(training, sides[1].chunk_counts, budgets)
    ]
    return CompressionReport(HOSTILE, training, 2, *sides, rows, FROM_FILES, [HOSTILE])


def run_script(made, folder, train_documents=TRAIN):
    for name, documents in (("train.jsonl", train_documents), ("held_out.jsonl", HELD_OUT)):
        (folder / name).write_text("".join(json.dumps(each) + "\n" for each in documents), encoding="utf-8")
    (folder / "script.py").write_text(report_script(made), encoding="utf-8")
    command = [sys.executable, "script.py"]
    environment = {"PYTHONPATH": str(REPOSITORY), "PYTHONUTF8": "1"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("pattern", ["gpt2", "none", custom_pattern(r"\w+|\W")])
def test_the_script_prints_the_figures_of_the_report(tmp_path, pattern):
    made = report(pattern)
    done = run_script(made, tmp_path)
    assert done.returncode == 0, done.stderr
    expected = [
        f"{row.requested} {row.learned} {row.train.num_tokens} {row.held_out.num_tokens} {digest}"
        for row, digest, _ in made.rows
    ]
    assert done.stdout.splitlines() == expected


def test_the_script_of_a_stopped_training_learns_no_more_than_it_did(tmp_path):
    assert run_script(report(stopped_after=7), tmp_path).returncode == 0


def test_the_script_stops_at_other_texts_and_at_other_figures(tmp_path):
    made = report()
    assert "other texts" in run_script(made, tmp_path, [*TRAIN, "more"]).stderr
    row = made.rows[1]
    wrong = row._replace(row=row.row._replace(train=row.row.train._replace(num_tokens=1)))
    done = run_script(replace(made, rows=[made.rows[0], wrong]), tmp_path)
    assert done.returncode != 0
    assert "the report has" in done.stderr


def test_the_page_shows_text_as_text_and_asks_nothing_from_outside():
    page = report_html(report())
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert page.replace('xmlns="http://www.w3.org/2000/svg"', "").count("http") == 0
    assert "2 reached" not in page
    assert "SHA-256" in page


def test_the_chart_says_what_was_not_reached():
    line = ChartLine("held-out <i>", np.linspace(1, 3, 50), "#000", "4 2")
    assert "not reached" in line_chart([line], "bytes per token", "merges", wanted=80)
    chart = line_chart([line], "bytes per token", "merges", wanted=49)
    assert "not reached" not in chart
    assert "held-out &lt;i&gt; 3.00" in chart


def test_round_trip_counts_the_tokens_of_the_curve():
    counts = count_chunks(sample_documents("emoji"))
    training = train(counts, 600)
    for merges in (0, 1, 100, len(training.merges)):
        trip = round_trip(training.tokenizer.with_vocab_size(256 + merges), counts)
        assert trip == (len(counts), 0, training.token_totals[merges])


def test_round_trip_finds_what_does_not_come_back():
    class Wrong(Tokenizer):
        def encode_distinct(self, chunk_counts):
            symbols, begins = super().encode_distinct(chunk_counts)
            return np.where(symbols == ord("b"), ord("c"), symbols), begins

    trip = round_trip(Wrong.from_merges([], "none"), ChunkCounts.from_counts({b"ab": 3, b"aa": 1}))
    assert (trip.num_chunks, trip.num_changed, trip.holds) == (2, 1, False)


def test_the_curve_is_encoding_at_fifty_sizes_of_a_large_text():
    documents = [document for sample in SAMPLES for document in sample_documents(sample.key)]
    learned, measured = count_chunks(documents[::2]), count_chunks(documents[1::2])
    training = train(learned, 6_000)
    totals = token_totals(training.tokenizer, measured)
    assert (np.diff(totals) <= 0).all()
    assert (np.diff(training.token_totals) <= 0).all()
    sizes = np.linspace(0, len(training.merges), 50).astype(int).tolist()
    for merges in sizes:
        tokenizer = training.tokenizer.with_vocab_size(256 + merges)
        assert round_trip(tokenizer, measured) == (len(measured), 0, totals[merges])
        if merges in sizes[::10]:
            assert round_trip(tokenizer, learned) == (len(learned), 0, training.token_totals[merges])


def test_training_cost_is_measured_and_refuses_what_train_refuses():
    counts = count_chunks(sample_documents("sherlock"))
    cost = training_cost(counts, 700, specials=["<|end|>"], min_count=3)
    assert cost.merges == len(train(counts, 700, specials=["<|end|>"], min_count=3).merges)
    assert cost.seconds > 0
    if cost.peak_bytes is not None:
        assert cost.peak_bytes >= cost.bytes_before > 1_000_000
    with pytest.raises(BpeError, match="min_count"):
        training_cost(counts, 700, min_count=0)


@pytest.mark.parametrize(
    "tokenizer",
    [
        published_tokenizer("gpt2"),
        replace(Tokenizer.from_merges([(104, 105)], "gpt2", ["<|end|>"]), prefix_space=True),
        replace(Tokenizer.from_merges([(104, 105)], "gpt2"), lone_tokens={b" hi!": 300}, ignore_merges=True),
    ],
    ids=["gpt2", "prefix space", "ignore merges"],
)
def test_num_tokens_is_the_length_of_the_encoding(tokenizer):
    documents = ["hi hi!", "", "the <|end|> of é 🙂\n\n\n  it's 1234"]
    assert num_tokens(tokenizer, documents) == sum(len(tokenizer.encode(document)) for document in documents)
