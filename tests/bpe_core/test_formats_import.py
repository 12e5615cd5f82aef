"""What others wrote, read by us: the ids of the real libraries, or a refusal by name."""

import base64
import hashlib
import json
import random

import pytest
from formats_oracles import added, hf, hf_ids, hf_json, spelled, table_of_bytes, tiktoken_of, trained
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import BpeError, Tokenizer
from bpe_core.formats import read_tokenizer, tokenizer_files
from bpe_core.formats.hf_pattern import read_pre_tokenizer
from bpe_core.formats.known_tables import KNOWN_TABLES, KnownTable
from bpe_core.formats.recover import last_parts, recover_merges
from bpe_core.visible import BYTE_OF_SYMBOL

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
ABC = {"tokens": ("ab", "bc", "abc", "Ġa"), "merges": (("a", "b"), ("b", "c"), ("a", "bc"), ("ab", "c"), ("Ġ", "a"))}


def read_json(content):
    return read_tokenizer({"tokenizer.json": content})


def split(behavior, invert=False, **pattern):
    return {"type": "Split", "pattern": pattern or {"Regex": "a|bb"}, "behavior": behavior, "invert": invert}


def steps(*nodes):
    return {"type": "Sequence", "pretokenizers": list(nodes)}


# --- tokenizer.json ------------------------------------------------------------------

DEEPSEEK = (
    "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+"
    "| ?[\\p{P}\\p{S}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
)
SEQUENCES = [
    *(
        [split(behavior, Regex=source), BYTE_LEVEL]
        for behavior in ("Isolated", "Contiguous")
        for source in ("a|bb", r"\s")
    ),
    *([split(behavior, String="-"), BYTE_LEVEL] for behavior in ("MergedWithPrevious", "MergedWithNext")),
    *([split(behavior, Regex=r" ?\p{N}{1,2}"), BYTE_LEVEL] for behavior in ("MergedWithPrevious", "MergedWithNext")),
    [split("Removed", invert=True, Regex="[a-z]+|[^a-z]+"), BYTE_LEVEL],
    [split("Isolated", invert=True), BYTE_LEVEL],
    [split("Contiguous", invert=True), BYTE_LEVEL],
    [{"type": "Digits", "individual_digits": True}, BYTE_LEVEL | {"use_regex": True}],
    [{"type": "Digits", "individual_digits": False}, BYTE_LEVEL | {"use_regex": True}],
    [{"type": "Sequence", "pretokenizers": [{"type": "Digits", "individual_digits": True}]}, BYTE_LEVEL],
    [
        split("Isolated", Regex=r"\p{N}{1,3}"),
        split("Isolated", Regex="[一-龥぀-ゟ゠-ヿ]+"),
        split("Isolated", Regex=DEEPSEEK),
        BYTE_LEVEL,
    ],
    [BYTE_LEVEL | {"use_regex": True, "add_prefix_space": True}],
    [BYTE_LEVEL | {"add_prefix_space": True}],
]


@pytest.mark.parametrize("steps", SEQUENCES, ids=lambda steps: json.dumps(steps)[:70])
def test_pre_tokenizers_cut_as_in_tokenizers(steps):
    node = {"type": "Sequence", "pretokenizers": steps}
    library = hf({"tokenizer.json": hf_json(pre_tokenizer=node)}).pre_tokenizer
    pattern, prefix_space = read_pre_tokenizer(node, "tokenizer.json")
    rng = random.Random(1)
    for _ in range(200):
        text = "".join(rng.choices("ab-- 1 2\n\u0435é😀我12-x'sS\tſ½", k=rng.randint(1, 14)))
        pieces = [bytes(map(BYTE_OF_SYMBOL.__getitem__, piece)).decode() for piece, _ in library.pre_tokenize_str(text)]

        assert pattern.chunks(" " + text if prefix_space and text[0] != " " else text) == pieces


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"model_merges": ["a b", "b c", "a bc", "ab c", "Ġ a"]},
        {"model_ignore_merges": True},
        {"normalizer": {"type": "NFC"}},
        {"normalizer": {"type": "Sequence", "normalizers": [{"type": "NFKD"}]}},
        {"pre_tokenizer": BYTE_LEVEL | {"add_prefix_space": True, "use_regex": True}},
        {"pre_tokenizer": steps(split("MergedWithNext", String="b"), BYTE_LEVEL)},
        {"added_tokens": [added("š", 260), added("<|end|>", 261, special=True), added("šš", 262)]},
        {"added_tokens": [added("ab", 256), added("c é", 260, normalized=True)]},
    ],
    ids=str,
)
def test_tokenizer_json_gives_the_ids_of_tokenizers(parts):
    content = hf_json(**ABC, **parts)
    library, tokenizer = hf({"tokenizer.json": content}), read_json(content).tokenizer
    rng = random.Random(2)
    for _ in range(300):
        pieces = ["a", "b", "c", " ", "š", "é", "e\u0301", "c é", "<|end|>", "ﬁ", "가", "1"]
        text = "".join(rng.choices(pieces, k=rng.randint(0, 12)))

        assert tokenizer.encode(text, "allow") == hf_ids(library, text), text


