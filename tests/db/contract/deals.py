"""What every store promises about the secrets of deals (reliability.md 5)."""

from bot.rules.cards import Seat
from bot.table.cuts import Cut
from bot.table.events import DealSealed, PlansMade, PostSurfaced, SeatTaken, TableClosed
from bot.table.ids import GuildId, Human, TableId, UserId
from bot.table.state import Status
from bot.table.storing import SecretDeal
from tests.support.store import GUILD, HOST, Stores, cause, go_on, lobby, put

ANN, BEA = UserId(2**62 + 1), UserId(2**62 + 2)
FIRST = SecretDeal(deal=1, seed=bytes(range(32)), commitment="c" * 64)
SECOND = SecretDeal(deal=2, seed=bytes(32), commitment="d" * 64)
CUTS = (Cut("žluťoučký kůň ♥️", is_word=True), Cut("1456074443980800018"), Cut(), Cut("", True))


class DealContract:
    async def test_a_seed_is_kept_as_it_was_drawn(self, stores: Stores):
        table = lobby()
        await put(stores, table, secret_deals=(FIRST,))
        assert dict((await stores.events.drawer(table.id)).deals) == {1: FIRST}

    async def test_cuts_come_to_the_deal_that_was_sealed_before(self, stores: Stores):
        table = lobby()
        at = await put(stores, table, secret_deals=(FIRST,))
        at = await go_on(stores, at, table, secret_deals=(SECOND,), cuts={1: CUTS})
        await go_on(stores, at, table, revealed=(1,))
        found = (await stores.events.drawer(table.id)).deals
        assert (found[1].seed, found[1].cuts) == (FIRST.seed, CUTS)
        assert found[2] == SECOND

    async def test_other_tables_secrets_stay_where_they_are(self, stores: Stores):
        one, other = lobby(), lobby("bbbb2222", channel_id=7)
        at = await put(stores, one, secret_deals=(FIRST,))
        await put(stores, other, secret_deals=(FIRST,))
        await go_on(stores, at, one, cuts={1: CUTS}, revealed=(1,))
        assert (await stores.events.drawer(other.id)).deals[1].cuts is None

    async def test_the_last_press_of_each_person_since_the_seal_is_known(self, stores: Stores):
        table = lobby()
        at = await put(stores, table, cause(iid=1))
        assert (await stores.events.drawer(table.id)).presses == {}
        for number, person in ((2, ANN), (3, BEA), (4, ANN)):
            at = await go_on(stores, at, table, why=cause(number, iid=number, user_id=person))
        at = await go_on(stores, at, table, why=cause(5, iid=None, user_id=BEA))
        at = await go_on(stores, at, table, why=cause(6, iid=None, user_id=None))
        assert (await stores.events.drawer(table.id)).presses == {ANN: 4, BEA: 3}

    async def test_a_press_before_the_newest_seal_counts_no_more(self, stores: Stores):
        table = lobby()
        at = await put(stores, table, cause(iid=1))
        sealed = DealSealed(2, "d" * 64)
        at = await go_on(stores, at, table, PostSurfaced(), sealed, why=cause(1, iid=2))
        assert (await stores.events.drawer(table.id)).presses == {}
        await go_on(stores, at, table, why=cause(2, iid=3))
        assert (await stores.events.drawer(table.id)).presses == {HOST: 3}

    async def test_a_plan_is_no_press_that_others_may_hear_of(self, stores: Stores):
        """The number of a press tells when it was made, and a plan is nobody else's business."""
        table = lobby()
        at = await put(stores, table, cause(iid=1))
        at = await go_on(stores, at, table, why=cause(1, iid=2))
        await go_on(stores, at, table, PlansMade(Seat(1), ()), why=cause(2, iid=3))
        assert (await stores.events.drawer(table.id)).presses == {HOST: 2}

    async def test_tables_that_are_over_are_listed_for_their_people_and_their_server(
        self, stores: Stores
    ):
        for number, guild in enumerate((GUILD, GuildId(5), GUILD)):
            name, channel = f"aaaa000{number}", 100 + number
            table = lobby(name, guild_id=guild, channel_id=channel)
            at = await put(stores, table, cause(number))
            if number == 1:
                seated = lobby(
                    name,
                    guild_id=guild,
                    channel_id=channel,
                    chairs=(Human(HOST), Human(ANN), None, None),
                )
                at = await go_on(stores, at, seated, SeatTaken(Seat(1), Human(ANN)))
                table = seated
            if number < 2:
                closed = lobby(
                    name,
                    guild_id=guild,
                    channel_id=channel,
                    chairs=table.chairs,
                    status=Status.CLOSED,
                    closed_because="host",
                )
                await go_on(stores, at, closed, TableClosed("host"), why=cause(60))
        ended = stores.events.ended_tables
        assert [row.table_id for row in await ended(HOST, GUILD, 9)] == ["aaaa0001", "aaaa0000"]
        assert [row.table_id for row in await ended(HOST, GUILD, 1)] == ["aaaa0001"]
        assert [row.table_id for row in await ended(ANN, None, 9)] == ["aaaa0001"]
        assert [row.table_id for row in await ended(BEA, GUILD, 9)] == ["aaaa0000"]
        assert list(await ended(BEA, None, 9)) == []
        assert TableId("aaaa0002") in {row.table_id for row in await stores.events.tables_of(HOST)}
