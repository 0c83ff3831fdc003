"""A public thread for each table, where the server wants that and Discord allows it.

The thread hangs under a start message in the channel, so the channel shows one line for a table.
Discord gives the thread the id of that message and makes no second one there: with the nonce of
the message, a click that is carried out twice finds the thread of the first time.
"""

import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import aiohttp
import discord

from bot.rules.sentence import Sentence
from bot.table.ids import ChannelId, GuildId, TableId
from bot.table.manager import OpenTable
from bot.table.storing import ServerSettings
from bot.table.views import TableView
from cogs.names import Markup, plain_name, safe_name
from cogs.permissions import CREATE_THREADS, missing_for_threads, named
from cogs.services import Interaction, cause_of, channel_of, services_of
from cogs.words import say

log = logging.getLogger(__name__)

_T = TypeVar("_T")
_NOBODY = discord.AllowedMentions.none()
_LONGEST_THREAD_NAME = 100
_LONGEST_TITLE = 40
_MINUTES_AWAKE: Final = 10_080
"""Without a message so long, a thread is archived: a week, the most that Discord offers."""
_THREAD_THERE = 160004
_TOO_MANY_THREADS = frozenset({160006, 160007})
"""Discord's error codes (docs:developers/topics/opcodes-and-status-codes)."""
_REFUSALS = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError)

_OPENS = Sentence("{host} opens a table: {title}.")
_STANDS = Sentence("{host} opened a table: {title}. It stands in {thread}.")
_NOT_ALLOWED = (
    "This server wants a thread for each table, but I am missing {rights} here, so yours stands "
    "in the channel; somebody who may manage this channel's permissions can allow it to me "
    "(Edit Channel → Permissions)."
)
_TOO_MANY = Sentence(
    "This server wants a thread for each table, but it has as many open threads as Discord "
    "allows, so yours stands in the channel; a moderator can close a few old threads, and the "
    "next table gets its own."
)
_REFUSED = Sentence(
    "This server wants a thread for each table, but Discord opened none just now, so yours stands "
    "in the channel; the next table may get its own."
)


@dataclass(frozen=True, slots=True)
class Site:
    """Where a new table is to stand."""

    channel_id: ChannelId
    start: discord.Message | None = None
    """The message under which its thread hangs; ``None``: it got none."""
    excuse: Sentence | None = None
    """Why it got none although the server wants one."""


@dataclass(frozen=True, slots=True)
class Starting:
    """What the start message and the name of a thread are made of."""

    host: str
    """A display name, raw."""
    title: str
    """Of the rules, raw."""
    nonce: str
    """At most 25 characters; the same each time that the same table is wanted."""

    def thread_name(self) -> str:
        """The name of the thread: Discord reads no markdown there."""
        name = f"{plain_name(self.title, _LONGEST_TITLE)} · {plain_name(self.host)}"
        return name[:_LONGEST_THREAD_NAME]

    def facts(self) -> dict[str, Markup]:
        """For the sentences of the start message."""
        return {"host": safe_name(self.host), "title": safe_name(self.title, _LONGEST_TITLE)}


async def find_site(
    interaction: Interaction,
    settings: ServerSettings,
    wish: OpenTable | TableId,
    starting: Starting,
) -> Site:
    """Where a new table is to stand, or the rematch of the one named.

    It gets a thread if the server wants that and the place is a text channel. No thread is opened
    for a table that could not be opened, or that is there already.

    Raises:
        RulesetError: the rules cannot be played.
        TableError: the table could not be opened.
    """
    channel = interaction.channel
    if not settings.threads or not isinstance(channel, discord.TextChannel):
        return Site(channel_of(interaction))
    if not await services_of(interaction).tables.would_open(cause_of(interaction), wish):
        return Site(channel_of(interaction))
    return await _open_thread(interaction, channel, starting)


