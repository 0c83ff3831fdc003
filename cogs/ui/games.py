"""Somebody's tables, wherever they are."""

from collections.abc import Iterator, Mapping, Sequence

import discord
from discord import ui

from bot.rules.view import PublicView
from bot.table.ids import ChannelId, GuildId
from bot.table.state import Status
from bot.table.views import TableLine
from cogs.names import Markup, safe_name
from cogs.ui import ids
from cogs.ui.parties import figure_text, standing
from cogs.ui.parts import (
    AWAITED,
    MOST_CHARACTERS,
    MOST_COMPONENTS,
    SETTLED,
    Part,
    bold,
    heading,
    jump,
    panel,
    press,
    quiet,
    text,
)
from cogs.ui.people import voice_of
from cogs.ui.times import until
from cogs.words import Voice, capital

_IN_SECTION = 3
"""Parts of an entry with a button beside it: the section, its text, the button."""
_ROOM = 200
"""Characters kept for what stands around the entries."""
_FRAME = 4
"""Parts beside those: the panel, the headline, the other entries, how many there are more."""
_GAP = 2
"""Characters between two entries."""


def render_games(
    lines: Sequence[TableLine],
    locale: discord.Locale | None = None,
    *,
    servers: Mapping[GuildId, str] | None = None,
    channels: Mapping[ChannelId, str] | None = None,
) -> ui.LayoutView:
    """List tables with a link to each, those that wait for the reader first.

    Args:
        lines: the reader's.
        locale: the reader's.
        servers: names of servers, raw; one that is not in it is left out.
        channels: names of channels, raw. A client knows those of the server it shows; in another
            one, and in a direct message, a mention may come out as a number.
    """
    voice = Voice(locale)
    title = heading(voice("Your tables"))
    if not lines:
        none = voice("You sit at no table. `/hearts start` opens one.")
        return panel(SETTLED, [text(title, none)])
    ordered = in_order(lines)
    entries = list(_entries(ordered, locale, servers or {}, channels or {}))
    left_out = len(lines) - len(entries)
    more = voice("{count} more table", "{count} more tables", count=left_out)
    parts = [text(title), *_spaced(entries), *([text(quiet(more))] if left_out else [])]
    return panel(AWAITED if ordered[0].your_turn else SETTLED, parts)


def in_order(lines: Sequence[TableLine]) -> list[TableLine]:
    """Those that wait for the reader first, the one whose time is up soonest before all.

    Then those in which a robot keeps the reader's seat; within a rank the order stays.
    """
    latest = max((line.deadline for line in lines if line.deadline), default=None)
    return sorted(
        lines,
        key=lambda line: (
            not line.your_turn,
            line.deadline is None,
            line.deadline or latest,
            not line.robot_sits_in,
        ),
    )


def _spaced(entries: Sequence[Part]) -> Iterator[Part]:
    """Entries without a button as one text, an empty line between each two."""
    plain = [entry.content for entry in entries if isinstance(entry, ui.TextDisplay)]
    yield from (entry for entry in entries if not isinstance(entry, ui.TextDisplay))
    if plain:
        yield ui.TextDisplay("\n\n".join(plain))


def _entries(
    lines: Sequence[TableLine],
    locale: discord.Locale | None,
    servers: Mapping[GuildId, str],
    channels: Mapping[ChannelId, str],
) -> Iterator[Part]:
    """As many as fit into one message: what waits has its button, as long as there is room."""
    parts, characters = MOST_COMPONENTS - _FRAME, MOST_CHARACTERS - _ROOM
    for place, line in enumerate(lines):
        voice = voice_of(line, locale)
        told = text(*_entry(voice, line, servers, channels))
        characters -= len(told.content) + _GAP
        if characters < 0:
            return
        has_button = _asks(line) and parts >= _IN_SECTION
        parts -= _IN_SECTION if has_button else 0
        yield _with_hand(voice, line, told, primary=place == 0) if has_button else told


def _asks(line: TableLine) -> bool:
    """Whether the reader has something to do there."""
    return line.your_turn or (line.robot_sits_in and line.status is Status.PLAYING)


def _with_hand(
    voice: Voice, line: TableLine, told: ui.TextDisplay[ui.LayoutView], *, primary: bool
) -> Part:
    button = press(ids.OpenHand(line.id), voice("My hand"), primary=primary)
    return ui.Section(told, accessory=button)


def _entry(
    voice: Voice,
    line: TableLine,
    servers: Mapping[GuildId, str],
    channels: Mapping[ChannelId, str],
) -> list[str]:
    link = jump(line.guild_id, line.channel_id, line.newest_message)
    name = voice("{title}, table {code}", title=line.title, code=Markup(line.id))
    server = servers.get(line.guild_id)
    channel = channels.get(line.channel_id)
    where = safe_name(server) if server else ""
    there = f"#{safe_name(channel)}" if channel else f"<#{line.channel_id}>"
    return [
        f"[{name}]({link})",
        _state(voice, line),
        quiet(where, there, *_deal(voice, line), _own(voice, line)),
    ]


def _state(voice: Voice, line: TableLine) -> Markup:
    """What the table waits for, the reader's own move above all."""
    if line.status is Status.LOBBY:
        return _lobby(voice, line)
    if line.status is Status.PAUSED:
        return voice("paused, I cannot post there")
    if line.agreed_pause:
        return voice("paused, as everybody there agreed")
    if line.your_turn:
        return _your_turn(voice, line)
    if line.robot_sits_in:
        return voice("A robot plays in your seat, and you may take it back.")
    waiting = line.game.waiting if line.game else ()
    return voice("Waiting for {seats}", seats=waiting) if waiting else Markup("")


def _lobby(voice: Voice, line: TableLine) -> Markup:
    free = line.chairs.count(None)
    if free:
        return voice("{count} seat is free", "{count} seats are free", count=free)
    return voice("All seats are taken: Start begins the game.")


def _your_turn(voice: Voice, line: TableLine) -> Markup:
    turn = bold(voice("It is your turn."))
    if line.deadline is None:
        return turn
    return Markup(f"{turn} {voice('Time until {moment}.', moment=until(line.deadline))}")


def _deal(voice: Voice, line: TableLine) -> list[Markup]:
    if not line.deal:
        return []
    deal = capital(voice("deal {number}", number=line.deal))
    game = line.game
    if game is None or game.trick is None:
        return [deal]
    number, of_all = len(game.tricks) + 1, game.ruleset.tricks(game.seats)
    return [deal, voice("trick {number} of {all}", number=number, all=of_all)]


def _own(voice: Voice, line: TableLine) -> Markup:
    """The reader's total and place, once a deal is over."""
    game = line.game
    if game is None or line.seat is None or not game.scores:
        return Markup("")
    return _placed(voice, game, line.seat)


def _placed(voice: Voice, game: PublicView, seat: int) -> Markup:
    parties = standing(game)
    own = next(party for party in parties if seat in party.seats)
    place = 1 + next(n for n, party in enumerate(parties) if party.figure == own.figure)
    return voice(
        "you: {figure}, place {place} of {all}",
        figure=figure_text(voice, own.figure),
        place=place,
        all=len(parties),
    )
