"""Events as JSON and back (house.md 4.3, the table of events)."""

import json
import traceback
from dataclasses import fields, replace
from types import UnionType
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules import variants
from bot.rules.cards import Card, Rank, Seat, Suit, pack
from bot.rules.commands import PlayedBy
from bot.rules.dimensions import DealCount, MoonPayoff, MoonRules
from bot.rules.events import (
    CardPlayed,
    CardsPassed,
    DealBegan,
    DealScored,
    GameEnded,
    LastDealCalled,
    MoonSettled,
)
from bot.rules.ruleset import Ruleset
from bot.rules.sentence import Sentence
from bot.rules.state import Moon, Score, ScoreLine
from bot.table import codec
from bot.table.ballots import ChangeClock, EndDeal, Kick, LastDeal, Pause
from bot.table.clocks import MOVE_CLOCKS, MoveClock
from bot.table.codec import EncodedEvent, UnreadableEventError, decode, encode
from bot.table.cuts import Cut
from bot.table.events import (
    BankDrawn,
    ClockChanged,
    DealRevealed,
    DealSealed,
    DeckCut,
    GameStarted,
    HostChanged,
    PauseAgreed,
    PauseEnded,
    PersonInvited,
    PersonRemoved,
    PlansMade,
    PostSurfaced,
    RulesChosen,
    SeatHandedOver,
    SeatLeft,
    SeatTaken,
    SubstituteSat,
    TableClosed,
    TableEvent,
    TableMoved,
    TableOpened,
    TablePaused,
    TableResumed,
    VoteCalled,
    VoteCast,
    VoteSettled,
)
from bot.table.ids import ChannelId, GuildId, Human, Robot, TableId, UserId
from bot.table.plans import AllForced, LowestOfSuitLed, OneCard, QueenWhenPossible

STANDARD = variants.load("standard")


def through_json(encoded: EncodedEvent) -> EncodedEvent:
    """As a database gives it back: keys are texts, rows are lists."""
    return replace(encoded, body=json.loads(json.dumps(encoded.body)))


def test_all_events_have_their_strategy():
    """A new kind of event is noticed here before it is noticed in a game."""
    assert set(STRATEGIES) == set(_members(TableEvent))


def _members(union: UnionType) -> list[type]:
    return [kind for kind in get_args(union) if isinstance(kind, type)]


ids = st.integers(1, 2**63 - 1)
seats = st.integers(0, 9).map(Seat)
cards = st.builds(
    Card,
    st.sampled_from([r for r in Rank if r is not Rank.JOKER]),
    st.sampled_from(Suit),
    st.integers(1, 3),
) | st.builds(Card, st.just(Rank.JOKER), st.none(), st.integers(1, 3))
hands = st.frozensets(cards, max_size=13)
humans = ids.map(lambda number: Human(UserId(number)))
robots = st.builds(Robot, st.sampled_from(["steady", "sharp"]), st.none() | ids.map(UserId))
occupants = humans | robots
money = st.lists(st.fractions(-99, 99, max_denominator=10), max_size=10).map(tuple)


def packets(seat):
    """A pass to several seats: its cards in the order of the receivers."""
    ordered = st.lists(cards, min_size=2, max_size=9, unique=True).map(tuple)
    return ordered.map(lambda packet: CardsPassed(seat, frozenset(packet), packet))


numbers = st.lists(st.integers(-200, 200), min_size=2, max_size=6).map(tuple)
moons = st.builds(
    Moon,
    st.lists(seats, min_size=1, max_size=2).map(tuple),
    st.sampled_from([MoonPayoff.ADD_OTHERS, MoonPayoff.SUBTRACT_SELF]),
)
lines = st.builds(
    ScoreLine,
    seats,
    st.sampled_from(["QS", "hearts", "moon"]),
    st.integers(-52, 52),
    st.integers(1, 26),
)
scores = st.builds(
    Score,
    deal=st.integers(1, 99),
    points=numbers,
    lines=st.lists(lines, max_size=6).map(tuple),
    moon=st.none() | moons,
    totals=numbers,
    money=money,
)
rulesets = st.sampled_from(
    [
        STANDARD,
        replace(STANDARD, exact={100: 50, 50: 0}, end=DealCount(8)),
        replace(STANDARD, moon=MoonRules(payoff=MoonPayoff.SHOOTER_CHOICE, value=None)),
        *map(variants.load, variants.names()),
    ]
)
clocks = st.sampled_from(MOVE_CLOCKS) | st.builds(MoveClock, st.just("2h"), st.just(7_200))
subjects = st.one_of(
    st.builds(Pause),
    st.builds(ChangeClock, clocks, clocks),
    st.builds(Kick, seats, ids.map(UserId)),
    st.builds(LastDeal, st.integers(1, 99)),
    st.builds(EndDeal, st.integers(1, 99)),
)
plans = st.one_of(
    st.builds(OneCard, cards),
    st.builds(LowestOfSuitLed),
    st.builds(QueenWhenPossible),
    st.builds(AllForced),
)

