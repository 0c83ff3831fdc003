"""Equal cards, jokers, tricks without a winner, widows and stocks, as people see them."""

from dataclasses import replace

import pytest

from bot.rules.cards import Card, Seat
from bot.rules.commands import PassCards, PlayCard
from bot.rules.dimensions import PassTo, Scatter
from bot.rules.variants import load
from cogs.ui import ids
from cogs.ui.hand import render_hand
from cogs.ui.post import render_post
from tests.support.deals import (
    after,
    begun,
    cards,
    deal_in_play,
    deal_opening,
    deal_to_pass,
    house_rules,
    played,
)
from tests.support.looks import (
    actions,
    buttons,
    everybody_at,
    hand_of,
    labels,
    menus,
    named_in,
    payload,
    post_of,
    texts,
)

KILLER = load("killer")
SIX = ("2D 3H", "3D 4H", "3D.2 5H", "2D.2 6H", "4D 7H", "4D.2 8H")


def _killer(*hands, **changes):
    return deal_in_play(*hands, ruleset=KILLER, hearts_broken=True, **changes)


def _post(game, slot, **changes):
    return texts(render_post(replace(post_of(everybody_at(game), slot), **changes)))


def _hand(game, seat=0):
    return render_hand(hand_of(game, seat, table=everybody_at(game)))


def _buttons_of(view, kind):
    return [action for action in actions(view) if isinstance(action, kind)]


def test_each_of_two_equal_cards_has_a_button_that_plays_it():
    game = _killer("QS QS.2", *SIX[1:])
    view = _hand(game)
    assert {action.card for action in _buttons_of(view, ids.PlayCard)} == cards("QS QS.2")
    assert len({button["label"] for button in buttons(view)[:2]}) == 1
    assert "♠\ufe0e Spades Q Q" in texts(view)
    for card in cards("QS QS.2"):
        assert after(game, PlayCard(Seat(0), card)).deal.hands[0] == cards("QS QS.2") - {card}


def test_two_equal_cards_can_both_be_passed():
    game = deal_to_pass("QS QS.2 2C", *("3C 4C 5C",) * 5, ruleset=KILLER)
    (menu,) = menus(_hand(game))
    told = [(option["label"][3:], option.get("description")) for option in menu["options"]]
    assert [each for _, each in told] == [None, "one of 2 equal cards", "one of 2 equal cards"]
    picked = ids.chosen_cards([option["value"] for option in menu["options"]])
    assert picked == cards("QS QS.2 2C")
    asked = render_hand(hand_of(game, table=everybody_at(game)), picked=picked)
    assert "**2 of clubs and queen of spades ×2**" in texts(asked)
    assert _buttons_of(asked, ids.ConfirmPass) == [
        ids.ConfirmPass(everybody_at(game).id, 1, picked)
    ]


def test_cards_that_cancel_each_other_are_marked_and_a_third_copy_is_not():
    """rules.md 2.3.8."""
    game = _killer("QS 3H", "QS.2 4H", "QS.3 5H", "2S 6H", "3S 7H", "4S 8H")
    two = _post(played(game, "QS QS.2"), "trick:2")
    assert two.count("queen of spades · cancelled") == 2
    three = played(game, "QS QS.2 QS.3")
    lines = [line for line in _post(three, "trick:2").splitlines() if "queen of spades" in line]
    assert [line.endswith("cancelled") for line in lines] == [True, True, False]
    assert "cancelled" in texts(_hand(three, 3))


TABLED = played(_killer(*SIX), "2D 3D 3D.2 2D.2 4D 4D.2")


def test_a_trick_that_nobody_wins_says_what_becomes_of_it():
    """rules.md 1.14, tabled trick."""
    told = _post(TABLED, "trick:2")
    assert "→ Nobody wins this trick: its cards wait for the winner of the next." in told


def test_what_waits_is_shown_until_somebody_takes_it():
    waiting = "Waiting for the winner of this trick: `2♦\ufe0e` `2♦\ufe0e` `3♦\ufe0e`"
    assert waiting in texts(_hand(TABLED))
    led = played(TABLED, "3H")
    assert waiting in _post(led, "trick:3")
    full = played(led, "4H 5H 6H 7H 8H")
    told = _post(full, "trick:3")
    assert "takes the trick with all that waited, and 6 points." in told


