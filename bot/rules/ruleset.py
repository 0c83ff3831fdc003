"""A ruleset: every choice that a table makes before it deals.

Fields, values and nesting are those of rules.md 3; the same keys stand in the preset files, in
text records and in the store.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from bot.rules.cards import Card, pack
from bot.rules.frozen import FrozenMap
from bot.rules.selectors import Selector

SEATS = range(3, 7)
"""Numbers of seats that the engine plays with."""


class FirstLead(Enum):
    """Who leads the first trick of a deal, and with what (rules.md 3.4)."""

    LOWEST_CLUB = "lowest_club"
    """The lowest club in any hand is led by its holder; nobody holds one: the seat after the
    dealer leads."""
    HOLDER_ANY_CLUB = "holder_any_club"
    LEFT_OF_DEALER = "left_of_dealer"


class FirstTrickExempt(Enum):
    """What a hand of nothing but banned cards may play to the first trick (rules.md 2.4.4)."""

    ANY = "any"
    QS_FIRST = "qs_first"


class HeartsLead(Enum):
    """When hearts may be led."""

    FREE = "free"
    AFTER_BROKEN = "after_broken"


class LeadExempt(Enum):
    """Which hand may lead a heart although hearts are not broken (rules.md 2.4.3)."""

    ONLY_HEARTS = "only_hearts"
    HEARTS_OR_QS = "hearts_or_qs"


class MoonPayoff(Enum):
    """What becomes of the points when one seat takes them all (rules.md 3.7, 2.4.11)."""

    ADD_OTHERS = "add_others"
    SUBTRACT_SELF = "subtract_self"
    SHOOTER_CHOICE = "shooter_choice"
    ADD_UNLESS_SHOOTER_THEN_LOSES = "add_unless_shooter_then_loses"


class BonusScore(Enum):
    """Whose the bonus card's points are in a deal with a moon."""

    SEPARATE = "separate"
    ABSORBED = "absorbed"


class Tie(Enum):
    """What a tie for the best total at the end leads to."""

    EXTRA_HANDS = "extra_hands"
    SHARE = "share"


@dataclass(frozen=True, slots=True)
class Hold:
    """Nothing is passed in this deal."""


@dataclass(frozen=True, slots=True)
class PassTo:
    """Every seat gives *count* cards to the seat *to* places to its left; negative: right."""

    to: int
    count: int


@dataclass(frozen=True, slots=True)
class Scatter:
    """Every seat gives *count* cards to each other seat."""

    count: int


PassStep = Hold | PassTo | Scatter


@dataclass(frozen=True, slots=True, kw_only=True)
class MoonRules:
    """The slam: one seat takes every card that costs points (rules.md 3.7)."""

    on: bool = True
    bonus: bool = False
    """Whether the bonus cards are needed as well."""
    bonus_score: BonusScore = BonusScore.SEPARATE
    payoff: MoonPayoff = MoonPayoff.ADD_OTHERS
    value: int | None = None
    """Points that change hands; ``None`` is ``sum``: as many as the shooter took."""


@dataclass(frozen=True, slots=True)
class Target:
    """Over after the deal in which a total reaches *points* (``>=``)."""

    points: int


@dataclass(frozen=True, slots=True)
class DealCount:
    """Over after so many deals."""

    deals: int


@dataclass(frozen=True, slots=True)
class Single:
    """Every deal is a game of its own."""


