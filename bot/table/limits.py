"""How many tables at once: for one person, and in one server."""

from bot.rules.sentence import Sentence
from bot.table import lobby
from bot.table.errors import TooManyTablesError
from bot.table.ids import GuildId, UserId
from bot.table.ports import EventStore
from bot.table.sessions import Sessions

TABLES_A_PERSON = 10
TABLES_A_SERVER = 50


class Limits:
    """Refuses what would be too much. Whoever asks holds the lock of the person or server."""

    def __init__(self, store: EventStore, sessions: Sessions) -> None:
        self._store = store
        self._sessions = sessions

    async def check_person(self, user_id: UserId) -> None:
        """See that a person may sit at one more table.

        Tables that the person left to a robot do not count.

        Raises:
            TooManyTablesError: the person sits at as many as allowed.
        """
        rows = await self._store.tables_of(user_id)
        if len(rows) < TABLES_A_PERSON:
            return
        sits = 0
        for row in rows:
            session = await self._sessions.find(row.table_id)
            table = (await session.believe()).table
            sits += user_id in lobby.people(table.chairs)
        if sits >= TABLES_A_PERSON:
            raise TooManyTablesError(
                Sentence(
                    "You sit at {count} tables already. Finish or leave one of them first; "
                    "`/hearts games` lists them.",
                    {"count": sits},
                )
            )

    async def check_server(self, guild_id: GuildId) -> None:
        """See that a server may have one more table.

        Raises:
            TooManyTablesError: it has as many as allowed.
        """
        count = len(await self._store.live_tables_in(guild_id))
        if count >= TABLES_A_SERVER:
            raise TooManyTablesError(
                Sentence(
                    "This server has {count} tables already. Wait for one to end, "
                    "or ask a moderator to end one with `/hearts end`.",
                    {"count": count},
                )
            )
