"""A server's named house rules, by clicks of people who may manage it."""

from typing import Any

import discord
import pytest

from bot.rules import variants
from bot.table.ids import GuildId
from bot.table.storing import HouseRules, ServerSettings
from cogs.ui import ids, rule_ids
from cogs.ui.house_rules import NAME
from db.models import GUILDS
from db.statements import upsert
from tests.support.discord import World, components_of, discord_world, text_of, walk
from tests.support.house import house


def a_manager(world: World, name: str = "Boss") -> Any:
    role = world.guild.create_role("manager", permissions=discord.Permissions(manage_guild=True))
    return world.person(name, roles=[role])


async def stored(world: World) -> ServerSettings:
    return await world.app.bot.services.settings.server(GuildId(world.guild.id))


async def keep(world: World, *houses: HouseRules) -> None:
    settings = ServerSettings(house_rules=houses)
    await world.app.bot.services.settings.save_server(GuildId(world.guild.id), settings)


async def listed(world: World, boss: Any) -> Any:
    """The list of house rules, opened from `/settings`."""
    panel = (await world.slash(boss, "settings")).response
    return (await world.press(boss, panel, rule_ids.ListHouses())).response


async def opened(world: World, boss: Any, house_id: str, page: str | None = None) -> Any:
    """A page of some house rules."""
    houses = await listed(world, boss)
    shown = (await world.choose(boss, houses, rule_ids.OpenHouse(), [house_id])).response
    if page is None:
        return shown
    return (await world.choose(boss, shown, rule_ids.TurnHouse(house_id), [page])).response


async def made(world: World, boss: Any, preset: str, name: str) -> Any:
    """The answer to a new name for rules that are made from a preset."""
    shelf = 2 if preset == "killer" else 1
    asked = await world.choose(
        boss, await listed(world, boss), rule_ids.AskNewHouse(shelf), [preset]
    )
    return (await boss.submit_modal(asked, {NAME: name})).response


async def choices(world: World, person: Any, typed: str, command: str = "hearts start") -> Any:
    offers = await person.autocomplete(world.channel, command, "variant", typed)
    return [(offer["name"], offer["value"]) for offer in offers]


async def test_house_rules_are_made_changed_used_renamed_and_deleted():
    async with discord_world() as world:
        boss, ann = a_manager(world), world.person("Ann")
        page = await made(world, boss, "killer", "Friday night")
        [ours] = (await stored(world)).house_rules
        assert "House rules: Friday night" in text_of(page)
        assert "no rule is changed" in text_of(page)

        turn = rule_ids.TurnHouse(ours.id)
        page = (await world.choose(boss, page, turn, ["end"])).response
        rule = rule_ids.ChooseHouseRule(ours.id, "end")
        page = (await world.choose(boss, page, rule, ["minutes_60"])).response
        assert "changed: The end of the game" in text_of(page)
        page = (await world.press(boss, page, rule_ids.UseHouse(ours.id))).response
        assert (await stored(world)).default_house == ours.id

        await world.slash(ann, "hearts start")
        view = await world.app.tables.view(await world.table_id())
        assert (view.ruleset.id, view.ruleset.title) == ("killer", "Friday night")
        assert view.ruleset.end.minutes == 60

        asked = await world.press(boss, page, rule_ids.AskRename(ours.id))
        page = (await boss.submit_modal(asked, {NAME: "Saturday"})).response
        assert "House rules: Saturday" in text_of(page)
        page = (await world.press(boss, page, rule_ids.RestoreHouse(ours.id))).response
        assert "no rule is changed" in text_of(page)

        asked = await world.press(boss, page, rule_ids.AskDelete(ours.id))
        assert "Delete the house rules Saturday?" in text_of(asked.response)
        gone = await world.press(boss, asked.response, rule_ids.Delete(ours.id))
        assert "are deleted" in text_of(gone.response)
        assert await stored(world) == ServerSettings()
        kept = await world.app.tables.view(view.id)
        assert kept.ruleset == view.ruleset


async def test_house_rules_are_told_in_words():
    async with discord_world() as world:
        boss = a_manager(world)
        await keep(world, house("7", "Friday", points={"JD": -10}))
        page = await opened(world, boss, "7")
        told = await world.press(boss, page, rule_ids.ShowHouseRules("7"))
        assert "Friday for 4 players" in text_of(told.response)
        assert "jack of diamonds" in text_of(told.response)
        assert told.response.ephemeral


