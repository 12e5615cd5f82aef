"""The one error that this package raises on bad input."""


class BpeError(ValueError):
    """What was wrong, where, and what to do: a sentence fit to show to a user."""


class Stopped(BpeError):
    """The caller asked for the work to stop before it was done."""
