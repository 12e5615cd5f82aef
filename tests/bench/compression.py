"""How fast the curves of Compression are beside peers that encode the held-out text at twenty sizes.

    python tests/bench/compression.py FOLDER --repeats 3

FOLDER holds the texts (see `mixes.py`): 10 MB of them, of which a fifth is held back. Ours: cutting and
encoding the held-out text once, and the tokens of both sides at all sizes. The peers, tiktoken and
tokenizers (two threads each, built beforehand): the held-out text at twenty sizes, with the same totals.
Ours and theirs run in turn in one process; a ratio is the peer's time over ours.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

os.environ["RAYON_NUM_THREADS"] = "2"
sys.path.insert(0, str(Path(__file__).parents[2]))

import tiktoken
import tokenizers
from mixes import mix
from tokenizers import models, pre_tokenizers

from bpe_core import Training, count_chunks, named_pattern, token_totals, train
from bpe_core.visible import spell
from pages.ui.charts import sizes_figure
from pages.ui.compression_curves import both_curves
from pages.ui.compression_sides import Sides, SplitChoice, sides_of
from pages.ui.compression_view import Shown, chart_of
from pages.ui.corpus import Corpus
from pages.ui.run import Run, Settings

SIZES, VOCAB_SIZE = 20, 8_192


def seconds(work: Callable[[], object]) -> tuple[float, object]:
    """Return how long `work` takes, and what it returns."""
    start = perf_counter()
    result = work()
    return perf_counter() - start, result


def tiktoken_totals(training: Training, sizes: list[int]) -> Callable[[list[str]], list[int]]:
    """Return what gives the tokens of documents at these numbers of merges, by tiktoken."""
    vocabulary = training.tokenizer.vocabulary
    pattern = training.tokenizer.pattern.regexes[0]
    encoders = [
        tiktoken.Encoding(
            str(size), pat_str=pattern, special_tokens={}, mergeable_ranks={vocabulary[i]: i for i in range(256 + size)}
        )
        for size in sizes
    ]
    return lambda documents: [
        sum(map(len, encoder.encode_ordinary_batch(documents, num_threads=2))) for encoder in encoders
    ]


def tokenizers_totals(training: Training, sizes: list[int]) -> Callable[[list[str]], list[int]]:
    """Return what gives the tokens of documents at these numbers of merges, by tokenizers."""
    names = {token_id: spell(token) for token_id, token in training.tokenizer.vocabulary.items()}
    pairs = [(names[left], names[right]) for left, right in training.tokenizer.pairs.tolist()]
    encoders = []
    for size in sizes:
        vocabulary = {names[token_id]: token_id for token_id in range(256 + size)}
        encoder = tokenizers.Tokenizer(models.BPE(vocab=vocabulary, merges=pairs[:size]))
        encoder.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        encoders.append(encoder)
    return lambda documents: [
        sum(map(len, encoder.encode_batch_fast(documents, add_special_tokens=False))) for encoder in encoders
    ]


def click_to_chart(sides: Sides) -> None:
    """Print how long everything takes between the choice of a text and its figure, step by step."""
    settings = Settings(named_pattern("gpt2"), (), VOCAB_SIZE, 2)
    counting, counts = seconds(lambda: count_chunks(sides.train.documents))
    learning, training = seconds(lambda: train(counts, VOCAB_SIZE))
    measuring, curves = seconds(lambda: both_curves(training, count_chunks(sides.held_out.documents)))
    run = Run(sides.train, settings, training, 1_024, sides)
    drawing, _ = seconds(lambda: sizes_figure(chart_of(run, curves, Shown())).to_json())
    print(
        f"  from click to chart {counting + learning + measuring + drawing:.2f} s: counting {counting:.2f}, "
        f"learning {learning:.2f}, both curves {measuring:.2f}, the figure {drawing:.2f}"
    )


def bench(folder: Path, repeats: int) -> None:
    """Print the ratios."""
    documents, _ = mix(folder, 10_000_000)
    sides = sides_of(Corpus("a mix of texts", documents), SplitChoice())
    held_out = list(sides.held_out.documents)
    print(f"  {sides.train.num_bytes / 1e6:.1f} MB to learn from, {sides.held_out.num_bytes / 1e6:.1f} MB held back")
    training = train(count_chunks(sides.train.documents), VOCAB_SIZE)
    num_merges = len(training.merges)
    sizes = [num_merges * step // SIZES for step in range(1, SIZES + 1)]

    def ours() -> object:
        training.__dict__.pop("token_totals", None)  # computed once and kept: let it be computed each time
        return token_totals(training.tokenizer, count_chunks(held_out)), training.token_totals

    for name, make in (("tiktoken", tiktoken_totals), ("tokenizers", tokenizers_totals)):
        peer = make(training, sizes)
        ratios = []
        for _ in range(repeats):
            mine, (totals, _) = seconds(ours)
            his, theirs = seconds(lambda peer=peer: peer(held_out))
            assert totals[sizes].tolist() == theirs, "both must count the same tokens"
            ratios.append(his / mine)
        print(f"  {name:10} {his:6.2f} s, ours {mine:.3f} s: ratio {median(ratios):.1f} ({min(ratios):.1f} at least)")
    click_to_chart(sides)


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="a folder with en_*.txt, *.c and udhr*.txt")
    parser.add_argument("--repeats", type=int, default=3, help="pairs of runs for each ratio")
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    bench(options.folder, options.repeats)


if __name__ == "__main__":
    main()