def test_added_token_that_is_not_special_wins_over_merges():
    text = "Führer"
    content = hf_json(tokens=["Ã¼", "hr", "er"], merges=[("Ã", "¼"), ("h", "r"), ("e", "r")])
    with_added = hf_json(
        tokens=["Ã¼", "hr", "er"], merges=[("Ã", "¼"), ("h", "r"), ("e", "r")], added_tokens=[added("ü", 32009)]
    )

    assert read_json(content).tokenizer.encode(text) == [70, 256, 257, 258]
    assert read_json(with_added).tokenizer.encode(text) == [70, 32009, 257, 258]
    assert read_json(with_added).tokenizer.decode([70, 32009]) == "Fü"
    assert read_json(with_added).tokenizer.why_no_prefixes.endswith("win over them, such as ü")
    assert any("the tokenizers library would give it 252" in note for note in read_json(with_added).notes)


def test_added_token_decodes_to_its_own_spelling():
    """The library decodes č as the byte that the alphabet spells č, a carriage return."""
    tokenizer = read_json(hf_json(added_tokens=[added("čau", 256)])).tokenizer

    assert tokenizer.encode("čau") == [256]
    assert tokenizer.decode([256]) == "čau"


def test_added_token_spelled_like_a_mark_is_text_unless_allowed_and_a_note_says_so():
    loaded = read_json(hf_json(added_tokens=[added("<think>", 256)]))

    assert loaded.tokenizer.encode("<think>") == list(b"<think>")
    assert loaded.tokenizer.encode("<think>", "allow") == [256]
    assert "always makes them one token" in loaded.notes[0]


def test_added_token_that_the_library_would_renumber_is_noted():
    content = hf_json(added_tokens=[added("<|end|>", 300, special=True)])

    assert read_json(content).tokenizer.encode("<|end|>", "allow") == [300]
    assert hf_ids(hf({"tokenizer.json": content}), "<|end|>") == [256]
    assert "the id 300, and so do we; the tokenizers library would give it 256" in read_json(content).notes[0]


def test_ignore_merges_keeps_a_token_that_no_merge_makes():
    content = hf_json(tokens=("ab", "abcd"), merges=[("a", "b")], model_ignore_merges=True)
    tokenizer = read_json(content).tokenizer

    assert (
        tokenizer.encode("abcd abcd") == hf_ids(hf({"tokenizer.json": content}), "abcd abcd") == [257, 32, 256, 99, 100]
    )
    assert "ignore_merges" in tokenizer.why_no_prefixes


def test_duplicate_merge_counts_where_it_stands_last_as_in_tokenizers():
    content = hf_json(tokens=("ab", "bc"), merges=[("a", "b"), ("b", "c"), ("a", "b")])
    loaded = read_json(content)

    assert loaded.tokenizer.encode("abc") == hf_ids(hf({"tokenizer.json": content}), "abc") == [97, 257]
    assert loaded.notes == (
        "1 merges stand twice, the first as merge 1 of tokenizer.json and again as merge 3 of tokenizer.json. "
        "The last one counts, as in the published encoders.",
    )


