"""What every store promises about settings."""

import asyncio
from dataclasses import replace
from datetime import time, timedelta

import pytest

from bot.table.away import QuietHours, Vacation
from bot.table.errors import UnknownTableError
from bot.table.ids import ChannelId, GuildId, TableId, UserId
from bot.table.storing import HouseRules, PersonSettings, Reminders, ServerSettings
from tests.support.store import GUILD, HOST, START, Stores

DAY = timedelta(days=1)


class ChoiceContract:
    async def test_who_chose_nothing_has_the_defaults(self, stores: Stores):
        assert await stores.settings.server(GUILD) == ServerSettings()
        assert await stores.settings.person(HOST) == PersonSettings()

    async def test_a_servers_choice_is_kept_whole(self, stores: Stores):
        chosen = ServerSettings(
            variant="red_jack",
            house_rules=(
                HouseRules("7", "Friday", {"end": {"target": 50}, "points": {"JD": -10}}),
                HouseRules("12", "Ännchens *Regeln* 👑", {"extends": "killer"}),
            ),
            default_house="12",
            clock="live",
            channels=(ChannelId(2**62), ChannelId(5)),
            greeted=True,
            vacation_days=7,
            threads=True,
            claims="itself",
        )
        await stores.settings.save_server(GUILD, chosen)
        assert await stores.settings.server(GUILD) == chosen
        assert await stores.settings.server(GuildId(GUILD + 1)) == ServerSettings()

    async def test_the_last_choice_counts(self, stores: Stores):
        await stores.settings.save_server(GUILD, ServerSettings(variant="killer", clock="live"))
        await stores.settings.save_server(GUILD, ServerSettings())
        assert await stores.settings.server(GUILD) == ServerSettings()

    async def test_a_persons_choice_is_kept_whole(self, stores: Stores):
        chosen = PersonSettings(
            confirm_cards=True,
            reminders=Reminders.DIRECT,
            direct_refused=True,
            zone="Asia/Kathmandu",
            quiet=QuietHours("Asia/Kathmandu", time(22, 30), time(7)),
            vacations=(Vacation(START, START + DAY), Vacation(START + 9 * DAY, START + 10 * DAY)),
        )
        await stores.settings.change_person(HOST, lambda _: chosen)
        assert await stores.settings.person(HOST) == chosen
        assert await stores.settings.person(UserId(HOST + 1)) == PersonSettings()

    async def test_changes_at_the_same_moment_do_not_lose_each_other(self, stores: Stores):
        """Two processes may hold servers of the same person: only the database sees both."""
        settings = stores.settings
        await asyncio.gather(
            settings.change_person(HOST, lambda before: replace(before, confirm_cards=True)),
            settings.change_person(HOST, lambda before: replace(before, zone="Asia/Tokyo")),
            settings.change_person(HOST, lambda before: replace(before, plays_forced=True)),
        )
        found = await settings.person(HOST)
        assert (found.confirm_cards, found.zone, found.plays_forced) == (True, "Asia/Tokyo", True)
        _, after = await settings.change_person(HOST, lambda before: before)
        assert after == found

    async def test_a_change_that_may_not_be_changes_nothing(self, stores: Stores):
        def refuse(_before: PersonSettings) -> PersonSettings:
            raise UnknownTableError(TableId("AAAA1111"))

        with pytest.raises(UnknownTableError):
            await stores.settings.change_person(HOST, refuse)
        assert await stores.settings.persons([HOST]) == {}

    async def test_many_are_asked_about_at_once_and_who_chose_nothing_is_left_out(
        self, stores: Stores
    ):
        chosen = PersonSettings(reminders=Reminders.OFF)
        await stores.settings.change_person(HOST, lambda _: chosen)
        await stores.settings.change_person(UserId(5), lambda _: PersonSettings())
        assert await stores.settings.persons([HOST, UserId(6)]) == {HOST: chosen}
        assert await stores.settings.persons([]) == {}

    async def test_the_last_name_counts_in_its_server(self, stores: Stores):
        await stores.settings.remember_name(GUILD, HOST, "Ann")
        await stores.settings.remember_name(GUILD, HOST, "Ännchen 👑")
        await stores.settings.remember_name(GuildId(9), HOST, "Other")
        assert await stores.events.names(GUILD, [HOST, UserId(5)]) == {HOST: "Ännchen 👑"}
        assert await stores.events.names(GUILD, []) == {}

    async def test_the_bot_remembers_for_itself(self, stores: Stores):
        assert await stores.settings.remembered("commands") is None
        await stores.settings.remember("commands", "one")
        await stores.settings.remember("commands", "two")
        assert await stores.settings.remembered("commands") == "two"
