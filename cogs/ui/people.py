"""Who sits where, in words."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Protocol, assert_never

import discord

from bot.rules.cards import Seat
from bot.table.ids import Human, Occupant, Robot, UserId, is_former
from bot.table.lobby import owner
from bot.table.timers import ABANDONED
from bot.table.views import Absent, TableView
from cogs.names import Markup, safe_name
from cogs.ui.levels import title_of
from cogs.ui.times import day, until
from cogs.words import A_FORMER_PLAYER, Voice


class Company(Protocol):
    """People and robots at a table, and what the people are called."""

    @property
    def chairs(self) -> tuple[Occupant | None, ...]:
        """By seat."""

    @property
    def names(self) -> Mapping[UserId, str]:
        """Last seen display names, raw."""


def voice_of(table: Company, locale: discord.Locale | None) -> Voice:
    """A voice that knows everybody at *table* by name."""
    voice = Voice(locale)
    names = tuple(
        _seat_name(voice, table, Seat(seat), chair) for seat, chair in enumerate(table.chairs)
    )
    return Voice(locale, names)


def person_name(voice: Voice, table: Company, user_id: UserId) -> Markup:
    """The last seen name of a person, harmless; "somebody" if none was ever seen.

    Somebody who is forgotten is a former player, whom the number of the own seat tells apart.
    """
    if is_former(user_id):
        return _former_name(voice, table, user_id)
    name = table.names.get(user_id)
    return voice("somebody") if name is None else safe_name(name)


def _former_name(voice: Voice, table: Company, user_id: UserId) -> Markup:
    """As robots are called, since nothing else is known of somebody who is forgotten."""
    for seat, chair in enumerate(table.chairs):
        if owner(chair) == user_id:
            return voice("former player {number}", number=seat + 1)
    return voice(A_FORMER_PLAYER)


def seat_line(voice: Voice, table: TableView, seat: Seat) -> Markup:
    """Who sits on *seat*, with what a lobby has to say about it."""
    chair = table.chairs[seat]
    name = voice.seat_names[seat]
    match chair:
        case Human(user_id):
            return voice("**{name}** · host", name=name) if user_id == table.host else _bold(name)
        case Robot(level, None):
            return Markup(f"{_bold(name)} · {voice.say(title_of(level))}")
        case Robot():
            return _bold(name)
        case None:
            return voice("*free*")
        case _:
            assert_never(chair)


def missing(voice: Voice, table: TableView) -> list[Markup]:
    """Whose seats robots keep, and whose clocks stand still, a sentence for each."""
    return [*_keepers(voice, table), *absent(voice, table)]


def _keepers(voice: Voice, table: TableView) -> list[Markup]:
    """One sentence for each seat that a robot keeps for somebody; and what if all are kept."""
    kept = [
        voice(
            "A robot plays for {name}, who may take the seat back at any time.",
            name=person_name(voice, table, chair.keeps_for),
        )
        for chair in table.chairs
        if isinstance(chair, Robot) and chair.keeps_for is not None
    ]
    if not kept or any(isinstance(chair, Human) for chair in table.chairs):
        return kept
    waits = voice(
        "Nobody is left but robots, so the game waits. "
        "It goes on when somebody takes a seat back; after {hours} hours it ends.",
        hours=ABANDONED // timedelta(hours=1),
    )
    return [*kept, waits]


def absent(voice: Voice, table: TableView) -> list[Markup]:
    """One sentence for each person whose clock stands still, or soon will."""
    return [_is_away(voice, person_name(voice, table, each.user_id), each) for each in table.away]


def _is_away(voice: Voice, name: Markup, absent_one: Absent) -> Markup:
    last = until(absent_one.ends)
    if absent_one.begins is None:
        return voice("{name} is away until {last}.", name=name, last=last)
    first = day(absent_one.begins)
    return voice("{name} is away from {first} until {last}.", name=name, first=first, last=last)


def _seat_name(voice: Voice, table: Company, seat: Seat, chair: Occupant | None) -> Markup:
    match chair:
        case Human(user_id):
            return person_name(voice, table, user_id)
        case Robot(_, None):
            return voice("Robot {number}", number=seat + 1)
        case Robot(_, keeps_for):
            name = person_name(voice, table, keeps_for) if keeps_for else voice("somebody")
            return voice("{name} (robot)", name=name)
        case None:
            return voice("seat {number}", number=seat + 1)
        case _:
            assert_never(chair)


def _bold(name: str) -> Markup:
    return Markup(f"**{name}**")
