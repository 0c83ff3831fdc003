"""One person's hand, for that person's eyes alone."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import assert_never

import discord
from discord import ui

from bot.rules.cards import Card, Hand
from bot.rules.state import Phase
from bot.rules.view import SeatView
from bot.table.moments import turn
from bot.table.state import LIVE, Status
from bot.table.views import HandView, TableView
from cogs.names import Markup
from cogs.ui import ids
from cogs.ui.catching_up import briefer, catch_up
from cogs.ui.hand_cards import buttons_by_suit, packed_buttons, row_width, suit_lines
from cogs.ui.hand_text import foot, head, scores, time_left, trick_lines, turn_headline
from cogs.ui.moon import moon_buttons, moon_headline, ways_to_pay
from cogs.ui.parties import totals_line
from cogs.ui.parts import (
    AWAITED,
    MOST_CHARACTERS,
    MOST_COMPONENTS,
    SETTLED,
    UNDER_WAY,
    Button,
    Part,
    Row,
    below,
    divider,
    panel,
    press,
    rows,
    text,
)
from cogs.ui.passing import passing_headline, passing_lines, passing_parts
from cogs.ui.people import voice_of
from cogs.ui.plans import open_button, planned_lines
from cogs.ui.questions import callable_deal
from cogs.ui.result import game_lines, winners
from cogs.ui.votes import certain_lines, end_button, go_on, pause_lines
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
    for told in (view, briefer(view), briefer(briefer(view))):
        drawn = _drawn(
            told, server=server, picked=picked, choosing=choosing, asking=asking, locale=locale
        )
        if drawn.content_length() <= MOST_CHARACTERS:
            break
    return drawn


def _drawn(
    view: HandView,
    *,
    server: str | None,
    picked: Hand,
    choosing: bool,
    asking: Card | None,
    locale: discord.Locale | None,
) -> ui.LayoutView:
    """As `render_hand`, however long it gets."""
    voice = voice_of(view.table, locale)
    top = partial(head, voice, view, server)
    hand = view.hand
    if hand is None or view.table.status not in LIVE:
        body: list[Part] = [text(*top(*_without_cards(voice, view)))]
    elif view.robot_sits_in:
        body = _kept_seat(voice, view, hand, top)
    elif view.table.agreed_pause or view.table.status is Status.PAUSED:
        body = _at_rest(voice, view, hand, top)
    elif asking is not None and asking in hand.hand:
        return panel(AWAITED, _question(voice, view.table, hand, top, asking))
    elif hand.public.phase is Phase.PASSING:
        body = _passing(voice, view, hand, top, picked=picked, choosing=choosing)
    else:
        body = _after_passing(voice, view, hand, top)
    return panel(_accent(view), [*body, *_actions(voice, view)])


Top = Callable[[str, Sequence[str]], list[str]]
"""Makes the first lines of a hand from a headline and what belongs under it."""


def _without_cards(voice: Voice, view: HandView) -> tuple[Markup, Sequence[str]]:
    """A lobby, or what has come of the game: a headline and lines."""
    if view.table.status is Status.LOBBY:
        return (
            voice("You sit on seat {number}", number=view.seat + 1),
            [voice("Your cards come here when the game has started.")],
        )
    game = view.table.game
    if view.table.status is Status.OVER and game is not None and game.places:
        headline = Markup(f"🏆 {winners(voice, game.places, game.sides)}")
        return headline, game_lines(voice, game)
    return voice("This table is closed"), []


def _kept_seat(voice: Voice, view: HandView, hand: SeatView, top: Top) -> list[Part]:
    headline = voice("A robot plays in your seat")
    cards = suit_lines(voice, hand.hand)
    back = press(ids.TakeSeatBack(view.table.id), voice("Take my seat back"), primary=True)
    return [text(*top(headline, [*cards, *_how_it_stands(voice, view, hand)])), *rows([back])]


def _at_rest(voice: Voice, view: HandView, hand: SeatView, top: Top) -> list[Part]:
    """While all want a pause, or there is no place to post, cards are looked at and not played."""
    lines = [*suit_lines(voice, hand.hand), *_how_it_stands(voice, view, hand)]
    headline = voice("Your cards")
    if not view.table.agreed_pause:
        return [text(*top(headline, lines))]
    return [text(*top(headline, [*pause_lines(voice), *lines])), *go_on(voice, view.table)]


def _how_it_stands(voice: Voice, view: HandView, hand: SeatView) -> list[Markup]:
    """What was missed, the trick under way, and the scores, for a hand that is only looked at."""
    under_way = trick_lines(voice, view.table, hand)
    return [*catch_up(voice, view), *under_way, *scores(voice, view, hand)]


def _question(voice: Voice, table: TableView, hand: SeatView, top: Top, card: Card) -> list[Part]:
    sure = ids.ConfirmCard(table.id, turn(hand.public), card)
    headline = voice("Play the {card}?", card=card)
    return [
        text(*top(headline, trick_lines(voice, table, hand))),
        divider(),
        text(*suit_lines(voice, hand.hand)),
        ui.ActionRow(
            press(sure, voice("Play it"), primary=True),
            press(ids.RefreshHand(table.id), voice("Another card")),
        ),
    ]


def _passing(
    voice: Voice,
    view: HandView,
    hand: SeatView,
    top: Top,
    *,
    picked: Hand,
    choosing: bool,
) -> list[Part]:
    headline = passing_headline(voice, hand, picked=picked, choosing=choosing)
    lines = passing_lines(voice, hand, picked=picked, choosing=choosing)
    left = time_left(voice, view.table, hand.seat)
    news = [] if picked else [*catch_up(voice, view), totals_line(voice, hand.public)]
    told = [*news, *lines, left]
    return [
        text(*top(headline, told)),
        divider(),
        text(*suit_lines(voice, hand.hand)),
        *passing_parts(voice, view.table, hand, picked=picked, choosing=choosing),
    ]


def _after_passing(voice: Voice, view: HandView, hand: SeatView, top: Top) -> list[Part]:
    match hand.public.phase:
        case Phase.PLAYING:
            return _cards(voice, view, hand, top)
        case Phase.MOON_CHOICE:
            return _moon(voice, view, hand, top)
        case Phase.DEALING | Phase.PASSING | Phase.OVER:
            return [text(*top(voice("The next deal begins in a moment"), []))]
        case _:
            assert_never(hand.public.phase)


def _cards(voice: Voice, view: HandView, hand: SeatView, top: Top) -> list[Part]:
    """The hand in play, by suit if that leaves room for all the rest, else packed."""
    headline = turn_headline(voice, hand)
    lines = [
        *catch_up(voice, view),
        *trick_lines(voice, view.table, hand),
        *planned_lines(voice, view),
        *certain_lines(voice, view),
    ]
    frame, texts, airs = 1, 2, 2
    actions = sum(1 + len(row.children) for row in _actions(voice, view))
    width = row_width(hand.hand, MOST_COMPONENTS - frame - texts - airs - actions)
    if width is not None:
        cards = buttons_by_suit(voice, view.table, hand, width)
        return [text(*top(headline, lines)), divider(), *cards, *below(*foot(voice, view, hand))]
    told = top(headline, [*lines, *suit_lines(voice, hand.hand), *foot(voice, view, hand)])
    return [text(*told), *packed_buttons(view.table, hand)]


def _moon(voice: Voice, view: HandView, hand: SeatView, top: Top) -> list[Part]:
    public, table = hand.public, view.table
    headline, told = moon_headline(voice, hand), scores(voice, view, hand)
    if hand.seat not in public.waiting:
        choosing = voice("Waiting for {seats} to choose how it is paid.", seats=public.waiting)
        return [text(*top(headline, [*catch_up(voice, view), choosing, *told]))]
    left = time_left(voice, table, hand.seat)
    lines = [*catch_up(voice, view), *ways_to_pay(voice, hand, in_time=bool(left)), left, *told]
    return [text(*top(headline, lines)), *rows(moon_buttons(voice, table.id, public))]


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
    # Whoever plans does not lay down a card now, so the switch of that makes room.
    switch = open_button(voice, view) or [_confirm_switch(voice, view)]
    buttons = [refresh, *end_button(voice, view), score, rules, *switch, leave]
    if callable_deal(table, view.user_id) is not None:
        buttons.append(press(ids.AskEnd(table.id), voice("End the game")))
    return rows(buttons)


def _confirm_switch(voice: Voice, view: HandView) -> Button:
    """Says how it is, and switches to the other."""
    on = view.confirm_cards
    words = voice("Ask before playing: on") if on else voice("Ask before playing: off")
    return press(ids.ToggleConfirm(view.table.id, on=not on), words)


def _accent(view: HandView) -> discord.Colour:
    hand = view.hand
    if hand is None or view.table.status not in LIVE:
        return SETTLED
    return AWAITED if hand.seat in hand.public.waiting else UNDER_WAY
