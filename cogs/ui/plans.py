"""Playing ahead: the private panel on which people plan, and what their hand says of it."""

from datetime import timedelta

import discord
from discord import ui

from bot.rules.cards import Card, is_queen_of_spades, sorted_cards
from bot.rules.dimensions import GoodScore
from bot.rules.state import Phase
from bot.rules.view import SeatView
from bot.table import plans
from bot.table.planning import about_to_fall
from bot.table.plans import (
    AllForced,
    LowestOfSuitLed,
    OneCard,
    Plan,
    QueenWhenPossible,
    longest_delay,
)
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
    LowestOfSuitLed: (
        "Whenever I can follow suit, my lowest card of that suit falls, even where I would rather "
        "take the trick."
    ),
    QueenWhenPossible: "The queen of spades falls as soon as somebody else takes her.",
    AllForced: "A card falls whenever it is the only one that I may play.",
}
_ONE_CARD = (
    "It is played the first time that the rules allow it, also to lead, whoever takes the trick."
)
_QUEEN_OF_A_PAIR = "The queen of spades falls as soon as the other side takes her."
_LABELS = {
    LowestOfSuitLed: ("Lowest of the suit: on", "Lowest of the suit: off"),
    QueenWhenPossible: ("Queen of spades: on", "Queen of spades: off"),
    AllForced: ("Forced cards: on", "Forced cards: off"),
}
_A_MOMENT = timedelta(seconds=30)
"""What people still call so."""


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
    """What its owner has planned, and what that does in the turn under way."""
    told = tuple(_short(voice, view, plan) for plan in view.plans)
    lines = [voice("You planned: {plans}.", plans=told)] if told else []
    card = about_to_fall(view)
    if card is not None:
        lines.append(_falls(voice, view, card))
    elif told and view.hand is not None and view.hand.choice is not None:
        lines.append(voice("That cannot be played now, so it waits, and the table waits for you."))
    return lines


def _falls(voice: Voice, view: HandView, card: Card) -> Markup:
    """That a card is played by itself, and how that is prevented."""
    short = longest_delay(view.table.clock) <= _A_MOMENT
    when = voice("in a moment") if short else voice("within a few minutes")
    if view.hand is not None and plans.next_card(view.plans, view.hand) is None:
        return voice(
            "Unless you play it before, the {card} is played for you {when}: you may play no other "
            "card, and `/preferences` say that such cards are played for you.",
            card=card,
            when=when,
        )
    return voice(
        "Unless you play another card or change your plan, the {card} is played for you {when}.",
        card=card,
        when=when,
    )


def render_plans(
    view: HandView, hand: SeatView, *, server: str | None, locale: discord.Locale | None = None
) -> ui.LayoutView:
    """Draw the panel as the plans are stored; *hand* is that of *view*."""
    voice = voice_of(view.table, locale)
    first = voice("Where several of them fit, the one that is named first is played.")
    parts: list[Part] = [
        text(*head(voice, view, server, voice("Plan ahead"), _explained(voice))),
        divider(),
        text(
            *trick_lines(voice, view.table, hand),
            *suit_lines(voice, hand.hand),
            *planned_lines(voice, view),
            quiet(first) if len(view.plans) > 1 else "",
        ),
        divider(),
        text(bold(voice("One card")), voice(_ONE_CARD)),
        _card_menu(voice, view, hand),
        *_take_back(voice, view, hand),
        text(bold(voice("Something for all turns of this deal")), *_meanings(voice, view, hand)),
        *_switches(voice, view, hand),
        divider(),
        *rows([press(ids.RefreshHand(view.table.id), voice("Back to my cards"), primary=True)]),
    ]
    return panel(UNDER_WAY, parts)


def _explained(voice: Voice) -> list[Markup]:
    return [
        voice(
            "What you plan here is played for you when your turn comes, after a pause as if you "
            "had thought about it. You can change it until the card falls, and it ends with the "
            "deal."
        ),
        quiet(voice("Nobody else sees it, and the channel calls you as if nothing were planned.")),
    ]


