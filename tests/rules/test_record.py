"""Text records: what they say, and where they are wrong (record.md)."""

import copy
import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules import playback, record
from bot.rules.cards import Seat
from bot.rules.commands import BeginDeal, PlayCard, SettleMoon
from bot.rules.decide import decide, new_game
from bot.rules.dimensions import MoonPayoff
from bot.rules.errors import RecordError
from bot.rules.events import DealScored, Event, GameEnded
from bot.rules.evolve import replay
from bot.rules.state import Game, Phase
from tests.support.deals import STANDARD, after, cards, deal_played_out, house_rules
from tests.support.records import DEAL, RECORD, SUITED_HANDS, moon_record, planted


def whole_game(seed: int, seats: int, rules=STANDARD) -> tuple[Game, list[Event]]:
    pick = Random(seed).sample
    game, log = new_game(rules, seats, Seat(1)), []
    while game.phase is not Phase.OVER:
        game, happened = deal_played_out(game, pick)
        log += happened
    return game, log


def test_a_record_says_how_cards_were_dealt_passed_and_played():
    read = record.from_dict(RECORD)
    assert read.ruleset == STANDARD
    assert read.deals[0].dealer == 3
    assert read.deals[0].dealt.hands[0] == cards(DEAL["hands"][0])
    assert " ".join(map(str, read.deals[0].passes[3])) == "JS 2H 6H"
    assert read.meta == {"table": "ABCD2345"}


def test_a_record_survives_being_written_and_read():
    read = record.from_dict(RECORD)
    assert record.from_dict(json.loads(json.dumps(record.to_dict(read)))) == read


def test_hands_are_written_sorted():
    """record.md: in any order on input, sorted on output."""
    shuffled = planted("deals.0.hands.1", " ".join(reversed(DEAL["hands"][1].split())))
    assert record.to_dict(record.from_dict(shuffled))["deals"][0]["hands"] == DEAL["hands"]


def test_rules_override_those_that_they_extend():
    rules = {"extends": "standard", "breakers": ["H*"], "moon": {"payoff": "shooter_choice"}}
    read = record.from_dict(planted("rules", rules))
    assert read.ruleset == house_rules(breakers=["H*"], moon={"payoff": "shooter_choice"})


def test_what_these_rules_leave_empty_may_be_written_empty():
    empty = DEAL | {"widow": "", "stock": "", "passes": ["", "", "", ""], "plays": []}
    assert record.from_dict(planted("deals.0", empty)).deals[0].passes == ()


@pytest.mark.parametrize("dealer", range(4))
def test_a_deck_order_is_found_that_deals_the_hands_out_again(dealer: int):
    deal = record.from_dict(RECORD).deals[0]
    game = new_game(STANDARD, 4, Seat(dealer))
    began = after(game, BeginDeal(deal.order(STANDARD, Seat(dealer))))
    assert began.deal is not None
    assert began.deal.dealt == deal.dealt.hands


def test_the_shooters_choice_is_read_and_written():
    read = record.from_dict(moon_record(moon="subtract"))
    assert read.deals[0].moon is MoonPayoff.SUBTRACT_SELF
    assert record.to_dict(read)["deals"][0]["moon"] == "subtract"


@given(
    seed=st.integers(0, 2**32),
    seats=st.integers(3, 6),
    cycle=st.sampled_from([["hold"], [{"to": 1, "n": 2}], [{"scatter": 1}]]),
)
@pytest.mark.thorough
def test_a_game_exported_from_its_events_plays_to_the_same_scores(seed, seats, cycle):
    rules = house_rules(pass_cycle=cycle, end={"hands": 2}, tie="share")
    game, log = whole_game(seed, seats, rules)
    plain = json.loads(json.dumps(record.from_events(game.ruleset, seats, log)))
    printed = list(playback.lines(record.from_dict(plain)))
    assert [line["totals"] for line in printed if "points" in line] == [
        list(score.totals) for score in game.scores
    ]
    assert printed[-1]["over"] is True
    assert printed[-1]["places"] == list(game.places)


def test_a_choice_after_a_moon_is_exported():
    read = record.from_dict(moon_record())
    deal = read.deals[0]
    game = new_game(read.ruleset, 4, Seat(3))
    log: list[Event] = []
    commands = [
        BeginDeal(deal.order(read.ruleset, Seat(3))),
        *(PlayCard(Seat(n % 4), card) for n, card in enumerate(deal.plays)),
        SettleMoon(Seat(0), MoonPayoff.ADD_OTHERS),
    ]
    for command in commands:
        happened = decide(game, command)
        log += happened
        game = replay(game, happened)
    assert record.from_events(read.ruleset, 4, log)["deals"][0]["moon"] == "add"


def test_what_follows_from_the_moves_is_not_written():
    game, log = whole_game(1, 4, house_rules(end="single", tie="share"))
    bare = [event for event in log if not isinstance(event, DealScored | GameEnded)]
    assert record.from_events(game.ruleset, 4, log) == record.from_events(game.ruleset, 4, bare)