def test_merges_whose_parts_come_later_are_read_and_have_no_smaller_sizes():
    content = hf_json(tokens=("abc", "ab"), merges=[("ab", "c"), ("a", "b")])
    tokenizer = read_json(content).tokenizer

    assert tokenizer.encode("abcab") == hf_ids(hf({"tokenizer.json": content}), "abcab") == [256, 257]
    assert tokenizer.why_no_prefixes == "some of its merges use a token that only a later merge makes"


@pytest.mark.parametrize(
    ("parts", "named"),
    [
        ({"model_type": "Unigram"}, "a Unigram model"),
        ({"model_type": "WordPiece"}, "a WordPiece model"),
        ({"model_type": "WordLevel"}, "a WordLevel model"),
        ({"model_type": "Magic"}, "unknown type Magic"),
        ({"model_byte_fallback": True}, "byte_fallback, as SentencePiece"),
        ({"model_dropout": 0.1}, "dropout"),
        ({"model_end_of_word_suffix": "</w>"}, "end_of_word_suffix"),
        ({"model_continuing_subword_prefix": "##"}, "continuing_subword_prefix"),
        ({"model_merges": []}, "holds no merges, though the vocabulary has 4 tokens"),
        ({"model_merges": [["a", "b", "c"]]}, "Merge 1 of tokenizer.json"),
        ({"model_merges": [["ab", "bc"]]}, "merge 'ab' 'bc'.*its result 'abbc' has no id"),
        ({"model_merges": [["x", "yy"]]}, "its part 'yy' has no id"),
        ({"model_vocab": {"a": 0, "b": 1}}, "no token for 254 of the 256 single bytes"),
        ({"model_vocab": table_of_bytes() | {"ab": 97}}, "'a' and 'ab' both have the id 97"),
        ({"model_vocab": table_of_bytes() | {"ab": -1}}, "id of the token 'ab'.* is -1"),
        ({"model_vocab": table_of_bytes() | {"ab": 2**40}}, "ids are whole numbers from 0 to"),
        ({"model_vocab": table_of_bytes() | {"ab": True}}, "ids are whole numbers"),
        ({"model_vocab": table_of_bytes() | {"\ud800": 256}}, "lone surrogate, U\\+D800"),
        ({"normalizer": {"type": "Lowercase"}}, "the normalizer Lowercase"),
        ({"normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Strip"}]}}, "NFC, Strip"),
        ({"pre_tokenizer": None}, "is not byte-level"),
        ({"pre_tokenizer": {"type": "Metaspace"}}, "is not byte-level"),
        ({"pre_tokenizer": steps({"type": "Whitespace"}, BYTE_LEVEL)}, "pre-tokenizer Whitespace"),
        ({"pre_tokenizer": steps(BYTE_LEVEL, {"type": "Digits"})}, "is not byte-level"),
        ({"pre_tokenizer": steps(split("Removed"), BYTE_LEVEL)}, "removes text"),
        ({"pre_tokenizer": steps(split("Isolated", Regex=r"\w+"), BYTE_LEVEL)}, r"its part '\\\\w'"),
        ({"pre_tokenizer": steps(split("Isolated", Regex="(a"), BYTE_LEVEL)}, "not valid"),
        ({"pre_tokenizer": steps(split("Odd"), BYTE_LEVEL)}, "the behavior Odd"),
        ({"decoder": {"type": "WordPiece"}}, "the decoder WordPiece"),
        ({"added_tokens": [added("<mask>", 300, lstrip=True)]}, r"<mask> .*\(lstrip\)"),
        ({"added_tokens": [added("<mask>", 300, rstrip=True)]}, r"\(rstrip\)"),
        ({"added_tokens": [added("x", 300, single_word=True)]}, r"\(single_word\)"),
        ({"added_tokens": [added("é", 300, normalized=True)], "normalizer": {"type": "NFC"}}, "in normalized text"),
        ({"added_tokens": [added("xy", 300), added("yz", 301, normalized=True)]}, "yz and xy .*can overlap"),
        ({"added_tokens": [added("ab", 300)]}, "gives ab two ids, 256 in the vocabulary and 300"),
        ({"added_tokens": [added("xy", 256)]}, "the id 256 to both 'ab' and 'xy'"),
        ({"added_tokens": [added("", 300)]}, "without a content"),
        ({"model_vocab": table_of_bytes() | {"a b": 256}, "model_merges": []}, "'a b', which is not written"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_tokenizer_json_that_cannot_be_honoured_is_refused_by_name(parts, named):
    with pytest.raises(BpeError, match=named):
        read_json(hf_json(**ABC, **parts))


def test_post_processor_and_truncation_are_noted():
    notes = read_json(hf_json(**ABC, post_processor={"type": "TemplateProcessing"}, truncation={"max_length": 5})).notes

    assert any("special tokens around each text (TemplateProcessing)" in note for note in notes)
    assert any("truncation; it is not applied" in note for note in notes)


# --- GPT-2 pairs ----------------------------------------------------------------------

PAIR_TABLE = json.dumps(table_of_bytes() | {"ab": 256, "abc": 257, "##": 258, "#$": 259}).encode()
PAIR_MERGES = "a b\nab c\n# #\n# $\n"


def read_pair(merges, table=PAIR_TABLE):
    return read_tokenizer({"encoder.json": table, "vocab.bpe": merges.encode()})


@pytest.mark.parametrize(
    "merges",
    [
        pytest.param(PAIR_MERGES, id="no version line"),
        pytest.param("#version: 0.2\n" + PAIR_MERGES, id="version line"),
        pytest.param("#version: 0.2\r\n" + PAIR_MERGES.replace("\n", "\r\n"), id="CRLF"),
        pytest.param("\ufeff#version: 0.2\n" + PAIR_MERGES, id="byte order mark"),
        pytest.param("\n#version: 0.2\n\n" + PAIR_MERGES.replace("\n", "\n\n"), id="blank lines"),
        pytest.param(PAIR_MERGES.removesuffix("\n"), id="no last line end"),
    ],
)
def test_gpt2_pair_keeps_the_first_merge_and_those_that_begin_with_a_hash(merges):
    tokenizer = read_pair(merges).tokenizer

    assert tokenizer.num_merges == 4
    assert tokenizer.encode("abc") == [257]
    assert tokenizer.encode("## #$") == [258, 32, 259]


@pytest.mark.parametrize(
    ("merges", "table", "named"),
    [
        ("a b\nab\n", PAIR_TABLE, "Line 2 of vocab.bpe is 'ab'"),
        ("a b\nab c d\n", PAIR_TABLE, "Line 2 of vocab.bpe is 'ab c d'"),
        ("a b\n\nab x\n", PAIR_TABLE, r"'ab' 'x' \(line 3 of vocab.bpe\).*'abx' has no id in encoder.json"),
        ("#version: 0.2\n", PAIR_TABLE, "vocab.bpe holds no merges, though the vocabulary has 3 tokens"),
        ("a b\n", b'{"a": 1, "a": 2}', "the key 'a' stands twice"),
        ("a b\n", b'{"a": 1,\n "b" 2}', "not valid JSON: .* on line 2"),
        ("a b\n", b"[1, 2]", "no tokenizer.json, no table"),
        ("a b\n", b'{"a": NaN}', "NaN is not a number"),
        ("a b\n", b'{"a": ' + b"9" * 5000 + b"}", "a number that is far too long"),
        ("a b\n", b'{"a":' * 5000, "nested too deep|not valid JSON"),
        ("a b\n", b'{"\xff": 1}', "not UTF-8 text: byte FF on line 1"),
    ],
    ids=str,
)  # fmt: skip
def test_gpt2_pair_that_is_damaged_is_refused_with_the_place(merges, table, named):
    with pytest.raises(BpeError, match=named):
        read_pair(merges, table)


def test_gpt2_pair_notes_the_duplicate_merge_and_the_last_counts():
    loaded = read_pair("a b\n# #\na b\nab c\n# $\n")

    assert loaded.tokenizer.merges[1].pair == (97, 98)
    assert any("line 1 of vocab.bpe and again as line 3 of vocab.bpe" in note for note in loaded.notes)


def test_gpt2_pair_with_holes_in_its_ids_loads():
    table = json.loads(PAIR_TABLE) | {"abc": 5000}

    assert read_pair(PAIR_MERGES, json.dumps(table).encode()).tokenizer.encode("abc") == [5000]


@pytest.mark.parametrize(
    ("files", "named"),
    [
        ({"encoder.json": PAIR_TABLE}, "without its merges. Give vocab.bpe"),
        ({"merges.txt": b"#version: 0.2\na b\n"}, "merges without their ids. Give encoder.json"),
        ({"a.json": PAIR_TABLE, "b.json": PAIR_TABLE}, "a.json and b.json are both files of the kind table"),
        ({}, "There is no file"),
    ],
)
def test_half_a_pair_is_refused_with_what_is_missing(files, named):
    with pytest.raises(BpeError, match=named):
        read_tokenizer(files)


# --- rank files -----------------------------------------------------------------------


def rank_lines(*tokens):

    table = [bytes([byte]) for byte in range(256)] + [token.encode() for token in tokens]
    return [f"{base64.b64encode(token).decode()} {rank}" for rank, token in enumerate(table)]


def read_ranks(lines, pattern="none"):
    return read_tokenizer({"my.tiktoken": "\n".join(lines).encode()}, pattern=pattern)


def test_rank_file_says_that_its_merges_are_recovered():
    loaded = read_ranks(rank_lines("bc", "ab", "abc"))

    assert [merge.pair for merge in loaded.tokenizer.merges] == [(98, 99), (97, 98), (97, 256)]
    assert "recovered from the ranks, not the original ones" in loaded.notes[0]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("a", ["a"]), ("aba", ["ab", "a"]), ("abacb", ["ab", "a", "cb"])],
)
def test_rank_file_is_read_by_rank_and_not_by_length(text, tokens):
    tokenizer = read_ranks(rank_lines("ab", "cb", "ac", "bb", "cbb", "acbb")).tokenizer

    assert [tokenizer.vocabulary[one].decode() for one in tokenizer.encode(text)] == tokens


