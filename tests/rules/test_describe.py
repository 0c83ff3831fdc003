"""Rules in plain words: whole sentences, and every choice is told."""

import string

import pytest

from bot.rules.cards import Suit, pack
from bot.rules.describe import at_a_glance, describe, differences, direction, passed
from bot.rules.dimensions import Hold, PassStep, PassTo, Scatter
from bot.rules.ruleset import Ruleset
from bot.rules.sentence import Sentence
from tests.support.deals import STANDARD, house_rules

PASSES = {"4": [{"to": 1, "n": 1}, {"to": -1, "n": 2}, {"scatter": 1}, "hold"]}
CHOICES: dict[str, dict[str, object]] = {
    "no passing": {"pass_cycle": {"4": ["hold"]}},
    "one way": {"pass_cycle": {"4": [{"to": 3, "n": 3}]}},
    "mixed passes": {"pass_cycle": PASSES},
    "scattered passes": {"pass_cycle": {"4": [{"scatter": 1}]}},
    "another deck": {"remove": {"4": ["2C", "3C", "2D", "3D"]}},
    "any club": {"first_lead": "holder_any_club"},
    "left of dealer": {"first_lead": "left_of_dealer"},
    "no first-trick ban": {"first_trick_ban": []},
    "another ban": {"first_trick_ban": ["rank:Q"]},
    "queen first": {"first_trick_exempt": "qs_first"},
    "hearts free": {"hearts_lead": "free"},
    "queen does not break": {"breakers": ["H*"]},
    "nothing breaks": {"breakers": []},
    "broken by discards only": {"break_on_lead": False},
    "hearts and queen exempt": {"lead_exempt": "hearts_or_qs"},
    "jack": {"points": {"JD": -10}},
    "no queen": {"points": {"QS": 0}},
    "king and ace": {"points": {"KS": 10, "AS": 10}},
    "dear heart": {"points": {"AH": 5}},
    "no moon": {"moon": {"on": False}},
    "moon subtracts": {"moon": {"payoff": "subtract_self"}},
    "moon by choice": {"moon": {"payoff": "shooter_choice"}},
    "moon protected": {"moon": {"payoff": "add_unless_shooter_then_loses"}},
    "moon of 50": {"moon": {"value": 50}},
    "moon of all points": {"points": {"KS": 10, "AS": 7}, "moon": {"value": "sum"}},
    "moon needs the jack": {"points": {"JD": -10}, "moon": {"bonus": True}},
    "moon absorbs the jack": {"points": {"JD": -10}, "moon": {"bonus_score": "absorbed"}},
    "short game": {"end": {"target": 50}},
    "four deals": {"end": {"hands": 4}},
    "single deal": {"end": "single"},
    "exact to 50": {"exact": {"100": 50}},
    "exact to 0": {"exact": {"100": 0}},
    "shared win": {"tie": "share"},
}
"""Every house option of rules.md 1.1 that this bot has, and what else a ruleset may say."""


def rules_of(choice: str) -> Ruleset:
    return house_rules(CHOICES[choice])


