"""People who are forgotten, at tables that go on (B140): each once, whatever fails in between."""

import logging
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import update

from bot.rules.dimensions import DealCount
from bot.table.caretaker import Caretaker
from bot.table.departures import Farewells
from bot.table.erasures import COOLING_OFF, ErasureGoneError, Forgetting
from bot.table.history import replay
from bot.table.ids import Human, Robot, UserId, is_former
from bot.table.retention import Kept
from bot.table.state import Status
from db.departures import SqlDepartures
from db.erasures import SqlErasures
from db.models import EVENTS
from db.retention import SqlArchive
from tests.db.contract.erasures import told_of
from tests.support.store import fresh_stores
from tests.support.tables import STANDARD, Room

ANN, BEA, CYD, EVE = (UserId(1_200_000_000_000_000_001 + number) for number in range(4))
"""Long, so that nothing else in a database looks alike."""
ONE_DEAL = replace(STANDARD, end=DealCount(1))
WEEK = COOLING_OFF.total_seconds()


@pytest.fixture
async def stores(tmp_path):
    opened = await fresh_stores(tmp_path)
    yield opened
    await opened.database.close()


@pytest.fixture
def room(stores):
    return Room(stores.events, stores.work)


def forgetting(stores, room, tables=None):
    servers = (tables or room.tables).servers
    return Forgetting(SqlErasures(stores.database), servers, room.clock, room.seeds)


async def after_a_week(stores, room, *people):
    """Everybody asks, a week goes by, and what is due is done."""
    service = forgetting(stores, room)
    for person in people:
        await service.ask(person)
    room.clock.move(WEEK)
    return await service.carry_out_due()


async def test_a_game_is_played_to_its_end_without_the_person(stores, room):
    table = (await room.started(ANN, BEA, CYD, ruleset=ONE_DEAL)).id
    await room.everybody_passes(table)
    before = await stores.events.load(table)
    assert await after_a_week(stores, room, ANN) == 1
    after = await stores.events.load(table)
    for stored in (before, after[: len(before)]):
        assert replay(stored).fault is None
    assert replay(after[: len(before)]).table.game == replay(before).table.game
    view = await room.play_until(table, 99)
    assert view.status is Status.OVER
    assert view.host == BEA
    assert await told_of(stores, ANN) == []
    results = await stores.standings.person(view.guild_id, BEA)
    assert (results.games, results.rated_games) == (1, 1)


async def test_a_finished_game_keeps_scores_places_and_version_and_has_its_rematch(stores, room):
    table = (await room.started(ANN, BEA, CYD, ruleset=ONE_DEAL)).id
    over = await room.play_until(table, 99)
    mine = await stores.standings.person(over.guild_id, BEA)
    assert await after_a_week(stores, room, ANN) == 1
    again = await room.tables.view(table)
    assert again.version == over.version
    assert (again.game, again.status) == (over.game, over.status)
    assert await stores.standings.person(over.guild_id, BEA) == mine
    former = again.chairs[0]
    assert isinstance(former, Human)
    assert is_former(former.user_id)
    board = await stores.standings.board(over.guild_id, since=None, page=1, asking=BEA)
    assert sum(is_former(line.user_id) for line in board.lines) == 1
    rematch = await room.tables.rematch(room.by(BEA), table)
    assert rematch.invited == (CYD,)
    for person in (CYD, EVE):  # no chair is kept for the one who is gone
        await room.tables.join(room.by(person), rematch.id)


async def test_two_who_go_become_two_and_a_table_of_nobody_ends(stores, room):
    table = (await room.started(ANN, BEA)).id
    assert await after_a_week(stores, room, ANN, BEA) == 2
    assert (await room.tables.view(table)).status is Status.CLOSED
    assert await told_of(stores, ANN) == await told_of(stores, BEA) == []
    acted = {each.cause.user_id for each in await stores.events.load(table)} - {None}
    assert len(acted) == 2
    assert all(map(is_former, acted))


async def test_a_seat_that_a_robot_keeps_is_kept_no_more(stores, room):
    table = (await room.started(ANN, BEA, CYD, ruleset=ONE_DEAL)).id
    await room.tables.leave(room.by(BEA), table)
    await after_a_week(stores, room, BEA)
    view = await room.tables.view(table)
    assert view.chairs[1] == Robot("steady")
    await room.tables.substitute(room.by(EVE), table, 1)
    assert await told_of(stores, BEA) == []


