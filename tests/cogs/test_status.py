"""`/hearts status`: how the bot is, told to people (cases.md B143)."""

import logging
import re
from dataclasses import replace
from datetime import timedelta

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.table.ids import InteractionId, UserId
from bot.table.storing import Cause
from bot.table.vitals import BackupState
from cogs import status
from tests.support.discord import World, discord_world, text_of
from tests.support.games import sit_down
from tests.support.seated import four


class Copies:
    """Backups as a test wants them."""

    def __init__(self, found: BackupState) -> None:
        self.found = found

    def state(self) -> BackupState:
        return self.found


async def said(world: World, person, **options) -> str:
    told = await world.slash(person, "hearts status", **options)
    assert told.response is not None
    assert told.response.ephemeral
    return text_of(told.response)


@pytest.mark.case("B143")
async def test_b143_it_tells_since_when_it_runs_and_that_nothing_is_lacking():
    async with discord_world() as world:
        begun = int(world.clock.now().timestamp())
        [ann] = await sit_down(world, [world.person("Ann")], robots=3)
        await world.pass_time(60)
        words = await said(world, ann.member)
        assert "My database answers" in words
        assert "All posts show the newest state." in words
        assert "1 table is open in this server." in words
        assert "I have all rights that I need" in words
        [since] = re.findall(r"I started <t:(\d+):R>", words)
        assert abs(int(since) - begun) < 60


@pytest.mark.case("B143")
async def test_b143_a_right_that_is_missing_here_is_named_with_who_can_give_it():
    async with discord_world() as world:
        mute = world.guild.create_text_channel("mute")
        denied = discord.Permissions(send_messages=True, read_message_history=True).value
        override = Overwrite(
            target_id=world.env.backend.bot_user.id,
            type=OverwriteType.MEMBER,
            allow=0,
            deny=denied,
        )
        world.env.backend.set_overwrite(mute.id, override)
        words = await said(world, world.person("Ann"), channel=mute)
        assert "I am missing **Send Messages**, **Read Message History**." in words
        assert "manage its permissions" in words


@pytest.mark.case("B143")
async def test_b143_it_answers_although_the_database_does_not(monkeypatch):
    async with discord_world() as world:
        services = world.app.bot.services

        async def broken(*_: object) -> None:
            raise OSError("the disk is gone")

        monkeypatch.setattr(type(services.vitals), "backlog", broken)
        monkeypatch.setattr(type(services.events), "live_tables_in", broken)
        words = await said(world, world.person("Ann"))
        assert "My database does not answer, so nobody can play right now." in words
        assert "I have all rights that I need" in words
        assert "open in this server" not in words


@pytest.mark.thorough
async def test_posts_that_wait_are_told_with_their_age():
    async with discord_world() as world:
        players = await four(world)
        cause = Cause(world.clock.now(), UserId(players[0].member.id), InteractionId(5))
        await world.app.tables.surface(cause, players[0].table)
        told = await players[0].member.slash(world.channel, "hearts status")
        assert "post waits to be shown; it should have been <t:" in text_of(told.response)
        await world.show()
        assert "All posts show the newest state." in await said(world, players[0].member)


@pytest.mark.parametrize(
    ("fault", "age", "words"),
    [
        (None, 2, "The newest backup of my database was made <t:"),
        (None, None, "There is no backup of my database yet."),
        ("database or disk is full", 2, "The latest backup failed"),
    ],
)
async def test_backups_are_told_to_those_who_manage_the_server(fault, age, words):
    async with discord_world() as world:
        newest = None if age is None else world.clock.now() - timedelta(hours=age)
        state = BackupState(on_schedule=True, newest=newest, kept=1, fault=fault)
        world.app.bot.services = replace(world.app.bot.services, copies=Copies(state))
        rights = discord.Permissions(manage_guild=True)
        boss = world.person("Boss", roles=[world.guild.create_role("boss", permissions=rights)])
        assert words in await said(world, boss)
        ordinary = await said(world, world.person("Ann"))
        assert "backup" not in ordinary
        assert "disk" not in await said(world, boss)


async def test_in_a_direct_message_it_tells_of_no_server():
    async with discord_world() as world:
        told = await world.person("Eve").user.slash("hearts status")
        words = text_of(told.response)
        assert "My database answers" in words
        assert "server" not in words


@pytest.mark.case("B143")
async def test_b143_a_fault_nobody_foresaw_has_a_number_that_stands_in_the_log(monkeypatch):
    async with discord_world() as world:
        monkeypatch.setattr(status, "_missing", lambda _interaction: 1 / 0)
        words = await said(world, world.person("Ann"))
        [number] = re.findall(r"this number: (\w+)", words)
        record = world.incidents.take()
        assert record.levelno == logging.ERROR
        assert number in record.getMessage()