async def test_a_bad_combination_is_told_and_not_stored():
    async with discord_world() as world:
        boss = a_manager(world)
        await keep(world, house("7", "Maria", extends="black_maria"))
        before = await stored(world)
        page = await opened(world, boss, "7", "points")
        rule = rule_ids.ChooseHouseRule("7", "hearts")
        page = (await world.choose(boss, page, rule, ["face"])).response
        assert "do not go together" in text_of(page)
        assert await stored(world) == before


async def test_a_name_that_is_taken_makes_nothing():
    async with discord_world() as world:
        boss = a_manager(world)
        await keep(world, house("7", "Friday"), house("8", "Sunday"))
        before = await stored(world)
        page = await made(world, boss, "spot", "friday")
        assert "Choose another name." in text_of(page)
        asked = await world.press(boss, await opened(world, boss, "8"), rule_ids.AskRename("8"))
        after = await boss.submit_modal(asked, {NAME: "FRIDAY"})
        assert "Choose another name." in text_of(after.response)
        assert await stored(world) == before


@pytest.mark.parametrize("blank", ["   ", "\u200b\u2060"])
async def test_a_name_of_nothing_to_read_is_asked_for_again(blank):
    async with discord_world() as world:
        answer = await made(world, a_manager(world), "standard", blank)
        assert "A name has 1 to 50 characters." in text_of(answer)
        assert not (await stored(world)).house_rules


async def test_people_who_may_not_manage_the_server_change_nothing():
    async with discord_world() as world:
        boss, ann = a_manager(world), world.person("Ann")
        await keep(world, house("7", "Friday"))
        page = await opened(world, boss, "7", "end")
        before = await stored(world)
        rule = ids.write(rule_ids.ChooseHouseRule("7", "end"))
        answer = await world.forge(ann, page, rule, component_type=3, values=["to_50"])
        assert "Only people who may manage this server" in text_of(answer.response)
        for action in (
            rule_ids.UseHouse("7"),
            rule_ids.RestoreHouse("7"),
            rule_ids.Delete("7"),
            rule_ids.AskDelete("7"),
            rule_ids.AskRename("7"),
            rule_ids.ListHouses(),
            rule_ids.ShowSettings(),
            rule_ids.ShowHouseRules("7"),
        ):
            answer = await world.forge(ann, page, ids.write(action))
            assert "Only people who may manage this server" in text_of(answer.response)
        assert await stored(world) == before


async def test_two_people_who_press_at_once_both_get_what_they_chose():
    async with discord_world() as world:
        boss, other = a_manager(world), a_manager(world, "Other")
        await keep(world, house("7", "Friday"))
        pages = [await opened(world, person, "7", "end") for person in (boss, other)]
        for person, page, (option, value) in zip(
            (boss, other), pages, (("end", "to_50"), ("tie", "share")), strict=True
        ):
            custom_id = ids.write(rule_ids.ChooseHouseRule("7", option))
            world.send_raw(person, page, custom_id, component_type=3, values=[value])
        await world.env.settle()
        [ours] = (await stored(world)).house_rules
        assert ours.rules["end"] == {"target": 50}
        assert ours.rules["tie"] == "share"


async def test_rules_that_somebody_deleted_meanwhile_are_gone_politely():
    async with discord_world() as world:
        boss = a_manager(world)
        await keep(world, house("7", "Friday"))
        page = await opened(world, boss, "7", "end")
        await keep(world)
        rule = rule_ids.ChooseHouseRule("7", "end")
        answer = await world.choose(boss, page, rule, ["to_50"])
        assert "These house rules are gone" in text_of(answer.response)
        answer = await world.slash(boss, "hearts start", variant="house:7")
        assert "These house rules are gone" in text_of(answer.response)


async def test_rules_that_cannot_be_played_any_more_can_be_deleted():
    async with discord_world() as world:
        boss = a_manager(world)
        await keep(world, house("7", "Old", luck="good"))
        page = await opened(world, boss, "7")
        assert "cannot be played any more" in text_of(page)
        answer = await world.slash(boss, "hearts start", variant="Old")
        assert "cannot be played" in text_of(answer.response)
        asked = await world.press(boss, page, rule_ids.AskDelete("7"))
        await world.press(boss, asked.response, rule_ids.Delete("7"))
        assert (await stored(world)).house_rules == ()


async def test_a_restart_between_two_presses_loses_nothing():
    async with discord_world() as world:
        boss = a_manager(world)
        page = await made(world, boss, "spot", "Friday")
        [ours] = (await stored(world)).house_rules
        await world.restart()
        turn = rule_ids.TurnHouse(ours.id)
        page = (await world.choose(boss, page, turn, ["end"])).response
        rule = rule_ids.ChooseHouseRule(ours.id, "end")
        page = (await world.choose(boss, page, rule, ["to_250"])).response
        assert "changed: The end of the game" in text_of(page)


