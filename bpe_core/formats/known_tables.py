"""Published rank files that are known by their SHA-256, with the pattern and specials that the file itself lacks."""

from __future__ import annotations

from typing import NamedTuple


class KnownTable(NamedTuple):
    """A published table: its name, its pattern and its special tokens."""

    name: str
    pattern: str
    specials: dict[str, int]


def _numbered(first_id: int, *names: str) -> dict[str, int]:
    return {name: first_id + number for number, name in enumerate(names)}


_FIM = ("<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>")
_END = {"<|endoftext|>": 50256}
QWEN_SPECIALS = _numbered(
    151643, "<|endoftext|>", "<|im_start|>", "<|im_end|>", *(f"<|extra_{number}|>" for number in range(205))
)
"""The specials of Qwen, from QwenLM/Qwen (`tokenization_qwen.py`)."""

KNOWN_TABLES = {
    "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7": KnownTable(
        "cl100k_base", "cl100k", _numbered(100257, "<|endoftext|>", *_FIM) | {"<|endofprompt|>": 100276}
    ),
    "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d": KnownTable(
        "o200k_base", "o200k", {"<|endoftext|>": 199999, "<|endofprompt|>": 200018}
    ),
    "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930": KnownTable("r50k_base", "gpt2", _END),
    "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069": KnownTable("p50k_base", "gpt2", _END),
    "b2b1b8dfb5cc5f024bafc373121c6aba3f66f9a5a0269e243470a1de16a33186": KnownTable("qwen", "qwen", QWEN_SPECIALS),
    "82e9d31979e92ab929cd544440f129d9ecd797b69e327f80f17e1c50d5551b55": KnownTable("llama3", "llama3", {}),
}
"""Published tables by the SHA-256 of the file: openai/tiktoken (`openai_public.py`), Qwen, Meta Llama 3."""
