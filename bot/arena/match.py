"""Players play whole games without a table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from bot.ai import Player
from bot.rules.cards import Card, Seat
from bot.rules.commands import (
    BeginDeal,
    CallLastDeal,
    Command,
    PassCards,
    PlayCard,
    PlayedBy,
    SettleMoon,
)
from bot.rules.decide import decide, new_game
from bot.rules.events import DealScored, Event
from bot.rules.evolve import replay
from bot.rules.legal import to_move
from bot.rules.ruleset import Ruleset
from bot.rules.settlement import ends_by_call
from bot.rules.state import Game, Phase, Score
from bot.rules.view import seat_view

CALLED_AFTER = 8
"""Deals after which a game is called over that ends by a word of the players or by the clock."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game from its first deal to wherever it was left."""

    ruleset: Ruleset
    seats: int
    events: tuple[Event, ...]

    @property
    def scores(self) -> tuple[Score, ...]:
        """Results of its finished deals, in order."""
        return tuple(event.score for event in self.events if isinstance(event, DealScored))


def play(
    ruleset: Ruleset, players: Sequence[Player], dice: Random, *, deals: int
) -> Iterator[PlayedGame]:
    """Play so many deals, in as many games as they take; the last game may stop early.

    Args:
        ruleset: of all the games.
        players: by seat.
        dice: shuffle, choose the dealers and are handed to the players.
        deals: in all games together.

    Raises:
        RulesetError: the rules are not for so many seats.
        IllegalMoveError: a player broke the rules.
    """
    while deals > 0:
        game = play_game(ruleset, players, dice, deals=deals)
        deals -= len(game.scores)
        yield game


def play_game(
    ruleset: Ruleset, players: Sequence[Player], dice: Random, *, deals: int
) -> PlayedGame:
    """Play one game to its end, or through so many deals; arguments as of `play`.

    Nobody here watches a clock or tires: where the rules leave the end to that, the game is called
    over after `CALLED_AFTER` deals, and a tie then has its further deals as the rules say.
    """
    seats = len(players)
    game = new_game(ruleset, seats, Seat(dice.randrange(seats)))
    happened: list[Event] = []
    while game.phase is not Phase.OVER and len(game.scores) < deals:
        events = decide(game, _next_command(game, players, dice))
        game = replay(game, events)
        happened += events
    return PlayedGame(ruleset, seats, tuple(happened))


def _next_command(game: Game, players: Sequence[Player], dice: Random) -> Command:
    if game.phase is Phase.DEALING:
        return CallLastDeal() if _is_due(game) else BeginDeal(_shuffled(game, dice))
    return command_of(game, players, dice)


def command_of(game: Game, players: Sequence[Player], dice: Random) -> Command:
    """What the next player does in a deal that is under way; arguments as of `play`."""
    seat = to_move(game)[0]
    player, view = players[seat], seat_view(game, seat)
    match game.phase:
        case Phase.PASSING:
            return PassCards(seat, player.choose_pass(view, dice))
        case Phase.MOON_CHOICE:
            return SettleMoon(seat, player.choose_moon(view, dice))
        case _:
            return PlayCard(seat, player.choose_card(view, dice), PlayedBy.ROBOT)


def _is_due(game: Game) -> bool:
    return ends_by_call(game.ruleset) and not game.last_deal and len(game.scores) >= CALLED_AFTER


def _shuffled(game: Game, dice: Random) -> tuple[Card, ...]:
    deck = game.ruleset.deck(game.seats)
    return tuple(dice.sample(deck, len(deck)))
