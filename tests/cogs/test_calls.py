"""Calls as people chose them: in silence, by direct message, with the time that is left."""

from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.table.errors import DirectRefusedError, PosterBusyError
from bot.table.ids import UserId
from bot.table.posting import PLAINLY, Manner, Ping
from cogs.poster import DiscordPoster
from cogs.ui.ping import render_direct, render_ping
from tests.support.clock import NOON
from tests.support.discord import World, discord_world
from tests.support.looks import buttons, table, view_of

UNTIL = f"<t:{int(NOON.timestamp())}:f> (<t:{int(NOON.timestamp())}:R>)"
NONCE = "abc.p1.0"


def call(**changes: Any) -> Ping:
    at = table()
    plain = Ping(table_id=at.id, channel_id=at.channel_id, user_id=UserId(5), kind="turn", moment=1)
    return replace(plain, **changes)


def test_b57_a_reminder_says_the_time_that_is_left_twice_over():
    half, _ = render_ping(call(reminder=1), Manner(deadline=NOON))
    late, _ = render_ping(call(reminder=2), Manner(deadline=NOON))
    assert half == f"<@5> It is your turn at the Hearts table. You have time until {UNTIL}."
    assert f"Most of your time is over: you have time until {UNTIL}." in late


def test_a_direct_message_leads_to_the_table_by_a_link():
    said, view = render_direct(
        call(kind="pass", reminder=1), view_of(table()), Manner(deadline=NOON), server="*Club*"
    )
    assert said.startswith("Choose the cards that you pass")
    assert UNTIL in said
    assert r"\*Club\*" in said
    (button,) = buttons(view)
    assert button["url"].startswith("https://discord.com/channels/")
    assert "custom_id" not in button


def test_b73_the_mention_that_stands_in_says_why():
    said, _ = render_ping(call(), Manner(direct_refused=True))
    assert "could not send you a direct message" in said
    assert "`/preferences`" in said


async def a_call(world: World) -> tuple[DiscordPoster, Any, Ping]:
    ann = world.person("Ann")
    await world.slash(ann, "hearts start", seats=4)
    view = await world.app.tables.view(await world.table_id())
    ping = Ping(
        table_id=view.id,
        channel_id=view.channel_id,
        user_id=UserId(ann.id),
        kind="turn",
        moment=1,
    )
    return DiscordPoster(world.app.bot), view, ping


async def test_b59_a_silent_call_has_the_flag_that_suppresses_its_notification():
    async with discord_world() as world:
        poster, view, ping = await a_call(world)
        world.wire.payloads.clear()
        await poster.send_ping(view.channel_id, ping, NONCE, Manner(silent=True))
        [(_, _, body)] = world.wire.payloads
        assert discord.MessageFlags._from_value(body["flags"]).suppress_notifications
        assert body["allowed_mentions"]["users"] == [ping.user_id]


async def test_b59_a_direct_message_stands_in_a_channel_of_its_own_and_can_be_deleted():
    async with discord_world() as world:
        poster, view, ping = await a_call(world)
        world.wire.payloads.clear()
        sent = await poster.send_direct(ping, view, NONCE, PLAINLY)
        *_, (method, path, body) = world.wire.payloads
        assert sent.channel_id != view.channel_id
        assert (method, path) == ("POST", f"/channels/{sent.channel_id}/messages")
        assert (body["nonce"], body["enforce_nonce"]) == (NONCE, True)
        await poster.delete(sent.channel_id, sent.message_id)


@pytest.mark.parametrize(("status", "code"), [(403, 50007), (403, 50278), (403, 0)])
async def test_b73_a_person_who_takes_no_messages_is_told_from_a_channel_that_is_shut(
    status: int, code: int
):
    async with discord_world() as world:
        poster, view, ping = await a_call(world)
        world.env.inject_error("POST", "/channels/*/messages", status=status, code=code)
        with pytest.raises(DirectRefusedError):
            await poster.send_direct(ping, view, NONCE, PLAINLY)


@pytest.mark.parametrize(("status", "code"), [(400, 40003), (503, 0)])
async def test_a_direct_message_that_may_come_through_later_is_tried_again(status: int, code: int):
    async with discord_world() as world:
        poster, view, ping = await a_call(world)
        world.env.inject_error("POST", "/channels/*/messages", status=status, code=code, times=9)
        with pytest.raises(PosterBusyError):
            await poster.send_direct(ping, view, NONCE, PLAINLY)
