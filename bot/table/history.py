"""A table changes: events in, a new table out. Pure; stored histories are compared as they run."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import assert_never

from bot.rules import commands as game_commands
from bot.rules import events as game_events
from bot.rules import legal
from bot.rules.cards import Seat
from bot.rules.commands import PlayedBy
from bot.rules.decide import decide as decide_game
from bot.rules.decide import new_game
from bot.rules.errors import HeartsError
from bot.rules.evolve import evolve as evolve_game
from bot.rules.frozen import FrozenMap
from bot.rules.state import Game
from bot.table import banks, catching_up, events, planning, polling, sealing
from bot.table.ballots import ChangeClock
from bot.table.ids import Human, Occupant, UserId, is_former
from bot.table.lobby import owner
from bot.table.moments import turn
from bot.table.state import Status, Table
from bot.table.storing import StoredEvent


def opened(event: events.TableOpened) -> Table:
    """The table right after it was opened, with nobody on its chairs."""
    return Table(
        id=event.table,
        guild_id=event.guild_id,
        channel_id=event.channel_id,
        host=event.host,
        status=Status.LOBBY,
        ruleset=event.ruleset,
        clock=event.clock,
        chairs=(None,) * event.seats,
        # No chair is kept for somebody who is forgotten.
        invited=tuple(person for person in event.invited if not is_former(person)),
        game=None,
        claims_itself=event.claims_itself,
        seals=FrozenMap({1: event.seal} if event.seal else {}),
    )


def evolve(table: Table, event: events.TableEvent, by: UserId | None) -> Table:
    """The table after one more event, which *by* caused; ``None``: a robot or the clock did."""
    match event:
        case events.SeatTaken(seat, occupant):
            return replace(_seated(table, seat, occupant), last_actor=by)
        case events.SeatHandedOver(seat, occupant):
            return replace(_changed_hands(table, seat, occupant), last_actor=by)
        case events.SubstituteSat():
            return _substituted(table, event, by)
        case events.SeatLeft(seat):
            return _left(table, seat)
        case events.RulesChosen(ruleset):
            return replace(table, ruleset=ruleset, last_actor=by)
        case events.GameStarted():
            return _started(table, event, by)
        case (
            game_events.DealBegan()
            | game_events.CardsPassed()
            | game_events.CardPlayed()
            | game_events.MoonSettled()
            | game_events.LastDealCalled()
            | game_events.DealScored()
            | game_events.GameEnded()
        ):
            return _played(table, event, by)
        case _:
            return _among_people(table, event, by)


_Vote = events.VoteCalled | events.VoteCast | events.VoteSettled
_Agreement = (
    events.PersonRemoved
    | events.PersonInvited
    | events.PauseAgreed
    | events.PauseEnded
    | events.ClockChanged
    | events.TableMoved
)
_Around = (
    events.TableOpened
    | events.HostChanged
    | events.BankDrawn
    | events.PostSurfaced
    | events.TablePaused
    | events.TableResumed
    | events.TableClosed
)


def _among_people(
    table: Table,
    event: _Vote | _Agreement | _Around | events.PlansMade | sealing.Fair,
    by: UserId | None,
) -> Table:
    if isinstance(event, _Vote):
        return polling.evolve(table, event, by)
    if isinstance(event, _Agreement):
        return _agreed(table, event)
    if isinstance(event, sealing.Fair):
        return sealing.evolve(table, event, by)
    if isinstance(event, events.PlansMade):
        return replace(table, plans=planning.with_plans(table.plans, event.seat, event.plans))
    return _around(table, event)


def _agreed(table: Table, event: _Agreement) -> Table:
    """What votes or single people decide for the whole table."""
    match event:
        case events.PersonRemoved(seat, user_id):
            former = table.former | {(seat, user_id)}
            return replace(table, former=former, removed=table.removed | {user_id})
        case events.PersonInvited(user_id):
            return replace(table, removed=table.removed - {user_id})
        case events.PauseAgreed():
            return replace(table, agreed_pause=True)
        case events.PauseEnded():
            # Who was here before a pause need not be here after it.
            return replace(table, agreed_pause=False, last_actor=None)
        case events.TableMoved(channel_id):
            return replace(table, channel_id=channel_id)
        case events.ClockChanged(clock):
            exchanged = (banks.exchanged(table.clock, clock, bank) for bank in table.banks)
            # Else one called under this clock would come back, should the table return to it.
            votes = (vote for vote in table.votes if not isinstance(vote.subject, ChangeClock))
            return replace(table, clock=clock, banks=tuple(exchanged), votes=tuple(votes))
        case _:
            assert_never(event)


def _around(table: Table, event: _Around) -> Table:
    match event:
        case events.HostChanged(host):
            return replace(table, host=host)
        case events.BankDrawn(seat, milliseconds):
            left = table.banks[seat] - timedelta(milliseconds=milliseconds)
            return replace(table, banks=_with_bank(table, seat, left))
        case events.PostSurfaced():
            return replace(table, surfaced=table.surfaced + 1)
        case events.TablePaused():
            return replace(table, status=Status.PAUSED)
        case events.TableResumed():
            status = Status.LOBBY if table.game is None else Status.PLAYING
            return replace(table, status=status, last_actor=None)
        case events.TableClosed(reason):
            return replace(table, status=Status.CLOSED, closed_because=reason)
        case events.TableOpened():
            raise ValueError(f"{table.id} was opened twice")
        case _:
            assert_never(event)


def _seated(table: Table, seat: int, occupant: Occupant | None) -> Table:
    chairs = (*table.chairs[:seat], occupant, *table.chairs[seat + 1 :])
    return replace(table, chairs=chairs)


def _substituted(table: Table, event: events.SubstituteSat, by: UserId | None) -> Table:
    gone = frozenset() if event.instead_of is None else {(event.seat, event.instead_of)}
    seated = _changed_hands(table, event.seat, Human(event.user_id))
    return replace(seated, last_actor=by, former=table.former | gone)


def _changed_hands(table: Table, seat: Seat, occupant: Occupant) -> Table:
    """Votes were called, and plans made, by those who sat there until now, so they lapse."""
    return replace(
        _seated(table, seat, occupant),
        missed=table.missed - {seat},
        votes=(),
        plans=planning.with_plans(table.plans, seat, ()),
    )


def _left(table: Table, seat: int) -> Table:
    """No chair is kept any more for somebody invited who sat down and stood up again."""
    chair = table.chairs[seat]
    gone = chair.user_id if isinstance(chair, Human) else None
    invited = tuple(person for person in table.invited if person != gone)
    return replace(_seated(table, seat, None), invited=invited)


def _started(table: Table, event: events.GameStarted, by: UserId | None) -> Table:
    return replace(
        table,
        status=Status.PLAYING,
        ruleset=event.ruleset,
        chairs=event.chairs,
        game=new_game(event.ruleset, len(event.chairs), event.first_dealer),
        last_actor=by,
        banks=(banks.full(table.clock),) * len(event.chairs),
    )


def _with_bank(table: Table, seat: Seat, bank: timedelta) -> tuple[timedelta, ...]:
    return (*table.banks[:seat], bank, *table.banks[seat + 1 :])


def _played(table: Table, event: game_events.Event, by: UserId | None) -> Table:
    if table.game is None:
        raise ValueError(f"{table.id} has no game yet")
    game = evolve_game(table.game, event)
    marks = catching_up.marked(table, event, by, game)
    after = replace(table, game=game, banks=_topped_up(table, event), marks=marks)
    match event:
        case game_events.CardPlayed():
            return _card_played(table, table.game, after, event, by)
        case game_events.CardsPassed() | game_events.MoonSettled():
            return _moved(after, event.seat, by)
        case game_events.GameEnded():
            return replace(after, status=Status.OVER)
        case game_events.DealBegan():
            return replace(after, votes=(), plans=FrozenMap({}), words=FrozenMap({}))
        case game_events.DealScored() | game_events.LastDealCalled():
            return after
        case _:
            assert_never(event)


def _card_played(
    table: Table, game: Game, after: Table, event: game_events.CardPlayed, by: UserId | None
) -> Table:
    seat, now = event.seat, after.game or game
    after = replace(after, plans=planning.still_standing(now, table.plans, seat))
    match event.by:
        case PlayedBy.CLAIM:
            leads = game.deal and game.deal.trick and not game.deal.trick.plays
            claimed = after.claimed | ({game.trick_number} if leads else frozenset())
            # Whoever agreed last is here.
            return replace(after, claimed=claimed, last_actor=by or after.last_actor)
        case PlayedBy.PLAN:
            # As a press: a call that comes after a plan alone would tell of it.
            planner = owner(table.chairs[seat])
            return replace(after, last_actor=planner, missed=table.missed - {seat})
        case PlayedBy.CLOCK:
            late = table.late_cards | {(turn(game), seat)}
            return replace(_moved(after, seat, by), last_actor=by, late_cards=late)
        case PlayedBy.HAND | PlayedBy.ROBOT:
            return _moved(after, seat, by)


def _moved(after: Table, seat: Seat, by: UserId | None) -> Table:
    """A robot's move takes seconds: whoever moved before it is still here."""
    return replace(after, last_actor=by or after.last_actor, missed=_missed(after, seat, by))


