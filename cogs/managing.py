"""Who may change a server's settings, and changes that do not lose each other."""

from collections.abc import Callable
from datetime import datetime, timedelta

from bot.rules.errors import HeartsError
from bot.rules.sentence import Sentence
from bot.table.ids import GuildId, UserId
from bot.table.locks import KeyedLocks
from bot.table.storing import ServerSettings
from cogs.errors import server_of
from cogs.services import Interaction, services_of, user_of

ONLY_SERVERS = Sentence("Settings belong to a server: use this command there.")
_PANEL_LIFE = timedelta(minutes=15)


class NotManagerError(HeartsError):
    """Somebody without the right pressed on the panel."""

    sentence = Sentence("Only people who may manage this server can change these settings.")


class Managing:
    """The settings of servers, for people who may manage them. One for a bot."""

    def __init__(self) -> None:
        self._locks = KeyedLocks()
        self._let_in: dict[tuple[GuildId, UserId], datetime] = {}
        """People without Manage Server to whom the server's own Integrations settings gave the
        command: Discord let their command through, but says nothing when they press."""

    def let_in(self, interaction: Interaction) -> None:
        """Remember that Discord let somebody use the command."""
        if not interaction.permissions.manage_guild:
            who = server_of(interaction, ONLY_SERVERS), user_of(interaction)
            self._let_in[who] = services_of(interaction).clock.now()

    def may(self, interaction: Interaction) -> bool:
        """Whether the person may change the settings of the server."""
        now = services_of(interaction).clock.now()
        self._let_in = {who: at for who, at in self._let_in.items() if now - at < _PANEL_LIFE}
        if interaction.guild_id is None:
            return False
        who = server_of(interaction, ONLY_SERVERS), user_of(interaction)
        return interaction.permissions.manage_guild or who in self._let_in

    async def look(self, interaction: Interaction) -> ServerSettings:
        """The settings as they are stored.

        Raises:
            NotHereError: this is no server.
            NotManagerError: the person may not change them.
        """
        server = server_of(interaction, ONLY_SERVERS)
        if not self.may(interaction):
            raise NotManagerError
        return await services_of(interaction).settings.server(server)

    async def change(
        self, interaction: Interaction, change: Callable[[ServerSettings], ServerSettings]
    ) -> ServerSettings:
        """Store what *change* makes of the settings; two people who press wait for each other.

        Raises:
            HeartsError: as `look`, or as *change*; then nothing was stored.
        """
        server = server_of(interaction, ONLY_SERVERS)
        async with self._locks.holding(("settings", server)):
            after = change(await self.look(interaction))
            await services_of(interaction).settings.save_server(server, after)
        return after
