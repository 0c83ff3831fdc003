"""The small parts that all views are made of."""

from collections.abc import Iterable, Sequence
from typing import Any
from zlib import crc32

import discord
from discord import ui

from bot.table.ids import ChannelId, GuildId, MessageId
from bot.table.views import TableView
from cogs.names import Markup
from cogs.ui import ids
from cogs.words import Voice

MOST_COMPONENTS = 40
"""All parts of one message, nested ones included (discord.md 2.2)."""
MOST_CHARACTERS = 4_000
"""Of all running text in one message (discord.md 2.2)."""
BUTTONS_A_ROW = 5
_LARGEST_NUMBER = 2**31 - 1
"""Discord numbers the parts of a message with whole numbers of 32 bits, from 1 on."""
LOBBY = discord.Colour(0xE0314B)
"""Accents: a table that may be joined, …"""
AWAITED = discord.Colour(0xF0B232)
"""… something the reader is waited for, …"""
UNDER_WAY = discord.Colour(0x5865F2)
"""… something that still changes, …"""
SETTLED = discord.Colour(0x4E5058)
"""… and what has come to rest. Words say the same: colour alone tells nothing."""

Button = ui.Button[ui.LayoutView]
Row = ui.ActionRow[ui.LayoutView]
Part = ui.Item[ui.LayoutView]


def panel(colour: discord.Colour, parts: Iterable[Part]) -> ui.LayoutView:
    """A framed message that never times out."""
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.Container(*parts, accent_colour=colour))
    return view


def text(*lines: str) -> ui.TextDisplay[ui.LayoutView]:
    """Lines of one text; empty ones are left out."""
    return ui.TextDisplay("\n".join(line for line in lines if line))


def below(*lines: str) -> list[Part]:
    """A thin line and lines of text under it; nothing at all if they are all empty."""
    return [divider(), text(*lines)] if any(lines) else []


def heading(words: str) -> Markup:
    """The headline of a message."""
    return Markup(f"### {words}")


def bold(words: str) -> Markup:
    return Markup(f"**{words}**")


def quiet(*facts: str) -> Markup:
    """Small print: facts with dots between them; nothing if all are empty."""
    told = " · ".join(filter(None, facts))
    return Markup(f"-# {told}" if told else "")


def divider() -> ui.Separator[ui.LayoutView]:
    """A thin line with air around it."""
    return ui.Separator()


def press(
    action: ids.Action, label: str, *, primary: bool = False, disabled: bool = False
) -> Button:
    """A button; at most one in a view is primary."""
    style = discord.ButtonStyle.primary if primary else discord.ButtonStyle.secondary
    return ui.Button(label=label, style=style, custom_id=ids.write(action), disabled=disabled)


def danger(action: ids.Action, label: str) -> Button:
    """A button for what cannot be taken back."""
    return ui.Button(label=label, style=discord.ButtonStyle.danger, custom_id=ids.write(action))


def rows(buttons: Sequence[Button], *, width: int = BUTTONS_A_ROW) -> list[Row]:
    """Buttons in rows of *width*, five unless said otherwise."""
    return [
        ui.ActionRow(*buttons[start : start + width]) for start in range(0, len(buttons), width)
    ]


def menu(
    action: ids.Action,
    options: list[discord.SelectOption],
    *,
    placeholder: str,
    least: int = 1,
    most: int = 1,
    anew: str = "",
) -> Row:
    """A menu in a row of its own.

    Its number follows from its custom id, so that a client does not offer in the next deal's
    menu what somebody had ticked in this one's. Another text in *anew* makes it another menu to
    the client: it then shows what is marked, and not what somebody chose in vain.
    """
    custom_id = ids.write(action)
    select: ui.Select[Any] = ui.Select(
        custom_id=custom_id,
        id=crc32((custom_id + anew).encode()) % _LARGEST_NUMBER + 1,
        placeholder=placeholder,
        min_values=least,
        max_values=most,
        options=options,
    )
    return ui.ActionRow(select)


def jump(guild: GuildId, channel: ChannelId, message: MessageId | None) -> str:
    """The address of a message, or of its channel when there is no message."""
    place = f"https://discord.com/channels/{guild}/{channel}"
    return place if message is None else f"{place}/{message}"


def link_to(table: TableView) -> str:
    """The address of a table's newest post."""
    return jump(table.guild_id, table.channel_id, table.newest_message)


def code(table: TableView) -> Markup:
    """The table's code as people read it out."""
    return Markup(f"`{table.id}`")


def table_buttons(voice: Voice, table: TableView, *further: Button) -> list[Row]:
    """What a table's newest post offers while a game runs, *further* buttons last."""
    return rows(
        [
            press(ids.OpenHand(table.id), voice("My hand"), primary=True),
            press(ids.ShowScore(table.id), voice("Score")),
            press(ids.ShowRules(table.id), voice("Rules")),
            *further,
        ]
    )
