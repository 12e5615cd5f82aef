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
    specials: tuple[str, ...] = ()


STORY = (SAMPLES / "sherlock.txt").read_text("utf-8")
HOSTILE = (
    "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'> **bold** $x$ :red[no]\n"
    "\u202egnirts\u202c \u200b\ufeff\x00\x07\r\n\ttab \u00a0nbsp caf\u00e9 e\u0301 \u0301 \ufdfd "
    "\u0928\u092e\u0938\u094d\u0924\u0947 \u0645\u0631\u062d\u0628\u0627 \u65e5\u672c\u8a9e "
    "\U0001f469\u200d\U0001f467 \U0001f1eb\U0001f1f7 \u2764\ufe0f \U0001f44d\U0001f3fd \ue000 \ufffd end"
)
SENTENCE = "The unhappiness of an unseen stranger, re\u00ebntered. \U0001f642"
NOTHING_TO_SEE = "\x00\x00\u202e\u2066 \x00\x00\u202e" * 20
CASES = {
    "story": Case(STORY, STORY[:12_000], 8192, 1024),
    "hostile": Case(HOSTILE * 2, HOSTILE, 512, 280),
    "short": Case(STORY[:1_500], STORY[:1_500], 8192, 300, specials=("<|start|>", "<|end|>")),
    "empty": Case(STORY[:5_000], "", 400, 300),
    "nothing learned": Case("abc", "abc", 300, 256),
    "one line": Case(STORY, STORY.replace("\n", " ").replace(" ", "x")[:50_000], 1024, 700, "none"),
    "nothing to see": Case(
        "\x00\x00\u202e\u2066 \x00\x00\u202e" * 20, "\x00\x00\u202e\u2066 \x00\x00\u202e" * 20, 300, 262
    ),
}
