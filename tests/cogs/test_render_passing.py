"""Choosing a pass in the hand, and what came in (discord.md 3, cases B126 and B32)."""

from bot.rules.cards import Seat
from bot.rules.commands import PassCards
from bot.rules.dimensions import PassTo, Scatter
from cogs.ui import ids
from cogs.ui.hand import render_hand
from tests.support.deals import after, cards, deal_to_pass, played
from tests.support.looks import actions, buttons, hand_of, labels, menus, table, texts

HANDS = ("2C 3C 4D QS", "5C AC 6D 7H", "7C 8C 8D 9H", "9C TC JD KH")
PASSING = deal_to_pass(*HANDS)


def test_a_pass_is_one_menu_of_exactly_the_right_number():
    view = render_hand(hand_of(PASSING))
    (menu,) = menus(view)
    assert (menu["min_values"], menu["max_values"]) == (3, 3)
    assert {option["value"] for option in menu["options"]} == set(HANDS[0].split())
    assert ids.parse(menu["custom_id"]) == ids.ChoosePass(table().id, 1)
    assert "Choose 3 cards for Theo" in texts(view)


def test_b32_each_card_of_the_menu_is_named_in_words():
    (menu,) = menus(render_hand(hand_of(PASSING)))
    assert [option["label"][3:].strip("\ufe0e ") for option in menu["options"]] == [
        "2 of clubs",
        "3 of clubs",
        "4 of diamonds",
        "Queen of spades",
    ]


def test_a_chosen_pass_rides_in_its_confirm_button():
    picked = cards("2C 4D QS")
    view = render_hand(hand_of(PASSING), picked=picked)
    assert not menus(view)
    assert labels(view)["Pass these"]["style"] == 1
    assert ids.ConfirmPass(table().id, 1, picked) in actions(view)
    assert ids.ChangePass(table().id, 1) in actions(view)
    assert "2 of clubs, 4 of diamonds, and queen of spades" in texts(view)


CHOSEN = after(PASSING, PassCards(Seat(0), cards("2C 4D QS")))


def test_b126_a_confirmed_pass_is_shown_and_may_be_changed():
    view = render_hand(hand_of(CHOSEN))
    told = texts(view)
    assert "The 2 of clubs, 4 of diamonds, and queen of spades for Theo." in told
    assert "Still to choose: Theo, Priya, and Sam." in told
    assert ids.ChangePass(table().id, 1) in actions(view)


def test_b126_changing_brings_the_menu_back():
    assert menus(render_hand(hand_of(CHOSEN), choosing=True))


def test_cards_scattered_to_all_are_counted_together():
    game = deal_to_pass(*HANDS, step=Scatter(1))
    view = render_hand(hand_of(game))
    (menu,) = menus(view)
    assert menu["max_values"] == 3
    assert "Choose 3 cards for Theo, Priya, and Sam" in texts(view)


def _all_passed():
    game = deal_to_pass(*HANDS, step=PassTo(1, 2))
    for seat, packet in enumerate(("4D QS", "AC 6D", "8D 9H", "JD KH")):
        game = after(game, PassCards(Seat(seat), cards(packet)))
    return game


def test_b126_received_cards_are_named_and_green_until_the_first_own_play():
    game = _all_passed()
    view = render_hand(hand_of(game))
    green = {button["label"] for button in buttons(view) if button["style"] == 3}
    assert green == {"J\u2007♦\ufe0e", "K\u2007♥\ufe0e"}
    assert "New from Sam: jack of diamonds and king of hearts." in texts(view)
    later = render_hand(hand_of(played(game, "2C")))
    assert not [button for button in buttons(later) if button["style"] == 3]
    assert "New from" not in texts(later)


def test_b126_somebody_elses_play_leaves_the_marks():
    later = render_hand(hand_of(played(_all_passed(), "2C"), 1))
    assert [button for button in buttons(later) if button["style"] == 3]
