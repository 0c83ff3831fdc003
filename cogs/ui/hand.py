"""One person's hand, for that person's eyes alone."""

from typing import assert_never

import discord
from discord import ui

from bot.rules.cards import Card, Hand
from bot.rules.ruleset import MoonPayoff
from bot.rules.state import Phase
from bot.rules.view import SeatView
from bot.table.state import LIVE, Status
from bot.table.views import HandView, TableView
from cogs.names import Markup
from cogs.ui import ids
from cogs.ui.hand_cards import buttons_by_suit, fits_by_suit, packed_buttons, suit_lines
from cogs.ui.hand_text import foot, head, passing_status, playing_status
from cogs.ui.parts import (
    AWAITED,
    MOST_COMPONENTS,
    SETTLED,
    UNDER_WAY,
    Button,
    Part,
    Row,
    bold,
    panel,
    press,
    rows,
    text,
)
from cogs.ui.passing import passing_parts
from cogs.ui.people import voice_of
from cogs.ui.result import places_lines, winners
from cogs.words import Voice


def render_hand(
    view: HandView,
    *,
    server: str | None = None,
    picked: Hand = frozenset(),
    choosing: bool = False,
    asking: Card | None = None,
    locale: discord.Locale | None = None,
) -> ui.LayoutView:
    """Draw a hand in any phase of a table.

    Args:
        view: what its owner may know.
        server: the server's name, raw.
        picked: cards chosen in the menu of the passing and not yet confirmed.
        choosing: the owner wants to change a pass that is chosen already.
        asking: the card to ask about once more before it is played.
        locale: the owner's.
    """
    voice = voice_of(view.table, locale)
    top = head(voice, view, server)
    hand = view.hand
    if hand is None or view.table.status not in LIVE:
        body: list[Part] = [text(*top, *_without_cards(voice, view))]
    elif view.robot_sits_in:
        body = [text(*top, *_kept_seat(voice, hand)), _take_back(voice, view.table)]
    elif asking is not None and asking in hand.hand:
        told = text(*top, *_question(voice, hand, asking))
        return panel(AWAITED, [told, _answers(voice, view.table, hand, asking)])
    elif hand.public.phase is Phase.PASSING:
        body = _passing(voice, view, hand, top, picked=picked, choosing=choosing)
    else:
        body = _after_passing(voice, view, hand, top)
    return panel(_accent(view), [*body, *_actions(voice, view)])


def _passing(
    voice: Voice,
    view: HandView,
    hand: SeatView,
    top: list[Markup],
    *,
    picked: Hand,
    choosing: bool,
) -> list[Part]:
    status = passing_status(voice, view.table, hand, choosing=choosing)
    chosen = passing_parts(voice, view.table, hand, picked=picked, choosing=choosing)
    return [text(*top, *status), text(*suit_lines(voice, hand.hand)), *chosen]


def _after_passing(voice: Voice, view: HandView, hand: SeatView, top: list[Markup]) -> list[Part]:
    match hand.public.phase:
        case Phase.PLAYING:
            return _cards(voice, view, hand, top)
        case Phase.MOON_CHOICE:
            words = text(*top, *_moon_words(voice, hand))
            return [words, *_moon_buttons(voice, view.table, hand)]
        case Phase.DEALING | Phase.PASSING:
            return [text(*top, voice("The next deal begins in a moment."))]
        case Phase.OVER:
            return [text(*top, *_without_cards(voice, view))]
        case _:
            assert_never(hand.public.phase)


def _cards(voice: Voice, view: HandView, hand: SeatView, top: list[Markup]) -> list[Part]:
    """The hand in play, by suit if that leaves room for all the rest, else packed."""
    status = playing_status(voice, view.table, hand)
    around = 1 + 1 + 1 + sum(1 + len(row.children) for row in _actions(voice, view))
    if fits_by_suit(hand.hand, MOST_COMPONENTS - around):
        cards = buttons_by_suit(voice, view.table, hand)
        return [text(*top, *status), *cards, text(*foot(voice, hand))]
    told = [*top, *status, *suit_lines(voice, hand.hand), *foot(voice, hand)]
    return [text(*told), *packed_buttons(view.table, hand)]


