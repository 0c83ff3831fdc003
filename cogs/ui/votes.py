"""What stands at the foot of a table's newest post: votes, a pause, and the buttons."""

from collections.abc import Set as AbstractSet
from typing import assert_never

import discord
from discord import ui

from bot.rules.cards import Seat
from bot.rules.claims import Certainty, Claim
from bot.table import votes
from bot.table.ballots import ChangeClock, EndDeal, Kick, LastDeal, OpenVote, Pause, TableSubject
from bot.table.clocks import clock_words
from bot.table.ids import Human, UserId
from bot.table.views import HandView, TableView
from cogs.names import Markup
from cogs.ui import vote_ids
from cogs.ui.parts import (
    SETTLED,
    Button,
    Part,
    Row,
    bold,
    code,
    divider,
    heading,
    panel,
    press,
    quiet,
    rows,
    table_buttons,
    text,
)
from cogs.ui.people import voice_of
from cogs.words import Voice


def table_foot(voice: Voice, table: TableView, *further: Button) -> list[Part]:
    """The foot of the newest post while a game runs, with *further* buttons behind the usual."""
    parts: list[Part] = []
    if table.agreed_pause:
        parts += [text(*pause_lines(voice)), *go_on(voice, table)]
    parts += _claim(voice, table)
    for vote in table.votes:
        parts += [divider(), *_vote(voice, table, vote)]
    return [*parts, *table_buttons(voice, table, *further)]


def pause_lines(voice: Voice) -> list[Markup]:
    """That the table is paused, and how it goes on."""
    return [
        bold(voice("This table is paused, as everybody at it wanted.")),
        voice("No time runs, and nobody can play before somebody at the table presses Go on."),
    ]


def go_on(voice: Voice, table: TableView) -> list[Row]:
    """The button that ends a pause."""
    return rows([press(vote_ids.EndPause(table.id), voice("Go on"))])


def pause_panel(table: TableView, locale: discord.Locale | None = None) -> ui.LayoutView:
    """What somebody sees who asks for a pause in one."""
    voice = voice_of(table, locale)
    lines = [*pause_lines(voice), quiet(voice("table {code}", code=code(table)))]
    return panel(SETTLED, [text(*lines), *go_on(voice, table)])


def last_deal_panel(
    table: TableView, deal: int, locale: discord.Locale | None = None
) -> ui.LayoutView:
    """Offer somebody who cannot end the table to ask for its last deal."""
    voice = voice_of(table, locale)
    lines = [
        heading(voice("Shall this deal be the last?")),
        voice("Only the host can end the game at once. You can ask everybody at the table."),
        quiet(voice("table {code}", code=code(table))),
    ]
    ask = press(vote_ids.AskLastDeal(table.id, deal), voice("Ask the table"))
    return panel(SETTLED, [text(*lines), *rows([ask])])


def _claim(voice: Voice, table: TableView) -> list[Part]:
    """That the rest of the deal is certain, and the button that ends it, until it is asked."""
    if table.claim is None or table.game is None or _is_asked(table):
        return []
    return [
        text(*_may_end(voice, table.claim)),
        *rows([press(vote_ids.EndDeal(table.id, table.game.deal), voice("End this deal"))]),
    ]


def certain_lines(voice: Voice, view: HandView) -> list[Markup]:
    """What somebody can know to be certain, who may end the deal by it."""
    return _may_end(voice, view.claim) if view.claim and not _is_asked(view.table) else []


def end_button(voice: Voice, view: HandView) -> list[Button]:
    """The button in a hand by which a deal is ended."""
    game = view.table.game
    if view.claim is None or game is None or _is_asked(view.table):
        return []
    return [press(vote_ids.EndDeal(view.table.id, game.deal), voice("End this deal"))]


def _is_asked(table: TableView) -> bool:
    return any(isinstance(vote.subject, EndDeal) for vote in table.votes)


def _may_end(voice: Voice, claim: Claim) -> list[Markup]:
    return [
        _why_certain(voice, claim),
        quiet(voice("You may end it here, if everybody who plays agrees.")),
    ]


def _why_certain(voice: Voice, claim: Claim) -> Markup:
    match claim.why:
        case Certainty.NOTHING_LEFT:
            return voice("Nothing is left in this deal that counts.")
        case Certainty.ONE_TAKES_ALL:
            return voice("You take all that is left of this deal.")
        case _:
            assert_never(claim.why)


def _vote(voice: Voice, table: TableView, vote: OpenVote) -> list[Part]:
    """One vote: the question, how it stands, and two buttons."""
    needed = votes.votes_needed(vote.subject, table.chairs)
    standing = voice(
        "{count} vote is needed",
        "{count} votes are needed",
        count=needed,
    )
    told = text(
        Markup(f"🗳️ {bold(_question(voice, vote.subject))}"),
        quiet(
            standing,
            _named(voice, table, "for it: {seats}", vote.in_favour),
            _named(voice, table, "against it: {seats}", vote.against),
        ),
    )
    buttons = [
        press(vote_ids.CastVote(table.id, vote.number, is_for=True), voice("Agree")),
        press(vote_ids.CastVote(table.id, vote.number, is_for=False), voice("Vote against it")),
    ]
    return [told, *rows(buttons)]


def _question(voice: Voice, subject: TableSubject) -> Markup:
    match subject:
        case Pause():
            return voice("Pause this table until somebody wants to go on?")
        case ChangeClock(_, clock):
            return voice("Change the clock to {clock}?", clock=clock_words(clock))
        case Kick(seat):
            return voice("Give the seat of {seat} to a robot?", seat=seat)
        case LastDeal():
            return voice("Make this deal the last?")
        case EndDeal():
            return voice("End this deal? What is left of it is certain, whatever is played.")
        case _:
            assert_never(subject)


def _named(voice: Voice, table: TableView, words: str, people: AbstractSet[UserId]) -> str:
    seats = tuple(
        Seat(seat)
        for seat, chair in enumerate(table.chairs)
        if isinstance(chair, Human) and chair.user_id in people
    )
    return voice(words, seats=seats) if seats else ""
