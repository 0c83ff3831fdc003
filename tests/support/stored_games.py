"""Games in a database, stored as they were played by the rules alone."""

from pathlib import Path
from random import Random

from bot.rules.cards import Seat
from bot.rules.decide import new_game
from bot.rules.events import Event
from bot.rules.state import Game, Phase
from bot.table.events import GameStarted
from bot.table.ids import ChannelId, Human, UserId
from tests.support.deals import deal_played_out, house_rules
from tests.support.store import CHANNEL, HOST, Stores, fresh_stores, go_on, lobby, put


def whole_game(seed: int = 7) -> tuple[Game, list[Event]]:
    """A game of two deals at random, and all that happened in it."""
    pick = Random(seed).sample
    log: list[Event] = []
    game = new_game(house_rules(end={"hands": 2}, tie="share"), 4, Seat(2))
    while game.phase is not Phase.OVER:
        game, happened = deal_played_out(game, pick)
        log += happened
    return game, log


async def stored_table(folder: Path, *, last_events_lost: int = 0) -> Game:
    """A database in *folder* with table ABCD2345: two deals, some last events missing."""
    stores = await fresh_stores(folder)
    game = await store_game(stores, "ABCD2345", last_events_lost=last_events_lost)
    await stores.database.close()
    return game


async def store_game(
    stores: Stores, table_id: str, *, seed: int = 7, last_events_lost: int = 0
) -> Game:
    """One more game of two deals, in a channel of its own."""
    game, log = whole_game(seed)
    chairs = tuple(Human(UserId(HOST + n)) for n in range(4))
    place = ChannelId(CHANNEL + seed)
    table = lobby(table_id, ruleset=game.ruleset, chairs=chairs, channel_id=place)
    at = await put(stores, table)
    started = GameStarted(game.ruleset, chairs, Seat(2))
    await go_on(stores, at, table, started, *log[: len(log) - last_events_lost])
    return game
