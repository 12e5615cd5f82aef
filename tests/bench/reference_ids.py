"""Every published id, from a folder of tokenizer files and a folder of expected ids: prints mismatches, exits 1 if any.

    python tests/bench/reference_ids.py TOKENIZERS IDS

TOKENIZERS holds gpt2/encoder.json, gpt2/vocab.bpe, cl100k_base.tiktoken, o200k_base.tiktoken, qwen.tiktoken and
qwen3-tokenizer.json; IDS holds a file `name.jsonl` for each, with lines of {"text", "ids", "ids_special"}.
Each file is loaded as published; the two vocabularies in the package are held against the same ids.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[2]))

from bpe_core.formats import load_tokenizer
from bpe_core.published import published_tokenizer
from bpe_core.tokenizer import Tokenizer

FILES = {
    "gpt2": "gpt2",
    "cl100k_base": "cl100k_base.tiktoken",
    "o200k_base": "o200k_base.tiktoken",
    "qwen_tiktoken": "qwen.tiktoken",
    "hf_qwen3": "qwen3-tokenizer.json",
}

# (tokenizer, text, tokens): long runs that made published encoders crash or crawl.
LONG_RUNS = (
    ("cl100k_base", "a" * 100_000, 12_500),
    ("cl100k_base", "^" * 1_000_000, 250_000),
    ("gpt2", "^" * 1_000_000, 250_000),
    ("o200k_base", "_" * 50_000, 782),
    ("cl100k_base", "^" * 10_000, 2_500),
    ("cl100k_base", " " + "^" * 10_000, 2_502),
    ("cl100k_base", " " + "^" * 10_000 + "\n", 2_503),
    ("cl100k_base", "a" * 10_000, 1_250),
    ("cl100k_base", " " + "a" * 10_000, 1_252),
    ("cl100k_base", " " + "a" * 10_000 + "\n", 1_253),
    ("cl100k_base", " " * 10_000, 79),
    ("cl100k_base", " " + " " * 10_000, 79),
    ("cl100k_base", " " + " " * 10_000 + "\n", 79),
)

# (tokenizer, text, ids): strings from bug reports and from the tests of other encoders. Not among them: bytes that are
# no UTF-8, which tiktoken joins to the chunk before them and we cut as "everything else".
AWKWARD = (
    ("cl100k_base", "<|endoftext|>", [27, 91, 8862, 728, 428, 91, 29]),
    ("cl100k_base", "\u2028", [378, 101]),
    ("cl100k_base", "∀ϕ 🦙", [22447, 222, 139, 243, 11410, 99, 247]),
    ("cl100k_base", " \x850", [220, 126, 227, 15]),
    ("cl100k_base", "\ufeffBOM first", [3305, 33, 1937, 1176]),
    ("cl100k_base", "a\x00b", [64, 188, 65]),
    ("cl100k_base", "'rer", [2351, 81]),
    ("cl100k_base", "today\n \n", [31213, 27907]),
    ("cl100k_base", "👍", [9468, 239, 235]),
    (
        "cl100k_base",
        '}"\n\n.mkdirs fds adipisicingityEngine ECirie optimal_DA offend',
        [43373, 91055, 94834, 57781, 6210, 21283, 62316, 23669, 76244, 85086],
    ),
)


def mismatches(tokenizer: Tokenizer, lines: list[dict]) -> list[str]:
    """Names of the lines whose ids, ids with specials allowed, or decoded text are not as expected."""
    wrong = []
    for line in lines:
        if tokenizer.encode(line["text"]) != line["ids"]:
            wrong.append(line["name"])
        if "ids_special" in line and tokenizer.encode(line["text"], "allow") != line["ids_special"]:
            wrong.append(line["name"] + " (specials allowed)")
        if not tokenizer.normalization and tokenizer.decode(line["ids"]) != line["text"]:
            wrong.append(line["name"] + " (decoded)")
    return wrong


def main(files: Path, ids: Path) -> int:
    """Print one line for each tokenizer and each long run; return how many values were wrong."""
    faults = 0
    loaded = {}
    expected = {}
    for name, path in FILES.items():
        start = perf_counter()
        loaded[name] = load_tokenizer(files / path)
        expected[name] = [json.loads(line) for line in (ids / f"{name}.jsonl").read_text().splitlines()]
        seconds = perf_counter() - start
        wrong = mismatches(loaded[name], expected[name])
        faults += len(wrong)
        print(f"{name}: {len(expected[name])} texts, {len(wrong)} wrong {wrong or ''} (read in {seconds:.1f} s)")
    for name, like in ("gpt2", "gpt2"), ("qwen", "qwen_tiktoken"):
        wrong = mismatches(published_tokenizer(name), expected[like])
        faults += len(wrong)
        print(f"in the package, {name}: {len(expected[like])} texts, {len(wrong)} wrong {wrong or ''}")
    for name, text, total in LONG_RUNS:
        start = perf_counter()
        found = len(loaded[name].encode(text))
        faults += found != total
        seconds = perf_counter() - start
        shown = f"{name}: {len(text):,} characters like {text[len(text) // 2]!r}"
        print(f"{shown}: {found:,} tokens, expected {total:,} ({seconds:.1f} s)")
    for name, text, wanted in AWKWARD:
        found = loaded[name].encode(text)
        faults += found != wanted
        print(f"{name}: {text!r}: {'as expected' if found == wanted else f'{found}, expected {wanted}'}")
    print(f"{faults} wrong in all")
    return faults


if __name__ == "__main__":
    sys.exit(bool(main(Path(sys.argv[1]), Path(sys.argv[2]))))
