"""The one door for clicks: what does not parse, what is forged, what comes while we stop."""

import random
import string
from typing import Any

import pytest
from simcord import interactions
from simcord.results import InteractionResult

from bot.table.ids import TableId
from cogs.ui import ids
from tests.support.discord import World, discord_world, text_of
from tests.support.games import sit_down
from tests.support.seated import in_play, plays

STRANGE = [
    "",
    "x",
    "h1",
    "h1:hand",
    "h2:hand:AAAA1111:0",
    "h1:hand:AAAA1111:00",
    "h1:hand:AAAA1111:0:QS",
    "h1:play:AAAA1111:1",
    "h1:play:AAAA1111:1:XX",
    "h1:play:AAAA1111:1:QS.0",
    "h1:pass:AAAA1111:1:QS",
    "h1:board:-:0:all.0",
    "h1:board:-:0:all.999999999",
    "h1:hand:" + "A" * 90 + ":0",
    "h1:hand:AAAA1111:0\nh1:play:AAAA1111:1:QS",
    "💥",
]


@pytest.mark.parametrize("custom_id", STRANGE)
@pytest.mark.thorough
async def test_an_id_that_is_none_of_ours_gets_a_polite_private_answer(custom_id):
    async with discord_world() as world:
        _, player = await in_play(world)
        before = await world.app.tables.view(player.table)
        result = await world.forge(player.member, player.hand, custom_id)
        answers = [each for each in (result.response, *result.followups) if each]
        assert all(each.ephemeral for each in answers)
        assert await world.app.tables.view(player.table) == before


@pytest.mark.thorough
async def test_random_ids_and_menus_change_nothing_and_are_all_answered():
    dice = random.Random(7)
    async with discord_world() as world:
        _, player = await in_play(world)
        before = await world.app.tables.view(player.table)
        words = [*ids._BY_WORD, "nonsense"]
        for _ in range(80):
            table = dice.choice([player.table, "AAAA1111", "-"])
            argument = "".join(dice.choices(LETTERS, k=dice.randint(0, 9)))
            word = dice.choice([word for word in words if word not in CHANGING])
            tail = f":{argument}" if argument else ""
            custom_id = f"h1:{word}:{table}:{dice.randint(0, 3)}{tail}"
            values = dice.choice([[], ["QS"], ["x" * 50], ["1", "2"]])
            await world.forge(
                player.member, player.hand, custom_id, component_type=3, values=values
            )
        assert await world.app.tables.view(player.table) == before


LETTERS = string.ascii_letters + "0123456789.,-"
CHANGING = {"leave_sure", "end_sure", "back", "play", "sure"}
"""These do what they say for somebody who may; the other tests are about them."""


async def test_a_menus_values_are_compared_with_the_hand():
    async with discord_world() as world:
        people = [world.person(name) for name in ("Ann", "Bea", "Cyd", "Dan")]
        players = await sit_down(world, people)
        menu = next(each for each in players[0].offers if isinstance(each, ids.ChoosePass))
        others = await world.app.tables.hand(players[0].table, people[1].id)
        foreign = [str(card) for card in others.hand.hand][:3]
        for values in (foreign, ["junk"], []):
            result = await world.forge(
                people[0], players[0].hand, ids.write(menu), component_type=3, values=values
            )
            assert result.response.ephemeral
            assert not any(isinstance(each, ids.ConfirmPass) for each in players[0].offers)


async def test_a_modal_of_yesterday_is_answered_politely():
    async with discord_world() as world:
        ann = world.person("Ann")
        data = {"custom_id": "old modal", "components": []}
        result = await submitted(world, ann, data)
        assert "do not know that button" in text_of(result.response)


async def submitted(world: World, person: Any, data: dict[str, Any]) -> InteractionResult:
    record, payload = interactions.base_payload(
        world.env.backend,
        type=5,
        channel_id=world.channel.id,
        guild_id=world.guild.id,
        user_id=person.id,
        data=data,
    )
    world.env.backend.emit("INTERACTION_CREATE", payload)
    await world.env.settle()
    return InteractionResult(world.env, record)


async def test_while_the_process_stops_a_click_is_told_to_come_again():
    async with discord_world() as world:
        _, player = await in_play(world)
        before = await world.app.tables.view(player.table)
        await world.app.bot.answers.drain(0.01)
        card = plays(player)[0]
        result = await world.press(player.member, player.hand, card)
        assert "restarting" in text_of(result.followups[0] if result.followups else result.response)
        assert await world.app.tables.view(player.table) == before


async def test_a_table_of_another_server_is_not_shown_to_strangers():
    async with discord_world() as world:
        _, player = await in_play(world)
        world.guild = world.env.create_guild("Elsewhere")
        channel = world.guild.create_text_channel("general")
        spy = world.person("Spy")
        await world.env.settle()
        helped = await world.slash(spy, "hearts help", channel=channel)
        for action in (ids.ShowScore(player.table), ids.ShowRules(player.table)):
            result = await world.forge(spy, helped.response, ids.write(action))
            assert "do not know that table" in text_of(result.response)


async def test_nobody_of_another_server_sits_down_by_a_forged_button():
    async with discord_world() as world:
        await world.slash(world.person("Ann"), "hearts start")
        table = await world.table_id()
        world.guild = world.env.create_guild("Elsewhere")
        channel = world.guild.create_text_channel("general")
        spy = world.person("Spy")
        await world.env.settle()
        helped = await world.slash(spy, "hearts help", channel=channel)
        result = await world.forge(spy, helped.response, ids.write(ids.Join(table)))
        assert "do not know that table" in text_of(result.response)
        assert (await world.app.tables.view(table)).chairs[1:] == (None, None, None)


async def test_an_unknown_table_is_said_to_be_unknown():
    async with discord_world() as world:
        ann = world.person("Ann")
        helped = await world.slash(ann, "hearts help")
        result = await world.forge(
            ann, helped.response, ids.write(ids.OpenHand(TableId("AAAA1111")))
        )
        assert "do not know that table" in text_of(result.response)
