"""The moon: who shot it, and how it is paid (rules.md 3.7).

It is judged by cards, never by sums: a bonus card can make any sum of points look like another.
"""

from dataclasses import dataclass, field

from bot.rules.cards import Hand, Seat
from bot.rules.dimensions import BonusScore, MissingOk, MoonPayoff, MoonScope, WidowTake
from bot.rules.piles import Piles, bonuses, penalties, piles, points_in
from bot.rules.ruleset import Ruleset
from bot.rules.sides import is_pooled, side_of, sides
from bot.rules.state import Deal, Game


@dataclass(frozen=True, slots=True)
class Shot:
    """A moon as it lies on the table, before it is paid."""

    seats: tuple[Seat, ...]
    """The shooter, or all seats of the shooting side."""
    pile: Hand = field(repr=False)
    """What they captured."""
    is_sun: bool
    """Whether they took every trick, where that is worth something of its own."""


def shot(game: Game) -> Shot | None:
    """The moon of the deal under way, if there is one.

    One seat or side captured every card that costs points, and every bonus card where the rules
    ask for them. Before the first deal nobody shot.
    """
    deal = game.deal
    if deal is None or not _is_possible(game, deal):
        return None
    lie = piles(game.ruleset, deal)
    needed = _needed(game.ruleset, deal, lie)
    if not penalties(game.ruleset, needed):
        return None
    for seats in shooting_parties(game.ruleset, game.seats):
        pile = frozenset().union(*(lie.by_seat[seat] for seat in seats))
        if needed <= pile:
            return Shot(seats, pile, game.ruleset.sun is not None and _took_all(deal, pile))
    return None


def shooting_parties(ruleset: Ruleset, seats: int) -> tuple[tuple[Seat, ...], ...]:
    """Who can shoot a moon together, in order of lowest seats: each side, or each seat."""
    if ruleset.moon.scope is MoonScope.SIDE:
        return sides(ruleset, seats)
    return tuple((Seat(seat),) for seat in range(seats))


def shooter(game: Game) -> Seat | None:
    """The seat that shot the moon; of a side, the one that took the most points."""
    moon = shot(game)
    if moon is None or game.deal is None:
        return None
    by_seat = piles(game.ruleset, game.deal).by_seat
    return max(
        moon.seats,
        key=lambda seat: (points_in(game.ruleset, penalties(game.ruleset, by_seat[seat])), -seat),
    )


def needs_choice(game: Game) -> bool:
    """Whether a moon was shot whose shooter says how it is paid."""
    return game.ruleset.moon.payoff is MoonPayoff.SHOOTER_CHOICE and shot(game) is not None


def payments(game: Game, payoff: MoonPayoff) -> tuple[int, ...]:
    """By seat: what the moon in *game* adds to the points of the captured cards.

    The shooters' own penalties are taken back, and their bonus too where that is absorbed. Then
    the value changes hands as *payoff* says. A payment to a side with one total stands with its
    lowest seat.
    """
    deal, moon = _shot(game)
    by_seat = piles(game.ruleset, deal).by_seat
    paid = [0] * game.seats
    for seat in moon.seats:
        paid[seat] = -points_in(game.ruleset, _taken_back(game.ruleset, by_seat[seat]))
    value = _value(game.ruleset, moon)
    if payoff is MoonPayoff.ADD_OTHERS:
        for seat in _paying_seats(game, moon):
            paid[seat] += value
    else:
        paid[moon.seats[0]] -= value
    return tuple(paid)


def _is_possible(game: Game, deal: Deal) -> bool:
    if not game.ruleset.moon.on:
        return False
    return game.ruleset.tiebreak_moon or not deal.is_tiebreak


def _needed(ruleset: Ruleset, deal: Deal, lie: Piles) -> Hand:
    """Every card that counts, less what these rules excuse."""
    played = (play.card for trick in deal.tricks for play in trick.plays)
    cards: Hand = frozenset().union(*deal.dealt, *deal.hands, deal.widow, deal.stock, played)
    needed = penalties(ruleset, cards)
    if ruleset.moon.bonus:
        needed |= bonuses(ruleset, cards)
    if ruleset.moon.missing_ok is MissingOk.DEAD_TRICKS:
        needed -= lie.dead
        if lie.widow_taker is None and ruleset.widow.take is not WidowTake.DEAD:
            needed -= deal.widow  # it goes with a trick; that one is dead (rules.md 2.3.6)
    if not ruleset.moon.widow_points_void:
        needed -= deal.widow if lie.widow_taker is None else frozenset()
    return needed


def _took_all(deal: Deal, pile: Hand) -> bool:
    # Not by the winners of tricks: one that had none may have been taken with the next.
    return all(play.card in pile for trick in deal.tricks for play in trick.plays)


def _value(ruleset: Ruleset, moon: Shot) -> int:
    if moon.is_sun and ruleset.sun is not None:
        return ruleset.sun
    if ruleset.moon.value is not None:
        return ruleset.moon.value
    return points_in(ruleset, penalties(ruleset, moon.pile))


def _paying_seats(game: Game, moon: Shot) -> tuple[Seat, ...]:
    """Every opponent; of a side with one total, its lowest seat."""
    own = side_of(game.ruleset, moon.seats[0], game.seats)
    others = [side for side in sides(game.ruleset, game.seats) if side != own]
    if is_pooled(game.ruleset, game.seats):
        return tuple(side[0] for side in others)
    return tuple(sorted(seat for side in others for seat in side))


def _taken_back(ruleset: Ruleset, pile: Hand) -> Hand:
    if ruleset.moon.bonus_score is BonusScore.ABSORBED:
        return pile
    return penalties(ruleset, pile)


def _shot(game: Game) -> tuple[Deal, Shot]:
    moon = shot(game)
    if game.deal is None or moon is None:
        raise ValueError("nobody shot the moon in this deal")
    return game.deal, moon
