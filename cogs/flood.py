"""How fast people may ask (reliability.md 5, Flood): one person, the commands of a place.

What goes beyond is answered here, once with a sentence and then with a nod, and reaches nobody.
Buttons count for their person alone, so a rush of commands never holds up a game.
"""

import logging
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol, cast

import discord

from bot.rules.sentence import Sentence
from bot.table.budget import Pace
from bot.table.ports import Clock
from cogs.errors import UNREACHED, tell
from cogs.services import Interaction

log = logging.getLogger(__name__)

_PERSON = Sentence(
    "That was a lot at once, and I could not follow. Nothing is lost: wait a few seconds, "
    "then go on."
)
_PLACE = Sentence(
    "Many people type commands here at the moment. Buttons work all the same; "
    "wait a few seconds, then try your command again."
)
_TOLD_FOR = timedelta(seconds=30)
"""So long a press that comes too fast gets no second sentence."""
_MOST_REMEMBERED = 20_000
"""Paces in memory, and people who were told. Beyond it the one asked longest ago is forgotten."""
_Key = Hashable


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How fast is too fast."""

    presses: Pace
    """Of a person, forms among them."""
    commands: Pace
    """Of a person."""
    typing: Pace
    """Of a person: letters in an option that completes itself."""
    channel: Pace
    """Of all commands in a channel."""
    server: Pace
    """Of all commands in a server."""


# Two presses a second never end: that is laying down card after card as fast as it goes. Ten
# people, as many as the largest table has, may type a command at once. Nobody's commands alone
# use up what a channel or a server has.
LIMITS = Limits(
    presses=Pace(2, 10),
    commands=Pace(0.5, 5),
    typing=Pace(5, 20),
    channel=Pace(1, 10),
    server=Pace(2, 20),
)


class Paces:
    """Remembers how fast each key goes, no longer than it takes to rest."""

    def __init__(self) -> None:
        self._rested_at: OrderedDict[_Key, datetime] = OrderedDict()
        """When a key would be fully rested again; the one that was asked about last stands last."""

    def __len__(self) -> int:
        return len(self._rested_at)

    def is_too_fast(self, key: _Key, pace: Pace, now: datetime) -> bool:
        """Whether one more now is beyond *pace*."""
        if key in self._rested_at:
            self._rested_at.move_to_end(key)
        debt = (self._rested_at.get(key, now) - now).total_seconds()
        return debt > (pace.burst - 1) / pace.rate

    def count(self, key: _Key, pace: Pace, now: datetime) -> None:
        """Count one more now."""
        rested = max(self._rested_at.get(key, now), now)
        self._rested_at[key] = rested + timedelta(seconds=1 / pace.rate)
        self._rested_at.move_to_end(key)
        self._forget_rested(now)

    def _forget_rested(self, now: datetime) -> None:
        while self._rested_at:
            oldest = next(iter(self._rested_at.values()))
            if oldest > now and len(self._rested_at) <= _MOST_REMEMBERED:
                return
            self._rested_at.popitem(last=False)


class Flood:
    """Stands in the door of presses and of commands. One for a bot; all in memory."""

    def __init__(self, clock: Clock, limits: Limits = LIMITS) -> None:
        self._clock = clock
        self._limits = limits
        self._paces = Paces()
        self._told = Paces()

    def __len__(self) -> int:
        """How much is remembered."""
        return len(self._paces) + len(self._told)

    async def lets_in(self, interaction: Interaction) -> bool:
        """Whether *interaction* may go on; one that may not has its answer then. Never raises."""
        now = self._clock.now()
        asked = list(_asked(interaction, self._limits))
        refused = [key for key, pace in asked if self._paces.is_too_fast(key, pace, now)]
        if not refused:
            for key, pace in asked:
                self._paces.count(key, pace, now)
            return True
        try:
            await self._refuse(interaction, of_person=asked[0][0] in refused)
        except UNREACHED as failure:
            log.info("interaction %s: a refusal was lost: %s", interaction.id, failure)
        return False

    async def _refuse(self, interaction: Interaction, *, of_person: bool) -> None:
        """Discord shows an error for what gets no answer at all, so silence is a nod."""
        response: Any = interaction.response
        if interaction.type is discord.InteractionType.autocomplete:
            await response.autocomplete([])
        elif interaction.type is discord.InteractionType.component and self._knows(interaction):
            await response.defer()
        else:
            log.info("interaction %s refused: too fast", interaction.id)
            await tell(interaction, _PERSON if of_person else _PLACE)

    def _knows(self, interaction: Interaction) -> bool:
        """Whether the person was told a moment ago, and is told now."""
        now, once = self._clock.now(), Pace(1 / _TOLD_FOR.total_seconds(), 1)
        if self._told.is_too_fast(interaction.user.id, once, now):
            return True
        self._told.count(interaction.user.id, once, now)
        return False


class _HasFlood(Protocol):
    flood: Flood


def flood_of(interaction: Interaction) -> Flood:
    """The flood gate of the bot that received *interaction*."""
    return cast(_HasFlood, interaction.client).flood


def _asked(interaction: Interaction, limits: Limits) -> Iterator[tuple[_Key, Pace]]:
    """Whose paces an interaction counts against; its person's comes first."""
    person = interaction.user.id
    match interaction.type:
        case discord.InteractionType.application_command:
            yield ("commands", person), limits.commands
            yield ("channel", interaction.channel_id), limits.channel
            if interaction.guild_id is not None:
                yield ("server", interaction.guild_id), limits.server
        case discord.InteractionType.autocomplete:
            yield ("typing", person), limits.typing
        case _:
            yield ("presses", person), limits.presses
