"""How the bot is, in words."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

import discord
from discord import ui

from bot.table.vitals import Backlog, BackupState
from cogs.names import Markup
from cogs.permissions import Right, named
from cogs.ui.parts import SETTLED, heading, panel, quiet, text
from cogs.words import Voice


@dataclass(frozen=True, slots=True, kw_only=True)
class Here:
    """What is so in the place where somebody asks."""

    tables: int | None
    """Live tables of the server; ``None``: nobody knows."""
    missing: tuple[Right, ...]
    """Rights that the bot lacks in this channel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """All that is told."""

    now: datetime
    up_since: datetime | None
    latency: float | None
    """Seconds from a heartbeat of the gateway to its answer; ``None``: none has been answered."""
    database: float
    """Seconds that the database took."""
    backlog: Backlog | None
    """``None``: it did not answer."""
    here: Here | None
    """``None``: asked in a private conversation."""
    backups: BackupState | None
    """``None``: not for the eyes of who asks, or the bot makes none."""


def render_status(condition: Condition, locale: discord.Locale | None = None) -> ui.LayoutView:
    """Say how the bot is. What keeps people from playing comes with what to do about it."""
    voice = Voice(locale)
    title = heading(voice("I am here"))
    lines = [
        _up(voice, condition),
        _store(voice, condition),
        *(_place(voice, condition.here) if condition.here else ()),
    ]
    return panel(SETTLED, [text(title, *lines, quiet(_backups(voice, condition.backups)))])


def _up(voice: Voice, condition: Condition) -> Markup:
    since = condition.up_since or condition.now
    moment = Markup(discord.utils.format_dt(since, "R"))
    if condition.latency is None:
        return voice("I started {moment}.", moment=moment)
    return voice(
        "I started {moment}, and Discord answers me within {count} ms.",
        moment=moment,
        count=round(condition.latency * 1000),
    )


def _store(voice: Voice, condition: Condition) -> Markup:
    backlog = condition.backlog
    if backlog is None:
        return voice(
            "My database does not answer, so nobody can play right now. What was played is on "
            "disk; try again in a few minutes, and tell the people who run me if it lasts."
        )
    took = voice("My database answers within {count} ms.", count=round(condition.database * 1000))
    if not backlog.posts_behind or backlog.behind_since is None:
        return Markup(f"{took} {voice('All posts show the newest state.')}")
    behind = voice(
        "{count} post waits to be shown; it should have been {moment}.",
        "{count} posts wait to be shown; the oldest should have been {moment}.",
        count=backlog.posts_behind,
        moment=Markup(discord.utils.format_dt(backlog.behind_since, "R")),
    )
    return Markup(f"{took} {behind}")


def _place(voice: Voice, here: Here) -> Iterator[Markup]:
    if here.tables is not None:
        yield voice(
            "{count} table is open in this server.",
            "{count} tables are open in this server.",
            count=here.tables,
        )
    if here.missing:
        yield voice(
            "In this channel I am missing {rights}. Somebody who may manage its permissions can "
            "allow it to me (Edit Channel → Permissions).",
            rights=named(here.missing),
        )
    else:
        yield voice("In this channel I have all rights that I need.")


def _backups(voice: Voice, backups: BackupState | None) -> Markup:
    if backups is None:
        return Markup("")
    if backups.fault is not None:
        return voice("The latest backup failed; the log of the people who run me says why.")
    if backups.newest is None:
        return voice("There is no backup of my database yet.")
    newest = Markup(discord.utils.format_dt(backups.newest, "R"))
    return voice("The newest backup of my database was made {moment}.", moment=newest)