async def _open_thread(
    interaction: Interaction, channel: discord.TextChannel, starting: Starting
) -> Site:
    """Open a thread in the channel; where that is refused, stay in the channel."""
    here = ChannelId(channel.id)
    if lacking := missing_for_threads(interaction.app_permissions):
        return Site(here, excuse=Sentence(_NOT_ALLOWED, {"rights": named(lacking)}))
    start = None
    try:
        start = await _once_more(lambda: _say_start(interaction, channel, starting))
        await _once_more(lambda: _hang(start, starting))
    except _REFUSALS as refusal:
        log.info("channel %s: no thread for a table: %s", here, refusal)
        if start is not None:
            await _take_back(interaction, start)
        return Site(here, excuse=_excuse(refusal))
    return Site(ChannelId(start.id), start)


async def settle(
    interaction: Interaction, site: Site, starting: Starting, opening: Awaitable[TableView]
) -> TableView:
    """Wait for the table that *opening* opens at *site*; where none stands then, undo the thread.

    Raises:
        HeartsError: as *opening*.
    """
    try:
        view = await opening
    except Exception:
        await _undo(interaction, site)
        raise
    if view.channel_id == site.channel_id:
        await _tell_where(interaction, site, starting)
    else:
        await _undo(interaction, site)
    return view


async def _say_start(
    interaction: Interaction, channel: discord.TextChannel, starting: Starting
) -> discord.Message:
    return await channel.send(
        say(Sentence(_OPENS.text, starting.facts()), interaction.guild_locale),
        nonce=starting.nonce,
        silent=True,
        allowed_mentions=_NOBODY,
    )


async def _hang(start: discord.Message, starting: Starting) -> None:
    """Open the thread of a start message; that it has one already is as good."""
    try:
        await start.create_thread(name=starting.thread_name(), auto_archive_duration=_MINUTES_AWAKE)
    except discord.HTTPException as error:
        if error.code != _THREAD_THERE:
            raise


async def _tell_where(interaction: Interaction, site: Site, starting: Starting) -> None:
    """Put the link into the start message; Discord shows the thread under it in any case."""
    if site.start is None:
        return
    facts = starting.facts() | {"thread": Markup(f"<#{site.channel_id}>")}
    words = say(Sentence(_STANDS.text, facts), interaction.guild_locale)
    await _quietly(site.start.edit(content=words, allowed_mentions=_NOBODY))


async def _undo(interaction: Interaction, site: Site) -> None:
    """Leave no thread behind in which no table stands."""
    if site.start is None or interaction.guild_id is None:
        return
    rows = await services_of(interaction).events.live_tables_in(GuildId(interaction.guild_id))
    if all(row.channel_id != site.channel_id for row in rows):
        await _take_back(interaction, site.start)


async def _take_back(interaction: Interaction, start: discord.Message) -> None:
    """Delete the thread and its start message.

    A thread may be deleted by those alone who manage threads, and the invitation does not ask for
    that right; whoever opened a thread may close it.
    """
    thread = await _quietly(interaction.client.fetch_channel(start.id))
    if isinstance(thread, discord.Thread):
        try:
            await thread.delete()
        except _REFUSALS:
            await _quietly(thread.edit(archived=True))
    await _quietly(start.delete())


async def _once_more(call: Callable[[], Coroutine[Any, Any, _T]]) -> _T:
    """Make *call*, and again if no answer came: it may have been carried out."""
    try:
        return await call()
    except (aiohttp.ClientError, OSError):
        return await call()


async def _quietly(call: Coroutine[Any, Any, _T]) -> _T | None:
    """Make a call whose failure matters to nobody who waits."""
    try:
        return await call
    except discord.NotFound:
        return None
    except _REFUSALS as refusal:
        log.warning("a call about the thread of a table failed: %s", refusal)
        return None


def _excuse(refusal: Exception) -> Sentence:
    if isinstance(refusal, discord.HTTPException) and refusal.code in _TOO_MANY_THREADS:
        return _TOO_MANY
    if isinstance(refusal, discord.Forbidden):
        return Sentence(_NOT_ALLOWED, {"rights": named((CREATE_THREADS,))})
    return _REFUSED
