"""A table decides: commands in, events out. Pure; `bot.table.history` carries the events out."""

from dataclasses import replace
from typing import assert_never

from bot.rules import commands as game_commands
from bot.rules.cards import Seat
from bot.rules.commands import PlayedBy
from bot.rules.decide import decide as decide_game
from bot.rules.dimensions import OpenCount
from bot.rules.state import Game
from bot.table import commands, events, lobby, planning, ruling, sealing, seating, voting
from bot.table.errors import (
    AlreadySeatedError,
    CallHostError,
    LastDealCalledError,
    NoCallError,
    NotHostError,
    NotOneOfUsError,
    RobotHostError,
    RobotSitsInError,
    StaleClickError,
    TablePausedError,
    TooFewPlayersError,
    WrongPhaseError,
)
from bot.table.ids import Human, Robot, UserId
from bot.table.moments import moment, turn
from bot.table.seat_errors import PausedError, SamePlaceError
from bot.table.seating import STAND_IN_LEVEL, Decision
from bot.table.state import LIVE, Status, Table


def decide(table: Table, command: commands.Command) -> Decision:
    """What happens at *table* if *command* is carried out now; nothing is changed by it.

    Deals that become due are not among the events: `bot.table.dealing` adds them.

    Raises:
        IllegalMoveError: the rules forbid the move.
        TableError: this person may not do that, or not now.
    """
    match command:
        case commands.Join() | commands.AddRobot() | commands.RemoveRobot() | commands.Start():
            return _in_lobby(table, command)
        case commands.ChooseRule() | commands.RestoreRules():
            return ruling.decide(table, command)
        case commands.PassCards() | commands.PlayCard() | commands.SettleMoon():
            return _by_hand(table, command)
        case commands.MakePlan() | commands.DropPlan():
            seat, game = _at_play(table, command.user_id)
            return planning.decide(table, game, seat, command)
        case commands.StandIn() | commands.CarryOutPlan():
            return _by_itself(table, command)
        case commands.CutDeck():
            return sealing.decide(table, command)
        case commands.CallLastDeal() | commands.TimeUp():
            return _last_deal(table, command)
        case _:
            return _among_people(table, command)


def _among_people(
    table: Table, command: commands.ChairCommand | commands.VoteCommand | commands.WholeCommand
) -> Decision:
    if isinstance(command, commands.ChairCommand):
        return seating.decide(table, command)
    if isinstance(command, commands.VoteCommand):
        return voting.decide(table, command)
    return _of_the_whole(table, command)


def _in_lobby(table: Table, command: commands.LobbyCommand) -> Decision:
    seated = lobby.seat_of(command.user_id, table.chairs) is not None
    if isinstance(command, commands.Join) and seated:
        raise AlreadySeatedError
    _require(table, Status.LOBBY)
    match command:
        case commands.Join(user_id):
            seat = lobby.chair_for(user_id, table.chairs, table.invited)
            return (events.SeatTaken(seat, Human(user_id)),)
        case commands.AddRobot(_, level):
            _require_host(table, command.user_id)
            robot = Robot(level or lobby.newest_level(table.chairs) or STAND_IN_LEVEL)
            return (events.SeatTaken(lobby.free_chair(table.chairs), robot),)
        case commands.RemoveRobot():
            _require_host(table, command.user_id)
            return (events.SeatLeft(lobby.last_robot(table.chairs)),)
        case commands.Start():
            if not seated:
                raise NotOneOfUsError
            return _start(table, command.dealer)
        case _:
            assert_never(command)


def _start(table: Table, dealer: float) -> Decision:
    chairs = tuple(chair for chair in table.chairs if chair is not None)
    if len(chairs) < len(table.chairs):
        raise TooFewPlayersError
    first_dealer = Seat(int(dealer * len(chairs)))
    return (events.GameStarted(table.ruleset, chairs, first_dealer),)


def _by_hand(table: Table, command: commands.HandCommand) -> Decision:
    seat, game = _at_play(table, command.user_id)
    if _seen(command) != _now(game, command):
        raise StaleClickError
    return decide_game(game, _move(command, seat))


def _at_play(table: Table, user_id: UserId) -> tuple[Seat, Game]:
    """The seat in which a person plays, and the game."""
    seat = seating.own_seat(table, user_id)
    if table.status is not Status.PAUSED:
        _require(table, Status.PLAYING)
    if isinstance(table.chairs[seat], Robot):
        raise RobotSitsInError
    _require(table, Status.PLAYING)
    if table.agreed_pause:
        raise PausedError
    return seat, _game(table)


