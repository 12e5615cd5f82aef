"""Other ways to cut the same chunks with the same vocabulary.

| order | what it does | source |
|---|---|---|
| rank | lowest rank first: BPE itself | Sennrich et al. 2016 |
| longest match | left to right, the longest token that fits | as WordPiece: Song et al. 2021; tiktoken #99 |
| longest match from the end | right to left, the longest token that fits | "longest suffix" of Uzan et al. 2024 |
| reversed priority | per pass the highest rank present, joined everywhere | one answer to "does the order matter?" |
| reversed pass | the merge list replayed once, from last to first | the other answer |
| leftmost pair | the first pair from the left that is a rule | a fault once found in ztxz16/fastllm, pull request 715 |
| fewest tokens | as few tokens as can be, ties to the longest first token | PathPiece: Schmidt et al. 2024 |
| dropout | rank order, each pair dropped with probability p at each step | BPE-dropout: Provilkov et al. 2020 |

`plain` holds each of them written to be read; `cut_all` gives the same for all chunks
of a text at once.
"""

from bpe_core.orders.cuts import Cuts
from bpe_core.orders.cutting import NEED_MERGES, ORDERS, cut, cut_all, cut_text
from bpe_core.orders.partings import Parting, why_parted
from bpe_core.orders.replay import ReplayStep, replay_steps
from bpe_core.orders.steps import EncodeRow, EncodeStep, PairSeen, encode_rows, encode_steps

__all__ = [
    "NEED_MERGES",
    "ORDERS",
    "Cuts",
    "EncodeRow",
    "EncodeStep",
    "PairSeen",
    "Parting",
    "ReplayStep",
    "cut",
    "cut_all",
    "cut_text",
    "encode_rows",
    "encode_steps",
    "replay_steps",
    "why_parted",
]
