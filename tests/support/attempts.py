"""The press or the command with which somebody tries each thing that there is.

It fits the table in its phase. Where somebody without cards presses a button with cards on it, it
is a button of whoever is on turn.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, cast, get_args
from unittest.mock import Mock

import discord

from bot.rules.cards import Seat, sorted_cards
from bot.rules.commands import PassCards, PlayCard
from bot.rules.dimensions import MoonPayoff
from bot.rules.legal import choice
from bot.rules.option import Option
from bot.rules.options import offered, value_of
from bot.rules.state import Phase
from bot.rules.variants import load
from bot.rules.view import seat_view
from bot.table.ids import KeeperId, UserId
from bot.table.moments import turn
from bot.table.plans import AllForced
from bot.table.state import Table
from cogs.ui import ids
from cogs.ui.fair_ids import AskCut, GiveCut
from tests.support.stage import CHANNEL, OTHER_CHANNEL, TABLE, Role
from tests.support.tables import first_move

KINDS: Mapping[str, type[ids.Action]] = {kind.word: kind for kind in get_args(ids.Action)}
"""Everything that can be pressed, by the word of its ids."""


def press(word: str, role: Role, table: Table) -> ids.Action:
    """A button of this kind at *table*, as *role* would press it."""
    kind = KINDS[word]
    wanted = {field.name: _FIELDS[field.name] for field in fields(cast(Any, kind))}
    if issubclass(kind, AskCut | GiveCut):
        wanted["deal"] = _next_deal
    return kind(**{name: make(role, table) for name, make in wanted.items()})


def chosen(word: str, role: Role, table: Table) -> Mapping[str, Any]:
    """What is sent with it: values of a menu, or fields of a form."""
    values = _VALUES.get(word)
    if values is not None:
        return {"values": values(role, table)}
    typed = _TYPED.get(word, {})
    fields_ = [{"custom_id": name, "value": value} for name, value in typed.items()]
    return {"components": [{"component": field} for field in fields_]}


def _seat(role: Role, table: Table) -> Seat:
    """Whose cards are tried: the person's own, or those of whoever is on turn."""
    return Seat(0 if role in {Role.HOST, Role.OWNER} and _is_passing(table) else 1)


def _is_passing(table: Table) -> bool:
    return table.game is not None and table.game.phase is Phase.PASSING


def _cards(role: Role, table: Table) -> Any:
    if table.game is None or not _is_passing(table):
        return frozenset({_any_card(table)})
    move = first_move(seat_view(table.game, _seat(role, table)))
    assert isinstance(move, PassCards)
    return move.cards


def _card(_role: Role, table: Table) -> Any:
    game = table.game
    if game is None or game.phase is not Phase.PLAYING:
        return _any_card(table)
    move = first_move(seat_view(game, Seat(1)))
    assert isinstance(move, PlayCard)
    assert move.card in choice(game).cards
    return move.card


def _any_card(table: Table) -> Any:
    return table.ruleset.deck(4)[0]


def _own_card(role: Role, table: Table) -> list[str]:
    deal = table.game.deal if table.game else None
    seat = 0 if role in {Role.HOST, Role.OWNER} else 1
    held = sorted_cards(deal.hands[seat]) if deal else ()
    return [str(held[0] if held else _any_card(table))]


def _deal(_role: Role, table: Table) -> int:
    return table.game.deal.number if table.game and table.game.deal else 1


def _next_deal(role: Role, table: Table) -> int:
    return 1 if table.game is None else 1 + _deal(role, table)


_OPTION: Option = offered(load("standard"))[0]
"""A rule that people may change, …"""
_USUAL = value_of(load("standard"), _OPTION)
_OTHER = next(value.id for value in _OPTION.values if value != _USUAL)
"""… and what the standard rules do not say of it."""
_FIELDS: Mapping[str, Callable[[Role, Table], Any]] = {
    "table": lambda _role, _table: TABLE,
    "keeper": lambda _role, _table: KeeperId("BBBB2222"),
    "version": lambda _role, _table: 2,
    "turn": lambda _role, table: turn(table.game) if table.game else 1,
    "deal": _deal,
    "number": lambda _role, _table: 1,
    "card": _card,
    "cards": _cards,
    "payoff": lambda _role, _table: MoonPayoff.ADD_OTHERS,
    "plan": lambda _role, _table: AllForced(),
    "on": lambda _role, _table: True,
    "is_for": lambda _role, _table: True,
    "period": lambda _role, _table: ids.Period.ALL,
    "page": lambda _role, _table: 1,
    "draft": lambda _role, _table: ("26", "0", "0", "0"),
    "house": lambda _role, _table: "1",
    "option": lambda _role, _table: _OPTION.id,
    "preset": lambda _role, _table: "standard",
    "shelf": lambda _role, _table: 1,
    "shooter": lambda _role, _table: 0,
    "seat": lambda _role, _table: Seat(3),
    "to": lambda _role, _table: Role.TURN.user,
}
"""How each field of an action is filled; an action with another field needs another line."""


