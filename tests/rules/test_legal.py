import pytest

from bot.rules.commands import PlayCard
from bot.rules.errors import IllegalMoveError, Reason
from bot.rules.legal import choice, refusal, to_move
from bot.rules.tricks import lowest_club
from bot.rules.variants import load
from tests.support.deals import (
    STANDARD,
    after,
    cards,
    deal_in_play,
    deal_opening,
    deal_to_pass,
    house_rules,
    played,
)

CLUBS_LED = ("2C 3C", "4D 5D", "6D 7D", "8D 9D")


def check(game, playable, because):
    """Both answers about a card have to agree: the choice and the refusal."""
    assert choice(game).cards == cards(playable)
    assert choice(game).because is because
    hand = game.deal.hands[to_move(game)[0]]
    assert {card for card in hand if refusal(game, card) is None} == choice(game).cards


def test_the_two_of_clubs_must_be_led():
    """rules.md 1.1: the holder of 2C leads it."""
    game = deal_opening("5C 9D", "2C AC", "3C QS", "4C 2H")
    assert to_move(game) == (1,)
    check(game, "2C", Reason.OPENING_CARD)


def test_the_lowest_club_in_any_hand_opens_where_the_two_is_out():
    """rules.md 3.4; five and six players strip it, 3.9."""
    game = deal_opening("5C 9D", "4C AC", "3C QS", "6C 2H", "7C 8D")
    assert to_move(game) == (2,)
    check(game, "3C", Reason.OPENING_CARD)


@pytest.mark.parametrize("first_lead", ["lowest_club", "holder_any_club"])
def test_where_nobody_holds_a_club_the_seat_after_the_dealer_leads_what_it_likes(first_lead):
    """rules.md 3.4."""
    rules = house_rules(first_lead=first_lead)
    game = deal_opening("5D 9D", "2D 3S", "3D QS", "4D 2H", ruleset=rules, dealer=0)
    assert lowest_club(game.deal.hands) is None
    assert to_move(game) == (1,)
    check(game, "2D 3S", None)


def test_the_holder_of_the_lowest_club_may_lead_any_club_where_the_rules_say_so():
    """rules.md 3.4, `holder_any_club`."""
    rules = house_rules(first_lead="holder_any_club")
    game = deal_opening("5C 9D 4D", "2C AC 3D", "3C QS 5D", "4C 2H 6D", ruleset=rules)
    assert to_move(game) == (1,)
    check(game, "2C AC", Reason.OPENING_CLUB)


def test_the_seat_after_the_dealer_may_lead_anything_but_a_heart_where_the_rules_say_so():
    """rules.md 3.4, `left_of_dealer`; 1.18: anything but a heart if breaking is on."""
    hands = ("2C 9D 4D", "4S AC 3H", "3C QS 5D", "5C 2H 6D")
    rules = house_rules(first_lead="left_of_dealer", first_trick_ban=[])
    game = deal_opening(*hands, ruleset=rules, dealer=0)
    assert to_move(game) == (1,)
    check(game, "4S AC", Reason.HEARTS_UNBROKEN)
    free = house_rules(first_lead="left_of_dealer", first_trick_ban=[], hearts_lead="free")
    check(deal_opening(*hands, ruleset=free, dealer=0), "4S AC 3H", None)


def test_the_ban_of_the_first_trick_binds_its_leader_too():
    """rules.md 3.9, step 3 of the pipeline comes whoever plays."""
    rules = house_rules(first_lead="left_of_dealer", hearts_lead="free")
    game = deal_opening("2C 9D 4D", "QS AC 3H", "3C 2S 5D", "5C 2H 6D", ruleset=rules, dealer=0)
    check(game, "AC", Reason.FIRST_TRICK_BAN)


def test_suit_must_be_followed():
    """rules.md 1.1."""
    game = played(deal_in_play("2S 3S", "4S 5D", "6D 7D", "8D 9D"), "2S")
    check(game, "4S", Reason.MUST_FOLLOW)


def test_the_queen_of_spades_may_be_played_at_any_time_after_the_first_trick():
    """rules.md 1.1: no duty to drop it either."""
    game = played(deal_in_play("2S 3S", "QS KS", "6D 7D", "8D 9D"), "2S")
    check(game, "QS KS", None)


