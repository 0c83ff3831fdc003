"""Calls people in the way that each of them chose, and never while they want their quiet."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Protocol, TypeVar

from bot.table import planning
from bot.table.away import disturbable_from
from bot.table.errors import DirectRefusedError, NotSeatedError, PosterBusyError
from bot.table.ids import Human, TableId, UserId
from bot.table.persons import Persons
from bot.table.plans import longest_delay
from bot.table.ports import Clock, Poster, Work
from bot.table.posting import Manner, Ping, Sent
from bot.table.shards import LeaseLostError, working_under
from bot.table.storing import Outgoing, PersonSettings, Reminders
from bot.table.views import HandView, TableView

_T = TypeVar("_T")
_A_LITTLE = timedelta(minutes=1)
"""What is left to a card that is about to fall, before its person is called all the same."""
_GIVES_WAY = timedelta(seconds=3)
"""How long after quiet hours or a vacation a call comes that they put off: a reminder that waited
for the same moment takes its place by then, and nobody is called twice at once."""


class Viewed(Protocol):
    """Where the public facts of a table come from."""

    async def view(self, table_id: TableId) -> TableView:
        """What everybody may know of a table."""
        ...

    async def hand(self, table_id: TableId, user_id: UserId) -> HandView:
        """What one seated person may know of a table.

        Raises:
            NotSeatedError: the person has no seat.
        """
        ...


class Calling:
    """Sends calls and reminders, and remembers whose direct messages come back."""

    def __init__(
        self, work: Work, tables: Viewed, persons: Persons, poster: Poster, clock: Clock
    ) -> None:
        self._work = work
        self._tables = tables
        self._persons = persons
        self._poster = poster
        self._clock = clock

    async def carry_out(self, outgoing: Outgoing, ping: Ping) -> None:
        """Send a call, put it off until it is welcome, or drop it.

        Raises:
            LeaseLostError: another process does this work now.
            PostingError: Discord did not take it.
        """
        person = await self._persons.settings(ping.user_id)
        if person.reminders is Reminders.OFF:
            await self._work.done(outgoing.id)
            return
        table = await self._tables.view(ping.table_id)
        now = self._clock.now()
        away = await self._persons.away(table.guild_id, ping.user_id)
        welcome = disturbable_from(now, away)
        if welcome > now:
            welcome += _GIVES_WAY
        elif _is_direct(person) and await self._is_planned(ping):
            welcome = now + longest_delay(table.clock) + _A_LITTLE
        if welcome > now:
            await self._work.put_off(outgoing.id, welcome)
            return
        sent = await self._send(outgoing, ping, table, person)
        try:
            await self._work.ping_sent(outgoing.id, sent.channel_id, sent.message_id)
        except LeaseLostError:
            with working_under(None):
                await self._work.called_late(outgoing, sent)
            raise

    async def _is_planned(self, ping: Ping) -> bool:
        """Whether the person has planned the card for which they are called.

        Asked for calls that nobody else sees alone: one that is missed in the channel would tell.
        """
        try:
            hand = await self._tables.hand(ping.table_id, ping.user_id)
        except NotSeatedError:
            return False
        return planning.about_to_fall(hand) is not None

    async def _send(
        self, outgoing: Outgoing, ping: Ping, table: TableView, person: PersonSettings
    ) -> Sent:
        manner = Manner(
            silent=person.reminders is Reminders.SILENT,
            deadline=_deadline(table, ping) if ping.reminder else None,
        )
        if _is_direct(person):
            try:
                return await _surely(
                    lambda: self._poster.send_direct(ping, table, outgoing.nonce, manner)
                )
            except DirectRefusedError:
                await self._persons.change(
                    ping.user_id, lambda before: replace(before, direct_refused=True)
                )
                manner = replace(manner, direct_refused=True)
        channel_id = outgoing.channel_id
        message_id = await _surely(
            lambda: self._poster.send_ping(channel_id, ping, outgoing.nonce, manner)
        )
        return Sent(channel_id, message_id)


def _is_direct(person: PersonSettings) -> bool:
    return person.reminders is Reminders.DIRECT and not person.direct_refused


def _deadline(table: TableView, ping: Ping) -> datetime | None:
    called = Human(ping.user_id)
    due = (at for seat, at in table.deadlines.items() if table.chairs[seat] == called)
    return next(due, None)


async def _surely(send: Callable[[], Awaitable[_T]]) -> _T:
    """Send a call; where the answer is lost, ask for it at once.

    Later the turn may have passed, and a call that nobody wants any more is not sent again: one
    of which we know no id would stand there for ever.
    """
    try:
        return await send()
    except PosterBusyError as busy:
        if not busy.sent_unknown:
            raise
    return await send()
