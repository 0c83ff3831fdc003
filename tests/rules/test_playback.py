"""What `python -m bot replay` prints, line by line (record.md)."""

from typing import Any

import pytest

from bot.rules import playback, record
from tests.support.records import DEAL, RECORD, moon_record, planted


def lines(plain: object) -> list[dict[str, Any]]:
    return list(playback.lines(record.from_dict(plain)))


def test_a_record_without_deals_prints_nothing():
    assert lines(planted("deals", [])) == []


def test_a_deal_that_stops_while_cards_are_passed_prints_nothing():
    stopped = DEAL | {"plays": [], "passes": ["QS 3H 7H", "", "", ""]}
    assert lines(planted("deals.0", stopped)) == []


def test_every_play_is_printed_with_all_that_were_legal_and_then_whose_turn_it_is():
    assert lines(RECORD) == [
        {"deal": 0, "ply": 0, "seat": 0, "legal": ["2C"], "card": "2C"},
        {"deal": 0, "ply": 1, "seat": 1, "legal": ["3C", "7C", "JC"], "card": "3C"},
        {"turn": 2, "legal": ["4C", "8C", "QC"]},
    ]


def test_a_full_trick_is_printed_with_its_winner():
    printed = lines(planted("deals.0.plays", ["2C", "3C", "QC", "5C"]))
    assert printed[4] == {
        "deal": 0,
        "trick": 0,
        "leader": 0,
        "winner": 2,
        "cards": ["2C", "3C", "QC", "5C"],
    }
    assert printed[5]["turn"] == 2


def test_a_dealer_left_out_is_the_last_seat_and_then_the_next():
    """record.md: who leads tells who dealt, where the seat after the dealer leads."""
    deal = moon_record("add_others")["deals"][0]
    for key in ("dealer", "plays"):
        del deal[key]
    finished = moon_record("add_others")["deals"][0]
    del finished["dealer"]
    first = moon_record("add_others") | {"deals": [deal]}
    second = moon_record("add_others") | {"deals": [finished, deal]}
    assert lines(first)[-1]["turn"] == 0
    assert lines(second)[-1]["turn"] == 1


def test_a_dealer_that_is_named_deals():
    deal = moon_record("add_others", dealer=1, plays=[])["deals"][0]
    assert lines(moon_record("add_others") | {"deals": [deal]})[-1]["turn"] == 2


@pytest.mark.parametrize(
    ("word", "payoff", "points"),
    [("add", "add_others", [0, 26, 26, 26]), ("subtract", "subtract_self", [-26, 0, 0, 0])],
)
def test_a_moon_is_printed_as_it_was_paid(word: str, payoff: str, points: list[int]):
    result = lines(moon_record(moon=word))[-1]
    assert result["moon"] == {"seats": [0], "payoff": payoff}
    assert result["points"] == result["totals"] == points
    assert result["lines"][:2] == [
        {"seat": 0, "what": "hearts", "points": 13},
        {"seat": 0, "what": "moon", "points": points[0] - 26},
    ] or result["lines"][:3] == [
        {"seat": 0, "what": "QS", "points": 13},
        {"seat": 0, "what": "hearts", "points": 13},
        {"seat": 0, "what": "moon", "points": points[0] - 26},
    ]


def test_a_moon_that_waits_for_its_shooter_has_no_result_yet():
    printed = lines(moon_record())
    assert printed[-1]["trick"] == 12


def test_the_end_of_the_game_is_printed_with_places():
    over = moon_record("add_others")
    over["rules"] = over["rules"] | {"end": "single"}
    assert lines(over)[-1] == {
        "over": True,
        "places": [1, 2, 2, 2],
        "totals": [0, 26, 26, 26],
        "settlement": None,
    }


def test_a_card_against_the_rules_is_the_last_line():
    printed = lines(planted("deals.0.plays", ["2C", "9S", "4C"]))
    assert printed[-1] == {
        "error": "You must follow suit: clubs were led and you hold some.",
        "reason": "MUST_FOLLOW",
        "deal": 0,
        "ply": 1,
        "card": "9S",
        "legal": ["3C", "7C", "JC"],
    }
    assert len(printed) == 2


@pytest.mark.parametrize(
    ("path", "value", "reason", "place"),
    [
        ("deals.0.plays", ["3C"], "NOT_IN_HAND", {"ply": 0, "card": "3C", "legal": ["2C"]}),
        ("deals.0.plays", ["TC"], "OPENING_CARD", {"ply": 0, "card": "TC", "legal": ["2C"]}),
        ("deals.0.passes.1", "KS 4H", "PASS_COUNT", {"seat": 1, "ply": None}),
        ("deals.0.passes.1", "KS KS 4H", "PASS_COUNT", {"seat": 1, "card": None}),
        ("deals.0.passes.2", "KS 4H 8H", "NOT_IN_HAND", {"seat": 2, "legal": []}),
        ("deals.0.passes.3", "", "NOT_NOW", {"ply": 0, "card": "2C", "legal": []}),
        ("deals.0.moon", "add", "NOT_NOW", {"ply": None, "deal": 0}),
        ("deals", [DEAL, DEAL], "NOT_NOW", {"ply": None, "deal": 1}),
        ("rules.pass_cycle", ["hold"], "NO_PASSING", {"seat": 0, "deal": 0}),
    ],
)
def test_every_other_fault_says_where_it_is(
    path: str, value: object, reason: str, place: dict[str, object]
):
    last = lines(planted(path, value))[-1]
    assert last["reason"] == reason
    assert last.items() >= place.items()


@pytest.mark.parametrize(
    "extra", [{"moon": "add"}, {"plays": [*moon_record()["deals"][0]["plays"], "2C"]}]
)
def test_nothing_more_can_be_played_when_a_deal_is_over(extra: dict[str, object]):
    assert lines(moon_record("add_others", **extra))[-1]["reason"] == "NOT_NOW"


def test_no_deal_comes_after_the_end_of_the_game():
    over = moon_record("add_others")
    over["rules"] = over["rules"] | {"end": "single"}
    over["deals"] = over["deals"] * 2
    printed = lines(over)
    assert printed[-2]["over"] is True
    assert printed[-1]["reason"] == "NOT_NOW"
    assert printed[-1]["deal"] == 1