hex_digits = st.binary(min_size=32, max_size=32).map(bytes.hex)
words = st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=40)
cuts = st.lists(
    st.one_of(st.just(Cut()), st.builds(Cut, words, st.just(True)), st.builds(Cut, ids.map(str))),
    min_size=3,
    max_size=6,
).map(tuple)

STRATEGIES: dict[type, st.SearchStrategy[Any]] = {
    TableOpened: st.builds(
        TableOpened,
        table=st.just(TableId("aaaa1111")),
        guild_id=ids.map(GuildId),
        channel_id=ids.map(ChannelId),
        host=ids.map(UserId),
        ruleset=rulesets,
        seats=st.integers(3, 6),
        clock=clocks,
        invited=st.lists(ids.map(UserId)).map(tuple),
        claims_itself=st.booleans(),
        seal=st.none() | hex_digits,
    ),
    SeatTaken: st.builds(SeatTaken, seats, occupants),
    SeatLeft: st.builds(SeatLeft, seats),
    HostChanged: st.builds(HostChanged, ids.map(UserId)),
    RulesChosen: st.builds(RulesChosen, rulesets),
    GameStarted: st.builds(
        GameStarted, rulesets, st.lists(occupants, min_size=3, max_size=6).map(tuple), seats
    ),
    SeatHandedOver: st.builds(SeatHandedOver, seats, occupants),
    BankDrawn: st.builds(BankDrawn, seats, st.integers(1, 10**10)),
    SubstituteSat: st.builds(SubstituteSat, seats, ids.map(UserId), st.none() | ids.map(UserId)),
    PersonRemoved: st.builds(PersonRemoved, seats, ids.map(UserId)),
    PersonInvited: st.builds(PersonInvited, ids.map(UserId)),
    VoteCalled: st.builds(VoteCalled, st.integers(1, 99), subjects),
    VoteCast: st.builds(VoteCast, st.integers(1, 99), st.booleans()),
    VoteSettled: st.builds(VoteSettled, st.integers(1, 99), st.booleans()),
    PauseAgreed: st.builds(PauseAgreed),
    PauseEnded: st.builds(PauseEnded),
    ClockChanged: st.builds(ClockChanged, clocks),
    PlansMade: st.builds(PlansMade, seats, st.lists(plans, max_size=4).map(tuple)),
    DealSealed: st.builds(DealSealed, st.integers(1, 99), hex_digits),
    DeckCut: st.builds(DeckCut, st.integers(1, 99), words),
    DealRevealed: st.builds(
        DealRevealed, st.integers(1, 99), st.binary(min_size=32, max_size=32), cuts
    ),
    TableMoved: st.builds(TableMoved, ids.map(ChannelId), ids.map(ChannelId)),
    PostSurfaced: st.builds(PostSurfaced),
    TablePaused: st.builds(TablePaused, st.sampled_from(["channel_gone", "forbidden"])),
    TableResumed: st.builds(TableResumed),
    TableClosed: st.builds(TableClosed, st.sampled_from(["host", "idle", "left_server"])),
    DealBegan: st.builds(DealBegan, st.integers(1, 99), seats, st.permutations(pack()).map(tuple)),
    CardsPassed: st.builds(CardsPassed, seats, hands) | seats.flatmap(packets),
    CardPlayed: st.builds(CardPlayed, seats, cards, st.sampled_from(PlayedBy)),
    MoonSettled: st.builds(MoonSettled, seats, st.sampled_from(MoonPayoff)),
    LastDealCalled: st.builds(LastDealCalled),
    DealScored: st.builds(DealScored, scores),
    GameEnded: st.builds(GameEnded, numbers, numbers, money),
}


