import pytest

from bot.rules.cards import Seat, parse_cards
from bot.rules.commands import PassCards
from bot.rules.dimensions import Hold, PassTo, Scatter
from bot.rules.errors import IllegalMoveError, Reason
from bot.rules.legal import to_move
from bot.rules.passing import exchange, pass_count, receivers
from bot.rules.state import Phase
from bot.rules.tricks import next_to_play
from tests.support.deals import after, cards, deal_opening, deal_to_pass, played

HANDS = ("2C 3C 4C 5C", "2D 3D 4D 5D", "2S 3S 4S 5S", "2H 3H 4H 5H")
"""Every seat holds one suit, so that a card shows where it came from."""


def passing(seat, text, packet=""):
    return PassCards(Seat(seat), cards(text), parse_cards(packet))


@pytest.mark.parametrize(
    ("seats", "step", "from_seat", "to"),
    [
        (4, PassTo(1, 3), 3, [0]),
        (4, PassTo(-1, 3), 0, [3]),
        (4, PassTo(3, 3), 0, [3]),
        (4, PassTo(2, 3), 1, [3]),
        (5, PassTo(-2, 3), 1, [4]),
        (6, PassTo(3, 3), 4, [1]),
        (4, Scatter(1), 2, [3, 0, 1]),
        (3, Scatter(2), 0, [1, 2]),
        (4, Hold(), 0, []),
    ],
)
def test_who_gets_the_cards_of_whom(seats, step, from_seat, to):
    """rules.md 3.3: to seat +k, negative is the right, across is N/2; scatter: all others."""
    assert list(receivers(step, Seat(from_seat), seats)) == to


@pytest.mark.parametrize(
    ("step", "count"), [(PassTo(1, 3), 3), (Scatter(1), 3), (Scatter(2), 6), (Hold(), 0)]
)
def test_how_many_cards_a_seat_gives_away_at_four(step, count):
    assert pass_count(step, 4) == count


@pytest.mark.parametrize(
    ("step", "received"),
    [
        (PassTo(1, 2), ["2H 3H", "2C 3C", "2D 3D", "2S 3S"]),
        (PassTo(-1, 2), ["2D 3D", "2S 3S", "2H 3H", "2C 3C"]),
        (PassTo(2, 2), ["2S 3S", "2H 3H", "2C 3C", "2D 3D"]),
    ],
)
def test_cards_move_when_the_last_seat_has_chosen(step, received):
    """rules.md 1.1: L1, R1, across."""
    game = deal_to_pass(*HANDS, step=step)
    choices = [passing(seat, f"2{suit} 3{suit}") for seat, suit in enumerate("CDSH")]
    waiting = after(game, *choices[:3])
    assert waiting.phase is Phase.PASSING
    assert waiting.deal.hands == game.deal.hands
    assert to_move(waiting) == (3,)
    moved = after(waiting, choices[3])
    assert moved.phase is Phase.PLAYING
    assert moved.deal.received == tuple(map(cards, received))
    for seat, came in enumerate(received):
        gave = cards(f"2{'CDSH'[seat]} 3{'CDSH'[seat]}")
        assert moved.deal.hands[seat] == (game.deal.dealt[seat] - gave) | cards(came)
    assert moved.deal.dealt == game.deal.dealt


def test_seats_choose_in_any_order():
    game = deal_to_pass(*HANDS, step=PassTo(1, 1))
    one = after(game, *(passing(seat, f"2{'CDSH'[seat]}") for seat in (0, 1, 2, 3)))
    other = after(game, *(passing(seat, f"2{'CDSH'[seat]}") for seat in (3, 1, 0, 2)))
    assert one == other


def test_a_second_choice_replaces_the_first_while_another_seat_has_yet_to_choose():
    """house.md 4.3, CardsPassed."""
    game = deal_to_pass(*HANDS, step=PassTo(1, 1))
    game = after(game, passing(0, "2C"), passing(0, "5C"), passing(1, "2D"), passing(2, "2S"))
    assert game.deal.passes[0] == cards("5C")
    assert game.deal.received == (frozenset(),) * 4
    assert after(game, passing(3, "2H")).deal.received[1] == cards("5C")


