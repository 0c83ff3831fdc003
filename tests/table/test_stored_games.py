"""Games that an earlier form of the program has stored are read, replayed and played on.

`stored/first_form.json` was written when rules knew one pack, one seat a side and one number a
deal: three deals of Standard Hearts to 30 by two people and two robots, in which people
were late and came back to their seats, and somebody shot the moon.
"""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from bot.rules.cards import Card, Seat
from bot.rules.dimensions import MoonPayoff, Target
from bot.rules.events import CardPlayed, CardsPassed, DealBegan, DealScored, GameEnded
from bot.rules.variants import load
from bot.table import history, posts
from bot.table.codec import EncodedEvent, decode, encode
from bot.table.events import GameStarted, TableOpened
from bot.table.state import Status
from bot.table.storing import At, Cause, Followings, StoredEvent
from bot.table.timers import Delays, wanted
from tests.support.clock import NOON
from tests.support.showing import post_of
from tests.support.tables import Room

FILE = Path(__file__).parent / "stored" / "first_form.json"
ROWS = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.fixture
def stored():
    return [
        StoredEvent(
            number,
            decode(EncodedEvent(row["kind"], row["version"], row["body"])),
            Cause(NOON, row["by"]),
        )
        for number, row in enumerate(ROWS, 1)
    ]


def test_a_game_of_the_first_form_is_replayed_to_its_result(stored):
    past = history.replay(stored)
    assert past.fault is None
    game = past.table.game
    assert (past.table.status, game.totals, game.places) == (
        Status.OVER,
        (44, 44, 30, 12),
        (3, 3, 2, 1),
    )
    assert (game.last_deal, game.settlement) == (False, ())
    assert game.scores[-1].moon.payoff is MoonPayoff.ADD_OTHERS


def test_a_stored_score_of_the_first_form_is_still_compared(stored):
    """The control: the fault is noticed where it was put."""
    place = next(n for n, entry in enumerate(stored) if isinstance(entry.event, DealScored))
    score = stored[place].event.score
    wrong = replace(score, points=score.points[::-1])
    stored[place] = replace(stored[place], event=DealScored(wrong))
    assert history.replay(stored).fault.startswith(f"event {place + 1}: ")


def test_its_rules_are_standard_hearts_as_it_is_today(stored):
    rules = [e.event.ruleset for e in stored if isinstance(e.event, TableOpened | GameStarted)]
    today = load("standard")
    for ruleset in rules:
        assert ruleset == replace(today, end=Target(30), aliases=ruleset.aliases, text=ruleset.text)


def test_every_post_of_such_a_game_can_still_be_drawn(stored):
    table = history.replay(stored).table
    slots = posts.slots(table)
    assert len(slots) == 1 + 3 * (1 + 13 + 1) + 1
    for slot in slots:
        assert post_of(table, slot) is not None


async def test_such_a_game_is_played_on(stored):
    """Stopped in the middle of its second deal, as by an update of the program."""
    second = [n for n, entry in enumerate(stored) if isinstance(entry.event, DealBegan)][1]
    before = stored[: second + 20]
    room = Room()
    table = history.replay(before).table
    for entry in before:
        await put(room, entry, table)
    assert (await room.tables.view(table.id)).game.deal == 2
    view = await room.play_until(table.id, deals=9)
    assert view.status is Status.OVER
    again = history.replay(await room.store.load(table.id))
    assert (again.fault, again.table.game.totals) == (None, view.game.totals)


async def put(room, entry, table):
    """Write one event into the store, with the timers that the table has in the end."""
    following = _nothing_but(
        table, wanted(table, now=NOON, current=(), delays=Delays(1.0, 2.0), aways={})
    )
    await room.store.commit(At(table.id, entry.seq - 1), [entry.event], entry.cause, following)


def _nothing_but(table, timers):
    return Followings(
        table=table,
        slots=posts.slots(table),
        closed_slots=(),
        timers=timers,
        pings=(),
        ping_not_before=NOON,
    )


# Bodies, old and new


def read(kind, body):
    return decode(EncodedEvent(kind, 1, body))


def test_a_pass_without_an_order_has_none():
    passed = read("cards_passed", {"seat": 0, "cards": "2C QS AS"})
    assert passed == CardsPassed(Seat(0), frozenset(map(Card.parse, ("2C", "QS", "AS"))))
    assert encode(passed).body == {"seat": 0, "cards": "2C QS AS"}


def test_a_pass_to_several_seats_keeps_the_order_of_its_receivers():
    cards = tuple(map(Card.parse, ("QS", "2C", "AS")))
    passed = CardsPassed(Seat(0), frozenset(cards), cards)
    assert encode(passed).body == {"seat": 0, "cards": "2C QS AS", "packet": "QS 2C AS"}
    assert read("cards_passed", encode(passed).body) == passed


def test_a_score_without_money_has_none_and_thirds_are_kept_whole():
    body = {"deal": 1, "points": [26, 0], "lines": [], "moon": None, "totals": [26, 0]}
    scored = read("deal_scored", body)
    assert scored.score.money == ()
    assert encode(scored).body == body
    third = replace(scored.score, money=(Fraction(1, 3), Fraction(-1, 3)))
    assert encode(DealScored(third)).body["money"] == ["1/3", "-1/3"]
    assert read("deal_scored", encode(DealScored(third)).body) == DealScored(third)


def test_an_end_without_a_settlement_has_none():
    body = {"places": [1, 2], "totals": [3, 101]}
    ended = read("game_ended", body)
    assert ended == GameEnded((1, 2), (3, 101))
    assert encode(ended).body == body
    paid = GameEnded((1, 2), (3, 101), (Fraction(13, 2), Fraction(-13, 2)))
    assert encode(paid).body == {**body, "settlement": ["13/2", "-13/2"]}


def test_cards_of_two_packs_and_jokers_are_told_apart():
    for face in ("QS", "QS.2", "QS.3", "JK", "JK.2"):
        body = {"seat": 9, "card": face, "by": "hand"}
        played = read("card_played", body)
        assert isinstance(played, CardPlayed)
        assert encode(played).body == body
