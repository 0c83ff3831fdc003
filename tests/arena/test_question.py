"""What another program's robot is asked, and what it knows from that (record.md, Robots)."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from bot.arena import question
from bot.arena.imagining import view_of
from bot.arena.question import QuestionError
from bot.rules import variants
from bot.rules.cards import Card
from bot.rules.commands import CallLastDeal
from bot.rules.decide import decide
from bot.rules.evolve import replay
from bot.rules.legal import to_move
from bot.rules.state import Phase
from bot.rules.view import seat_view
from tests.support.deals import house_rules
from tests.support.questions import PLAY, asked, decisions
from tests.support.rulesets import EVERY_TABLE
from tests.support.seeded import course

USUAL = [(name, variants.load(name).default_players) for name in variants.names()]
SAMPLED = 3
"""Of so many decisions one is looked at; the thorough form looks at all."""


def known(view):
    """All of a view that a robot uses, with cards by their faces: which copy is never said."""
    view = replace(view, drawn=None, public=replace(view.public, scores=(), passed=(), waiting=()))
    return repr(in_faces(view))


def in_faces(value):
    if isinstance(value, Card):
        return value.face
    if isinstance(value, frozenset):
        return sorted(map(in_faces, value))
    if isinstance(value, tuple):
        return [in_faces(each) for each in value]
    if hasattr(value, "__dataclass_fields__") and not hasattr(value, "default_players"):
        return {name: in_faces(getattr(value, name)) for name in value.__dataclass_fields__}
    return value


def rebuilt(plain):
    return view_of(question.from_dict(plain))


@pytest.mark.parametrize("table", USUAL, ids=lambda table: f"{table[0]}_{table[1]}")
def test_a_question_tells_all_that_a_robot_uses(table):
    name, seats = table
    views = [*decisions(variants.load(name), seats, deals=1)]
    for view in [*views[::SAMPLED], views[-1]]:
        assert known(rebuilt(asked(view))) == known(view)


@pytest.mark.thorough
@pytest.mark.parametrize("table", EVERY_TABLE, ids=lambda table: f"{table[0]}_{table[1]}")
def test_a_question_tells_all_that_a_robot_uses_at_every_number_of_seats(table):
    name, seats = table
    for view in decisions(variants.load(name), seats, deals=2, seed=1):
        assert known(rebuilt(asked(view))) == known(view)


def test_a_view_with_a_card_that_it_cannot_know_is_noticed():
    """The control of the law above."""
    view = next(decisions(variants.load("standard"), 4, deals=1))
    other = next(decisions(variants.load("standard"), 4, deals=1, seed=2))
    assert known(replace(view, received=other.hand)) != known(view)


def test_a_shooter_who_chooses_is_told_the_whole_deal_and_knows_what_is_safe():
    rules = house_rules(moon={"payoff": "shooter_choice"}, points={"H*": 0, "QS": 13})
    views = [*decisions(rules, 4, deals=2)]
    choosing = [view for view in views if view.public.phase is Phase.MOON_CHOICE]
    assert choosing
    for view in choosing:
        plain = asked(view)
        assert plain["ask"] == "moon"
        assert len(plain["plays"]) == 52
        assert rebuilt(plain).safe_payoff is view.safe_payoff


def test_whoever_shot_no_moon_has_none_to_choose_for():
    rules = house_rules(moon={"payoff": "shooter_choice"}, points={"H*": 0, "QS": 13})
    views = [*decisions(rules, 4, deals=2)]
    view = next(view for view in views if view.public.phase is Phase.MOON_CHOICE)
    no_choice = house_rules(points={"H*": 0, "QS": 13})
    without = asked(replace(view, public=replace(view.public, ruleset=no_choice)))
    with pytest.raises(QuestionError, match=r"ask: moon is not what seat . has to decide"):
        rebuilt(without)


def test_a_widow_that_the_seat_has_seen_has_to_be_told():
    """rules.md 2.3.5: its taker sees it."""
    views = decisions(variants.load("cancellation"), 6, deals=1)
    view = next(view for view in views if view.widow)
    plain = asked(view)
    assert len(plain.pop("widow").split()) == len(view.widow)
    with pytest.raises(QuestionError, match=r"widow: is missing, although seat . has seen it"):
        rebuilt(plain)


def test_nothing_is_passed_in_the_deal_that_decides_a_tie():
    """rules.md 2.2.7: totals above the target and a further deal mean a tie."""
    view = next(decisions(variants.load("two_player"), 2, deals=1))
    tied = asked(view) | {"deal": 4, "totals": [60, 60]}
    with pytest.raises(QuestionError, match="ask: nothing is passed in this deal"):
        rebuilt(tied)


def test_a_deal_that_was_called_the_last_is_known_as_such():
    rules = house_rules(end={"hands": "open"})
    game, _ = next(iter(course(rules, 4, Random(1), deals=1)))
    game = replay(game, decide(game, CallLastDeal()))
    view = seat_view(game, to_move(game)[0])
    assert rebuilt(asked(view)).public.last_deal
    assert not rebuilt(asked(view) | {"last_deal": False}).public.last_deal


def test_money_that_has_changed_hands_is_known_as_a_sum():
    """rules.md 2.7: it decides the places."""
    *_, view = decisions(variants.load("super_hearts"), 4, deals=3)
    paid = [score.money for score in view.public.scores]
    found = [score.money for score in rebuilt(asked(view)).public.scores]
    assert len(found) == len(paid) == 2
    for before, after in zip(zip(*paid, strict=True), zip(*found, strict=True), strict=True):
        assert sum(after, Fraction()) == sum(before, Fraction())


def test_a_question_is_short_where_a_preset_says_all():
    view = next(decisions(variants.load("killer"), 7, deals=1))
    assert asked(view)["rules"] == {"extends": "killer"}


def test_house_rules_are_said_in_full():
    rules = house_rules(points={"JD": -10})
    view = next(decisions(rules, 4, deals=1))
    assert rebuilt(asked(view)).public.ruleset == rules


def test_a_view_without_a_decision_is_no_question():
    game, _ = next(iter(course(variants.load("pagat"), 4, Random(1), deals=1)))
    view = seat_view(game, to_move(game)[0])
    over = replace(view, public=replace(view.public, phase=Phase.OVER))
    with pytest.raises(ValueError, match="nothing to decide"):
        question.of_view(over)


def test_whoever_is_asked_after_two_cards_knows_who_led():
    """The format names no seats: whose turn it is follows from the rules."""
    view = rebuilt(PLAY)
    assert [play.seat for play in view.public.trick.plays] == [0, 1]
    assert view.choice.cards == frozenset(map(Card.parse, ["3C", "4C", "5C"]))


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"seat": 4}, "seat: 4 is not a seat from 0 to 3"),
        ({"dealer": -1}, "dealer: -1 is not a seat"),
        ({"seats": 7}, "seats: 7 is not among"),
        ({"seats": "4"}, "seats: '4' is not a whole number"),
        ({"deal": -1}, "deal: -1 is less than 0"),
        ({"deal": 9999}, "deal: 9999 is more than 1000"),
        ({"totals": [0, 0]}, "totals: 2 entries, where 4 seats play"),
        ({"money": ["1/0"] * 4}, "money.0: '1/0' is not a fraction"),
        ({"ask": "bid"}, "ask: 'bid' is not one of pass, play, moon"),
        ({"ask": "pass", "plays": []}, "ask: nothing is passed in this deal"),
        ({"ask": "moon"}, "plays: 2 cards, where 52 to 52 fit"),
        ({"rules": {"extends": "whist"}}, "rules.extends: no preset is called 'whist'"),
        ({"rules": {"extends": "standard", "colour": 1}}, "rules.colour: no such key"),
        ({"rules": "standard"}, "rules: 'standard' is not a table"),
        ({"hands": ""}, "hands: no such key"),
        ({"hand": "3C 4C 5X"}, "hand: '5X' is not a card"),
        ({"hand": 5}, "hand: 5 is not a text"),
        ({"dealt": "3C"}, "dealt: 1 cards, where there are 13"),
        ({"dealt": PLAY["dealt"].replace("4H", "3H")}, "dealt: 3H is there once too often"),
        ({"dealt": PLAY["dealt"].replace("4H", "JK")}, "dealt: JK is there once too often"),
        ({"hand": PLAY["hand"].replace(" 4H", "")}, "hand: 4H is neither in it nor"),
        ({"hand": PLAY["hand"] + " 5H"}, "hand: 14 cards held and played"),
        ({"passed": "3C 4C 5C"}, "passed: 3 cards, where there are 0"),
        ({"widow": "5H"}, "widow: 1 cards, where there are 0"),
        ({"plays": ["2C", "QS"]}, "plays.1: QS is there once too often"),
        ({"plays": ["KC", "QC"]}, "plays: seat 0 did not have to lead first"),
        ({"plays": []}, "plays: seat 2 did not have to lead first"),
        ({"plays": "2C KC"}, "plays: '2C KC' is not a list"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_the_place_of_the_fault(changed, complaint):
    with pytest.raises(QuestionError, match=complaint):
        rebuilt(PLAY | changed)


@pytest.mark.parametrize("key", sorted(set(PLAY) - {"plays"}))
def test_a_question_without_what_it_needs_is_refused(key):
    with pytest.raises(QuestionError, match=f"^{key}: is missing$"):
        rebuilt({name: value for name, value in PLAY.items() if name != key})


def test_somebody_who_had_no_card_of_a_suit_gets_none_later():
    """Seat 3 throws a heart on clubs, and two tricks later the ten of clubs on diamonds."""
    tricks = "2C KC 3C 5H  AD 2D 7D 8D  9D 3D TC JD  5S 6S"
    hand = "4C 5C 4D 2S 3S 4S QS 2H 3H 4H"
    with pytest.raises(QuestionError, match=r"plays\.10: seat 3 had no TC any more"):
        rebuilt(PLAY | {"plays": tricks.split(), "hand": hand})


def test_a_card_of_ones_own_that_could_not_be_played_is_refused():
    plays = ["2C", "KC", "3D", "AC", "AD", "5D", "KD"]
    hand = "3C 4C 5C 2D 4D 2S 3S 4S QS 2H 3H 4H"
    with pytest.raises(QuestionError, match=r"plays\.2: seat 2 could not play 3D"):
        rebuilt(PLAY | {"plays": plays, "hand": hand})


@pytest.mark.thorough
def test_no_scrambled_question_is_more_than_refused():
    """Whatever comes, the answer is a view or a `QuestionError`."""
    dice = Random(5)
    for name, seats in (("standard", 4), ("killer", 6), ("two_player", 2), ("draw7", 2)):
        plains = [asked(view) for view in decisions(variants.load(name), seats, deals=1)]
        for _ in range(150):
            plain, other = dice.choice(plains), dice.choice(plains)
            key = dice.choice(sorted(plain))
            value = other.get(key) if dice.random() < 0.8 else dice.choice([None, -1, "QS", [[]]])
            try:
                rebuilt(plain | {key: value})
            except QuestionError:
                continue
