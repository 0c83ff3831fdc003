"""When the rest of a deal is certain: each claim is held against every order of legal plays.

With `HYPOTHESIS_PROFILE=nightly` endings of four seats with three cards each are tried, too.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from bot.rules import variants
from bot.rules.cards import Seat
from bot.rules.claims import Certainty, Claim, certain_rest
from bot.rules.decide import new_game
from bot.rules.dimensions import NoTrickBonus, WidowRules, WidowTake
from bot.rules.ruleset import Ruleset
from bot.rules.state import Game, Play, Trick
from tests.support.deals import (
    STANDARD,
    after,
    cards,
    deal_in_play,
    deal_to_pass,
    house_rules,
    played,
)
from tests.support.endings import MOST_WAYS, endings, is_certain, outcomes, ways
from tests.support.pairwise import SWITCHES, Row, faults_of, hosts, rules_of
from tests.support.seeded import command

DECIDED = Claim(Certainty.NOTHING_LEFT)
LEADER_TAKES = Claim(Certainty.ONE_TAKES_ALL, Seat(0))
SUN = house_rules(sun={"value": 52})
NO_TRICK = house_rules(no_trick_bonus={"points": -5})
JACK = house_rules(points={"JD": -10})
JOKERS = house_rules(jokers={"4": 4}, remove={}, players=[4])
EITHER_TAKES_BOTH = ("2C 3D", "4C 9C", "6C 7D", "8C 9D")
"""Nothing that counts; the second seat or the fourth takes both tricks."""
TWO_PACKS: dict[str, object] = {"packs": 2, "remove": {}, "players": [4]}


def taken_before(game: Game, *takers: tuple[int, str]) -> Game:
    """As if tricks had been taken before, by these seats and with these cards."""
    deal = game.deal
    assert deal is not None
    tricks = [_full_trick(Seat(seat), text) for seat, text in takers]
    every = [play for trick in tricks for play in trick.plays]
    dealt = tuple(
        hand | {play.card for play in every if play.seat == seat}
        for seat, hand in enumerate(deal.dealt)
    )
    return replace(game, deal=replace(deal, dealt=dealt, tricks=(*tricks, *deal.tricks)))


def _full_trick(taker: Seat, text: str) -> Trick:
    seats = len(text.split())
    plays = [Play(Seat((taker + i) % seats), card) for i, card in enumerate(parsed(text))]
    return Trick(taker, tuple(plays), taker)


def parsed(text: str):
    return [next(iter(cards(word))) for word in text.split()]


def test_a_deal_is_decided_once_no_card_that_counts_is_left():
    game = deal_in_play("2C 3D", "4C 5D", "6C 7D", "8C 9D")
    assert certain_rest(game) == DECIDED
    assert is_certain(game)


def test_a_deal_is_decided_in_the_middle_of_a_trick_that_costs_nothing():
    assert certain_rest(played(deal_in_play("2C 3D", "4C 5D", "6C 7D", "8C 9D"), "2C")) == DECIDED


@pytest.mark.parametrize(
    ("ruleset", "hands"),
    [
        (STANDARD, ("2C 3D", "4C 9C", "6C 7D", "8C 2H")),
        (JACK, ("2C AD", "KC 5D", "4S JD", "8C 9D")),
    ],
)
def test_a_card_in_a_hand_that_costs_or_brings_something_leaves_it_open(ruleset, hands):
    assert certain_rest(deal_in_play(*hands, ruleset=ruleset)) is None
    assert not is_certain(deal_in_play(*hands, ruleset=ruleset))


def test_a_card_that_counts_on_the_trick_under_way_leaves_it_open():
    game = played(deal_in_play("2C 3D", "2H 5D", "6C 9C", "8C 9D"), "2C 2H")
    assert certain_rest(game) is None
    assert not is_certain(game)


def test_a_card_that_counts_on_a_trick_that_waits_leaves_it_open():
    """Two pairs kill each other, so the heart waits for the next winner (rules.md 2.3.6)."""
    rules = house_rules(TWO_PACKS, duplicates="cancel_pairs")
    hands = ("2H 3D 9C", "2H.2 5D 8C", "3H 7D 7C", "3H.2 6D 6C")
    game = played(deal_in_play(*hands, ruleset=rules, hearts_broken=True), "2H 2H.2 3H 3H.2")
    assert certain_rest(game) is None
    assert not is_certain(game)


def test_a_seat_without_a_trick_leaves_it_open_where_that_saves_points():
    game = deal_in_play(*EITHER_TAKES_BOTH, ruleset=NO_TRICK)
    assert certain_rest(game) is None
    assert not is_certain(game)


def test_where_every_seat_has_a_trick_the_bonus_for_none_changes_nothing():
    game = deal_in_play("2C 3D", "4C 5D", "6C 7D", "8C 9D", ruleset=NO_TRICK)
    tricks = [(seat, f"{rank}S {rank}S.2 {rank}S.3 {rank}S.4") for seat, rank in enumerate("2345")]
    game = taken_before(game, *tricks)
    assert certain_rest(game) == DECIDED
    assert is_certain(game)


def test_a_moon_leaves_it_open_where_taking_every_trick_is_worth_more():
    game = deal_in_play("AC 3C", "4C 5D", "2C 7D", "8D 9D", ruleset=SUN)
    moon = taken_before(game, (0, "2H 3H 4H QS"))
    assert certain_rest(moon) is None
    assert without_sun(moon) == DECIDED
    assert not is_certain(moon)


def test_without_a_moon_nobody_can_shoot_the_sun():
    game = deal_in_play("AC 3C", "4C 5D", "2C 7D", "8D 9D", ruleset=SUN)
    split = taken_before(game, (0, "2H 3H 4H QS"), (1, "5H 6H 7H 8H"))
    assert certain_rest(split) == DECIDED
    assert is_certain(split)


@pytest.mark.parametrize("take", [WidowTake.FIRST_PENALTY, WidowTake.LAST_TRICK])
def test_a_widow_that_is_still_to_come_leaves_it_open_if_it_counts(take: WidowTake):
    game = with_widow(deal_in_play(*EITHER_TAKES_BOTH), "2H", take)
    assert certain_rest(game) is None
    assert certain_rest(with_widow(game, "5S", take)) == DECIDED


def test_a_widow_that_goes_with_the_last_trick_decides_the_deal():
    game = with_widow(deal_in_play(*EITHER_TAKES_BOTH), "2H", WidowTake.LAST_TRICK)
    assert not is_certain(game)


def test_a_dead_widow_changes_nothing():
    game = with_widow(deal_in_play(*EITHER_TAKES_BOTH), "2H", WidowTake.DEAD)
    assert certain_rest(game) == DECIDED
    assert is_certain(game)


def with_widow(game: Game, widow: str, take: WidowTake) -> Game:
    rules = replace(game.ruleset, widow=WidowRules(take=take))
    assert game.deal is not None
    return replace(game, ruleset=rules, deal=replace(game.deal, widow=cards(widow)))


def test_the_seat_on_lead_takes_all_with_the_highest_cards_of_its_suits():
    game = deal_in_play("AC KC QH", "2C QS 3H", "3C 7D JH", "4C 9D TH", hearts_broken=True)
    assert certain_rest(game) == LEADER_TAKES
    assert is_certain(game)


def test_long_cards_do_not_take_all_while_another_hand_has_a_higher_one():
    game = deal_in_play("AC QC", "KC QS", "3C 7D", "4C 9D")
    assert certain_rest(game) is None


def test_another_seat_with_the_highest_cards_takes_nothing_before_it_leads():
    game = deal_in_play("5D 3H", "AC KC", "3D QS", "4D 9D")
    assert certain_rest(game) is None
    assert not is_certain(game)


def test_a_trick_that_has_begun_is_played_to_its_end():
    game = deal_in_play("AC KC", "2C QS", "3C 7D", "4C 9D")
    assert certain_rest(played(game, "AC")) is None
    assert certain_rest(played(game, "AC 2C 3C 4C")) == LEADER_TAKES


def test_a_joker_in_the_leading_hand_gives_the_lead_away():
    """Whoever plays after a led joker leads in effect (rules.md 2.1.2a)."""
    game = deal_in_play("AC JK", "KS QS", "3D 7D", "4D 9D", ruleset=JOKERS)
    assert certain_rest(game) is None
    assert not is_certain(game)


def test_jokers_in_other_hands_take_nothing():
    game = deal_in_play("AC KC", "JK QS", "3D 7D", "JK.2 9D", ruleset=JOKERS)
    assert certain_rest(game) == LEADER_TAKES
    assert is_certain(game)


@pytest.mark.parametrize("duplicates", ["cancel_pairs", "later_wins", "earlier_wins"])
def test_an_equal_card_in_another_hand_is_not_beaten(duplicates: str):
    rules = house_rules(TWO_PACKS, duplicates=duplicates)
    game = deal_in_play("AC AD", "AC.2 QS", "3C 7D", "4C 9D", ruleset=rules)
    assert certain_rest(game) is None


def test_two_equal_cards_of_ones_own_never_meet_on_a_trick_of_one_card_each():
    rules = house_rules(TWO_PACKS, duplicates="cancel_pairs")
    game = deal_in_play("AC AC.2", "KC QS", "3C 7D", "4C 9D", ruleset=rules)
    assert certain_rest(game) == LEADER_TAKES
    assert is_certain(game)


def test_two_equal_cards_of_ones_own_can_kill_each_other_on_a_trick_of_two_cards_each():
    two = TWO_PACKS | {"players": [2], "default_players": 2, "cards_per_player": 2}
    rules = house_rules(two, duplicates="cancel_pairs")
    game = deal_in_play("AC AC.2 TC 9C", "2C 3C QS 4D", ruleset=rules)
    assert certain_rest(game) is None
    assert not is_certain(game)


def test_a_trick_of_four_cards_goes_to_the_leader_of_the_highest_suit():
    """Two seats lay down two cards each (rules.md 1.13)."""
    game = deal_in_play("AC KC AH KH", "2C QS 3D 4H", ruleset=variants.load("draw7"))
    assert certain_rest(game) == LEADER_TAKES
    assert is_certain(game)


def test_a_stock_leaves_it_open():
    game = deal_in_play("AC KC AH KH", "2C QS 3D 4H", ruleset=variants.load("draw7"))
    assert game.deal is not None
    drawing = replace(game, deal=replace(game.deal, stock=parsed("AS 2S 3S 4S")))
    assert certain_rest(drawing) is None


def test_nothing_is_certain_while_no_card_can_be_played():
    assert certain_rest(new_game(STANDARD, 4, Seat(0))) is None
    assert certain_rest(deal_to_pass("2C 3C 4C", "2D 3D 4D", "5C 6C 7C", "5D 6D 7D")) is None
    over = played(deal_in_play("2C", "3C", "4C", "5C"), "2C 3C 4C 5C")
    assert certain_rest(over) is None


def test_the_choice_of_a_shooter_stays_open():
    """What is certain is both scores and who may choose between them."""
    rules = house_rules(moon={"payoff": "shooter_choice"})
    game = deal_in_play("AH QH", "2C QS", "3C 7D", "4C 9D", ruleset=rules, hearts_broken=True)
    assert certain_rest(game) == LEADER_TAKES
    ((chooser, scores),) = set(outcomes(game))
    assert chooser == 0
    assert len(scores) == 2


SEATS = range(2, 12)
Judge = Callable[[Game], Claim | None]


def rules_to_try() -> Iterator[tuple[Ruleset, int]]:
    """Every preset with the fewest and the most seats; and hosts with one switch turned."""
    for name in variants.names():
        preset = variants.load(name)
        for seats in {preset.players[0], preset.players[-1]}:
            yield preset, seats
    for row in turned_rows(Random(6), 90):
        yield rules_of(row), row["players"]


def turned_rows(dice: Random, count: int) -> Iterator[Row]:
    """Switches that claims depend on are turned more often than others."""
    weighty = ("sun", "no_trick_bonus.points", "widow.take", "duplicates", "cards_per_player")
    while count:
        row = dice.choice(hosts())
        for key in (dice.choice(weighty), dice.choice([*SWITCHES])):
            row = row | {key: dice.choice(SWITCHES[key])}
        if row["players"] in SEATS and not faults_of(row):
            count -= 1
            yield row


@cache
def all_endings() -> tuple[Game, ...]:
    return tuple(
        game
        for place, (rules, seats) in enumerate(rules_to_try())
        for game in endings(rules, seats, Random(place), deals=2)
    )


def claims_of(judge: Judge) -> Iterator[tuple[Game, Claim]]:
    """What *judge* claims; of one deal only what is new, as what follows is part of it."""
    last: tuple[int, Claim] | None = None
    for game in all_endings():
        claim = judge(game)
        assert game.deal is not None
        if claim is not None and last != (key := (id(game.deal.dealt), claim)):
            last = key
            yield game, claim


@pytest.mark.thorough
def test_no_order_of_play_changes_what_a_claim_calls_certain():
    tried = Counter()
    for game, claim in claims_of(certain_rest):
        tried[claim.why] += 1
        assert is_certain(game), (game.ruleset.id, game.seats, claim)
    assert tried[Certainty.NOTHING_LEFT] > 80
    assert tried[Certainty.ONE_TAKES_ALL] > 80


@pytest.mark.thorough
def test_whoever_is_said_to_take_the_rest_takes_it():
    found = 0
    for game in all_endings():
        claim = certain_rest(game)
        if claim is None or claim.taker is None or not game.deal:
            continue
        found += 1
        over = played_out(game, Random(found))
        assert over.deal is not None
        rest = over.deal.tricks[len(game.deal.tricks) :]
        assert {trick.winner for trick in rest} == {claim.taker}
    assert found > 100


def played_out(game: Game, dice: Random) -> Game:
    while game.deal is not None and game.deal.trick is not None:
        game = after(game, command(game, dice))
    return game


def no_card_in_hands(game: Game) -> Claim | None:
    """Forgets what lies on the table."""
    deal = game.deal
    assert deal is not None
    held = [card for hand in deal.hands for card in hand]
    return None if any(map(game.ruleset.points_of, held)) else DECIDED


def without_sun(game: Game) -> Claim | None:
    return certain_rest(replace(game, ruleset=replace(game.ruleset, sun=None)))


def without_bonus(game: Game) -> Claim | None:
    return certain_rest(replace(game, ruleset=replace(game.ruleset, no_trick_bonus=NoTrickBonus())))


def highest_is_enough(game: Game) -> Claim | None:
    """Believes that one card that beats all others takes the rest."""
    deal = game.deal
    assert deal is not None
    if deal.trick is None or deal.trick.plays:
        return None
    leader = deal.trick.leader
    best = max((card.rank for card in deal.hands[leader] if card.suit), default=0)
    others = [card for seat, hand in enumerate(deal.hands) if seat != leader for card in hand]
    takes = all(card.rank < best for card in others if card.suit)
    return Claim(Certainty.ONE_TAKES_ALL, leader) if takes else None


@pytest.mark.parametrize("judge", [no_card_in_hands, without_bonus, highest_is_enough])
@pytest.mark.thorough
def test_a_judge_who_overlooks_something_is_refuted(judge: Judge):
    assert any(not is_certain(game) for game, _ in claims_of(judge))


def test_endings_are_small_enough_to_be_tried_whole():
    assert all(ways(game) <= MOST_WAYS for game in all_endings())
