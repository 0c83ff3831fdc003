"""From a table to what people may see of it. Pure, and the only way out of the room."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from bot.rules.cards import Seat
from bot.rules.claims import Claim, known_rest
from bot.rules.view import public_view, seat_view
from bot.table import catching_up, lobby, sealing, votes
from bot.table.ids import Human, MessageId, Robot, UserId
from bot.table.seating import own_seat
from bot.table.state import Status, Table
from bot.table.storing import PersonSettings, TableRow, Timer, TimerKind
from bot.table.timers import DEADLINES
from bot.table.views import Absent, HandView, TableLine, TableView


def everybody(table: Table) -> tuple[UserId, ...]:
    """All people whose names a view of *table* may need, each once."""
    owners = (lobby.owner(chair) for chair in table.chairs)
    people = (table.host, *owners, *table.invited)
    return tuple(dict.fromkeys(person for person in people if person is not None))


def table_view(
    table: Table,
    *,
    version: int,
    timers: Sequence[Timer],
    names: Mapping[UserId, str],
    newest_message: MessageId | None,
    away: tuple[Absent, ...] = (),
) -> TableView:
    """What everybody may know of *table*, which has *version* events and these *timers*."""
    view = TableView(
        id=table.id,
        guild_id=table.guild_id,
        channel_id=table.channel_id,
        host=table.host,
        status=table.status,
        ruleset=table.ruleset,
        seats=len(table.chairs),
        clock=table.clock,
        chairs=table.chairs,
        invited=table.invited,
        names=names,
        game=None if table.game is None else public_view(table.game),
        deadlines=_deadlines(timers),
        time_up=_time_up(timers),
        newest_message=newest_message,
        version=version,
        banks=table.banks,
        away=away,
    )
    return _with_agreements(replace(view, ends_at=_ends_at(timers)), table)


def hand_view(table: Table, view: TableView, user_id: UserId, settings: PersonSettings) -> HandView:
    """What one seated person is shown in private; *view* is the view of the same *table*.

    Raises:
        NotSeatedError: the person has no seat.
    """
    seat = own_seat(table, user_id)
    return HandView(
        table=view,
        user_id=user_id,
        seat=seat,
        hand=None if table.game is None else seat_view(table.game, seat),
        robot_sits_in=isinstance(table.chairs[seat], Robot),
        confirm_cards=settings.confirm_cards,
        plays_forced=settings.plays_forced,
        plans=table.plans.get(seat, ()),
        claim=_claim(table, seat),
        missed=None if table.game is None else catching_up.missed(table, table.game, user_id),
    )


def table_line(
    table: Table,
    row: TableRow,
    reader: UserId | None,
    *,
    timers: Sequence[Timer] = (),
    names: Mapping[UserId, str],
) -> TableLine:
    """One line of a list of tables, as *reader* sees it; ``None``: nobody in particular."""
    game = None if table.game is None else public_view(table.game)
    seat = None if reader is None else lobby.seat_of(reader, table.chairs)
    plays = table.status is Status.PLAYING and not table.agreed_pause
    sits = seat is not None and isinstance(table.chairs[seat], Human)
    your_turn = plays and sits and game is not None and seat in game.waiting
    return TableLine(
        id=table.id,
        guild_id=table.guild_id,
        channel_id=table.channel_id,
        status=table.status,
        title=table.ruleset.title,
        your_turn=your_turn,
        deal=0 if game is None else game.deal,
        newest_message=row.newest_message,
        seat=seat,
        robot_sits_in=seat is not None and not sits,
        deadline=_deadlines(timers).get(seat) if your_turn and seat is not None else None,
        agreed_pause=table.agreed_pause,
        chairs=table.chairs,
        names=names,
        game=game,
    )


def bare_line(row: TableRow) -> TableLine:
    """One line for a table that cannot be read; it can still be found and ended."""
    return TableLine(
        id=row.table_id,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        status=Status(row.status),
        title=row.title,
        your_turn=False,
        deal=0,
        newest_message=row.newest_message,
    )


def _with_agreements(view: TableView, table: Table) -> TableView:
    """The same view, with what people agreed on, what they are asked, and what was sealed."""
    still_open = tuple(vote for vote in table.votes if not votes.is_stale(vote.subject, table))
    return replace(
        view,
        surfaced=table.surfaced,
        agreed_pause=table.agreed_pause,
        votes=still_open,
        claim=_claim(table, None),
        claims_itself=table.claims_itself,
        seals=table.seals,
        next_deal=sealing.next_deal(table.game),
        cut_by=sealing.cutters(table),
        reveals=table.reveals,
    )


def _claim(table: Table, seat: Seat | None) -> Claim | None:
    """Why the deal could be ended now, as far as a seat, or everybody, can know it."""
    plays = table.status is Status.PLAYING and not table.agreed_pause
    return known_rest(table.game, seat) if plays and table.game is not None else None


def _time_up(timers: Sequence[Timer]) -> datetime | None:
    times = (timer for timer in timers if timer.kind is TimerKind.GAME_TIME)
    return next((timer.due_at for timer in times if not timer.moment), None)


def _ends_at(timers: Sequence[Timer]) -> datetime | None:
    return next((timer.due_at for timer in timers if timer.kind is TimerKind.PLACE_LOST), None)


def _deadlines(timers: Sequence[Timer]) -> Mapping[Seat, datetime]:
    return {timer.seat: timer.due_at for timer in timers if timer.kind in DEADLINES}
