"""How fast the engine is beside its peers: whole processes, ours and a peer's in turn, medians of their ratios.

    python tests/bench/engine.py FOLDER --sizes 1 10 --repeats 5

FOLDER holds the texts (see `mixes.py`). Peers: tokenizers (two threads), rustbpe (its
own threads), tiktoken (two threads); they come with tests/requirements.txt. A ratio is
the peer's time over ours, so more than 1 means that ours is faster.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from mixes import TooLittleText, mix

BENCH = Path(__file__).parent
ROOT = BENCH.parents[1]


def run(job: str, *files: Path) -> dict[str, float]:
    """Return the figures of one job in a fresh process, with the seconds of the whole process."""
    start = perf_counter()
    command = [sys.executable, str(BENCH / "jobs.py"), job, *map(str, files)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, env=os.environ | {"PYTHONPATH": str(ROOT)}
    )
    return json.loads(done.stdout) | {"process": perf_counter() - start}


def compare(ours: str, peer: str, repeats: int, *files: Path) -> None:
    """Run both in turn and print the medians of the ratios, each pair of runs giving one ratio."""
    pairs = [(run(ours, *files), run(peer, *files)) for _ in range(repeats)]
    if "totals" in pairs[0][0]:
        assert pairs[0][0]["totals"] == pairs[0][1]["totals"], "both must count the same tokens"
    ratios = {key: median(his[key] / mine[key] for mine, his in pairs) for key in ("seconds", "cpu", "process")}
    mine, his = (median(pair[side]["seconds"] for pair in pairs) for side in (0, 1))
    print(
        f"  {peer:18} {his:7.3f} s, ours {mine:6.3f} s: ratio {ratios['seconds']:5.2f}"
        f"   processor {ratios['cpu']:5.2f}   whole process {ratios['process']:5.2f}"
    )


def bench(folder: Path, megabytes: int, repeats: int, scratch: Path) -> None:
    """Print all figures for one size of training text."""
    train, held_out = mix(folder, megabytes * 10**6)
    texts, held, merges = (scratch / f"{name}-{megabytes}.json" for name in ("train", "held-out", "merges"))
    texts.write_text(json.dumps(train), encoding="utf-8")
    held.write_text(json.dumps(held_out), encoding="utf-8")
    ours = run("train_ours", texts)
    merges.write_text(json.dumps(ours["merges"]), encoding="utf-8")
    print(f"{megabytes} MB, GPT-2 pattern, vocabulary 8,192: text to merges, imports and reading left out")
    for peer in ("train_tokenizers", "train_rustbpe"):
        compare("train_ours", peer, repeats, texts)
    print(f"  peak memory above the interpreter, imports and text: {ours['megabytes']:.0f} MB")
    print("  1 MB held out, encoded, and its token totals at all sizes; tiktoken at twenty sizes")
    compare("curve_ours", "curve_tiktoken", repeats, held, merges)
    print(f"  changing the vocabulary size: {run('change_size_ours', texts)['seconds'] * 1000:.1f} ms at most")


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="a folder with en_*.txt, *.c and udhr*.txt")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1, 10], help="megabytes to train on")
    parser.add_argument("--repeats", type=int, default=3, help="pairs of runs for each ratio")
    options = parser.parse_args()
    print(
        f"{os.cpu_count()} cores ({platform.machine()}), load {os.getloadavg()[0]:.1f}, "
        f"Python {platform.python_version()}"
    )
    with tempfile.TemporaryDirectory() as scratch:
        for megabytes in options.sizes:
            try:
                bench(options.folder, megabytes, options.repeats, Path(scratch))
            except TooLittleText as error:
                print(f"{megabytes} MB left out: {error}")


if __name__ == "__main__":
    main()
