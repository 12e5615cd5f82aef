"""The page Vocabulary: the app's one table."""

import base64
import csv
import json
from zlib import crc32

import pandas as pd
import streamlit as st

from bpe_core import count_chunks, train
from bpe_core.samples import sample_documents
from bpe_core.vocabulary_table import vocabulary_table
from pages.ui import inputs
from pages.ui.corpus import Corpus
from pages.ui.vocabulary_view import COLUMN_SETS, found_rows, learned_rows, rows_around, vocabulary_frame


def frame_of(chunks: dict[bytes, int], num_merges: int) -> pd.DataFrame:
    training = train(chunks, 256 + num_merges)
    return vocabulary_frame(vocabulary_table(training, num_merges), training.chunk_counts.num_bytes)


def shown(app) -> pd.DataFrame:
    return app.dataframe[0].value


def test_frame_tells_each_merge_as_training_recorded_it():
    frame = frame_of({b"aaabdaaabac": 1}, 3)

    last = frame.iloc[-1]

    assert last["token"] == "aaab"
    assert (last["left"], last["right"], last["left bytes"]) == ("aa", "ab", "61 61")
    assert (last["count when learned"], last["tied"], last["replaced"], last["rank"]) == (2, 1, 2, 2)
    assert (last["tokens before"], last["tokens after"], last["bytes per token"]) == (7, 5, 11 / 5)
    assert pd.isna(frame.iloc[97]["rank"])


def test_frame_tells_what_a_token_covers_in_bytes_and_in_tokens():
    # aaab d aaab a c: five tokens
    frame = frame_of({b"aaabdaaabac": 1}, 3).set_index("token")

    uses = frame[["length", "uses now", "bytes covered", "share of tokens"]]
    assert uses.loc["aaab"].tolist() == [4, 2, 8, 0.4]
    assert uses.loc["d"].tolist() == [1, 1, 1, 0.2]
    assert uses.loc["aa"].tolist() == [2, 0, 0, 0]
    assert uses["bytes covered"].sum() == 11
    assert uses["share of tokens"].sum() == 1


def test_length_of_a_token_is_in_bytes():
    frame = frame_of({"éé".encode(): 3}, 1).set_index("token")

    assert frame.loc["é", ["length", "uses now", "bytes covered", "share of tokens"]].tolist() == [2, 6, 12, 1]


def test_found_rows_finds_text_glyphs_hex_and_ids():
    frame = frame_of({b" the": 3, b"\xe2\x80\x99s": 2}, 5)

    assert " the" not in set(frame["token"])
    assert set(found_rows(frame, " t")["token"]) == set(found_rows(frame, "·t")["token"]) == {"·t", "·the"}
    assert set(found_rows(frame, "E2 80")["token"]) == {"’"}
    assert found_rows(frame, "256")["id"].tolist() == [256]
    assert found_rows(frame, " e280 ")["token"].tolist() == ["’"]
    assert set(found_rows(frame, "d")["token"]) == {"d"}  # and not the d of a byte such as 6D
    assert found_rows(frame, "2 8").empty
    assert found_rows(frame, "zzz").empty
    assert len(found_rows(frame, "")) == len(frame)


def test_rows_around_a_rank_stay_inside():
    frame = frame_of({b"abcdefgh": 2}, 7)

    assert rows_around(frame, 0, reach=2)["rank"].tolist() == [0, 1, 2]
    assert rows_around(frame, 6, reach=1)["rank"].tolist() == [5, 6]
    assert learned_rows(frame)["rank"].tolist() == list(range(7))


def test_page_shows_the_learned_tokens_of_the_size_in_the_address(open_page):
    app = open_page("vocabulary", size="300")
    training = train(count_chunks(sample_documents("sherlock")), 300)

    assert shown(app)["id"].tolist() == list(range(256, 300))
    assert shown(app)["rank"].tolist() == [merge.rank for merge in training.merges]


