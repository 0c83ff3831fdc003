"""What was stored of choices, read by a program that does not allow all of it."""

from collections.abc import AsyncIterator
from datetime import time
from pathlib import Path
from typing import Any

import pytest

from bot.table.away import QuietHours, Vacation
from bot.table.storing import PersonSettings, Reminders, ServerSettings
from db.columns import moment
from db.models import GUILDS, PERSONS
from db.statements import upsert
from tests.support.store import GUILD, HOST, Stores, fresh_stores

SOUND: dict[str, Any] = {
    "confirm_cards": True,
    "reminders": "dm",
    "zone": "UTC",
    "quiet": ["22:00", "07:00"],
    "vacations": [[1_000, 2_000]],
}
READ = PersonSettings(
    confirm_cards=True,
    reminders=Reminders.DIRECT,
    zone="UTC",
    quiet=QuietHours("UTC", time(22), time(7)),
    vacations=(Vacation(moment(1_000), moment(2_000)),),
)


@pytest.fixture
async def stores(tmp_path: Path) -> AsyncIterator[Stores]:
    opened = await fresh_stores(tmp_path)
    yield opened
    await opened.database.close()


async def read(stores: Stores, **changes: object) -> PersonSettings:
    row = {"user_id": HOST, "settings": SOUND | changes}
    await stores.database.write(lambda session: upsert(session, PERSONS, row, keys=("user_id",)))
    return await stores.settings.person(HOST)


async def test_what_is_sound_is_read_whole(stores: Stores):
    assert await read(stores) == READ


@pytest.mark.parametrize(
    "hours", [["08:00", "07:00"], ["22:00"], ["late", "07:00"], [22, 7], "22:00", 5]
)
async def test_quiet_hours_that_may_not_be_are_none_and_the_rest_stays(
    stores: Stores, caplog: pytest.LogCaptureFixture, hours: object
):
    """Those from 8 to 7 last longer than `bot.table.away.LONGEST_QUIET`."""
    chosen = await read(stores, quiet=hours)
    assert chosen.quiet is None
    assert (chosen.zone, chosen.vacations) == (READ.zone, READ.vacations)
    assert "quiet hours" in caplog.text


@pytest.mark.parametrize("bad", [[2_000, 1_000], [1_000], ["soon", "late"], 5, [0, 10**30]])
async def test_a_vacation_that_cannot_be_is_left_out_and_the_rest_stays(
    stores: Stores, caplog: pytest.LogCaptureFixture, bad: object
):
    chosen = await read(stores, vacations=[bad, *SOUND["vacations"]])
    assert (chosen.quiet, chosen.vacations) == (READ.quiet, READ.vacations)
    assert "vacation" in caplog.text


async def test_a_zone_and_a_way_of_calling_that_nobody_knows_are_the_defaults(stores: Stores):
    chosen = await read(stores, zone="Atlantis", reminders="pigeon")
    assert (chosen.zone, chosen.quiet) == (None, None)
    assert chosen.reminders is PersonSettings().reminders


@pytest.mark.parametrize(
    ("stored", "read"),
    [
        ({}, ServerSettings()),
        ({"threads": True, "claims": "itself"}, ServerSettings(threads=True, claims="itself")),
        ({"threads": "often", "claims": "itself"}, ServerSettings(claims="itself")),
        ({"threads": None, "claims": "never"}, ServerSettings()),
        ({"threads": True, "claims": None}, ServerSettings(threads=True)),
        ({"threads": True, "claims": ["itself"]}, ServerSettings(threads=True)),
    ],
)
async def test_what_a_server_never_chose_or_cannot_have_chosen_is_the_default(
    stores: Stores, stored: dict[str, Any], read: ServerSettings
):
    row = {"guild_id": GUILD, "settings": stored}
    await stores.database.write(lambda session: upsert(session, GUILDS, row, keys=("guild_id",)))
    assert await stores.settings.server(GUILD) == read
