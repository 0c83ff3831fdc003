"""What the bot does is counted where it does it, and goes on as if nobody counted."""

from pathlib import Path

import pytest

from bot.counting import CountedEvents, CountedPoster, CountedThinking
from bot.rules.cards import Seat
from bot.rules.sentence import Sentence
from bot.rules.view import seat_view
from bot.table.errors import PlaceGoneError, RepeatedClickError, VersionConflictError
from bot.table.events import PostSurfaced
from bot.table.ids import ChannelId, InteractionId, MessageId
from bot.table.posting import LobbyPost
from bot.table.storing import At
from bot.table.tally import Tally
from bot.table.thinking import NoThoughtError
from bot.table.views import TableView
from cogs.poster import DiscordPoster
from tests.support.clock import HandClock
from tests.support.deals import deal_in_play
from tests.support.discord import World, discord_world
from tests.support.store import cause, followings, fresh_stores, lobby, opening

GONE = ChannelId(77)


@pytest.fixture
def tally() -> Tally:
    return Tally()


async def test_commits_repeats_and_writers_that_were_faster_are_counted_apart(
    tmp_path: Path, tally: Tally
):
    stores = await fresh_stores(tmp_path)
    events, table = CountedEvents(stores.database, HandClock(), tally), lobby()
    opened = opening(table)
    await events.commit(At(table.id, 0), opened, cause(iid=5), followings(table))
    after = At(table.id, len(opened))
    with pytest.raises(RepeatedClickError):
        await events.commit(after, (PostSurfaced(),), cause(iid=5), followings(table))
    with pytest.raises(VersionConflictError):
        await events.commit(At(table.id, 1), (PostSurfaced(),), cause(), followings(table))
    assert await events.is_known(InteractionId(5))
    assert not await events.is_known(InteractionId(6))
    await stores.database.close()
    assert tally.figures() == {
        "commit_seconds_most": 0,
        "commit_seconds_total": 0,
        "commits_total": 1,
        "conflicts_total": 1,
        "events_total": len(opened),
        "repeats_total": 2,
    }


async def test_a_robot_that_cannot_think_is_counted(tally: Tally):
    thinking = CountedThinking(HandClock(), tally, most=0)
    view = seat_view(deal_in_play("2C", "3C", "4C", "5C"), Seat(0))
    with pytest.raises(NoThoughtError):
        await thinking.ask("expert", view, b"seed")
    assert tally.figures() == {"thoughts_given_up_total": 1}


async def test_what_discord_refuses_is_counted_by_its_kind(tally: Tally):
    async with discord_world() as world:
        poster = CountedPoster(world.app.bot, HandClock(), tally)
        with pytest.raises(PlaceGoneError):
            await poster.send_notice(GONE, Sentence("Hello."), "n")
        await poster.delete(GONE, MessageId(5))
    assert tally.figures() == {
        "messages_deleted_total": 1,
        'postings_refused_total{kind="PlaceGoneError"}': 1,
    }


async def test_edits_that_follow_each_other_too_fast_are_counted_by_table(
    tally: Tally, monkeypatch
):
    async def edited(*_: object) -> None:
        """Stands in for Discord."""

    async with discord_world() as world:
        clock, (view, other) = HandClock(), [await a_lobby(world, name) for name in ("one", "two")]
        poster = CountedPoster(world.app.bot, clock, tally)
        monkeypatch.setattr(DiscordPoster, "edit_post", edited)
        for table, seconds in ((view, 0), (other, 0.5), (view, 0.5), (view, 0.9), (other, 0)):
            clock.move(seconds)
            await poster.edit_post(
                table.channel_id, MessageId(5), LobbyPost(table=table, live=True)
            )
    assert tally.figures() == {"edits_too_soon_total": 1, "posts_edited_total": 5}


async def a_lobby(world: World, channel: str) -> TableView:
    """A lobby in a channel of its own."""
    place = world.guild.create_text_channel(channel)
    await world.slash(world.person(channel), "hearts start", channel=place)
    newest, *_ = await world.tables()
    return await world.app.tables.view(newest.id)


def test_the_highest_of_some_values_is_kept(tally: Tally):
    for value in (2.0, 5.0, 3.0):
        tally.reach("commit_seconds_most", value)
    assert tally.figures() == {"commit_seconds_most": 5}


def test_labels_stand_in_a_fixed_order(tally: Tally):
    tally.count("refusals_total", kind="StaleClickError", place="lobby")
    tally.count("refusals_total", 2, place="lobby", kind="StaleClickError")
    assert tally.figures() == {'refusals_total{kind="StaleClickError",place="lobby"}': 3}
