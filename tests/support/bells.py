"""Who is called by a sound, when, and where: in channels and in direct messages alike."""

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from discord.utils import snowflake_time
from simcord.results import to_discord_message

from bot.table.ids import UserId
from tests.support.discord import World, text_of, walk
from tests.support.wire import Request

EDITABLE = timedelta(minutes=55)
"""Older messages are sent anew: Discord all but refuses to edit them after an hour (30046)."""
TRICK = re.compile(r"Trick \d+ of \d+ · deal \d+")


@dataclass(frozen=True, slots=True)
class Night:
    """The hours in which somebody sleeps, by the clock on their wall; over midnight."""

    zone: str
    begins: time
    ends: time

    def covers(self, at: datetime) -> bool:
        """Whether they sleep at a moment."""
        local = at.astimezone(ZoneInfo(self.zone)).time()
        return local >= self.begins or local < self.ends


@dataclass(frozen=True, slots=True)
class Bell:
    """One message that called somebody."""

    person: UserId
    at: datetime
    direct: bool
    words: str


@dataclass(slots=True)
class Bells:
    """Hears all calls, and each use of a token that has died. To be put among the listeners."""

    world: World
    nights: dict[UserId, Night]
    rung: list[Bell] = field(default_factory=list)
    at_night: list[Bell] = field(default_factory=list)
    """Those that woke somebody."""
    dead_tokens: list[str] = field(default_factory=list)
    """Calls on tokens of interactions that are older than 15 minutes."""

    late_edits: list[str] = field(default_factory=list)
    """Edits by which a message that is older than `EDITABLE` says something new."""
    sent_of_trick: Counter[str] = field(default_factory=Counter)
    """How many messages each trick took."""

    def hear(self, request: Request) -> None:
        """Judge one request in the moment in which it is made."""
        match [request.method, *request.path.strip("/").split("/")]:
            case ["POST", "channels", channel, "messages"]:
                self._hear_message(int(channel), request.body)
            case ["PATCH", "channels", channel, "messages", message]:
                self._hear_edit(int(channel), int(message), request)
            case [_, "webhooks", _, token, *_]:
                self._hear_token(token, request.path)
            case _:
                pass

    def of(self, person: UserId) -> list[Bell]:
        """The calls of one person, in their order."""
        return [bell for bell in self.rung if bell.person == person]

    def _hear_message(self, channel: int, body: dict[str, Any]) -> None:
        if trick := TRICK.search(_said(body)):
            self.sent_of_trick[trick[0]] += 1
        recipients = self.world.env.backend.channels[channel].recipient_ids or []
        mentioned = body["allowed_mentions"].get("users", ())
        for person in (*recipients, *mentioned):
            now, words = self.world.clock.now(), str(body.get("content"))
            bell = Bell(UserId(int(person)), now, person in recipients, words)
            self.rung.append(bell)
            night = self.nights.get(bell.person)
            if night is not None and night.covers(now):
                self.at_night.append(bell)

    def _hear_edit(self, channel: int, message: int, request: Request) -> None:
        """However old a message is, it may lose its buttons, and who is to move."""
        backend, age = self.world.env.backend, self.world.clock.now() - snowflake_time(message)
        before = text_of(to_discord_message(self.world.env, backend.get_message(channel, message)))
        news = set(_said(request.body).splitlines()) - {"", *before.splitlines()}
        if news and age > EDITABLE:
            self.late_edits.append(f"{request.path} after {age}: {news}")

    def _hear_token(self, token: str, path: str) -> None:
        backend = self.world.env.backend
        record = backend.interactions[backend.interaction_tokens[token]]
        if record.expires_at is not None and backend.now_iso() >= record.expires_at:
            self.dead_tokens.append(path)


def _said(body: dict[str, Any]) -> str:
    """All words of a message of components."""
    return "\n".join(part.get("content", "") for part in walk(body.get("components") or []))
