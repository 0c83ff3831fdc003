"""`/preferences` and `/hearts vacation`, as a person uses them."""

from datetime import time, timedelta
from typing import Any

import pytest

from bot.table.away import QuietHours
from bot.table.ids import GuildId, Human, UserId
from bot.table.storing import PersonSettings, Reminders, ServerSettings
from cogs.ui import ids
from cogs.ui.preference_ids import AskBeforePlaying, AskHours, ChooseReminders, NoHours
from cogs.ui.preferences import BEGINS, ENDS, ZONE
from tests.support.discord import World, custom_ids, discord_world, text_of
from tests.support.games import sit_down

DAY = timedelta(days=1)


async def stored(world: World, person: Any) -> PersonSettings:
    return await world.app.bot.services.settings.person(UserId(person.id))


async def panel(world: World, person: Any, **options: Any) -> Any:
    answer: Any = (await world.slash(person, "preferences", **options)).response
    assert answer.ephemeral
    return answer


async def enter(world: World, person: Any, **typed: str) -> Any:
    """Fill in the form of hours; what came of it."""
    asked = await world.press(person, await panel(world, person), AskHours())
    return (await person.submit_modal(asked, typed)).response


async def test_a_zone_is_offered_by_the_name_of_a_city_and_kept():
    async with discord_world() as world:
        ann = world.person("Ann")
        offered = await ann.autocomplete(world.channel, "preferences", "zone", "kathm")
        assert [choice["value"] for choice in offered] == ["Asia/Kathmandu"]
        shown = await panel(world, ann, zone="asia/kathmandu")
        assert (await stored(world, ann)).zone == "Asia/Kathmandu"
        assert "`Asia/Kathmandu`, it is" in text_of(shown)


async def test_a_zone_that_nobody_knows_is_told_kindly():
    async with discord_world() as world:
        ann = world.person("Ann")
        answer = await panel(world, ann, zone="Atlantis")
        assert "Atlantis" in text_of(answer)
        assert (await stored(world, ann)).zone is None


@pytest.mark.parametrize("way", list(Reminders))
async def test_b59_each_way_of_being_called_is_saved_at_once(way: Reminders):
    async with discord_world() as world:
        ann = world.person("Ann")
        shown = await panel(world, ann)
        await world.choose(ann, shown, ChooseReminders(), [way.value])
        assert (await stored(world, ann)).reminders is way


async def test_quiet_hours_are_typed_shown_and_taken_away():
    async with discord_world() as world:
        ann = world.person("Ann")
        shown = await enter(world, ann, **{ZONE: "Europe/Berlin", BEGINS: "10 pm", ENDS: "8"})
        kept = QuietHours("Europe/Berlin", time(22), time(8))
        assert (await stored(world, ann)).quiet == kept
        assert "Quiet from 22:00 to 08:00" in text_of(shown)
        after = await world.press(ann, shown, NoHours())
        assert (await stored(world, ann)).quiet is None
        assert ids.write(NoHours()) not in custom_ids(after.response)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({ZONE: "Europe/Berlin", BEGINS: "late", ENDS: "8"}, "no time of day"),
        ({ZONE: "Nowhere", BEGINS: "22", ENDS: "8"}, "Nowhere"),
        ({ZONE: "Europe/Berlin", BEGINS: "9", ENDS: "8"}, "16 hours"),
    ],
)
async def test_what_cannot_be_is_told_and_changes_nothing(typed: dict[str, str], said: str):
    async with discord_world() as world:
        ann = world.person("Ann")
        answer = await enter(world, ann, **typed)
        assert said in text_of(answer)
        assert await stored(world, ann) == PersonSettings()


async def test_asking_before_a_card_is_played_can_be_switched_on_here_too():
    async with discord_world() as world:
        ann = world.person("Ann")
        shown = await panel(world, ann)
        after = await world.press(ann, shown, AskBeforePlaying(on=True))
        assert (await stored(world, ann)).confirm_cards
        assert ids.write(AskBeforePlaying(on=False)) in custom_ids(after.response)


async def test_the_panel_says_that_direct_messages_came_back():
    async with discord_world() as world:
        ann = world.person("Ann")
        refused = PersonSettings(reminders=Reminders.DIRECT, direct_refused=True)
        await world.app.bot.services.settings.change_person(UserId(ann.id), lambda _: refused)
        shown = await panel(world, ann)
        assert "came back" in text_of(shown)
        after = await world.choose(ann, shown, ChooseReminders(), [Reminders.DIRECT.value])
        assert "came back" not in text_of(after.response)


async def test_b61_a_vacation_stops_the_own_clock_and_the_others_see_until_when():
    async with discord_world() as world:
        ann, bea = world.person("Ann"), world.person("Bea")
        players = await sit_down(world, [ann, bea], robots=2, clock="24h")
        table = players[0].table
        await panel(world, ann, zone="UTC")
        before = await world.app.tables.view(table)
        last = (world.clock.now() + 4 * DAY).date()
        answer = await world.slash(ann, "hearts vacation", until=last.isoformat())
        assert answer.response.ephemeral
        after = await world.app.tables.view(table)
        hers, his = (before.chairs.index(Human(UserId(each.id))) for each in (ann, bea))
        moved = after.deadlines[hers] - before.deadlines[hers]
        assert timedelta(days=4) < moved <= timedelta(days=5)
        assert after.deadlines[his] == before.deadlines[his]
        await players[1].open_hand()
        await world.show()
        for seen in (players[1].hand, world.posts()[-1]):
            assert "Ann is away until" in text_of(seen)
        assert "Your vacation" in text_of(await panel(world, ann))
        await world.slash(ann, "hearts vacation", off=True)
        await world.show()
        assert "is away" not in text_of(world.posts()[-1])


async def test_who_plans_another_vacation_is_told_that_the_first_one_does_not_come():
    async with discord_world() as world:
        ann = world.person("Ann")
        await panel(world, ann, zone="Asia/Tokyo")
        today = world.clock.now().date()
        trips = [(3, 4), (20, 21)]
        days = [[(today + each * DAY).isoformat() for each in trip] for trip in trips]
        first, second = [
            await world.slash(ann, "hearts vacation", **{"from": begins, "until": ends})
            for begins, ends in days
        ]
        assert "takes the place" not in text_of(first.response)
        assert "takes the place of your vacation from <t:" in text_of(second.response)


async def test_b61_a_vacation_has_the_length_that_the_server_allows():
    async with discord_world() as world:
        ann = world.person("Ann")
        short = ServerSettings(vacation_days=7)
        await world.app.bot.services.settings.save_server(GuildId(world.guild.id), short)
        await panel(world, ann, zone="UTC")
        last = (world.clock.now() + 7 * DAY).date().isoformat()
        answer = await world.slash(ann, "hearts vacation", until=last)
        assert "7 days at most" in text_of(answer.response)
        assert (await stored(world, ann)).vacations == ()


async def test_dates_are_offered_with_the_day_of_the_week():
    async with discord_world() as world:
        ann = world.person("Ann")
        offered = await ann.autocomplete(world.channel, "hearts vacation", "until", "")
        assert len(offered) == 25
        today = world.clock.now().date()
        assert offered[0]["value"] == today.isoformat()
        assert today.strftime("%A") in offered[0]["name"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "`until` option"),
        ({"until": "2026-99-99"}, "time zone"),
        ({"off": True}, "no vacation"),
    ],
)
async def test_a_vacation_that_cannot_be_says_what_to_do(options: dict[str, Any], said: str):
    async with discord_world() as world:
        answer = await world.slash(world.person("Ann"), "hearts vacation", **options)
        assert said in text_of(answer.response)