def _kinds(view: HandView, hand: SeatView) -> list[Plan]:
    """What may be planned for several turns, as far as it makes sense in this hand and game.

    Where points are good nobody ducks, and nobody is rid of a queen that costs nothing.
    """
    is_low = hand.public.ruleset.good_score is GoodScore.LOW
    queens = [card for card in hand.hand if is_queen_of_spades(card)]
    costs = is_low and any(hand.public.ruleset.points_of(queen) > 0 for queen in queens)
    kinds: list[Plan] = [LowestOfSuitLed()] if is_low else []
    if costs:
        kinds.append(QueenWhenPossible())
    kinds.append(AllForced())
    return [*kinds, *(plan for plan in view.plans if plan not in kinds and not _is_card(plan))]


def _is_card(plan: Plan) -> bool:
    return isinstance(plan, OneCard)


def _is_usual(view: HandView, plan: Plan) -> bool:
    """Whether it is done for this person in every deal, so that nobody need switch it here."""
    return view.plays_forced and isinstance(plan, AllForced) and plan not in view.plans


def _card_menu(voice: Voice, view: HandView, hand: SeatView) -> Row:
    aside = [plan.card for plan in view.plans if isinstance(plan, OneCard)]
    # Of two equal cards either will do: they are offered once.
    faces = {card.face: card for card in [*sorted_cards(hand.hand), *aside]}
    options = [
        discord.SelectOption(
            label=f"{label(card)}  {capital(voice('{card}', card=card))}",
            value=str(card),
            default=card in aside,
        )
        for card in sorted_cards(tuple(faces.values()))
    ]
    return menu(
        plan_ids.SetCardAside(view.table.id, hand.public.deal),
        options,
        placeholder=voice("Choose a card to set aside"),
        anew=str(aside),
    )


def _meanings(voice: Voice, view: HandView, hand: SeatView) -> list[Markup]:
    lines = []
    for plan in _kinds(view, hand):
        usual = _is_usual(view, plan)
        mark = "☑" if usual or plan in view.plans else "☐"
        always = f" {voice('`/preferences` say so for all tables.')}" if usual else ""
        lines.append(Markup(f"{mark} {_meaning(voice, hand, plan)}{always}"))
    return lines


def _meaning(voice: Voice, hand: SeatView, plan: Plan) -> Markup:
    if isinstance(plan, QueenWhenPossible) and hand.partner is not None:
        return voice(_QUEEN_OF_A_PAIR)
    return voice(_MEANING[type(plan)])


def _switches(voice: Voice, view: HandView, hand: SeatView) -> list[Row]:
    buttons = []
    for plan in _kinds(view, hand):
        if not _is_usual(view, plan):
            on = plan in view.plans
            action = plan_ids.SwitchPlan(
                table=view.table.id, deal=hand.public.deal, plan=plan, on=not on
            )
            buttons.append(press(action, voice(_LABELS[type(plan)][0 if on else 1])))
    return rows(buttons)


def _take_back(voice: Voice, view: HandView, hand: SeatView) -> list[Row]:
    """The button below the menu, while a card is set aside."""
    if not any(isinstance(plan, OneCard) for plan in view.plans):
        return []
    action = plan_ids.TakeCardBack(view.table.id, hand.public.deal)
    return rows([press(action, voice("Take the card back"))])


def _short(voice: Voice, view: HandView, plan: Plan) -> Markup:
    match plan:
        case OneCard(card):
            return voice("the {card}", card=card)
        case LowestOfSuitLed():
            return voice("the lowest card of the suit led")
        case QueenWhenPossible() if view.hand is not None and view.hand.partner is not None:
            return voice("the queen of spades, as soon as the other side takes her")
        case QueenWhenPossible():
            return voice("the queen of spades, as soon as somebody else takes her")
        case AllForced():
            return voice("every card that is the only one")
