"""The panel of plans, and what a hand says of them (discord.md 2.2; `bot.table.plans`)."""

from dataclasses import replace
from random import Random

import pytest

from bot.rules import variants
from bot.rules.cards import Card, Suit, pack, sorted_cards
from bot.rules.claims import Certainty, Claim
from bot.rules.legal import Choice
from bot.rules.sentence import Sentence
from bot.rules.state import Phase
from bot.table.clocks import move_clock
from bot.table.ids import UserId
from bot.table.plans import AllForced, LowestOfSuitLed, OneCard, QueenWhenPossible
from bot.table.state import Status
from bot.table.views import HandView
from cogs.ui import plan_ids
from cogs.ui.hand import render_hand
from cogs.ui.plans import render_plans
from tests.support.deals import based_on, cards, deal_in_play, house_rules, played
from tests.support.looks import (
    actions,
    beyond_limits,
    everybody_at,
    hand_of,
    labels,
    menus,
    table,
    texts,
)
from tests.support.rulesets import EVERY_TABLE
from tests.support.seeded import course

HANDS = ("2C 3C 4D 9S", "5C AC 6D 7H", "7C 8C 8D QS", "9C TC JD KH")
QS = Card.parse("QS")
ALL = (OneCard(QS), QueenWhenPossible(), LowestOfSuitLed(), AllForced())
LONG = dict.fromkeys(map(UserId, range(1, 11)), "*" * 40)
ON = "☑"


def panel(view: HandView):
    assert view.hand is not None
    return render_plans(view, view.hand, server="Card Club")


def waiting(**changes) -> HandView:
    """Priya's hand with the queen of spades, while Theo is to play."""
    return hand_of(played(deal_in_play(*HANDS), "2C"), 2, **changes)


def to_play(led: str = "2C 5C", **changes) -> HandView:
    """The same hand when it is her turn, after these cards."""
    return hand_of(played(deal_in_play(*HANDS), led), 2, **changes)


def switches(view: HandView) -> dict[str, bool]:
    """The kinds of plans that the panel switches, and whether a press turns them on."""
    found = [each for each in actions(panel(view)) if isinstance(each, plan_ids.SwitchPlan)]
    return {type(each.plan).__name__: each.on for each in found}


def crowded(count: int) -> HandView:
    """So many cards, all new, every plan made, at a full table of people with long names."""
    held = frozenset(sorted([*sorted_cards(frozenset(pack()))], key=lambda c: c != QS)[:count])
    game = next(
        game
        for game, _ in course(variants.load("standard"), 6, Random(3), deals=1)
        if game.phase is Phase.PLAYING and game.deal and len(game.deal.tricks) == 2
    )
    view = hand_of(game, names=LONG, plans=ALL, notice=Sentence("x" * 300))
    assert view.hand is not None
    full = replace(view.hand, hand=held, received=held, choice=Choice(held, None))
    claim = Claim(Certainty.ONE_TAKES_ALL, full.seat)
    return replace(view, hand=full, plays_forced=True, claim=claim)


@pytest.mark.parametrize("count", [13, 17, 25])
def test_the_panel_and_the_hand_with_every_plan_fit_into_a_message(count):
    view = crowded(count)
    for drawn in (panel(view), render_hand(view, server="*" * 100)):
        assert beyond_limits(drawn) == []
    assert len(menus(panel(view))[0]["options"]) == count


