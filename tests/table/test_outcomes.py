"""What follows from a table's events: deals, results, followings, views."""

from dataclasses import replace

import pytest

from bot.rules import options, variants
from bot.rules.dimensions import MoonPayoff
from bot.rules.events import GameEnded
from bot.rules.shuffle import commitment, shuffle
from bot.rules.state import Moon, Phase, Score
from bot.rules.variants import load
from bot.table import commands, dealing, viewing
from bot.table.dealing import Dealing
from bot.table.following import PING_DELAY, followings
from bot.table.ids import Human, Robot
from bot.table.results import results
from bot.table.storing import Cause, Drawer, PersonSettings, Timer, TimerKind
from bot.table.timers import Delays
from tests.support.clock import NOON
from tests.support.fakes import CountedSeeds
from tests.support.histories import ROBOT, Story, game_of, in_play, started
from tests.support.tables import ANN, BEA, CYD, EVE, FOUR

KEPT = Robot("steady", keeps_for=BEA)

NOTHING_BESIDE: dict = {"dealing": Dealing(), "aways": {}}


def ended(*chairs):
    """A table whose game of two deals is over: a moon for seat 0, then totals of 10, 20, 30, 92."""
    table = started().table
    moon = Moon((0,), MoonPayoff.ADD_OTHERS)
    first = Score(deal=1, points=(0, 26, 26, 26), lines=(), moon=moon, totals=(0, 26, 26, 26))
    last = Score(deal=2, points=(9, 9, 4, 4), lines=(), moon=None, totals=(9, 35, 30, 30))
    game = replace(
        table.game,
        phase=Phase.OVER,
        scores=(first, last),
        totals=last.totals,
        places=(1, 4, 2, 2),
    )
    return replace(table, game=game, chairs=chairs)


def test_a_result_tells_place_points_deals_and_moons():
    first, *_ = results(ended(*(Human(person) for person in FOUR)))
    assert (first.user_id, first.family) == (ANN, "standard")
    assert (first.place, first.points, first.deals, first.moons) == (1, 9, 2, 1)


@pytest.mark.parametrize(
    ("chairs", "rated"),
    [
        ((Human(ANN), Human(BEA), Human(CYD), ROBOT), True),
        ((Human(ANN), Human(BEA), ROBOT, ROBOT), True),
        ((Human(ANN), KEPT, ROBOT, ROBOT), False),
        ((Human(ANN), ROBOT, ROBOT, ROBOT), False),
    ],
)
def test_a_game_counts_when_two_people_finish_it_in_their_seats(chairs, rated):
    assert {each.rated for each in results(ended(*chairs)) if each.user_id} == {rated}


def over(name, *chairs, totals, places, **changes):
    """A table by the rules of a preset whose game of one deal is over."""
    ruleset = replace(load(name), **changes)
    table = started(ANN, BEA, seats=len(chairs), ruleset=ruleset).table
    score = Score(deal=1, points=totals, lines=(), moon=None, totals=totals)
    game = replace(table.game, phase=Phase.OVER, scores=(score,), totals=totals, places=places)
    return replace(table, game=game, chairs=chairs)


def test_partners_who_win_both_win():
    table = over("reverse", *map(Human, FOUR), totals=(104, 40, 104, 40), places=(1, 3, 1, 3))
    assert [result.place for result in results(table)] == [1, 3, 1, 3]
    assert [result.points for result in results(table)] == [104, 40, 104, 40]


@pytest.mark.parametrize(
    ("chairs", "rated"),
    [
        ((Human(ANN), ROBOT, Human(CYD), ROBOT), False),
        ((Human(ANN), Human(BEA), ROBOT, ROBOT), True),
        ((Human(ANN), Human(BEA), Human(CYD), ROBOT), True),
    ],
)
def test_partners_who_beat_robots_have_beaten_nobody(chairs, rated):
    table = over("reverse", *chairs, totals=(104, 40, 104, 40), places=(1, 3, 1, 3))
    assert {result.rated for result in results(table) if result.user_id} == {rated}


@pytest.mark.parametrize("name", variants.names())
def test_fewer_points_win_in_all_presets_but_two(name):
    seats = load(name).default_players
    chairs = (Human(ANN), Human(BEA), *[ROBOT] * (seats - 2))
    table = over(name, *chairs, totals=(5,) * seats, places=(1,) * seats)
    expected = name not in {"reverse", "super_hearts"}
    assert {result.low_wins for result in results(table)} == {expected}


