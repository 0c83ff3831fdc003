"""Are deals fair, and does the page that stands alone find the same? (reliability.md 6, 14)."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import count, cycle, islice

from bot import verify
from bot.promises.promise import Verdict
from bot.rules import variants
from bot.rules.cards import Card, Seat, pack
from bot.rules.dealing import deal_out, places_aside
from bot.rules.dimensions import Rest
from bot.rules.ruleset import Ruleset
from bot.rules.shuffle import commitment, cut, shuffle

_SHORT, _LONG = 40_000, 1_000_000
"""Deals whose places are counted."""
_CONTROL_SHARE = 10
"""One wrong shuffle for so many right ones is enough to be found out."""
_CHECKED = 1_000
"""Deals that are dealt once more by the page that stands alone."""
_WORST_Z = 4.0
"""Standard deviations; a fair shuffle is beyond that once in more than 10,000 runs."""
_WORDS = ("", "rhubarb", "3:a,", "žluťoučký kůň", "1456074443980800018", "♥️ ,:|", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Deal:
    """One deal, as the rules make it."""

    ruleset: Ruleset
    seats: int
    dealer: Seat
    seed: bytes
    label: str
    cuts: tuple[str, ...] | None
    seal: str
    order: tuple[Card, ...]


def measure(*, short: bool) -> Verdict:
    """Count where cards come to lie, and have 1,000 deals of all variants dealt twice."""
    number = _SHORT if short else _LONG
    fair = z_of_places(_fair, number)
    wrong = z_of_places(_wrong, number // _CONTROL_SHARE)
    deals = list(islice(_deals(), _CHECKED))
    agreed = sum(map(_agrees, deals))
    planted = [changed for deal in deals for changed in _changed(deal)]
    missed = sum(map(_agrees, planted))
    figure = (
        f"z = {fair:+.1f} in {number:,} deals (a wrong shuffle: {wrong:+.0f}); "
        f"{agreed:,} of {len(deals):,} deals verified, "
        f"{len(planted) - missed:,} of {len(planted):,} changed ones found out"
    )
    is_fair = abs(fair) < _WORST_Z < abs(wrong)
    return Verdict(figure=figure, kept=is_fair and agreed == len(deals) and not missed)


def z_of_places(order_of: Callable[[int], Sequence[Card]], number: int) -> float:
    """How many standard deviations the places of cards are from evenly spread (chi-square)."""
    size = len(pack())
    place_of_card = {card: size * index for index, card in enumerate(pack())}
    seen = [0] * (size * size)
    for deal in range(number):
        for place, card in enumerate(order_of(deal)):
            seen[place_of_card[card] + place] += 1
    expected = number / size
    chi_square = sum((times - expected) ** 2 for times in seen) / expected
    freedom = (size - 1) ** 2
    return (chi_square - freedom) / math.sqrt(2 * freedom)


def _fair(number: int) -> Sequence[Card]:
    label = f"FAIRDEAL|{number}"
    return shuffle(pack(), cut(_seed(number), label, _WORDS[:4]), label)


def _wrong(number: int) -> Sequence[Card]:
    """The well-known wrong way: each card is exchanged with any other."""
    order = list(pack())
    chance = sha256(_seed(number)).digest() + sha256(_seed(number) + b"|").digest()
    for place in range(len(order)):
        other = chance[place] * len(order) >> 8
        order[place], order[other] = order[other], order[place]
    return order


def _seed(number: int) -> bytes:
    """The same in every run: a verdict that changes by itself is none."""
    return sha256(f"fair deals|{number}".encode()).digest()


def _deals() -> Iterator[_Deal]:
    """Deals of all variants and numbers of seats, in turn."""
    tables = [
        (ruleset, seats)
        for ruleset in map(variants.load, variants.names())
        for seats in ruleset.players
    ]
    for (ruleset, seats), number in zip(cycle(tables), count(1), strict=False):
        seed, label = _seed(number), f"K7Q2M4XD|{number}"
        given = tuple(islice(cycle(_WORDS[number % len(_WORDS) :] + _WORDS), seats))
        cuts = None if number % 5 == 0 else given
        key = seed if cuts is None else cut(seed, label, cuts)
        yield _Deal(
            ruleset=ruleset,
            seats=seats,
            dealer=Seat(number % seats),
            seed=seed,
            label=label,
            cuts=cuts,
            seal=commitment(seed, label),
            order=shuffle(ruleset.deck(seats), key, label),
        )


def _agrees(deal: _Deal) -> bool:
    """Whether `bot/verify.py` finds the same seal, order and hands."""
    rules, seats = deal.ruleset, deal.seats
    deck = [str(card) for card in rules.deck(seats)]
    cuts = None if deal.cuts is None else list(deal.cuts)
    found = verify.order(deck, deal.seed, deal.label, cuts)
    has_widow = rules.rest.get(seats) is Rest.WIDOW
    never = [card.face for card in rules.widow.never] if has_widow else []
    held = verify.hands(found, seats, deal.dealer, list(places_aside(rules, seats)), never)
    dealt = deal_out(rules, seats, deal.dealer, deal.order).hands
    return (
        verify.seal(deal.seed, deal.label) == deal.seal
        and found == [str(card) for card in deal.order]
        and [set(hand) for hand in held] == [set(map(str, hand)) for hand in dealt]
    )


def _changed(deal: _Deal) -> Iterator[_Deal]:
    """The same deal, were one thing about it not as it was sealed and cut."""
    yield replace(deal, seed=bytes([deal.seed[0] ^ 1]) + deal.seed[1:])
    yield replace(deal, label=f"{deal.label}0")
    yield replace(deal, seal=deal.seal[::-1])
    first, second, *rest = deal.order
    yield replace(deal, order=(second, first, *rest))
    if deal.cuts is not None:
        yield replace(deal, cuts=(f"{deal.cuts[0]}!", *deal.cuts[1:]))
        yield replace(deal, cuts=None)