@pytest.mark.parametrize(
    ("lines", "named"),
    [
        ([*rank_lines(), "!!! 256"], "Line 257 of my.tiktoken: '!!!' is not valid base64"),
        ([*rank_lines(), "YWI 256"], "Line 257 of my.tiktoken: 'YWI' is not valid base64"),
        ([*rank_lines(), "YWI= x"], "Line 257 .* must be a token in base64, a space and its rank"),
        ([*rank_lines(), "YWI= -1"], "Line 257"),
        ([*rank_lines(), "YWI="], "Line 257"),
        ([*rank_lines(), "YWI= 255"], "Line 257 .*repeats the rank 255 of line 256"),
        ([*rank_lines(), "YQ== 256"], "Line 257 .*repeats the token a of line 98"),
        (rank_lines()[:-1], "no token for 1 of the 256 single bytes \\(FF\\)"),
        ([*rank_lines(), "YWI= 99999999999"], "ids are whole numbers"),
    ],
)
def test_rank_file_that_is_damaged_is_refused_with_the_line(lines, named):
    with pytest.raises(BpeError, match=named):
        read_ranks(lines)


def test_rank_file_with_an_empty_token_leaves_it_out_and_says_so():
    loaded = read_ranks([*rank_lines("ab"), "= 257"])

    assert loaded.tokenizer.vocab_size == 257
    assert any("Line 258 holds the empty token with the id 257" in note for note in loaded.notes)


