"""How long ago something was, in words for whoever runs the bot."""

from datetime import timedelta

_HOUR, _MINUTE = timedelta(hours=1), timedelta(minutes=1)
_IN_DAYS = timedelta(days=2)
"""From here on nobody counts hours."""


def in_words(age: timedelta) -> str:
    """As "3 h 20 min" or "12 days", rounded down; what is still to come is of this moment."""
    age = max(age, timedelta())
    if age >= _IN_DAYS:
        return f"{age.days:,} days"
    return f"{age // _HOUR} h {age % _HOUR // _MINUTE} min"
