"""What the bot lacks in a channel, named one by one, found before a table is opened there."""

from collections.abc import Callable
from dataclasses import dataclass

import discord

from bot.rules.errors import HeartsError
from bot.rules.sentence import Sentence
from cogs.names import Markup
from cogs.services import Interaction


@dataclass(frozen=True, slots=True)
class Right:
    """One permission, by the name it has in Discord's own channel settings."""

    name: str
    has: Callable[[discord.Permissions], bool]


VIEW = Right("View Channel", lambda granted: granted.view_channel)
SEND = Right("Send Messages", lambda granted: granted.send_messages)
SEND_IN_THREADS = Right(
    "Send Messages in Threads", lambda granted: granted.send_messages_in_threads
)

CREATE_THREADS = Right("Create Public Threads", lambda granted: granted.create_public_threads)

READ_BACK = Right("Read Message History", lambda granted: granted.read_message_history)

INVITE = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    read_message_history=True,
)
"""What the invitation asks for. Threads are made only where a server wants one for each table.
Reading the history is only for finding again a post whose sending Discord did not confirm; without
it such a post may stand there twice."""


class MissingRightsError(HeartsError):
    """The bot may not post in a channel where a table is wanted."""

    def __init__(self, channel_id: int, rights: tuple[Right, ...]) -> None:
        self.rights = rights
        self.sentence = Sentence(
            "I can't run a table in {channel}: I am missing {rights} there. Somebody who may "
            "manage that channel's permissions can allow it to me (Edit Channel → Permissions); "
            "then try again.",
            {"channel": Markup(f"<#{channel_id}>"), "rights": named(rights)},
        )
        super().__init__(f"channel {channel_id}: {', '.join(right.name for right in rights)}")


def missing_rights(granted: discord.Permissions, *, in_thread: bool) -> tuple[Right, ...]:
    """Name what a table needs and the bot lacks. *granted* are its effective permissions.

    In a thread, Send Messages has no effect and another right stands for it (cases.md C5 33).
    """
    needed = (VIEW, SEND_IN_THREADS if in_thread else SEND)
    return tuple(right for right in needed if not right.has(granted))


def missing_for_threads(granted: discord.Permissions) -> tuple[Right, ...]:
    """Name what a thread of its own for a table needs and the bot lacks in the channel."""
    return tuple(right for right in (CREATE_THREADS, SEND_IN_THREADS) if not right.has(granted))


def named(rights: tuple[Right, ...]) -> Markup:
    """Rights as they are read out."""
    return Markup(", ".join(f"**{right.name}**" for right in rights))


def demand_rights(interaction: Interaction) -> None:
    """Make sure that a table can be run where *interaction* happened.

    Discord computes the permissions in its payload from roles and the channel's overrides, so
    no cache is asked.

    Raises:
        MissingRightsError: the bot could not post there.
    """
    channel = interaction.channel
    in_thread = isinstance(channel, discord.Thread)
    if lacking := missing_rights(interaction.app_permissions, in_thread=in_thread):
        raise MissingRightsError(interaction.channel_id or 0, lacking)
