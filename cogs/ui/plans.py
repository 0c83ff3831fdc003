"""Playing ahead: the private panel on which people plan, and what their hand says of it."""

import discord
from discord import ui

from bot.rules.cards import is_queen_of_spades, sorted_cards
from bot.rules.state import Phase
from bot.rules.view import SeatView
from bot.table import plans
from bot.table.plans import AllForced, LowestOfSuitLed, OneCard, Plan, QueenWhenPossible
from bot.table.state import Status
from bot.table.views import HandView
from cogs.names import Markup
from cogs.ui import ids, plan_ids
from cogs.ui.faces import label
from cogs.ui.hand_cards import suit_lines
from cogs.ui.hand_text import head, trick_lines
from cogs.ui.parts import (
    UNDER_WAY,
    Button,
    Part,
    Row,
    bold,
    divider,
    menu,
    panel,
    press,
    quiet,
    rows,
    text,
)
from cogs.ui.people import voice_of
from cogs.words import Voice, capital

_MEANING = {
    LowestOfSuitLed: "Whenever I can follow suit, play my lowest card of that suit",
    QueenWhenPossible: "Play the queen of spades as soon as somebody else takes her",
    AllForced: "Play my card whenever only one may be played",
}
_LABELS = {
    LowestOfSuitLed: ("Lowest of the suit: on", "Lowest of the suit: off"),
    QueenWhenPossible: ("Queen of spades: on", "Queen of spades: off"),
    AllForced: ("Forced cards: on", "Forced cards: off"),
}


def may_plan(view: HandView) -> bool:
    """Whether its owner may set something aside now: a deal is played, and the seat is theirs."""
    hand, table = view.hand, view.table
    if hand is None or table.status is not Status.PLAYING:
        return False
    if view.robot_sits_in or table.agreed_pause:
        return False
    return hand.public.phase is Phase.PLAYING and bool(hand.hand)


def open_button(voice: Voice, view: HandView) -> list[Button]:
    """The way to the panel, while somebody else is to play or something is planned."""
    if view.hand is None or not may_plan(view):
        return []
    if view.hand.seat in view.hand.public.waiting and not view.plans:
        return []
    return [press(plan_ids.OpenPlans(view.table.id, view.hand.public.deal), voice("Plan ahead"))]


def planned_lines(voice: Voice, view: HandView) -> list[Markup]:
    """What its owner has planned, and that it is about to happen."""
    if view.hand is None:
        return []
    told = tuple(_short(voice, plan) for plan in view.plans)
    lines = [voice("You planned: {plans}.", plans=told)] if told else []
    forced = [AllForced()] if view.plays_forced else []
    card = plans.next_card([*view.plans, *forced], view.hand)
    if card is not None:
        lines.append(
            voice(
                "In a moment the {card} is played for you, unless you play another card.",
                card=card,
            )
        )
    return lines


def render_plans(
    view: HandView, hand: SeatView, *, server: str | None, locale: discord.Locale | None = None
) -> ui.LayoutView:
    """Draw the panel as the plans are stored; *hand* is that of *view*."""
    voice = voice_of(view.table, locale)
    explained = (
        voice(
            "What you plan is played for you when your turn comes, as soon as it may be played and "
            "after a natural pause. It lasts until you take it back or the deal is over."
        ),
        quiet(voice("nobody else can see it, so you are called as if nothing were planned")),
    )
    parts: list[Part] = [
        text(
            *head(voice, view, server, voice("Plan ahead"), explained),
            *trick_lines(voice, view.table, hand),
            *suit_lines(voice, hand.hand),
            *planned_lines(voice, view),
        ),
        divider(),
        text(bold(voice("One card, the first time that it may be played"))),
        _card_menu(voice, view, hand),
        text(bold(voice("Or something for all turns of this deal")), *_meanings(voice, view, hand)),
        *_switches(voice, view, hand),
        *_foot(voice, view, hand),
    ]
    return panel(UNDER_WAY, parts)


def _kinds(hand: SeatView) -> list[Plan]:
    """What may be planned for several turns: the queen only by who holds her."""
    queen = any(map(is_queen_of_spades, hand.hand))
    return [LowestOfSuitLed(), *([QueenWhenPossible()] if queen else []), AllForced()]


def _card_menu(voice: Voice, view: HandView, hand: SeatView) -> Row:
    aside = [plan.card for plan in view.plans if isinstance(plan, OneCard)]
    options = [
        discord.SelectOption(
            label=f"{label(card)}  {capital(voice('{card}', card=card))}",
            value=str(card),
            default=card in aside,
        )
        for card in sorted_cards(hand.hand)
    ]
    return menu(
        plan_ids.SetCardAside(view.table.id, hand.public.deal),
        options,
        placeholder=voice("Choose a card to set aside"),
        anew=str(aside),
    )


def _meanings(voice: Voice, view: HandView, hand: SeatView) -> list[Markup]:
    meanings = [voice(_MEANING[type(plan)]) for plan in _kinds(hand)]
    return [
        Markup(f"{'☑' if plan in view.plans else '☐'} {meaning}")
        for plan, meaning in zip(_kinds(hand), meanings, strict=True)
    ]


def _switches(voice: Voice, view: HandView, hand: SeatView) -> list[Row]:
    buttons = []
    for plan in _kinds(hand):
        on = plan in view.plans
        action = plan_ids.SwitchPlan(view.table.id, hand.public.deal, plan, on=not on)
        buttons.append(press(action, voice(_LABELS[type(plan)][0 if on else 1])))
    return rows(buttons)


def _foot(voice: Voice, view: HandView, hand: SeatView) -> list[Row]:
    back = press(ids.RefreshHand(view.table.id), voice("Back to my cards"), primary=True)
    aside = any(isinstance(plan, OneCard) for plan in view.plans)
    take_back = plan_ids.TakeCardBack(view.table.id, hand.public.deal)
    return rows([back, press(take_back, voice("Take the card back"), disabled=not aside)])


def _short(voice: Voice, plan: Plan) -> Markup:
    match plan:
        case OneCard(card):
            return voice("the {card}", card=card)
        case LowestOfSuitLed():
            return voice("the lowest card of the suit led")
        case QueenWhenPossible():
            return voice("the queen of spades, as soon as somebody else takes her")
        case AllForced():
            return voice("every card that is the only one")
