"""What is wrong with a combination of rules: faults that name both sides of what clashes."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import assert_never

from bot.rules.cards import Card, pack
from bot.rules.dimensions import (
    SEATS,
    DealCount,
    Draw,
    Duplicates,
    GoodScore,
    HeartScale,
    Hold,
    Minutes,
    MoonPayoff,
    OpenCount,
    PassStep,
    PassTo,
    Rest,
    Scatter,
    Settle,
    Sides,
    SideScore,
    Single,
    Target,
    WidowPositions,
)
from bot.rules.ruleset import Ruleset
from bot.rules.selectors import Selector

_Faults = Iterator[str]

_MOST_PACKS = 2
_MOST_CARDS_PER_PLAYER = 2


def problems(rules: Ruleset) -> list[str]:
    """Say all that is wrong with the combination; empty means playable.

    Every fault begins with the dotted path of its key and names the other key of a pair that
    does not go together.
    """
    return [*_problems(rules)]


@lru_cache(maxsize=256)
def _problems(rules: Ruleset) -> tuple[str, ...]:
    """The same; remembered, as every table that is read holds the rules of a few presets."""
    found = [fault for find in _OF_ALL_SEATS for fault in find(rules)]
    if found:
        # A deck of three packs or of no ranks cannot be dealt out to be looked at.
        return tuple(found)
    for seats in rules.players:
        for find_by_seats in _BY_SEATS:
            found += find_by_seats(rules, seats)
    return tuple(found)


def _players(rules: Ruleset) -> _Faults:
    if not rules.players:
        yield "players: no number of seats is allowed"
    for seats in rules.players:
        if seats not in SEATS:
            yield f"players: {seats} is outside {SEATS[0]} to {SEATS[-1]}"
        elif rules.sides is Sides.OPPOSITE and seats % 2:
            yield f"sides: opposite needs an even number of players, and players has {seats}"
        elif rules.sides is not Sides.SOLO and seats == 2:
            yield f"sides: {rules.sides.value} leaves no opponents where players has 2"
    if rules.default_players not in rules.players:
        yield f"default_players: {rules.default_players} is not among players"
    if rules.sides is Sides.SOLO and rules.side_score is SideScore.INDIVIDUAL_SUM_AT_END:
        yield "side_score: individual_sum_at_end adds up partners, but sides is solo"


def _cards(rules: Ruleset) -> _Faults:
    if rules.packs not in range(1, _MOST_PACKS + 1):
        yield f"packs: {rules.packs} is neither 1 nor {_MOST_PACKS}"
    if not rules.ranks or list(rules.ranks) != sorted(set(rules.ranks)):
        yield "ranks: each rank once, from low to high"
    if rules.cards_per_player not in range(1, _MOST_CARDS_PER_PLAYER + 1):
        yield f"cards_per_player: {rules.cards_per_player} is neither 1 nor 2"
    copies = rules.packs > 1 or any(rules.add.values())
    if copies and rules.duplicates is Duplicates.NONE:
        key = "packs" if rules.packs > 1 else "add"
        yield f"duplicates: none says nothing of two equal cards, which {key} brings"
    if any(jokers < 0 for jokers in rules.jokers.values()):
        yield "jokers: a number below 0"


def _points(rules: Ruleset) -> _Faults:
    worths = {rules.points_of(card) for card in _kinds(rules)}
    for selector, _ in rules.points:
        if not any(selector.fits(card) for card in _kinds(rules)):
            yield f"points.{selector.text}: ranks has no such card"
    if max(worths, default=0) <= 0:
        yield "points: no card costs anything"
    if rules.moon.bonus and min(worths, default=0) >= 0:
        yield "moon.bonus: a bonus card is needed, but points has no card below 0"
    if rules.no_trick_bonus.points > 0:
        yield f"no_trick_bonus.points: {rules.no_trick_bonus.points} is above 0"


def _spot(rules: Ruleset) -> _Faults:
    """Spot scoring excludes Black Maria (rules.md 2.5.7)."""
    if rules.heart_scale not in {HeartScale.PIP14, HeartScale.GREEK}:
        return
    for card in _kinds(rules):
        if card.face in {"KS", "AS"} and rules.points_of(card):
            yield f"heart_scale: {rules.heart_scale.value} does not go with points.{card.face}"


def _slams(rules: Ruleset) -> _Faults:
    moon = rules.moon
    if moon.value is not None and moon.value <= 0:
        yield f"moon.value: {moon.value} is not above 0"
    if rules.sun is not None and rules.sun <= 0:
        yield f"sun.value: {rules.sun} is not above 0"
    if rules.sun is not None and not moon.on:
        yield "sun: it is paid as a moon is, but moon.on is false"
    loses = moon.payoff is MoonPayoff.LOSE_VALUE
    high = rules.good_score is GoodScore.HIGH
    if moon.on and high and not loses:
        yield f"moon.payoff: {moon.payoff.value} is for low scores, but good_score is high"
    if loses and not high:
        yield "moon.payoff: lose_value is for high scores, but good_score is low"
    if high and rules.no_trick_bonus.points:
        yield "no_trick_bonus.points: it would cost points, since good_score is high"


def _end(rules: Ruleset) -> _Faults:
    match rules.end:
        case Target(points):
            yield from _target(rules, points)
        case DealCount(deals):
            if deals <= 0:
                yield f"end.hands: {deals} is not above 0"
        case Minutes(minutes):
            if minutes <= 0:
                yield f"end.minutes: {minutes} is not above 0"
        case OpenCount() | Single():
            return
        case _:
            assert_never(rules.end)


def _target(rules: Ruleset, points: int) -> _Faults:
    if points <= 0:
        yield f"end.target: {points} is not above 0"
    if sum(rules.points_of(card) for card in _kinds(rules)) <= 0:
        yield "end.target: never reached, since points of a deal do not add up above 0"
    if rules.settle is Settle.SUPER:
        yield "settle: super keeps no total that could reach end.target"


def _settling(rules: Ruleset) -> _Faults:
    if rules.settle is Settle.SUPER and rules.sides is not Sides.SOLO:
        yield f"settle: super pays single players, but sides is {rules.sides.value}"
    if rules.settle is Settle.SUPER and rules.good_score is GoodScore.HIGH:
        yield "settle: super pays the smallest score, but good_score is high"


def _deck(rules: Ruleset, seats: int) -> _Faults:
    out = rules.remove.get(seats, ())
    for card in out:
        if not _is_in(rules, card):
            yield f"remove.{seats}: ranks has no {card}"
        if rules.points_of(card):
            yield f"remove.{seats}: {card} is taken out, but points gives it a value"
    if any(out.count(card) > rules.packs for card in out):
        yield f"remove.{seats}: a card is named more often than packs has it"
    for card in rules.add.get(seats, ()):
        if not _is_in(rules, card):
            yield f"add.{seats}: ranks has no {card}"


def _hands(rules: Ruleset, seats: int) -> _Faults:
    cards, size, left = len(rules.deck(seats)), rules.hand_size(seats), rules.rest_size(seats)
    if left < 0 or size <= 0:
        yield f"hand.{seats}: {cards} cards are too few for {size} to each of {seats} players"
        return
    rest = rules.rest.get(seats, Rest.NONE)
    if rest is Rest.NONE and left:
        key = "hand" if seats in rules.hand else "remove"
        yield f"{key}.{seats}: {cards} cards do not deal out evenly to {seats}, and rest is none"
    if (rest is Rest.STOCK) != (rules.draw is not Draw.NONE):
        yield f"draw: {rules.draw.value} does not go with rest.{seats}, which is {rest.value}"
    if rest is Rest.STOCK and (left % seats or not left):
        yield f"rest.{seats}: hand leaves {left} cards, no even stock for {seats} players"
    if rest is Rest.WIDOW:
        yield from _widow(rules, seats, left)
    if (size + (left // seats if rest is Rest.STOCK else 0)) % rules.cards_per_player:
        yield f"cards_per_player: {rules.cards_per_player} do not go into the cards of hand.{seats}"


def _widow(rules: Ruleset, seats: int, left: int) -> _Faults:
    widow = rules.widow
    if widow.size not in {None, left}:
        yield f"widow.size: {widow.size}, but hand leaves {left} cards over for {seats} players"
    if widow.positions is WidowPositions.FIRST_LAST and left not in {0, 2}:
        yield f"widow.positions: first and last are 2 cards, but hand leaves {left} over"


def _sun(rules: Ruleset, seats: int) -> _Faults:
    """Taking every trick is a moon and more, so it is never worth less (rules.md 3.7)."""
    if rules.sun is None or not rules.moon.on:
        return
    taken = sum(max(rules.points_of(card), 0) for card in rules.deck(seats))
    moon = rules.moon.value or taken
    if rules.sun <= moon:
        said = "" if rules.moon.value else f", the sum for {seats} players"
        yield f"sun.value: {rules.sun} is not above moon.value, which is {moon}{said}"


def _passing(rules: Ruleset, seats: int) -> _Faults:
    cycle = rules.pass_cycle.get(seats, ())
    if not cycle:
        yield f"pass_cycle.{seats}: no step, but {seats} is among players"
    size = rules.hand_size(seats)
    for place, step in enumerate(cycle):
        for fault in _faults_of_step(step, seats, size):
            yield f"pass_cycle.{seats}.{place}: {fault}"


def _faults_of_step(step: PassStep, seats: int, hand_size: int) -> _Faults:
    match step:
        case Hold():
            return
        case PassTo(to, count):
            given = count
            if not to % seats or abs(to) >= seats:
                yield f"to {to} reaches no other of {seats} seats"
        case Scatter(count):
            given = count * (seats - 1)
        case _:
            assert_never(step)
    if count <= 0:
        yield f"{count} cards are not a pass"
    if given > hand_size:
        yield f"{given} cards are more than the {hand_size} of a hand"


def _kinds(rules: Ruleset) -> tuple[Card, ...]:
    """One card of every face that one pack of these rules has."""
    return tuple(card for card in pack() if card.rank in rules.ranks)


def _is_in(rules: Ruleset, card: Card) -> bool:
    return any(Selector(card.face).fits(other) for other in _kinds(rules))


_OF_ALL_SEATS: tuple[Callable[[Ruleset], _Faults], ...] = (
    _players,
    _cards,
    _points,
    _spot,
    _slams,
    _end,
    _settling,
)
_BY_SEATS: tuple[Callable[[Ruleset, int], _Faults], ...] = (_deck, _hands, _sun, _passing)