def gaps(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def assert_gaps_are_filled(sentence: Sentence) -> None:
    for text in filter(None, (sentence.text, sentence.plural)):
        assert gaps(text) <= set(sentence.facts), text
    for fact in sentence.facts.values():
        if isinstance(fact, Sentence):
            assert_gaps_are_filled(fact)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_standard_hearts_does_not_differ_from_itself(seats: int):
    assert differences(STANDARD, seats) == ()


@pytest.mark.parametrize("choice", CHOICES)
def test_every_choice_is_told_and_told_first(choice: str):
    ruleset = rules_of(choice)
    different = differences(ruleset, 4)
    assert different
    assert describe(ruleset, 4)[: len(different)] == different
    usual = describe(STANDARD, 4)
    assert all(sentence in usual for sentence in describe(ruleset, 4)[len(different) :])


def test_no_two_choices_are_told_alike():
    told = ["\n".join(map(str, differences(rules_of(choice), 4))) for choice in CHOICES]
    assert len(set(told)) == len(told)


@pytest.mark.parametrize("choice", CHOICES)
def test_rules_are_whole_sentences(choice: str):
    for sentence in (*describe(rules_of(choice), 4), *at_a_glance(rules_of(choice), 4)):
        words = str(sentence)
        assert words[0].isupper(), words
        assert words.endswith("."), words
        assert "!" not in words
        assert_gaps_are_filled(sentence)


@pytest.mark.parametrize("choice", CHOICES)
def test_a_lobby_has_room_for_the_glance(choice: str):
    assert 3 <= len(at_a_glance(rules_of(choice), 4)) <= 6


def test_the_glance_tells_the_bonus_card_and_the_exact_total():
    facts = "\n".join(map(str, at_a_glance(house_rules(points={"JD": -10}), 4)))
    assert "Taking the JD saves you 10 points." in facts
    facts = "\n".join(map(str, at_a_glance(house_rules(exact={"100": 50}), 4)))
    assert "exactly 100" in facts


@pytest.mark.parametrize(
    ("seats", "cards", "opener", "out"),
    [
        (3, 17, "2C", "the 2D."),
        (4, 13, "2C", None),
        (5, 10, "3C", "the 2D and the 2C."),
        (6, 8, "4C", "the 2D, the 2C, the 2S and the 3C."),
    ],
)
def test_the_cards_of_every_table_size_are_told(seats, cards, opener, out):
    """rules.md 1.1, 2.4.5, 2.4.6."""
    lines = [str(sentence) for sentence in describe(STANDARD, seats)]
    assert f"All {seats * cards} cards are dealt: {cards} to each of you." in lines
    assert f"If you hold the {opener}, you must lead it to the first trick." in lines
    aside = [line for line in lines if line.startswith("Put aside")]
    assert [line.endswith(out) for line in aside] == ([True] if out else [])


def test_without_any_club_the_seat_after_the_dealer_leads():
    """rules.md 3.4."""
    clubs = [str(card) for card in pack() if card.suit is Suit.CLUBS]
    ruleset = house_rules(players=[3], remove={"3": clubs})
    lines = [str(sentence) for sentence in describe(ruleset, 3)]
    assert any(line.startswith("If you sit to the left of the dealer, you lead") for line in lines)


@pytest.mark.parametrize(
    ("step", "seats", "words"),
    [
        (Hold(), 4, "Nothing is passed in this deal."),
        (PassTo(1, 3), 4, "Pass 3 cards to the left."),
        (PassTo(1, 1), 4, "Pass 1 card to the left."),
        (PassTo(-1, 3), 4, "Pass 3 cards to the right."),
        (PassTo(3, 3), 4, "Pass 3 cards to the right."),
        (PassTo(2, 3), 4, "Pass 3 cards across."),
        (PassTo(3, 3), 6, "Pass 3 cards across."),
        (PassTo(1, 2), 2, "Pass 2 cards to your opponent."),
        (Scatter(1), 2, "Pass 1 card to your opponent."),
        (PassTo(2, 3), 5, "Pass 3 cards to the player 2 seats to your left."),
        (PassTo(-2, 3), 5, "Pass 3 cards to the player 2 seats to your right."),
        (Scatter(1), 4, "Pass 1 card to every other player."),
        (Scatter(2), 3, "Pass 2 cards to every other player."),
    ],
)
def test_the_direction_is_said_as_seen_from_the_seat(step: PassStep, seats: int, words: str):
    assert str(direction(step, seats)) == words


@pytest.mark.parametrize(
    ("seats", "ways"),
    [
        (3, "left, right, none"),
        (4, "left, right, across, none"),
        (5, "left, right, 2 seats left, 2 seats right, none"),
        (6, "left, right, 2 seats left, 2 seats right, across, none"),
    ],
)
def test_the_passing_of_every_table_size_is_told(seats: int, ways: str):
    """rules.md 3.9."""
    told = f"You pass 3 cards, deal by deal: {ways}, and so on."
    assert told in map(str, describe(STANDARD, seats))
    assert told in map(str, at_a_glance(STANDARD, seats))


def test_steps_of_different_counts_are_told_one_by_one():
    lines = list(map(str, describe(house_rules(pass_cycle=PASSES), 4)))
    assert lines[0] == (
        "You pass, deal by deal: 1 card to the left, 2 cards to the right, "
        "1 card to every other player, nothing, and so on."
    )


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ({"to": 1, "n": 1}, "You choose your card before you see what comes in."),
        ({"to": 1, "n": 2}, "You choose your cards before you see what comes in."),
        ({"scatter": 1}, "You choose your cards before you see what comes in."),
    ],
)
def test_one_card_to_pass_is_one_card(step: dict[str, object], said: str):
    """rules.md 3.3; a card for every other player is several."""
    rules = house_rules(pass_cycle={"4": [step, "hold"]})
    assert said in map(str, describe(rules, 4))


def test_what_was_passed_is_told_as_it_was_ordered():
    assert str(passed(PassTo(1, 3), 4)) == "Passed: 3 cards to the left."
    assert passed(Hold(), 4) == direction(Hold(), 4)
