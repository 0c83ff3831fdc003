"""What a hand tells somebody who was away (cases.md B62, B127; discord.md 2.2)."""

from dataclasses import replace
from random import Random

import pytest

from bot.rules import variants
from bot.rules.cards import Card, Seat
from bot.rules.legal import to_move
from bot.rules.state import Phase
from bot.table.ids import Robot, UserId
from bot.table.moments import Mark
from cogs.ui.catching_up import catch_up
from cogs.ui.hand import render_hand
from cogs.ui.people import voice_of
from tests.support.deals import deal_in_play, deal_opening, house_rules, played
from tests.support.looks import beyond_limits, everybody_at, hand_of, people, table, texts
from tests.support.rulesets import EVERY_TABLE
from tests.support.seeded import course

MOST_LINES = 12
HANDS = ("2C 3C 4D 9S", "5C AC 6D 7H", "7C 8C 8D QS", "9C TC JD KH")
AWAY = "2C 5C 7C 9C TC 3C AC 8C 6D 8D JD 4D"
"""Three tricks; Maya's card in each was not hers to choose."""


def _seen(game, mark=None, seat=0, **more):
    """A hand whose owner made the newest move by hand at *mark*."""
    marks = {} if mark is None else {UserId(seat + 1): mark}
    return hand_of(game, seat, table=table(game, marks=marks), **more)


def _told(view):
    return catch_up(voice_of(view.table, None), view)


def test_who_missed_nothing_sees_the_trick_under_way_and_the_last_one_as_ever():
    game = played(deal_opening(*HANDS), "2C 5C 7C 9C")
    view = _seen(game, Mark(1, 1))
    assert _told(view) == []
    told = texts(render_hand(view))
    assert "Since your last move" not in told
    assert "Last trick to Sam: Maya `2♣\ufe0e`" in told


def test_b127_who_was_away_reads_the_tricks_since_and_the_cards_played_for_them():
    rules = house_rules(points={"JD": 3})
    game = played(deal_opening(*HANDS, ruleset=rules), AWAY)
    told = _told(_seen(game, Mark(1, 0)))
    assert [line.replace("\ufe0e", "") for line in told] == [
        "**Since your last move**",
        "Trick 1 to Sam: `2♣` `5♣` `7♣` `9♣`",
        "Trick 2 to Theo: `10♣` `3♣` `A♣` `8♣`",
        "Last trick to Sam, 3 points: Theo `6♦`, Priya `8♦`, Sam `J♦`, Maya `4♦`",
        "Played for you: `2♣` `3♣` `4♦`",
    ]


def test_older_tricks_are_summed_up_by_taker():
    """`deal_in_play` begins after a first trick, which cost nothing."""
    suits = ["2C 3C 4C 5C 6C 7C", "2D 3D 4D 5D 6D 7D", "QS 2S 3S 4S 5S 6S", "2H 3H 4H 5H 6H 7H"]
    game = played(deal_in_play(*suits), "2C 2D QS 2H 3C 3D 2S 3H 4C 4D 3S 4H 5C 5D 4S 5H")
    told = _told(_seen(played(game, "6C"), Mark(1, 0)))
    assert told[1] == "2 earlier tricks: Maya took 14 points"
    assert told[2].startswith("Trick 3 to Maya, 1 point: ")
    assert told[3].startswith("Trick 4 to Maya, 1 point: ")
    assert told[4].startswith("Last trick to Maya, 1 point: ")
    assert told[-1] == "**This trick**"


def test_tricks_without_a_point_are_said_to_be():
    suits = ["2C 3C 4C 5C 6C", "2D 3D 4D 5D 6D", "2S 3S 4S 5S 6S", "7D 8D 9D TD JD"]
    order = "2C 2D 2S 7D 3C 3D 3S 8D 4C 4D 4S 9D 5C 5D 5S TD"
    told = _told(_seen(played(deal_in_play(*suits), order), Mark(1, 0)))
    assert told[1] == "2 earlier tricks, without a point"


def _after_deals(count, name="standard", seats=4, moons=False):
    """The moment in which the first cards of a deal are to be played, after so many others."""
    dice = Random(f"{name} {count}")
    for game, _ in course(variants.load(name), seats, dice, deals=count + 1):
        under_way = game.deal is not None and game.deal.trick is not None
        if len(game.scores) == count and game.phase is Phase.PLAYING and under_way:
            return game
    raise AssertionError(count)


