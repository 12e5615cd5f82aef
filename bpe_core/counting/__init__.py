"""Counting chunks fast: the same results as `chunks.count_chunks_by_regex`, a block of text at a time.

Read in this order: `text_blocks` (a stream of documents in blocks), `character_classes`
(the kind of every character), `class_chunks` (where chunks begin, from the kinds alone),
`distinct` (each distinct chunk once, with its count).
"""
