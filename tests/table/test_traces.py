"""Ids of people in stored events: no event may hide one from `/privacy delete` (B140)."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from bot.table import traces
from bot.table.codec import EncodedEvent, decode, encode
from bot.table.events import SeatTaken, TableEvent
from bot.table.ids import Human, UserId, former_id, is_former
from tests.table.test_codec import STRATEGIES


def holds_users(kind: Any) -> bool:
    """Whether a value of this type can have an id of a person anywhere inside."""
    if kind is UserId:
        return True
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        return any(holds_users(hints[field.name]) for field in fields(kind))
    return any(holds_users(part) for part in get_args(kind))


def users_of(kind: Any, value: Any) -> Iterator[UserId]:
    """All ids of people inside *value*, found by what its type says and nothing else."""
    if kind is UserId and isinstance(value, int):
        yield UserId(value)
    elif isinstance(kind, type) and is_dataclass(kind) and isinstance(value, kind):
        hints = get_type_hints(kind)
        for field in fields(kind):
            yield from users_of(hints[field.name], getattr(value, field.name))
    elif get_origin(kind) is tuple:
        for each in value:
            yield from users_of(get_args(kind)[0], each)
    else:
        for part in get_args(kind):
            yield from users_of(part, value)


def swapped(before: UserId, after: UserId) -> Callable[[UserId], UserId]:
    """Replaces one id and leaves all others."""
    return lambda each: after if each == before else each


PEOPLED = {kind: built for kind, built in STRATEGIES.items() if holds_users(kind)}


@given(event=st.one_of(*PEOPLED.values()))
def test_everybody_in_an_event_is_found_in_its_body(event: TableEvent):
    encoded = encode(event)
    named = set(users_of(type(event), event))
    assert traces.users_in(encoded.kind, encoded.body) == named


@given(event=st.one_of(*STRATEGIES.values()))
def test_an_event_without_people_names_nobody(event: TableEvent):
    encoded = encode(event)
    found = traces.users_in(encoded.kind, encoded.body)
    assert not found or type(event) in PEOPLED


@given(event=st.one_of(*PEOPLED.values()), chance=st.binary(min_size=8, max_size=32))
def test_who_is_replaced_is_nowhere_any_more_and_all_else_stays(event: TableEvent, chance: bytes):
    encoded, former = encode(event), former_id(chance)
    for user in set(users_of(type(event), event)):
        body = traces.with_users(encoded.kind, encoded.body, swapped(user, former))
        after = EncodedEvent(encoded.kind, encoded.version, json.loads(json.dumps(body)))
        assert user not in traces.users_in(after.kind, after.body)
        assert former in traces.users_in(after.kind, after.body)
        back = traces.with_users(after.kind, after.body, swapped(former, user))
        assert decode(EncodedEvent(after.kind, after.version, back)) == event


@pytest.mark.parametrize("kind", list(traces.PATHS))
def test_an_event_whose_people_were_left_out_would_be_noticed(kind: str):
    """The control: without its paths, the law above fails for this kind."""
    without = {name: paths for name, paths in traces.PATHS.items() if name != kind}
    encoded = next(each for each in map(encode, _samples()) if each.kind == kind)
    assert traces.users_in(kind, encoded.body)
    assert not traces.users_in(kind, encoded.body, without)


def _samples() -> Iterator[TableEvent]:
    """Of each event that can name people one that does."""
    for kind, built in PEOPLED.items():
        yield from _first(kind, built)


def _first(kind: type, built: st.SearchStrategy[Any]) -> list[Any]:
    quick = settings(max_examples=200, phases=[Phase.generate], database=None, deadline=None)
    return [find(built, lambda event: any(users_of(kind, event)), settings=quick)]


def test_a_new_event_with_a_person_deep_inside_is_seen_by_its_type():
    @dataclass(frozen=True)
    class Inner:
        whom: UserId | None

    @dataclass(frozen=True)
    class Outer:
        several: tuple[Inner, ...]

    assert holds_users(Outer)
    assert list(users_of(Outer, Outer((Inner(UserId(5)), Inner(None))))) == [5]
    assert not holds_users(int)
    assert list(users_of(SeatTaken, SeatTaken(0, Human(UserId(7))))) == [7]


@given(chance=st.binary(min_size=8, max_size=32))
def test_what_stands_for_a_former_player_is_no_id_of_discord_and_fits_64_bits(chance: bytes):
    former = former_id(chance)
    assert is_former(former)
    assert -(2**63) <= former < 0
    assert not is_former(UserId(0))
