import random
from dataclasses import replace

import pytest

from bot.rules.cards import Seat, pack
from bot.rules.commands import BeginDeal, PassCards, PlayCard, PlayedBy, SettleMoon
from bot.rules.decide import decide, new_game
from bot.rules.dimensions import MoonPayoff, MoonRules
from bot.rules.errors import IllegalMoveError, Reason, RulesetError
from bot.rules.events import (
    CardPlayed,
    DealBegan,
    DealScored,
    GameEnded,
    MoonSettled,
)
from bot.rules.evolve import evolve, replay
from bot.rules.legal import to_move
from bot.rules.state import Phase
from tests.support.deals import (
    STANDARD,
    after,
    begun,
    cards,
    deal_in_play,
    deal_opening,
    deal_played_out,
    deal_to_pass,
    house_rules,
    order_of,
    played,
)

LAST_TRICK = ("AD", "3D", "4D", "5D")
"""Nobody takes a point with these."""


def refused(game, command):
    with pytest.raises(IllegalMoveError) as error:
        decide(game, command)
    return error.value


def card(text):
    (only,) = cards(text)
    return only


def test_a_new_game_waits_for_its_first_deal():
    game = new_game(STANDARD, 4, Seat(2))
    assert (game.phase, game.dealer, game.totals) == (Phase.DEALING, 2, (0, 0, 0, 0))
    assert (to_move(game), game.trick_number, game.deal) == ((), 0, None)


@pytest.mark.parametrize("seats", [2, 7])
def test_a_game_has_as_many_seats_as_its_rules_allow(seats):
    with pytest.raises(RulesetError, match="players"):
        new_game(STANDARD, seats, Seat(0))


def test_rules_with_a_fault_start_no_game():
    with pytest.raises(RulesetError, match=r"moon\.value"):
        new_game(replace(STANDARD, moon=MoonRules(value=-1)), 4, Seat(0))


@pytest.mark.parametrize(("seats", "dealer"), [(3, 0), (4, 3), (4, 1), (5, 4), (6, 2)])
def test_cards_are_dealt_one_at_a_time_to_the_seat_after_the_dealer_first(seats, dealer):
    """rules.md 1.1."""
    deck = STANDARD.deck(seats)
    game = begun(deck, seats=seats, dealer=dealer)
    for place, each in enumerate(deck):
        assert each in game.deal.hands[(dealer + 1 + place) % seats]
    assert game.deal.dealt == game.deal.hands


def test_a_deal_is_announced_by_number_dealer_and_order():
    game = new_game(STANDARD, 4, Seat(3))
    assert decide(game, BeginDeal(pack())) == (DealBegan(1, Seat(3), pack()),)


@pytest.mark.parametrize(
    "order",
    [pack()[:51], pack()[:51] + pack()[:1], (*pack(), pack()[0]), pack(copy=2), ()],
)
def test_only_the_cards_of_the_game_can_be_dealt(order):
    assert refused(new_game(STANDARD, 4, Seat(0)), BeginDeal(order)).reason is Reason.WRONG_DECK


def test_no_deal_begins_while_another_is_under_way():
    assert refused(begun(pack()), BeginDeal(pack())).reason is Reason.NOT_NOW


def test_only_the_seat_whose_turn_it_is_may_play():
    game = deal_opening("5C 9D", "2C AC", "3C QS", "4C 2H")
    error = refused(game, PlayCard(Seat(2), card("3C")))
    assert error.reason is Reason.NOT_YOUR_TURN
    assert error.sentence.facts == {"whom": 1}


@pytest.mark.parametrize(
    "game", [new_game(STANDARD, 4, Seat(0)), deal_to_pass("2C", "2D", "2S", "2H")]
)
def test_no_card_is_played_outside_of_tricks(game):
    assert refused(game, PlayCard(Seat(0), card("2C"))).reason is Reason.NOT_NOW


def test_a_card_keeps_who_laid_it_down():
    """house.md 4.3: hand, robot or clock."""
    game = deal_opening("5C 9D", "2C AC", "3C QS", "4C 2H")
    command = PlayCard(Seat(1), card("2C"), PlayedBy.CLOCK)
    assert decide(game, command) == (CardPlayed(Seat(1), card("2C"), PlayedBy.CLOCK),)


