"""Files that are something else, damaged, or made to hurt: a BpeError or a tokenizer, in time."""

import base64
import contextlib
import hashlib
import io
import json
import zipfile

import pytest
from formats_oracles import hf_json, trained
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import BpeError
from bpe_core.formats import FORMATS, load_tokenizer, read_tokenizer, tokenizer_files, tokenizer_zip

DEEP = '{"type":"Sequence","pretokenizers":[' * 30 + "]}" * 30
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 12\n"


@pytest.mark.parametrize(
    ("name", "content", "named"),
    [
        ("my.tiktoken", LFS, "is a Git LFS pointer"),
        ("tokenizer.json", LFS, "is a Git LFS pointer"),
        ("tokenizer.json", b"<!DOCTYPE html><html>", "is an HTML page"),
        ("vocab.bpe", b"\n <HTML><body>", "is an HTML page"),
        ("tokenizer.pkl", b"\x80\x04\x95\x10", "a Python pickle. Pickles run code"),
        ("model.gguf", b"GGUF\x03\x00\x00", "a GGUF model file"),
        ("tokenizer.model", b"\n\x0e\n\x05<unk>\x15\x00\x00\x00\x00\x18\x02", "SentencePiece"),
        ("vocab.txt", b"[PAD]\n[UNK]\nthe\n##ing\n", "as WordPiece has it"),
        ("tokenizer.json.gz", b"\x1f\x8b\x08\x00", "a gzip archive"),
        ("tokenizer.json", b"", "is empty"),
        ("tokenizer.json", b" \n\t", "is empty"),
        ("tokenizer.json", b"\xef\xbb\xbf", "is empty"),
        ("tokenizer.json", b'{"model": null}', "it has no model"),
        ("tokenizer.json", b'{"a": {"b": 1}}', "no tokenizer.json, no table"),
        ("notes.txt", b"hello there, this is no tokenizer\n", "no tokenizer was found"),
        ("one.zip", b"PK\x03\x04 and then nothing", "not a zip that can be read"),
        ("tokenizer.json", b"[" * 200_000, "nested too deep|not valid JSON"),
        ("tokenizer.json", b'{"model":' + b'{"a":' * 200_000, "nested too deep|not valid JSON"),
        ("tokenizer.json", hf_json(pre_tokenizer=json.loads(DEEP)), "without a type"),
        ("manifest.json", b'{"format": "byte-level BPE manifest", "contract": 2}', "version 2 of the contract"),
        ("manifest.json", b'{"format": "byte-level BPE manifest", "contract": 1}', "byte_ids must be"),
    ],
    ids=lambda value: value[:20] if isinstance(value, str) else "",
)  # fmt: skip
@pytest.mark.timeout(60)
def test_file_of_another_kind_is_refused_by_name(name, content, named):
    with pytest.raises(BpeError, match=named):
        read_tokenizer({name: content}, pattern=None)


def manifest_with(**parts):
    document = json.loads(tokenizer_files(trained(vocab_size=270), "manifest")["manifest.json"])
    return {"manifest.json": json.dumps(document | parts).encode()}


@pytest.mark.parametrize(
    ("parts", "named"),
    [
        ({"merges": [[256, 256, 256]]}, "belongs to two tokens|no token|part"),
        ({"merges": [[97, 98, 259], [259, 259, 260], [97, 400, 261]]}, r"joins \(97, 400\), but one part is no token"),
        ({"merges": [[97, 97, 300], *([number, number, number + 1] for number in range(300, 360))]}, "too much"),
        ({"merges": [[97, 98]]}, "rank 0 is"),
        ({"merges": [[97, 98, 1e9]]}, "ids are whole numbers"),
        ({"byte_ids": [0] * 256}, "the id 0 belongs to two tokens"),
        ({"byte_ids": [0, 1]}, "ids for 2 single bytes"),
        ({"specials": {"x": 97}}, "the id 97 to x and to a"),
        ({"specials": {"": 900}}, "without a name"),
        ({"specials": []}, "must be an object"),
        ({"lone_tokens": {"zz": 900}}, "in hex"),
        ({"normalization": "lower"}, "normalization is lower; it must be one of"),
        ({"ignore_merges": 1}, "ignore_merges is 1"),
        ({"pattern": {"name": "gpt2", "regexes": ["."], "keeps_gaps": False}}, "holds other regular expressions"),
        ({"pattern": {"name": "mine", "regexes": ["("], "keeps_gaps": False}}, "a pattern that is not valid"),
        ({"pattern": None}, "must have a name"),
        ({"merges_sha256": "0"}, "was changed after it was written"),
        ({"vocabulary_sha256": None}, "was changed after it was written"),
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.timeout(60)
def test_manifest_that_is_damaged_is_refused(parts, named):
    with pytest.raises(BpeError, match=named):
        read_tokenizer(manifest_with(**parts))


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("0,byte,,,,00,", "0,byte,,,,zz,", "Line 2 of vocabulary.csv: 'zz' is not written in hex"),
        ("0,byte,,,,00,", "x,byte,,,,00,", "Line 2 .*'x' where a whole number must stand"),
        ("0,byte,,,,00,", "0,word,,,,00,", "Line 2 .*cannot be of the kind 'word'"),
        ("0,byte,,,,00,", "0,byte,,,,01,", "repeats a token of an earlier line"),
        ("0,byte,,,,00,", "0,byte,,,,", "has 6 columns|columns"),
        ("260,merge,1,", "260,merge,7,", "the merge of rank 7; rank 1 must come next"),
        ("token_id,kind", "id,kind", "no tokenizer was found|does not begin"),
    ],
)
def test_csv_that_is_damaged_is_refused_with_the_line(old, new, named):
    text = tokenizer_files(trained(), "csv")["vocabulary.csv"].decode()

    assert old in text
    with pytest.raises(BpeError, match=named):
        read_tokenizer({"vocabulary.csv": text.replace(old, new, 1).encode()}, pattern="gpt2")


