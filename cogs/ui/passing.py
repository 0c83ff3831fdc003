"""The part of a hand in which cards are chosen and passed on."""

import discord

from bot.rules.cards import Card, Hand, Seat, sorted_cards
from bot.rules.passing import pass_count, receivers
from bot.rules.ruleset import Hold, PassStep
from bot.rules.state import Phase
from bot.rules.view import SeatView
from bot.table.views import TableView
from cogs.names import Markup
from cogs.ui import ids
from cogs.ui.faces import label
from cogs.ui.parts import Part, bold, menu, press, rows, text
from cogs.words import Voice, capital


def passing_parts(
    voice: Voice, table: TableView, hand: SeatView, *, picked: Hand, choosing: bool
) -> list[Part]:
    """What stands under the cards while they are passed.

    Args:
        voice: of the table.
        table: where it is.
        hand: of the reader, in `Phase.PASSING`.
        picked: chosen in the menu, not yet confirmed.
        choosing: show the menu although a pass is chosen already.
    """
    if picked:
        return [
            text(voice("You chose the {cards}.", cards=picked)),
            *rows(
                [
                    press(
                        ids.ConfirmPass(table.id, hand.public.deal, picked),
                        voice("Pass these"),
                        primary=True,
                    ),
                    press(_change(table, hand), voice("Choose others")),
                ]
            ),
        ]
    if hand.given and not choosing:
        return [
            text(*_chosen(voice, hand)),
            *rows([press(_change(table, hand), voice("Change my pass"))]),
        ]
    return [_menu(voice, table, hand)]


def order_words(voice: Voice, hand: SeatView) -> Markup:
    """What to pass and to whom: "Choose 3 cards for Theo."."""
    step = _step(hand)
    takers = receivers(step, hand.seat, hand.public.seats)
    count = pass_count(step, hand.public.seats)
    return voice(
        "Choose {count} card for {seats}.",
        "Choose {count} cards for {seats}.",
        count=count,
        seats=takers,
    )


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


def _step(hand: SeatView) -> PassStep:
    return hand.public.step or Hold()


def _chosen(voice: Voice, hand: SeatView) -> list[Markup]:
    takers = receivers(_step(hand), hand.seat, hand.public.seats)
    waiting = tuple(seat for seat in hand.public.waiting if seat != hand.seat)
    lines = [bold(voice("You pass the {cards} to {seats}.", cards=hand.given, seats=takers))]
    if waiting:
        lines.append(
            voice("Still to choose: {seats}. Until then you may change yours.", seats=waiting)
        )
    return lines


def _menu(voice: Voice, table: TableView, hand: SeatView) -> Part:
    count = pass_count(_step(hand), hand.public.seats)
    options = [_option(voice, card) for card in sorted_cards(hand.hand)]
    return menu(
        ids.ChoosePass(table.id, hand.public.deal),
        options,
        placeholder=voice(
            "Choose {count} card to pass", "Choose {count} cards to pass", count=count
        ),
        least=count,
        most=count,
    )


def _option(voice: Voice, card: Card) -> discord.SelectOption:
    words = capital(voice("{card}", card=card))
    return discord.SelectOption(label=f"{label(card)}  {words}", value=str(card))


def _change(table: TableView, hand: SeatView) -> ids.ChangePass:
    return ids.ChangePass(table.id, hand.public.deal)
