"""Lobbies, hosts, settings and long games: rows B35 to B45 of the known cases."""

from typing import Any

import discord
import pytest

from bot.rules import variants
from bot.rules.describe import at_a_glance
from bot.rules.dimensions import MoonPayoff, Single, Target
from bot.table.clocks import move_clock
from bot.table.errors import NotHostError
from bot.table.ids import GuildId, Human, Robot, UserId
from bot.table.state import Status
from cogs.ui import ids, rule_ids, server_ids
from cogs.words import Voice
from tests.support.discord import World, components_of, discord_world, text_of, walk
from tests.support.games import sit_down
from tests.support.house import server_playing
from tests.support.rooms import STORES, room_on
from tests.support.seated import in_play, plays
from tests.support.tables import ANN, BEA, CYD, DAN, EVE, FOUR, chair_of

DAY = 24 * 3_600


@pytest.fixture(params=STORES)
async def room(request, tmp_path):
    async with room_on(request.param, tmp_path) as built:
        yield built


@pytest.mark.case("B35")
async def test_b35_a_second_table_is_refused_with_a_way_to_the_first():
    async with discord_world() as world:
        ann, bea = world.person("Ann"), world.person("Bea")
        await world.slash(ann, "hearts start", seats=4)
        first = await world.app.tables.view(await world.table_id())
        [lobby] = world.posts()
        refused = await world.slash(bea, "hearts start", seats=4)
        challenged = await bea.context_menu(world.channel, "Challenge to Hearts", ann)
        for answer in (refused.response, challenged.response):
            assert answer.ephemeral
            assert lobby.jump_url in text_of(answer)
        assert await world.app.tables.view(first.id) == first
        assert len(await world.tables()) == 1


@pytest.mark.case("B35")
async def test_b35_a_rematch_in_a_channel_that_was_taken_meanwhile_names_the_table_there():
    async with discord_world() as world:
        ann, bea = world.person("Ann"), world.person("Bea")
        [player] = await sit_down(world, [ann], robots=3)
        asked = await world.slash(ann, "hearts end")
        await world.press(ann, asked.response, ids.ConfirmEnd(player.table))
        rematch = ids.Rematch(player.table)
        result = world.newest_with(rematch)
        await world.slash(bea, "hearts start", seats=4)
        refused = await world.press(ann, result, rematch)
        [said] = [each for each in (refused.response, *refused.followups) if each]
        assert said.ephemeral
        assert world.posts()[-1].jump_url in text_of(said)
        [line] = await world.tables()
        assert (await world.app.tables.view(line.id)).host == bea.id


@pytest.mark.case("B38")
async def test_b38_six_idle_days_on_a_clock_of_seven_change_nothing(room):
    view = await room.started(*FOUR, clock="7d")
    room.clock.move(6 * DAY)
    assert await room.fire_due() == []
    assert (await room.tables.view(view.id)).version == view.version
    await room.everybody_passes(view.id)
    room.clock.move(6 * DAY)
    assert await room.fire_due() == []


@pytest.mark.case("B38")
async def test_b38_a_late_move_is_played_by_a_robot_and_ends_no_game(room):
    """The control of the row above: on the seventh day the clock does act."""
    view = await room.started(*FOUR, clock="7d")
    room.clock.move(7 * DAY)
    assert len(await room.fire_due()) == 4
    after = await room.tables.view(view.id)
    assert after.status is Status.PLAYING
    assert after.chairs == tuple(map(Human, FOUR))
    assert all(after.game.passed)


async def misses_two_moves(room, table_id, late):
    """All others move in time; *late* lets the hour of a pass and that of a card run out."""
    for _ in range(2):
        while others := [h for h in await room.waited_for(table_id) if h.user_id != late]:
            await room.move(others[0])
        room.clock.move(3_600)
        await room.fire_due()


@pytest.mark.case("B40")
@pytest.mark.parametrize("how", ["leaves", "is late"])
async def test_b40_when_the_host_is_gone_the_next_person_is_host(room, how):
    view = await room.started(*FOUR, clock="1h")
    if how == "leaves":
        await room.tables.leave(room.by(ANN), view.id)
    else:
        await misses_two_moves(room, view.id, ANN)
    after = await room.tables.view(view.id)
    assert after.host == BEA
    assert Human(ANN) not in after.chairs
    with pytest.raises(NotHostError):
        await room.tables.end(room.by(CYD), view.id, moderator=False)
    await room.tables.end(room.by(BEA), view.id, moderator=False)
    assert (await room.tables.view(view.id)).status is Status.CLOSED


@pytest.mark.case("B40")
async def test_b40_a_moderator_ends_a_game_whose_people_are_gone(room):
    view = await room.started(*FOUR, clock="off")
    with pytest.raises(NotHostError):
        await room.tables.end(room.by(EVE), view.id, moderator=False)
    await room.tables.end(room.by(EVE), view.id, moderator=True)
    assert (await room.tables.view(view.id)).status is Status.CLOSED
    await room.open(EVE)


@pytest.mark.case("B40")
async def test_b40_the_seat_of_an_unresponsive_player_goes_to_a_robot_without_a_host(room):
    view = await room.started(*FOUR, clock="1h")
    seat = chair_of(view, DAN)
    await misses_two_moves(room, view.id, DAN)
    after = await room.tables.view(view.id)
    assert after.chairs[seat] == Robot("steady", keeps_for=DAN)
    assert after.game.trick is not None


