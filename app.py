"""The app: page settings, then the router."""

import streamlit as st

from pages.ui import shell

st.set_page_config(page_title="BPE explorer", page_icon="🔤", layout="wide", initial_sidebar_state="auto")
shell.run_app()
