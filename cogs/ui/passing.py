"""The part of a hand in which cards are chosen and passed on."""

from collections import Counter

import discord

from bot.rules.cards import Card, Hand, Seat, sorted_cards
from bot.rules.dimensions import Hold, PassStep
from bot.rules.passing import pass_count, receivers, shares
from bot.rules.state import Phase
from bot.rules.view import SeatView
from bot.table.views import TableView
from cogs.names import Markup
from cogs.ui import ids
from cogs.ui.faces import label
from cogs.ui.parts import Row, bold, menu, press, quiet, rows
from cogs.words import Voice, capital


def passing_headline(voice: Voice, hand: SeatView, *, picked: Hand, choosing: bool) -> Markup:
    """What to choose and for whom, or how far the choice has come."""
    takers = receivers(_step(hand), hand.seat, hand.public.seats)
    if picked:
        return voice("Pass these cards to {seats}?", seats=takers)
    if hand.given and not choosing:
        return voice("Your pass is chosen")
    count = pass_count(_step(hand), hand.public.seats)
    return voice(
        "Choose {count} card for {seats}",
        "Choose {count} cards for {seats}",
        count=count,
        seats=takers,
    )


def passing_lines(voice: Voice, hand: SeatView, *, picked: Hand, choosing: bool) -> list[Markup]:
    """The cards that were chosen, for whom each is, and who has still to choose."""
    if picked:
        return [bold(capital(voice("{cards}", cards=picked))), *_shares(voice, hand, picked)]
    if not hand.given or choosing:
        return [_order(voice, hand)]
    takers = receivers(_step(hand), hand.seat, hand.public.seats)
    waiting = tuple(seat for seat in hand.public.waiting if seat != hand.seat)
    return [
        bold(voice("The {cards} for {seats}.", cards=hand.given, seats=takers)),
        *_shares(voice, hand, hand.given),
        voice("Still to choose: {seats}. Until then you may change yours.", seats=waiting),
    ]


def passing_parts(
    voice: Voice, table: TableView, hand: SeatView, *, picked: Hand, choosing: bool
) -> list[Row]:
    """The menu of cards, or the buttons to confirm and to change.

    Args:
        voice: of the table.
        table: where it is.
        hand: of the reader, in `Phase.PASSING`.
        picked: chosen in the menu, not yet confirmed.
        choosing: show the menu although a pass is chosen already.
    """
    change = ids.ChangePass(table.id, hand.public.deal)
    if picked:
        confirm = ids.ConfirmPass(table.id, hand.public.deal, picked)
        yes = press(confirm, voice("Pass these"), primary=True)
        return rows([yes, press(change, voice("Choose others"))])
    if hand.given and not choosing:
        return rows([press(change, voice("Change my pass"))])
    return [_menu(voice, table, hand)]


def came_in(voice: Voice, hand: SeatView) -> Markup:
    """The cards received, and from whom, until the first own play; else nothing."""
    public = hand.public
    if not marked(hand):
        return Markup("")
    step = _step(hand)
    givers = tuple(
        seat
        for seat in map(Seat, range(public.seats))
        if hand.seat in receivers(step, seat, public.seats)
    )
    return voice("New from {seats}: {cards}.", seats=givers, cards=hand.received)


def marked(hand: SeatView) -> Hand:
    """The received cards that are still to be marked: all of them until the first own play."""
    public = hand.public
    plays = [play for trick in public.tricks for play in trick.plays]
    if public.trick is not None:
        plays += public.trick.plays
    played = any(play.seat == hand.seat for play in plays)
    return frozenset() if played or public.phase is Phase.PASSING else hand.received & hand.hand


def _order(voice: Voice, hand: SeatView) -> Markup:
    """How cards for several people are told apart; nothing where all go to one."""
    takers = receivers(_step(hand), hand.seat, hand.public.seats)
    if len(takers) < 2:
        return Markup("")
    return voice("They go out in the order in which your hand shows them: {seats}.", seats=takers)


def _shares(voice: Voice, hand: SeatView, cards: Hand) -> list[Markup]:
    """Who gets what, where several people get some."""
    given = shares(_step(hand), hand.seat, hand.public.seats, sorted_cards(cards))
    if len(given) < 2:
        return []
    return [
        quiet(capital(voice("{cards} for {seat}", cards=share, seat=taker)))
        for taker, share in given
    ]


def _step(hand: SeatView) -> PassStep:
    return hand.public.step or Hold()


def _menu(voice: Voice, table: TableView, hand: SeatView) -> Row:
    count = pass_count(_step(hand), hand.public.seats)
    copies = Counter(card.face for card in hand.hand)
    options = [_option(voice, card, copies[card.face]) for card in sorted_cards(hand.hand)]
    return menu(
        ids.ChoosePass(table.id, hand.public.deal),
        options,
        placeholder=voice(
            "Choose {count} card to pass", "Choose {count} cards to pass", count=count
        ),
        least=count,
        most=count,
    )


def _option(voice: Voice, card: Card, copies: int) -> discord.SelectOption:
    """A card of the menu; of equal ones each says how many there are, and each may be passed."""
    words = capital(voice("{card}", card=card))
    more = voice("one of {count} equal cards", count=copies) if copies > 1 else None
    return discord.SelectOption(label=f"{label(card)}  {words}", value=str(card), description=more)
