"""The grammar of custom ids (house.md 4.4, discord.md 2.1)."""

from contextlib import suppress
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.cards import Card, pack, parse_cards
from bot.rules.dimensions import MoonPayoff
from bot.rules.errors import HeartsError, NotationError
from bot.table.ids import KeeperId, TableId
from bot.table.plans import AllForced, LowestOfSuitLed, QueenWhenPossible
from cogs.ui import ids, keeper_ids, plan_ids, preference_ids

_TABLES = st.text("ABCDEFGHJKLMNPQRSTUVWXYZ23456789", min_size=8, max_size=8).map(TableId)
_MOMENTS = st.integers(0, 9_999)
_KEEPERS = _TABLES.map(KeeperId)
_DRAFTS = st.lists(st.text("0123456789-x", max_size=5), min_size=3, max_size=10).map(tuple)
_CARDS = st.sampled_from([*pack(), *pack(copy=2), Card.parse("JK")])
_FILLED = {
    ids.ConfirmPass: st.builds(
        ids.ConfirmPass, _TABLES, _MOMENTS, st.frozensets(_CARDS, min_size=1, max_size=10)
    ),
    ids.SettleMoon: st.builds(ids.SettleMoon, _TABLES, _MOMENTS, st.sampled_from(MoonPayoff)),
    ids.ToggleConfirm: st.builds(ids.ToggleConfirm, _TABLES, on=st.booleans()),
    preference_ids.AskBeforePlaying: st.builds(preference_ids.AskBeforePlaying, on=st.booleans()),
    preference_ids.PlayForced: st.builds(preference_ids.PlayForced, on=st.booleans()),
    plan_ids.SwitchPlan: st.builds(
        plan_ids.SwitchPlan,
        table=_TABLES,
        deal=_MOMENTS,
        plan=st.sampled_from([AllForced(), LowestOfSuitLed(), QueenWhenPossible()]),
        on=st.booleans(),
    ),
    ids.ServerBoard: st.builds(ids.ServerBoard, st.sampled_from(ids.Period), _MOMENTS),
    keeper_ids.OpenPoints: st.builds(keeper_ids.OpenPoints, _KEEPERS, _MOMENTS, _DRAFTS),
    keeper_ids.ChooseMissingJack: st.builds(
        keeper_ids.ChooseMissingJack, _KEEPERS, _MOMENTS, _DRAFTS
    ),
}


def _any_of(kind):
    if kind in _FILLED:
        return _FILLED[kind]
    fields = {"table": _TABLES, "turn": _MOMENTS, "deal": _MOMENTS, "card": _CARDS}
    words = st.text("abcdefghijklmnopqrstuvwxyz0123456789_", min_size=1, max_size=32)
    fields |= {"house": st.integers(1, 2**63).map(str), "option": words, "preset": words}
    fields |= {
        "shelf": st.integers(1, 9),
        "keeper": _KEEPERS,
        "version": _MOMENTS,
        "shooter": st.integers(0, 9),
        "seat": st.integers(0, 10),
        "to": st.integers(1, 2**63),
        "number": _MOMENTS,
        "is_for": st.booleans(),
    }
    return st.builds(kind, *(fields[name] for name in kind.__match_args__))


ACTIONS = st.one_of([_any_of(kind) for kind in get_args(ids.Action)])


@given(ACTIONS)
def test_every_action_is_read_back_as_itself(action):
    again = ids.parse(ids.write(action))
    assert again == action
    assert type(again) is type(action)


@given(ACTIONS)
def test_ids_keep_to_discords_hundred_characters(action):
    assert len(ids.write(action)) <= ids.LONGEST_ID


@given(ACTIONS, ACTIONS)
def test_two_actions_never_share_an_id(one, other):
    same = one == other and type(one) is type(other)
    assert (ids.write(one) == ids.write(other)) is same


@pytest.mark.parametrize(
    "custom_id",
    [
        "",
        "play",
        "h1:",
        "h0:join:K7Q2M9XA:0",
        "h1:dance:K7Q2M9XA:0",
        "h1:join:-:0",
        "h1:join:K7Q2M9XA:00",
        "h1:join:K7Q2M9XA:0:QS",
        "h1:join:K7Q2M9XA:0 ",
        "h1:join:K7Q2M9XA:-1",
        "h1:play:K7Q2M9XA:4:ZZ",
        "h1:play:K7Q2M9XA:4:QS.1",
        "h1:play:K7Q2M9XA:4",
        "h1:play:K7Q2M9XA:4:QS\n",
        "h1:pass:K7Q2M9XA:1:AS,KS",
        "h1:pass:K7Q2M9XA:1:QS,QS",
        "h1:moon:K7Q2M9XA:1:half",
        "h1:confirm:K7Q2M9XA:0:maybe",
        "h1:board:-:0:all",
        "h1:board:-:0:ever.1",
        "h1:board:K7Q2M9XA:0:all.1",
        "h1:set_clock:K7Q2M9XA:0",
        "h1:set_variant:-:0",
        "h1:set_usual:-:0:two",
        "h1:rule:-:0:passing",
        "h1:sk_undo:-:1",
        "h1:sk_moon:K7Q2M9XA:1:2",
        "h1:sk_jack:K7Q2M9XA:1:ana",
        "h1:sk_jack:K7Q2M9XA:1:01",
    ],
)
def test_what_we_never_wrote_is_refused_politely(custom_id):
    with pytest.raises(HeartsError) as refused:
        ids.parse(custom_id)
    assert "/hearts hand" in str(refused.value.sentence)


@given(st.text(max_size=120))
def test_no_text_at_all_makes_the_reader_stumble(custom_id):
    with suppress(ids.UnknownButtonError):
        assert ids.write(ids.parse(custom_id)) == custom_id


def test_the_grammar_is_the_one_of_the_design():
    table = TableId("K7Q2M9XA")
    passed = ids.ConfirmPass(table, 2, frozenset(parse_cards("QS AS KS")))
    assert ids.write(ids.PlayCard(table, 41, Card.parse("QS.2"))) == "h1:play:K7Q2M9XA:41:QS.2"
    assert ids.write(passed) == "h1:pass:K7Q2M9XA:2:QS,KS,AS"
    assert ids.write(ids.Join(table)) == "h1:join:K7Q2M9XA:0"


def test_the_values_of_the_menu_are_cards():
    assert ids.chosen_cards(["QS", "2C"]) == frozenset(parse_cards("QS 2C"))
    with pytest.raises(NotationError):
        ids.chosen_cards(["QS", "queen"])
