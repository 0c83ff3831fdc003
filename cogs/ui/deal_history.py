"""A deal that is over, card by card; of one that is played the last trick alone."""

from collections.abc import Iterator, Sequence

import discord
from discord import ui

from bot.rules.cards import Card, Seat
from bot.rules.state import Deal, Trick
from bot.table.views import TableView
from cogs.names import Markup
from cogs.ui.faces import chip, chips
from cogs.ui.parts import (
    MOST_CHARACTERS,
    SETTLED,
    UNDER_WAY,
    Part,
    below,
    bold,
    code,
    heading,
    panel,
    quiet,
    text,
)
from cogs.ui.people import voice_of
from cogs.words import Voice


def render_past_deal(
    table: TableView, deal: Deal, locale: discord.Locale | None = None
) -> ui.LayoutView:
    """Draw the hands as dealt, what was passed, and all tricks.

    Where the names of the people make it too long for one message, seats stand for them, and one
    line says who sits where; without that line, were even this too long.
    """
    named, bare = voice_of(table, locale), Voice(locale)
    for drawn in (_whole(named, table, deal), _whole(bare, table, deal, _key(named))):
        if drawn.content_length() <= MOST_CHARACTERS:
            return drawn
    return _whole(bare, table, deal)


def _key(voice: Voice) -> Markup:
    """Who sits where, as above the columns of a score sheet."""
    return quiet(*(f"{number} {name}" for number, name in enumerate(voice.seat_names, 1)))


def render_last_trick(
    table: TableView, trick: Trick, locale: discord.Locale | None = None
) -> ui.LayoutView:
    """Draw the one trick of a deal under way that everybody may see again."""
    voice = voice_of(table, locale)
    title = heading(voice("The last trick at table {code}", code=code(table)))
    later = voice("The whole deal can be looked at when it is over.")
    return panel(UNDER_WAY, [text(title, _trick(voice, trick), quiet(later))])


def _whole(voice: Voice, table: TableView, deal: Deal, key: str = "") -> ui.LayoutView:
    title = voice("Deal {number} of table {code}", number=deal.number, code=code(table))
    parts: list[Part] = [text(heading(title), key, bold(voice("Dealt")), *_dealt(voice, deal))]
    parts += below(*_passed(voice, deal))
    tricks = [
        Markup(f"`{number:>2}` {_trick(voice, trick)}")
        for number, trick in enumerate(deal.tricks, 1)
    ]
    return panel(SETTLED, [*parts, *below(bold(voice("Tricks")), *tricks)])


def _dealt(voice: Voice, deal: Deal) -> Iterator[Markup]:
    for seat, hand in enumerate(deal.dealt):
        yield voice("{seat}: {cards}", seat=Seat(seat), cards=chips(hand))
    if deal.widow:
        yield quiet(voice("In the widow lay {cards}.", cards=chips(deal.widow)))


def _passed(voice: Voice, deal: Deal) -> list[Markup]:
    given = [(Seat(seat), cards) for seat, cards in enumerate(deal.passes) if cards]
    lines = [voice("{seat}: {cards}", seat=seat, cards=chips(cards)) for seat, cards in given]
    return [bold(voice("Passed")), *lines] if lines else []


def _trick(voice: Voice, trick: Trick) -> Markup:
    """Who led, the cards in the order in which they fell, and who took them."""
    cards = _in_order([play.card for play in trick.plays])
    if trick.winner is None:
        return voice("{seat}: {cards} · nobody took it", seat=trick.leader, cards=cards)
    won = "{seat}: {cards} · {whom}"
    return voice(won, seat=trick.leader, cards=cards, whom=bold(voice("{seat}", seat=trick.winner)))


def _in_order(cards: Sequence[Card]) -> Markup:
    return Markup(" ".join(map(chip, cards)))
