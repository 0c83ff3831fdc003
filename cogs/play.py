"""Playing: the private hand and its buttons, the table's post, the scores."""

import io
import json
from collections.abc import Awaitable
from dataclasses import replace
from functools import partial
from typing import Any, assert_never

import discord
from discord import app_commands

from bot.rules.cards import Card
from bot.rules.errors import HeartsError
from bot.rules.events import Event
from bot.rules.record import from_events
from bot.rules.sentence import Sentence
from bot.rules.state import Phase
from bot.table.errors import (
    NotSeatedError,
    RepeatedClickError,
    StaleClickError,
    UnknownTableError,
    WrongPhaseError,
)
from bot.table.ids import TableId
from bot.table.moments import first_turn, turn
from bot.table.state import LIVE
from bot.table.views import HandView
from cogs import choosing
from cogs.answers import Answer, Answers, Here, Private
from cogs.commands import subcommand
from cogs.inputs import values_of
from cogs.names import Markup
from cogs.open_hands import OpenHands, hand_message
from cogs.services import Interaction, cause_of, services_of, user_of
from cogs.ui import ids
from cogs.ui.rules import render_rules
from cogs.ui.score_sheet import render_scores

Look = (
    ids.OpenHand
    | ids.RefreshHand
    | ids.ChoosePass
    | ids.ChangePass
    | ids.ToggleConfirm
    | ids.ShowScore
    | ids.ShowRules
    | ids.Record
)
"""Buttons that show something and change nothing at the table."""
Move = ids.ConfirmPass | ids.PlayCard | ids.ConfirmCard | ids.SettleMoon | ids.TakeSeatBack
"""Buttons that change something at the table."""

_NUDGED = Sentence(
    "Whoever the table waits for is called once more, at an hour at which they want to be called."
)
_SURFACED = Sentence("The table's newest post comes back to the end of {channel}.")
_RECORD = Sentence("The whole game as text, every card of it; `python -m bot replay` reads it.")