FAULTS = {
    "hearts": (2, "hearts: 2 is not 1"),
    "seats": (7, "seats: 7 is not among"),
    "deals": ({}, "deals: {} is not a list"),
    "meta": ([], "meta: [] is not a table"),
    "rules": ("standard", "rules: 'standard' is not a table"),
    "rules.extends": ("nonsense", "rules.extends: no preset is called 'nonsense'"),
    "rules.moon": ({"payof": 1}, "rules.moon.payof: no such key"),
    "rules.points": ({"H*": 0, "QS": 0}, "rules.points: no card costs anything"),
    "ended": (1, "ended: 1 is not true or false"),
    "": (True, "record: no such key"),
    "deals.0": ([], "deals[0]: [] is not a table"),
    "deals.0.bids": ([], "deals[0].bids: no such key"),
    "deals.0.dealer": (4, "deals[0].dealer: 4 is not a seat from 0 to 3"),
    "deals.0.widow": ("2C", "deals[0].widow: 1 cards, where 0 are left over"),
    "deals.0.stock": ("2C", "deals[0].stock: 1 cards, where 0 are left over"),
    "deals.0.hands": (["2C"], "deals[0].hands: 1 entries, where 4 seats play"),
    "deals.0.hands.2": ("2C", "deals[0].hands[2]: 1 cards, where 13 are dealt"),
    "deals.0.hands.1": (DEAL["hands"][0], "deals[0].hands[1]: 2C is dealt once too often"),
    "deals.0.hands.3": (
        DEAL["hands"][3].replace("AH", "JK"),
        "deals[0].hands[3]: JK is dealt once too often",
    ),
    "deals.0.passes": (["", "", ""], "deals[0].passes: 3 entries, where 4 seats play"),
    "deals.0.passes.1": ("KS 4H 8X", "deals[0].passes[1]: '8X' is not a card"),
    "deals.0.passes.2": (7, "deals[0].passes[2]: 7 is not a text"),
    "deals.0.plays": ("2C", "deals[0].plays: '2C' is not a list"),
    "deals.0.plays.1": ("3X", "deals[0].plays[1]: '3X' is not a card"),
    "deals.0.moon": ("keep", "deals[0].moon: 'keep' is neither add nor subtract"),
}


@pytest.mark.parametrize("path", FAULTS)
def test_a_fault_is_told_with_its_place(path: str):
    value, words = FAULTS[path]
    with pytest.raises(RecordError) as caught:
        record.from_dict(planted(path, value))
    assert str(caught.value).startswith(words)


@pytest.mark.parametrize("key", ["hearts", "rules", "seats", "deals"])
def test_a_missing_key_is_named(key: str):
    less = {name: value for name, value in RECORD.items() if name != key}
    with pytest.raises(RecordError, match=f"^{key}: is missing$"):
        record.from_dict(less)


def test_hands_are_needed():
    with pytest.raises(RecordError, match=r"^deals\[0\]\.hands: is missing$"):
        record.from_dict(planted("deals.0", {"dealer": 3}))


@pytest.mark.parametrize("value", [True, 1.0, "1"])
def test_a_version_that_merely_looks_like_one_is_refused(value: object):
    with pytest.raises(RecordError, match=r"^hearts: "):
        record.from_dict(planted("hearts", value))


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["2C", "QS.2", "JK", "standard", "hold", SUITED_HANDS[0], "add"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.text(max_size=4)
            | st.sampled_from(
                [*RECORD, *DEAL, "extends", "moon", "points", "players", "pass_cycle"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


def spots(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Every place inside a record, by its path."""
    inner: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [path, *(spot for key, each in inner for spot in spots(each, (*path, key)))]


def assert_read_or_refused(value: object) -> None:
    try:
        read = record.from_dict(value)
    except RecordError:
        return
    for line in playback.lines(read):
        json.dumps(line)


@given(value=JSON)
def test_whatever_json_says_is_read_or_refused(value: object):
    assert_read_or_refused(value)


@given(data=st.data())
def test_a_record_with_anything_inside_replaced_is_read_or_refused(data: st.DataObject):
    changed: Any = copy.deepcopy(data.draw(st.sampled_from([RECORD, moon_record(moon="add")])))
    spot = data.draw(st.sampled_from([spot for spot in spots(changed) if spot]))
    place = changed
    for step in spot[:-1]:
        place = place[step]
    place[spot[-1]] = data.draw(JSON)
    assert_read_or_refused(changed)


RULE_KEYS = sorted(record.to_dict(record.from_dict(RECORD))["rules"])


@given(rules=st.dictionaries(st.sampled_from(RULE_KEYS), JSON, max_size=3))
def test_rules_with_anything_in_them_are_read_or_refused(rules: dict[str, Any]):
    assert_read_or_refused(planted("rules", {"extends": "standard"} | rules))
