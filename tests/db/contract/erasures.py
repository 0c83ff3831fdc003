"""What every store promises about people who are forgotten (B140)."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select
from sqlmodel import Session

from bot.rules.cards import Seat
from bot.rules.sentence import Sentence
from bot.table.away import Vacation
from bot.table.cuts import Cut
from bot.table.erasures import Erasure, StillSeatedError
from bot.table.events import (
    DealRevealed,
    DeckCut,
    HostChanged,
    PersonInvited,
    SeatTaken,
    TableClosed,
)
from bot.table.history import replay
from bot.table.ids import ChannelId, Human, KeeperId, TableId, UserId, former_id
from bot.table.keeping import KeptWhere
from bot.table.posting import Ping
from bot.table.state import Status
from bot.table.storing import At, PersonSettings, SecretDeal
from db.erasures import SqlErasures
from db.exports import SqlExports
from db.models import METADATA
from tests.db.contract.board import result
from tests.db.contract.keepers import keeper
from tests.support.store import CHANNEL, GUILD, HOST, START, Stores, cause, go_on, lobby, put

BEA = UserId(HOST + 1)
FORMER = former_id(b"\x07" * 8)
WISH = Erasure(HOST, START, START + timedelta(days=7))


async def rows(stores: Stores) -> dict[str, list[Any]]:
    """All that lies in the database, by table."""

    def unit(session: Session) -> dict[str, list[Any]]:
        connection = session.connection()
        return {
            name: [tuple(row) for row in connection.execute(select(table))]
            for name, table in METADATA.tables.items()
        }

    return await stores.database.read(unit)


async def told_of(stores: Stores, user_id: UserId) -> list[str]:
    """The tables of the database in which an id of a person stands anywhere."""
    return [name for name, found in (await rows(stores)).items() if str(user_id) in str(found)]


async def saying(stores: Stores, word: str) -> set[str]:
    """The tables of the database in which a word stands."""
    return {name for name, found in (await rows(stores)).items() if word in str(found)}


def sealed_deal(number: int) -> SecretDeal:
    return SecretDeal(deal=number, seed=b"\0" * 32, commitment="0" * 64)


async def a_past(stores: Stores) -> None:
    """Something of a person in every table of the database that may hold a person."""
    finished = lobby("over0001", chairs=(Human(HOST), Human(BEA), None, None))
    await put(stores, finished, cause(iid=1, name="Ann"), results=(result(HOST, 1, 20),))
    chairs = (None, Human(BEA), None, None)
    table = lobby("over0001", status=Status.CLOSED, host=BEA, chairs=chairs)
    at = (await replayed(stores, "over0001"))[1]
    await go_on(stores, at, table, HostChanged(BEA), TableClosed("host"), why=cause(2))
    named = lobby("other001", host=BEA, invited=(HOST,), chairs=(Human(BEA), None, None, None))
    ping = Ping(table_id=named.id, channel_id=CHANNEL, user_id=HOST, kind="play", moment=1)
    told = Sentence("<@{person}> left.", {"person": str(HOST)})
    at = await put(stores, named, cause(user_id=BEA), pings=(ping,), notices=(told,))
    await go_on(stores, at, named, PersonInvited(HOST), why=cause(1, user_id=BEA), pings=(ping,))
    await stores.settings.change_person(HOST, lambda _: PersonSettings(zone="Europe/Berlin"))
    await stores.keepers.add(keeper())
    await stores.keepers.add(keeper(id=KeeperId("BBBB2222"), where=KeptWhere(CHANNEL, BEA, GUILD)))


async def replayed(stores: Stores, table_id: str) -> Any:
    stored = await stores.events.load(TableId(table_id))
    return replay(stored).table, At(TableId(table_id), len(stored))


class ErasureContract:
    @pytest.fixture
    def erasures(self, stores: Stores) -> SqlErasures:
        return SqlErasures(stores.database)

    async def test_a_wish_is_kept_until_it_is_taken_back(self, erasures: SqlErasures):
        assert await erasures.of(HOST) is None
        assert await erasures.add(WISH) == WISH
        assert await erasures.of(HOST) == WISH
        assert await erasures.withdraw(HOST, START)
        assert await erasures.of(HOST) is None
        assert not await erasures.withdraw(HOST, START)

    async def test_who_asks_again_does_not_wait_any_longer(self, erasures: SqlErasures):
        await erasures.add(WISH)
        later = Erasure(HOST, START + timedelta(days=1), START + timedelta(days=8))
        assert await erasures.add(later) == WISH

    async def test_a_wish_that_is_due_cannot_be_taken_back(self, erasures: SqlErasures):
        await erasures.add(WISH)
        assert not await erasures.withdraw(HOST, WISH.due_at)
        assert await erasures.of(HOST) == WISH

    async def test_what_is_due_comes_in_order(self, erasures: SqlErasures):
        others: Sequence[Erasure] = [
            Erasure(UserId(HOST + n), START, START + timedelta(days=n)) for n in (3, 1, 2)
        ]
        for each in others:
            await erasures.add(each)
        due = await erasures.due(START + timedelta(days=2), 10)
        assert [each.user_id - HOST for each in due] == [1, 2]
        assert len(await erasures.due(START + timedelta(days=9), 2)) == 2

    async def test_b140_nothing_of_a_person_is_left_and_the_others_keep_theirs(
        self, stores: Stores, erasures: SqlErasures
    ):
        await a_past(stores)
        await erasures.add(WISH)
        before = await rows(stores)
        known = {"events", "seats", "results", "outbox", "persons", "members", "keepers"}
        assert set(await told_of(stores, HOST)) >= known  # the control: there was something
        changed = await erasures.carry_out(HOST, FORMER, stuck=())
        assert changed == {"over0001", "other001"}
        assert await told_of(stores, HOST) == []
        after = await rows(stores)
        same = {"tables", "events", "seats", "results", "timers", "posts", "deals", "guilds"}
        assert {name: len(after[name]) for name in same} == {
            name: len(before[name]) for name in same
        }
        assert str(BEA) in str(after["keepers"])
        assert FORMER in {row[3] for row in after["results"]}

    async def test_games_stay_as_they_were_but_for_the_name(
        self, stores: Stores, erasures: SqlErasures
    ):
        await a_past(stores)
        await erasures.add(WISH)
        table, at = await replayed(stores, "over0001")
        iids = [each.cause.interaction_id for each in await stores.events.load(at.table_id)]
        await erasures.carry_out(HOST, FORMER, stuck=())
        again, same = await replayed(stores, "over0001")
        assert same == at
        assert (again.status, again.host) == (table.status, table.host)
        assert again.chairs == (Human(FORMER), Human(BEA), None, None)
        stored = await stores.events.load(at.table_id)
        assert [each.cause.interaction_id for each in stored] == iids
        assert {each.cause.user_id for each in stored} == {FORMER}

    async def test_words_that_cut_a_deck_go_and_those_of_others_stay(
        self, stores: Stores, erasures: SqlErasures
    ):
        both = (Cut("open sesame", is_word=True), Cut("abracadabra", is_word=True), Cut("17"))
        chairs = (None, Human(BEA), None, None)
        table = lobby(chairs=chairs, host=BEA)
        at = await put(stores, table, cause(name="Ann"), secret_deals=(sealed_deal(1),))
        at = await go_on(stores, at, table, DeckCut(1, "open sesame"))
        at = await go_on(stores, at, table, DeckCut(1, "abracadabra"), why=cause(user_id=BEA))
        told = DealRevealed(1, b"\0" * 32, both)
        await go_on(stores, at, table, told, cuts={1: both})
        assert {"events", "deals"} <= await saying(stores, "open sesame")
        await erasures.add(WISH)
        await erasures.carry_out(HOST, FORMER, stuck=())
        assert await saying(stores, "open sesame") == set()
        assert {"events", "deals"} <= await saying(stores, "abracadabra")
        last = (await stores.events.load(table.id))[-1].event
        assert last == replace(told, cuts=(Cut("", is_word=True), *both[1:]))

    async def test_somebody_whose_id_begins_alike_is_not_meant(
        self, stores: Stores, erasures: SqlErasures
    ):
        longer = UserId(int(f"{BEA}7"[:18]))
        table = lobby(chairs=(Human(longer), None, None, None), host=longer)
        await put(stores, table, cause(user_id=longer))
        await erasures.add(Erasure(UserId(int(str(longer)[:-1])), START, START))
        await erasures.carry_out(UserId(int(str(longer)[:-1])), FORMER, stuck=())
        assert (await replayed(stores, table.id))[0].host == longer

    async def test_whoever_sits_at_a_live_table_is_not_forgotten_yet(
        self, stores: Stores, erasures: SqlErasures
    ):
        await put(stores, lobby(), cause(name="Ann"))
        await erasures.add(WISH)
        before = await rows(stores)
        with pytest.raises(StillSeatedError):
            await erasures.carry_out(HOST, FORMER, stuck=())
        assert await rows(stores) == before
        assert await erasures.carry_out(HOST, FORMER, stuck=[lobby().id]) == {lobby().id}
        assert await told_of(stores, HOST) == []

    async def test_it_happens_once_and_only_while_it_is_wished_for(
        self, stores: Stores, erasures: SqlErasures
    ):
        await a_past(stores)
        before = await rows(stores)
        assert await erasures.carry_out(HOST, FORMER, stuck=()) == frozenset()
        assert await rows(stores) == before
        assert await erasures.count() == 0
        await erasures.add(WISH)
        await erasures.carry_out(HOST, FORMER, stuck=())
        after = await rows(stores)
        again = await erasures.carry_out(HOST, former_id(b"\x01" * 8), stuck=())
        assert (again, await rows(stores)) == (frozenset(), after)
        assert await erasures.count() == 1

    async def test_who_comes_back_begins_anew(self, stores: Stores, erasures: SqlErasures):
        await a_past(stores)
        await erasures.add(WISH)
        await erasures.carry_out(HOST, FORMER, stuck=())
        assert (await stores.standings.person(GUILD, HOST)).games == 0
        assert await stores.settings.person(HOST) == PersonSettings()
        fresh = lobby("new00001", channel_id=ChannelId(7))
        await put(stores, fresh, cause(9, iid=99, name="Ann"))
        table, at = await replayed(stores, "other001")
        joined = SeatTaken(Seat(1), Human(HOST))
        await go_on(stores, at, table, joined, why=cause(10))
        assert await erasures.of(HOST) is None


class ExportContract:
    @pytest.fixture
    def exports(self, stores: Stores) -> SqlExports:
        return SqlExports(stores.database)

    async def test_all_that_is_stored_of_a_person_can_be_had(
        self, stores: Stores, exports: SqlExports
    ):
        await a_past(stores)
        away = Vacation(START, START + timedelta(days=2))
        settings = PersonSettings(zone="Europe/Berlin", vacations=(away,))
        await stores.settings.change_person(HOST, lambda _: settings)
        await SqlErasures(stores.database).add(WISH)
        about = await exports.about(HOST)
        assert about.preferences
        assert about.preferences["zone"] == "Europe/Berlin"
        assert about.preferences["vacations"] == [[away.begins, away.ends]]
        assert [row["name"] for row in about.names] == ["Ann"]
        assert [(row["table_id"], row["place"]) for row in about.results] == [("over0001", 1)]
        assert {each.table_id for each in about.tables} == {"over0001", "other001"}
        assert [row["owner"] for row in about.score_keepers] == [HOST]
        assert [row["about"] for row in about.calls] == ["play"]
        assert about.deletion
        assert about.deletion["due_at"] == WISH.due_at

    async def test_of_a_stranger_nothing_is_stored(self, stores: Stores, exports: SqlExports):
        await a_past(stores)
        about = await exports.about(UserId(HOST + 99))
        assert (about.preferences, about.deletion) == (None, None)
        assert not any((about.names, about.results, about.tables, about.calls))
