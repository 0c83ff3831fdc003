"""Restarts, outages and set-up: rows B34, B90, B91, B96, B99 and B101 of the known cases."""

import re
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import discord
import pytest

from bot import OperatorError, app
from bot.settings import Settings
from bot.stopping import Stop
from bot.table.events import TableEvent
from bot.table.posting import DealPost
from cogs.client import HeartsBot
from cogs.permissions import INVITE
from db.migrate import upgrade
from tests.support.discord import discord_world, text_of
from tests.support.games import sit_down
from tests.support.rooms import STORES, room_on
from tests.support.store import url_of
from tests.support.tables import ANN, BEA, FOUR, Room

ROOT = Path(__file__).parents[2]
HOUR = 3_600


@pytest.mark.case("B34")
async def test_b34_the_database_itself_gives_nobody_two_seats_at_a_table(tmp_path: Path):
    file = tmp_path / "hearts.db"
    await upgrade(url_of(file))
    with closing(sqlite3.connect(file)) as database:
        database.execute("INSERT INTO seats (table_id, seat, user_id) VALUES ('a', 0, 7)")
        database.execute("INSERT INTO seats (table_id, seat, user_id) VALUES ('b', 0, 7)")
        with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
            database.execute("INSERT INTO seats (table_id, seat, user_id) VALUES ('a', 1, 7)")


async def game_of(room: Room, *, restarts: bool) -> list[TableEvent]:
    """All that happens in a game of one deal, if need be in a new process for every event."""
    view = await room.started(ANN, BEA, seats=4)
    while view.game is None or not view.game.scores:
        if restarts:
            room.tables = room.another_manager()
        waiting = await room.waited_for(view.id)
        if waiting:
            await room.move(waiting[0])
        else:
            room.clock.move(1)
            await room.fire_due()
        view = await room.tables.view(view.id)
    return [entry.event for entry in await room.store.load(view.id)]


@pytest.mark.case("B90")
@pytest.mark.parametrize("store", STORES)
@pytest.mark.thorough
async def test_b90_a_restart_between_any_two_events_changes_no_game(tmp_path: Path, store: str):
    """Where no process remembers anything, the store has to; a kill within a move is elsewhere."""
    (tmp_path / "one").mkdir()
    (tmp_path / "many").mkdir()
    async with room_on(store, tmp_path / "one") as one, room_on(store, tmp_path / "many") as many:
        uninterrupted = await game_of(one, restarts=False)
        assert len(uninterrupted) > 60
        assert await game_of(many, restarts=True) == uninterrupted


@pytest.mark.case("B91")
async def test_b91_an_outage_gives_everybody_the_time_back_and_says_so_in_the_post():
    async with discord_world() as world:
        people = [world.person(name) for name in ("Ann", "Bea")]
        [player, _] = await sit_down(world, people, robots=2, clock="8h")
        await world.app.timekeeper.credit_outage()
        before = await world.app.tables.view(player.table)
        assert stamps(world) == {until(before)}
        await world.env.advance_time(5 * HOUR)

        await world.restart()
        await world.app.timekeeper.credit_outage()
        await world.show()

        after = await world.app.tables.view(player.table)
        assert until(after) == until(before) + 5 * HOUR
        assert stamps(world) == {until(after)}


def until(view: Any) -> int:
    [moment] = set(view.deadlines.values())
    return int(moment.timestamp())


def stamps(world: Any) -> set[int]:
    """The moments that the opening of the deal names."""
    [deal] = [text_of(post) for post in world.posts() if "### Deal 1" in text_of(post)]
    return {int(moment) for moment in re.findall(r"<t:(\d+):", deal)}


@pytest.mark.case("B91")
async def test_b91_a_short_stop_moves_nothing():
    async with discord_world() as world:
        people = [world.person(name) for name in ("Ann", "Bea")]
        [player, _] = await sit_down(world, people, robots=2, clock="8h")
        await world.app.timekeeper.credit_outage()
        before = await world.app.tables.view(player.table)
        await world.env.advance_time(60)
        await world.restart()
        assert await world.app.timekeeper.credit_outage() == timedelta()
        world.wire.payloads.clear()
        await world.show()
        assert (await world.app.tables.view(player.table)).deadlines == before.deadlines
        assert [path for method, path, _ in world.wire.payloads if method == "PATCH"] == []


@pytest.mark.case("B99")
def test_b99_the_printed_invitation_has_both_scopes_and_only_needed_permissions():
    page = (ROOT / "README.md").read_text("utf-8")
    [address] = re.findall(r"https://discord\.com/oauth2/authorize\?\S+", page)
    assert "scope=bot+applications.commands" in address
    [asked] = re.findall(r"permissions=(\d+)", address)
    assert discord.Permissions(int(asked)) == INVITE
    assert (
        discord.Permissions(
            view_channel=True,
            send_messages=True,
            send_messages_in_threads=True,
            create_public_threads=True,  # C5 37: for threads alone, which a server has to want
            read_message_history=True,
        )
        == INVITE
    )


@pytest.mark.case("B101")
async def test_b101_a_token_that_discord_refuses_is_one_sentence_and_never_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    token = "MTIzNDU2Nzg5MDEyMzQ1Njc4OQ.Gplant.notARealTokenButOfTheRightShape0123"

    async def refused(_bot: HeartsBot, _token: str) -> None:
        raise discord.LoginFailure("Improper token has been passed.")

    monkeypatch.setattr(HeartsBot, "login", refused)
    monkeypatch.setenv("DISCORD_TOKEN", f' "{token}"\n')
    monkeypatch.setenv("DATABASE_URL", url_of(tmp_path / "hearts.db"))
    with closing(Stop()) as stop, pytest.raises(OperatorError) as ended:
        await app.run(Settings(_env_file=None), stop)
    said = str(ended.value)
    assert ended.value.exit_code == 2
    assert "DISCORD_TOKEN" in said
    assert "Bot → Reset Token" in said
    assert token not in said
    assert "\n" not in said


@pytest.mark.case("B90")
@pytest.mark.parametrize("store", STORES)
async def test_b90_a_lobby_and_its_posts_are_found_again(tmp_path: Path, store: str):
    async with room_on(store, tmp_path) as room:
        view = await room.started(*FOUR)
        room.tables = room.another_manager()
        assert await room.tables.view(view.id) == view
        post, _ = await room.tables.post(view.id, "deal:1")
        assert isinstance(post, DealPost)
        assert post.waiting == (0, 1, 2, 3)