def _topped_up(table: Table, event: game_events.Event) -> tuple[timedelta, ...]:
    """Each move in a person's seat puts a little back; to choose a pass anew is no move."""
    moves = game_events.CardPlayed | game_events.CardsPassed | game_events.MoonSettled
    if table.game is None or not isinstance(event, moves) or _is_claimed(event):
        return table.banks
    seat = event.seat
    if not isinstance(table.chairs[seat], Human) or seat not in legal.to_move(table.game):
        return table.banks
    return _with_bank(table, seat, banks.topped_up(table.clock, table.banks[seat]))


def _is_claimed(event: game_events.Event) -> bool:
    return isinstance(event, game_events.CardPlayed) and event.by is PlayedBy.CLAIM


def _missed(table: Table, seat: Seat, by: UserId | None) -> frozenset[Seat]:
    """Nobody moves in a person's seat but the person and, after the deadline, the clock."""
    is_late = by is None and isinstance(table.chairs[seat], Human)
    return table.missed | {seat} if is_late else table.missed - {seat}


DAMAGE = (HeartsError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What may be raised where stored events are read, or replayed, that are not as they were written.
The words of these may quote cards."""


def is_whole(stored: Sequence[StoredEvent], version: int) -> bool:
    """Whether all events of a table at *version* are there, in order."""
    return [entry.seq for entry in stored] == list(range(1, version + 1))


@dataclass(frozen=True, slots=True)
class Past:
    """What a stored history leads to."""

    table: Table
    fault: str | None
    """Where it stops to follow the rules. From an event that cannot be carried out the game
    stands still; whatever happened around it, as that somebody ended it, still counts."""


def replay(stored: Sequence[StoredEvent]) -> Past:
    """Rebuild a table from all its events, and compare the results that they hold.

    Raises:
        ValueError: the first event opens no table.
    """
    first = stored[0].event
    if not isinstance(first, events.TableOpened):
        raise ValueError(f"the first event is {type(first).__name__}")  # noqa: TRY004  a fault of data, not of a caller
    table, fault, stuck = opened(first), None, False
    for place, entry in enumerate(stored[1:], 1):
        if stuck and isinstance(entry.event, game_events.Event):
            continue
        try:
            fault = fault or _difference(table, stored, place)
            table = evolve(table, entry.event, entry.cause.user_id)
        except (HeartsError, ArithmeticError, LookupError, TypeError, ValueError) as error:
            fault, stuck = fault or f"event {entry.seq}: {error}", True
    return Past(table, fault)


def _difference(table: Table, stored: Sequence[StoredEvent], place: int) -> str | None:
    """How the results stored after a move differ from what the rules make of it today."""
    move = _command(stored[place].event)
    results = _results_after(stored, place)
    if move is None or table.game is None or not results:
        return None
    today = decide_game(table.game, move)[1:]
    if today == results:
        return None
    return f"event {stored[place].seq + 1}: stored {results} but the rules say {today}"


def _results_after(stored: Sequence[StoredEvent], place: int) -> tuple[game_events.Event, ...]:
    """The results that stand right behind an event: two at most, the deal's and the game's."""
    found: list[game_events.Event] = []
    for entry in stored[place + 1 : place + 3]:
        if not isinstance(entry.event, game_events.DealScored | game_events.GameEnded):
            break
        found.append(entry.event)
    return tuple(found)


def _command(event: events.TableEvent) -> game_commands.Command | None:
    """What was asked for by a move that may end a deal; ``None`` for any other event."""
    if isinstance(event, game_events.CardPlayed):
        return game_commands.PlayCard(event.seat, event.card, event.by)
    if isinstance(event, game_events.MoonSettled):
        return game_commands.SettleMoon(event.seat, event.payoff)
    if isinstance(event, game_events.LastDealCalled):
        return game_commands.CallLastDeal()
    return None
