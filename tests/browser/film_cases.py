"""The films that browser tests and the bench play: what is learned from, what is shown, how it is cut."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from token_view_cases import HOSTILE, STORY

from bpe_core import Training, count_chunks, train


@dataclass(frozen=True)
class FilmCase:
    """A text to learn from, one to show, and the largest size."""

    learn_from: str
    shown: str
    vocab_size: int
    flag: int
    pattern: str = "gpt2"


SMALL = "the cat and the hat that sat on the mat; the cat sat.\n" * 2
CASES = {
    "small": FilmCase(SMALL, SMALL, 300, 12),
    "large": FilmCase(STORY[:12_000], STORY[:12_000], 1_000, 300),
    "story": FilmCase(STORY, STORY[:12_000], 2_256, 768),
    "long story": FilmCase(STORY, STORY, 2_256, 768),
    "hostile": FilmCase(HOSTILE * 3, HOSTILE, 512, 20),
    "no merges": FilmCase("abc", "abc", 300, 0),
    "one merge": FilmCase("xyxy", "xyxy", 257, 0, "none"),
    "elsewhere": FilmCase(SMALL, "zzz qqq", 300, 12),
    "partly elsewhere": FilmCase(SMALL, "mat", 300, 0),
    "halves": FilmCase("“é” “🙂” " * 5, "“é” “🙂” ", 300, 0),
    "runs": FilmCase("aaa aaa", "aaa aaa", 300, 0),
}


@cache
def trained(name: str) -> Training:
    """Return what case `name` learns."""
    case = CASES[name]
    return train(count_chunks([case.learn_from], case.pattern), case.vocab_size)
