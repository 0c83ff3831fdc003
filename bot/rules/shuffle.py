"""Seed in, order out: a shuffle that anybody can repeat, in any language.

Fisher–Yates from the last card to the second, driven by the 32-bit big-endian words of
HMAC-SHA256(seed, "hearts-deal-v1|LABEL|COUNTER"), COUNTER = 0, 1, 2, … in decimal. A word that
would favour some cards is skipped, so that all orders are equally likely.

Where people have cut the deck, not the seed but what `cut` makes of it and of their cuts drives the
shuffle: whoever drew the seed did not know the cuts, and whoever cut did not know the seed.
"""

import hmac
from collections.abc import Iterator, Sequence
from hashlib import sha256

from bot.rules.cards import Card

_WORDS = 1 << 32


def shuffle(deck: tuple[Card, ...], seed: bytes, label: str) -> tuple[Card, ...]:
    """Put *deck* into the order that *seed* and *label* stand for.

    Args:
        deck: all cards of the game, in the agreed order (`Ruleset.deck`).
        seed: 32 secret random bytes, new for every deal, or what `cut` makes of them: 52! orders
            need 226 bits.
        label: what the deal is called: table and number of the deal, as ``K7Q2M4XD|3``.
    """
    order = list(deck)
    words = _words(seed, label)
    for last in range(len(order) - 1, 0, -1):
        other = _below(last + 1, words)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def cut(seed: bytes, label: str, cuts: Sequence[str]) -> bytes:
    """What drives a shuffle into which every seat has cut, in the place of *seed*.

    HMAC-SHA256(seed, "hearts-cuts-v1|LABEL|" and then, by seat, each cut: how many bytes of UTF-8
    it has, in decimal, a colon, those bytes, a comma). So no two rows of cuts are written alike.

    Args:
        seed: 32 secret random bytes.
        label: as in `shuffle`.
        cuts: by seat, from seat 1 on; the cut of a seat that did not cut is empty.
    """
    written = [word.encode() for word in cuts]
    lengths_first = b"".join(b"%d:%b," % (len(word), word) for word in written)
    message = f"hearts-cuts-v1|{label}|".encode() + lengths_first
    return hmac.digest(seed, message, "sha256")


def commitment(seed: bytes, label: str) -> str:
    """What is published before the deal, so that the seed cannot be exchanged after it.

    SHA-256("hearts-commit-v1|LABEL|" followed by the seed), in hexadecimal.
    """
    return sha256(f"hearts-commit-v1|{label}|".encode() + seed).hexdigest()


def _words(seed: bytes, label: str) -> Iterator[int]:
    counter = 0
    while True:
        message = f"hearts-deal-v1|{label}|{counter}".encode()
        block = hmac.digest(seed, message, "sha256")
        for start in range(0, len(block), 4):
            yield int.from_bytes(block[start : start + 4], "big")
        counter += 1


def _below(bound: int, words: Iterator[int]) -> int:
    """A number from 0 to *bound* - 1, every one equally likely."""
    fair = _WORDS - _WORDS % bound
    return next(word for word in words if word < fair) % bound
