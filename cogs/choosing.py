"""Which table is meant: the one named, this channel's, or the only one of the person."""

from collections.abc import Iterable, Sequence
from itertools import islice

from discord import app_commands

from bot.rules.sentence import Sentence
from bot.table.errors import UnknownTableError
from bot.table.ids import GuildId, TableId
from bot.table.lobby import owner
from bot.table.state import LIVE, Status
from bot.table.viewing import bare_line
from bot.table.views import TableLine, TableView
from cogs.errors import BadOptionError
from cogs.services import Interaction, services_of, user_of
from cogs.words import Voice

_MOST_CHOICES = 25
"""Choices an autocomplete may offer; with one more Discord shows none (cases.md B85)."""
_LONGEST_CHOICE = 100
DESCRIPTION = "Which table, if you sit at several; begin to type or pick one"
KNOWN_DESCRIPTION = "Which table, also one that is over; begin to type or pick one"
"""Where one that is over may be meant, too."""

_NONE_OF_YOURS = Sentence(
    "You sit at no table right now. `/hearts start` opens one, and Join on a lobby takes a seat."
)
_NONE_HERE = Sentence(
    "There is no table in this channel, and you sit at none. `/hearts start` opens one."
)
_SEVERAL = Sentence(
    "You sit at several tables. Say which one with the `table` option of this command."
)


async def own_table(interaction: Interaction, wanted: str | None) -> TableId:
    """The table meant by somebody who asks as a player.

    Raises:
        UnknownTableError: *wanted* is none of the person's tables.
        BadOptionError: nothing was named, and none or several could be meant.
    """
    return _meant(interaction, wanted, await _mine(interaction), (), _NONE_OF_YOURS)


async def visible_table(interaction: Interaction, wanted: str | None) -> TableId:
    """The table meant by somebody who may also look on: also any table of this server.

    Raises:
        UnknownTableError: *wanted* is neither of this server nor one of the person's.
        BadOptionError: nothing was named, and none or several could be meant.
    """
    mine = await _mine(interaction)
    return _meant(interaction, wanted, mine, await _others(interaction, mine), _NONE_HERE)


async def known_table(interaction: Interaction, wanted: str | None) -> TableId:
    """The table meant by somebody who may also ask about one that is over.

    Left out, it is what `visible_table` takes for meant, else the one in this channel that was
    opened last; else, unless the person sits at several, the last of this server or of the person.

    Raises:
        UnknownTableError: *wanted* is neither of this server nor one of the person's.
        BadOptionError: nothing was named, and none or several could be meant.
    """
    if wanted is not None:
        typed = TableId(wanted.strip().upper()[:_LONGEST_CHOICE])
        view = await services_of(interaction).tables.view(typed)
        if not _is_known(interaction, view):
            raise UnknownTableError(typed)
        return view.id
    try:
        return await visible_table(interaction, None)
    except BadOptionError as unclear:
        ended = await _ended(interaction)
        here = [line for line in ended if line.channel_id == interaction.channel_id]
        meant = here or ([] if unclear.sentence is _SEVERAL else ended)
        if not meant:
            raise
        return meant[0].id


async def server_table(interaction: Interaction, server: GuildId, wanted: str) -> TableId:
    """The table meant by somebody who manages *server*, where this is asked.

    Raises:
        UnknownTableError: *wanted* is none of its tables.
    """
    return _named(wanted, await services_of(interaction).tables.tables_in(server))


async def look_at(interaction: Interaction, table_id: TableId) -> TableView:
    """The public facts of the table a button names, if this person may know of it.

    Raises:
        UnknownTableError: there is none, or it belongs to another server's people.
    """
    services = services_of(interaction)
    view = await services.tables.view(table_id)
    if view.guild_id == interaction.guild_id:
        return view
    if table_id in {line.id for line in await _mine(interaction)}:
        return view
    raise UnknownTableError(table_id)