def test_rank_file_without_a_pattern_asks_for_one():
    with pytest.raises(BpeError, match=r"names no pattern.*Choose the pattern"):
        read_ranks(rank_lines("ab"), pattern=None)


tables = st.lists(st.text("ab", min_size=2, max_size=7), unique=True, max_size=14)


@settings(max_examples=150, deadline=None)
@given(tables, st.lists(st.text("aabc", max_size=24), max_size=6), st.randoms(use_true_random=False), st.booleans())
def test_recovered_merges_give_the_ids_of_the_rule_of_joined_bytes(tokens, texts, rng, shuffled):
    """For any table, also one in which parts have higher ranks than the whole, or that no training makes."""
    ids = list(range(256 + len(tokens)))
    if shuffled:
        rng.shuffle(ids)
    table = [bytes([byte]) for byte in range(256)] + [token.encode() for token in tokens]
    ranks = dict(zip(table, ids, strict=True))

    lines = [f"{base64.b64encode(token).decode()} {rank}" for token, rank in ranks.items()]
    tokenizer = read_ranks(lines).tokenizer
    for text in texts:
        chunk = text.encode()
        by_rule = [ranks[chunk]] if chunk in ranks else last_parts(chunk, ranks)

        assert tokenizer.encode(text) == by_rule


