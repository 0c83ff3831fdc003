"""What every store promises about servers that are gone, and about what is kept too long (B74)."""

from datetime import timedelta

import pytest

from bot.rules.cards import Seat
from bot.table.departures import Departure
from bot.table.errors import UnknownTableError
from bot.table.events import GameStarted, TableClosed
from bot.table.ids import ChannelId, GuildId, Human, KeeperId, UserId
from bot.table.keeping import KeptWhere
from bot.table.state import Status, Table
from bot.table.storing import ServerSettings
from db.departures import SqlDepartures
from db.inventory import take
from db.retention import SqlArchive
from tests.db.contract.board import result
from tests.db.contract.erasures import rows
from tests.db.contract.keepers import keeper
from tests.support.store import CHANNEL, GUILD, HOST, START, Stores, cause, go_on, lobby, put

ELSEWHERE = GuildId(GUILD + 1)
GONE = Departure(GUILD, START, START + timedelta(days=30))
DAY = 86_400
BOTS_OWN = {"runtime", "alembic_version"}


async def a_server(stores: Stores, guild: GuildId) -> None:
    """Something of a server in every table of the database that may hold one."""
    channel, number = ChannelId(CHANNEL + guild), guild - GUILD
    table = lobby(f"table{number:03}", guild_id=guild, channel_id=channel)
    await put(stores, table, cause(name="Ann"), results=(result(HOST, 1, 20),))
    await stores.settings.save_server(guild, ServerSettings(greeted=True))
    where = KeptWhere(channel, HOST, guild)
    await stores.keepers.add(keeper(id=KeeperId(f"KEEP000{number}"), where=where))


async def ended(
    stores: Stores, name: str, days: float, *, began: bool, with_results: bool = False
) -> Table:
    """A table that was closed so many days after `START`."""
    table = lobby(name, channel_id=ChannelId(CHANNEL + int(name[-3:])))
    at = await put(stores, table)
    if began:
        chairs = (Human(HOST), *(Human(UserId(n)) for n in (1, 2, 3)))
        at = await go_on(stores, at, table, GameStarted(table.ruleset, chairs, Seat(0)))
    over = lobby(name, channel_id=table.channel_id, status=Status.CLOSED)
    given = {"results": (result(HOST, 1, 9),)} if with_results else {}
    await go_on(stores, at, over, TableClosed("host"), why=cause(days * DAY), **given)
    return over


class DepartureContract:
    @pytest.fixture
    def departures(self, stores: Stores) -> SqlDepartures:
        return SqlDepartures(stores.database)

    async def test_the_first_farewell_counts(self, departures: SqlDepartures):
        await departures.add(GONE)
        later = START + timedelta(days=5)
        await departures.add(Departure(GUILD, later, later + timedelta(days=30)))
        assert await departures.due(GONE.due_at, 9) == [GONE]
        assert await departures.due(GONE.due_at - timedelta(seconds=1), 9) == []

    async def test_a_server_that_is_there_has_not_left(self, departures: SqlDepartures):
        for guild in (GUILD, ELSEWHERE):
            await departures.add(Departure(guild, START, START))
        await departures.withdraw([ELSEWHERE, GuildId(7)])
        assert [each.guild_id for each in await departures.due(START, 9)] == [GUILD]

    async def test_all_servers_of_which_anything_is_stored_are_known(
        self, stores: Stores, departures: SqlDepartures
    ):
        assert await departures.known() == frozenset()
        await a_server(stores, GUILD)
        await stores.settings.remember_name(ELSEWHERE, HOST, "Ann")
        assert await departures.known() == {GUILD, ELSEWHERE}

    async def test_b74_a_purge_leaves_nothing_of_a_server_and_all_of_the_others(
        self, stores: Stores, departures: SqlDepartures
    ):
        await a_server(stores, ELSEWHERE)
        without = await rows(stores)
        await a_server(stores, GUILD)
        assert str(GUILD) in str(await rows(stores))  # the control: there was something
        await departures.add(GONE)
        assert await departures.purge(GUILD, GONE.due_at)
        assert await rows(stores) == without

    @pytest.mark.parametrize("early", [True, False])
    async def test_nothing_is_deleted_before_its_time_or_after_the_server_is_back(
        self, stores: Stores, departures: SqlDepartures, early: bool
    ):
        await a_server(stores, GUILD)
        before = await rows(stores)
        await departures.add(GONE)
        if not early:
            await departures.withdraw([GUILD])
        now = GONE.due_at - timedelta(seconds=1) if early else GONE.due_at
        assert not await departures.purge(GUILD, now)
        await departures.withdraw([GUILD])
        assert await rows(stores) == before


class RetentionContract:
    @pytest.fixture
    def archive(self, stores: Stores) -> SqlArchive:
        return SqlArchive(stores.database)

    async def test_the_course_of_an_old_game_goes_and_its_results_stay(
        self, stores: Stores, archive: SqlArchive
    ):
        old = await ended(stores, "game0001", 1, began=True, with_results=True)
        young = await ended(stores, "game0002", 9, began=True, with_results=True)
        assert await archive.prune_games(START + timedelta(days=2), 50) == 1
        assert await archive.prune_games(START + timedelta(days=2), 50) == 0
        with pytest.raises(UnknownTableError):
            await stores.events.load(old.id)
        assert len(await stores.events.load(young.id)) == 4
        assert (await stores.standings.person(GUILD, HOST)).games == 2
        versions = {row[0]: row[5] for row in (await rows(stores))["tables"]}
        assert versions == {old.id: 0, young.id: 4}
        inventory = await take(stores.database)
        assert inventory.versions == inventory.events == {young.id: 4}

    async def test_of_a_game_without_results_nothing_stays(
        self, stores: Stores, archive: SqlArchive
    ):
        untouched = await rows(stores)
        for number in (1, 2, 3):
            await ended(stores, f"game000{number}", 1, began=True)
        assert await archive.prune_games(START + timedelta(days=2), 2) == 2
        assert await archive.prune_games(START + timedelta(days=2), 2) == 1
        assert await rows(stores) == untouched

    async def test_a_lobby_that_never_began_goes_and_a_game_stays(
        self, stores: Stores, archive: SqlArchive
    ):
        await ended(stores, "idle0001", 1, began=False)
        game = await ended(stores, "game0002", 1, began=True)
        assert await archive.prune_lobbies(START + timedelta(days=2), 50) == 1
        assert [row[0] for row in (await rows(stores))["tables"]] == [game.id]

    async def test_what_is_alive_is_never_too_old(self, stores: Stores, archive: SqlArchive):
        await put(stores, lobby())
        before = await rows(stores)
        never = START + timedelta(days=9_999)
        assert await archive.prune_lobbies(never, 50) == await archive.prune_games(never, 50) == 0
        assert await rows(stores) == before

    async def test_a_score_keeper_goes_that_nobody_touched(
        self, stores: Stores, archive: SqlArchive
    ):
        await stores.keepers.add(keeper())
        assert await archive.prune_keepers(START) == 0
        assert await archive.prune_keepers(START + timedelta(seconds=1)) == 1