@pytest.mark.parametrize(("waiting", "told"), [("", ""), ("4D", " with all that waited")])
def test_points_that_a_trick_takes_off_have_their_minus(waiting, told):
    rules = house_rules(points={"JD": -10})
    game = played(deal_in_play("AD 2C", "2D 3C", "3D 4C", "JD 5C", ruleset=rules), "AD 2D 3D JD")
    post = _post(game, "trick:2", tabled=cards(waiting))
    assert f"takes the trick{told}: −10 points." in post


def _last(no_winner_last, **changes):
    """The last trick of a deal, played by two pairs of equal cards."""
    hands = ("2H", "3H", "3H.2", "2H.2", "4H", "4H.2")
    rules = replace(KILLER, no_winner_last=no_winner_last)
    game = deal_in_play(*hands, ruleset=rules, hearts_broken=True, leader=1, **changes)
    return played(game, "3H 3H.2 2H.2 4H 4H.2 2H")


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ("DEAD", "→ Nobody wins the last trick: what lies there counts for nobody."),
        ("PREVIOUS_WINNER", "so its cards go to **Theo**, who won one before."),
        ("LEADER", "so its cards go to **Theo**, who led it."),
    ],
)
def test_a_last_trick_that_nobody_wins_says_whose_it_is(rule, told):
    """rules.md 1.22, 2.6."""
    game = _last(type(KILLER.no_winner_last)[rule])
    assert told in _post(game, "trick:2", trick_of_deal=17)


def test_dead_points_stand_on_the_sheet():
    told = _post(_last(KILLER.no_winner_last), "sheet:1")
    assert "Nobody won the last trick · 6 points count for nobody" in told


@pytest.mark.parametrize("rule", ["later", "earlier"])
def test_of_two_equal_highest_cards_the_post_says_which_wins(rule):
    rules = replace(KILLER, duplicates=type(KILLER.duplicates)(f"{rule}_wins"))
    game = deal_in_play("AD 3H", "3D 4H", "AD.2 5H", *SIX[3:], ruleset=rules)
    told = _post(played(game, "AD 3D AD.2 2D.2 4D 4D.2"), "trick:2")
    winner = "Priya" if rule == "later" else "Maya"
    assert f"**{winner}** takes the trick" in told
    assert f"Of two equal cards the {rule} one wins." in told


JOKERS = load("joker_hearts")


def test_a_joker_may_be_thrown_by_a_hand_that_could_follow():
    """rules.md 1.9."""
    game = deal_in_play("2C 3H", "AC JK", "QS 5H", "9C 6H", ruleset=JOKERS)
    view = _hand(played(game, "2C"), 1)
    assert not labels(view)["JK🃏"]["disabled"]
    assert "🃏 1 joker" in texts(view)
    assert "**Theo** threw a joker" in _post(played(game, "2C JK"), "trick:2")


def test_a_led_joker_says_that_the_next_card_sets_the_suit():
    """rules.md 2.1.2a."""
    game = played(deal_in_play("JK 3H", "AC 4C", "QS 5H", "9C 6H", ruleset=JOKERS), "JK")
    told = _post(game, "trick:2")
    assert "`JK🃏` **Maya** led a joker" in told
    assert "A joker was led: the first other card sets the suit." in told
    assert "It is your turn, and you set the suit: a joker was led" in texts(_hand(game, 1))
    later = _post(played(game, "AC"), "trick:2")
    assert "**Theo** set the suit with the ace of clubs" in later
    assert "sets the suit" not in later


def test_after_a_led_joker_the_suit_that_was_set_has_to_be_followed():
    game = deal_in_play("JK 3H", "AC 4C", "QS 5C", "9C 6H", ruleset=JOKERS)
    told = texts(_hand(played(game, "JK AC"), 2))
    assert "It is your turn, clubs were led" in told
    assert "You must follow suit: clubs were led and you hold some." in told


def _with_widow(**changes):
    """A first trick whose winner, Theo, takes the widow with it."""
    hands = ("2C 3H", "KC 4H", "4C 5H", "5C 6H", "2H 7H", "7C 8H")
    game = deal_opening(*hands, ruleset=KILLER)
    game = replace(game, deal=replace(game.deal, widow=cards("QS AH"), **changes))
    return played(game, "2C KC 4C 5C 2H 7C")


def test_a_widow_is_shown_to_its_taker_and_the_partner_and_to_nobody_else():
    """rules.md 2.3.11."""
    game = _with_widow()
    assert "You took the widow: queen of spades and ace of hearts." in texts(_hand(game, 1))
    assert "Theo took the widow: queen of spades and ace of hearts." in texts(_hand(game, 4))
    for view in (
        _hand(game, 0),
        _hand(game, 2),
        render_post(post_of(everybody_at(game), "trick:1")),
    ):
        assert not named_in(payload(view), cards("QS AH"))


