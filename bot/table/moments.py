"""The moment of a game: what a button, a timer or a ping was made for."""

from dataclasses import dataclass

from bot.rules.ruleset import Ruleset
from bot.rules.state import Deal, Game, Phase, Trick
from bot.rules.view import PublicView


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in a game, as finely as cards fall."""

    deal: int
    """Counted from 1; 0 before the first."""
    cards: int
    """How many cards had fallen in that deal."""


def mark(game: Game) -> Mark:
    """Where *game* is now."""
    if game.deal is None:
        return Mark(0, 0)
    return Mark(game.deal.number, sum(len(trick.plays) for trick in tricks_of(game.deal)))


def tricks_of(deal: Deal) -> tuple[Trick, ...]:
    """The tricks of a deal that hold a card."""
    under_way = deal.trick
    return deal.tricks if under_way is None or not under_way.plays else (*deal.tricks, under_way)


def moment(game: Game) -> int:
    """The turn under way in play; minus the deal while cards are passed or a moon is settled.

    Both are counted from 1 through the whole game. The sign keeps the passing of the first deal
    apart from its first turn: what was made for one is not for the other. 0 where the game
    waits for nobody.
    """
    match game.phase:
        case Phase.PLAYING:
            return turn(game)
        case Phase.PASSING | Phase.MOON_CHOICE:
            return -game.deal.number if game.deal else 0
        case Phase.DEALING | Phase.OVER:
            return 0


def turn(game: Game | PublicView) -> int:
    """The turn under way, in which each seat lays down one card; 0 where no trick is.

    Counted from 1 through the whole game. It is the trick, where a trick has one card of each
    seat; of a trick with two, the second card is a turn of its own, so that what a person pressed
    for the first never lays down the second.
    """
    if not game.trick_number:
        return 0
    return first_turn(game.ruleset, game.trick_number) + _cards_on_trick(game) // game.seats


def first_turn(ruleset: Ruleset, trick: int) -> int:
    """The first turn of a trick; both count from 1 through the whole game."""
    return (trick - 1) * ruleset.cards_per_player + 1


def _cards_on_trick(game: Game | PublicView) -> int:
    where = game.deal if isinstance(game, Game) else game
    return 0 if where is None or where.trick is None else len(where.trick.plays)
