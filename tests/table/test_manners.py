"""A robot stands in for a person in that person's manner, read from the stored game."""

from random import Random

import pytest

from bot.ai.rule_of_thumb import RuleOfThumb
from bot.ai.tempers import BOLD, CAUTIOUS, USUAL
from bot.rules.state import Phase
from bot.table.ids import Robot
from bot.table.thought import decide
from tests.support.deals import house_rules
from tests.support.tables import ANN, BEA, FirstCards, Room, seat_of

HOUR = 3600
LONG = house_rules(end={"target": 1_000})


async def some_deals(room, temper, deals=8):
    """A game in which Ann has played so many deals by hand, in the manner of *temper*."""
    table_id = (await room.started(ANN, clock="1h", ruleset=LONG)).id
    player, dice = RuleOfThumb(temper.weights), Random(1)
    while len((await room.tables.view(table_id)).game.scores) < deals:
        for hand in await room.waited_for(table_id):
            view = seat_of(hand)
            if view.public.phase is Phase.PASSING:
                await room.give(hand, player.choose_pass(view, dice))
            else:
                await room.lay(hand, player.choose_card(view, dice))
        await room.robots_move(table_id)
    return table_id


async def late(room: Room) -> str:
    """Let Ann be late once; in whose manner she was played for."""
    room.robots.asked.clear()
    room.clock.move(HOUR)
    await room.fire_due()
    [manner] = manners(room)
    return manner


def manners(room: Room) -> list[str]:
    """In whose manners Ann was played for, in turn."""
    return [manner for manner, view in room.robots.asked if view.seat == 0]


@pytest.mark.parametrize("temper", [CAUTIOUS, BOLD, USUAL], ids=lambda temper: temper.name)
async def test_a_late_person_is_played_for_as_that_person_plays_also_after_a_restart(temper):
    room = Room()
    await some_deals(room, temper)
    room.tables = room.another_manager()
    assert await late(room) == temper.name


async def test_who_has_not_played_by_hand_has_the_usual_manner():
    room = Room()
    await room.started(ANN, clock="1h")
    assert await late(room) == USUAL.name


async def test_the_robot_that_keeps_a_seat_plays_like_its_owner_and_the_others_by_their_level():
    room = Room()
    table_id = await some_deals(room, BOLD)
    await room.tables.substitute(room.by(BEA), table_id, 2)
    view = await room.tables.leave(room.by(ANN), table_id)
    assert view.chairs[0] == Robot("steady", keeps_for=ANN)
    room.robots.asked.clear()
    room.clock.move(1)
    await room.fire_due()
    assert {(asked, view.seat) for asked, view in room.robots.asked} == {
        ("bold", 0),
        ("steady", 1),
        ("steady", 3),
    }


class Bold(FirstCards):
    """Whoever they stand in for, they play boldly."""

    async def stand_in(self, temper, view):
        await super().stand_in(temper, view)
        return decide(RuleOfThumb(BOLD.weights), view, Random(1))


async def test_cards_that_a_robot_or_the_clock_played_say_nothing_about_a_person():
    room = Room()
    room.robots = Bold()
    room.tables = room.another_manager()
    table_id = (await room.started(ANN, BEA, clock="1h", ruleset=LONG)).id
    while len((await room.tables.view(table_id)).game.scores) < 8:
        for hand in await room.waited_for(table_id):
            if hand.user_id == BEA:
                await room.move(hand)
        room.clock.move(HOUR)
        await room.fire_due()
    assert len(manners(room)) > 80
    assert set(manners(room)) == {USUAL.name}