async def complete_own(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Offer the person's tables, those first that wait for a move."""
    return choices(interaction, await _mine(interaction), current)


async def complete_visible(
    interaction: Interaction, current: str
) -> list[app_commands.Choice[str]]:
    """Offer the person's tables, then the others of this server."""
    mine = await _mine(interaction)
    return choices(interaction, [*mine, *await _others(interaction, mine)], current)


async def complete_known(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Offer the person's tables and the others of this server, those that are over last."""
    mine = await _mine(interaction)
    lines = [*mine, *await _others(interaction, mine), *await _ended(interaction)]
    return choices(interaction, lines, current)


async def complete_server(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Offer all tables of the server, to those who manage it."""
    if interaction.guild_id is None or not interaction.permissions.manage_guild:
        return []
    lines = await services_of(interaction).tables.tables_in(GuildId(interaction.guild_id))
    return choices(interaction, lines, current)


def choices(
    interaction: Interaction, lines: Sequence[TableLine], current: str
) -> list[app_commands.Choice[str]]:
    """Lines that fit what was typed, as choices."""
    typed = current.strip().casefold()
    named = [(_label(interaction, line), line) for line in lines]
    fitting = [(label, line) for label, line in named if typed in label.casefold()]
    # Sorting is stable: within a rank the store's order, newest first, remains.
    fitting.sort(key=lambda pair: (not pair[0].casefold().startswith(typed), not pair[1].your_turn))
    return offer((label, line.id) for label, line in fitting)


def offer(named: Iterable[tuple[str, str]]) -> list[app_commands.Choice[str]]:
    """Names and values as choices, the first of them, and no longer than Discord takes."""
    return [
        app_commands.Choice(name=name[:_LONGEST_CHOICE], value=value)
        for name, value in islice(named, _MOST_CHOICES)
    ]


async def _mine(interaction: Interaction) -> Sequence[TableLine]:
    return await services_of(interaction).tables.tables_of(user_of(interaction))


async def _others(interaction: Interaction, mine: Sequence[TableLine]) -> Sequence[TableLine]:
    """Tables of this server at which the person does not sit."""
    if interaction.guild_id is None:
        return ()
    own = {line.id for line in mine}
    here = await services_of(interaction).tables.tables_in(GuildId(interaction.guild_id))
    return [line for line in here if line.id not in own]


async def _ended(interaction: Interaction) -> Sequence[TableLine]:
    """Tables that are over, of the person and of this server; the one opened last comes first."""
    server = None if interaction.guild_id is None else GuildId(interaction.guild_id)
    events, person = services_of(interaction).events, user_of(interaction)
    return [bare_line(row) for row in await events.ended_tables(person, server, _MOST_CHOICES)]


def _is_known(interaction: Interaction, view: TableView) -> bool:
    """Whether it is a table of this server, or one at which the person sits or sat at the end."""
    owners = {owner(chair) for chair in view.chairs}
    return view.guild_id == interaction.guild_id or user_of(interaction) in owners


def _meant(
    interaction: Interaction,
    wanted: str | None,
    mine: Sequence[TableLine],
    others: Sequence[TableLine],
    none: Sentence,
) -> TableId:
    if wanted is not None:
        return _named(wanted, [*mine, *others])
    for line in (*mine, *others):
        if line.channel_id == interaction.channel_id:
            return line.id
    if not mine:
        raise BadOptionError(none)
    if len(mine) > 1:
        raise BadOptionError(_SEVERAL)
    return mine[0].id


def _named(wanted: str, lines: Sequence[TableLine]) -> TableId:
    """Typed text is checked as if no choice had been offered: Discord does not check it."""
    typed = wanted.strip().casefold()
    for line in lines:
        if line.id.casefold() == typed:
            return line.id
    raise UnknownTableError(wanted[:_LONGEST_CHOICE])


def _label(interaction: Interaction, line: TableLine) -> str:
    """One line of plain text: Discord shows choices without markdown."""
    voice = Voice(interaction.locale)
    parts = [str(line.id), line.title]
    if line.status is Status.LOBBY:
        parts.append(voice("lobby"))
    elif line.deal:
        parts.append(voice("deal {deal}", deal=line.deal))
    if line.your_turn:
        parts.append(voice("your turn"))
    if line.status not in LIVE:
        parts.append(voice("over"))
    channel = interaction.client.get_channel(line.channel_id)
    if name := getattr(channel, "name", None):
        parts.append(f"#{name}")
    return " · ".join(parts)
