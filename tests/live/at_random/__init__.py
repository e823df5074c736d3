"""Texts made at random, asked of running engines beside what belvedere says of them.

`python -m tests.live.at_random SEED` makes the texts of a seed and prints each that an engine
answers otherwise without a word of ours; what is mended becomes a case of
tests/unit/test_asked_at_random.py.
"""
