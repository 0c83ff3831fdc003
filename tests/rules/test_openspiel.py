"""Our rules against OpenSpiel's, deal by deal: the same cards at every step, the same points.

What its parameters mean here is said in `tests.support.openspiel`.
"""

from collections import Counter
from random import Random

import pytest

from bot.rules import Phase, load, parse_cards
from tests.support.openspiel import (
    DEFAULTS,
    Both,
    DisagreementError,
    combinations,
    directions,
    is_penal,
    results,
)

pytestmark = pytest.mark.thorough

DECK = load("standard").deck(4)
COMBINATIONS = Random(0).sample(combinations(), 256)
"""All of them, shuffled: every share has each parameter on and off."""
SHARES = 16


def at_random(dice):
    return lambda game, seat, cards: dice.choice(cards)


def keeping_penalties(dice):
    """Everybody keeps hearts and the queen as long as possible, so that they have to be led."""
    return lambda game, seat, cards: dice.choice([c for c in cards if not is_penal([c])] or cards)


def shooting(dice):
    """Seat 0 keeps its high cards and takes what it can; the others let it."""

    def pick(game, seat, cards):
        by_rank = sorted(cards, key=lambda card: (card.rank, dice.random()))
        return by_rank[-1 if seat == 0 and game.phase is Phase.PLAYING else 0]

    return pick


def shuffled(dice):
    return dice.sample(DECK, 52)


def dealt_to_seat_0(dice, wanted):
    """A shuffled deck from which seat 0, who gets every fourth card, is dealt all of *wanted*."""
    others = [card for card in shuffled(dice) if card not in wanted]
    missing = 13 - len(wanted)
    mine, rest = [*wanted, *others[:missing]], others[missing:]
    return [card for i in range(13) for card in (mine[i], *rest[3 * i : 3 * i + 3])]


def strong(dice):
    return dealt_to_seat_0(dice, parse_cards("AH KH QH JH TH AS KS QS AC KC QC"))


def penal(dice):
    return dealt_to_seat_0(dice, dice.sample([card for card in DECK if is_penal([card])], 13))


DEALS = (
    *[(shuffled, at_random)] * 6,
    *[(shuffled, keeping_penalties)] * 2,
    (strong, shooting),
    (penal, at_random),
)
"""How each combination is dealt and played. Eight are random deals: 2,048 in all."""


def play_out_all(parameters, dice, deals=DEALS, **theirs):
    """What was met in *deals* by these parameters, each passed in any direction."""
    met = Counter()
    for deal, player in deals:
        both = Both(parameters, dice.choice(directions(parameters)), **theirs)
        met.update(results(both.play_out(deal(dice), player(dice))))
        met.update(both.met)
    return met


@pytest.mark.parametrize("share", range(SHARES))
def test_openspiel_allows_the_same_cards_and_counts_the_same_points(share):
    dice = Random(share)
    for parameters in COMBINATIONS[share::SHARES]:
        play_out_all(parameters, dice)


def test_the_deals_come_to_what_the_parameters_are_about():
    dice, met = Random(0), Counter()
    for parameters in COMBINATIONS[::8]:
        met.update(play_out_all(parameters, dice))
    assert set(met) == {
        "hearts may not be led",
        "a first trick from nothing but penalties",
        "a lead from hearts alone",
        "a lead from hearts and the queen",
        "a seat without a trick",
        "a moon",
        "a moon with the jack taken",
        "a moon with the jack elsewhere",
    }


@pytest.mark.parametrize(
    ("parameter", "what"),
    [
        ("pass_cards", "directions"),
        ("no_pts_on_first_trick", "cards"),
        ("can_lead_any_club", "cards"),
        ("jd_bonus", "points"),
        ("avoid_all_tricks_bonus", "points"),
        ("must_break_hearts", "cards"),
        ("qs_breaks_hearts", "cards"),
        ("can_lead_hearts_instead_of_qs", "cards"),
    ],
)
def test_a_single_rule_that_differs_is_found(parameter, what):
    """The control: OpenSpiel is told one of its defaults the other way round."""
    theirs = {**DEFAULTS, parameter: not DEFAULTS[parameter]}
    with pytest.raises(DisagreementError, match=f"^{what}: "):
        play_out_all(DEFAULTS, Random(1), DEALS * 20, theirs=theirs)