def test_everybody_hears_that_a_widow_was_taken_and_who_may_look():
    told = _post(_with_widow(), "trick:1")
    assert "With it goes the widow of 2 cards · only Theo and somebody may look at it" in told


def test_a_dead_widow_lies_aside_and_is_shown_after_the_deal():
    """rules.md 2.1.3b."""
    rules = load("two_player")
    dealt = begun(rules.deck(2), rules, 2)
    widow = dealt.deal.widow
    told = _post(dealt, "deal:1")
    assert "2 cards lie aside, face down" in told
    assert not named_in(told, widow)
    over = played(deal_in_play("2H", "4H", ruleset=rules), "2H 4H")
    over = replace(over, deal=replace(over.deal, widow=cards("6H QS")))
    assert "In the widow lay queen of spades and 6 of hearts." in _post(over, "sheet:1")


def test_a_drawn_card_is_named_and_green_for_its_owner_alone():
    """rules.md 1.13."""
    rules = load("draw7")
    game = deal_in_play("2C 3C 4D", "5C 6C 7D", ruleset=rules)
    stock = tuple(map(Card.parse, ("9S", "TS", "JS")))
    game = replace(game, deal=replace(game.deal, stock=stock, drawn=(None, None)))
    game = played(game, "2C")
    view = _hand(game)
    assert "You drew the 9 of spades." in texts(view)
    assert [each["label"] for each in buttons(view) if each["style"] == 3] == ["9\u2007♠\ufe0e"]
    assert "2 cards to draw" in texts(view)
    assert "drew" not in texts(_hand(game, 1))
    told = _post(game, "trick:2")
    assert "Stock · 2 cards to draw" in told
    assert "Then Maya and Theo" in told


def test_where_nothing_is_ever_passed_a_hand_does_not_speak_of_it():
    told = texts(_hand(deal_in_play("2C 3C", "5C 6C", ruleset=load("draw7"))))
    assert "passed" not in told


def test_cards_for_several_people_say_who_gets_what():
    """rules.md 3.3 `scatter`."""
    hands = ("2C 3C 4D QS", "5C AC 6D 7H", "7C 8C 8D 9H", "9C TC JD KH")
    game = deal_to_pass(*hands, step=Scatter(1))
    told = texts(_hand(game))
    assert "They go out in the order in which your hand shows them: Theo, Priya, and Sam." in told
    picked = cards("QS 2C 4D")
    shares = "2 of clubs for Theo\n-# 4 of diamonds for Priya\n-# Queen of spades for Sam"
    asked = render_hand(hand_of(game, table=everybody_at(game)), picked=picked)
    assert shares in texts(asked)
    chosen = after(game, PassCards(Seat(0), picked))
    assert shares in texts(_hand(chosen))
    for seat, packet in ((1, "5C AC 6D"), (2, "7C 8C 8D"), (3, "9C TC JD")):
        chosen = after(chosen, PassCards(Seat(seat), cards(packet)))
    assert [
        Card.parse(face) in chosen.deal.received[seat]
        for seat, face in ((1, "2C"), (2, "4D"), (3, "QS"))
    ] == [True] * 3


def test_cards_may_go_to_any_seat():
    hands = [f"{rank}C {rank}D {rank}S {rank}H" for rank in "345678"]
    game = deal_to_pass(*hands, step=PassTo(4, 3), ruleset=KILLER)
    assert "Choose 3 cards for somebody" in texts(_hand(game))
    assert "to pass: 3 cards 2 seats to the right" in texts(_hand(game))


def test_a_deal_that_decides_a_tie_passes_nothing_and_says_why():
    """rules.md 3.8 `tiebreak_no_pass`."""
    game = deal_opening("2C 4C", "6C 8C", ruleset=load("two_player"))
    game = replace(game, deal=replace(game.deal, is_tiebreak=True))
    assert "**This deal decides the tie, so nothing is passed.**" in _post(game, "deal:1")
    assert "Deal 1 · it decides the tie" in texts(_hand(game))


def test_house_rules_without_breaking_say_nothing_of_broken_hearts():
    free = house_rules(hearts_lead="free")
    game = deal_in_play("2C 3H", "AC 4H", "QS 5H", "9C 6H", ruleset=free)
    assert "broken" not in texts(_hand(game))
