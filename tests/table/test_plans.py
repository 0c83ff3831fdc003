"""Playing ahead: plans that wait for a turn, and what they do with it."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from random import Random
from typing import get_args

import pytest

from bot.rules import variants
from bot.rules.cards import Card, Seat, Suit, sorted_cards
from bot.rules.commands import PlayCard
from bot.rules.decide import decide
from bot.rules.legal import choice, to_move
from bot.rules.ruleset import Ruleset
from bot.rules.state import Game, Phase
from bot.rules.tricks import led_suit
from bot.rules.view import SeatView, seat_view
from bot.table.plans import (
    AllForced,
    LowestOfSuitLed,
    OneCard,
    Plan,
    QueenWhenPossible,
    UnreadablePlanError,
    card_now,
    decode,
    encode,
    is_void,
)
from tests.support.deals import deal_in_play, deal_opening, deal_to_pass, house_rules, played
from tests.support.seeded import course

LOWEST, QUEEN, FORCED = LowestOfSuitLed(), QueenWhenPossible(), AllForced()
ANY = house_rules(hearts_lead="free")
TWO_PACKS = house_rules(packs=2, duplicates="cancel_pairs", remove={}, players=[4])
LATER = house_rules(packs=2, duplicates="later_wins", remove={}, players=[4])
JOKERS = house_rules(jokers={"4": 4}, remove={}, players=[4])
DRAW = variants.load("draw7")


def card(text: str) -> Card:
    return Card.parse(text)


def now(game: Game, plan: Plan) -> str | None:
    """What *plan* does for the seat whose turn it is."""
    found = card_now(plan, seat_view(game, to_move(game)[0]))
    return None if found is None else str(found)


def second(led: str, hand: str, ruleset: Ruleset = ANY) -> Game:
    """The seat after the leader is to play from *hand*; *led* has been laid down."""
    size = len(hand.split())
    clubs = ["2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C"]
    leader = " ".join([led, *clubs[: size - 1]])
    others = (" ".join(clubs[2:][:size]), " ".join(clubs[5:][:size]))
    return played(deal_in_play(leader, hand, *others, ruleset=ruleset), led)


def test_a_plan_does_nothing_before_its_turn():
    game = deal_in_play("2C 3C", "4C 5C", "6C 7C", "8C QS", ruleset=ANY)
    plans = (OneCard(card("QS")), LOWEST, QUEEN, FORCED)
    assert [card_now(plan, seat_view(game, Seat(3))) for plan in plans] == [None] * 4


def test_a_plan_does_nothing_while_cards_are_passed():
    game = deal_to_pass("2C 3C 4C QS", "2D 3D 4D 5D", "2S 3S 4S 5S", "2H 3H 4H 5H")
    assert card_now(OneCard(card("QS")), seat_view(game, Seat(0))) is None
    assert not is_void(OneCard(card("QS")), seat_view(game, Seat(0)))


def test_the_queen_is_not_given_to_the_own_partner():
    """Partners win and lose together, so to be rid of her that way helps nobody (rules.md 3.1)."""
    hands = ("AC 2D", "3C 4D", "QS 5D", "4C 6D")
    together = variants.load("partnership_pooled")
    assert now(played(deal_in_play(*hands, ruleset=together), "AC 3C"), QUEEN) is None
    assert now(played(deal_in_play(*hands), "AC 3C"), QUEEN) == "QS"
    theirs = ("3C 2D", "AC 4D", "QS 5D", "4C 6D")
    assert now(played(deal_in_play(*theirs, ruleset=together), "3C AC"), QUEEN) == "QS"


def test_one_card_is_played_as_soon_as_it_is_legal_and_waits_until_then():
    assert now(second("2D", "3D 4S"), OneCard(card("3D"))) == "3D"
    assert now(second("2D", "3D 4S"), OneCard(card("4S"))) is None
    assert now(second("2D", "4H 4S"), OneCard(card("4S"))) == "4S"


def test_one_card_means_the_very_card_of_two_equal_ones():
    game = second("2D", "3D 3D.2", ruleset=TWO_PACKS)
    assert now(game, OneCard(card("3D.2"))) == "3D.2"
    assert now(second("2D", "3D 4D", ruleset=TWO_PACKS), OneCard(card("3D.2"))) is None


def test_one_card_is_void_once_it_is_gone():
    game = second("2D", "3D 4S")
    view = seat_view(game, Seat(1))
    assert not is_void(OneCard(card("4S")), view)
    assert is_void(OneCard(card("5S")), view)
    after = seat_view(played(game, "3D"), Seat(1))
    assert is_void(OneCard(card("3D")), after)
    assert card_now(OneCard(card("3D")), after) is None


def test_the_lowest_of_the_suit_led_follows_low():
    assert now(second("2D", "JD 9D AD"), LOWEST) == "9D"


def test_the_lowest_of_the_suit_led_waits_where_it_leads_or_cannot_follow():
    assert now(deal_in_play("2C 3C", "4C 5C", "6C 7C", "8C 9C", ruleset=ANY), LOWEST) is None
    assert now(second("2D", "4S 5H"), LOWEST) is None


def test_the_lowest_of_the_suit_led_is_never_a_joker():
    game = second("2D", "JK 9D KD", ruleset=JOKERS)
    assert now(game, LOWEST) == "9D"
    assert now(second("JK", "9D KD", ruleset=JOKERS), LOWEST) is None


def test_after_a_led_joker_the_suit_is_that_of_the_card_that_followed():
    game = deal_in_play("JK 2C", "3C 4C", "5C 9C", "6C 7C", ruleset=JOKERS)
    assert now(played(game, "JK 4C"), LOWEST) == "5C"


def test_the_lowest_of_the_suit_led_obeys_a_rule_that_asks_for_the_queen():
    """qs_when_safe: under the king of spades she has to go (rules.md 3.4)."""
    rules = house_rules(void_play="qs_when_safe")
    assert now(second("KS", "QS 5S", ruleset=rules), LOWEST) == "QS"


def test_the_queen_goes_as_a_discard():
    assert now(second("2D", "QS 3H"), QUEEN) == "QS"


@pytest.mark.parametrize(("led", "expected"), [("KS", "QS"), ("AS", "QS"), ("JS", None)])
def test_the_queen_goes_under_a_higher_spade_and_waits_over_a_lower_one(led, expected):
    assert now(second(led, "QS 3S"), QUEEN) == expected


def test_the_queen_is_not_led_unless_nothing_else_can_be():
    assert now(deal_in_play("QS 3S", "4C 5C", "6C 7C", "8C 9C", ruleset=ANY), QUEEN) is None
    assert now(deal_in_play("QS 3H", "4C 5C", "6C 7C", "8C 9C"), QUEEN) == "QS"
    assert now(deal_in_play("QS", "4C", "6C", "8C"), QUEEN) == "QS"


def test_the_queen_is_played_over_a_lower_spade_where_she_is_forced():
    assert now(second("JS", "QS 3H"), QUEEN) == "QS"


def test_the_queen_waits_while_the_first_trick_forbids_her():
    game = deal_opening("2C 3D", "QS 4D", "5C 6C", "7C 8C")
    assert now(played(game, "2C"), QUEEN) is None


def test_the_queen_waits_after_a_led_joker_since_she_would_lead_in_effect():
    assert now(second("JK", "QS 3S", ruleset=JOKERS), QUEEN) is None


def test_the_queen_does_not_trust_a_king_that_another_king_has_killed():
    game = deal_in_play("KS 2C", "KS.2 3C", "QS 4S", "5S 6S", ruleset=TWO_PACKS)
    assert now(played(game, "KS KS.2"), QUEEN) is None
    assert now(played(game, "KS"), OneCard(card("KS.2"))) == "KS.2"


def test_the_queen_goes_under_another_queen_only_where_another_seat_takes_the_trick():
    def game(rules: Ruleset) -> Game:
        return played(deal_in_play("5S 2C", "QS 3C", "QS.2 4S", "6S 7S", ruleset=rules), "5S QS")

    assert now(game(LATER), QUEEN) is None
    # The two kill each other, and the five of another seat stands.
    assert now(game(TWO_PACKS), QUEEN) == "QS.2"


def test_the_queen_waits_where_nobody_takes_the_trick():
    game = deal_in_play("5D 2C", "5D.2 3C", "QS 4S", "6S 7S", ruleset=TWO_PACKS)
    assert now(played(game, "5D 5D.2"), QUEEN) is None


def test_any_copy_of_the_queen_will_do():
    assert now(second("2D", "QS.2 3H", ruleset=TWO_PACKS), QUEEN) == "QS.2"


def test_in_a_trick_of_four_cards_the_queen_is_not_discarded_on_ones_own_card():
    """Two seats lay down two cards each (rules.md 1.13)."""
    game = deal_in_play("AD QS 4H 5H", "2D 3C 5C 6C", ruleset=DRAW)
    assert now(played(game, "AD 2D"), QUEEN) is None
    game = deal_in_play("2D QS 4H 5H", "AD 3C 5C 6C", ruleset=DRAW)
    assert now(played(game, "2D AD"), QUEEN) == "QS"


def test_the_queens_plan_is_void_without_a_queen():
    assert is_void(QUEEN, seat_view(second("2D", "3D 4S"), Seat(1)))
    assert not is_void(QUEEN, seat_view(second("2D", "3D QS"), Seat(1)))


def test_all_forced_plays_only_what_is_the_only_card():
    assert now(second("2D", "3D 4S"), FORCED) == "3D"
    assert now(second("2D", "3D 4D"), FORCED) is None
    assert now(second("2D", "4S"), FORCED) == "4S"


def test_plans_without_a_card_of_their_own_are_void_with_an_empty_hand():
    over = played(deal_in_play("2C", "3C", "4C", "5C"), "2C 3C 4C 5C")
    assert is_void(FORCED, seat_view(over, Seat(0)))
    assert is_void(LOWEST, seat_view(over, Seat(0)))
    assert not is_void(FORCED, seat_view(second("2D", "3D 4S"), Seat(1)))


ALL_PLANS = (OneCard(card("QS.2")), OneCard(card("JK")), LOWEST, QUEEN, FORCED)


@pytest.mark.parametrize("plan", ALL_PLANS)
def test_a_plan_comes_back_from_json(plan: Plan):
    assert decode(json.loads(json.dumps(encode(plan)))) == plan


def test_every_kind_of_plan_is_tried():
    assert {type(plan) for plan in ALL_PLANS} == set(get_args(Plan))


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"plan": "win"},
        {"plan": "one_card"},
        {"plan": "one_card", "card": "QX"},
        {"plan": "one_card", "card": 12},
        {"plan": ["one_card"]},
        [],
        None,
    ],
)
def test_what_is_no_plan_is_refused(body):
    with pytest.raises(UnreadablePlanError):
        decode(body)


def test_neither_a_plan_nor_the_error_about_one_shows_its_card():
    assert "QS" not in repr(OneCard(card("QS")))
    with pytest.raises(UnreadablePlanError) as caught:
        decode({"plan": "one_card", "card": "QSS"})
    assert "QSS" not in str(caught.value)
    assert caught.value.__cause__ is None


@cache
def positions() -> tuple[Game, ...]:
    """Every turn to play of one deal of each preset."""
    return tuple(_positions())


def _positions() -> Iterator[Game]:
    for name in variants.names():
        rules = variants.load(name)
        seats = Random(name).choice(rules.players)
        for game, _ in course(rules, seats, Random(name), deals=1):
            if game.phase is Phase.PLAYING and to_move(game):
                yield game


def swapped(game: Game, seat: Seat, dice: Random) -> Game:
    """All that *seat* cannot see dealt out anew: other hands, and the stock."""
    deal = game.deal
    assert deal is not None
    others = [each for each in range(game.seats) if each != seat]
    unseen = [*deal.stock, *(each for i in others for each in sorted_cards(deal.hands[i]))]
    dice.shuffle(unseen)
    stock, unseen = unseen[: len(deal.stock)], unseen[len(deal.stock) :]
    hands = list(deal.hands)
    for i in others:
        size = len(hands[i])
        hands[i], unseen = frozenset(unseen[:size]), unseen[size:]
    return replace(game, deal=replace(deal, hands=tuple(hands), stock=tuple(stock)))


def plans_of(view: SeatView) -> list[Plan]:
    return [LOWEST, QUEEN, FORCED, *map(OneCard, sorted_cards(view.hand))]


def is_first_lead(game: Game) -> bool:
    deal = game.deal
    return deal is not None and deal.trick is not None and not (deal.tricks or deal.trick.plays)


Act = Callable[[Plan, Game, Seat], Card | None]


def changes(act: Act) -> list[str]:
    """Where what a plan does changes with what its seat cannot see."""
    dice = Random(4)
    found = []
    for game in positions()[::3]:
        (seat,) = to_move(game)
        if is_first_lead(game):
            continue  # the rules themselves look into all hands for the lowest club
        other = swapped(game, seat, dice)
        found += [
            f"{game.ruleset.id}: {plan}"
            for plan in plans_of(seat_view(game, seat))
            if act(plan, game, seat) != act(plan, other, seat)
        ]
    return found


def test_a_plan_never_changes_with_the_cards_that_its_seat_cannot_see():
    assert changes(lambda plan, game, seat: card_now(plan, seat_view(game, seat))) == []


def test_a_plan_that_peeks_into_the_next_hand_is_found_out():
    def peek(plan: Plan, game: Game, seat: Seat) -> Card | None:
        assert game.deal is not None
        mine = card_now(plan, seat_view(game, seat))
        theirs = game.deal.hands[(seat + 1) % game.seats]
        return mine if any(each.suit is Suit.HEARTS for each in theirs) else None

    assert changes(peek) != []


def test_under_every_preset_a_plan_plays_only_what_is_legal_and_every_kind_plays():
    kinds = set()
    for game in positions():
        (seat,) = to_move(game)
        view = seat_view(game, seat)
        for plan in plans_of(view):
            found = card_now(plan, view)
            if found is None:
                continue
            kinds.add(type(plan))
            assert found in choice(game).cards
            assert decide(game, PlayCard(seat, found))
            assert not is_void(plan, view)
    assert kinds == set(get_args(Plan))


def test_under_every_preset_a_plan_does_what_its_name_says():
    """A second reading, from the trick alone."""
    for game in positions():
        (seat,) = to_move(game)
        view = seat_view(game, seat)
        legal, trick = choice(game).cards, view.public.trick
        assert trick is not None
        led = led_suit(trick)
        lowest = card_now(LOWEST, view)
        suited = {each.rank for each in legal if led and each.suit is led}
        assert (lowest.rank if lowest else None) == min(suited, default=None)
        queen = card_now(QUEEN, view)
        if queen is not None and {each.face for each in legal} != {"QS"}:
            assert trick.plays
            above = {play.card.face for play in trick.plays if play.seat != seat}
            is_discard = led is not Suit.SPADES
            assert is_discard or above & {"KS", "AS", "QS"} or game.ruleset.packs == 2
        assert (card_now(FORCED, view) is None) == (len(legal) > 1)


def test_other_queens_are_no_concern_of_the_plan_for_the_queen():
    assert now(second("2D", "QH QC"), QUEEN) is None
