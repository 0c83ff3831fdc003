"""One person's hand in every phase (discord.md 2.2 and 3; cases.md, Client layout)."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rules.cards import Card, pack, sorted_cards
from bot.rules.dimensions import Hold, MoonPayoff
from bot.rules.errors import Reason
from bot.rules.legal import Choice
from bot.rules.sentence import Sentence
from bot.rules.state import Phase
from bot.table.ids import Human, Robot, UserId
from bot.table.state import Status
from cogs.ui import ids
from cogs.ui.hand import render_hand
from tests.support.deals import (
    cards,
    deal_in_play,
    deal_opening,
    house_rules,
    played,
)
from tests.support.looks import (
    actions,
    buttons,
    custom_ids,
    hand_of,
    labels,
    parts,
    people,
    states,
    table,
    texts,
)

HANDS = ("2C 3C 4D QS", "5C AC 6D 7H", "7C 8C 8D 9H", "9C TC JD KH")


def _cards(view):
    """The cards that are buttons, and whether each may be pressed."""
    found = {}
    for button in buttons(view):
        action = ids.parse(button["custom_id"])
        if isinstance(action, ids.PlayCard):
            found[action.card] = not button["disabled"]
    return found


def _within_limits(view):
    rows = [part for part in parts(view) if part["type"] == 1]
    return (
        len(parts(view)) <= 40
        and all(len(row["components"]) <= 5 for row in rows)
        and len(texts(view)) <= 4_000
        and all(part["content"] for part in parts(view) if part["type"] == 10)
        and all(len(custom_id) <= 100 for custom_id in custom_ids(view))
        and len(set(custom_ids(view))) == len(custom_ids(view))
        and all(1 <= len(button["label"]) <= 80 for button in buttons(view))
        and view.timeout is None
    )


LONG = dict.fromkeys(map(UserId, range(1, 7)), "*" * 40)


def _crowded(hand: frozenset[Card]):
    """The fullest hand there can be: all new, nothing said briefly, six people with long names."""
    game = next(game for game in states(random.Random(4), seats=6) if game.phase is Phase.PLAYING)
    view = hand_of(game, names=LONG, notice=Sentence(Reason.MUST_FOLLOW.value, {"suit": "x" * 40}))
    assert view.hand is not None
    seen = replace(
        view.hand,
        hand=hand,
        received=hand,
        choice=Choice(hand, Reason.FIRST_TRICK_BAN),
        public=replace(view.hand.public, taken=(26,) * 6, totals=(99,) * 6),
    )
    return replace(view, hand=seen)


@settings(max_examples=60)
@given(st.data())
@pytest.mark.parametrize("size", [8, 10, 13, 17, 18, 26])
def test_b23_any_hand_of_any_size_is_drawn_within_discords_limits(size, data):
    hand = data.draw(st.permutations(pack()).map(lambda order: frozenset(order[:size])))
    view = render_hand(_crowded(hand), server="*" * 100)
    assert _within_limits(view)
    assert set(_cards(view)) == hand


def test_b23_control_a_hand_beyond_the_limits_is_refused_by_the_library():
    with pytest.raises(ValueError, match="maximum"):
        render_hand(_crowded(frozenset(pack()[:40])))


@settings(max_examples=5)
@given(st.integers(0, 2**32), st.integers(3, 6))
def test_b23_every_hand_of_a_whole_game_is_within_the_limits(seed, seats):
    rng = random.Random(seed)
    for game in states(rng, house_rules(moon={"payoff": "shooter_choice"}), seats):
        if rng.random() < 0.1:
            assert _within_limits(render_hand(hand_of(game, min(3, seats - 1))))


def _rows(view):
    """The cards of each row of card buttons."""
    return [
        " ".join(str(ids.parse(button["custom_id"]).card) for button in part["components"])
        for part in parts(view)
        if part["type"] == 1
        and isinstance(ids.parse(part["components"][0]["custom_id"]), ids.PlayCard)
    ]


def test_cards_stand_in_rows_by_suit_with_the_suit_named_over_them():
    game = deal_opening("2C 5C 4D QS", "3C AC 6D 7H", "7C 8C 8D 9H", "9C TC JD KH")
    assert _rows(render_hand(hand_of(game))) == ["2C 5C", "4D", "QS"]


def test_a_long_suit_is_split_into_even_rows_that_fit_a_phone():
    view = render_hand(_crowded(cards("2C 3C 4C 5C 6C 2D 3D 4D 5D 6D 7D 8D 9D")))
    assert _rows(view) == ["2C 3C 4C", "5C 6C", "2D 3D 4D 5D", "6D 7D 8D 9D"]


def test_b30_the_hand_is_told_by_suit_once_for_people_who_hear_it():
    told = texts(render_hand(hand_of(deal_opening(*HANDS))))
    assert "Clubs 2 3\n" in told
    assert "Spades Q\n" in told
    assert told.count("Clubs") == 1
    assert "Hearts" not in told


def test_b128_what_may_not_be_played_is_disabled_and_words_say_why():
    view = render_hand(hand_of(deal_opening(*HANDS)))
    assert [card for card, open_ in _cards(view).items() if open_] == [Card.parse("2C")]
    told = texts(view)
    assert "Some cards cannot be played now. The 2 of clubs must be led to the first trick." in told


def test_b128_following_suit_names_the_suit():
    game = played(deal_opening(*HANDS), "2C")
    view = render_hand(hand_of(game, 1))
    assert "It is your turn, clubs were led" in texts(view)
    assert "You must follow suit: clubs were led and you hold some." in texts(view)


def test_nothing_may_be_played_out_of_turn():
    view = render_hand(hand_of(deal_opening(*HANDS), 1))
    assert set(_cards(view)) == cards(HANDS[1])
    assert not any(_cards(view).values())
    assert "Waiting for Maya" in texts(view)


def test_b43_the_hand_says_where_it_belongs():
    told = texts(render_hand(hand_of(deal_opening(*HANDS)), server="Friday *Friends*"))
    assert r"Friday \*Friends\*" in told
    assert "<#20>" in told
    assert "table `K7Q2M9XA`" in told
    assert "https://discord.com/channels/10/20/30" in told
    assert "Deal 1 · passed: nothing · trick 1 of 13 · hearts are not broken" in told


def test_b56_the_hand_names_the_deadline():
    assert "Time until <t:" in texts(render_hand(hand_of(deal_opening(*HANDS))))


def test_b127_the_hand_shows_this_trick_and_the_last_one():
    game = played(deal_opening(*HANDS), "2C AC 7C 9C 6D")
    told = texts(render_hand(hand_of(game, 2)))
    assert "**Theo** led the 6 of diamonds" in told
    assert "Last trick to Theo: Maya `2♣\ufe0e`, Theo `A♣\ufe0e`" in told


def test_taken_points_and_totals_are_named():
    game = deal_in_play("2C 3H", "AC 4H", "QS 5H", "9C 6H", totals=(3, 0, 5, 18))
    told = texts(render_hand(hand_of(played(game, "2C AC QS 9C"))))
    assert "Taken in this deal · Maya: 0 · Theo: 13 · Priya: 0 · Sam: 0" in told
    assert "Totals · Maya: 3 · Theo: 0 · Priya: 5 · Sam: 18" in told


def test_a_name_that_ends_in_a_number_is_kept_apart_from_its_points():
    chairs = (Human(UserId(1)), Robot("steady"), Human(UserId(3)), Human(UserId(4)))
    game = deal_in_play("2C 3H", "AC 4H", "QS 5H", "9C 6H", totals=(3, 7, 5, 18))
    told = texts(render_hand(hand_of(game, table=table(game, chairs=chairs))))
    assert "Robot 2: 7 · Priya: 5" in told


def test_a_notice_stands_above_everything():
    view = render_hand(hand_of(deal_opening(*HANDS), notice=Sentence("That moved on.")))
    assert texts(view).startswith("> **That moved on.**\n###")


def test_a_card_asked_about_is_played_only_by_a_second_press():
    queen = Card.parse("QS")
    game = deal_in_play(*HANDS)
    view = render_hand(hand_of(game), asking=queen)
    number = game.trick_number
    assert "Play the queen of spades?" in texts(view)
    assert actions(view) == [
        ids.ConfirmCard(table().id, number, queen),
        ids.RefreshHand(table().id),
    ]


def test_a_card_that_is_gone_is_not_asked_about():
    view = render_hand(hand_of(deal_in_play(*HANDS)), asking=Card.parse("AH"))
    assert "Play the" not in texts(view)
    assert _cards(view)


@pytest.mark.parametrize("on", [True, False])
def test_asking_once_more_is_switched_from_the_hand(on):
    view = render_hand(hand_of(deal_opening(*HANDS), confirm_cards=on))
    words = "Ask before playing: on" if on else "Ask before playing: off"
    assert ids.parse(labels(view)[words]["custom_id"]) == ids.ToggleConfirm(table().id, not on)


def _moon():
    rules = house_rules(moon={"payoff": "shooter_choice", "value": 13}, points={"H*": 0})
    return played(deal_in_play("AH", "2H", "3H", "QS", ruleset=rules), "AH 2H 3H QS")


def test_the_shooter_chooses_between_the_two_payoffs():
    view = render_hand(hand_of(_moon()))
    assert "You shot the moon" in texts(view)
    assert ids.SettleMoon(table().id, 1, MoonPayoff.ADD_OTHERS) in actions(view)
    assert ids.SettleMoon(table().id, 1, MoonPayoff.SUBTRACT_SELF) in actions(view)


def test_the_others_wait_for_the_shooter():
    view = render_hand(hand_of(_moon(), 1))
    assert "Maya shot the moon" in texts(view)
    assert not [action for action in actions(view) if isinstance(action, ids.SettleMoon)]


def test_b62_a_kept_seat_can_be_taken_back_and_shows_its_cards_in_words():
    at = table(deal_opening(*HANDS), chairs=(Robot("steady", UserId(1)), *people(4)[1:]))
    view = render_hand(hand_of(at.game, table=at))
    assert "A robot plays in your seat" in texts(view)
    assert "Clubs 2 3" in texts(view)
    assert labels(view)["Take my seat back"]["style"] == 1
    assert not _cards(view)


def test_between_two_deals_the_hand_says_so():
    game = replace(deal_opening(*HANDS), phase=Phase.DEALING)
    assert "next deal begins" in texts(render_hand(hand_of(game)))


def test_a_hand_in_the_lobby_tells_the_seat_and_lets_one_leave():
    view = render_hand(hand_of(None))
    assert "You sit on seat 1" in texts(view)
    assert ids.LeaveLobby(table().id) in actions(view)


def test_b15_a_finished_game_shows_its_result_in_place_of_cards():
    game = list(states(random.Random(3)))[-1]
    view = render_hand(hand_of(game))
    assert "wins the game" in texts(view)
    assert not _cards(view)
    assert ids.Rematch(table().id) in actions(view)


def test_a_table_that_was_ended_shows_no_cards():
    at = table(deal_opening(*HANDS), status=Status.CLOSED)
    view = render_hand(hand_of(at.game, table=at))
    assert "This table is closed" in texts(view)
    assert not _cards(view)


def test_a_paused_table_says_that_the_cards_are_safe():
    at = table(deal_opening(*HANDS), status=Status.PAUSED)
    assert "Your cards are safe" in texts(render_hand(hand_of(at.game, table=at)))


def test_a_table_without_a_place_offers_no_card_and_calls_nobody_to_play():
    at = table(deal_opening(*HANDS), status=Status.PAUSED)
    view = render_hand(hand_of(at.game, table=at))
    assert not _cards(view)
    assert "It is your turn" not in texts(view)
    assert "paused, as everybody" not in texts(view)
    assert "Go on" not in labels(view)


def test_a_hold_deal_has_nothing_new():
    game = deal_opening(*HANDS)
    assert game.deal is not None
    assert game.deal.step == Hold()
    assert "New from" not in texts(render_hand(hand_of(game)))


def test_b86_hostile_names_and_servers_do_nothing_in_a_hand():
    names = dict.fromkeys(map(UserId, range(1, 5)), "<@&1> @everyone https://x.yz")
    game = played(deal_opening(*HANDS), "2C")
    told = texts(render_hand(hand_of(game, 1, names=names), server="@here [x](https://x.yz)"))
    for harm in ("<@&1>", "@everyone", "@here", "[x](", "https://x.yz"):
        assert harm not in told


def _with_jokers():
    """Maya's hand at a table whose last trick nobody took and where a joker was just led."""
    view = hand_of(played(deal_in_play("2C 3H", "AC 4H", "QS 5H", "9C 6H", leader=3), "9C"))
    assert view.hand is not None
    public = view.hand.public
    assert public.trick is not None
    joker = Card.parse("JK")
    led = replace(public.trick, plays=(replace(public.trick.plays[0], card=joker),))
    nobody = (replace(public.tricks[0], winner=None),)
    held = view.hand.hand | {joker}
    seen = replace(
        view.hand,
        hand=held,
        choice=Choice(held),
        public=replace(public, trick=led, tricks=nobody),
    )
    assert view.missed is not None
    assert view.missed.last is not None
    last = replace(view.missed.last, trick=nobody[0], taker=None)
    return replace(view, hand=seen, missed=replace(view.missed, last=last))


def test_a_joker_has_words_and_no_suit():
    told = texts(render_hand(_with_jokers()))
    assert "It is your turn, and you set the suit: a joker was led" in told
    assert "🃏 1 joker" in told
    assert "**Sam** led a joker" in told


def test_a_last_trick_that_nobody_took():
    assert "Last trick, won by nobody: Sam `" in texts(render_hand(_with_jokers()))


def test_the_very_first_hand_has_nothing_to_say_below_its_cards():
    view = render_hand(hand_of(deal_opening(*HANDS), 1))
    assert _within_limits(view)
    assert "Totals" not in texts(view)


def test_cards_keep_their_order_after_each_play():
    before = list(_cards(render_hand(hand_of(deal_opening(*HANDS)))))
    assert tuple(before) == sorted_cards(cards(HANDS[0]))
    later = list(_cards(render_hand(hand_of(played(deal_opening(*HANDS), "2C")))))
    assert later == before[1:]
