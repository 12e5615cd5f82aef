"""How long every other way to cut takes on one text, as a ratio to one tiktoken encoding of it.

    python tests/bench/orders.py TEXT [--bytes 1000000] [--vocab-size 8192] [--rounds 3]

Counting the chunks, training and building tiktoken's encoder are not timed; building
our tables is. The median of the rounds is printed, in each of which all take turns.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import perf_counter

import tiktoken

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bpe_core import count_chunks, train
from bpe_core.orders import ORDERS, cut_all


def seconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text", type=Path)
    parser.add_argument("--bytes", type=int, default=1_000_000)
    parser.add_argument("--vocab-size", type=int, default=8192)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    text = options.text.read_bytes()[: options.bytes].decode(errors="ignore")
    counts = count_chunks([text])
    tokenizer = train(counts, options.vocab_size).tokenizer
    ranks = {token: number for number, token in enumerate(tokenizer.vocabulary.values())}
    peer = tiktoken.Encoding("peer", pat_str=tokenizer.pattern.regexes[0], mergeable_ranks=ranks, special_tokens={})
    times: dict[str, list[float]] = {name: [] for name in ("tiktoken", *ORDERS)}
    for _ in range(options.rounds):
        times["tiktoken"].append(seconds(lambda: peer.encode_ordinary(text)))
        for order in ORDERS:
            fresh = replace(tokenizer)  # so that its tables are built again
            times[order].append(seconds(lambda fresh=fresh, order=order: cut_all(fresh, counts, order)))
    one = median(times["tiktoken"])
    print(f"{len(text.encode()):,} bytes, {len(counts):,} distinct chunks, {tokenizer.vocab_size:,} entries")
    for name, found in times.items():
        print(f"{name:28} {median(found):7.3f} s {median(found) / one:7.2f} tiktoken")
    total = sum(median(times[order]) for order in ORDERS)
    print(f"{'all orders':28} {total:7.3f} s {total / one:7.2f} tiktoken")


if __name__ == "__main__":
    main()