@pytest.mark.case("B41")
async def test_b41_new_names_between_moves_leave_seat_and_calls_where_they_were():
    async with discord_world() as world:
        players, player = await in_play(world)
        before = await world.app.tables.view(player.table)
        person = player.member.id
        rename(world, person, "Zoé ✨")
        [card, *_] = plays(player)
        await player.press(card)
        after = await world.app.tables.view(player.table)
        assert after.chairs == before.chairs
        assert [play.card for play in after.game.trick.plays] == [card.card]
        assert after.names[UserId(person)] == "Zoé ✨"
        assert "Zoé ✨" in text_of(world.posts()[-1])
        [then] = [each for each in players if plays(each)]
        rename(world, then.member.id, "@everyone")
        await world.pass_time(4)
        [call] = [post for post in world.posts() if post.content.startswith("<@")]
        assert call.content.startswith(f"<@{then.member.id}>")
        assert [mention.id for mention in call.mentions] == [then.member.id]


def rename(world: World, person: int, name: str) -> None:
    """Somebody changes every name at once: the server's, the global one and the account's."""
    backend = world.env.backend
    world.guild._guild.members[person].nick = name
    backend.users[person].name = "renamed"
    backend.users[person].global_name = f"{name} everywhere"


@pytest.mark.case("B44")
@pytest.mark.thorough
async def test_b44_the_lobby_prints_the_preset_that_was_asked_for():
    async with discord_world() as world:
        ann = world.person("Ann")
        for name in variants.names():
            place = world.guild.create_text_channel(name)
            await world.slash(ann, "hearts start", channel=place, variant=name)
            table = (await world.tables())[0].id
            view = await world.app.tables.view(table)
            assert view.ruleset == variants.load(name)
            [lobby] = world.posts(place)
            assert variants.title(name) in text_of(lobby)
            for fact in at_a_glance(variants.load(name), view.seats):
                assert Voice().say(fact) in text_of(lobby)
            await world.app.tables.servers.close(GuildId(world.guild.id))  # five are the most


@pytest.mark.case("B44")
async def test_b44_house_rules_are_printed_where_they_are_played():
    """The control of the row above: other rules print another lobby."""
    async with discord_world() as world:
        boss = await a_manager(world)
        settings = server_playing({"points": {"JD": -10}, "breakers": ["H*"]})
        await world.app.bot.services.settings.save_server(GuildId(world.guild.id), settings)
        await world.slash(boss, "hearts start", seats=4)
        view = await world.app.tables.view(await world.table_id())
        assert view.ruleset != variants.load("standard")
        printed = text_of(world.posts()[-1])
        assert "jack of diamonds" in printed
        standard = [Voice().say(fact) for fact in at_a_glance(variants.load("standard"), 4)]
        assert not all(fact in printed for fact in standard)


async def a_manager(world: World) -> Any:
    role = world.guild.create_role("manager", permissions=discord.Permissions(manage_guild=True))
    return world.person("Boss", roles=[role])


MOON = rule_ids.ChooseHouseRule("7", "moon")
END = rule_ids.ChooseHouseRule("7", "end")


async def open_house(world: World, boss: Any) -> Any:
    """The page with the moon of the server's only house rules."""
    panel = (await world.slash(boss, "settings")).response
    page = (await world.press(boss, panel, rule_ids.ListHouses())).response
    page = (await world.choose(boss, page, rule_ids.OpenHouse(), ["7"])).response
    return (await world.choose(boss, page, rule_ids.TurnHouse("7"), ["moon"])).response


def chosen_in(panel: Any) -> set[str]:
    """All that the panel's menus show as the present choice."""
    options = [each for part in walk(components_of(panel)) for each in part.get("options", [])]
    return {option["value"] for option in options if option.get("default")}


@pytest.mark.case("B45")
async def test_b45_settings_change_the_next_game_and_never_the_running_one():
    async with discord_world() as world:
        boss = await a_manager(world)
        await world.app.bot.services.settings.save_server(
            GuildId(world.guild.id), server_playing({})
        )
        panel = (await world.slash(boss, "settings")).response
        panel = (await world.choose(boss, panel, server_ids.ChooseClock(), ["8h"])).response
        assert {"7", "8h"} <= chosen_in(panel)
        page = await open_house(world, boss)
        page = (await world.choose(boss, page, MOON, ["subtract"])).response
        page = (await world.choose(boss, page, rule_ids.TurnHouse("7"), ["end"])).response
        page = (await world.choose(boss, page, END, ["to_150"])).response
        assert "to_150" in chosen_in(page)
        [player] = await sit_down(world, [boss], robots=3)
        running = await world.app.tables.view(player.table)
        assert (running.ruleset.end, running.clock) == (Target(150), move_clock("8h"))
        assert running.ruleset.moon.payoff is MoonPayoff.SUBTRACT_SELF

        page = (await world.choose(boss, page, END, ["single"])).response
        assert "single" in chosen_in(page)
        assert "to_150" not in chosen_in(page)
        panel = (await world.choose(boss, panel, server_ids.ChooseClock(), ["72h"])).response
        await world.restart()

        kept = await world.app.tables.view(player.table)
        assert (kept.ruleset, kept.clock) == (running.ruleset, running.clock)
        assert kept.game.totals == running.game.totals
        elsewhere = world.guild.create_text_channel("elsewhere")
        await world.slash(boss, "hearts start", channel=elsewhere, seats=4)
        fresh = await world.app.tables.view((await world.tables())[0].id)
        assert fresh.id != kept.id
        assert (fresh.ruleset.end, fresh.clock) == (Single(), move_clock("72h"))
        assert fresh.ruleset.moon.payoff is MoonPayoff.SUBTRACT_SELF
