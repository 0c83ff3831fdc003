"""Keeps open hands fresh: the newest private message of each person and table, while it lives."""

import asyncio
import logging
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

import discord

from bot.rules.cards import Card, Hand
from bot.rules.errors import HeartsError
from bot.rules.state import Phase
from bot.table.ids import TableId, UserId
from bot.table.manager import TableManager
from bot.table.ports import Clock
from bot.table.views import HandView
from cogs.answers import Here
from cogs.errors import UNREACHED
from cogs.looks import looks_of
from cogs.services import Interaction
from cogs.ui.hand import render_hand

log = logging.getLogger(__name__)

LIFETIME = timedelta(minutes=14)
"""Discord takes edits for 15 minutes by *its* clock, and counts late ones as invalid requests."""
_PAUSE = 1.0
"""Seconds between two edits of one hand: five answers in two seconds are allowed each."""
_Key = tuple[TableId, UserId]


@dataclass(frozen=True, slots=True, kw_only=True)
class _OpenHand:
    interaction: Interaction
    opened_at: datetime
    version: int
    """Of the table when it was last looked at; while it is the same, nothing happened."""
    looks: str
    """Of what stands there; an equal one needs no edit."""


class OpenHands:
    """In memory only: what is forgotten here is one press on Refresh away."""

    def __init__(self, tables: TableManager, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock
        self._hands: dict[_Key, _OpenHand] = {}
        self._changed: set[TableId] = set()
        self._wake = asyncio.Event()

    def shown(self, interaction: Interaction, view: HandView) -> None:
        """The answer to *interaction* is a private message with this hand."""
        key = (view.table.id, view.user_id)
        self._hands[key] = _OpenHand(
            interaction=interaction,
            opened_at=self._clock.now(),
            version=view.table.version,
            looks=_looks(view),
        )
        # The table may have moved on between the look at it and this answer.
        self.table_changed(view.table.id)

    def redrawn(self, interaction: Interaction, view: HandView) -> Here:
        """The hand in place of the private message that was pressed, kept fresh from then on."""
        shown = partial(self.shown, interaction, view)
        return Here(hand_message(interaction, view), then=shown)

    def covered(self, table_id: TableId, user_id: UserId) -> None:
        """A question stands where the hand was: an edit would take it from under the finger."""
        self._hands.pop((table_id, user_id), None)

    def table_changed(self, table_id: TableId) -> None:
        """Something was stored for a table: its open hands may be old."""
        self._changed.add(table_id)
        self._wake.set()

    async def run(self) -> None:
        """Refresh what changed, at most once a second each, until cancelled."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            await self.flush()
            await self._clock.sleep(_PAUSE)

    async def flush(self) -> None:
        """Refresh all open hands of the tables that changed since the last time."""
        changed, self._changed = self._changed, set()
        self._drop_expired()
        due = [key for key in self._hands if key[0] in changed]
        await asyncio.gather(*(self._refresh(*key) for key in due))

    def _drop_expired(self) -> None:
        oldest = self._clock.now() - LIFETIME
        self._hands = {key: hand for key, hand in self._hands.items() if hand.opened_at > oldest}

    async def _refresh(self, table_id: TableId, user_id: UserId) -> None:
        key = (table_id, user_id)
        hand = self._hands[key]
        try:
            if await self._tables.version(table_id) == hand.version:
                return
            view = await self._tables.hand(table_id, user_id)
            looks = _looks(view)
            if self._hands.get(key) is not hand:
                return
            self._hands[key] = replace(hand, version=view.table.version, looks=looks)
            if looks == hand.looks:
                return
            message = hand_message(hand.interaction, view)
            message.stop()
            await hand.interaction.edit_original_response(
                view=message,
                allowed_mentions=discord.AllowedMentions.none(),
            )
        except (HeartsError, *UNREACHED) as error:
            log.info("an open hand is left as it was: %s", error)
            self._forget(key, hand.interaction)
        except Exception:
            log.exception("an open hand could not be refreshed")
            self._forget(key, hand.interaction)

    def _forget(self, key: _Key, interaction: Interaction) -> None:
        kept = self._hands.get(key)
        if kept is not None and kept.interaction is interaction:
            del self._hands[key]


def hand_message(
    interaction: Interaction,
    view: HandView,
    *,
    picked: Hand = frozenset(),
    choosing: bool = False,
    asking: Card | None = None,
) -> discord.ui.LayoutView:
    """Draw a hand for the person who sees the answer to *interaction*; see `render_hand`."""
    guild = interaction.client.get_guild(view.table.guild_id)
    return render_hand(
        view,
        server=guild.name if guild else None,
        picked=picked,
        choosing=choosing,
        asking=asking,
        locale=interaction.locale,
    )


def _looks(view: HandView) -> str:
    """A hash of all that a person has to see anew when it changes.

    The reason for a refusal stays until something happens. A newer post behind the link is not
    worth an edit. Somebody who still chooses a pass has a menu open, and that others have chosen
    theirs is not worth closing it.
    """
    if view.hand and view.hand.public.phase is Phase.PASSING and not view.hand.given:
        rests = view.table.agreed_pause
        return f"passing {view.hand.public.deal} {view.table.status.value} {rests}"
    table = replace(view.table, newest_message=None)
    return looks_of(render_hand(replace(view, table=table, notice=None)))
