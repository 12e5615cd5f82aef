"""A page with nothing but the film, for browser tests: `?case=` names the text, `&shown=chunks` its distinct chunks."""

import streamlit as st
from film_cases import CASES, trained

from bpe_core import named_pattern
from pages.ui import state
from pages.ui.corpus import Corpus
from pages.ui.merge_player import merge_player, most_frequent_chunks, text_film
from pages.ui.run import Run, Settings
from pages.ui.text_models import chunks_model
from pages.ui.why_panel import text_counts

st.set_page_config(layout="wide")
name = st.selectbox("Case", list(CASES), key="case", bind="query-params")
case, training = CASES[name], trained(name)
settings = Settings(named_pattern(case.pattern), (), case.vocab_size, 2)
flag = min(case.flag, training.tokenizer.num_merges)
run = Run(Corpus(name, (case.learn_from,)), settings, training, 256 + flag)

if st.query_params.get("shown") == "chunks":
    chunks, times = most_frequent_chunks(training.chunk_counts, 50_000)
    film = text_film(chunks_model(run, chunks), training, times)
else:
    film = text_film(chunks_model(run, training.tokenizer.chunks(case.shown)), training)


@st.fragment
def draw() -> None:
    start = state.film_start(film.signature)
    k = min(state.film_place(film.signature), film.num_merges)
    asked = merge_player(
        film, key=state.FILM, start=start.k, watch=start.watch, flag=flag, counts=text_counts(run, k),
        on_stand=state.keep_film_place, on_ask=lambda: None,
    )  # fmt: skip
    st.text(f"stands at {k}, asked {asked}")


draw()