End = Target | DealCount | Single


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """Every choice a table makes before it deals. Stored whole with the game it governs."""

    id: str
    title: str
    source: str
    """Where the rules come from, as ``rules.md 1.1 [S3]``."""
    players: tuple[int, ...]
    """Numbers of seats it can be played with, ascending."""
    default_players: int
    remove: Mapping[int, tuple[Card, ...]]
    """By number of seats, every one of *players*: cards taken out of the pack before dealing."""
    pass_cycle: Mapping[int, tuple[PassStep, ...]]
    """By number of seats: one step a deal, repeating."""
    exact: Mapping[int, int] = FrozenMap({})
    """A total that is hit exactly becomes another: ``{100: 50}``. Applied before the end test."""
    first_lead: FirstLead = FirstLead.LOWEST_CLUB
    first_trick_ban: tuple[Selector, ...] = ()
    first_trick_exempt: FirstTrickExempt = FirstTrickExempt.ANY
    hearts_lead: HeartsLead = HeartsLead.AFTER_BROKEN
    breakers: tuple[Selector, ...] = (Selector("H*"),)
    """Cards that break hearts the moment they are played."""
    break_on_lead: bool = True
    """Whether a breaker that is led breaks them too."""
    lead_exempt: LeadExempt = LeadExempt.ONLY_HEARTS
    points: tuple[tuple[Selector, int], ...] = ((Selector("QS"), 13), (Selector("H*"), 1))
    """Points a card brings its taker, narrowest selector first; the first that fits counts."""
    moon: MoonRules = MoonRules()
    end: End = Target(100)
    tie: Tie = Tie.EXTRA_HANDS

    def __post_init__(self) -> None:
        # Equal rules are equal values, however they were put together.
        players = tuple(sorted(set(self.players)))
        removed = {seats: tuple(self.remove.get(seats, ())) for seats in players}
        cycles = {n: tuple(self.pass_cycle[n]) for n in players if n in self.pass_cycle}
        object.__setattr__(self, "players", players)
        object.__setattr__(self, "remove", FrozenMap(removed))
        object.__setattr__(self, "pass_cycle", FrozenMap(cycles))
        object.__setattr__(self, "exact", FrozenMap(self.exact))
        object.__setattr__(self, "points", _needed_entries(self.points))

    def deck(self, seats: int) -> tuple[Card, ...]:
        """All cards of a game with so many seats, sorted, undealt."""
        out = self.remove.get(seats, ())
        return tuple(card for card in pack() if card not in out)

    def hand_size(self, seats: int) -> int:
        """How many cards a seat is dealt."""
        return len(self.deck(seats)) // seats

    def step(self, seats: int, deal: int) -> PassStep:
        """How cards are passed in a deal, counted from 1."""
        cycle = self.pass_cycle[seats]
        return cycle[(deal - 1) % len(cycle)]

    def points_of(self, card: Card) -> int:
        """Points that a captured card brings its taker; negative for a bonus card."""
        return _points_by(self.points, card)

    def problems(self) -> list[str]:
        """Say all that is wrong with the combination; empty means playable.

        Every fault begins with the dotted path of its key and names the other key of a pair that
        does not go together.
        """
        found = [*_faults_of_players(self), *_faults_of_points(self), *_faults_of_end(self)]
        for seats in sorted({*self.players} & {*SEATS}):
            found += _faults_of_deck(self, seats)
            found += _faults_of_passing(self, seats)
        return found


_Points = tuple[tuple[Selector, int], ...]


def _points_by(entries: _Points, card: Card) -> int:
    return next((points for selector, points in entries if selector.fits(card)), 0)


def _needed_entries(points: _Points) -> _Points:
    """Narrowest first, without entries that wider ones make superfluous, as most zeros are."""
    entries = tuple(sorted(points, key=lambda entry: (-entry[0].precision, entry[0].text)))
    return tuple(
        entry for place, entry in enumerate(entries) if _is_needed(*entry, entries[place + 1 :])
    )


def _is_needed(selector: Selector, points: int, wider: _Points) -> bool:
    named = [card for card in pack() if selector.fits(card)]
    without = {_points_by(wider, card) for card in named} or {0}
    return without != {points}


def _faults_of_players(rules: Ruleset) -> Iterator[str]:
    if not rules.players:
        yield "players: no number of seats is allowed"
    for seats in rules.players:
        if seats not in SEATS:
            yield f"players: {seats} is outside {SEATS[0]} to {SEATS[-1]}"
    if rules.default_players not in rules.players:
        yield f"default_players: {rules.default_players} is not among players"


def _faults_of_points(rules: Ruleset) -> Iterator[str]:
    worths = {rules.points_of(card) for card in pack()}
    for selector, _ in rules.points:
        if not any(selector.fits(card) for card in pack()):
            yield f"points.{selector.text}: no such card is in the pack"
    if max(worths) <= 0:
        yield "points: no card costs anything"
    if rules.moon.bonus and min(worths) >= 0:
        yield "moon.bonus: a bonus card is needed, but points has no card below 0"
    if rules.moon.value is not None and rules.moon.value <= 0:
        yield f"moon.value: {rules.moon.value} is not above 0"


def _faults_of_end(rules: Ruleset) -> Iterator[str]:
    match rules.end:
        case Target(points):
            if points <= 0:
                yield f"end.target: {points} is not above 0"
            if sum(rules.points_of(card) for card in pack()) <= 0:
                yield "end.target: never reached, since points of a deal do not add up above 0"
        case DealCount(deals):
            if deals <= 0:
                yield f"end.hands: {deals} is not above 0"
        case Single():
            return
        case _:
            assert_never(rules.end)


def _faults_of_deck(rules: Ruleset, seats: int) -> Iterator[str]:
    out = rules.remove.get(seats, ())
    for card in out:
        if card not in pack():
            yield f"remove.{seats}: {card} is not in the pack"
        if rules.points_of(card):
            yield f"remove.{seats}: {card} is taken out, but points gives it a value"
    if len(set(out)) != len(out):
        yield f"remove.{seats}: a card is named twice"
    left = len(rules.deck(seats))
    if left % seats or not left:
        yield f"remove.{seats}: {left} cards do not deal out evenly to {seats} players"


def _faults_of_passing(rules: Ruleset, seats: int) -> Iterator[str]:
    cycle = rules.pass_cycle.get(seats, ())
    if not cycle:
        yield f"pass_cycle.{seats}: no step, but {seats} is among players"
    size = rules.hand_size(seats)
    for place, step in enumerate(cycle):
        for fault in _faults_of_step(step, seats, size):
            yield f"pass_cycle.{seats}.{place}: {fault}"


def _faults_of_step(step: PassStep, seats: int, hand_size: int) -> Iterator[str]:
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
