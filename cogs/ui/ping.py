"""The short plain message that calls one person."""

from typing import Any

import discord
from discord import ui

from bot.table.posting import Ping
from cogs.ui import ids
from cogs.words import Voice

_TURN = "It is your turn at the Hearts table."
_CALLS = {
    "pass": "Choose the cards that you pass at the Hearts table.",
    "moon": "The moon was shot at the Hearts table. Choose how it is paid.",
}


def render_ping(ping: Ping, locale: discord.Locale | None = None) -> tuple[str, ui.View]:
    """The text of a call and its one button. Plain, since only plain messages notify well."""
    voice = Voice(locale)
    called = f"<@{ping.user_id}>"
    action: ids.Action
    if ping.kind == "full":
        words = voice("Every seat at your table is taken. Press Start when you are ready.")
        action, label = ids.Start(ping.table_id), voice("Start")
    else:
        words = voice(_CALLS.get(ping.kind, _TURN))
        action, label = ids.OpenHand(ping.table_id), voice("My hand")
    button: ui.Button[Any] = ui.Button(
        label=label, style=discord.ButtonStyle.primary, custom_id=ids.write(action)
    )
    view = ui.View(timeout=None)
    view.add_item(button)
    return f"{called} {words}", view