def test_a_deal_that_ended_has_its_score_and_its_last_trick():
    game = _after_deals(1)
    told = _told(_seen(game, Mark(1, 20)))
    names = ("Maya", "Theo", "Priya", "Sam")
    points = game.scores[0].points
    each = (f"{name} +{count}" for name, count in zip(names, points, strict=True))
    assert told[1].startswith(" · ".join(["Deal 1", *each]))
    assert told[2].startswith("Passed for you: ")
    assert any(line.startswith("Last trick of deal 1 to ") for line in told)


def test_a_moon_is_told_with_its_deal():
    rules = house_rules(points={"H*": 0})
    done = played(deal_in_play("AH", "2H", "3H", "QS", ruleset=rules), "AH 2H 3H QS")
    told = _told(_seen(done, Mark(1, 0)))
    assert "Maya shot the moon, and everybody else pays for it." in told[1]


def test_many_deals_are_summed_up():
    game = _after_deals(4)
    told = _told(_seen(game, Mark(1, 3)))
    early = [sum(score.points[0] for score in game.scores[:2])]
    assert told[1].startswith(f"2 earlier deals · Maya +{early[0]} · ")
    assert told[2].startswith("Deal 3 · ")
    assert told[3].startswith("Deal 4 · ")


def test_a_new_pass_stands_under_the_score_of_the_deal_before():
    dice = Random(5)
    game = next(
        game
        for game, _ in course(variants.load("standard"), 4, dice, deals=2)
        if game.scores and game.phase is Phase.PASSING
    )
    told = texts(render_hand(_seen(game, Mark(1, 50))))
    assert "Deal 1 · Maya +" in told
    assert "Totals · Maya" in told
    assert "### Choose 3 cards for" in told


def test_somebody_who_never_moved_reads_of_the_game_so_far():
    game = played(deal_opening(*HANDS), AWAY)
    assert _told(_seen(game))[0] == "**So far in this game**"


def test_b62_who_finds_a_robot_in_the_seat_reads_what_it_did():
    game = played(deal_opening(*HANDS), AWAY)
    chairs = (Robot("steady", UserId(1)), *people(4)[1:])
    at = table(game, chairs=chairs, marks={UserId(1): Mark(1, 0)})
    told = texts(render_hand(hand_of(game, table=at)))
    assert "A robot plays in your seat" in told
    assert "Played for you: " in told
    assert told.count("Last trick to") == 1


def test_b56_who_waits_reads_until_when_the_other_has_time():
    game = played(deal_opening(*HANDS), "2C")
    assert "Theo has time until <t:" in texts(render_hand(hand_of(game)))
    assert "Maya has time" not in texts(render_hand(hand_of(deal_opening(*HANDS))))


def test_a_trick_that_nobody_won_is_told_without_a_taker():
    view = _seen(played(deal_opening(*HANDS), AWAY), Mark(1, 0))
    first = replace(view.missed.tricks[0], taker=None, points=0)
    tricks = (first, *view.missed.tricks[1:])
    told = _told(replace(view, missed=replace(view.missed, tricks=tricks)))
    assert told[1].startswith("Trick 1, won by nobody: ")


def test_a_joker_played_for_somebody_is_named():
    view = _seen(played(deal_opening(*HANDS), AWAY), Mark(1, 0))
    joker = replace(view, missed=replace(view.missed, own=(Card.parse("JK"),)))
    assert _told(joker)[-1] == "Played for you: `JK🃏`"


LONG = dict.fromkeys(map(UserId, range(1, 11)), "*" * 40)


@pytest.mark.parametrize("at", EVERY_TABLE, ids=lambda at: f"{at[0]}_{at[1]}")
def test_b23_all_that_can_be_missed_fits_into_any_hand(at):
    """At most twelve lines, forty components and 4000 characters, whatever people are called."""
    name, seats = at
    dice = Random(f"{name} {seats}")
    for game, _ in course(variants.load(name), seats, dice, deals=4):
        if game.deal is None or dice.random() > 0.05:
            continue
        seat = (*to_move(game), Seat(0))[0]
        view = hand_of(game, seat, table=everybody_at(game), names=LONG)
        assert len(_told(view)) <= MOST_LINES
        assert beyond_limits(render_hand(view, server="*" * 100)) == []


def test_b23_what_does_not_fit_is_left_out_from_the_oldest_on():
    game = _after_deals(3, "killer", 10)
    view = hand_of(game, 0, table=everybody_at(game), names=LONG)
    told = texts(render_hand(view))
    assert len("\n".join(_told(view))) > 1_500, "the control: it is much"
    assert "Deal 1 · " not in told
    assert len(told) <= 4_000
