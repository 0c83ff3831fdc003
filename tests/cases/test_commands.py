"""Commands as Discord has them, and set-up: rows B85 and B98 to B100 of the known cases."""

import asyncio
import json
import time
from dataclasses import replace

import discord
import pytest

from bot import OperatorError, app
from bot.rules import variants
from bot.rules.families import names_of
from bot.stopping import Stop
from bot.table.ids import TableId
from cogs.client import IntentsRefusedError, command_payloads
from tests.support.discord import discord_world, text_of


async def test_b85_forty_tables_offer_twenty_five_choices_the_own_turn_first(monkeypatch):
    async with discord_world() as world:
        ann = world.person("Ann")
        await world.slash(ann, "hearts start", seats=4)
        [line] = await world.app.tables.tables_of(ann.id)
        many = [
            replace(line, id=TableId(f"TABLE{n:03}"), your_turn=n == 33, title="x" * 90)
            for n in range(40)
        ]

        async def forty(_user: object) -> object:
            return many

        monkeypatch.setattr(world.app.tables, "tables_of", forty)
        began = time.process_time()
        offered = await ann.autocomplete(world.channel, "hearts hand", "table", "")
        assert time.process_time() - began < 0.3
        assert len(offered) == 25
        assert all(1 <= len(each["name"]) <= 100 for each in offered)
        assert offered[0]["value"] == "TABLE033"
        typed = await ann.autocomplete(world.channel, "hearts hand", "table", "table01")
        assert [each["value"] for each in typed] == [f"TABLE01{n}" for n in range(10)]
        assert await ann.autocomplete(world.channel, "hearts hand", "table", "zzz") == []


async def test_b85_presets_are_ranked_by_how_they_begin():
    async with discord_world() as world:
        ann = world.person("Ann")
        assert len(variants.names()) > 25
        offered = await ann.autocomplete(world.channel, "hearts start", "variant", "")
        assert len(offered) == 25
        offered = await ann.autocomplete(world.channel, "hearts start", "variant", "omni")
        begins = [each["name"].casefold().startswith("omni") for each in offered]
        assert begins == sorted(begins, reverse=True)
        assert 0 < begins.count(True) < len(begins)
        assert {each["value"] for each in offered} == {
            name for name in variants.names() if "omni" in " ".join(names_of(name)).casefold()
        }


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("hearts hand", {"table": "no such table"}),
        ("hearts hand", {"table": "'; DROP TABLE tables; --"}),
        ("hearts table", {"table": "*"}),
        ("hearts start", {"variant": "no such game"}),
        ("hearts rules", {"variant": "no such game"}),
    ],
)
async def test_b85_text_that_was_never_offered_is_checked_again(command, options):
    async with discord_world() as world:
        ann = world.person("Ann")
        result = await world.slash(ann, command, **options)
        assert result.response.ephemeral
        assert "do not know that table" in text_of(result.response) or "no variant" in text_of(
            result.response
        )
        assert not await world.tables()


async def test_b98_commands_are_in_all_servers_or_in_one_and_never_twice():
    async with discord_world() as world:
        bot, guild = world.app.bot, world.guild.id
        names = {payload["name"] for payload in command_payloads(bot)}

        async def known() -> tuple[set[str], set[str]]:
            everywhere = await bot.http.get_global_commands(bot.application_id)
            here = await bot.http.get_guild_commands(bot.application_id, guild)
            return {each["name"] for each in everywhere}, {each["name"] for each in here}

        assert await known() == (names, set())
        said = await bot.sync_commands(guild)
        assert await known() == (set(), names)
        assert str(guild) in said
        assert "new: Challenge to Hearts" in said
        await bot.sync_commands()
        assert await known() == (names, set())


async def test_b98_what_discord_knows_is_not_sent_again():
    async with discord_world() as world:
        world.wire.payloads.clear()
        assert "nothing was sent" in await world.app.bot.sync_commands()
        assert world.wire.payloads == []


async def test_b99_commands_that_changed_are_sent_and_the_difference_is_told(monkeypatch):
    async with discord_world() as world:
        bot = world.app.bot
        bot.tree.remove_command("stats")
        assert "gone: stats" in await bot.sync_commands()
        ids = json.loads(await bot.services.settings.remembered("command_ids"))
        assert set(ids) == {payload["name"] for payload in command_payloads(bot)}


async def test_b100_the_bot_asks_for_no_privileged_intent():
    async with discord_world() as world:
        asked = world.app.bot.intents
        assert not asked.members
        assert not asked.presences
        assert not asked.message_content
        assert asked.guilds


async def test_b100_a_refused_intent_ends_in_one_sentence_for_the_operator():
    async def refused() -> None:
        raise IntentsRefusedError from discord.PrivilegedIntentsRequired(None)

    with pytest.raises(OperatorError, match="Privileged Gateway Intents") as ended:
        await app._ended(asyncio.create_task(refused()), Stop())
    assert ended.value.exit_code == 2
