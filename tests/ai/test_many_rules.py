"""What the rules of thumb decide where the rules are not the standard ones."""

from random import Random

from bot.ai import LEVELS
from bot.ai.knowledge import Knowledge
from bot.rules.cards import Card, Seat, Suit, write_cards
from bot.rules.dimensions import PassTo
from bot.rules.ruleset import Ruleset
from bot.rules.ruleset_io import from_dict
from bot.rules.state import Game
from bot.rules.variants import load
from bot.rules.view import seat_view
from tests.support.deals import begun, cards, deal_in_play, deal_to_pass, house_rules, played

STEADY = LEVELS["steady"]
CANCELLATION, JOKERS, PARTNERS, REVERSE, SUPER, TWO = map(
    load,
    (
        "cancellation",
        "joker_hearts",
        "partnership_pooled",
        "reverse",
        "super_hearts",
        "two_player",
    ),
)
JACK = house_rules(points={"JD": -10})


def answer(game: Game, seat: int) -> str:
    """The card that a robot in *seat* plays now."""
    return str(STEADY.choose_card(seat_view(game, Seat(seat)), Random(1)))


def passed(ruleset: Ruleset, hand: str, to: int = 1, count: int = 3) -> set[str]:
    """What a robot passes from *hand* at a table of four."""
    held = cards(hand)
    rest = sorted(frozenset(ruleset.deck(4)) - held, key=lambda card: card.order)
    others = [write_cards(tuple(rest[first : 3 * len(held) : 3])) for first in range(3)]
    game = deal_to_pass(hand, *others, step=PassTo(to, count), ruleset=ruleset)
    return set(write_cards(STEADY.choose_pass(seat_view(game, Seat(0)), Random(1))).split())


def test_a_king_is_paired_rather_than_an_ace_laid_on_a_queen_of_spades():
    """rules.md 3.5: two equal cards of the suit led lose their power."""
    hands = ["KC 2D", "5C 3D", "QS 4D", "6C 5D", "7C 6D", "KC.2 AC"]
    game = deal_in_play(*hands, ruleset=CANCELLATION, hearts_broken=True)
    assert answer(played(game, "KC 5C QS 6C 7C"), 5) == "KC.2"


def test_the_control_where_the_later_of_two_kings_wins_the_low_card_is_played():
    hands = ["KC 2D", "5C 3D", "QS 4D", "6C 5D", "7C 6D", "KC.2 3C"]
    later = from_dict({"extends": "cancellation", "duplicates": "later_wins"})
    game = deal_in_play(*hands, ruleset=later, hearts_broken=True)
    assert answer(played(game, "KC 5C QS 6C 7C"), 5) == "3C"


def test_a_card_that_a_pair_has_left_on_top_is_not_laid_on_a_queen():
    hands = ["KC 2D", "KC.2 3D", "QS 4D", "6C 5D", "7C 6D", "8C 3C"]
    game = deal_in_play(*hands, ruleset=CANCELLATION, hearts_broken=True)
    assert answer(played(game, "KC KC.2 QS 6C 7C"), 5) == "3C"


def test_cards_that_wait_for_a_winner_are_part_of_the_stake():
    """rules.md 2.3.6: the winner of the next trick takes the tabled one, too."""
    hands = ["KC 3D 9S", "KC.2 4D 9S.2", "QS 5D 8S", "2H 6D 8S.2", "3H 7D 7S", "4H AD 2D"]
    game = deal_in_play(*hands, ruleset=CANCELLATION, hearts_broken=True)
    game = played(game, "KC KC.2 QS 2H 3H 4H")
    assert seat_view(game, Seat(5)).public.tabled
    assert answer(played(game, "3D 4D 5D 6D 7D"), 5) == "2D"


def test_the_control_a_clean_trick_is_taken_with_the_highest_card():
    hands = ["3D 9S", "4D 9S.2", "5D 8S", "6D 8S.2", "7D 7S", "AD 2D"]
    game = deal_in_play(*hands, ruleset=CANCELLATION, hearts_broken=True)
    assert answer(played(game, "3D 4D 5D 6D 7D"), 5) == "AD"


