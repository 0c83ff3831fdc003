"""A promise, and what was found of it."""

from dataclasses import dataclass

BY_TESTS = "bot.promises.by_tests"
"""The module of a promise whose evidence are the tests marked with its number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What was found of a promise."""

    figure: str
    """What was counted or measured, as in "0 of 2,913 lost in 100 kills"; one line."""
    kept: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """What the bot promises, and where to look whether it is so."""

    number: int
    """The row of the table of promises, counted from 1."""
    words: str
    """The promise in one line."""
    module: str = BY_TESTS
    """Imported when asked; another than `BY_TESTS` has ``measure(*, short: bool) -> Verdict``."""
