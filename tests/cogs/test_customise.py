"""A host sets the rules of a lobby by clicks, until the game begins."""

from typing import Any

import discord
import pytest

from bot.rules import variants
from bot.table.ids import GuildId, TableId
from cogs.ui import ids, rule_ids
from cogs.ui.house_rules import NAME
from tests.support.discord import (
    World,
    components_of,
    custom_ids,
    discord_world,
    text_of,
    walk,
)


def a_manager(world: World, name: str = "Boss") -> Any:
    role = world.guild.create_role("manager", permissions=discord.Permissions(manage_guild=True))
    return world.person(name, roles=[role])


async def lobby_of(world: World, host: Any, **options: Any) -> tuple[TableId, Any]:
    """A lobby with robots on its other chairs, and what its host was told."""
    told = await world.slash(host, "hearts start", **{"seats": 4, "robots": 3} | options)
    return await world.table_id(), told.response


async def page_of(world: World, host: Any, table: TableId, page: str) -> Any:
    """A page of the panel, opened from the lobby's post."""
    post = world.newest_with(rule_ids.Customise(table))
    panel = (await world.press(host, post, rule_ids.Customise(table))).response
    return (await world.choose(host, panel, rule_ids.TurnRules(table), [page])).response


async def choose(world: World, host: Any, page: Any, option: str, value: str) -> Any:
    """Choose in the menu of one rule of the only table."""
    action = rule_ids.ChooseRule(await world.table_id(), option)
    return (await world.choose(host, page, action, [value])).response


def ticked(message: Any) -> dict[str, str]:
    """What the panel's menus of rules show, by option."""
    shown = {}
    for part in walk(components_of(message)):
        action = ids.parse(part["custom_id"]) if "options" in part else None
        if isinstance(action, rule_ids.ChooseRule):
            marked = [each["value"] for each in part["options"] if each.get("default")]
            shown[action.option] = "".join(marked)
    return shown


async def rules_of(world: World, table: TableId) -> Any:
    return (await world.app.tables.view(table)).ruleset


async def test_a_lobby_is_customised_and_the_game_keeps_the_rules():
    async with discord_world() as world:
        ann = world.person("Ann")
        table, told = await lobby_of(world, ann)
        panel = (await world.press(ann, told, rule_ids.Customise(table))).response
        assert panel.ephemeral
        assert "no rule is changed" in text_of(panel)

        page = await page_of(world, ann, table, "end")
        assert ticked(page)["end"] == "to_100"
        page = await choose(world, ann, page, "end", "to_50")
        assert ticked(page)["end"] == "to_50"
        assert "Changed." in text_of(page)
        assert "50 points" in text_of(world.newest_with(ids.Start(table)))
        assert "Standard Hearts, own rules" in text_of(world.newest_with(ids.Start(table)))

        await world.press(ann, world.newest_with(ids.Start(table)), ids.Start(table))
        frozen = await rules_of(world, table)
        assert frozen.end.points == 50
        late = rule_ids.ChooseRule(table, "end")
        answer = await world.forge(ann, page, ids.write(late), component_type=3, values=["to_150"])
        assert "stay as they are" in text_of(answer.response)
        assert await rules_of(world, table) == frozen
        answer = await world.forge(ann, page, ids.write(rule_ids.Customise(table)))
        assert "stay as they are" in text_of(answer.response)
        with pytest.raises(AssertionError, match="no post offers"):
            world.newest_with(rule_ids.Customise(table))


async def test_a_refused_combination_is_told_and_the_panel_shows_what_is_stored():
    """rules.md 2.5.7: Spot scoring does not go with Black Maria."""
    async with discord_world() as world:
        ann = world.person("Ann")
        table, _ = await lobby_of(world, ann, variant="black_maria")
        page = await page_of(world, ann, table, "points")
        page = await choose(world, ann, page, "hearts", "face")
        said = text_of(page)
        assert "Spot" in said
        assert "Black Maria" in said
        assert "do not go together. Change one of them." in said
        assert page.ephemeral
        assert ticked(page)["hearts"] == "one"
        assert await rules_of(world, table) == variants.load("black_maria")


async def test_rules_for_other_numbers_of_seats_are_refused_for_the_table():
    async with discord_world() as world:
        ann = world.person("Ann")
        table, _ = await lobby_of(world, ann, variant="joker_hearts")
        page = await page_of(world, ann, table, "cards")
        page = await choose(world, ann, page, "packs", "two")
        assert "a table of 4 seats do not go together" in text_of(page)
        assert ticked(page)["packs"] == "one"


async def test_the_presets_rules_come_back_by_one_press():
    async with discord_world() as world:
        ann = world.person("Ann")
        table, _ = await lobby_of(world, ann)
        page = await page_of(world, ann, table, "points")
        page = await choose(world, ann, page, "bonus", "jack")
        assert "changed: Bonus card" in text_of(page)
        after = await world.press(ann, page, rule_ids.RestoreRules(table))
        assert "no rule is changed" in text_of(after.response)
        assert await rules_of(world, table) == variants.load("standard")


async def test_nobody_but_the_host_customises():
    async with discord_world() as world:
        ann, bea = world.person("Ann"), world.person("Bea")
        boss = a_manager(world)
        table, _ = await lobby_of(world, ann)
        post = world.newest_with(rule_ids.Customise(table))
        for person in (bea, boss):
            answer = await world.press(person, post, rule_ids.Customise(table))
            assert "Only the host of this table can change its rules" in text_of(answer.response)
            assert answer.response.ephemeral
        page = await page_of(world, ann, table, "end")
        forged = ids.write(rule_ids.ChooseRule(table, "end"))
        answer = await world.forge(bea, page, forged, component_type=3, values=["to_50"])
        assert "Only the host" in text_of(answer.response)
        assert await rules_of(world, table) == variants.load("standard")


