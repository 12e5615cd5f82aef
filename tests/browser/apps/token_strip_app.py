"""A page with nothing but a strip of tokens, for browser tests."""

import numpy as np
import streamlit as st
from token_view_cases import CASES, SENTENCE

from bpe_core import count_chunks, train
from pages.ui.token_view import text_model
from pages.ui.token_view.strip import token_strip

st.set_page_config(layout="wide")


@st.cache_resource
def trained():
    case = CASES["story"]
    return train(count_chunks([case.learn_from], case.pattern), case.vocab_size)


training = trained()
token_strip(text_model(training.tokenizer, SENTENCE, counts=np.asarray(training.counts)), key="strip", rows=3)
st.text("below the strip")
