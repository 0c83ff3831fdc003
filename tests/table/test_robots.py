"""Robots at a table: whom they ask, what their dice depend on, how long they wait (robots.md)."""

from dataclasses import replace

import pytest

from bot.ai import LEVELS
from bot.rules.cards import Seat
from bot.rules.commands import PassCards, PlayCard, PlayedBy, SettleMoon
from bot.rules.decide import decide
from bot.rules.view import seat_view
from bot.table.clocks import MOVE_CLOCKS, move_clock
from bot.table.robots import Robots, dice_of
from tests.support.deals import cards, deal_in_play, deal_to_pass, house_rules, played
from tests.support.fakes import CountedSeeds

CHOICE = house_rules(moon={"payoff": "shooter_choice"})


def robots(*fractions: float, scale: float = 1.0) -> Robots:
    seeds = CountedSeeds()
    seeds.fractions = list(fractions)
    return Robots(seeds, scale=scale)


async def test_a_robot_answers_whatever_a_game_may_ask_of_a_seat():
    passing = deal_to_pass("2C 3C 4C 5C", "2D 3D 4D 5D", "2S 3S 4S 5S", "2H 3H 4H 5H")
    in_play = deal_in_play("2C 3C", "4C 5C", "6C 7C", "8C 9C")
    moon = played(
        deal_in_play("AH", "2H", "3H", "4H", ruleset=CHOICE, hearts_broken=True), "AH 2H 3H 4H"
    )
    answers = []
    for game in (passing, in_play, moon):
        command = await robots().move("steady", seat_view(game, Seat(0)))
        assert decide(game, command)
        answers.append(type(command))
    assert answers == [PassCards, PlayCard, SettleMoon]


async def test_a_robots_card_says_that_a_robot_played_it():
    view = seat_view(deal_in_play("2C", "3C", "4C", "5C"), Seat(0))
    command = await robots().move("steady", view)
    assert isinstance(command, PlayCard)
    assert command.by is PlayedBy.ROBOT


async def test_a_level_that_no_robot_has_any_more_plays_as_a_stand_in_does():
    """A game that takes weeks may be older than the levels of today."""
    view = seat_view(deal_in_play("2C 3C", "4C 5C", "6C 7C", "8C 9C"), Seat(0))
    assert "ancient" not in LEVELS
    assert robots().is_quick("ancient", view)
    assert await robots().move("ancient", view) == await robots().move("steady", view)


async def test_a_robot_is_not_asked_between_two_turns():
    game = played(deal_in_play("2C", "3C", "4C", "5C"), "2C 3C 4C 5C")
    with pytest.raises(ValueError, match="nothing to decide"):
        await robots().move("steady", seat_view(game, Seat(0)))


def test_the_dice_repeat_for_the_same_position_and_differ_by_what_only_the_seat_knows():
    view = seat_view(deal_in_play("2C 3C", "4C 5C", "6C 7C", "8C 9C"), Seat(0))
    assert dice_of(view).random() == dice_of(view).random()
    others = [
        replace(view, seat=Seat(1)),
        replace(view, dealt=cards("2C 4C")),
        replace(view, public=replace(view.public, tricks_before=7)),
    ]
    assert len({dice_of(other).random() for other in (view, *others)}) == 4


@pytest.mark.parametrize("clock", MOVE_CLOCKS, ids=lambda clock: clock.id)
def test_a_robot_waits_about_a_second_at_a_live_clock_and_a_few_at_the_others(clock):
    shortest, longest = robots(0.0).delay(clock), robots(0.999).delay(clock)
    bounds = (0.5, 2.0) if clock.id == "live" else (1.5, 6.0)
    assert bounds[0] <= shortest < longest <= bounds[1]


def test_a_demonstration_may_be_impatient():
    assert robots(0.5, scale=0.1).delay(move_clock("live")) == pytest.approx(
        0.1 * robots(0.5).delay(move_clock("live"))
    )
