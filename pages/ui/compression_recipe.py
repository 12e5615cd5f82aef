"""How a script comes to the two sides again: from a bundled sample, or from two files that the page offers."""

from __future__ import annotations

import json
from collections.abc import Sequence

from bpe_core.compression_report import Recipe
from bpe_core.samples import SAMPLES
from pages.ui.cached import cached_sample
from pages.ui.compression_sides import How, Sides, SplitChoice
from pages.ui.corpus import Corpus

TRAIN_FILE, HELD_OUT_FILE = "train.jsonl", "held_out.jsonl"


def recipe_of(sides: Sides) -> Recipe:
    """Return the recipe: by name and split for an untouched sample, else two files, one document on each line."""
    key = _sample_key(sides.whole)
    if key is None or sides.choice.how in (How.TEXT, How.GROUPS):
        return Recipe(("import json",), _FROM_FILES, (TRAIN_FILE, HELD_OUT_FILE))
    call, function = _split_call(sides.choice)
    lines = (
        f"files = sample_files({key!r}).items()",
        "documents = join_documents([documents_of_text(content.decode(), name) for name, content in files])",
        f"split = {call}",
        "train_side, held_out_side = split.train, split.held_out",
    )
    documents = f"from bpe_core.documents import documents_of_text, {function}, join_documents"
    return Recipe((documents, "from bpe_core.samples import sample_files"), lines)


def json_lines(documents: Sequence[str]) -> bytes:
    r"""Return one document on each line, as JSON.

    >>> json_lines(["a\nb", "é"])
    b'"a\\nb"\n"\\u00e9"\n'
    """
    return "".join(json.dumps(document) + "\n" for document in documents).encode()


_FROM_FILES = (
    "def side(name):",
    '    with open(name, encoding="utf-8") as lines:',
    "        return [json.loads(line) for line in lines]",
    "",
    f"train_side, held_out_side = side({TRAIN_FILE!r}), side({HELD_OUT_FILE!r})",
)


def _sample_key(corpus: Corpus) -> str | None:
    """The sample that this corpus is, whole and as it comes."""
    named = (sample.key for sample in SAMPLES if sample.title == corpus.name)
    return next((key for key in named if cached_sample(key).digest == corpus.digest), None)


def _split_call(choice: SplitChoice) -> tuple[str, str]:
    """The call that splits `documents`, and the function that it uses."""
    repeats = ", repeats='drop'" if choice.drop else ""
    if choice.how == How.FILES:
        return f"hold_out_files(documents, {choice.names!r}{repeats})", "hold_out_files"
    share = f"{choice.share!r} / 100"
    if choice.how == How.TAIL:
        return f"hold_out_tail(documents, {share}, parts={choice.parts!r}{repeats})", "hold_out_tail"
    return f"hold_out_share(documents, {share}, {choice.seed!r}, parts={choice.parts!r})", "hold_out_share"
