"""The lobby: who sits where, the rules at a glance, and the buttons to sit down."""

from datetime import timedelta

import discord
from discord import ui

from bot.rules import describe
from bot.rules.sentence import Sentence
from bot.rules.sides import has_partners, is_pooled, sides
from bot.table.banks import full
from bot.table.clocks import MoveClock
from bot.table.ids import ChannelId, Human, Robot
from bot.table.lengths import in_words
from bot.table.posting import LobbyPost
from bot.table.state import Status
from bot.table.timers import IDLE_LOBBY
from bot.table.views import TableView
from cogs.names import Markup
from cogs.ui import ids, rule_ids
from cogs.ui.faces import HEART
from cogs.ui.fair import cut_button, cutters, first_seal
from cogs.ui.levels import LEVELS
from cogs.ui.parts import (
    LOBBY,
    SETTLED,
    Part,
    Row,
    code,
    divider,
    heading,
    menu,
    panel,
    press,
    quiet,
    rows,
    text,
)
from cogs.ui.people import absent, person_name, seat_line, voice_of
from cogs.ui.times import pace
from cogs.words import Voice, capital


def render_lobby(post: LobbyPost, locale: discord.Locale | None = None) -> ui.LayoutView:
    """Draw a lobby, open or past."""
    table = post.table
    voice = voice_of(table, locale)
    parts: list[Part] = [
        text(heading(f"{HEART} {_headline(voice, table)}"), _facts(voice, table)),
        divider(),
        text(*_seats(voice, table), first_seal(voice, table), *_cutters(voice, table)),
    ]
    if table.status is Status.CLOSED and table.game is None:
        parts.append(text(_how_to_begin_again(voice)))
    if post.live:
        parts += [divider(), text(*_glance(voice, table)), *_buttons(voice, table)]
        parts += _robot_menu(voice, table)
    return panel(LOBBY if post.live else SETTLED, parts)


def render_opened(
    table: TableView,
    locale: discord.Locale | None = None,
    *,
    thread: ChannelId | None = None,
    excuse: Sentence | None = None,
) -> ui.LayoutView:
    """Tell the host of a new table what comes next.

    Args:
        table: the new table.
        locale: of the host.
        thread: the thread of its own in which it stands.
        excuse: why it has none although the server wants one.
    """
    voice = Voice(locale)
    if thread is None:
        words = voice(
            "Your table **{code}** is open. Its lobby stands in this channel in a moment: wait "
            "for friends, add robots, then press Start.",
            code=table.id,
        )
    else:
        words = voice(
            "Your table **{code}** is open in {thread}. Its lobby stands there in a moment: wait "
            "for friends, add robots, then press Start.",
            code=table.id,
            thread=Markup(f"<#{thread}>"),
        )
    rules = voice(
        "You play {title}. Until the start you can change the rules.", title=table.ruleset.title
    )
    buttons = [
        press(rule_ids.Customise(table.id), voice("Customise")),
        press(ids.ShowRules(table.id), voice("Rules")),
    ]
    told = text(words, voice.say(excuse) if excuse else "", quiet(rules))
    return panel(LOBBY, [told, *rows(buttons)])


def _headline(voice: Voice, table: TableView) -> Markup:
    free = table.chairs.count(None)
    match table.status:
        case Status.LOBBY if free:
            return voice(
                "A table of Hearts: {count} seat is free",
                "A table of Hearts: {count} seats are free",
                count=free,
            )
        case Status.LOBBY:
            return voice("A table of Hearts: everybody is here")
        case Status.CLOSED if table.game is None:
            return voice("This table was closed before a game began")
        case _:
            return voice("The game has begun")


def _how_to_begin_again(voice: Voice) -> Markup:
    words = voice(
        "`/hearts start` opens a new one. A lobby that nobody touches for {hours} hours "
        "closes by itself.",
        hours=IDLE_LOBBY // timedelta(hours=1),
    )
    return quiet(words)


def _reserve(voice: Voice, clock: MoveClock) -> list[Markup]:
    """What a move may take beyond its time, lest a deadline looks twice as far as was agreed."""
    bank = full(clock)
    return [voice("{bank} in each bank", bank=in_words(bank))] if bank else []


def _facts(voice: Voice, table: TableView) -> Markup:
    return quiet(
        voice("{title}", title=table.ruleset.title),
        voice("{count} seat", "{count} seats", count=table.seats),
        pace(voice, table.clock),
        *_reserve(voice, table.clock),
        voice("table {code}", code=code(table)),
    )


def _seats(voice: Voice, table: TableView) -> list[str]:
    lines = [
        " + ".join(f"`{seat + 1}` {seat_line(voice, table, seat)}" for seat in side)
        for side in sides(table.ruleset, table.seats)
    ]
    if has_partners(table.ruleset, table.seats):
        lines.append(_partners(voice, table))
    if table.status is Status.LOBBY:
        lines += map(quiet, absent(voice, table))
    sitting = {chair.user_id for chair in table.chairs if isinstance(chair, Human)}
    awaited = [person_name(voice, table, each) for each in table.invited if each not in sitting]
    if awaited and table.status is Status.LOBBY:
        lines.append(quiet(voice("Free seats are kept for {people}.", people=awaited)))
    return lines


def _cutters(voice: Voice, table: TableView) -> list[str]:
    return [cutters(voice, table)] if table.status is Status.LOBBY else []


def _partners(voice: Voice, table: TableView) -> Markup:
    if is_pooled(table.ruleset, table.seats):
        return quiet(voice("Partners stand in one line. They share one total."))
    return quiet(voice("Partners stand in one line. The sum of their totals counts."))


def _glance(voice: Voice, table: TableView) -> list[str]:
    facts = describe.at_a_glance(table.ruleset, table.seats)
    told: list[str] = [quiet(voice.say(fact)) for fact in facts]
    if table.claims_itself:
        told.append(quiet(voice("A deal ends by itself once nothing can change its score.")))
    return told


def _buttons(voice: Voice, table: TableView) -> list[Row]:
    """Join leads while there is room, Start once there is none."""
    room = None in table.chairs
    robots = any(isinstance(chair, Robot) for chair in table.chairs)
    return [
        *rows(
            [
                press(ids.Join(table.id), voice("Join"), primary=room, disabled=not room),
                press(ids.Start(table.id), voice("Start"), primary=not room),
                press(ids.LeaveLobby(table.id), voice("Leave")),
            ]
        ),
        *rows(
            [
                press(ids.AddRobot(table.id), voice("Add robot"), disabled=not room),
                press(ids.RemoveRobot(table.id), voice("Remove robot"), disabled=not robots),
                press(ids.ShowRules(table.id), voice("Rules")),
                press(rule_ids.Customise(table.id), voice("Customise")),
                *cut_button(voice, table),
            ]
        ),
    ]


def _robot_menu(voice: Voice, table: TableView) -> list[Row]:
    """Robots to choose from, as long as there is a chair for one."""
    if None not in table.chairs:
        return []
    options = [
        discord.SelectOption(
            label=capital(voice.say(level.title)), value=name, description=voice.say(level.manner)
        )
        for name, level in LEVELS.items()
    ]
    row = menu(
        ids.ChooseRobot(table.id),
        options,
        placeholder=voice("Choose a robot to add"),
        anew=str(table.chairs.count(None)),
    )
    return [row]
