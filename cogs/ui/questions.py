"""Private questions before something that cannot be taken back."""

import discord
from discord import ui

from bot.rules.dimensions import Minutes, OpenCount
from bot.table.ids import Human, UserId
from bot.table.state import Status
from bot.table.views import TableView
from cogs.ui import ids
from cogs.ui.parts import SETTLED, Button, code, danger, heading, panel, press, quiet, rows, text
from cogs.ui.people import voice_of
from cogs.words import Voice


def leave_question(
    table: TableView, locale: discord.Locale | None = None, *, asker: UserId | None = None
) -> ui.LayoutView:
    """Ask whether somebody really wants to leave; the host may end the game instead."""
    voice = voice_of(table, locale)
    buttons = [danger(ids.ConfirmLeave(table.id), voice("Leave the table"))]
    if asker == table.host:
        buttons.append(press(ids.AskEnd(table.id), voice("End it for everybody")))
    if table.status is Status.LOBBY:
        then = voice("Your seat becomes free for somebody else.")
    else:
        then = voice(
            "A robot will play for you. You can come back as long as the game runs, "
            "unless somebody else takes over your seat."
        )
    return _question(
        voice("Leave this table?"),
        then,
        _about(voice, table),
        buttons,
    )


def end_question(
    table: TableView, locale: discord.Locale | None = None, *, asker: UserId | None = None
) -> ui.LayoutView:
    """Ask whether a table shall really be ended for everybody.

    Where the rules leave the end to the players, the host may call the last deal instead.
    """
    voice = voice_of(table, locale)
    buttons = [danger(ids.ConfirmEnd(table.id), voice("End the table"))]
    if table.status is Status.LOBBY:
        then = voice("The lobby is closed and nobody plays.")
    else:
        then = voice("Nobody can go on, and the game will not count for the leaderboard.")
    deal = callable_deal(table, asker)
    if deal is not None:
        words = "{end} Instead you can call this deal the last: play it to its end, and it counts."
        then = voice(words, end=then)
        buttons.insert(0, press(ids.CallLastDeal(table.id, deal), voice("Call the last deal")))
    return _question(voice("End this table for everybody?"), then, _about(voice, table), buttons)


def callable_deal(table: TableView, asker: UserId | None) -> int | None:
    """The deal that *asker* may call the last; ``None``: there is none."""
    is_open = isinstance(table.ruleset.end, OpenCount)
    return _open_deal(table) if is_open and asker == table.host else None


def votable_deal(table: TableView, asker: UserId) -> int | None:
    """The deal that *asker* may ask the table to make the last; ``None``: there is none."""
    return _open_deal(table) if Human(asker) in table.chairs else None


def _open_deal(table: TableView) -> int | None:
    """The deal under way, if those who play can make it the last by a word of theirs."""
    game = table.game
    if game is None or table.status is not Status.PLAYING or game.last_deal:
        return None
    return game.deal if isinstance(table.ruleset.end, OpenCount | Minutes) else None


def _about(voice: Voice, table: TableView) -> tuple[str, ...]:
    keep = voice("to stay, simply dismiss this message")
    return voice("table {code}", code=code(table)), keep


def _question(
    question: str, consequence: str, about: tuple[str, ...], buttons: list[Button]
) -> ui.LayoutView:
    told = text(heading(question), consequence, quiet(*about))
    return panel(SETTLED, [told, *rows(buttons)])
