"""What people set aside at a table, from the wish to the card that falls. Pure.

`bot.table.plans` says what a plan does; nothing of one is public before its card lies there.
"""

from collections.abc import Mapping, Sequence

from bot.rules import commands as game_commands
from bot.rules.cards import Card, Seat
from bot.rules.commands import PlayedBy
from bot.rules.decide import decide as decide_game
from bot.rules.errors import IllegalMoveError, Reason
from bot.rules.frozen import FrozenMap
from bot.rules.legal import to_move
from bot.rules.state import Game, Phase
from bot.rules.view import SeatView, seat_view
from bot.table import commands, events, plans
from bot.table.absences import Aways
from bot.table.away import PRESENT
from bot.table.errors import StaleClickError
from bot.table.ids import Human
from bot.table.plans import OneCard, Plan
from bot.table.seating import Decision
from bot.table.state import Status, Table
from bot.table.views import HandView


def decide(table: Table, game: Game, seat: Seat, command: commands.PlanCommand) -> Decision:
    """What becomes of the plans of *seat*, whose person asks.

    Raises:
        IllegalMoveError: no cards are played now, or the card is not in the hand.
        StaleClickError: the deal that was seen is over.
    """
    if game.deal is None or game.deal.number != command.seen_deal:
        raise StaleClickError
    if game.phase is not Phase.PLAYING:
        raise IllegalMoveError(Reason.NOT_NOW)
    before = table.plans.get(seat, ())
    if isinstance(command, commands.MakePlan):
        _check_held(game, seat, command.plan)
        after = plans.with_plan(before, command.plan)
    else:
        after = tuple(plan for plan in before if plan != command.plan)
    return () if after == before else (events.PlansMade(seat, after),)


def carry_out(table: Table, game: Game, command: commands.CarryOutPlan) -> Decision:
    """The card that the seat to move has planned, or the only one that it may play.

    Raises:
        StaleClickError: nothing is planned for now any more.
    """
    seat = command.seat
    view = seat_view(game, seat)
    planned = table.plans.get(seat, ())
    card = _next(planned, view, forced=True)
    if card is None or not isinstance(table.chairs[seat], Human):
        raise StaleClickError
    return decide_game(game, game_commands.PlayCard(seat, card, PlayedBy.PLAN))


def card_due(table: Table, seat: Seat, aways: Aways) -> Card | None:
    """The card that the person of *seat* has planned for the turn under way, if it is theirs."""
    game, chair = table.game, table.chairs[seat]
    if game is None or game.phase is not Phase.PLAYING or not isinstance(chair, Human):
        return None
    planned, forced = table.plans.get(seat, ()), aways.get(chair.user_id, PRESENT).plays_forced
    if not (planned or forced) or seat not in to_move(game):
        return None
    return _next(planned, seat_view(game, seat), forced=forced)


def about_to_fall(view: HandView) -> Card | None:
    """The card that is played in a moment for the person who sees *view*, if nothing changes."""
    table = view.table
    plays = table.status is Status.PLAYING and not table.agreed_pause
    if view.hand is None or view.robot_sits_in or not plays:
        return None
    return _next(view.plans, view.hand, forced=view.plays_forced)


def still_standing(
    game: Game, before: Mapping[Seat, tuple[Plan, ...]], seat: Seat
) -> Mapping[Seat, tuple[Plan, ...]]:
    """The plans that can still do something, after *seat* has played a card of *game*."""
    if seat not in before or game.deal is None:
        return before
    view = seat_view(game, seat)
    left = tuple(plan for plan in before[seat] if not plans.is_void(plan, view))
    return with_plans(before, seat, left)


def with_plans(
    before: Mapping[Seat, tuple[Plan, ...]], seat: Seat, after: Sequence[Plan]
) -> Mapping[Seat, tuple[Plan, ...]]:
    """The plans of all seats, those of *seat* exchanged."""
    others = {each: planned for each, planned in before.items() if each != seat}
    return FrozenMap({**others, seat: tuple(after)} if after else others)


def _next(planned: Sequence[Plan], view: SeatView, *, forced: bool) -> Card | None:
    """The card for the turn of *view*; with *forced*, also one that is the only one."""
    return plans.next_card((*planned, *([plans.AllForced()] if forced else [])), view)


def _check_held(game: Game, seat: Seat, plan: Plan) -> None:
    held = game.deal.hands[seat] if game.deal else frozenset()
    if isinstance(plan, OneCard) and plan.card not in held:
        raise IllegalMoveError(Reason.NOT_IN_HAND, card=plan.card)