def _without_cards(voice: Voice, view: HandView) -> list[Markup]:
    """A lobby, or what has come of the game."""
    table = view.table
    if table.status is Status.LOBBY:
        return [
            voice("You sit on seat {number}.", number=view.seat + 1),
            voice("Your cards come here when the game has started."),
        ]
    game = table.game
    if table.status is Status.OVER and game is not None and game.places:
        lines = places_lines(voice, game.places, game.totals)
        return [bold(f"🏆 {winners(voice, game.places)}"), *lines]
    return [bold(voice("This table is closed."))]


def _kept_seat(voice: Voice, hand: SeatView) -> list[Markup]:
    return [
        bold(voice("A robot plays in your seat. You can take it back now.")),
        *suit_lines(voice, hand.hand),
        *foot(voice, hand),
    ]


def _take_back(voice: Voice, table: TableView) -> Row:
    return ui.ActionRow(press(ids.TakeSeatBack(table.id), voice("Take my seat back"), primary=True))


def _question(voice: Voice, hand: SeatView, card: Card) -> list[Markup]:
    return [bold(voice("Play the {card}?", card=card)), *suit_lines(voice, hand.hand)]


def _answers(voice: Voice, table: TableView, hand: SeatView, card: Card) -> Row:
    sure = ids.ConfirmCard(table.id, hand.public.trick_number, card)
    return ui.ActionRow(
        press(sure, voice("Play it"), primary=True),
        press(ids.RefreshHand(table.id), voice("Another card")),
    )


def _moon_words(voice: Voice, hand: SeatView) -> list[Markup]:
    if hand.seat in hand.public.waiting:
        return [
            bold(voice("You shot the moon.")),
            voice("Choose how it is paid: the others take the points, or your total loses them."),
        ]
    return [voice("{seats} shot the moon and chooses how it is paid.", seats=hand.public.waiting)]


def _moon_buttons(voice: Voice, table: TableView, hand: SeatView) -> list[Row]:
    if hand.seat not in hand.public.waiting:
        return []
    deal = hand.public.deal
    others = ids.SettleMoon(table.id, deal, MoonPayoff.ADD_OTHERS)
    own = ids.SettleMoon(table.id, deal, MoonPayoff.SUBTRACT_SELF)
    return rows(
        [
            press(others, voice("Points for all others")),
            press(own, voice("Points off my total")),
        ]
    )


def _actions(voice: Voice, view: HandView) -> list[Row]:
    table = view.table
    refresh = press(ids.RefreshHand(table.id), voice("Refresh"))
    score = press(ids.ShowScore(table.id), voice("Score"))
    rules = press(ids.ShowRules(table.id), voice("Rules"))
    if table.status is Status.LOBBY:
        return rows([refresh, rules, press(ids.LeaveLobby(table.id), voice("Leave"))])
    if table.status not in LIVE:
        rematch = press(ids.Rematch(table.id), voice("Rematch"), primary=True)
        return rows([rematch, score, press(ids.Record(table.id), voice("Game record"))])
    if view.robot_sits_in:
        return rows([refresh, score, rules])
    leave = press(ids.AskLeave(table.id), voice("Leave"))
    return rows([refresh, score, rules, _confirm_switch(voice, view), leave])


def _confirm_switch(voice: Voice, view: HandView) -> Button:
    """Says how it is, and switches to the other."""
    on = view.confirm_cards
    words = voice("Ask before playing: on") if on else voice("Ask before playing: off")
    return press(ids.ToggleConfirm(view.table.id, on=not on), words)


def _accent(view: HandView) -> discord.Colour:
    hand = view.hand
    if hand is None or view.table.status not in LIVE:
        return SETTLED
    awaited = hand.seat in hand.public.waiting and not hand.given
    return AWAITED if awaited or hand.choice is not None else UNDER_WAY
