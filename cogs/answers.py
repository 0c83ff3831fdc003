"""Answers to interactions: acknowledged in time, private unless meant, given at most once."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any, assert_never

import discord

from bot.rules.errors import HeartsError
from bot.rules.sentence import Sentence
from bot.table.ids import UserId
from cogs.errors import UNREACHED, is_discords, is_too_late, report, tell
from cogs.services import Interaction
from cogs.words import say

log = logging.getLogger(__name__)

PATIENCE = 1.5
"""Seconds of work after which Discord is told to wait; it gives up after three."""
_NOT_PUBLISHED = Sentence("Discord did not take that message. Please try again in a moment.")
_NOBODY = discord.AllowedMentions.none()


@dataclass(frozen=True, slots=True)
class Here:
    """Replace what stands in the message whose button was pressed."""

    view: discord.ui.LayoutView
    then: Callable[[], None] | None = None
    """Called once the answer stands in Discord."""
    public: discord.ui.LayoutView | None = None
    """A new message for everybody in the channel that follows."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """A public sentence that follows a private answer and calls people by name."""

    sentence: Sentence
    people: tuple[UserId, ...]
    """Who is pinged, and nobody else."""


@dataclass(frozen=True, slots=True)
class Private:
    """A new message that only the asking person sees."""

    content: discord.ui.LayoutView | Sentence
    then: Callable[[], None] | None = None
    files: tuple[discord.File, ...] = ()
    """Go with a sentence, or with a view that shows each of them by its name; ten at most."""
    announcement: Announcement | None = None


@dataclass(frozen=True, slots=True)
class Nothing:
    """A nod: what was asked for shows elsewhere."""


@dataclass(frozen=True, slots=True)
class Form:
    """A form that opens over the message that was clicked."""

    modal: discord.ui.Modal


Answer = Here | Private | Nothing | Form


class RestartingError(HeartsError):
    """The process is going down; the next one will answer."""

    sentence = Sentence("I am just restarting. Nothing is lost; press again in a moment.")


class Answers:
    """Runs the work that an interaction asks for and gives its answer. One for a bot."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Answer]] = set()
        self._closed = False

    async def give(
        self,
        interaction: Interaction,
        work: Coroutine[Any, Any, Answer],
        *,
        here: bool = False,
        opens_form: bool = False,
    ) -> None:
        """Answer *interaction* with what *work* returns, or with why it failed. Never raises.

        Work that takes long is announced and waited for, never cancelled: it may be half way
        to the disk.

        Args:
            interaction: not yet acknowledged.
            work: does what was asked and says what to show.
            here: the answer is expected to replace the message that was clicked.
            opens_form: the answer may be a form. Nothing is announced then: Discord opens a
                form only as the very first answer (cases.md B11).
        """
        announce = None if opens_form else partial(_ask_for_patience, interaction, here=here)
        try:
            await self._give(interaction, work, announce)
        except Exception as error:  # noqa: BLE001  the edge: whatever it was becomes words
            await report(interaction, error)

    async def _give(
        self,
        interaction: Interaction,
        work: Coroutine[Any, Any, Answer],
        announce: Callable[[], Awaitable[None]] | None,
    ) -> None:
        if self._closed:
            work.close()
            raise RestartingError
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        done, _ = await asyncio.wait({task}, timeout=PATIENCE)
        if not done and announce:
            await announce()
        await _deliver(interaction, await asyncio.shield(task))

    async def drain(self, seconds: float) -> None:
        """Take nothing new, and wait so long for what is under way."""
        self._closed = True
        if self._running:
            await asyncio.wait(set(self._running), timeout=seconds)


async def _ask_for_patience(interaction: Interaction, *, here: bool) -> None:
    try:
        if here:
            await interaction.response.defer()
        else:
            await interaction.response.defer(ephemeral=True, thinking=True)
    except UNREACHED as error:
        # The answer itself may come through all the same.
        if not (is_too_late(error) or is_discords(error)):
            raise


async def _deliver(interaction: Interaction, answer: Answer) -> None:
    match answer:
        case Here():
            await _replace(interaction, answer)
        case Private():
            await _say(interaction, answer)
            if answer.announcement:
                await _announce(interaction, answer.announcement)
        case Form():
            answer.modal.stop()  # else the library waits for it itself, and loses it in a restart
            await interaction.response.send_modal(answer.modal)
        case Nothing():
            if not interaction.response.is_done():
                await interaction.response.defer()
        case _:
            assert_never(answer)


async def _replace(interaction: Interaction, answer: Here) -> None:
    answer.view.stop()  # else the library keeps it, and a task for its timeout, for ever
    if interaction.response.is_done():
        await interaction.edit_original_response(view=answer.view, allowed_mentions=_NOBODY)
    else:
        await interaction.response.edit_message(view=answer.view, allowed_mentions=_NOBODY)
    if answer.then:
        answer.then()
    if answer.public:
        await _publish(interaction, answer.public)


async def _publish(interaction: Interaction, view: discord.ui.LayoutView) -> None:
    """Say something to everybody; a Discord that does not take it is told of, not repeated."""
    view.stop()
    try:
        await interaction.followup.send(view=view, allowed_mentions=_NOBODY)
    except UNREACHED as failure:
        log.warning("interaction %s: a public message was lost: %s", interaction.id, failure)
        await tell(interaction, _NOT_PUBLISHED)


async def _say(interaction: Interaction, answer: Private) -> None:
    """Give a private message: as the answer, in place of "thinking…", or after the answer."""
    content = _content(interaction, answer)
    files = list(answer.files)
    if not interaction.response.is_done():
        await interaction.response.send_message(ephemeral=True, files=files, **content)
    elif interaction.response.type is discord.InteractionResponseType.deferred_channel_message:
        await interaction.edit_original_response(attachments=files, **content)
    else:
        await interaction.followup.send(ephemeral=True, files=files, **content)
        return  # it is not the original response, so whatever would edit that must not follow
    if answer.then:
        answer.then()


async def _announce(interaction: Interaction, announcement: Announcement) -> None:
    """Say it in the server's language; what it is about has happened, even if this fails."""
    people = [discord.Object(user_id) for user_id in announcement.people]
    try:
        await interaction.followup.send(
            say(announcement.sentence, interaction.guild_locale),
            allowed_mentions=discord.AllowedMentions(everyone=False, roles=False, users=people),
        )
    except UNREACHED as failure:
        log.warning("interaction %s: an announcement was lost: %s", interaction.id, failure)


def _content(interaction: Interaction, answer: Private) -> dict[str, Any]:
    """What the three ways to send have in common."""
    if isinstance(answer.content, Sentence):
        text = say(answer.content, interaction.locale)
        return {"content": text, "allowed_mentions": _NOBODY}
    answer.content.stop()
    return {"view": answer.content, "allowed_mentions": _NOBODY}
