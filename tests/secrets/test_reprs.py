"""No value tells a secret in its `repr`, which tracebacks and log lines quote (row 13)."""

import dataclasses
import pkgutil
import typing
from collections.abc import Iterator
from importlib import import_module
from itertools import takewhile
from random import Random
from types import ModuleType
from typing import Any

import pytest

import bot.ai
import bot.rules
import bot.table
import cogs
import cogs.ui
import db
from bot.rules.cards import Card, Seat
from bot.rules.ruleset import Ruleset
from bot.rules.variants import load
from bot.rules.view import seat_view
from bot.table.session import Belief
from bot.table.storing import Drawer
from tests.support.histories import in_play
from tests.support.looks import everybody_at, hand_of, states, unplayed
from tests.support.tables import FOUR

PUBLIC = {
    "bot.ai.values.Values": "what cards are worth by the rules, whoever holds them",
    "bot.rules.dimensions.WidowRules": "rules",
    "bot.rules.events.CardPlayed": "a card that has fallen",
    "bot.rules.piles.Piles": "tricks that have fallen",
    "bot.rules.record.RecordedDeal": "of games that are over",
    "bot.rules.ruleset.Ruleset": "rules",
    "bot.rules.state.Play": "a card that has fallen",
    "bot.rules.view.PublicView": "what everybody sees",
    "bot.table.catching_up.Missed": "cards that have fallen",
    "bot.table.posting.SheetPost": "what everybody sees",
    "bot.table.posting.TrickPost": "what everybody sees",
    "bot.table.verifying.Proof": "of deals that are over",
}
"""Values whose cards may be read by anybody, and why."""
ROOMS = (bot.rules, bot.ai, bot.table, cogs, cogs.ui, db)


def _files() -> Iterator[ModuleType]:
    for room in ROOMS:
        for found in pkgutil.iter_modules(room.__path__, f"{room.__name__}."):
            if not found.ispkg:
                yield import_module(found.name)


def _tells_a_card(kind: object) -> bool:
    return kind is Card or any(map(_tells_a_card, typing.get_args(kind)))


def telling(value: Any) -> list[str]:
    """The fields of a value that are in its `repr` and hold cards."""
    hints = typing.get_type_hints(value)
    fields = dataclasses.fields(value)
    return [field.name for field in fields if field.repr and _tells_a_card(hints[field.name])]


def _values() -> Iterator[tuple[str, Any]]:
    for file in _files():
        for name, value in vars(file).items():
            own = isinstance(value, type) and value.__module__ == file.__name__
            if own and dataclasses.is_dataclass(value):
                yield f"{file.__name__}.{name}", value


def test_only_values_that_anybody_may_read_have_cards_in_their_repr():
    assert {name for name, value in _values() if telling(value)} == set(PUBLIC)


def test_control_a_value_that_tells_its_cards_is_found():
    @dataclasses.dataclass(frozen=True)
    class Telling:
        hand: frozenset[Card]

    assert telling(Telling) == ["hand"]


def _told(value: object, cards: frozenset[Card], rules: Ruleset) -> set[str]:
    """The cards that a `repr` names, apart from the rules that stand in it."""
    text = repr(value).replace(repr(rules), "")
    return {str(card) for card in cards if repr(card) in text or f"'{card}'" in text}


def test_no_state_of_a_game_tells_a_card_that_has_not_fallen():
    first_deal = takewhile(lambda game: not game.past, states(Random(4)))
    for game in list(first_deal)[::7]:
        hidden = unplayed(game)
        table = everybody_at(game)
        values = (game, game.deal, table, seat_view(game, Seat(0)), Belief(table, 1, ()))
        told = [_told(value, hidden, game.ruleset) for value in (*values, hand_of(game))]
        assert set().union(*told) == set()


def test_no_stored_event_and_nothing_locked_away_tells_a_secret():
    story = in_play(*FOUR)
    assert story.table.game is not None
    secrets = story.secrets.values()
    values = [*story.stored, *secrets, Drawer(dict(story.secrets)), story.table]
    text = repr(values)
    hidden = unplayed(story.table.game)
    dealt = [entry for entry in story.stored if type(entry.event).__name__ == "DealBegan"]
    assert dealt
    rules = story.table.ruleset
    assert {card for entry in story.stored for card in _told(entry, hidden, rules)} == set()
    for secret in secrets:
        assert secret.seed.hex() not in text
        assert repr(secret.seed) not in text


@pytest.mark.parametrize("where", ["hand", "seed"])
def test_control_such_a_secret_is_found_where_it_stands(where: str):
    card = Card.parse("QS")
    value: object = [card] if where == "hand" else b"seed"
    assert _told(value, frozenset({card}), load("standard")) == (
        {"QS"} if where == "hand" else set()
    )
    assert (repr(b"seed") in repr(value)) == (where == "seed")
