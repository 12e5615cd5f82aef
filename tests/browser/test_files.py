"""Load & save in a real browser: a file goes in, stands on every page, comes out again and reads back."""

import re
import zipfile
from pathlib import Path

from bpe_core import count_chunks, train
from bpe_core.formats import load_tokenizer, save_tokenizer

TEXT = "the theatre, the other weather; they bathe there, and 12 naïve 🙂 others gather. " * 40

READ_TOPS = "headings => headings.map(heading => [heading.innerText.trim(), heading.getBoundingClientRect().top])"


def test_tokenizer_goes_in_takes_over_and_comes_out_the_same(serve, open_page, tmp_path: Path):
    ours = train(count_chunks([TEXT]), 300, specials=["<|end|>"]).tokenizer
    [path] = save_tokenizer(ours, tmp_path, "huggingface")
    page = open_page(f"{serve('app.py')}/files")
    page.get_by_text("Loaded back and compared: the same ids on all 2,174 distinct chunks.").wait_for()

    page.locator("[data-testid=stFileUploader] input[type=file]").set_input_files(path)
    page.get_by_role("button", name="Load these files").click()
    page.get_by_text("tokenizer.json (loaded)").wait_for()
    page.get_by_text("Encoded and decoded: all 2,174 distinct chunks of this text come back byte for byte.").wait_for()

    page.get_by_role("link", name="Vocabulary").click()
    page.get_by_text(f"{ours.num_merges} of {ours.vocab_size} tokens.").wait_for()
    page.get_by_role("link", name="Load & save").click()
    page.get_by_role("button", name="Write it and prove it").click()
    page.get_by_text("the same ids on all 2,174 distinct chunks and 1 special token.").wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name=re.compile("Save tokenizer.json")).click()
    download.value.save_as(tmp_path / "back.json")

    back = load_tokenizer(tmp_path / "back.json")
    assert back.encode(TEXT) == ours.encode(TEXT)
    assert back.encode("<|end|>", "allow") == ours.encode("<|end|>", "allow") == [256]
    assert page.locator("[data-testid=stException]").count() == 0


def test_trained_vocabulary_is_saved_as_one_zip(serve, open_page, tmp_path: Path):
    page = open_page(f"{serve('app.py')}/files?size=400")
    page.get_by_text("Loaded back and compared").wait_for()

    page.locator(".st-key-save_format input").click()
    page.get_by_role("option", name="all of them in one zip").click()
    page.get_by_role("button", name=re.compile("Save one zip of 7 files")).wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name=re.compile("Save one zip")).click()
    download.value.save_as(tmp_path / "all.zip")

    assert download.value.suggested_filename == "vocabulary-400-all.zip"
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        archive.extractall(tmp_path)
    sizes = {load_tokenizer(tmp_path / format).vocab_size for format in ("huggingface", "gpt2", "tiktoken", "manifest")}
    assert sizes == {400}


def test_byte_alphabet_is_one_click_away(serve, open_page):
    page = open_page(f"{serve('app.py')}/files", width=390, height=844)

    page.get_by_role("button", name="The 256 symbols").click()

    page.get_by_text("GPT-2's byte alphabet").wait_for()
    tops = dict(page.get_by_role("heading").evaluate_all(READ_TOPS))  # all at once: the page may scroll
    assert tops["Save"] < tops["Load"]