def test_a_scatter_gives_to_the_next_seat_first():
    """record.md, `passes`: in the order of the receivers, next seat first."""
    game = deal_to_pass(*HANDS, step=Scatter(1))
    game = after(
        game,
        passing(0, "2C 3C 4C", "4C 2C 3C"),
        passing(1, "2D 3D 4D"),
        passing(2, "2S 3S 4S"),
        passing(3, "2H 3H 4H", "2H 3H 4H"),
    )
    assert game.deal.received == tuple(map(cards, ("2H 3S 4D", "4C 3H 4S", "2C 2D 4H", "3C 3D 2S")))
    assert game.deal.packets[0] == parse_cards("4C 2C 3C")


def test_a_scatter_of_two_gives_two_to_each():
    """rules.md 1.18: three players, a scatter of two to each opponent."""
    packets = tuple(map(parse_cards, ("2C 3C 4C 5C", "2D 3D 4D 5D", "2S 3S 4S 5S")))
    received = exchange(Scatter(2), packets)
    assert received == tuple(map(cards, ("4D 5D 2S 3S", "2C 3C 4S 5S", "4C 5C 2D 3D")))


def test_the_order_of_a_pass_matters_in_a_scatter_only():
    game = deal_to_pass(*HANDS, step=PassTo(1, 2))
    assert after(game, passing(0, "2C 3C", "3C 2C")) == after(game, passing(0, "2C 3C"))


def test_the_opening_lead_is_looked_for_after_passing():
    """rules.md 3.4: when passing is over, the lowest club in any hand."""
    game = deal_to_pass(*HANDS, step=PassTo(2, 1))
    game = after(game, *(passing(seat, f"2{'CDSH'[seat]}") for seat in range(4)))
    assert next_to_play(game.deal.trick, 4) == 2


def refused(game, command):
    with pytest.raises(IllegalMoveError) as error:
        after(game, command)
    return error.value


@pytest.mark.parametrize(
    ("text", "packet"),
    [
        ("2C 3C", ""),
        ("2C 3C 4C 5C", ""),
        ("", ""),
        ("2C 3C 4C", "2C 3C"),
        ("2C 3C 4C", "2C 3C 4C 4C"),
        ("2C 3C 4C", "2C 3C 5C"),
    ],
)
def test_a_pass_has_the_right_number_of_different_cards(text, packet):
    game = deal_to_pass(*HANDS, step=Scatter(1))
    error = refused(game, passing(0, text, packet))
    assert error.reason is Reason.PASS_COUNT
    assert str(error.sentence) == "Choose exactly 3 different cards to pass."


def test_a_pass_of_one_card_is_asked_for_in_the_singular():
    """cases.md B129: no "1 cards"."""
    error = refused(deal_to_pass(*HANDS, step=PassTo(1, 1)), passing(0, "2C 3C"))
    assert str(error.sentence) == "Choose exactly 1 card to pass."


def test_only_cards_in_the_hand_can_be_passed():
    error = refused(deal_to_pass(*HANDS), passing(0, "2C 3C 2D"))
    assert error.reason is Reason.NOT_IN_HAND
    assert str(error.sentence) == "You do not hold the 2D any more."


def test_a_pass_cannot_be_changed_once_cards_have_moved():
    game = deal_to_pass(*HANDS, step=PassTo(1, 1))
    game = after(game, *(passing(seat, f"2{'CDSH'[seat]}") for seat in range(4)))
    assert refused(game, passing(0, "3C")).reason is Reason.PASS_CLOSED


def test_nothing_is_passed_in_a_hold_deal():
    assert refused(deal_opening(*HANDS), passing(0, "2C 3C 4C")).reason is Reason.NO_PASSING


def test_nothing_is_passed_between_deals():
    game = played(deal_opening("2C", "3C", "4C", "5C"), "2C 3C 4C 5C")
    assert game.phase is Phase.DEALING
    assert refused(game, passing(0, "2C")).reason is Reason.NOT_NOW
