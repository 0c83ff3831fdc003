"""The short plain message that calls one person, in the channel or in private."""

from typing import Any

import discord
from discord import ui

from bot.table.posting import DESERTED, LOST, NUDGE, PLAINLY, VOTE, Manner, Ping
from bot.table.views import TableView
from cogs.names import Markup, safe_name
from cogs.ui import ids
from cogs.ui.parts import code, link_to
from cogs.ui.times import until
from cogs.words import Voice

_TURN = "It is your turn at the Hearts table."
_FULL = "Every seat at your table is taken. Press Start when you are ready."
_VOTE = "Your Hearts table asks for your vote. It stands in the table's newest post."
_DESERTED = (
    "A robot plays in your seat at the Hearts table, and nobody else is left there, so the game "
    "ends tomorrow. Open your hand and take your seat back if you want to play on."
)
_LOST = (
    "The place where your Hearts table stood is gone, so the game is paused and no time runs. "
    "`/hearts hand` still shows your cards. The host or a moderator lets it go on elsewhere with "
    "`/hearts move`."
)
_CALLS = {
    "pass": "Choose the cards that you pass at the Hearts table.",
    "moon": "The moon was shot at the Hearts table. Choose how it is paid.",
    "full": _FULL,
    DESERTED: _DESERTED,
    LOST: _LOST,
    VOTE: _VOTE,
}
_TIME_LEFT = {
    1: "You have time until {moment}.",
    NUDGE: "You have time until {moment}.",
    2: "Most of your time is over: you have time until {moment}.",
}
_ASKED_AFTER = "Somebody there is looking forward to your move."
_REFUSED = (
    "I could not send you a direct message, so I call you here from now on. `/preferences` "
    "brings you back to direct messages once you allow them."
)


def render_ping(
    ping: Ping, manner: Manner = PLAINLY, locale: discord.Locale | None = None
) -> tuple[str, ui.View]:
    """The text of a call and its one button. Plain, since only plain messages notify well."""
    voice = Voice(locale)
    action: ids.Action
    if ping.kind == "full":
        action, label = ids.Start(ping.table_id), voice("Start")
    else:
        action, label = ids.OpenHand(ping.table_id), voice("My hand")
    button: ui.Button[Any] = ui.Button(
        label=label, style=discord.ButtonStyle.primary, custom_id=ids.write(action)
    )
    refused = voice(_REFUSED) if manner.direct_refused else ""
    return _said(f"<@{ping.user_id}>", *_words(voice, ping, manner), refused), _with(button)


def render_direct(
    ping: Ping,
    table: TableView,
    manner: Manner,
    *,
    server: str | None,
    locale: discord.Locale | None = None,
) -> tuple[str, ui.View]:
    """The same as a direct message. Its button leads to the table, unless its place is gone.

    Args:
        ping: whom it calls, and for what.
        table: where.
        manner: how.
        server: the server's name, raw; ``None``: nobody knows it.
        locale: the server's, as nothing is known of the person's.
    """
    voice = Voice(locale)
    if server is None:
        where = voice("This is about table {code}.", code=code(table))
    else:
        facts = {"code": code(table), "server": safe_name(server)}
        where = voice("This is about table {code} in {server}.", **facts)
    said = _said(*_words(voice, ping, manner), where)
    if ping.kind == LOST:
        return said, ui.View(timeout=None)
    button: ui.Button[Any] = ui.Button(label=voice("Go to the table"), url=link_to(table))
    return said, _with(button)


def _words(voice: Voice, ping: Ping, manner: Manner) -> tuple[Markup, ...]:
    words = voice(_CALLS.get(ping.kind, _TURN))
    asked = voice(_ASKED_AFTER) if ping.reminder == NUDGE else Markup("")
    if manner.deadline is None or ping.reminder not in _TIME_LEFT:
        return words, asked
    return words, asked, voice(_TIME_LEFT[ping.reminder], moment=until(manner.deadline))


def _said(*words: str) -> str:
    return " ".join(filter(None, words))


def _with(button: ui.Button[Any]) -> ui.View:
    view = ui.View(timeout=None)
    view.add_item(button)
    return view
