"""Composition of what looks after people's data: what they may ask for, and what is deleted."""

from dataclasses import dataclass, field
from datetime import timedelta

from bot.settings import Settings
from bot.table.caretaker import Caretaker
from bot.table.departures import Farewells
from bot.table.erasures import Forgetting
from bot.table.exporting import Exporting
from bot.table.manager import TableManager
from bot.table.ports import Clock, EventStore, Seeds
from bot.table.privacy import Contacts, Privacy
from bot.table.retention import Kept
from cogs.client import HeartsBot
from cogs.presence import DiscordPresence
from db.departures import SqlDepartures
from db.engine import Database
from db.erasures import SqlErasures
from db.exports import SqlExports
from db.retention import SqlArchive


@dataclass(frozen=True, slots=True)
class Care:
    """What the operator decided about people's data."""

    contacts: Contacts = field(default_factory=Contacts)
    kept: Kept = field(default_factory=Kept)


def care_of(settings: Settings) -> Care:
    """Read it from the settings."""
    days = settings.retention_days
    return Care(
        Contacts(
            support=settings.support_contact,
            privacy_url=settings.privacy_url,
            terms_url=settings.terms_url,
        ),
        Kept(None if days is None else timedelta(days=days)),
    )


def build_privacy(
    database: Database,
    tables: TableManager,
    events: EventStore,
    *,
    clock: Clock,
    seeds: Seeds,
    care: Care,
) -> Privacy:
    """Put together what the edges ask."""
    return Privacy(
        exporting=Exporting(SqlExports(database), events, clock),
        forgetting=Forgetting(SqlErasures(database), tables.servers, clock, seeds),
        farewells=Farewells(SqlDepartures(database), tables.servers, clock),
        contacts=care.contacts,
    )


def build_caretaker(database: Database, bot: HeartsBot, care: Care) -> Caretaker:
    """Put together the loop that deletes what is due."""
    services = bot.services
    return Caretaker(
        forgetting=services.privacy.forgetting,
        farewells=services.privacy.farewells,
        presence=DiscordPresence(bot, services.reach),
        archive=SqlArchive(database),
        kept=care.kept,
        settings=services.settings,
        clock=services.clock,
    )
