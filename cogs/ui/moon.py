"""The choice after a moon: who shot it, and how it may be paid."""

from bot.rules.cards import Seat
from bot.rules.dimensions import MoonPayoff, MoonScope
from bot.rules.sides import has_partners, is_pooled
from bot.rules.view import PublicView, SeatView
from bot.table.ids import TableId
from cogs.names import Markup
from cogs.ui import ids
from cogs.ui.parts import Button, press
from cogs.words import Voice


def shooters(game: PublicView) -> tuple[Seat, ...]:
    """Who shot the moon whose payment *game* waits for: a seat, or a side."""
    [chooser] = game.waiting
    if game.ruleset.moon.scope is MoonScope.PLAYER:
        return (chooser,)
    return next(side for side in game.sides if chooser in side)


def moon_headline(voice: Voice, hand: SeatView) -> Markup:
    """Who shot it, as the reader sees that."""
    shot = shooters(hand.public)
    if hand.seat not in shot:
        return voice("{seats} shot the moon", seats=shot)
    others = tuple(seat for seat in shot if seat != hand.seat)
    if others:
        return voice("You and {seats} shot the moon", seats=others)
    return voice("You shot the moon")


def ways_to_pay(voice: Voice, hand: SeatView, *, in_time: bool) -> list[Markup]:
    """What the reader may choose, and what happens without a choice.

    Args:
        voice: of the table.
        hand: of the seat that chooses.
        in_time: whether there is a time until which it has to be done.
    """
    game = hand.public
    if is_pooled(game.ruleset, game.seats):
        how = "Choose how it is paid: every other pair takes the points, or your total loses them."
    elif has_partners(game.ruleset, game.seats):
        how = "Choose how it is paid: both opponents take the points, or your total loses them."
    else:
        how = "Choose how it is paid: all others take the points, or your total loses them."
    if not in_time:
        return [voice(how)]
    if hand.safe_payoff is MoonPayoff.ADD_OTHERS:
        return [voice(how), voice("Without your choice the others take them.")]
    return [voice(how), voice("Without your choice they come off your total.")]


def moon_buttons(voice: Voice, table: TableId, game: PublicView) -> list[Button]:
    """The two payoffs."""
    others = ids.SettleMoon(table, game.deal, MoonPayoff.ADD_OTHERS)
    own = ids.SettleMoon(table, game.deal, MoonPayoff.SUBTRACT_SELF)
    mine = voice("Points off my total")
    ours = voice("Points off our total")
    return [
        press(others, voice("Points for all others")),
        press(own, ours if is_pooled(game.ruleset, game.seats) else mine),
    ]