@pytest.mark.timeout(180)
def test_file_of_fifty_megabytes_is_answered_in_time():
    token = base64.b64encode(b"x" * 3000).decode()
    line = "".join(f"{token[:-8]}{number:08d} {number}\n" for number in range(12_500))
    big_json = b'{"model": {"type": "BPE", "vocab": {' + b'"a": 1, ' * 6_000_000 + b'"b": 2}}}'
    for name, content in {
        "my.tiktoken": line.encode(),
        "tokenizer.json": big_json,
        "vocab.bpe": b"a b\n" * 12_500_000,
    }.items():
        assert len(content) > 45_000_000
        with pytest.raises(BpeError):
            read_tokenizer({name: content}, pattern="none")


def test_zip_that_unpacks_to_too_much_is_refused():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("tokenizer.json", bytes(140 * 2**20))

    assert len(out.getvalue()) < 2**20
    with pytest.raises(BpeError, match="unpacks to too much"):
        read_tokenizer({"bomb.zip": out.getvalue()})


def test_digest_is_checked_before_anything_is_read():
    files = tokenizer_files(trained(), "huggingface")
    digest = hashlib.sha256(files["tokenizer.json"]).hexdigest()

    assert read_tokenizer(files, sha256=digest.upper()).format == "huggingface"
    assert read_tokenizer(files, sha256={"tokenizer.json": digest}).format == "huggingface"
    with pytest.raises(BpeError, match=rf"The digest of tokenizer.json is {digest}, not 00: .*Nothing was read"):
        read_tokenizer(files, sha256="00")
    with pytest.raises(BpeError, match=r"digest of broken\.json"):
        read_tokenizer({"broken.json": b"{"}, sha256=digest)
    with pytest.raises(BpeError, match="One digest was given for 2 files"):
        read_tokenizer(tokenizer_files(trained(), "gpt2"), sha256=digest)


def test_load_tokenizer_of_a_path_that_is_not_there_is_a_sentence(tmp_path):
    with pytest.raises(BpeError, match=r"nowhere.json cannot be read: No such file"):
        load_tokenizer(tmp_path / "nowhere.json")


SEEDS = [content for format in FORMATS for content in [tokenizer_files(trained(vocab_size=275), format)]]
SEEDS.append({"all.zip": tokenizer_zip(trained(vocab_size=275), ["gpt2", "csv"])})


@settings(max_examples=250, deadline=None)
@given(
    files=st.sampled_from(SEEDS),
    edits=st.lists(
        st.tuples(
            st.floats(0, 1),
            st.integers(0, 40),
            st.one_of(
                st.binary(max_size=8),
                st.sampled_from([*b'{}[]",: \n\x00']).map(lambda byte: bytes([byte])),
                st.sampled_from([b"null", b"true", b"-1", b"1e999", b"99999999999", b"\\ud800"]),
            ),
        ),
        min_size=1,
        max_size=4,
    ),
    pattern=st.sampled_from([None, "gpt2"]),
)  # fmt: skip
def test_fuzzed_file_gives_a_tokenizer_or_a_sentence(files, edits, pattern):
    changed = {}
    for name, content in files.items():
        for place, length, new in edits:
            start = int(place * len(content))
            content = content[:start] + new + content[start + length :]
        changed[name] = content
    with contextlib.suppress(BpeError):  # any other exception fails the test
        tokenizer = read_tokenizer(changed, pattern=pattern).tokenizer
        text = "The cat's 12 hats – é"

        assert tokenizer.normalization or tokenizer.prefix_space or tokenizer.decode(tokenizer.encode(text)) == text


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
KEYS = ["added_tokens", "normalizer", "pre_tokenizer", "post_processor", "decoder", "model", "truncation"]
MODEL_KEYS = ["model_" + key for key in ("type", "vocab", "merges", "byte_fallback", "ignore_merges", "dropout")]
shaped = st.builds(
    lambda kind, key, value: {"type": kind, key: value},
    st.sampled_from(["Sequence", "Split", "Digits", "ByteLevel", "NFC", "BPE"]),
    st.sampled_from(
        ["pretokenizers", "normalizers", "decoders", "pattern", "behavior", "use_regex", "individual_digits"]
    ),
    json_values
    | st.lists(st.builds(lambda kind: {"type": kind}, st.sampled_from(["Split", "ByteLevel", "NFC"])), max_size=2),
)


@settings(max_examples=250, deadline=None)
@given(
    st.dictionaries(st.sampled_from(KEYS + MODEL_KEYS), json_values | shaped | st.lists(shaped, max_size=2), max_size=2)
)
def test_tokenizer_json_with_any_entry_gives_a_tokenizer_or_a_sentence(parts):
    if isinstance(parts.get("model"), dict | list | None):
        content = hf_json(tokens=("ab",), merges=(("a", "b"),), **parts)
        with contextlib.suppress(BpeError):
            read_tokenizer({"tokenizer.json": content}).tokenizer.encode("abc <x>", "allow")


@settings(max_examples=150, deadline=None)
@given(
    st.binary(max_size=200),
    st.sampled_from(["tokenizer.json", "vocab.bpe", "my.tiktoken", "vocabulary.csv", "a.zip", "x.py"]),
)
def test_any_bytes_give_a_sentence(content, name):
    with pytest.raises(BpeError):
        read_tokenizer({name: content}, pattern="gpt2")