def test_a_void_hand_may_play_anything_after_the_first_trick():
    """rules.md 1.1."""
    game = played(deal_in_play("2S 3S", "QH 5D", "6D 7D", "8D 9D"), "2S")
    check(game, "QH 5D", None)


def test_a_void_hand_keeps_its_penalty_cards_in_the_first_trick():
    """Golden vector 20 of rules.md 5: void in clubs with QS, hearts and a diamond."""
    game = played(deal_opening("2C 3C 4C", "QS 5H 6D", "5C 6C 7C", "8C 9C TC"), "2C")
    check(game, "6D", Reason.FIRST_TRICK_BAN)


def test_a_hand_of_nothing_else_may_play_a_penalty_card_to_the_first_trick():
    """Golden vector 20 of rules.md 5: holding only QS and hearts, all are legal."""
    game = played(deal_opening("2C 3C 4C", "QS 5H 6H", "5C 6C 7C", "8C 9C TC"), "2C")
    check(game, "QS 5H 6H", None)


def test_the_queen_goes_first_from_a_hand_of_penalties_where_the_rules_say_so():
    """rules.md 2.4.4, TUX: QS must go first; a hand without it may play any card."""
    rules = house_rules(first_trick_exempt="qs_first")
    hands = ("2C 3C 4C", "QS 5H 6H", "7H 8H 9H", "8C 9C TC")
    game = played(deal_opening(*hands, ruleset=rules), "2C")
    check(game, "QS", Reason.QUEEN_FIRST)
    check(played(game, "QS"), "7H 8H 9H", None)


def test_penalty_cards_may_fall_at_once_where_the_rules_ban_none():
    """rules.md 1.18: no ban on the first trick, any card when void."""
    rules = house_rules(first_trick_ban=[])
    hands = ("2C 3C 4C", "QS 5H 6D", "5C 6C 7C", "8C 9C TC")
    check(played(deal_opening(*hands, ruleset=rules), "2C"), "QS 5H 6D", None)


def test_two_rules_in_one_trick_each_refuse_their_own_cards():
    """rules.md 3.9: every filter narrows what the one before it left."""
    rules = house_rules(first_lead="left_of_dealer")
    hands = ("2C 9D 4D", "4S AC 3D", "QS KS 5D", "5C 2H 6D")
    game = played(deal_opening(*hands, ruleset=rules, dealer=0), "4S")
    check(game, "KS", Reason.MUST_FOLLOW)
    queen, diamond = (next(iter(cards(text))) for text in ("QS", "5D"))
    assert refusal(game, queen) is Reason.FIRST_TRICK_BAN
    assert refusal(game, diamond) is Reason.MUST_FOLLOW


def test_hearts_may_not_be_led_before_they_are_broken():
    """rules.md 1.1."""
    game = deal_in_play("2H 9S", "3C 4C", "3D 4D", "3S 4S")
    check(game, "9S", Reason.HEARTS_UNBROKEN)


def test_hearts_may_be_led_once_broken():
    """rules.md 1.1."""
    game = deal_in_play("2H 9S", "3C 4C", "3D 4D", "3S 4S", hearts_broken=True)
    check(game, "2H 9S", None)


def test_hearts_may_be_led_unbroken_from_a_hand_of_nothing_else():
    """rules.md 1.1."""
    check(deal_in_play("2H 9H", "3C 4C", "3D 4D", "3S 4S"), "2H 9H", None)


def test_hearts_may_always_be_led_where_the_rules_say_so():
    """rules.md 1.18: hearts may be led any time."""
    rules = house_rules(hearts_lead="free")
    check(deal_in_play("2H 9S", "3C 4C", "3D 4D", "3S 4S", ruleset=rules), "2H 9S", None)


def test_the_queen_must_be_led_from_hearts_and_the_queen():
    """rules.md 2.4.3: the exemption covers only all-hearts hands."""
    game = deal_in_play("2H QS", "3C 4C", "3D 4D", "3S 4S")
    check(game, "QS", Reason.HEARTS_UNBROKEN)


