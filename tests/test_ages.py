"""Ages that an operator reads at a glance."""

from datetime import timedelta

import pytest

from bot import ages


@pytest.mark.parametrize(
    ("age", "words"),
    [
        (timedelta(seconds=-5), "0 h 0 min"),
        (timedelta(hours=3, minutes=20, seconds=59), "3 h 20 min"),
        (timedelta(hours=47, minutes=59), "47 h 59 min"),
        (timedelta(days=2), "2 days"),
        (timedelta(hours=7906, minutes=19), "329 days"),
    ],
)
def test_from_two_days_on_an_age_is_told_in_days(age: timedelta, words: str):
    assert ages.in_words(age) == words
