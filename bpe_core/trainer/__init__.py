"""The fast trainer: the merges of `reference.merge_steps` under ties by smallest pair, in numpy.

Read in this order: `linked_tokens` (the text), `epochs` (which pairs are worth
following), `pair_queue` (which pair is next), `merging` (one merge), `loop` (all of them).

It is quick because a pair's count only ever falls after the step that created the
newer of its two symbols, and because all its occurrences are born in that one step.
So each pair needs one array of positions, which never grows, and a pair that is born
below a threshold needs nothing at all: it cannot rise above it again.
"""