def test_a_joker_is_thrown_rather_than_take_the_queen_of_spades():
    """rules.md 1.9: a joker may be thrown whether or not its holder could follow."""
    game = deal_in_play("5S 2C", "4S 3C", "QS 4C", "KS JK", ruleset=JOKERS)
    assert answer(played(game, "5S 4S QS"), 3) == "JK"


def test_a_joker_is_kept_while_a_low_card_ducks_as_well():
    game = deal_in_play(
        "5H 2C 2D", "4H 3C 3D", "QH 4C 4D", "3H KS JK", ruleset=JOKERS, hearts_broken=True
    )
    assert answer(played(game, "5H 4H QH"), 3) == "3H"


def test_a_joker_is_led_rather_than_an_ace_into_the_queen():
    """rules.md 2.1.2a: whoever plays after a led joker leads in effect."""
    game = deal_in_play("AS JK", "QS 2S", "3S 4S", "5S 6S", ruleset=JOKERS)
    assert answer(game, 0) == "JK"


def test_a_joker_is_never_passed():
    hand = "JK JK.2 2C 5C AC 4D KD AD 3S 6S 3H 7H KH AH"
    assert not {"JK", "JK.2"} & passed(JOKERS, hand)


def test_the_last_to_play_takes_a_free_jack_of_diamonds():
    game = deal_in_play("5D 2C", "JD 3C", "7D 4C", "QD 2D", ruleset=JACK)
    assert answer(played(game, "5D JD 7D"), 3) == "QD"


def test_the_control_a_jack_that_comes_with_the_queen_of_spades_is_left():
    game = deal_in_play("5D 2C", "JD 3C", "QS 4C", "QD 2D", ruleset=JACK)
    assert answer(played(game, "5D JD QS"), 3) == "2D"


def test_a_jack_that_takes_points_off_and_the_cards_that_catch_it_are_kept():
    assert not {"JD", "AD"} & passed(JACK, "2C 5C 9C KC 3D JD AD 4S 6S 3H 7H QH KH")


def test_the_queen_is_not_taken_by_the_last_to_play_who_can_duck():
    game = deal_in_play("5S 2C", "QS 3C", "7S 4C", "AS 2S", ruleset=JACK)
    assert answer(played(game, "5S QS 7S"), 3) == "2S"


def test_the_queen_is_not_thrown_on_a_partners_trick():
    """rules.md 1.19: partners share one total."""
    game = deal_in_play("AC 2D", "3C 3D", "QS 5D", "4C 4D", ruleset=PARTNERS)
    assert answer(played(game, "AC 3C"), 2) == "5D"


def test_the_control_the_queen_is_thrown_on_a_trick_of_the_other_side():
    game = deal_in_play("3C 2D", "AC 3D", "QS 5D", "4C 4D", ruleset=PARTNERS)
    assert answer(played(game, "3C AC"), 2) == "QS"


def test_where_points_are_good_a_partners_trick_is_given_the_queen():
    """rules.md 1.11: hearts and the queen of spades bring points, the jack costs ten."""
    game = deal_in_play("AC 2D", "3C 3D", "QS 5D", "4C 4D", ruleset=REVERSE)
    assert answer(played(game, "AC 3C"), 2) == "QS"


def test_where_points_are_good_the_other_side_gets_no_queen():
    game = deal_in_play("AC 2D", "QS 5D", "3C 3D", "4C 4D", ruleset=REVERSE)
    assert answer(played(game, "AC"), 1) == "5D"


def test_where_points_are_good_the_jack_goes_to_the_other_side():
    game = deal_in_play("AC 2D", "JD 5S", "3C 3D", "4C 4D", ruleset=REVERSE)
    assert answer(played(game, "AC"), 1) == "JD"


def test_where_points_are_good_a_partner_is_spared_the_jack():
    game = deal_in_play("AC 2D", "3C 3D", "JD 5S", "4C 4D", ruleset=REVERSE)
    assert answer(played(game, "AC 3C"), 2) == "5S"


