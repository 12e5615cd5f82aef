"""What we write, read by the real libraries and by ourselves: identical ids."""

import random

import numpy as np
import pytest
from formats_oracles import CORPUS, SPECIALS, hf, hf_ids, same, tiktoken_of, trained
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import PATTERN_NAMES, BpeError, Tokenizer, count_chunks, custom_pattern
from bpe_core.formats import (
    FORMATS,
    Source,
    TrainedFrom,
    limits,
    load_tokenizer,
    prove,
    read_tokenizer,
    save_tokenizer,
    tokenizer_files,
    tokenizer_zip,
)
from bpe_core.formats.proof import differences
from bpe_core.formats.tiktoken_snippet import tiktoken_pattern
from bpe_core.published import published_tokenizer

PIECES = [
    *"ab1 ._-'sSrRtT\n\r\t½é你",
    "'ll",
    "'VE",
    "\u017f",
    "\u212a",
    "e\u0301",
    "\u00a0",
    "\x1c",
    "\x85",
    "🚀",
    "  ",
    "123",
    "İ",
]


def random_texts(number, seed=0):
    rng = random.Random(seed)
    return ["".join(rng.choices(PIECES, k=rng.randint(0, 30))) for _ in range(number)]


@pytest.mark.parametrize("pattern", PATTERN_NAMES)
def test_tokenizer_json_gives_the_same_ids_in_tokenizers(pattern):
    tokenizer = trained(pattern)
    library = hf(tokenizer_files(tokenizer, "huggingface"))

    for text in (*CORPUS, *random_texts(400)):
        assert hf_ids(library, text) == tokenizer.encode(text), text


@pytest.mark.parametrize("pattern", PATTERN_NAMES)
def test_rank_file_and_snippet_give_the_same_ids_in_tiktoken(pattern, tmp_path):
    tokenizer = trained(pattern)
    library = tiktoken_of(tokenizer_files(tokenizer, "tiktoken"), tmp_path)

    for text in (*CORPUS, *random_texts(400)):
        assert library.encode_ordinary(text) == tokenizer.encode(text), text


@pytest.mark.parametrize("text", ["a<|end|>b", "<|end|>x<|end|>", "<|é ü|>", "<|end|", "x" + "".join(SPECIALS)])
def test_specials_keep_their_ids_in_both_libraries(text, tmp_path):
    tokenizer = trained()
    expected = tokenizer.encode(text, "allow")

    assert hf_ids(hf(tokenizer_files(tokenizer, "huggingface")), text) == expected
    assert tiktoken_of(tokenizer_files(tokenizer, "tiktoken"), tmp_path).encode(text, allowed_special="all") == expected


def test_gpt2_pair_is_read_by_tokenizers(tmp_path):
    tokenizers = pytest.importorskip("tokenizers", reason="the tokenizers package is an outside oracle")
    tokenizer = trained("gpt2", specials=())
    table, merges = save_tokenizer(tokenizer, tmp_path, "gpt2")
    library = tokenizers.Tokenizer(tokenizers.models.BPE.from_file(str(table), str(merges)))
    library.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)

    for text in (*CORPUS, *random_texts(100)):
        assert hf_ids(library, text) == tokenizer.encode(text), text


def test_gpt2_pair_of_gpt2_is_read_by_tiktoken_and_ours_is_not(tmp_path):
    load = pytest.importorskip("tiktoken.load", reason="the tiktoken package is an outside oracle")
    gpt2 = published_tokenizer("gpt2")
    table, merges = save_tokenizer(gpt2, tmp_path / "gpt2", "gpt2")
    ranks = load.data_gym_to_mergeable_bpe_ranks(vocab_bpe_file=str(merges), encoder_json_file=str(table))
    ours, our_merges = save_tokenizer(trained(specials=()), tmp_path / "ours", "gpt2")

    assert ranks == gpt2.ids_of_tokens
    with pytest.raises(AssertionError):
        load.data_gym_to_mergeable_bpe_ranks(vocab_bpe_file=str(our_merges), encoder_json_file=str(ours))
    assert any("accepts only GPT-2's order" in limit for limit in limits(trained(), "gpt2"))
    assert not any("accepts only GPT-2's order" in limit for limit in limits(gpt2, "gpt2"))


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("pattern", PATTERN_NAMES)
def test_load_gives_back_what_was_saved(format, pattern, tmp_path):
    tokenizer = trained(pattern, vocab_size=300)
    save_tokenizer(tokenizer, tmp_path, format)
    chosen = pattern if format in ("gpt2", "csv") else None

    assert same(load_tokenizer(tmp_path, pattern=chosen), tokenizer)


