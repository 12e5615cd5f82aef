"""One measured job in a process of its own; prints its figures as JSON.

`python jobs.py JOB DOCUMENTS [MERGES]`: DOCUMENTS is a JSON list of texts, MERGES a
JSON list of pairs. Imports and reading are done before the clock starts.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time

VOCAB_SIZE = 8_192
SIZES = 20


def peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(work: Callable[[], object]) -> dict[str, float]:
    before, wall, cpu = peak_megabytes(), perf_counter(), process_time()
    result = work()
    figures = {"seconds": perf_counter() - wall, "cpu": process_time() - cpu, "megabytes": peak_megabytes() - before}
    return figures | (result if isinstance(result, dict) else {})


def train_ours(documents: list[str]) -> dict[str, float]:
    from bpe_core import count_chunks, train

    training = None

    def work() -> None:
        nonlocal training
        training = train(count_chunks(documents, "gpt2"), VOCAB_SIZE)

    figures = measure(work)
    return figures | {"merges": training.tokenizer.pairs.tolist()}


def train_tokenizers(documents: list[str]) -> dict[str, float]:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCAB_SIZE, min_frequency=2, show_progress=False, initial_alphabet=alphabet
    )
    return measure(lambda: tokenizer.train_from_iterator(documents, trainer))


def train_rustbpe(documents: list[str]) -> dict[str, float]:
    import rustbpe

    from bpe_core import named_pattern

    tokenizer = rustbpe.Tokenizer()
    pattern = named_pattern("gpt2").regexes[0]
    return measure(lambda: tokenizer.train_from_iterator(iter(documents), VOCAB_SIZE, pattern=pattern))


def curve_ours(documents: list[str], merges: list[tuple[int, int]]) -> dict[str, float]:
    from bpe_core import Tokenizer, count_chunks, token_totals

    tokenizer = Tokenizer.from_merges(merges)
    token_totals(tokenizer, count_chunks(["This builds the tables, as the peer's encoders are built beforehand."]))
    figures = measure(lambda: token_totals(tokenizer, count_chunks(documents)))
    return figures | {"totals": token_totals(tokenizer, count_chunks(documents))[_merge_counts(merges)].tolist()}


def curve_tiktoken(documents: list[str], merges: list[tuple[int, int]]) -> dict[str, float]:
    import tiktoken

    from bpe_core import Tokenizer

    vocabulary = Tokenizer.from_merges(merges).vocabulary
    pattern = Tokenizer.from_merges([]).pattern.regexes[0]
    encoders = []
    for num_merges in _merge_counts(merges):
        ranks = {vocabulary[token_id]: token_id for token_id in range(256 + num_merges)}
        encoders.append(tiktoken.Encoding(str(num_merges), pat_str=pattern, mergeable_ranks=ranks, special_tokens={}))

    def totals(encoder: tiktoken.Encoding) -> int:
        return sum(map(len, encoder.encode_ordinary_batch(documents, num_threads=2)))

    found: list[int] = []
    return measure(lambda: found.extend(map(totals, encoders))) | {"totals": found}


def change_size_ours(documents: list[str]) -> dict[str, float]:
    """The slowest of several changes of the size: the smaller tokenizer, its total, its gap ranks of a short text."""
    from bpe_core import count_chunks, train

    training = train(count_chunks(documents, "gpt2"), VOCAB_SIZE)
    training.tokenizer.build_tables()  # as the app does after learning
    excerpt = documents[0][:50_000]

    def change(size: int) -> None:
        smaller = training.tokenizer.with_vocab_size(size)
        assert int(training.token_totals[size - 256]) > 0
        smaller.gap_ranks(excerpt)
        smaller.encode(excerpt)

    slowest = {"seconds": 0.0}
    for size in (5_000, 1_000, 300, 8_000):
        figures = measure(lambda size=size: change(size))
        slowest = max(slowest, figures, key=lambda row: row["seconds"])
    return slowest


def _merge_counts(merges: list[tuple[int, int]]) -> list[int]:
    return [len(merges) * step // SIZES for step in range(1, SIZES + 1)]


JOBS = {
    job.__name__: job
    for job in (train_ours, train_tokenizers, train_rustbpe, curve_ours, curve_tiktoken, change_size_ours)
}

if __name__ == "__main__":
    os.environ.setdefault("RAYON_NUM_THREADS", "2")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")
    name, *files = sys.argv[1:]
    print(json.dumps(JOBS[name](*[json.loads(Path(file).read_text(encoding="utf-8")) for file in files])))
