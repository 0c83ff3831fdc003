"""The cards of a hand as buttons or as text, always grouped by suit."""

from math import ceil

import discord

from bot.rules.cards import Card, Hand
from bot.rules.view import SeatView
from bot.table.moments import turn
from bot.table.views import TableView
from cogs.names import Markup
from cogs.ui import ids
from cogs.ui.faces import by_suit, label, suit_line
from cogs.ui.parts import BUTTONS_A_ROW, Button, Part, quiet, rows, text
from cogs.ui.passing import marked
from cogs.words import Voice

_PHONE_ROW = 4


def suit_lines(voice: Voice, cards: Hand) -> list[Markup]:
    """The hand as text, a line a suit: "♠ Spades 2 9 Q"."""
    return [suit_line(voice, suit, group) for suit, group in by_suit(cards)]


def row_width(cards: Hand, room: int) -> int | None:
    """How many cards a row may have if there is a line over each suit.

    A phone shows four side by side and breaks a row of five.

    Args:
        cards: the hand.
        room: how many components may be used.

    Returns:
        ``None`` if no width leaves enough room.
    """
    groups = [len(group) for _, group in by_suit(cards)]
    for width in (_PHONE_ROW, BUTTONS_A_ROW):
        if sum(1 + ceil(size / width) + size for size in groups) <= room:
            return width
    return None


def buttons_by_suit(voice: Voice, table: TableView, hand: SeatView, width: int) -> list[Part]:
    """Each suit by name, and its cards under it in rows of their own, all about as long."""
    parts: list[Part] = []
    for suit, group in by_suit(hand.hand):
        parts.append(text(quiet(suit_line(voice, suit, group))))
        even = ceil(len(group) / ceil(len(group) / width))
        parts += rows([_card(table, hand, card) for card in group], width=even)
    return parts


def packed_buttons(table: TableView, hand: SeatView) -> list[Part]:
    """All cards in as few rows as can be; the suits are told elsewhere, by `suit_lines`."""
    return [*rows([_card(table, hand, card) for _, group in by_suit(hand.hand) for card in group])]


def _card(table: TableView, hand: SeatView, card: Card) -> Button:
    """A card that has just come in is green; the text above names it too.

    Two equal cards have a button each: either of them plays one.
    """
    style = discord.ButtonStyle.secondary
    if card in marked(hand) or card == hand.drawn:
        style = discord.ButtonStyle.success
    return discord.ui.Button(
        label=label(card),
        style=style,
        custom_id=ids.write(ids.PlayCard(table.id, turn(hand.public), card)),
        disabled=hand.choice is None or card not in hand.choice.cards,
    )