@pytest.mark.parametrize("format", FORMATS)
def test_proof_holds_for_every_format_at_every_size(format):
    chunks = count_chunks(CORPUS)
    whole = trained()
    for vocab_size in (259, 260, 300, whole.vocab_size):
        proof = prove(whole.with_vocab_size(vocab_size), format, chunks)

        assert proof.holds, proof.faults
        assert (proof.num_chunks, proof.num_specials) == (len(chunks), 3)
        assert proof.files == tokenizer_files(whole.with_vocab_size(vocab_size), format)


def test_proof_says_on_how_many_chunks_ranks_give_other_ids():
    """A token that no merge makes is made by tiktoken's rule, because its parts' joined bytes are a token."""
    plain = Tokenizer.from_merges([(97, 98)], "none")
    tokenizer = Tokenizer(
        plain.pattern, plain.byte_ids, plain.pairs, plain.token_ids, plain.ranks, lone_tokens={b"abc": 257}
    )
    proof = prove(tokenizer, "tiktoken", [b"abc", b"ab", b"abcabc"])

    assert not proof.holds
    assert proof.num_different == 2
    assert proof.example == (b"abc", [256, 99], [257])


def test_export_of_two_ids_with_one_spelling_is_refused_with_the_remedy():
    tokenizer = Tokenizer.from_merges([(97, 98)], specials=["ab"])

    for format in "gpt2", "huggingface":
        with pytest.raises(BpeError, match=r"The ids 256 and 257 are both spelled ab.*Rename the special token"):
            tokenizer_files(tokenizer, format)
    for format in "manifest", "tiktoken", "csv":
        assert prove(tokenizer, format, [b"ab", b"b"]).holds


@pytest.mark.parametrize(("source", "named"), [(r"\w+|\W+", r"\\w"), (r"^.+$|\s", r"\^"), ("[a-z&&[^b]]+|.", r"\[")])
def test_export_of_a_regex_that_engines_read_differently_is_refused_by_name(source, named):
    tokenizer = Tokenizer.from_merges([(97, 98)], custom_pattern(source))

    for format in "huggingface", "tiktoken":
        with pytest.raises(BpeError, match=named):
            tokenizer_files(tokenizer, format)
    assert prove(tokenizer, "manifest", [b"ab"]).holds


def test_export_of_a_custom_regex_gives_the_same_ids_in_both_libraries(tmp_path):
    tokenizer = Tokenizer.from_merges(
        [(97, 98), (49, 50)], custom_pattern(r"(?i:ab)+|\p{N}{1,2}|\s+\Z|\s+(?!\S)|[^\p{N}]")
    )
    library = hf(tokenizer_files(tokenizer, "huggingface"))
    encoding = tiktoken_of(tokenizer_files(tokenizer, "tiktoken"), tmp_path)

    for text in ("abABab 12345  x\n \n ", *random_texts(200)):
        assert hf_ids(library, text) == encoding.encode_ordinary(text) == tokenizer.encode(text), text


def test_tiktoken_pattern_of_a_pattern_that_keeps_gaps_takes_the_gaps_too():
    keeps = custom_pattern("[0-9]")
    keeps = type(keeps)(keeps.name, keeps.regexes, keeps_gaps=True)
    taken = custom_pattern(tiktoken_pattern(keeps))

    assert taken.chunks("ab12\nc") == keeps.chunks("ab12\nc") == ["ab", "1", "2", "\nc"]


def test_every_token_is_printable_in_the_merges_file():
    tokenizer = Tokenizer.from_merges([(10, 10), (32, 116), (13, 10)], "none")

    assert tokenizer_files(tokenizer, "gpt2")["vocab.bpe"].decode() == "#version: 0.2\nĊ Ċ\nĠ t\nč Ċ\n"


def test_zip_of_all_formats_is_the_same_bytes_each_time_and_loads():
    tokenizer = trained()
    content = tokenizer_zip(tokenizer, FORMATS)
    loaded = read_tokenizer({"all.zip": content})

    assert content == tokenizer_zip(tokenizer, FORMATS)
    assert same(loaded.tokenizer, tokenizer)
    assert loaded.format == "manifest"
    assert any("left unread" in note for note in loaded.notes)