@pytest.mark.parametrize(
    ("hand", "playable", "because"),
    [
        ("2H QS", "2H QS", None),
        ("2H 9H", "2H 9H", None),
        ("2H QD", "QD", Reason.HEARTS_UNBROKEN),
        ("2H KS", "KS", Reason.HEARTS_UNBROKEN),
    ],
)
def test_a_heart_may_be_led_instead_of_the_queen_where_the_rules_say_so(hand, playable, because):
    """rules.md 2.4.3 P: `hearts_or_qs`."""
    rules = house_rules(lead_exempt="hearts_or_qs")
    check(deal_in_play(hand, "3C 4C", "3D 4D", "3S 4S", ruleset=rules), playable, because)


BREAKING = ("2S 3D 4H", "KC 5D 5H", "6S 7D 6H", "8S 9D 7H")
"""Seat 1 is void in spades."""


@pytest.mark.parametrize(
    ("breakers", "card", "is_broken"),
    [
        (["H*", "QS"], "5H", True),
        (["H*"], "5H", True),
        (["QS"], "5H", False),
        (["H*", "QS"], "KC", False),
    ],
)
def test_hearts_are_broken_by_the_cards_that_the_rules_name(breakers, card, is_broken):
    """rules.md 3.4: `breakers`, broken the moment such a card is played."""
    game = deal_in_play(*BREAKING, ruleset=house_rules(breakers=breakers))
    assert played(game, f"2S {card}").deal.hearts_broken is is_broken


@pytest.mark.parametrize(("break_on_lead", "is_broken"), [(True, True), (False, False)])
def test_a_breaker_that_is_led_counts_where_the_rules_say_so(break_on_lead, is_broken):
    """rules.md 3.4: `break_on_lead`; 1.13 counts only the later cards of a trick."""
    rules = house_rules(break_on_lead=break_on_lead)
    game = played(deal_in_play("QS 4H", "3C 4C", "3D 4D", "3S 4S", ruleset=rules), "QS")
    assert game.deal.hearts_broken is is_broken
    heart = played(deal_in_play("4H 5H", "3C 6H", "3D 4D", "3S 4S", ruleset=rules), "4H")
    assert heart.deal.hearts_broken is is_broken
    assert played(heart, "6H").deal.hearts_broken


def test_the_game_waits_for_all_who_have_yet_to_pass():
    game = deal_to_pass("2C 3C 4C", "2D 3D 4D", "2S 3S 4S", "2H 3H 4H")
    assert to_move(game) == (0, 1, 2, 3)


def test_there_is_no_choice_where_no_trick_is_under_way():
    game = deal_to_pass("2C 3C 4C", "2D 3D 4D", "2S 3S 4S", "2H 3H 4H")
    with pytest.raises(ValueError, match="no trick"):
        choice(game)


@pytest.mark.parametrize(
    ("game", "text", "sentence"),
    [
        (
            deal_opening("5C 9D", "2C AC", "3C QS", "4C 2H"),
            "AC",
            "The 2C must be led to the first trick.",
        ),
        (
            deal_opening(
                "5C 9D",
                "2C AD",
                "3C QS",
                "4C 2H",
                ruleset=house_rules(first_lead="holder_any_club"),
            ),
            "AD",
            "The first trick must be led with a club.",
        ),
        (
            played(deal_in_play("2S 3S", "4S 5D", "6D 7D", "8D 9D"), "2S"),
            "5D",
            "You must follow suit: spades were led and you hold some.",
        ),
        (
            played(
                deal_in_play("JK 3S", "4D 5S", "6D 7C", "8D 9D", ruleset=load("joker_hearts")),
                "JK 4D",
            ),
            "7C",
            "You must follow suit: diamonds were led and you hold some.",
        ),
        (
            deal_in_play("2H 9S", "3C 4C", "3D 4D", "3S 4S"),
            "2H",
            "Hearts are not broken yet; lead something else.",
        ),
        (
            deal_in_play("2H 9S", "3C 4C", "3D 4D", "3S 4S"),
            "3C",
            "You do not hold the 3C any more.",
        ),
    ],
)
def test_a_refusal_says_which_rule(game, text, sentence):
    """cases.md B128: a refused card without a reason teaches nothing."""
    (card,) = cards(text)
    with pytest.raises(IllegalMoveError) as refused:
        after(game, PlayCard(to_move(game)[0], card))
    assert str(refused.value.sentence) == sentence


def test_standard_is_what_these_tests_mean_by_default():
    assert STANDARD.id == "standard"