async def test_two_choices_that_race_are_both_kept():
    async with discord_world() as world:
        ann = world.person("Ann")
        table, _ = await lobby_of(world, ann)
        page = await page_of(world, ann, table, "end")
        for option, value in (("end", "to_50"), ("tie", "share")):
            custom_id = ids.write(rule_ids.ChooseRule(table, option))
            world.send_raw(ann, page, custom_id, component_type=3, values=[value])
        await world.env.settle()
        await world.show()
        ruleset = await rules_of(world, table)
        assert (ruleset.end.points, ruleset.tie.value) == (50, "share")


async def test_a_restart_between_two_presses_loses_nothing():
    async with discord_world() as world:
        ann = world.person("Ann")
        table, _ = await lobby_of(world, ann)
        page = await page_of(world, ann, table, "end")
        page = await choose(world, ann, page, "end", "to_50")
        await world.restart()
        page = await choose(world, ann, page, "tie", "share")
        assert ticked(page) | {"settle": ""} == {"end": "to_50", "tie": "share", "settle": ""}


@pytest.mark.parametrize(
    ("option", "values"),
    [("end", ["to_51"]), ("end", []), ("luck", ["good"]), ("slam", ["loses"])],
)
async def test_a_value_that_was_never_offered_changes_nothing(option, values):
    async with discord_world() as world:
        ann = world.person("Ann")
        table, _ = await lobby_of(world, ann)
        page = await page_of(world, ann, table, "end")
        forged = ids.write(rule_ids.ChooseRule(table, option))
        answer = await world.forge(ann, page, forged, component_type=3, values=values)
        assert "do not know that choice" in text_of(answer.response)
        turn = ids.write(rule_ids.TurnRules(table))
        answer = await world.forge(ann, page, turn, component_type=3, values=["moonshine"])
        assert "do not know that choice" in text_of(answer.response)
        assert await rules_of(world, table) == variants.load("standard")


async def test_the_rules_of_a_table_are_kept_for_the_server_and_start_the_next():
    async with discord_world() as world:
        boss = a_manager(world)
        table, _ = await lobby_of(world, boss)
        page = await page_of(world, boss, table, "end")
        page = await choose(world, boss, page, "end", "to_50")
        asked = await world.press(boss, page, rule_ids.AskSaveRules(table))
        kept = await boss.submit_modal(asked, {NAME: "Quick **game**"})
        assert "keeps these rules as" in text_of(kept.response)
        assert "**game**" not in text_of(kept.response)
        await world.app.tables.servers.close(GuildId(world.guild.id))

        ann = world.person("Ann")
        elsewhere = world.guild.create_text_channel("elsewhere")
        await world.slash(ann, "hearts start", channel=elsewhere, variant="quick **GAME**")
        fresh = await world.app.tables.view(await world.table_id())
        assert fresh.ruleset.end.points == 50
        assert fresh.ruleset.title == "Quick **game**"
        [post] = world.posts(elsewhere)
        assert r"Quick \*\*game\*\*" in text_of(post)

        page = await page_in(world, ann, fresh.id, elsewhere)
        again = await world.forge(ann, page, ids.write(rule_ids.AskSaveRules(fresh.id)))
        assert "Only people who may manage this server" in text_of(again.response)


async def page_in(world: World, host: Any, table: TableId, channel: Any) -> Any:
    post = world.newest_with(rule_ids.Customise(table), channel)
    panel = (await world.press(host, post, rule_ids.Customise(table))).response
    assert ids.write(rule_ids.AskSaveRules(table)) not in custom_ids(panel)
    return panel


async def test_a_name_that_is_taken_keeps_nothing():
    async with discord_world() as world:
        boss = a_manager(world)
        table, _ = await lobby_of(world, boss)
        page = await page_of(world, boss, table, "end")
        for said in ("keeps these rules as", "are house rules called"):
            asked = await world.press(boss, page, rule_ids.AskSaveRules(table))
            kept = await boss.submit_modal(asked, {NAME: "Friday"})
            assert said in text_of(kept.response)
        settings = await world.app.bot.services.settings.server(GuildId(world.guild.id))
        assert [house.name for house in settings.house_rules] == ["Friday"]


async def test_people_who_sat_down_keep_their_seats_and_read_the_new_rules():
    async with discord_world() as world:
        ann, bea = world.person("Ann"), world.person("Bea")
        await world.slash(ann, "hearts start", seats=4)
        table = await world.table_id()
        await world.press(bea, world.newest_with(ids.Join(table)), ids.Join(table))
        page = await page_of(world, ann, table, "passing")
        await choose(world, ann, page, "passing", "none")
        view = await world.app.tables.view(table)
        assert len([chair for chair in view.chairs if chair]) == 2
        told = await world.press(bea, world.newest_with(ids.Join(table)), ids.ShowRules(table))
        assert "Nothing is passed" in text_of(told.response)


async def test_a_game_is_played_by_the_rules_that_were_chosen():
    """Passing is off, so that the first card is led at once."""
    async with discord_world() as world:
        people = [world.person(name) for name in ("Ann", "Bea")]
        await world.slash(people[0], "hearts start", seats=4, robots=2)
        table = await world.table_id()
        page = await page_of(world, people[0], table, "passing")
        await choose(world, people[0], page, "passing", "none")
        join = ids.Join(table)
        await world.press(people[1], world.newest_with(join), join)
        await world.press(people[0], world.newest_with(ids.Start(table)), ids.Start(table))
        view = await world.app.tables.view(table)
        assert view.game.trick_number == 1
        assert view.game.phase.value == "playing"
