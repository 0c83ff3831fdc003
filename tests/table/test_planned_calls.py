"""Calls of people whose card is about to fall by itself.

Rule: nobody is disturbed for nothing, and nothing in a channel may tell that something is planned
(`bot.table.plans`). So a direct message waits, and a call in the channel does not.
"""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.table import commands
from bot.table.calling import Calling
from bot.table.ids import Human, TableId, UserId
from bot.table.plans import LONGEST_DELAY, LowestOfSuitLed
from bot.table.posting import Ping
from bot.table.storing import Reminders, TimerKind
from tests.support.fakes import direct_channel
from tests.support.showing import ShownRoom
from tests.support.tables import CHANNEL, FOUR

CALLED_AFTER = 4.0
"""Seconds after which a call is due, whatever a fast table does meanwhile."""


async def a_turn_comes(room: ShownRoom, way: Reminders, *, planned: bool) -> tuple[TableId, UserId]:
    """Somebody is to play who can follow suit, and is called in this way."""
    table_id = (await room.started(*FOUR)).id
    await room.everybody_passes(table_id)
    (leader,) = await room.waited_for(table_id)
    chair = leader.table.chairs[(leader.seat + 1) % 4]
    assert isinstance(chair, Human)
    person = chair.user_id
    await room.persons.change(person, lambda before: replace(before, reminders=way))
    if planned:
        plan = commands.MakePlan(person, LowestOfSuitLed(), 1)
        await room.tables.plan(room.by(person), table_id, plan)
    await room.move(leader)
    # Whoever was called before is not meant.
    room.poster.calls.clear()
    await go_on(room, CALLED_AFTER)
    return table_id, person


async def go_on(room: ShownRoom, seconds: float) -> None:
    """Let time go by without a card falling, and call whoever is due."""
    room.clock.move(seconds)
    await room.publisher.flush()


def called(room: ShownRoom, person: UserId) -> list[Ping]:
    """Every call of this person that was sent."""
    sent = [content for name, content in room.poster.calls if name == "send"]
    return [each for each in sent if isinstance(each, Ping) and each.user_id == person]


async def test_a_direct_message_waits_while_a_planned_card_is_about_to_fall():
    room = ShownRoom()
    _, person = await a_turn_comes(room, Reminders.DIRECT, planned=True)
    assert called(room, person) == []


@pytest.mark.parametrize(
    ("way", "planned"),
    [
        (Reminders.DIRECT, False),
        (Reminders.MENTION, True),
        (Reminders.SILENT, True),
    ],
)
async def test_everybody_else_is_called_as_ever(way, planned):
    """In the channel a call that is missed would tell of a plan; who planned nothing is needed."""
    room = ShownRoom()
    _, person = await a_turn_comes(room, way, planned=planned)
    place = direct_channel(person) if way is Reminders.DIRECT else CHANNEL
    assert len(called(room, person)) == 1
    stand = [m.channel_id for m in room.poster.messages.values() if isinstance(m.content, Ping)]
    assert stand == [place]


async def test_who_is_refused_direct_messages_is_called_in_the_channel_in_spite_of_a_plan():
    room = ShownRoom()
    for person in FOUR:
        await room.persons.change(person, lambda before: replace(before, direct_refused=True))
    _, person = await a_turn_comes(room, Reminders.DIRECT, planned=True)
    assert len(called(room, person)) == 1


async def test_once_the_card_has_fallen_the_call_is_not_made_up_for():
    room = ShownRoom()
    table_id, person = await a_turn_comes(room, Reminders.DIRECT, planned=True)
    (timer,) = [t for t in await room.timers(table_id) if t.kind is TimerKind.PLAN]
    room.clock.move((timer.due_at - room.clock.now()).total_seconds())
    await room.fire_due()
    await go_on(room, 2 * LONGEST_DELAY.total_seconds())
    assert called(room, person) == []


async def test_who_drops_the_plan_and_goes_away_is_called_a_little_later():
    room = ShownRoom()
    table_id, person = await a_turn_comes(room, Reminders.DIRECT, planned=True)
    drop = commands.DropPlan(person, LowestOfSuitLed(), 1)
    await room.tables.plan(room.by(person), table_id, drop)
    await go_on(room, (LONGEST_DELAY + timedelta(minutes=1)).total_seconds())
    assert len(called(room, person)) == 1


async def test_the_plan_is_seen_to_only_where_the_message_is_private(monkeypatch):
    """The control: had every call waited for plans, the channel would tell of them."""

    async def always(*_args: object) -> bool:
        return True

    monkeypatch.setattr("bot.table.calling._is_direct", lambda _person: True)
    monkeypatch.setattr(Calling, "_is_planned", always)
    room = ShownRoom()
    _, person = await a_turn_comes(room, Reminders.MENTION, planned=True)
    assert called(room, person) == [], "the look at calls sees one that is missing"
