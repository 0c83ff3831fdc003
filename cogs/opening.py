"""What `/hearts start` and a challenge ask for, checked before anything is stored."""

from collections.abc import Awaitable, Iterator, Sequence
from dataclasses import dataclass, replace

import discord
from discord import app_commands

from bot.rules import families, variants
from bot.rules.ruleset import Ruleset
from bot.rules.sentence import Sentence
from bot.table import house
from bot.table.clocks import CLOCK_IDS, move_clock
from bot.table.errors import ChannelBusyError
from bot.table.ids import GuildId, TableId, UserId, rematch_id
from bot.table.manager import OpenTable
from bot.table.seating import STAND_IN_LEVEL
from bot.table.storing import CLAIM_BY_ITSELF, HouseRules, ServerSettings
from bot.table.views import TableView
from cogs.answers import Announcement, Private
from cogs.choosing import offer
from cogs.errors import BadOptionError, NotHereError, server_of
from cogs.inputs import one_of
from cogs.names import Markup, plain_name, safe_name
from cogs.permissions import demand_rights
from cogs.services import Interaction, cause_of, channel_of, services_of, user_of
from cogs.threads import Site, Starting, find_site, settle
from cogs.ui.lobby import render_opened
from cogs.ui.parts import link_to

_HOUSE = "house:"
"""Stands before the id of house rules where a variant is chosen."""
_ONLY_SERVERS = Sentence(
    "A table stands in a channel of a server, so that your friends find it. Use this command there."
)
_BOT_INVITED = Sentence(
    "{name} is a bot and can't sit down. To play against robots, use the `robots` option."
)
_NO_MEMBER = Sentence(
    "{name} is no member of this server, so nobody would take the seat. Leave that name out."
)
_NO_ROBOTS = Sentence(
    "`level` is for robots that sit down at once. Say with `robots` how many, or leave `level` out "
    "and choose each robot in the lobby."
)
_UNKNOWN_VARIANT = Sentence("I know no variant “{typed}”. `/hearts variants` lists those I know.")
_LOST_RULES = Sentence(
    "Nobody knows the rules of {title}, only the title, so I do not deal it. "
    "`/hearts variants` lists what I deal."
)
_WRONG_SEATS = Sentence("{title} can be played with {players} seats, not with {number}.")
_CHANNEL_CLOSED = Sentence(
    "Tables may not be opened in this channel. This server allows them in {channels}."
)
_CHANNEL_BUSY = Sentence(
    "This channel already has a table: {link} Join that one, end it with `/hearts end`, "
    "or start yours in another channel or thread."
)
_INVITATION = Sentence(
    "{guests}: {host} invites you to a game of Hearts. Take your seat with Join on the lobby."
)
_INVITATION_THERE = Sentence(
    "{guests}: {host} invites you to a game of Hearts. Take your seat with Join on the lobby in "
    "{thread}."
)
_REMATCH = Sentence(
    "You sit at the rematch. Its lobby stands at the end of {place} in a moment, and a seat is "
    "kept there for everybody who played."
)
_REMATCH_HERE = Sentence("{rematch} {excuse}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """The options of `/hearts start` as they were given; ``None``: left out."""

    variant: str | None = None
    seats: int | None = None
    clock: str | None = None
    robots: int = 0
    level: str | None = None
    """Of those robots; left out, they are steady."""
    guests: tuple[discord.User | discord.Member, ...] = ()
    """Users who are no members of the server are refused."""


async def open_table(interaction: Interaction, wish: Wish) -> Private:
    """Open a table where *interaction* happened, or in a thread there if the server wants that.

    Raises:
        NotHereError: there can be no table in this place, the server wants none there, or there
            is one already.
        MissingRightsError: the bot could not post in the channel.
        BadOptionError: an option names nothing, or the options contradict each other.
        TableError: the person or the server has as many tables as allowed.
    """
    guild_id = server_of(interaction, _ONLY_SERVERS)
    settings = await services_of(interaction).settings.server(guild_id)
    demand_open_channel(interaction, settings)
    demand_rights(interaction)
    guests = _guests(interaction, wish.guests)
    ruleset = chosen_ruleset(settings, wish.variant)
    await _remember_names(interaction, guild_id, guests)
    table = OpenTable(
        guild_id=guild_id,
        channel_id=channel_of(interaction),
        ruleset=ruleset,
        seats=_seats(ruleset, wish, len(guests)),
        clock=move_clock(one_of([wish.clock or settings.clock], CLOCK_IDS)),
        robots=_robots(wish),
        invited=tuple(UserId(guest.id) for guest in guests),
        claims_itself=settings.claims == CLAIM_BY_ITSELF,
    )
    view, excuse = await _open(interaction, settings, table)
    return _opened(interaction, view, guests, excuse)


async def open_rematch(interaction: Interaction, table_id: TableId) -> Private:
    """Open the rematch of a table, or sit down in it; a new one stands as any other table does.

    Raises:
        NotHereError: there is another table where it would stand.
        MissingRightsError: the bot could not post there.
        TableError: there can be no rematch, or not for this person.
    """
    demand_rights(interaction)
    services, cause = services_of(interaction), cause_of(interaction)
    before = await services.tables.view(table_id)
    starting = Starting(
        host=interaction.user.display_name,
        title=before.ruleset.title,
        nonce=f"again.{rematch_id(table_id)}",
    )
    site = Site(before.channel_id)
    if before.channel_id == interaction.channel_id:
        settings = await services.settings.server(before.guild_id)
        site = await find_site(interaction, settings, table_id, starting)
    opening = services.tables.rematch(cause, table_id, site.channel_id)
    view = await settle(interaction, site, starting, opened_here(interaction, opening))
    said = Sentence(_REMATCH.text, {"place": Markup(f"<#{view.channel_id}>")})
    if site.excuse is None:
        return Private(said)
    return Private(Sentence(_REMATCH_HERE.text, {"rematch": said, "excuse": site.excuse}))


async def _open(
    interaction: Interaction, settings: ServerSettings, wish: OpenTable
) -> tuple[TableView, Sentence | None]:
    """The new table, and why it got no thread although the server wants one."""
    starting = Starting(
        host=interaction.user.display_name,
        title=wish.ruleset.title,
        nonce=f"start.{interaction.id}",
    )
    site = await find_site(interaction, settings, wish, starting)
    wish = replace(wish, channel_id=site.channel_id)
    opening = services_of(interaction).tables.open(cause_of(interaction), wish)
    view = await settle(interaction, site, starting, opened_here(interaction, opening))
    return view, site.excuse


async def opened_here(interaction: Interaction, opening: Awaitable[TableView]) -> TableView:
    """The table that *opening* opens; where another stands in the way, say where that is.

    Raises:
        NotHereError: the channel has a table.
        TableError: as *opening*.
    """
    try:
        return await opening
    except ChannelBusyError as busy:
        first = await services_of(interaction).tables.view(busy.table_id)
        link = Markup(link_to(first))
        raise NotHereError(Sentence(_CHANNEL_BUSY.text, {"link": link})) from busy


def chosen_ruleset(settings: ServerSettings, variant: str | None) -> Ruleset:
    """The rules of the house rules or the variant named, or those the server prefers.

    Raises:
        BadOptionError: there is no such variant.
        RulesetError: the house rules cannot be played any more.
        UnknownHouseRulesError: the menu offered house rules that somebody has deleted since.
    """
    if variant is None:
        return house.usual_rules(settings)
    if variant.startswith(_HOUSE):
        return house.ruleset_of(house.find(settings, variant.removeprefix(_HOUSE)))
    if variant in variants.names():
        # What the menu sends for a preset; house rules may have had that name before it came.
        return variants.load(variant)
    if own := house.called(settings, variant):
        return house.ruleset_of(own)
    if preset := families.find(variant):
        return variants.load(preset)
    raise BadOptionError(_unknown(variant))


def _unknown(typed: str) -> Sentence:
    """That there are no such rules: here, or anywhere."""
    for title in families.UNKNOWN_TITLES:
        if title.casefold() == typed.strip().casefold():
            return Sentence(_LOST_RULES.text, {"title": title})
    return Sentence(_UNKNOWN_VARIANT.text, {"typed": typed[:40]})


async def complete_variant(
    interaction: Interaction, current: str
) -> list[app_commands.Choice[str]]:
    """Offer the server's house rules, then variants by title or alias.

    Among each, those come first that begin with what was typed.
    """
    settings = await server_settings(interaction)
    names = [
        *(_own_names(each) for each in settings.house_rules),
        *(
            (preset, families.names_of(preset))
            for family in families.families()
            for preset in family.presets
        ),
    ]
    typed = current.strip().casefold()
    fitting = [(value, name) for value, known in names for name in _fitting(known, typed)]
    usual = f"{_HOUSE}{settings.default_house}"
    fitting.sort(
        key=lambda pair: (
            not pair[0].startswith(_HOUSE),
            pair[0] != usual,
            not pair[1].casefold().startswith(typed),
        )
    )
    return offer((name, value) for value, name in fitting)


async def server_settings(interaction: Interaction) -> ServerSettings:
    """What the server decided; in a private conversation what holds where nobody decides."""
    if interaction.guild_id is None:
        return ServerSettings()
    return await services_of(interaction).settings.server(GuildId(interaction.guild_id))


def demand_open_channel(interaction: Interaction, settings: ServerSettings) -> None:
    """Make sure that the server wants tables here; a thread is open if its channel is.

    Raises:
        NotHereError: it does not.
    """
    channel = interaction.channel
    parent = channel.parent_id if isinstance(channel, discord.Thread) else None
    if settings.channels and not {interaction.channel_id, parent} & set(settings.channels):
        named = tuple(Markup(f"<#{channel_id}>") for channel_id in settings.channels)
        raise NotHereError(Sentence(_CHANNEL_CLOSED.text, {"channels": named}))


def _own_names(own: HouseRules) -> tuple[str, tuple[str, ...]]:
    return f"{_HOUSE}{own.id}", (plain_name(own.name, house.LONGEST_NAME),)


def _fitting(known: tuple[str, ...], typed: str) -> Iterator[str]:
    """The title, with the alias behind it by which it was found; nothing if no name fits."""
    title, *others = known
    if typed in title.casefold():
        yield title
        return
    for name in others:
        if typed in name.casefold():
            yield f"{title} ({name})"
            return


def _guests(
    interaction: Interaction, named: Sequence[discord.User | discord.Member]
) -> tuple[discord.Member, ...]:
    """Each person once, without whoever asks."""
    others = {guest.id: _guest(guest) for guest in named if guest.id != user_of(interaction)}
    return tuple(others.values())


def _guest(named: discord.User | discord.Member) -> discord.Member:
    """The member to keep a seat for; the option also takes users who have left the server."""
    name = {"name": safe_name(named.display_name)}
    if named.bot:
        raise BadOptionError(Sentence(_BOT_INVITED.text, name))
    if not isinstance(named, discord.Member):
        raise BadOptionError(Sentence(_NO_MEMBER.text, name))
    return named


def _robots(wish: Wish) -> tuple[str, ...]:
    """The levels of the robots that were asked for."""
    if wish.level is not None and not wish.robots:
        raise BadOptionError(_NO_ROBOTS)
    return (wish.level or STAND_IN_LEVEL,) * wish.robots


def _seats(ruleset: Ruleset, wish: Wish, guests: int) -> int:
    """As many seats as were asked for; else the usual number, or room for everybody named."""
    seats = wish.seats or max(ruleset.default_players, 1 + guests + wish.robots)
    demand_seats(ruleset, seats)
    return seats


def demand_seats(ruleset: Ruleset, seats: int) -> None:
    """Make sure that so many seats can play by these rules.

    Raises:
        BadOptionError: they cannot.
    """
    if seats not in ruleset.players:
        facts = {"title": ruleset.title, "players": tuple(ruleset.players), "number": seats}
        raise BadOptionError(Sentence(_WRONG_SEATS.text, facts))


async def _remember_names(
    interaction: Interaction, guild_id: GuildId, guests: Sequence[discord.Member]
) -> None:
    """Guests did not act yet, so nothing else would know what to call them."""
    settings = services_of(interaction).settings
    for guest in guests:
        await settings.remember_name(guild_id, UserId(guest.id), guest.display_name)


def _opened(
    interaction: Interaction,
    view: TableView,
    guests: Sequence[discord.Member],
    excuse: Sentence | None,
) -> Private:
    thread = view.channel_id if view.channel_id != interaction.channel_id else None
    answer = render_opened(view, interaction.locale, thread=thread, excuse=excuse)
    if not guests:
        return Private(answer)
    called = tuple(Markup(f"<@{guest.id}>") for guest in guests)
    facts = {"guests": called, "host": safe_name(interaction.user.display_name)}
    invitation = Sentence(_INVITATION.text, facts)
    if thread is not None:
        facts |= {"thread": Markup(f"<#{thread}>")}
        invitation = Sentence(_INVITATION_THERE.text, facts)
    people = tuple(UserId(guest.id) for guest in guests)
    return Private(answer, announcement=Announcement(invitation, people))