def test_a_result_of_customised_rules_is_one_of_their_preset():
    ruleset = options.with_value(load("standard"), "end", "to_50")
    table = started(ruleset=ruleset).table
    game = replace(table.game, phase=Phase.OVER, places=(1, 2, 3, 4))
    families = {result.family for result in results(replace(table, game=game))}
    assert (families, ruleset.title == load("standard").title) == ({"standard"}, False)


def test_what_a_robot_finishes_is_nobodys_result():
    found = results(ended(Human(ANN), KEPT, ROBOT, Human(CYD)))
    assert [result.user_id for result in found] == [ANN, None, None, CYD]


def test_a_game_that_is_not_over_has_no_results():
    assert results(started().table) == ()
    assert results(Story(ANN).table) == ()


def test_results_come_with_the_end_of_the_game_alone():
    table = ended(*(Human(person) for person in FOUR))
    end = GameEnded(table.game.places, table.game.totals)
    wanted = {
        "by": None,
        "now": NOON,
        "current": (),
        "delays": Delays(1.0, 2.0),
    } | NOTHING_BESIDE
    assert len(followings(table, [end], **wanted).results) == 4
    assert followings(table, [], **wanted).results == ()


def test_pings_wait_a_little():
    table = started().table
    found = followings(
        table,
        [],
        by=None,
        now=NOON,
        current=(),
        delays=Delays(1.0, 2.0),
        dealing=Dealing(),
        aways={},
    )
    assert found.ping_not_before == NOON + PING_DELAY
    assert {ping.user_id for ping in found.pings} == {BEA, *FOUR[2:]}


def test_a_deal_that_nobody_sealed_has_a_seed_of_its_own_that_repeats_its_order():
    story = Story(*FOUR)
    seeds = CountedSeeds()
    story.ask(commands.Start(ANN, 0.0))
    undealt = replace(story.table, game=replace(game_of(story), phase=Phase.DEALING, deal=None))
    first, second = (dealing.deal(undealt, Drawer(), Cause(NOON), seeds) for _ in range(2))
    (begun, _), (again, _) = first.events, second.events
    secret, other = first.drawn[0], second.drawn[0]
    label = f"{undealt.id}|1"
    deck = undealt.ruleset.deck(4)
    assert begun.order == shuffle(deck, secret.seed, label) != again.order
    assert (secret.deal, secret.commitment) == (1, commitment(secret.seed, label))
    assert secret.seed != other.seed


def test_a_paused_or_closed_table_is_not_dealt_for():
    story = Story(*FOUR)
    assert not dealing.is_due(story.table)
    table = started().table
    due = replace(table, game=replace(table.game, phase=Phase.DEALING))
    assert dealing.is_due(due)
    assert not dealing.is_due(replace(due, status=ended(*table.chairs).status, game=None))


def view_of(table, timers=()):
    return viewing.table_view(table, version=7, timers=timers, names={}, newest_message=None)


def test_a_view_needs_the_names_of_host_owners_and_guests():
    story = Story(ANN, BEA, invited=(EVE,))
    assert viewing.everybody(story.table) == (ANN, BEA, EVE)
    kept = replace(story.table, host=CYD, chairs=(Human(ANN), KEPT, ROBOT, None))
    assert viewing.everybody(kept) == (CYD, ANN, BEA, EVE)


def test_only_what_can_be_late_has_a_deadline():
    story = in_play()
    timer = Timer(table_id=story.table.id, seat=2, kind=TimerKind.DEADLINE, moment=1, due_at=NOON)
    robots = replace(timer, seat=3, kind=TimerKind.ROBOT)
    assert view_of(story.table, (timer, robots)).deadlines == {2: NOON}


def test_views_do_not_change_with_the_cards_that_others_hold():
    table = in_play().table
    deal = table.game.deal
    *mine, third, fourth = deal.hands
    swapped = replace(deal, hands=(*mine, fourth, third))
    other = replace(table, game=replace(table.game, deal=swapped))
    assert view_of(other) == view_of(table)

    def hand(of, person):
        return viewing.hand_view(of, view_of(of), person, PersonSettings())

    ann, _, cyd, _ = FOUR
    assert hand(other, ann) == hand(table, ann)
    assert hand(other, cyd) != hand(table, cyd), "the control: this person holds other cards"