def test_every_file_that_was_left_unread_is_named():
    files = tokenizer_files(trained(), "huggingface")
    assert read_tokenizer(files).notes == ()
    more = {f"{number}.txt": b"notes" for number in range(7)}
    note = read_tokenizer(files | {"table.csv": b"id,token\n256,he\n"} | more).notes[-1]
    assert note == "Other files were left unread: table.csv, 0.txt, 1.txt, 2.txt, 3.txt and 3 more."


@pytest.mark.parametrize("format", FORMATS)
def test_zip_of_one_format_loads(format):
    tokenizer = trained()
    pattern = "gpt2" if format in ("gpt2", "csv") else None

    assert same(read_tokenizer({"one.zip": tokenizer_zip(tokenizer, [format])}, pattern=pattern).tokenizer, tokenizer)


def test_manifest_tells_how_the_vocabulary_was_made():
    made = TrainedFrom((Source("cats.txt", 12, "ab" * 32),), "smallest pair", 2, 420, "the vocabulary size is reached")
    files = tokenizer_files(trained(), "manifest", trained_from=made)
    text = files["manifest.json"].decode()

    assert '"name": "cats.txt"' in text
    assert '"stopped_because": "the vocabulary size is reached"' in text
    assert read_tokenizer(files).notes == ("The file says that it was trained on 1 texts: cats.txt.",)


def test_manifest_that_was_changed_is_refused():
    files = tokenizer_files(trained(), "manifest")
    changed = files["manifest.json"].replace(b"[32,116,", b"[116,32,", 1)

    assert changed != files["manifest.json"]
    with pytest.raises(BpeError, match="was changed after it was written: its merges_sha256"):
        read_tokenizer({"manifest.json": changed})


def test_merges_sha256_is_that_of_the_published_merges_file():
    import hashlib

    from bpe_core.formats.manifest import merges_sha256

    gpt2 = published_tokenizer("gpt2")
    lines = tokenizer_files(gpt2, "gpt2")["vocab.bpe"]

    assert hashlib.sha256(lines).hexdigest() == "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5"
    assert merges_sha256(gpt2) == hashlib.sha256(lines.removeprefix(b"#version: 0.2\n")).hexdigest()


def test_csv_cells_never_begin_like_a_formula():
    tokenizer = Tokenizer.from_merges([(61, 43), (64, 45)], "none", ["=1+1", "@x"])
    lines = tokenizer_files(tokenizer, "csv")["vocabulary.csv"].decode().splitlines()[1:]

    assert not any(cell.startswith(("=", "+", "-", "@", "\t")) for line in lines for cell in line.split(","))


@settings(max_examples=60, deadline=None)
@given(
    merges=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=20),
    text=st.text(st.sampled_from("abé 1\n"), max_size=40),
    format=st.sampled_from(FORMATS),
)
def test_load_of_save_encodes_the_same_for_any_merges(merges, text, format):
    """Any list of merges of earlier tokens, learned or not; those whose bytes repeat are left out."""
    pairs, tokens = [], [bytes([byte]) for byte in range(256)]
    starts = [97, 98, 32, 49, 10, 0xC3, 0xA9]
    for left, right in merges:
        known = [*starts, *range(256, len(tokens))]
        pair = known[left % len(known)], known[right % len(known)]
        joined = tokens[pair[0]] + tokens[pair[1]]
        if joined not in tokens:
            pairs.append(pair)
            tokens.append(joined)
    tokenizer = Tokenizer.from_merges(pairs, "none")
    files = tokenizer_files(tokenizer, format)
    loaded = read_tokenizer(files, pattern="none" if format in ("gpt2", "csv") else None).tokenizer

    if format != "tiktoken":
        assert loaded.encode(text) == tokenizer.encode(text)
    assert loaded.vocabulary == tokenizer.vocabulary
    assert loaded.decode(loaded.encode(text)) == text
    assert np.array_equal(loaded.byte_ids, tokenizer.byte_ids)


def test_differences_of_chunk_counts_are_those_of_each_chunk():
    """Chunks are compared all at once where both tokenizers can; other merges must still be seen."""
    one, other = Tokenizer.from_merges([(97, 98), (98, 99)]), Tokenizer.from_merges([(98, 99), (97, 98)])
    chunks = count_chunks(["ab bc abc cab zz"])
    found = list(differences(one, other, chunks))

    assert found == list(differences(one, other, list(chunks)))
    assert [difference.chunk for difference in found] == [b"ab", b" bc", b" abc", b" cab"]
    assert found[0] == (b"ab", [256], [257])
    assert not list(differences(one, one, chunks))
