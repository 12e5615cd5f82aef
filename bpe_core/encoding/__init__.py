"""Rank order: of all adjacent pairs that are rules, join the one with the lowest rank; repeat until none is.

Read in this order: `one_chunk` (any rules, the readable way; a heap if the chunk is
longer), then, for the merges of training: `pair_table` (the ranks of many pairs at
once), `many_chunks` (all short chunks in rounds), `long_chunk` (one long chunk, rank
after rank), and `nested`, which gives each chunk to the one that suits it.
"""
