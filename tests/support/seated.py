"""Tables of four on the simulated Discord, brought to the point that a test is about."""

from collections.abc import Callable, Sequence
from typing import Any

from bot.rules.cards import Hand
from bot.table.ids import TableId, UserId
from bot.table.views import TableView
from cogs.ui import ids
from tests.support.discord import World, components_of, walk
from tests.support.games import Player, Watch, cards_named, is_over, play, sit_down
from tests.support.house import server_playing

NAMES = ("Ann", "Bea", "Cyd", "Dan")


async def four(world: World) -> list[Player]:
    """Four people with open hands, about to pass."""
    return await sit_down(world, [world.person(name) for name in NAMES])


async def in_play(world: World, *, tricks: int = 0) -> tuple[list[Player], Player]:
    """Four people in the first deal, and the one who is to play."""
    players = await four(world)
    watch = Watch(world, players[0].table)
    await play(
        players,
        watch,
        until=lambda view: bool(view.game and view.game.trick and len(view.game.tricks) >= tricks),
    )
    return players, to_move(players)


def to_move(players: Sequence[Player]) -> Player:
    """The one whose hand has cards to press."""
    [player] = [player for player in players if plays(player)]
    return player


def plays(player: Player) -> list[ids.PlayCard]:
    """The cards that may be pressed in somebody's hand."""
    return [action for action in player.offers if isinstance(action, ids.PlayCard)]


async def cards_of(player: Player) -> Hand:
    """What somebody holds, as the table knows it."""
    view = await player.world.app.tables.hand(player.table, UserId(player.member.id))
    assert view.hand is not None
    return view.hand.hand


async def ended_game(world: World, people: Sequence[Any]) -> TableId:
    """A game of one deal, played to its end."""
    settings = server_playing({"end": "single"})
    await world.app.bot.services.settings.save_server(world.guild.id, settings)
    players = await sit_down(world, people, robots=4 - len(people))
    await play(players, Watch(world, players[0].table), until=is_over)
    return players[0].table


def in_trick(number: int) -> Callable[[TableView], bool]:
    """Whether so many tricks of the whole game have begun."""
    return lambda view: bool(view.game and view.game.trick_number >= number)


def cards_on_buttons(message: Any) -> Hand:
    """The cards in the custom ids of a message, disabled ones too."""
    written = [part.get("custom_id", "") for part in walk(components_of(message))]
    return cards_named("\n".join(written))
