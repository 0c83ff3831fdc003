"""People who vanish, and people who travel: B48, B49 and B61 with the whole bot on Discord."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.rules.cards import Seat
from bot.table.ids import Human, Robot, UserId
from bot.table.state import Status
from bot.table.storing import Reminders
from tests.support.discord import World, discord_world, text_of
from tests.support.games import Player, Watch, play, sit_down
from tests.support.seated import in_play

DAY = timedelta(days=1)
WARNED = "Only robots are left at this table"


def said(world: World, words: str) -> int:
    return sum(words in text_of(post) for post in world.posts())


async def test_b48_when_everybody_vanishes_the_game_ends_and_the_channel_is_free():
    async with discord_world() as world:
        people = [world.person(name) for name in ("Ann", "Bea", "Cyd")]
        [player, *_] = await sit_down(world, people, robots=1, clock="1h")
        for person in people:
            world.guild.remove_member(person)
        await world.pass_time(2 * DAY.total_seconds())
        assert (await world.app.tables.view(player.table)).status is Status.PLAYING
        assert said(world, WARNED) == 0
        await world.pass_time(2 * DAY.total_seconds())
        assert (await world.app.tables.view(player.table)).status is Status.CLOSED
        assert said(world, WARNED) == 1
        assert "nobody came back, so this game was ended" in text_of(world.posts()[-1])
        await world.slash(world.person("Eve"), "hearts start", seats=4)
        assert len(await world.tables()) == 1


def unknown(world: World, person: Any) -> None:
    """Somebody has left the server: nothing can be fetched of them or said to them."""
    world.guild.remove_member(person)
    world.env.inject_error("GET", "/guilds/*/members/*", status=404, code=10007, times=None)
    world.env.inject_error("POST", "/users/@me/channels", status=403, code=50278, times=None)


async def runs_out(watch: Watch, others: list[Player], seat: int) -> None:
    """All others play until the game waits for this seat, whose time passes."""
    view = await play(
        others, watch, until=lambda view: bool(view.game and seat in view.game.waiting)
    )
    world = watch.world
    await world.pass_time((view.deadlines[Seat(seat)] - world.clock.now()).total_seconds())


@pytest.mark.parametrize("manner", [Reminders.MENTION, Reminders.DIRECT])
@pytest.mark.thorough
async def test_b49_somebody_who_left_the_server_is_played_for_once_then_by_a_robot(manner):
    async with discord_world() as world:
        players, gone = await in_play(world)
        person, watch = UserId(gone.member.id), Watch(world, gone.table)
        others = [player for player in players if player is not gone]
        await world.app.bot.services.persons.change(
            person, lambda before: replace(before, reminders=manner)
        )
        unknown(world, gone.member)
        seat = (await watch.look()).chairs.index(Human(person))
        await runs_out(watch, others, seat)
        assert (await watch.look()).chairs[seat] == Human(person)
        assert said(world, "The seat is still theirs") == 1
        await runs_out(watch, others, seat)
        assert (await watch.look()).chairs[seat] == Robot("steady", keeps_for=person)
        await play(others, watch, until=lambda view: len(view.game.tricks) > 4)


async def on_vacation(world: World, person: Any) -> Any:
    """Two days away, from today on; when they end."""
    settings = world.app.bot.services.persons
    await settings.change(UserId(person.id), lambda before: replace(before, zone="UTC"))
    last = (world.clock.now() + DAY).date()
    await world.slash(person, "hearts vacation", until=last.isoformat())
    return (world.clock.now() + 2 * DAY).replace(hour=0, minute=0, second=0, microsecond=0)


async def test_b61_a_vacation_expires_by_itself():
    async with discord_world() as world:
        _, away = await in_play(world)
        ends = await on_vacation(world, away.member)
        before = await world.app.tables.view(away.table)
        seat = before.chairs.index(Human(UserId(away.member.id)))
        assert said(world, f"{away.member.name} is away until") == 1
        assert before.deadlines[seat] > ends
        await world.pass_time((ends - world.clock.now()).total_seconds() + 1)
        after = await world.app.tables.view(away.table)
        assert (after.away, after.deadlines[seat]) == ((), before.deadlines[seat])
        await world.pass_time((after.deadlines[seat] - world.clock.now()).total_seconds())
        assert said(world, "ran out of time, so a robot played") == 1
        assert "is away until" not in text_of(world.posts()[-1])