@pytest.mark.parametrize(("name", "seats"), EVERY_TABLE)
def test_the_panel_fits_into_a_message_for_every_preset(name, seats):
    games = [game for game, _ in course(variants.load(name), seats, Random(1), deals=1)]
    playing = [game for game in games if game.phase is Phase.PLAYING and game.deal.hands[0]]
    for game in playing[:: max(1, len(playing) // 4)]:
        for plans in ((), (LowestOfSuitLed(), AllForced())):
            assert beyond_limits(panel(hand_of(game, plans=plans))) == []


def test_no_id_of_the_panel_names_a_card():
    for action in actions(panel(waiting(plans=ALL))):
        assert not hasattr(action, "card")


def test_the_panel_says_what_is_on_and_switches_to_the_other():
    view = waiting(plans=(LowestOfSuitLed(),))
    told = texts(panel(view))
    [on] = [line for line in told.splitlines() if line.startswith(ON)]
    assert on.startswith(f"{ON} Whenever I can follow suit, my lowest card of that suit falls")
    assert switches(view) == {
        "LowestOfSuitLed": False,
        "QueenWhenPossible": True,
        "AllForced": True,
    }
    assert "Lowest of the suit: on" in labels(panel(view))


def test_the_card_that_is_set_aside_is_marked_in_the_menu_and_can_be_taken_back():
    set_aside = panel(waiting(plans=(OneCard(QS),)))
    [menu] = menus(set_aside)
    assert [each["value"] for each in menu["options"] if each["default"]] == ["QS"]
    assert "Take the card back" in labels(set_aside)
    assert "Take the card back" not in labels(panel(waiting()))


def test_of_two_equal_cards_one_is_offered_and_the_one_that_was_chosen_is_marked():
    rules = house_rules(packs=2, duplicates="cancel_pairs", remove={}, players=[4])
    game = deal_in_play("2C 3C 4D", "QS QS.2 3D", "7C 8C 8D", "9C TC JD", ruleset=rules)
    [menu] = menus(panel(hand_of(game, 1, plans=(OneCard(Card.parse("QS.2")),))))
    values = {each["value"]: each["default"] for each in menu["options"]}
    assert values == {"3D": False, "QS.2": True}


@pytest.mark.parametrize("preset", ["plain", "spot_plain", "reverse"])
def test_who_would_not_be_rid_of_the_queen_is_not_asked_about_her(preset):
    """She costs nothing there, or brings points to whoever wants them (rules.md 1.11)."""
    game = deal_in_play(*HANDS, ruleset=based_on(preset))
    assert "QueenWhenPossible" not in switches(hand_of(game, 2))
    assert "QueenWhenPossible" in switches(hand_of(deal_in_play(*HANDS), 2))
    assert "QueenWhenPossible" not in switches(hand_of(deal_in_play(*HANDS), 0))


def test_where_points_are_good_nobody_is_offered_to_duck():
    game = deal_in_play(*HANDS, ruleset=based_on("reverse"))
    assert switches(hand_of(game, 2)) == {"AllForced": True}


def test_a_plan_that_makes_no_sense_any_more_can_still_be_switched_off():
    game = deal_in_play(*HANDS, ruleset=based_on("reverse"))
    assert switches(hand_of(game, 2, plans=(LowestOfSuitLed(),)))["LowestOfSuitLed"] is False


def test_partners_read_that_the_queen_is_meant_for_the_other_side():
    game = deal_in_play(*HANDS, ruleset=based_on("partnership_pooled"))
    assert "as soon as the other side takes her" in texts(panel(hand_of(game, 2)))
    told = texts(render_hand(hand_of(game, 2, plans=(QueenWhenPossible(),))))
    assert "as soon as the other side takes her" in told
    assert "as soon as somebody else takes her" in texts(panel(waiting()))


def test_whose_forced_cards_are_played_anyway_is_told_so_and_needs_no_switch():
    view = waiting(plays_forced=True)
    assert "AllForced" not in switches(view)
    assert "`/preferences` say so for all tables." in texts(panel(view))
    assert switches(replace(view, plans=(AllForced(),)))["AllForced"] is False


def test_the_hand_says_what_is_planned_and_nothing_falls_before_the_turn():
    told = texts(render_hand(waiting(plans=(OneCard(QS), LowestOfSuitLed()))))
    assert "You planned: the queen of spades and the lowest card of the suit led." in told
    assert "is played for you" not in told


def test_in_the_turn_the_hand_says_which_card_falls_and_how_to_prevent_it():
    told = texts(render_hand(to_play(plans=(LowestOfSuitLed(),))))
    assert (
        "Unless you play another card or change your plan, the 7 of clubs is played for you "
        "within a few minutes." in told
    )
    live = table(played(deal_in_play(*HANDS), "2C 5C"))
    live = replace(live, clock=move_clock("live"))
    told = texts(render_hand(hand_of(None, 2, table=live, plans=(LowestOfSuitLed(),))))
    assert "is played for you in a moment." in told


def test_a_forced_card_is_told_apart_from_a_plan():
    view = hand_of(played(deal_in_play("2C 3C", "4C 5H", "6C 7C", "8C 9C"), "2C"), 1)
    told = texts(render_hand(replace(view, plays_forced=True)))
    assert "you may play no other card" in told
    assert "`/preferences`" in told
    assert "is played for you" not in texts(render_hand(view))


def test_a_planned_card_that_may_not_be_played_now_says_that_it_waits():
    told = texts(render_hand(to_play(plans=(OneCard(QS),))))
    assert "That cannot be played now, so it waits, and the table waits for you." in told
    assert "it waits" not in texts(render_hand(to_play(plans=(LowestOfSuitLed(),))))
    assert "it waits" not in texts(render_hand(waiting(plans=(OneCard(QS),))))


@pytest.mark.parametrize("change", [{"status": Status.PAUSED}, {"agreed_pause": True}])
def test_nothing_falls_while_the_table_stands_still(change):
    at = replace(everybody_at(played(deal_in_play(*HANDS), "2C 5C")), **change)
    told = texts(render_hand(hand_of(None, 2, table=at, plans=(LowestOfSuitLed(),))))
    assert "is played for you" not in told


def test_the_way_to_the_panel_is_open_while_others_play_and_while_something_is_planned():
    def offers(view: HandView) -> bool:
        return any(isinstance(each, plan_ids.OpenPlans) for each in actions(render_hand(view)))

    assert offers(waiting())
    assert offers(to_play(plans=(AllForced(),)))
    assert not offers(to_play())


def test_in_every_hand_the_menu_offers_every_face_once():
    view = waiting()
    assert view.hand is not None
    [menu] = menus(panel(view))
    assert {Card.parse(each["value"]) for each in menu["options"]} == cards("7C 8C 8D QS")
    assert [Card.parse(each["value"]).suit for each in menu["options"]][-1] is Suit.SPADES