@pytest.mark.thorough
async def test_another_process_does_not_bring_the_id_back(stores, room):
    """It remembers the tables as they were, and goes on with them."""
    running = (await room.started(ANN, BEA, CYD, ruleset=ONE_DEAL)).id
    over = (await room.started(ANN, BEA, CYD, ruleset=ONE_DEAL, channel_id=12)).id
    await room.play_until(over, 99)
    other = room.another_manager()
    for table in (running, over):
        assert ANN in [getattr(chair, "user_id", 0) for chair in (await other.view(table)).chairs]
    elsewhere = forgetting(stores, room, other)
    await elsewhere.hear_of_others()
    await after_a_week(stores, room, ANN)
    await elsewhere.hear_of_others()
    await other.substitute(room.by(EVE), running, 0)
    await other.rematch(room.by(BEA), over)
    assert await told_of(stores, ANN) == []


async def test_a_process_that_heard_of_nothing_would_bring_it_back(stores, room):
    """The control of the test above: what is remembered is what would do it."""
    over = (await room.started(ANN, BEA, CYD, ruleset=ONE_DEAL, channel_id=12)).id
    await room.play_until(over, 99)
    other = room.another_manager()
    await other.view(over)
    await after_a_week(stores, room, ANN)
    rematch = await other.rematch(room.by(BEA), over)
    assert ANN in rematch.invited


async def test_a_crash_between_leaving_and_deleting_is_made_good(stores, room, caplog):
    table = (await room.started(ANN, BEA, CYD, ruleset=ONE_DEAL)).id
    broken, failed = forgetting(stores, room), []

    async def dies(*_args, **_options):
        failed.append(1)
        raise OSError

    broken._erasures.carry_out = dies
    await broken.ask(ANN)
    room.clock.move(WEEK)
    with caplog.at_level(logging.CRITICAL):
        assert await broken.carry_out_due() == 0
    assert failed
    assert (await room.tables.view(table)).chairs[0] == Robot("steady")
    assert await told_of(stores, ANN) != []
    assert await forgetting(stores, room).carry_out_due() == 1
    assert await told_of(stores, ANN) == []


async def test_one_who_cannot_be_forgotten_keeps_nobody_else_waiting(stores, room, caplog):
    service = forgetting(stores, room)
    real = service._erasures.carry_out

    async def fails_for_ann(user_id, former, *, stuck):
        if user_id == ANN:
            raise OSError
        return await real(user_id, former, stuck=stuck)

    service._erasures.carry_out = fails_for_ann
    for person in (ANN, BEA):
        await service.ask(person)
    room.clock.move(WEEK)
    with caplog.at_level(logging.ERROR):
        assert await service.carry_out_due() == 1
    assert str(ANN) not in caplog.text
    assert await service.wished(ANN)
    assert await service.wished(BEA) is None


async def test_a_table_that_cannot_be_read_holds_nobody_back(stores, room, caplog):
    table = (await room.started(ANN, BEA, CYD)).id
    damage = update(EVENTS).where(EVENTS.c.kind == "deal_began").values(kind="written by whom")
    await stores.database.write(lambda session: session.connection().execute(damage).rowcount)
    room.tables.servers.drop(None)
    with caplog.at_level(logging.CRITICAL):
        assert await after_a_week(stores, room, ANN) == 1
    assert await told_of(stores, ANN) == []
    assert table in {row.table_id for row in await stores.events.tables_of(BEA)}


async def test_what_is_due_can_be_called_off_no_more(stores, room):
    service = forgetting(stores, room)
    with pytest.raises(ErasureGoneError):
        await service.keep(ANN)
    wish = await service.ask(ANN)
    assert wish.due_at - wish.asked_at == COOLING_OFF
    room.clock.move(WEEK)
    with pytest.raises(ErasureGoneError):
        await service.keep(ANN)


class Everywhere:
    """All servers are there."""

    def is_gone(self, guild_id):
        return False


async def test_the_caretaker_makes_its_rounds_and_tidies_once_a_day(stores, room):
    rounds = []

    class Archive(SqlArchive):
        async def prune_keepers(self, before):
            rounds.append(before)
            return await super().prune_keepers(before)

    servers = room.tables.servers
    caretaker = Caretaker(
        forgetting=forgetting(stores, room),
        farewells=Farewells(SqlDepartures(stores.database), servers, room.clock),
        presence=Everywhere(),
        archive=Archive(stores.database),
        kept=Kept(timedelta(days=400)),
        settings=stores.settings,
        clock=room.clock,
    )
    table = (await room.started(ANN, BEA)).id
    await room.tables.end(room.by(ANN), table, moderator=False)
    for days in (0, 0.5, 0.6, 1, 40, 400):
        room.clock.move(days * 86_400)
        await caretaker.look_after()
    assert len(rounds) == 5
    assert await told_of(stores, ANN) == ["members"]
