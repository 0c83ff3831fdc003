"""Private questions about seats and the host of a table."""

from collections.abc import Sequence

import discord
from discord import ui

from bot.rules.cards import Seat
from bot.table import lobby
from bot.table.ids import Robot, UserId, is_former
from bot.table.views import TableView
from cogs.names import plain_name
from cogs.ui import seat_ids
from cogs.ui.parts import SETTLED, Button, code, heading, panel, press, quiet, rows, text
from cogs.ui.people import person_name, voice_of
from cogs.words import Voice


def robot_seats(table: TableView) -> tuple[Seat, ...]:
    """The seats that robots play, be it that they keep them for somebody."""
    return tuple(Seat(seat) for seat, chair in enumerate(table.chairs) if isinstance(chair, Robot))


def substitute_question(table: TableView, locale: discord.Locale | None = None) -> ui.LayoutView:
    """Ask which robot's seat somebody wants to take over."""
    voice = voice_of(table, locale)
    buttons = [
        press(seat_ids.Substitute(table.id, seat), _seat_label(voice, table, seat))
        for seat in robot_seats(table)
    ]
    return _question(
        voice,
        table,
        voice("Whose seat do you take over?"),
        [
            voice("You see the hand of that seat alone, and play it to the end of the game."),
            voice("The result is yours: whoever sat there before gets none and cannot come back."),
        ],
        buttons,
    )


def host_question(table: TableView, locale: discord.Locale | None = None) -> ui.LayoutView:
    """Ask who shall be the host."""
    voice = voice_of(table, locale)
    buttons = [
        press(seat_ids.PassHost(table.id, person), label_of(voice, table, person))
        for person in lobby.people(table.chairs)
        if person != table.host
    ]
    then = voice("The host may end the table, and in a lobby sets the rules and adds robots.")
    if not buttons:
        then = voice("Nobody else sits at this table who could be its host.")
    return _question(voice, table, voice("Who shall be the host?"), [then], buttons)


def label_of(voice: Voice, table: TableView, user_id: UserId) -> str:
    """A person's name as a button shows it."""
    if is_former(user_id):
        return person_name(voice, table, user_id)
    name = table.names.get(user_id)
    return voice("somebody") if name is None else plain_name(name)


def _seat_label(voice: Voice, table: TableView, seat: Seat) -> str:
    """Whose seat it is, and how many points it has."""
    owner = lobby.owner(table.chairs[seat])
    name = voice.seat_names[seat] if owner is None else label_of(voice, table, owner)
    if table.game is None:
        return name
    points = voice("{count} point", "{count} points", count=table.game.totals[seat])
    return f"{name} · {points}"


def _question(
    voice: Voice, table: TableView, question: str, lines: Sequence[str], buttons: list[Button]
) -> ui.LayoutView:
    about = quiet(voice("table {code}", code=code(table)), voice("to change nothing, dismiss this"))
    return panel(SETTLED, [text(heading(question), *lines, about), *rows(buttons)])