class Play:
    """What a seated person does in a game, and what everybody may look at."""

    def __init__(self, answers: Answers, open_hands: OpenHands) -> None:
        self._answers = answers
        self._open_hands = open_hands

    @subcommand("hand", "Show your cards, for your eyes only")
    @app_commands.describe(table=choosing.DESCRIPTION)
    @app_commands.autocomplete(table=choosing.complete_own)
    async def hand(self, interaction: discord.Interaction[Any], table: str | None = None) -> None:
        """Show the hand, from anywhere."""
        await self._answers.give(interaction, self._chosen_hand(interaction, table))

    @subcommand("table", "Bring a table's newest post back to the end of its channel")
    @app_commands.describe(table=choosing.DESCRIPTION)
    @app_commands.autocomplete(table=choosing.complete_visible)
    async def table(self, interaction: discord.Interaction[Any], table: str | None = None) -> None:
        """Surface the newest post and say where."""
        await self._answers.give(interaction, self._surfaced(interaction, table))

    @subcommand("nudge", "Call whoever your table waits for once more")
    @app_commands.describe(table=choosing.DESCRIPTION)
    @app_commands.autocomplete(table=choosing.complete_own)
    async def nudge(self, interaction: discord.Interaction[Any], table: str | None = None) -> None:
        """Call them, in the way that each of them chose."""
        await self._answers.give(interaction, self._nudged(interaction, table))

    @subcommand("score", "Show the scores of a table, deal by deal")
    @app_commands.describe(table=choosing.KNOWN_DESCRIPTION)
    @app_commands.autocomplete(table=choosing.complete_known)
    async def score(self, interaction: discord.Interaction[Any], table: str | None = None) -> None:
        """Show the scores in private."""
        await self._answers.give(interaction, self._chosen_score(interaction, table))

    async def look(self, interaction: Interaction, action: Look) -> Answer:
        """Show what a button asks for."""
        match action:
            case ids.OpenHand(table):
                return self._opened(interaction, await self._seen(interaction, table))
            case ids.RefreshHand(table):
                return self._open_hands.redrawn(interaction, await self._seen(interaction, table))
            case ids.ChoosePass() | ids.ChangePass():
                return await self._with_reason(
                    interaction, action, self._passing(interaction, action)
                )
            case ids.ToggleConfirm(table, on):
                return await self._toggled(interaction, table, confirm_cards=on)
            case ids.ShowScore() | ids.ShowRules() | ids.Record():
                return await self._public(interaction, action)
            case _:
                assert_never(action)

    async def move(self, interaction: Interaction, action: Move) -> Answer:
        """Make a move and show the hand after it; a refused one shows it with the reason."""
        if isinstance(action, ids.PlayCard):
            view = await self._seen(interaction, action.table)
            if view.confirm_cards and _may_play(view, action):
                return self._asking(interaction, view, action.card)
        return await self._with_reason(interaction, action, self._moved(interaction, action))

    async def _with_reason(
        self, interaction: Interaction, action: Look | Move, work: Awaitable[Answer]
    ) -> Answer:
        """The answer of *work*, which *action* asks for; where it is refused, the hand and why."""
        try:
            return await work
        except (NotSeatedError, UnknownTableError):
            raise
        except RepeatedClickError:
            return self._open_hands.redrawn(
                interaction, await self._seen(interaction, action.table)
            )
        except HeartsError as refusal:
            view = await self._seen(interaction, action.table)
            if _is_repeated(view, action):
                return self._open_hands.redrawn(interaction, view)
            return self._open_hands.redrawn(interaction, replace(view, notice=refusal.sentence))

    async def _moved(self, interaction: Interaction, action: Move) -> Answer:
        tables, cause = services_of(interaction).tables, cause_of(interaction)
        match action:
            case ids.ConfirmPass(table, deal, cards):
                view = await tables.pass_cards(cause, table, cards, seen_deal=deal)
            case ids.PlayCard(table, seen, card) | ids.ConfirmCard(table, seen, card):
                view = await tables.play(cause, table, card, seen_turn=seen)
            case ids.SettleMoon(table, deal, payoff):
                view = await tables.settle_moon(cause, table, payoff, seen_deal=deal)
            case ids.TakeSeatBack(table):
                view = await tables.take_seat_back(cause, table)
            case _:
                assert_never(action)
        return self._open_hands.redrawn(interaction, view)

    async def _passing(
        self, interaction: Interaction, action: ids.ChoosePass | ids.ChangePass
    ) -> Answer:
        """Show the menu of the passing, or what was just chosen in it. Nothing is stored."""
        view = await self._seen(interaction, action.table)
        if not _is_passing(view, action.deal):
            raise StaleClickError
        if isinstance(action, ids.ChangePass):
            self._open_hands.covered(action.table, view.user_id)
            return Here(hand_message(interaction, view, choosing=True))
        picked = ids.chosen_cards(values_of(interaction))
        if view.hand is None or not picked <= view.hand.hand:
            raise StaleClickError
        self._open_hands.covered(action.table, view.user_id)
        return Here(hand_message(interaction, view, picked=picked))

    def _asking(self, interaction: Interaction, view: HandView, card: Card) -> Answer:
        self._open_hands.covered(view.table.id, view.user_id)
        return Here(hand_message(interaction, view, asking=card))

    async def _toggled(
        self, interaction: Interaction, table_id: TableId, *, confirm_cards: bool
    ) -> Answer:
        await services_of(interaction).persons.change(
            user_of(interaction), lambda person: replace(person, confirm_cards=confirm_cards)
        )
        return self._open_hands.redrawn(interaction, await self._seen(interaction, table_id))

    async def _public(
        self, interaction: Interaction, action: ids.ShowScore | ids.ShowRules | ids.Record
    ) -> Answer:
        view = await choosing.look_at(interaction, action.table)
        match action:
            case ids.ShowScore():
                return Private(render_scores(view, interaction.locale))
            case ids.ShowRules():
                return Private(render_rules(view.ruleset, view.seats, interaction.locale))
            case ids.Record(table):
                return await _record(interaction, table)
            case _:
                assert_never(action)

    async def _chosen_hand(self, interaction: Interaction, wanted: str | None) -> Answer:
        table_id = await choosing.own_table(interaction, wanted)
        return self._opened(interaction, await self._seen(interaction, table_id))

    async def _chosen_score(self, interaction: Interaction, wanted: str | None) -> Answer:
        table_id = await choosing.known_table(interaction, wanted)
        view = await services_of(interaction).tables.view(table_id)
        return Private(render_scores(view, interaction.locale))

    async def _nudged(self, interaction: Interaction, wanted: str | None) -> Answer:
        table_id = await choosing.own_table(interaction, wanted)
        await services_of(interaction).tables.nudge(cause_of(interaction), table_id)
        return Private(_NUDGED)

    async def _surfaced(self, interaction: Interaction, wanted: str | None) -> Answer:
        table_id = await choosing.visible_table(interaction, wanted)
        view = await services_of(interaction).tables.surface(cause_of(interaction), table_id)
        # No link to the message: the one that stands there now is about to be deleted.
        return Private(Sentence(_SURFACED.text, {"channel": Markup(f"<#{view.channel_id}>")}))

    async def _seen(self, interaction: Interaction, table_id: TableId) -> HandView:
        return await services_of(interaction).tables.hand(table_id, user_of(interaction))

    def _opened(self, interaction: Interaction, view: HandView) -> Answer:
        shown = partial(self._open_hands.shown, interaction, view)
        return Private(hand_message(interaction, view), then=shown)


def _may_play(view: HandView, action: ids.PlayCard) -> bool:
    """Whether the card would be taken now; another one is refused without a question."""
    if view.hand is None or view.hand.choice is None or view.robot_sits_in:
        return False
    is_now = action.turn == turn(view.hand.public)
    return is_now and action.card in view.hand.choice.cards


def _is_repeated(view: HandView, action: Look | Move) -> bool:
    """Whether the press names the card that its person laid down last, in the same turn."""
    if view.hand is None or not isinstance(action, ids.PlayCard | ids.ConfirmCard):
        return False
    public = view.hand.public
    tricks = [*public.tricks, *([public.trick] if public.trick else [])]
    laid_down = [
        (first_turn(public.ruleset, number) + place // public.seats, play.card)
        for number, trick in enumerate(tricks, public.tricks_before + 1)
        for place, play in enumerate(trick.plays)
        if play.seat == view.hand.seat
    ]
    return laid_down[-1:] == [(action.turn, action.card)]


def _is_passing(view: HandView, deal: int) -> bool:
    if view.hand is None or view.table.status not in LIVE or view.robot_sits_in:
        return False
    return view.hand.public.phase is Phase.PASSING and view.hand.public.deal == deal


async def _record(interaction: Interaction, table_id: TableId) -> Answer:
    """The text record of a finished game. While one runs it would show every hand."""
    services = services_of(interaction)
    view = await services.tables.view(table_id)
    if view.status in LIVE:
        raise WrongPhaseError
    stored = await services.events.load(table_id)
    events = [row.event for row in stored if isinstance(row.event, Event)]
    plain = from_events(view.ruleset, view.seats, events)
    text = json.dumps(plain, indent=1, ensure_ascii=False)
    file = discord.File(io.BytesIO(text.encode()), filename=f"hearts-{table_id}.json")
    return Private(_RECORD, files=(file,))