def test_the_winner_of_a_trick_leads_the_next():
    """rules.md 1.1: clockwise; the highest card of the suit led."""
    game = played(deal_in_play("2S 3S", "4S 5D", "KS 7D", "AH 9D"), "2S 4S KS AH")
    assert game.deal.tricks[-1].winner == 2
    assert to_move(game) == (2,)


def test_the_last_card_of_a_deal_brings_its_score():
    game = played(deal_in_play(*LAST_TRICK), "AD 3D 4D")
    events = decide(game, PlayCard(Seat(3), card("5D")))
    assert [type(event) for event in events] == [CardPlayed, DealScored]
    then = replay(game, events)
    assert (then.phase, then.dealer, to_move(then)) == (Phase.DEALING, 0, ())
    assert then.scores == (events[1].score,)
    assert then.deal.trick is None
    assert then.trick_number == 0


def test_the_card_that_ends_the_game_says_so():
    """rules.md 1.1: over at the end of the first deal with someone at 100."""
    game = played(deal_in_play(*LAST_TRICK, totals=(100, 40, 30, 40)), "AD 3D 4D")
    events = decide(game, PlayCard(Seat(3), card("5D")))
    assert events[2:] == (GameEnded(places=(4, 2, 1, 2), totals=(100, 40, 30, 40)),)
    over = replay(game, events)
    assert (over.phase, over.places, over.dealer) == (Phase.OVER, (4, 2, 1, 2), 3)
    assert to_move(over) == ()
    assert refused(over, BeginDeal(pack())).reason is Reason.NOT_NOW
    assert refused(over, PassCards(Seat(0), cards("2C"))).reason is Reason.NOT_NOW


def test_an_exact_total_is_reset_before_the_end_is_tested():
    """Golden vector 19 of rules.md 5: exactly 100 becomes 50 and plays on; 101 ends the game."""
    rules = house_rules(exact={"100": 50})
    for total, phase in [(100, Phase.DEALING), (101, Phase.OVER)]:
        totals = (total, 40, 30, 20)
        game = played(deal_in_play(*LAST_TRICK, ruleset=rules, totals=totals), "AD 3D 4D 5D")
        assert game.phase is phase


def moon_to_settle(**moon):
    """Seat 0 has just taken all that costs points in this small deal: one heart."""
    game = deal_in_play("AH", "3D", "4D", "5D", ruleset=house_rules(moon=moon))
    return game, decide(played(game, "AH 3D 4D"), PlayCard(Seat(3), card("5D")))


def test_a_shooter_who_may_choose_is_waited_for():
    """rules.md 3.7, `shooter_choice`: the score comes with the choice."""
    game, events = moon_to_settle(payoff="shooter_choice")
    assert [type(event) for event in events] == [CardPlayed]
    waiting = played(game, "AH 3D 4D 5D")
    assert (waiting.phase, to_move(waiting)) == (Phase.MOON_CHOICE, (0,))
    assert waiting.deal.trick is None


@pytest.mark.parametrize(
    ("payoff", "totals"),
    [(MoonPayoff.ADD_OTHERS, (0, 26, 26, 26)), (MoonPayoff.SUBTRACT_SELF, (-26, 0, 0, 0))],
)
def test_the_choice_settles_the_deal(payoff, totals):
    """rules.md 1.18: −26 self or +26 to each other."""
    waiting = played(moon_to_settle(payoff="shooter_choice")[0], "AH 3D 4D 5D")
    events = decide(waiting, SettleMoon(Seat(0), payoff))
    assert events[0] == MoonSettled(Seat(0), payoff)
    assert [type(event) for event in events] == [MoonSettled, DealScored]
    then = replay(waiting, events)
    assert (then.phase, then.totals) == (Phase.DEALING, totals)
    assert then.scores[0].moon.payoff is payoff


