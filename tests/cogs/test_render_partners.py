"""Who plays together, and how a game stands beyond one total a seat (rules.md 3.1, 3.8)."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from bot.rules.cards import Seat
from bot.rules.commands import SettleMoon
from bot.rules.dimensions import MoonPayoff
from bot.rules.state import Phase
from bot.rules.variants import load
from bot.table.ids import Human, Robot, UserId
from bot.table.state import Status
from cogs.ui import ids
from cogs.ui.hand import render_hand
from cogs.ui.parties import figure_text
from cogs.ui.ping import render_ping
from cogs.ui.post import render_post
from cogs.ui.score_sheet import render_scores
from cogs.words import Voice
from tests.cogs.test_render_public import _ping
from tests.support.deals import after, deal_in_play, deal_to_pass, house_rules, played
from tests.support.looks import (
    actions,
    all_posts,
    everybody_at,
    hand_of,
    labels,
    post_of,
    table,
    texts,
    view_of,
)
from tests.support.seeded import course

POOLED, APART, REVERSE = map(load, ("partnership_pooled", "partnership_individual", "reverse"))
TWO_EACH = ("2C 3H", "AC 4H", "QS 5H", "9C 6H")


def _pairs(**more):
    """The standard game with partners across from each other."""
    return house_rules(players=[4], sides="opposite", **more)


def _shown(at, slot, **changes):
    return texts(render_post(replace(post_of(at, slot), **changes)))


def test_partners_stand_in_one_line_of_the_lobby():
    chairs = (Human(UserId(1)), Human(UserId(2)), Robot("steady"), None)
    told = _shown(table(chairs=chairs, ruleset=POOLED), "lobby")
    assert "`1` **Maya** · host + `3` **Robot 3** · steady\n`2` **Theo** + `4` *free*" in told
    assert "Partners stand in one line. They share one total." in told
    apart = _shown(table(chairs=chairs, ruleset=APART), "lobby")
    assert "The sum of their totals counts." in apart
    assert " + " not in _shown(table(chairs=chairs), "lobby")


def test_a_lobby_names_the_game_and_its_seats():
    assert "Partnership Hearts · 4 seats" in _shown(table(ruleset=POOLED), "lobby")


def test_a_deal_names_the_partners():
    game = deal_to_pass(*TWO_EACH, ruleset=POOLED)
    assert "Partners · Maya and Priya · Theo and Sam" in _shown(table(game), "deal:1")


def test_the_newest_trick_sums_up_what_partners_took():
    game = deal_in_play(*TWO_EACH, ruleset=POOLED, hearts_broken=True)
    assert "Maya and Priya: 0 · Theo and Sam: 0" in _shown(table(played(game, "2C")), "trick:2")
    later = played(game, "2C AC QS 9C 4H")
    assert "Maya and Priya: 0 · Theo and Sam: 13" in _shown(table(later), "trick:3")


def test_a_hand_names_the_partner_and_the_totals_of_both_sides():
    game = deal_in_play(*TWO_EACH, ruleset=POOLED, totals=(3, 20, 3, 20))
    told = texts(render_hand(hand_of(game)))
    assert "Your partner is Priya." in told
    assert "Totals · Maya and Priya: 3 · Theo and Sam: 20" in told
    assert "partner" not in texts(render_hand(hand_of(deal_in_play(*TWO_EACH))))


LAST = ("AH", "2H", "3H", "QS")


def _sheet(ruleset, **changes):
    game = deal_in_play(*LAST, ruleset=ruleset, hearts_broken=True, **changes)
    over = played(game, "AH 2H 3H QS")
    return _shown(table(over, status=Status.PLAYING), "sheet:1", live=True)


def test_a_sheet_has_a_line_for_a_side_and_says_who_of_it_took_what():
    told = _sheet(_pairs(moon={"on": False}))
    assert "`16` **Maya and Priya** +16\n-# Maya · Queen of spades: 13 · 3 hearts: 3" in told
    assert told.index("Theo and Sam") < told.index("Maya and Priya")
    assert "in which a pair reaches 100 points" in told


def test_totals_apart_stand_beside_their_sum_which_decides():
    """rules.md 1.19: the pair with the smaller sum wins."""
    rules = _pairs(side_score="individual_sum_at_end", moon={"on": False})
    told = _sheet(rules, totals=(9, 40, 5, 0))
    assert "`30` **Maya and Priya** (25 + 5) +16" in told
    assert "`40` **Theo and Sam** (40 + 0) +0" in told
    assert told.index("Maya and Priya") < told.index("Theo and Sam")
    assert "in which somebody reaches 100 points" in told


def test_where_points_are_good_the_most_come_first():
    """rules.md 1.11."""
    told = _sheet(REVERSE)
    assert told.index("`16` **Maya and Priya** +16") < told.index("**Theo and Sam** +0")
    assert "The highest total wins." in told


def _over(ruleset, totals, settlement=()):
    game = deal_in_play(*LAST, ruleset=ruleset)
    places = tuple(1 + sum(other < total for other in totals) for total in totals)
    scored = replace(game, phase=Phase.OVER, totals=totals, places=places)
    return table(replace(scored, settlement=settlement))


def test_a_partnership_wins_together():
    at = _over(POOLED, (20, 103, 20, 103))
    told = texts(render_post(all_posts(at)[-1]))
    assert "🏆 Maya and Priya win the game" in told
    assert "`1` **Maya and Priya** · 20 points" in told
    assert "🏆 Maya and Priya win the game" in texts(render_hand(hand_of(at.game, table=at)))


def test_a_result_shows_totals_apart_and_their_sum():
    """rules.md 1.19: 105 + 34 loses to nobody with 78 + 69 (vector 3)."""
    at = _over(APART, (105, 78, 34, 69))
    at = replace(at, game=replace(at.game, places=(1, 3, 1, 3)))
    told = texts(render_post(all_posts(at)[-1]))
    assert "`1` **Maya and Priya** · 139 points (105 + 34)" in told
    assert "`3` **Theo and Sam** · 147 points (78 + 69)" in told


def test_a_result_says_what_changes_hands():
    """rules.md 2.1.7: 103/50/50/10 settle as −53, 6½, 6½, 40."""
    paid = (Fraction(-53), Fraction(13, 2), Fraction(13, 2), Fraction(40))
    told = texts(render_post(all_posts(_over(load("wilson"), (103, 50, 50, 10), paid))[-1]))
    assert "`1` **Sam** · 10 points · **+40**" in told
    assert "`2` **Theo** · 50 points · **+6½**" in told
    assert "`4` **Maya** · 103 points · **−53**" in told
    assert "A plus is received, a minus is paid." in told


def test_a_game_settled_deal_by_deal_shows_money_and_no_total_of_points():
    """rules.md 1.15 and 2.7."""
    game = played(deal_in_play(*LAST, ruleset=load("super_hearts")), "AH 2H 3H QS")
    score = replace(
        game.scores[0], points=(2, 2, 16, 0), money=tuple(map(Fraction, (7, 7, -14, 0)))
    )
    told = _shown(
        table(replace(game, scores=(score,)), status=Status.PLAYING), "sheet:1", live=True
    )
    assert "`  7` **Maya** +7".replace(" ", "\u2007", 2) in told
    assert told.index("**Sam** +0") < told.index("`−14` **Priya** −14\n-# 16 points")
    assert "A plus is received" in told
    over = replace(game, scores=(score,), phase=Phase.OVER, places=(1, 1, 4, 3))
    assert "A plus is received" in _shown(table(over), "sheet:1", live=False)
    assert "A plus is received" in texts(render_scores(view_of(table(over))))
    result = texts(render_post(all_posts(table(replace(over, settlement=score.money)))[-1]))
    assert "`4` **Priya** · −14" in result
    assert "16 points" not in result


@pytest.mark.parametrize(
    ("figure", "plain", "signed"),
    [
        (7, "7", "+7"),
        (-10, "−10", "−10"),
        (0, "0", "+0"),
        (Fraction(-53, 2), "−26½", "−26½"),
        (Fraction(1, 3), "⅓", "+⅓"),
        (Fraction(-38, 7), "−5 3/7", "−5 3/7"),
        (Fraction(2, 5), "2/5", "+2/5"),
    ],
)
def test_fractions_are_read_as_people_write_them(figure, plain, signed):
    assert figure_text(Voice(), figure) == plain
    assert figure_text(Voice(), figure, signed=True) == signed


def _moon(ruleset):
    return played(deal_in_play(*LAST, ruleset=ruleset, hearts_broken=True), "AH 2H 3H QS")


SIDE_CHOICE = _pairs(
    points={"H*": 0},
    moon={"payoff": "shooter_choice", "scope": "side", "value": 13},
)


def test_a_side_that_shot_the_moon_is_named_and_one_of_it_chooses():
    game = _moon(SIDE_CHOICE)
    chooser = texts(render_hand(hand_of(game)))
    assert "You and Priya shot the moon" in chooser
    assert "every other pair takes the points, or your total loses them" in chooser
    assert "Without your choice they come off your total." in chooser
    assert "Points off our total" in labels(render_hand(hand_of(game)))
    partner = texts(render_hand(hand_of(game, 2)))
    assert "You and Maya shot the moon" in partner
    assert "Waiting for Maya to choose" in partner
    assert "Maya and Priya shot the moon" in texts(render_hand(hand_of(game, 1)))
    shown = _shown(table(game), "trick:2")
    assert "▸ **Maya and Priya shot the moon**, and **Maya** chooses how it is paid until" in shown


def test_partners_with_totals_of_their_own_shoot_alone():
    rules = _pairs(
        side_score="individual_sum_at_end",
        points={"H*": 0},
        moon={"payoff": "shooter_choice", "value": 13},
    )
    told = texts(render_hand(hand_of(_moon(rules))))
    assert "You shot the moon" in told
    assert "both opponents take the points" in told


def test_a_moon_by_a_side_stands_on_the_sheet():
    paid = after(_moon(SIDE_CHOICE), SettleMoon(Seat(0), MoonPayoff.SUBTRACT_SELF))
    told = _shown(table(paid, status=Status.PLAYING), "sheet:1")
    assert "**Maya and Priya shot the moon and take the points off their total.**" in told


def test_a_slam_that_counts_against_a_side_says_so():
    """rules.md 2.1.4b."""
    rules = _pairs(
        good_score="high",
        points={"H*": 0},
        moon={"payoff": "lose_value", "scope": "side", "value": 26},
    )
    told = _shown(table(_moon(rules), status=Status.PLAYING), "sheet:1")
    assert "**Maya and Priya shot the moon, and that counts against them.**" in told
    assert "**Maya and Priya** −26" in told


def test_a_sun_and_a_seat_without_a_trick_have_lines_of_their_own():
    """rules.md 3.6 `no_trick_bonus`, 3.7 `sun`."""
    rules = house_rules(
        points={"H*": 0},
        moon={"value": 13},
        sun={"value": 52},
        no_trick_bonus={"points": -5, "if_moon": True},
    )
    told = _shown(table(_moon(rules), status=Status.PLAYING), "sheet:1")
    assert "**Maya took every trick, and everybody else pays for it.**" in told
    assert "The sun: 52 · Without a trick: −5" in told


def test_the_call_to_choose_suits_a_seat_and_a_side():
    said, _ = render_ping(_ping("moon"))
    assert said == "<@5> The moon was shot at the Hearts table. Choose how it is paid."


def test_scores_of_sides_stand_under_letters():
    *_, (game, _) = course(load("killer"), 10, Random(2), deals=2)
    told = texts(render_scores(view_of(everybody_at(game)))).replace("\u2007", " ")
    assert "Each deal · A Maya and somebody · B Theo and somebody" in told
    assert told.count("Each deal") == 1


def test_scores_of_nine_who_play_alone_fit_a_phone_in_two_tables():
    *_, (game, _) = course(load("killer"), 9, Random(2), deals=3)
    told = texts(render_scores(view_of(everybody_at(game))))
    assert "Each deal · 1 Maya · 2 Theo · 3 Priya · 4 Sam · 5 somebody\n" in told
    assert "Each deal · 6 somebody" in told


def test_six_columns_of_three_characters_fit_side_by_side_on_a_phone():
    """A jack of diamonds makes a column as wide as "−10"."""
    game = played(
        deal_in_play("2D", "JD", "3D", "4D", "5D", "6D", ruleset=house_rules(points={"JD": -10})),
        "2D JD 3D 4D 5D 6D",
    )
    told = texts(render_scores(view_of(table(game, chairs=(Human(UserId(1)),) * 6))))
    rows = [line.strip("`") for line in told.split("\n") if line.startswith("`")]
    row = next(row for row in rows if row.count("0") > 1)
    assert "−10" in row
    assert len(row) <= 30
    rows = [line for line in told.splitlines() if line.startswith("`") and line.endswith("`")]
    assert max(map(len, rows)) <= 34


def test_figures_of_three_digits_and_below_zero_stand_under_each_other():
    game = _moon(house_rules(moon={"on": False}))
    score = replace(game.scores[0], points=(150, -10, 0, 4))
    told = texts(render_scores(view_of(table(replace(game, scores=(score,))))))
    assert "`  1  150  −10    0    4`" in told.replace("\u2007", " ")


def _between(end, **changes):
    game = _moon(house_rules(end=end, moon={"on": False}))
    return table(replace(game, phase=Phase.PLAYING, places=(), **changes), status=Status.PLAYING)


@pytest.mark.parametrize(
    ("end", "told"),
    [
        ({"hands": "open"}, "The game is over after the deal that its host calls the last."),
        ({"minutes": 60}, "The deal under way after 60 minutes of play is the last."),
        ({"hands": 1}, "The game is over after 1 deal."),
    ],
)
def test_the_newest_sheet_says_how_the_game_ends(end, told):
    assert told in _shown(_between(end), "sheet:1", live=True)


def test_a_deal_that_was_called_the_last_is_announced_everywhere():
    called = deal_to_pass(*TWO_EACH, ruleset=house_rules(end={"hands": "open"}))
    called = replace(called, last_deal=True)
    assert "**This is the last deal.**" in _shown(table(called), "deal:1")
    assert "Deal 1 · to pass: 3 cards to the left · the last" in texts(render_hand(hand_of(called)))
    sheet = _shown(_between({"hands": "open"}, last_deal=True), "sheet:1", live=True)
    assert "The deal under way is the last." in sheet


def test_time_that_is_up_is_not_told_as_somebodys_call():
    timed = deal_to_pass(*TWO_EACH, ruleset=house_rules(end={"minutes": 30}))
    assert "called" not in _shown(table(replace(timed, last_deal=True)), "deal:1")
    assert "called" not in _shown(_between({"minutes": 30}, last_deal=True), "sheet:1", live=True)


def test_the_host_finds_the_end_of_an_open_game_in_the_hand():
    """rules.md 3.8: it is over after the deal that the players call the last."""
    is_open = deal_in_play(*TWO_EACH, ruleset=house_rules(end={"hands": "open"}))
    asks = ids.AskEnd(table().id)
    assert asks in actions(render_hand(hand_of(is_open)))
    assert asks not in actions(render_hand(hand_of(is_open, 1)))
    assert asks not in actions(render_hand(hand_of(replace(is_open, last_deal=True))))
    assert asks not in actions(render_hand(hand_of(deal_in_play(*TWO_EACH))))