def _move(command: commands.HandCommand, seat: Seat) -> game_commands.Command:
    match command:
        case commands.PassCards(_, cards):
            return game_commands.PassCards(seat, cards)
        case commands.PlayCard(_, card):
            return game_commands.PlayCard(seat, card)
        case commands.SettleMoon(_, payoff):
            return game_commands.SettleMoon(seat, payoff)
        case _:
            assert_never(command)


def _seen(command: commands.HandCommand) -> int:
    match command:
        case commands.PlayCard(_, _, seen) | commands.PassCards(_, _, seen):
            return seen
        case commands.SettleMoon(_, _, seen):
            return seen
        case _:
            assert_never(command)


def _now(game: Game, command: commands.HandCommand) -> int:
    """The turn for a card, the deal for all else.

    A pass that comes too late within its deal is not stale: the rules have a better word for it.
    """
    if isinstance(command, commands.PlayCard):
        return turn(game)
    return game.deal.number if game.deal else 0


def _by_itself(table: Table, command: commands.StandIn | commands.CarryOutPlan) -> Decision:
    is_over = table.status is not Status.PLAYING or moment(_game(table)) != command.moment
    if is_over or table.agreed_pause:
        raise StaleClickError
    if isinstance(command, commands.CarryOutPlan):
        return planning.carry_out(table, _game(table), command)
    return _by_robot(table, command)


def _by_robot(table: Table, command: commands.StandIn) -> Decision:
    seat, chair = command.seat, table.chairs[command.seat]
    match chair:
        case Human(user_id) if command.late:
            before = seating.hand_over(table, seat, user_id) if seat in table.missed else ()
        case Robot() if not command.late:
            before = ()
        case _:
            raise StaleClickError
    move = command.move
    if isinstance(move, game_commands.PlayCard):
        by = PlayedBy.CLOCK if command.late else PlayedBy.ROBOT
        move = replace(move, by=by)
    return (*before, *decide_game(_game(table), move))


def _last_deal(table: Table, command: commands.LastDealCommand) -> Decision:
    _require(table, Status.PLAYING)
    game = _game(table)
    if isinstance(command, commands.CallLastDeal):
        _check_call(table, game, command)
    return decide_game(game, game_commands.CallLastDeal())


def _check_call(table: Table, game: Game, call: commands.CallLastDeal) -> None:
    """Whoever calls by mistake, or twice, ends nothing."""
    if call.user_id != table.host:
        raise CallHostError
    if not isinstance(game.ruleset.end, OpenCount):
        raise NoCallError
    if game.last_deal:
        raise LastDealCalledError
    if game.deal is None or game.deal.number != call.seen_deal:
        raise StaleClickError


def _of_the_whole(table: Table, command: commands.WholeCommand) -> Decision:
    live = table.status in LIVE
    paused = table.status is Status.PAUSED
    match command:
        case commands.Surface():
            return _surface(table)
        case commands.End():
            return _end(table, command)
        case commands.MoveTable():
            return _move_table(table, command)
        case commands.Close(reason):
            return (events.TableClosed(reason),) if live else ()
        case commands.Forget(user_id):
            return seating.forget(table, user_id)
        case commands.Pause(reason, lost):
            stands_there = lost in {None, table.channel_id}
            return (events.TablePaused(reason),) if live and not paused and stands_there else ()
        case commands.Resume():
            return (events.TableResumed(),) if paused else ()
        case _:
            assert_never(command)


def _surface(table: Table) -> Decision:
    if table.status not in LIVE:
        raise WrongPhaseError
    paused = table.status is Status.PAUSED
    return (*((events.TableResumed(),) if paused else ()), events.PostSurfaced())


def _end(table: Table, command: commands.End) -> Decision:
    if table.status not in LIVE:
        raise WrongPhaseError
    if command.user_id == table.host:
        return (events.TableClosed("host"),)
    if command.moderator:
        return (events.TableClosed("moderator"),)
    raise NotHostError


def _move_table(table: Table, command: commands.MoveTable) -> Decision:
    """A table that waited for its place goes on in the new one."""
    if table.status not in LIVE:
        raise WrongPhaseError
    seating.demand_host(table, command)
    if command.channel_id == table.channel_id:
        raise SamePlaceError
    moved = events.TableMoved(command.channel_id, table.channel_id)
    return (moved, events.TableResumed()) if table.status is Status.PAUSED else (moved,)


def _require(table: Table, status: Status) -> None:
    if table.status is Status.PAUSED:
        raise TablePausedError
    if table.status is not status:
        raise WrongPhaseError


def _require_host(table: Table, user_id: UserId) -> None:
    if user_id != table.host:
        raise RobotHostError


def _game(table: Table) -> Game:
    if table.game is None:
        raise WrongPhaseError
    return table.game
