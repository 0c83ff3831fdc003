"""How long something is, as a sentence."""

from datetime import timedelta

from bot.rules.sentence import Sentence

_FEW = 2
_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def in_words(length: timedelta) -> Sentence:
    """A length of time in the largest unit of which there are two, rounded.

    >>> str(in_words(timedelta(minutes=90)))
    '90 minutes'
    """
    if length >= _FEW * _DAY and length % _DAY == timedelta():
        return _count(length, _DAY, "{count} day", "{count} days")
    if length >= _FEW * _HOUR:
        return _count(length, _HOUR, "{count} hour", "{count} hours")
    return _count(length, _MINUTE, "{count} minute", "{count} minutes")


def _count(length: timedelta, unit: timedelta, one: str, many: str) -> Sentence:
    return Sentence(one, {"count": round(length / unit)}, many)