@settings(max_examples=60, deadline=None)
@given(tables, st.lists(st.text("aabc", max_size=40), max_size=6))
def test_rank_file_gives_the_ids_of_tiktoken(tokens, texts):
    tiktoken = pytest.importorskip("tiktoken", reason="the tiktoken package is an outside oracle")
    table = [bytes([byte]) for byte in range(256)] + [token.encode() for token in tokens]
    ranks = {token: rank for rank, token in enumerate(table)}
    library = tiktoken.Encoding("t", pat_str="(?s:.+)", mergeable_ranks=ranks, special_tokens={})
    tokenizer = read_ranks(rank_lines(*tokens)).tokenizer
    for text in texts:
        assert tokenizer.encode(text) == library.encode_ordinary(text)


def test_recovered_merges_of_trained_ranks_are_the_learned_ones():
    tokenizer = trained("four-type", specials=())
    recovered = recover_merges(tokenizer.ids_of_tokens)

    assert [merge[:2] for merge in recovered.merges] == [merge.pair for merge in tokenizer.merges]
    assert not recovered.lone


def test_snippet_beside_a_rank_file_gives_pattern_and_specials_without_being_run(tmp_path):
    tokenizer = trained("o200k")
    files = tokenizer_files(tokenizer, "tiktoken")
    loaded = read_tokenizer(files).tokenizer
    hostile = {**files, "load_tokenizer.py": b"import os; os.system('x')\ntiktoken.Encoding(pat_str=open('x').read())"}

    assert (loaded.pattern.name, loaded.specials) == ("o200k", tokenizer.specials)
    assert tiktoken_of(files, tmp_path).encode("a<|end|>", allowed_special="all") == loaded.encode("a<|end|>", "allow")
    with pytest.raises(BpeError, match="plain Python literals"):
        read_tokenizer(hostile)


def test_spelled_tokens_of_a_pair_are_bytes_and_not_text():
    tokens = [spelled("é"), spelled(" é")]
    content = hf_json(tokens=tokens, merges=[("Ã", "©"), ("Ġ", tokens[0])])

    assert read_json(content).tokenizer.vocabulary[257] == " é".encode()
    assert isinstance(read_json(content).tokenizer, Tokenizer)


def test_snippet_keeps_its_specials_when_another_pattern_is_chosen():
    tokenizer = trained("o200k")
    loaded = read_tokenizer(tokenizer_files(tokenizer, "tiktoken"), pattern="cl100k").tokenizer

    assert (loaded.pattern.name, loaded.specials) == ("cl100k", tokenizer.specials)


def test_table_of_a_published_encoder_is_known_by_its_digest(monkeypatch):
    """The real tables are too large for a test; a small one takes the place of theirs in the list."""
    content = "\n".join(rank_lines("ab")).encode()
    digest = hashlib.sha256(content).hexdigest()
    monkeypatch.setitem(KNOWN_TABLES, digest, KnownTable("small", "o200k", {"<|end|>": 257}))
    loaded = read_tokenizer({"small.tiktoken": content.replace(b"\n", b"\r\n")})

    assert (loaded.tokenizer.pattern.name, loaded.tokenizer.specials) == ("o200k", {"<|end|>": 257})
    assert loaded.notes[1] == "By its SHA-256 this is the published table small; its pattern, o200k, is used."
    assert "not used, because gpt2 was chosen" in read_tokenizer({"s.tiktoken": content}, pattern="gpt2").notes[1]