async def test_the_way_back_to_the_settings():
    async with discord_world() as world:
        boss = a_manager(world)
        houses = await listed(world, boss)
        panel = await world.press(boss, houses, rule_ids.ShowSettings())
        assert "Hearts in this server" in text_of(panel.response)


async def test_house_rules_are_offered_first_and_found_by_name():
    async with discord_world() as world:
        ann = world.person("Ann")
        settings = ServerSettings(
            house_rules=(house("7", "Spot on Friday"), house("8", "Quick **spot**")),
            default_house="8",
        )
        await world.app.bot.services.settings.save_server(GuildId(world.guild.id), settings)
        offers = await choices(world, ann, "spot")
        assert offers[:3] == [
            ("Quick **spot**", "house:8"),
            ("Spot on Friday", "house:7"),
            ("Spot Hearts", "spot"),
        ]
        assert (await choices(world, ann, ""))[:2] == offers[:2]
        assert len(await choices(world, ann, "")) == 25
        await world.slash(ann, "hearts start", variant="house:7", seats=4)
        view = await world.app.tables.view(await world.table_id())
        assert view.ruleset.title == "Spot on Friday"


async def test_a_variant_is_found_by_an_alias():
    """rules.md 4.1: "Greek" is an alias of Spot."""
    async with discord_world() as world:
        ann = world.person("Ann")
        offers = await choices(world, ann, "greek")
        assert ("Spot Hearts (Greek Hearts)", "spot") in offers
        assert await choices(world, ann, "valentine") == []
        told = await world.slash(ann, "hearts rules", variant="Greek Hearts")
        assert "Spot Hearts for 4 players" in text_of(told.response)
        unknown = await world.slash(ann, "hearts start", variant="Greek Tragedy")
        assert "I know no variant" in text_of(unknown.response)


@pytest.mark.parametrize("typed", ["Valentine Hearts", " two blind BITCHES "])
async def test_a_game_without_known_rules_is_not_dealt_and_why_is_said(typed):
    """rules.md 0: two titles, and nothing is invented."""
    async with discord_world() as world:
        refused = await world.slash(world.person("Ann"), "hearts start", variant=typed)
        assert "Nobody knows the rules" in text_of(refused.response)
        assert "`/hearts variants`" in text_of(refused.response)
        assert not await world.tables()


async def test_what_a_server_chose_before_rules_had_names_is_its_usual_rules():
    async with discord_world() as world:
        ann = world.person("Ann")
        former = {"variant": "standard", "rules": {"end": {"target": 50}}, "clock": "8h"}
        row = {"guild_id": world.guild.id, "settings": former}
        await world.database.write(lambda session: upsert(session, GUILDS, row, keys=("guild_id",)))
        settings = await stored(world)
        assert [ours.name for ours in settings.house_rules] == ["House rules"]
        await world.slash(ann, "hearts start")
        view = await world.app.tables.view(await world.table_id())
        assert (view.ruleset.end.points, view.ruleset.title) == (50, "House rules")
        assert view.clock.id == "8h"
        assert view.ruleset.breakers == variants.load("standard").breakers


async def test_the_list_of_variants_turns_to_a_family_and_back():
    async with discord_world() as world:
        ann = world.person("Ann")
        everything = (await world.slash(ann, "hearts variants")).response
        assert "Two Blind Bitches" in text_of(everything)
        family = rule_ids.ChooseVariantFamily()
        spot = (await world.choose(ann, everything, family, ["spot"])).response
        assert "Every heart costs its face value" in text_of(spot)
        again = (await world.choose(ann, spot, family, ["all"])).response
        assert text_of(again) == text_of(everything)
        forged = await world.forge(
            ann, again, ids.write(family), component_type=3, values=["trumps"]
        )
        assert "do not know that choice" in text_of(forged.response)
        assert any("options" in part for part in walk(components_of(again)))


async def test_a_preset_chosen_in_the_menu_is_opened_whatever_house_rules_are_called():
    async with discord_world() as world:
        ann = world.person("Ann")
        await keep(world, house("7", "killer", extends="spot"))
        [chosen] = [
            value
            for name, value in await choices(world, ann, "killer h")
            if name == "Killer Hearts"
        ]
        await world.slash(ann, "hearts start", variant=chosen)
        view = await world.app.tables.view(await world.table_id())
        assert view.ruleset == variants.load("killer")