def test_where_points_are_good_the_last_to_play_takes_a_trick_of_hearts():
    game = deal_in_play("5H 2C", "4H 3C", "QH 4C", "KH 2H", ruleset=REVERSE, hearts_broken=True)
    assert answer(played(game, "5H 4H QH"), 3) == "KH"


def test_a_partner_who_takes_the_trick_anyhow_is_not_overtaken():
    game = deal_in_play("5H 2C", "KH 3C", "4H 4C", "AH 2H", ruleset=REVERSE, hearts_broken=True)
    assert answer(played(game, "5H KH 4H"), 3) == "2H"


def test_where_points_are_good_the_jack_is_passed_and_aces_are_kept():
    given = passed(REVERSE, "2C 5C AC 3D 7D JD 4S 6S AS 3H 7H QH AH")
    assert "JD" in given
    assert not {"AC", "AS", "AH"} & given


def test_one_card_is_passed_where_the_step_takes_one():
    assert passed(house_rules(), "2C 5C 9C JC 2D 4D 7D 8D 3H 4H 6H 3S QS", count=1) == {"QS"}


def test_two_players_shed_the_queen_on_an_ace():
    game = deal_in_play("AS 2C", "QS 4S", ruleset=TWO)
    assert answer(played(game, "AS"), 1) == "QS"


def test_a_cheap_heart_is_taken_from_the_only_other_player_who_holds_all_points():
    """rules.md 1.10: the other pays 14 for a moon, and one heart spoils it."""
    hands = ["2S QH 8C 2H", "QS AH TC 4C"]
    game = deal_in_play(*hands, ruleset=TWO, leader=1, hearts_broken=True)
    game = played(game, "QS 2S TC 8C 4C 2H")
    assert answer(played(game, "AH"), 0) == "QH"


def test_a_first_point_is_taken_where_nobody_wins_who_has_none():
    """rules.md 2.7: the smallest score above none is paid by the others."""
    game = deal_in_play("5D 2C", "4D 3C", "3H 4C", "9D 2D", ruleset=SUPER, hearts_broken=True)
    assert answer(played(game, "5D 4D 3H"), 3) == "9D"


def test_the_control_elsewhere_the_same_heart_is_ducked():
    game = deal_in_play("5D 2C", "4D 3C", "3H 4C", "9D 2D", hearts_broken=True)
    assert answer(played(game, "5D 4D 3H"), 3) == "2D"


def test_a_seat_that_draws_is_not_believed_to_be_void_for_long():
    """rules.md 1.13: after each card its player draws one from the stock."""
    game = begun(tuple(Random(4).sample(load("draw7").deck(2), 52)), load("draw7"), seats=2)
    dice = Random(4)
    while seat_view(game, Seat(0)).public.stock > 4:
        view = seat_view(game, seat_view(game, Seat(0)).public.waiting[0])
        game = played(game, str(dice.choice(sorted(view.choice.cards, key=str))))
    assert Knowledge(seat_view(game, Seat(0))).voids == (frozenset(), frozenset())


def test_the_control_a_seat_that_does_not_draw_stays_void():
    game = played(deal_in_play("5D 2C", "4C 3C", "3D 4H", "9D 2D"), "5D 4C")
    assert Knowledge(seat_view(game, Seat(2))).voids[1] == {Suit.DIAMONDS}


def test_a_joker_says_nothing_about_the_suit_led():
    game = deal_in_play("5D 2C", "JK 3C", "3D 4H", "9D 2D", ruleset=JOKERS)
    assert not Knowledge(seat_view(played(game, "5D JK"), Seat(2))).voids[1]


def test_a_card_in_a_widow_or_a_stock_is_not_thought_to_be_in_a_hand():
    order = tuple(Random(1).sample(TWO.deck(2), 28))
    known = Knowledge(seat_view(begun(order, TWO, seats=2), Seat(0)))
    chances = sum(known.chance_to_hold(Seat(1), card) for card in known.unseen)
    assert known.hidden == 2
    assert round(chances) == 13
    assert Card.parse("3C") not in known.worth