def test_the_choice_can_end_the_game():
    waiting = played(moon_to_settle(payoff="shooter_choice")[0], "AH 3D 4D 5D")
    waiting = replace(waiting, totals=(0, 80, 10, 10))
    then = after(waiting, SettleMoon(Seat(0), MoonPayoff.ADD_OTHERS))
    assert (then.phase, then.places) == (Phase.OVER, (1, 4, 2, 2))


def test_only_the_shooter_chooses_and_only_between_the_two_payoffs():
    waiting = played(moon_to_settle(payoff="shooter_choice")[0], "AH 3D 4D 5D")
    other = refused(waiting, SettleMoon(Seat(1), MoonPayoff.ADD_OTHERS))
    assert (other.reason, other.sentence.facts["whom"]) == (Reason.NOT_YOUR_TURN, 0)
    third = refused(waiting, SettleMoon(Seat(0), MoonPayoff.SHOOTER_CHOICE))
    assert third.reason is Reason.UNKNOWN_PAYOFF
    assert refused(waiting, PlayCard(Seat(0), card("2C"))).reason is Reason.NOT_NOW


@pytest.mark.parametrize("moon", [{"payoff": "add_others"}, {"on": False}])
def test_nobody_is_asked_where_the_rules_leave_no_choice(moon):
    game, events = moon_to_settle(**moon)
    assert [type(event) for event in events] == [CardPlayed, DealScored]
    scored = played(game, "AH 3D 4D 5D")
    assert refused(scored, SettleMoon(Seat(0), MoonPayoff.ADD_OTHERS)).reason is Reason.NOT_NOW


def test_the_next_seat_to_the_left_deals_next_and_tricks_are_counted_through_the_game():
    """house.md 4.4: the moment is a trick counted through the whole game."""
    dice = random.Random(7)
    first, _ = deal_played_out(begun(pack(), dealer=3), dice.sample)
    assert first.trick_number == 0
    second = after(first, BeginDeal(tuple(dice.sample(pack(), 52))))
    assert (second.dealer, second.deal.number, second.tricks_before) == (0, 2, 13)
    assert second.past == (first.deal,)
    scored, _ = deal_played_out(second, dice.sample)
    third = after(scored, BeginDeal(pack()))
    assert (third.dealer, third.deal.number, third.tricks_before) == (1, 3, 26)
    assert [deal.number for deal in third.past] == [1, 2]


def test_the_trick_under_way_is_counted_from_one():
    game = played(deal_in_play("2S 3S", "4S 5D", "KS 7D", "AH 9D"), "2S")
    assert game.trick_number == 2
    assert replace(game, tricks_before=13).trick_number == 15


def test_hearts_are_whole_again_in_every_deal():
    dice = random.Random(7)
    first, _ = deal_played_out(begun(pack()), dice.sample)
    assert first.deal.hearts_broken
    assert not after(first, BeginDeal(pack())).deal.hearts_broken


@pytest.mark.parametrize(
    ("game", "event"),
    [
        (deal_to_pass("2C", "2D", "2S", "2H"), CardPlayed(Seat(0), card("2C"), PlayedBy.HAND)),
        (new_game(STANDARD, 4, Seat(0)), CardPlayed(Seat(0), card("2C"), PlayedBy.HAND)),
        (new_game(STANDARD, 4, Seat(0)), GameEnded((1, 2, 3, 4), (0, 1, 2, 3))),
    ],
)
def test_an_event_of_a_deal_that_is_not_under_way_is_a_bug(game, event):
    with pytest.raises(ValueError, match="under way"):
        evolve(game, event)


def test_no_repr_shows_a_hidden_card():
    """reliability.md 5: `repr()` of state objects hides hands, since logs may hold it."""
    hands = [pack()[seat::4] for seat in range(4)]
    game = begun(order_of(hands, 3))
    chosen = PassCards(Seat(1), frozenset(hands[1][:3]), hands[1][:3])
    command = BeginDeal(pack())
    for value in (
        after(game, chosen).deal,
        chosen,
        command,
        PlayCard(Seat(0), card("QS")),
        *decide(game, chosen),
        *decide(new_game(STANDARD, 4, Seat(0)), command),
    ):
        assert "rank=" not in repr(value)
    assert "rank=" in repr(game.deal.hands)
