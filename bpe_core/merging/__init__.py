"""Merging fast: the same results as `reference` and `encoding`, in numpy, on tokens that keep their slots.

Read in this order: `stopping`, `token_slots` (the text), `one_merge` (a pair joined
wherever it stands, which `encoding.long_chunk` uses too), `pair_queue` (which pair is
next), `born_pairs` and `epochs` (which pairs are worth following) and `learning` (all
merges, best pair first).

Training is quick because a pair's count only ever falls after the step that created
the newer of its two symbols, and because all its occurrences are born in that step.
So each pair needs one array of positions, which never grows, and a pair that is born
below a threshold needs nothing at all: it cannot rise above it again. And all tokens
of one id fill the same number of slots until they are compacted, so a neighbour's
position is one addition away.
"""