@given(event=st.one_of(*STRATEGIES.values()))
def test_what_is_written_is_read_as_it_was(event: TableEvent):
    assert decode(through_json(encode(event))) == event


def test_the_order_of_the_deck_is_kept():
    """Replay never depends on the shuffle: the order itself is stored."""
    backwards = tuple(reversed(pack()))
    read = decode(through_json(encode(DealBegan(1, Seat(3), backwards))))
    assert isinstance(read, DealBegan)
    assert read.order == backwards


def test_a_stored_event_looks_like_this():
    """What lies in databases: a change here needs a new version and a lift."""
    assert encode(CardPlayed(Seat(2), Card.parse("QS.2"), PlayedBy.CLOCK)) == EncodedEvent(
        "card_played", 1, {"seat": 2, "card": "QS.2", "by": "clock"}
    )
    passed = CardsPassed(Seat(0), frozenset(map(Card.parse, ("AS", "QS", "2C"))))
    assert encode(passed).body == {"seat": 0, "cards": "2C QS AS"}
    assert encode(SeatTaken(Seat(1), Robot("steady", UserId(7)))).body == {
        "seat": 1,
        "occupant": {"robot": "steady", "keeps_for": 7},
    }


def test_no_body_says_who_when_or_by_which_interaction():
    """These stand beside the body in the row (house.md 4.3)."""
    carried = {field.name for kind in STRATEGIES for field in fields(kind)}
    assert carried.isdisjoint({"at", "actor_id", "cause", "iid", "interaction_id", "v", "seq"})


def test_an_old_body_is_lifted_step_by_step_when_it_is_read():
    lifts = {
        ("seat_left", 1): lambda body: {"chair": body["place"]},
        ("seat_left", 2): lambda body: {"seat": body["chair"] - 1},
    }
    assert decode(EncodedEvent("seat_left", 1, {"place": 3}), lifts=lifts) == SeatLeft(Seat(2))
    assert decode(EncodedEvent("seat_left", 2, {"chair": 3}), lifts=lifts) == SeatLeft(Seat(2))
    assert decode(EncodedEvent("seat_left", 3, {"seat": 3}), lifts=lifts) == SeatLeft(Seat(3))


@pytest.mark.parametrize(
    "damaged",
    [
        EncodedEvent("seat_left", 2, {"seat": 1}),
        EncodedEvent("seat_left", 0, {"seat": 1}),
        EncodedEvent("seat_stolen", 1, {"seat": 1}),
        EncodedEvent("seat_left", 1, {}),
        EncodedEvent("card_played", 1, {"seat": 1, "card": "QX", "by": "hand"}),
        EncodedEvent("card_played", 1, {"seat": 1, "card": "QS", "by": "ghost"}),
        EncodedEvent("seat_taken", 1, {"seat": 1, "occupant": None}),
        EncodedEvent("game_started", 1, {"ruleset": {"id": 5}, "chairs": [], "first_dealer": 0}),
    ],
)
def test_what_cannot_be_read_is_refused(damaged: EncodedEvent):
    with pytest.raises(UnreadableEventError):
        decode(damaged)


def test_the_refusal_of_a_damaged_event_names_no_card():
    """It goes to the log, and the hand may not be over (house.md 5.1, 12)."""
    damaged = EncodedEvent("cards_passed", 1, {"seat": 0, "cards": "QS AX"})
    with pytest.raises(UnreadableEventError) as refused:
        decode(damaged)
    written = "".join(traceback.format_exception(refused.value))
    assert "cards_passed" in written
    assert "QS" not in written
    assert "AX" not in written


def test_a_sentence_is_read_with_all_its_facts():
    inner = Sentence("{suit} were led.", {"suit": Suit.CLUBS})
    said = Sentence(
        "{a} {b} {c} {d} {e} {f}",
        {
            "a": 1,
            "b": "two",
            "c": Card.parse("QS.2"),
            "d": inner,
            "e": (Rank.ACE, Suit.HEARTS, None, True),
            "f": 1.5,
        },
        "{a} many",
    )
    stored = json.loads(json.dumps(codec.encode_sentence(said)))
    assert codec.decode_sentence(stored) == said


def test_a_fact_that_cannot_be_stored_is_refused_at_once():
    with pytest.raises(TypeError, match="Ruleset"):
        codec.encode_sentence(Sentence("{rules}", {"rules": STANDARD}))
    assert isinstance(STANDARD, Ruleset)