def test_page_tells_the_tokens_of_the_whole_text_at_this_size(open_page):
    app = open_page("vocabulary", size="300")

    [caption] = [caption.value for caption in app.caption if "300 tokens" in caption.value]
    assert caption.startswith("44 of 300 tokens. ")
    assert caption.endswith("The whole text has 32,112 tokens at this size, 1.49 bytes per token.")


def test_csv_holds_every_token_of_this_size_by_id(open_page, monkeypatch):
    saved = []
    monkeypatch.setattr(st, "download_button", lambda label, content, *_, **__: saved.append(content))
    open_page("vocabulary", size="300")

    head, *rows = csv.reader(saved[-1]().splitlines())
    assert head[:4] == ["id", "token", "bytes", "length"]
    assert [row[0] for row in rows] == [str(token_id) for token_id in range(300)]
    assert rows[97][:4] == ["97", "a", "61", "1"]
    assert {len(row) for row in rows} == {len(head)}


def test_column_sets_and_ends(open_page):
    app = open_page("vocabulary", size="400")

    app.button_group(key="columns").set_value("Merge").run()
    assert shown(app).columns.tolist() == COLUMN_SETS["Merge"]

    app.button_group(key="rows").set_value("first 15 and last 15").run()
    assert app.dataframe[0].value["rank"].tolist() == list(range(15))
    assert app.dataframe[1].value["rank"].tolist() == list(range(143, 128, -1))

    app.text_input(key="find_token").set_value("the").run()
    assert len(app.dataframe) == 1
    assert shown(app)["token"].str.contains("the").all()
    app.text_input(key="find_token").set_value("").run()
    app.number_input(key="vocabulary_rank").set_value(30).run()
    assert shown(app)["rank"].tolist() == list(range(18, 43))


def test_find_looks_at_all_tokens_whatever_rows_are_shown(open_page):
    app = open_page("vocabulary", size="300")
    app.text_input(key="find_token").set_value("97").run()
    assert 97 in shown(app)["id"].tolist()
    app.text_input(key="find_token").set_value("00").run()
    assert shown(app)["id"].tolist() == [0]


def test_no_merges_is_said(open_page):
    app = open_page("vocabulary", size="256")

    assert app.info[0].value == "No merges at this size yet, only single bytes. A larger size has some."


def test_no_merges_at_any_size_is_said(open_page, monkeypatch):
    monkeypatch.setattr(inputs, "chosen_text", lambda: Corpus("short", ["abc"]))
    app = open_page("vocabulary")

    assert app.info[0].value.startswith("No merge was learned: there is no pair of bytes to join.")


def choose_row(app, number: int) -> int:
    """Click a row of the table; return the id of its token."""
    ids = shown(app)["id"].to_numpy()
    key = f"vocabulary_table_{crc32(ids.tobytes())}"
    app.session_state[key] = {"selection": {"rows": [], "columns": [], "cells": [[number, "token"]]}}
    app.run()
    return int(ids[number])


def card(app) -> dict | None:
    """What the card beside the table was sent, if there is one."""
    strips = app.get("bidi_component")
    return json.loads(strips[0].proto.json)["model"] if strips else None


def test_row_that_is_chosen_shows_its_token_with_its_uses_in_the_whole_text(open_page):
    app = open_page("vocabulary", size="300")
    assert card(app) is None

    token_id = choose_row(app, 8)

    training = train(count_chunks(sample_documents("sherlock")), 8192)
    model = card(app)
    assert base64.b64decode(model["text"][1]) == training.tokenizer.vocabulary[token_id]
    assert model["corpus"]["name"] == "Sherlock"
    assert not app.exception


def test_a_chosen_row_is_let_go_when_the_rows_change(open_page):
    app = open_page("vocabulary", size="300")
    choose_row(app, 14)

    app.text_input(key="find_token").set_value("zzz").run()
    assert not app.exception
    assert card(app) is None

    app.text_input(key="find_token").set_value("th").run()
    assert not app.exception
    assert card(app) is None

    app.text_input(key="find_token").set_value("").run()
    choose_row(app, 40)
    app.number_input(key="size").set_value(265).run()
    assert not app.exception
    assert card(app) is None
