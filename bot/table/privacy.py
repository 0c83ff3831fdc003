"""What belongs to people's own data, as the edges reach it."""

from dataclasses import dataclass

from bot.table.departures import Farewells
from bot.table.erasures import Forgetting
from bot.table.exporting import Exporting


@dataclass(frozen=True, slots=True, kw_only=True)
class Contacts:
    """Where people find whoever runs this bot, and what that person promises; all of it public."""

    support: str | None = None
    """One line as the operator wrote it: an address, an invitation."""
    privacy_url: str | None = None
    terms_url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Privacy:
    """One for a bot."""

    exporting: Exporting
    forgetting: Forgetting
    farewells: Farewells
    contacts: Contacts
