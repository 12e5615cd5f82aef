"""The texts that the browser tests of the token view draw: what is learned from, and what is shown."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

SAMPLES = Path(__file__).parents[2] / "bpe_core" / "samples" / "texts"


@dataclass(frozen=True)
class Case:
    """A text to learn from and one to show."""

    learn_from: str
    shown: str
    vocab_size: int
    first_size: int
    pattern: str = "gpt2"


STORY = (SAMPLES / "sherlock.txt").read_text("utf-8")
HOSTILE = (
    "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'> **bold** $x$ :red[no]\n"
    "\u202egnirts\u202c \u200b\ufeff\x00\x07\r\n\ttab \u00a0nbsp e\u0301 \u0301 ﷽ नमस्ते مرحبا 日本語 👩‍👩‍👧 🇫🇷 \ufffd end"
)
CASES = {
    "story": Case(STORY, STORY[:12_000], 8192, 1024),
    "hostile": Case(HOSTILE * 2, HOSTILE, 512, 280),
    "empty": Case(STORY[:5_000], "", 400, 300),
    "nothing learned": Case("abc", "abc", 300, 256),
    "one line": Case(STORY, STORY.replace("\n", " ").replace(" ", "x")[:50_000], 1024, 700, "none"),
    "nothing to see": Case(
        "\x00\x00\u202e\u2066 \x00\x00\u202e" * 20, "\x00\x00\u202e\u2066 \x00\x00\u202e" * 20, 300, 262
    ),
}
