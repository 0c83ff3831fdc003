"""What the rules of thumb decide in plain positions (robots.md, cases.md “Hearts rules”)."""

from random import Random

import pytest

from bot.ai import LEVELS
from bot.rules.cards import Card, Seat, write_cards
from bot.rules.dimensions import PassTo, Scatter
from bot.rules.state import Game
from bot.rules.view import seat_view
from tests.support.deals import cards, deal_in_play, deal_opening, deal_to_pass, house_rules, played

STEADY = LEVELS["steady"]
JACK = house_rules(points={"JD": -10})


def answer(game: Game, seat: int) -> str:
    """The card that a robot in *seat* plays now."""
    return str(STEADY.choose_card(seat_view(game, Seat(seat)), Random(1)))


def given_away(hand: str, count: int = 3) -> str:
    """What a robot passes to the left from *hand*."""
    others = spread(hand)
    game = deal_to_pass(hand, *others, step=PassTo(1, count))
    return write_cards(STEADY.choose_pass(seat_view(game, Seat(0)), Random(1)))


def spread(hand: str) -> list[str]:
    """The other 39 cards in three hands of any kind."""
    rest = sorted(frozenset(house_rules().deck(4)) - cards(hand), key=lambda card: card.order)
    return [" ".join(map(str, rest[first::3])) for first in range(3)]


def test_an_unguarded_queen_of_spades_is_passed():
    assert "QS" in given_away("2C 5C 9C JC 2D 4D 7D 8D 3H 4H 6H 3S QS")


def test_a_well_guarded_queen_of_spades_is_kept():
    passed = given_away("2C JC AC 4D KD AD QH KH 2S 3S 5S 7S QS")
    assert "S" not in passed


def test_bare_spades_above_the_queen_are_passed():
    passed = given_away("2C 5C 9C TC 2D 4D 7D 8D 3H 4H 6H KS AS")
    assert {"KS", "AS"} <= set(passed.split())


def test_low_spades_are_kept_as_guards_and_high_cards_go():
    passed = given_away("2C 3C 5C 2D 3D KD AD 2H 4H AH 2S 3S 4S")
    assert set(passed.split()) == {"KD", "AD", "AH"}


def test_as_many_cards_are_passed_as_the_step_takes():
    hand = "2C 3C 5C 2D 3D KD AD 2H 4H AH 2S 3S 4S"
    assert len(given_away(hand, 5).split()) == 5
    game = deal_to_pass(hand, *spread(hand), step=Scatter(2))
    assert len(STEADY.choose_pass(seat_view(game, Seat(0)), Random(1))) == 6


def test_whoever_can_duck_plays_the_highest_card_that_still_loses():
    game = deal_in_play("QC 2D", "2C 9C JC KC 3D", "3C 4D", "4C 5D")
    assert answer(played(game, "QC"), 1) == "JC"


def test_the_last_to_play_takes_a_clean_trick_with_the_highest_card():
    game = deal_in_play("5C 2D", "6C 3D", "7C 4D", "9C AC 5D")
    assert answer(played(game, "5C 6C 7C"), 3) == "AC"


def test_the_queen_goes_under_a_king_or_an_ace():
    game = deal_in_play("KS 2D", "2S QS 3D", "3S 4D", "4S 5D")
    assert answer(played(game, "KS"), 1) == "QS"


def test_the_queen_is_thrown_as_soon_as_the_seat_cannot_follow():
    game = deal_in_play("KC 2D", "QS AH 3D", "3C 4D", "4C 5D")
    assert answer(played(game, "KC"), 1) == "QS"


def test_bare_spades_above_a_hidden_queen_are_thrown_before_a_small_heart():
    game = deal_in_play("KC 2D 2H", "AS 3H 3D", "3C QS 4D", "4C 5D 4H")
    assert answer(played(game, "KC"), 1) == "AS"


def test_a_high_heart_is_thrown_before_a_low_one():
    game = deal_in_play("KC 2D 5H", "2H KH 3D", "3C 4H 4D", "4C 5D AH")
    assert answer(played(game, "KC"), 1) == "KH"


def test_nobody_leads_an_ace_of_spades_into_a_hidden_queen():
    game = deal_in_play("AS 2D", "QS 3D", "3S 4D", "4S 5D")
    assert answer(game, 0) == "2D"


def test_a_low_spade_is_led_to_bring_out_the_queen():
    game = deal_in_play("5S 9C 8D", "QS 4C 3D", "KS 3C 4D", "AS 2C 5D")
    assert answer(game, 0) == "5S"


def test_the_first_trick_that_costs_nothing_takes_the_highest_club():
    game = deal_opening("2C 2D", "3C AC", "4C 4D", "5C 5D")
    assert answer(played(game, "2C"), 1) == "AC"


def test_a_heart_trick_is_taken_to_stop_a_moon():
    game = deal_in_play(
        "AH KH 5H 2C", "2H 3H 4H 3C", "6H 7H 8H 4C", "9H TH QH 5C", hearts_broken=True
    )
    game = played(game, "AH 2H 6H 9H KH 3H 7H TH 5H 4H 8H")
    assert answer(game, 3) == "QH"


def test_the_control_a_heart_trick_is_ducked_when_no_moon_is_near():
    game = deal_in_play("5H 2C", "4H 3C", "8H 4C", "7H QH", hearts_broken=True)
    assert answer(played(game, "5H 4H 8H"), 3) == "7H"


@pytest.mark.parametrize("dice", range(5))
def test_equals_are_chosen_among_by_the_dice_alone(dice: int):
    view = seat_view(deal_in_play("2C 2D", "3C 3D", "4C 4D", "5C 5D"), Seat(0))
    chosen = {str(STEADY.choose_card(view, Random(dice))) for _ in range(3)}
    assert len(chosen) == 1


def test_a_seat_that_is_not_to_play_is_not_asked():
    view = seat_view(deal_in_play("2C", "3C", "4C", "5C"), Seat(1))
    with pytest.raises(ValueError, match="not to play"):
        STEADY.choose_card(view, Random(1))


def test_a_free_jack_is_kept_rather_than_thrown_to_another_seat():
    game = deal_in_play("KC 2D 5H", "JD 3S 9D", "3C 4H 4D", "4C 5D AH", ruleset=JACK)
    assert answer(played(game, "KC"), 1) != "JD"


def test_a_card_is_a_card_of_the_hand():
    view = seat_view(deal_in_play("2C 2D", "3C 3D", "4C 4D", "5C 5D"), Seat(0))
    assert isinstance(STEADY.choose_card(view, Random(1)), Card)
