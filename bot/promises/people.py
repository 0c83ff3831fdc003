"""People who press buttons at a steady rate, whether or not the bot keeps up: an open loop."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from bot.promises.crowd import Company, Move, move_of
from bot.promises.ledger import Ledger
from bot.rules.errors import HeartsError
from bot.table.ids import InteractionId, TableId, UserId
from bot.table.manager import TableManager
from bot.table.ports import Clock
from bot.table.storing import Cause
from cogs.looks import looks_of
from cogs.ui.hand import render_hand

_PRESSES = count(1 << 41)
"""Interactions to come: no two of a program are the same, and none is one by which a table was
made."""


@dataclass(frozen=True, slots=True)
class _Press:
    """A button that somebody is about to press."""

    person: UserId
    move: Move


class People:
    """Everybody at some tables; the one that has waited longest is looked at next.

    Args:
        tables: the bot.
        companies: who sits where.
        ledger: where answers are noted.
        clock: when a press happens.
    """

    def __init__(
        self, tables: TableManager, companies: Sequence[Company], ledger: Ledger, clock: Clock
    ) -> None:
        self._tables = tables
        self._companies = {company.table_id: company for company in companies}
        self._ledger = ledger
        self._clock = clock
        self._unanswered: set[TableId] = set()

    async def look(self) -> None:
        """Look at every table once, so that all of them lie in memory."""
        for table_id in self._companies:
            await self._tables.view(table_id)

    async def press(self, rate: float, seconds: float) -> None:
        """Press *rate* buttons a second for so many seconds; returns when all are answered."""
        begun, answers = time.monotonic(), set[asyncio.Task[None]]()
        for number in range(round(rate * seconds)):
            at = begun + number / rate
            press = await self._next()
            await asyncio.sleep(at - time.monotonic())
            if press is not None:
                answers.add(asyncio.create_task(self._answered(press, at)))
            answers -= {answer for answer in answers if answer.done()}
        await asyncio.gather(*answers)

    async def _next(self) -> _Press | None:
        """What somebody is to do at the next table that waits for a person."""
        while (table_id := self._ledger.next_waiting()) is not None:
            if table_id in self._unanswered:
                continue  # it waits anew once the answer is there
            for person in self._people_at(table_id):
                held = await self._tables.hand(table_id, person)
                if (move := move_of(held)) is not None:
                    return _Press(person, move)
        return None

    def _people_at(self, table_id: TableId) -> tuple[UserId, ...]:
        company = self._companies.get(table_id)
        return company.people if company else ()

    async def _answered(self, press: _Press, at: float) -> None:
        """Press; the answer counts from *at*, when it was to be pressed."""
        phase, table_id = self._ledger.phase, press.move.table_id
        self._unanswered.add(table_id)
        number = InteractionId(next(_PRESSES))
        cause = Cause(self._clock.now(), press.person, number, f"person {press.person}")
        try:
            held = await press.move.carry_out(self._tables, cause)
        except HeartsError:
            phase.refused += 1
            return
        finally:
            self._unanswered.discard(table_id)
        looks_of(render_hand(held))
        phase.acks.append(time.monotonic() - at)
