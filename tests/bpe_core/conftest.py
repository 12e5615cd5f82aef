"""A property's example may be slow on a busy machine: how long one takes is no fact about our code."""

from hypothesis import settings

settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
