"""Legal games whose every choice is seeded, under any rules.

In some deals one seat grabs tricks and the others keep low, so that slams happen, too.
"""

from collections.abc import Iterator
from random import Random

from bot.rules.cards import Card, Seat, Suit, sorted_cards
from bot.rules.commands import CallLastDeal, Command, PlayCard, SettleMoon
from bot.rules.decide import decide, new_game
from bot.rules.dimensions import Minutes, MoonPayoff, OpenCount
from bot.rules.events import Event
from bot.rules.evolve import replay
from bot.rules.legal import choice, to_move
from bot.rules.ruleset import Ruleset
from bot.rules.state import Game, Phase
from tests.support.deals import next_command

Step = tuple[Game, tuple[Event, ...]]
"""A game, and the events that led there from the step before."""

LAST_DEAL = 4
"""A game that ends by word or by the clock is called after so many deals."""


def course(ruleset: Ruleset, seats: int, dice: Random, *, deals: int) -> Iterator[Step]:
    """A game, command by command, to its end or through so many deals."""
    game = new_game(ruleset, seats, Seat(dice.randrange(seats)))
    grabber: Seat | None = None
    while game.phase is not Phase.OVER and not (
        game.phase is Phase.DEALING and len(game.scores) >= deals
    ):
        if game.phase is Phase.DEALING:
            grabber = Seat(dice.randrange(seats)) if dice.random() < 0.5 else None
        events = decide(game, command(game, dice, grabber))
        game = replay(game, events)
        yield game, events


def command(game: Game, dice: Random, grabber: Seat | None = None) -> Command:
    """What happens next in a game that is not over."""
    if game.phase is Phase.DEALING:
        by_call = isinstance(game.ruleset.end, OpenCount | Minutes)
        if by_call and len(game.scores) >= LAST_DEAL and not game.last_deal:
            return CallLastDeal()
    if game.phase in {Phase.DEALING, Phase.PASSING}:
        return next_command(game, dice.sample)
    seat = to_move(game)[0]
    if game.phase is Phase.MOON_CHOICE:
        return SettleMoon(seat, dice.choice([MoonPayoff.ADD_OTHERS, MoonPayoff.SUBTRACT_SELF]))
    return PlayCard(seat, _card(game, seat, dice, grabber))


def _card(game: Game, seat: Seat, dice: Random, grabber: Seat | None) -> Card:
    allowed = sorted_cards(choice(game).cards)
    if grabber is None:
        return dice.choice(allowed)
    # Whoever keeps out of the grabber's way sheds points first.
    rules = game.ruleset
    if seat == grabber:
        return max(allowed, key=lambda card: (card.suit is not None, card.rank))
    return min(
        allowed,
        key=lambda card: (-abs(rules.points_of(card)), card.suit is Suit.HEARTS, card.rank),
    )
