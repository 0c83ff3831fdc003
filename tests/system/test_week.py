"""A game of a week: two friends on two continents, two robots, and a restart every day.

Ann lives in Berlin and Ben in Tokyo; both sleep at night. The whole bot on a simulated Discord,
its loops running as they run for real, used through commands and clicks alone.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest

from bot.rules.cards import Seat
from bot.rules.state import Phase
from bot.table.ids import GuildId, Human, Robot, UserId
from bot.table.state import Status
from bot.table.views import TableView
from cogs.ui import ids, vote_ids
from cogs.ui.preference_ids import AskHours, ChooseReminders
from cogs.ui.preferences import BEGINS, ENDS, ZONE
from tests.support.bells import Bell, Bells, Night
from tests.support.discord import World, discord_world, text_of
from tests.support.evening import Evening, Guest, evening
from tests.support.histories import replayed
from tests.support.house import server_playing
from tests.support.truth import counted
from tests.support.wire import Request
from tests.support.witness import standing_calls

pytestmark = pytest.mark.slow

MINUTE, HOUR, DAY = 60, 3_600, 86_400
MONDAY, SEVEN = 0, 7
BERLIN = Night("Europe/Berlin", time(22), time(8))
TOKYO = Night("Asia/Tokyo", time(23), time(8))
TWO_DEALS = {"end": {"hands": 2}}


@dataclass(slots=True)
class Week:
    """The table of the two, and all that is heard of it."""

    night: Evening
    bells: Bells
    ann: Guest
    ben: Guest
    restarted_at: datetime
    restarts: int = 0

    @property
    def world(self) -> World:
        return self.night.world

    @property
    def now(self) -> datetime:
        return self.world.clock.now()

    async def view(self) -> TableView:
        return await self.world.app.tables.view(self.night.truth.id)

    async def seat_of(self, guest: Guest) -> Seat:
        chairs = (await self.view()).chairs
        owners = [
            getattr(each, "user_id", None) or getattr(each, "keeps_for", None) for each in chairs
        ]
        return Seat(owners.index(guest.member.id))

    async def deadline_of(self, guest: Guest) -> datetime:
        return (await self.view()).deadlines[await self.seat_of(guest)]

    async def live(self, seconds: float) -> None:
        """Let so much time go by, with a restart each day."""
        end = self.now + timedelta(seconds=seconds)
        while (next_start := self.restarted_at + timedelta(days=1)) <= end:
            await self.night.loops.live(max(0.0, (next_start - self.now).total_seconds()))
            await self.restart()
        await self.night.loops.live(max(0.0, (end - self.now).total_seconds()))

    async def live_until(self, moment: datetime) -> None:
        await self.live((moment - self.now).total_seconds() + 5)

    async def restart(self) -> None:
        """Another process on the same file, after a few seconds."""
        await self.world.work.beat(self.now)
        await self.world.restart()
        await self.world.env.advance_time(5)
        assert await self.world.app.timekeeper.credit_outage() == timedelta()
        self.restarted_at, self.restarts = self.now, self.restarts + 1

    async def turn_of(self, guest: Guest, *, pause: float = 30) -> None:
        """Everybody else plays on until the game waits for this person alone, in a trick."""
        while not self.night.is_over:
            awaited = self.night.awaited()
            others = [each for each in awaited if each is not guest]
            if others:
                await self.live(pause)
                await others[0].move()
            elif not awaited:
                await self.night._wait_for_robots()
            elif self.night.truth.now.phase is Phase.PLAYING:
                await self.live(pause)
                return
            else:
                await guest.move()

    def said(self, words: str) -> list[str]:
        return [text for text in map(text_of, self.world.posts()) if words in text]

    def heard(self, guest: Guest, since: datetime) -> list[Bell]:
        return [bell for bell in self.bells.of(UserId(guest.member.id)) if bell.at >= since]


async def sleeps(world: World, person: Any, night: Night, manner: str) -> None:
    """Somebody chooses quiet hours and how to be called, in `/preferences`."""
    panel = (await world.slash(person, "preferences")).response
    asked = await world.press(person, panel, AskHours())
    typed = {ZONE: night.zone, BEGINS: f"{night.begins:%H:%M}", ENDS: f"{night.ends:%H:%M}"}
    kept = await person.submit_modal(asked, typed)
    assert f"Quiet from {night.begins:%H:%M}" in text_of(kept.response)
    await world.choose(person, panel, ChooseReminders(), [manner])


@asynccontextmanager
async def the_table() -> AsyncIterator[Week]:
    """Ann and Ben have sat down on a Monday, at eight in Berlin and four in Tokyo."""
    async with discord_world() as world:
        settings = world.app.bot.services.settings
        await settings.save_server(GuildId(world.guild.id), server_playing(TWO_DEALS))
        await world.env.advance_time(
            (_monday(world.clock.now()) - world.clock.now()).total_seconds()
        )
        ann, ben = world.person("Ann"), world.person("Ben")
        await sleeps(world, ann, BERLIN, "mention")
        await sleeps(world, ben, TOKYO, "dm")
        bells = Bells(world, {UserId(ann.id): BERLIN, UserId(ben.id): TOKYO})
        world.wire.listeners.append(bells.hear)
        async with evening(world, seed=11) as night:
            await night.sit_down([ann, ben], robots=2, clock="24h")
            first, second = night.guests
            yield Week(night, bells, first, second, world.clock.now())


def _monday(at: datetime) -> datetime:
    days = (MONDAY - at.weekday()) % 7 or 7
    return datetime(at.year, at.month, at.day, SEVEN, tzinfo=UTC) + timedelta(days=days)


@pytest.mark.thorough
async def test_two_friends_on_two_continents_play_for_a_week():
    async with the_table() as week:
        began = week.now
        await an_afternoon(week)
        await ben_is_late_once(week)
        await a_pause_of_a_day(week)
        await ben_is_on_vacation(week)
        await ann_is_reminded(week)
        await ben_is_late_twice_in_a_row(week)
        await they_finish(week)
        assert timedelta(days=7) <= week.now - began < timedelta(days=9)
        assert week.restarts >= 7
        await judge(week)


async def an_afternoon(week: Week) -> None:
    """Hands that were opened twenty minutes and three hours ago play their cards."""
    for guest, wait in ((week.ann, 20 * MINUTE), (week.ben, 3 * HOUR)):
        await week.turn_of(guest)
        if not guest.wants_to_act:
            await guest.look_again()
        message, before = guest.hand.id, (await week.view()).version
        await week.live(wait)
        assert await guest.act()
        assert guest.hand.id == message
        assert (await week.view()).version > before
        await week.live(5)


def tricks_standing(week: Week) -> list[Any]:
    return [post for post in week.world.posts() if "### Trick" in text_of(post)]


async def ben_is_late_once(week: Week) -> None:
    """Two days go by, with a nudge and two reminders; then a robot plays one card for him."""
    await week.turn_of(week.ben)
    since, seat, due = week.now, await week.seat_of(week.ben), await week.deadline_of(week.ben)
    assert due - since > timedelta(hours=47)
    await week.ann.look_again()
    old_hand, old_posts = week.ann.hand.id, tricks_standing(week)
    await week.live(HOUR)
    nudged = await week.world.slash(week.ann.member, "hearts nudge")
    assert nudged.response is not None
    assert nudged.response.ephemeral
    await week.live_until(due)
    words = [bell.words for bell in week.heard(week.ben, since) if bell.direct]
    assert len(words) == len(week.heard(week.ben, since)) == 3
    assert ["looking forward" in each for each in words] == [True, False, False]
    assert ["Most of your time is over" in each for each in words] == [False, False, True]
    [told] = week.said("ran out of time, so a robot played the ")
    assert "The seat is still theirs" in told
    assert (await week.view()).chairs[seat] == Human(UserId(week.ben.member.id))
    await old_buttons(week, old_hand, old_posts)


async def old_buttons(week: Week, old_hand: int, old_posts: list[Any]) -> None:
    """What was pressed two days ago, pressed again: an answer, and nothing is played twice."""
    guest, before = week.ann, (await week.view()).version
    late = await week.world.forge(guest.member, old_posts[0], ids.write(ids.OpenHand(guest.table)))
    assert late.response is not None
    assert late.response.ephemeral
    gone = ids.write(ids.PlayCard(guest.table, 1, next(iter(week.night.truth.tricks[1][0]))))
    refused = await week.world.forge(guest.member, guest.hand, gone)
    assert refused.response is not None
    assert refused.response.ephemeral
    assert (await week.view()).version == before
    assert guest.hand.id == old_hand
    await week.turn_of(guest)
    if not guest.wants_to_act:
        await guest.press(ids.RefreshHand(guest.table))
    assert await guest.act()
    assert guest.hand.id == old_hand


async def newest(week: Week, person: Any, action: Any) -> None:
    await week.live(5)
    await week.world.press(person, week.world.newest_with(action), action)
    await week.live(5)


async def a_pause_of_a_day(week: Week) -> None:
    """All want it; nobody is called, and every move has as much time left as before."""
    await week.turn_of(week.ben)
    left = await week.deadline_of(week.ben) - week.now
    await week.world.slash(week.ann.member, "hearts pause")
    vote = vote_ids.CastVote(week.ann.table, 1, is_for=True)
    await newest(week, week.ben.member, vote)
    since = week.now
    await week.live(DAY)
    assert (week.heard(week.ann, since), week.heard(week.ben, since)) == ([], [])
    assert (await week.view()).deadlines == {}
    await newest(week, week.ben.member, vote_ids.EndPause(week.ann.table))
    after = await week.deadline_of(week.ben) - week.now
    assert abs(after - left) < timedelta(minutes=1)


async def ben_is_on_vacation(week: Week) -> None:
    """His clock stands still, and the others see until when; he comes back early."""
    before = await week.deadline_of(week.ben)
    tomorrow = week.now.astimezone(UTC).date() + timedelta(days=1)
    shown = await week.world.slash(week.ben.member, "hearts vacation", until=tomorrow.isoformat())
    assert "Your clocks stand still" in text_of(shown.response)
    assert await week.deadline_of(week.ben) > before + timedelta(days=1)
    await week.live(10)
    assert week.said("Ben is away until")
    since = week.now
    await week.live(6 * HOUR)
    assert week.heard(week.ben, since) == []
    await week.world.slash(week.ben.member, "hearts vacation", off=True)
    await week.live(10)
    assert not week.said("Ben is away until")
    await week.ben.look_again()
    await week.ben.move()


async def ann_is_reminded(week: Week) -> None:
    """Once, at half of her time, by a mention in the channel; her move takes it away."""
    await week.turn_of(week.ann)
    since = week.now
    await week.live(26 * HOUR)
    [half] = [bell for bell in week.heard(week.ann, since) if "You have time until" in bell.words]
    assert not half.direct
    assert len(standing_calls(week.world, week.night.channel.id)) == 1
    await week.ann.look_again()
    await week.ann.move()
    await week.live(5)
    assert standing_calls(week.world, week.night.channel.id) == []


async def ben_is_late_twice_in_a_row(week: Week) -> None:
    """A robot sits in, for all to see, until he takes the seat back."""
    seat = await week.seat_of(week.ben)
    for _ in range(2):
        await week.turn_of(week.ben)
        await week.live_until(await week.deadline_of(week.ben))
    kept = Robot("steady", keeps_for=UserId(week.ben.member.id))
    assert (await week.view()).chairs[seat] == kept
    assert len(week.said("ran out of time twice in a row")) == 1
    await week.turn_of(week.ann)
    assert "Ben (robot)" in text_of(tricks_standing(week)[-1])
    await week.ben.open_hand()
    await week.ben.press(ids.TakeSeatBack(week.ben.table))
    await week.live(5)
    assert (await week.view()).chairs[seat] == Human(UserId(week.ben.member.id))
    assert len(week.said("is back in the seat")) == 1


async def they_finish(week: Week) -> None:
    """A move now and then, whether they sleep or not, until two deals are over."""
    while not week.night.is_over:
        if awaited := week.night.awaited():
            await week.live(20 * MINUTE)
            await awaited[0].move()
        else:
            await week.night._wait_for_robots()
    await week.live(30)


async def judge(week: Week) -> None:
    truth, world, witness = week.night.truth.look(), week.world, week.night.witness
    assert truth.table.status is Status.OVER
    assert truth.now.totals == counted(truth) == truth.ledger.points(truth.id)
    assert replayed(truth.ledger.events(truth.id, 0)).game == truth.now
    assert (witness.leaks, witness.faults) == ([], [])
    assert {deal: witness.shown[deal] for deal in truth.decks} == truth.decks
    assert (week.bells.at_night, week.bells.dead_tokens, week.bells.late_edits) == ([], [], [])
    seats = len(truth.table.chairs)
    assert max(week.bells.sent_of_trick.values()) <= seats + 1
    # In the first deal votes, a nudge and a vacation show some tricks anew.
    calm = [count for (deal, _), count in witness.posts_of_trick.items() if deal > 1]
    assert max(calm) <= seats + 1
    assert standing_calls(world, witness.channel) == []
    clicks = world.env.backend.interactions.values()
    assert [click.id for click in clicks if not click.responded] == []


async def test_a_call_at_night_a_dead_token_and_a_late_edit_are_found():
    """The control of the week: what must not happen in it would have been heard."""
    async with the_table() as week:
        guest, place = week.ann, week.night.channel.id
        await guest.open_hand()
        [token] = [
            record.token
            for record in week.world.env.backend.interactions.values()
            if record.message_id == guest.hand.id
        ]
        posts = week.world.env.backend.messages[place]
        await week.live(14 * HOUR + MINUTE)
        assert (week.bells.at_night, week.bells.dead_tokens, week.bells.late_edits) == ([], [], [])
        called = {"content": "It is your turn", "allowed_mentions": {"users": [guest.member.id]}}
        words = {"components": [{"type": 10, "content": "Something else"}]}
        week.bells.hear(Request("POST", f"/channels/{place}/messages", called))
        week.bells.hear(Request("PATCH", f"/webhooks/1/{token}/messages/@original", words))
        week.bells.hear(Request("PATCH", f"/channels/{place}/messages/{min(posts)}", words))
        found = week.bells.at_night, week.bells.dead_tokens, week.bells.late_edits
        assert [len(each) for each in found] == [1, 1, 1]
