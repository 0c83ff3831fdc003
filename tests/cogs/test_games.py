"""Whole games to 100 through slash commands and clicks alone, on the real library."""

import random
from dataclasses import dataclass, field

import pytest

from bot.rules import evolve
from bot.rules.decide import new_game
from bot.rules.events import Event
from bot.table.events import GameStarted
from bot.table.state import Status
from bot.table.views import TableView
from db.event_store import SqlEventStore
from tests.support.discord import World, discord_world, text_of
from tests.support.games import Player, Watch, is_over, play, sit_down

NAMES = ("Ann", "Bea", "Cyd", "Dan", "Eve", "Fay")


@dataclass(slots=True)
class Restarts:
    """Where the process ends in each deal: after so many tricks of it, drawn anew each time."""

    seed: int
    done: set[int] = field(default_factory=set)

    def due(self, view: TableView) -> bool:
        """Whether the deal has come to its place; each deal has one."""
        game = view.game
        if is_over(view):
            return True
        if game is None or game.deal in self.done:
            return False
        place = random.Random(f"{self.seed}|{game.deal}").randint(0, 12)
        return len(game.tricks) >= place and game.trick is not None


async def play_with_restarts(
    world: World, players: list[Player], watch: Watch, restarts: Restarts
) -> TableView:
    """Play to the end; the bot is started anew on the same database once in each deal."""
    while True:
        view = await play(players, watch, until=restarts.due)
        if is_over(view):
            return view
        assert view.game is not None
        restarts.done.add(view.game.deal)
        await world.restart()


async def replayed_totals(world: World, view: TableView) -> tuple[int, ...]:
    """The totals that follow from what is stored, by the pure rules alone."""
    stored = await SqlEventStore(world.database).load(view.id)
    events = [row.event for row in stored]
    [started] = [event for event in events if isinstance(event, GameStarted)]
    game = new_game(started.ruleset, len(started.chairs), started.first_dealer)
    return evolve.replay(game, [event for event in events if isinstance(event, Event)]).totals


async def whole_game(world: World, *, people: int, robots: int, restarts: bool) -> TableView:
    members = [world.person(name) for name in NAMES[:people]]
    players = await sit_down(world, members, robots=robots)
    watch = Watch(world, players[0].table)
    if restarts:
        view = await play_with_restarts(world, players, watch, Restarts(people))
    else:
        view = await play(players, watch, until=is_over)
    assert watch.leaks == []
    return view


@pytest.mark.slow
@pytest.mark.parametrize(
    ("people", "robots", "restarts"),
    [(4, 0, True), (1, 3, True), (3, 0, False), (2, 3, True), (1, 5, False)],
    ids=["four people", "one and three robots", "three seats", "five seats", "six seats"],
)
async def test_a_whole_game_is_played_by_clicks_and_ends_as_its_events_say(
    people, robots, restarts
):
    async with discord_world() as world:
        view = await whole_game(world, people=people, robots=robots, restarts=restarts)
        assert view.status is Status.OVER
        assert max(view.game.totals) >= 100
        assert await replayed_totals(world, view) == view.game.totals
        result = text_of(world.posts()[-1])
        assert all(f"{total} point" in result for total in view.game.totals)
