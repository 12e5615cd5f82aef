"""A page with nothing but the text view, for browser tests: `?case=` names the text."""

import numpy as np
import streamlit as st
from token_view_cases import CASES

from bpe_core import count_chunks, train
from pages.ui import state
from pages.ui.token_view import corpus_counts, text_model, text_view

st.set_page_config(layout="wide")
case = CASES[st.query_params.get("case", "story")]


@st.cache_resource
def trained(name: str):
    case = CASES[name]
    return train(count_chunks([case.learn_from], case.pattern), case.vocab_size, specials=case.specials)


training = trained(st.query_params.get("case", "story"))
st.session_state.setdefault("outside", case.first_size)
st.number_input("Size", key="outside", step=1)


def size_changed() -> None:
    st.session_state.outside = int(state.component_value("view", "chosen")["size"])


corpus = corpus_counts("the <b>corpus</b>", training.chunk_counts, training.token_totals)
model = text_model(training.tokenizer, case.shown, corpus=corpus, counts=np.asarray(training.counts))
watch = text_view(
    model,
    size=int(st.session_state.outside),
    key="view",
    told=state.size_told("view"),
    on_size_change=size_changed,
    wanted_merges=case.vocab_size - 256 - len(case.specials),
    stop_sentence="No remaining pair occurs twice.",
    sweep="sweep" in st.query_params,
    on_watch=(lambda: None) if "watch" in st.query_params else None,
)
st.text(f"size {st.session_state.outside}, watch {watch}")