def _other_value(_role: Role, _table: Table) -> list[str]:
    return [_OTHER]


_VALUES: Mapping[str, Callable[[Role, Table], list[str]]] = {
    "pick": lambda role, table: [str(card) for card in _cards(role, table)],
    "robot_level": lambda _role, _table: ["casual"],
    "aside": _own_card,
    "rule": _other_value,
    "house_rule": _other_value,
    "rules_page": lambda _role, _table: ["passing"],
    "house_page": lambda _role, _table: ["passing"],
    "house_open": lambda _role, _table: ["1"],
    "set_house": lambda _role, _table: ["1"],
    "set_usual": lambda _role, _table: ["omnibus"],
    "house_new": lambda _role, _table: ["omnibus"],
    "set_clock": lambda _role, _table: ["1h"],
    "set_vacation": lambda _role, _table: ["7"],
    "set_channels": lambda _role, _table: [str(CHANNEL)],
    "set_threads": lambda _role, _table: ["thread"],
    "set_claims": lambda _role, _table: ["itself"],
    "pref_calls": lambda _role, _table: ["silent"],
    "topic": lambda _role, _table: ["start"],
    "family": lambda _role, _table: ["standard"],
    "sk_moon": lambda _role, _table: ["0"],
    "sk_jack": lambda _role, _table: ["0"],
    "sk_jack_of": lambda _role, _table: ["0"],
}
_TYPED: Mapping[str, Mapping[str, str]] = {
    "sk_points": {"0": "26"},
    "rules_kept": {"name": "Our own"},
    "house_made": {"name": "Our own"},
    "house_named": {"name": "Our own"},
    "cut_with": {"word": "aardvark"},
    "priv_typed": {"word": "DELETE"},
    "pref_typed": {"zone": "Europe/Berlin", "begins": "22", "ends": "6"},
}


def member(user: UserId) -> Any:
    """A member of the server, as a command's option gives one."""
    found = Mock(spec=discord.Member)
    found.id, found.bot, found.display_name = user, False, "Somebody"
    return found


def _at_table(**more: Any) -> Mapping[str, Any]:
    return {"table": TABLE, **more}


COMMANDS: Mapping[str, Mapping[str, Any]] = {
    "hearts admin": {},
    "hearts admin (end)": _at_table(),
    "hearts clock": _at_table(clock="1h"),
    "hearts end": _at_table(),
    "hearts games": {},
    "hearts hand": _at_table(),
    "hearts help": {},
    "hearts history": _at_table(),
    "hearts host": _at_table(member=member(Role.TURN.user)),
    "hearts kick": _at_table(member=member(Role.TURN.user)),
    "hearts leave": _at_table(),
    "hearts move": _at_table(channel=OTHER_CHANNEL),
    "hearts nudge": _at_table(),
    "hearts pause": _at_table(),
    "hearts rules": _at_table(),
    "hearts score": _at_table(),
    "hearts scorekeeper": {"players": "Ana, Ben, Cy, Dee"},
    "hearts scorekeeper (of the host)": {"keeper": member(Role.HOST.user)},
    "hearts start": {},
    "hearts status": {},
    "hearts substitute": _at_table(),
    "hearts substitute (invite)": _at_table(member=member(Role.REMOVED.user)),
    "hearts table": _at_table(),
    "hearts vacation": {"off": True},
    "hearts variants": {},
    "hearts verify": _at_table(),
    "leaderboard": {},
    "preferences": {"zone": "Europe/Berlin"},
    "privacy about": {},
    "privacy delete": {},
    "privacy export": {},
    "settings": {},
    "stats": {},
}
"""Each command with its options; in brackets, which of its uses is meant."""
