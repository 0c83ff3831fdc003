"""What a simulated month has to hold, each promise looked up in what was written down of it.

Nothing here asks the bot: the events say who was waited for and who moved, `month_reckoning` says
when that was too late or unwelcome, and the recorded messages say what people heard.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.cli import month_reckoning
from bot.cli.month_record import Called, Chronicle, Fired, TableEnd
from bot.cli.month_waits import Over, Told, Wait, waits
from bot.rules.cards import Hand
from bot.rules.decide import new_game
from bot.rules.events import CardPlayed, CardsPassed, Event, MoonSettled
from bot.rules.evolve import evolve
from bot.rules.view import public_view
from bot.table import history
from bot.table.events import GameStarted, TableEvent
from bot.table.ids import Human, InteractionId, TableId, UserId
from bot.table.posting import DESERTED, VOTE
from bot.table.state import Status
from bot.table.storing import PersonSettings, Reminders, StoredEvent, TimerKind
from bot.table.views import TableView

LATE = timedelta(seconds=5)
"""How late something may be that is due by itself."""
_EXACT = timedelta(milliseconds=5)
"""How far two reckonings of one moment may lie apart: stores keep milliseconds."""
_ROBOT_THINKS = timedelta(seconds=5)
"""The longest that a robot waits before it moves."""
_CALL_AFTER = timedelta(seconds=3)
_PLAN_RESTS = timedelta(minutes=6)
"""Longer than a planned card ever lets the others wait."""
_IDLE_LOBBY = timedelta(hours=2)
_DESERTED_AFTER = timedelta(days=3)
_MOVES = (TimerKind.DEADLINE, TimerKind.MOON, TimerKind.ROBOT)
_OUTAGE = ("I was not there for {length}",)
_BUGS = frozenset({"IllegalMoveError", "TableBrokenError", "TablePausedError", "HeartsError"})
"""Refusals that nobody gives cause for who does only what was offered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A month with what follows from its events."""

    chronicle: Chronicle
    waits: Mapping[TableId, Sequence[Wait]]

    @property
    def told(self) -> Told:
        """The same, to be asked when somebody is late."""
        return Told(self.chronicle)

    def of_people(self) -> Iterator[Wait]:
        """All waits for people."""
        for found in self.waits.values():
            yield from (wait for wait in found if wait.user_id is not None)


def evidence(chronicle: Chronicle) -> Evidence:
    """Read the events of all tables."""
    found = {table_id: waits(chronicle, table_id) for table_id in chronicle.tables}
    return Evidence(chronicle=chronicle, waits=found)


def deadlines(known: Evidence) -> Iterator[str]:
    """Whoever is late is moved for within five seconds, nobody sooner, and each of them once."""
    for wait in known.of_people():
        end = wait.until or known.chronicle.ends_at
        due = known.told.due(wait, end)
        if wait.over is Over.CLOCK and due is None:
            yield f"{_said(wait)} was moved for although no time ran"
        elif wait.over is Over.CLOCK and due is not None and end < due - _EXACT:
            yield f"{_said(wait)} was moved for at {end}, before the deadline {due}"
        elif due is not None and end > _latest(known.told, wait, due) + LATE:
            yield f"{_said(wait)} lasted until {end}, though the deadline was {due}"


def _latest(told: Told, wait: Wait, due: datetime) -> datetime:
    """When a deadline can first be seen: not before it was chosen, nor while nobody is there."""
    chosen = told.chose_within(wait)
    back = [outage.ended_at for outage in told.outages(wait)]
    return max([due, *back, *([chosen] if chosen else [])])


def timers(known: Evidence) -> Iterator[str]:
    """Each timer goes off once and in time."""
    fired = Counter(each.timer for each in known.chronicle.fired)
    yield from (f"{timer} went off {times} times" for timer, times in fired.items() if times > 1)
    back = [outage.ended_at for outage in known.chronicle.outages]
    for each in known.chronicle.fired:
        if each.at - each.timer.due_at > LATE and each.at not in [*back, *_chosen(known, each)]:
            yield f"{each.timer} went off at {each.at}"


def _chosen(known: Evidence, fired: Fired) -> Iterator[datetime]:
    """When the person of a timer chose other hours: what that makes due in the past is due then."""
    for wait in known.waits.get(fired.timer.table_id, ()):
        if wait.user_id is not None and wait.seat == fired.timer.seat:
            yield from (when for when, _ in known.chronicle.chosen.get(wait.user_id, ()))


def reminders(known: Evidence) -> Iterator[str]:
    """Each reminder is given once, unless the person moves before it; and so is the call itself."""
    by_wait = _calls_by_wait(known)
    for chain in _chains(known):
        heard = [call for wait in chain for call in by_wait[wait]]
        times = Counter(call.ping.reminder for call in heard)
        reminded = {wait: any(call.ping.reminder for call in by_wait[wait]) for wait in chain}
        times[0] -= sum(wait.takes_call_back(reminded=after) for wait, after in reminded.items())
        yield from (
            f"{_said(chain[0])} was called {many} times by reminder {number}"
            for number, many in times.items()
            if many > 1
        )
        if len(chain) == 1:
            yield from _missing(known, chain[0], {call.ping.reminder: call.at for call in heard})
    yield from (f"{_call(call)} came when nobody waited" for call in _astray(known, by_wait))


def _missing(known: Evidence, wait: Wait, heard: Mapping[int, datetime]) -> Iterator[str]:
    """Calls that were due and did not come, of a wait in which nothing else happened."""
    told, end = known.told, wait.until or known.chronicle.ends_at
    person = told.settings(_the_person(wait), wait.since)
    if wait.planned and person.reminders is Reminders.DIRECT:
        # Nobody is called in private for a card that is about to fall by itself.
        end -= _PLAN_RESTS
    if told.chose_within(wait) or told.outages(wait) or person.reminders is Reminders.OFF:
        return
    due = told.due(wait, wait.until or known.chronicle.ends_at)
    wanted = month_reckoning.reminders(person, wait.since, due) if due else {}
    for number, at in wanted.items():
        if at + LATE < end and not at - _EXACT <= heard.get(number, end) <= at + LATE:
            yield f"{_said(wait)} got reminder {number} at {heard.get(number)}, not {at}"
    yield from _uncalled(wait, person, heard, end)


def _uncalled(
    wait: Wait, person: PersonSettings, heard: Mapping[int, datetime], end: datetime
) -> Iterator[str]:
    """Somebody else's move brings a call, the own one does not."""
    if wait.called_from is None:
        if 0 in heard:
            yield f"{_said(wait)} was called right after the own move"
        return
    first = month_reckoning.welcome_from(person, wait.called_from + _CALL_AFTER)
    if first + LATE < end and not heard:
        yield f"{_said(wait)} was never called, though that was welcome from {first}"
    if 0 in heard and heard[0] < wait.called_from + _CALL_AFTER - _EXACT:
        yield f"{_said(wait)} was called at {heard[0]}, before others had moved"


def welcome(known: Evidence) -> Iterator[str]:
    """Nobody is called in quiet hours or on vacation, nor otherwise than chosen."""
    for call in known.chronicle.called:
        person = known.told.settings(call.ping.user_id, call.at)
        if month_reckoning.is_quiet(person, call.at):
            yield f"{_call(call)} came in the quiet hours of {person.zone}"
        if month_reckoning.is_away(person, call.at):
            yield f"{_call(call)} came in a vacation"
        if person.reminders is Reminders.OFF:
            yield f"{_call(call)} came to somebody who wants none"
        if call.direct and person.reminders is not Reminders.DIRECT:
            yield f"{_call(call)} came as a direct message that nobody asked for"
        if call.manner.silent is not (person.reminders is Reminders.SILENT):
            yield f"{_call(call)} was {'silent' if call.manner.silent else 'loud'}"


def moves(known: Evidence) -> Iterator[str]:
    """Each move that was acknowledged is stored, once, as it was made."""
    stored: dict[InteractionId, list[tuple[TableId, StoredEvent]]] = {}
    for table_id, end in known.chronicle.tables.items():
        for entry in end.stored:
            if entry.cause.interaction_id is not None:
                stored.setdefault(entry.cause.interaction_id, []).append((table_id, entry))
    for move in known.chronicle.acknowledged:
        found = stored.get(move.interaction_id, [])
        commit = [
            _cards(other.event)
            for table_id, entry in found
            for other in known.chronicle.tables[table_id].stored[entry.seq - 1 : entry.seq + 1]
        ]
        if len(found) != 1 or found[0][0] != move.table_id:
            yield f"{move.table_id}: press {move.interaction_id} is stored {len(found)} times"
        elif move.cards not in commit or found[0][1].cause.user_id != move.user_id:
            yield f"{move.table_id}: press {move.interaction_id} is stored as something else"


def histories(known: Evidence) -> Iterator[str]:
    """What is stored replays to what was believed, by the table and by the rules alone."""
    for table_id, end in known.chronicle.tables.items():
        yield from (f"{table_id}: {fault}" for fault in _replay_faults(end))
    for each in known.chronicle.remembered:
        if _rounded(each.before) != _rounded(each.after):
            yield f"{each.before.id} was another table after the restart at {each.at}"


def _replay_faults(end: TableEnd) -> Iterator[str]:
    past = history.replay(end.stored)
    game, view = past.table.game, end.view
    if past.fault is not None:
        yield past.fault
    believed = (view.chairs, view.status, view.host, view.clock, view.banks, view.version)
    table = past.table
    if believed != (
        table.chairs,
        table.status,
        table.host,
        table.clock,
        table.banks,
        len(end.stored),
    ):
        yield "the stored table is not the one that was believed"
    if (public_view(game) if game else None) != view.game:
        yield "the stored game is not the one that was believed"
    began = [entry.event for entry in end.stored if isinstance(entry.event, GameStarted)]
    if game is None or not began:
        return
    fresh = new_game(began[0].ruleset, len(began[0].chairs), began[0].first_dealer)
    for entry in end.stored:
        if isinstance(entry.event, Event):
            fresh = evolve(fresh, entry.event)
    if fresh != game:
        yield "the rules alone make another game of its moves"


def going_on(known: Evidence) -> Iterator[str]:
    """No table is stuck: who is waited for has a timer, robots move, and what is left ends."""
    for table_id, found in known.waits.items():
        for wait in found:
            if wait.user_id is None and _length(known, wait) > _ROBOT_THINKS + LATE:
                yield f"{_said(wait)} lasted from {wait.since} to {wait.until}"
        yield from _stuck_at_end(known, table_id)


def _stuck_at_end(known: Evidence, table_id: TableId) -> Iterator[str]:
    end, ends_at = known.chronicle.tables[table_id], known.chronicle.ends_at
    view, last = end.view, end.stored[-1].cause.at
    rest = ends_at - last - _outages_after(known, last)
    if view.status is Status.LOBBY and rest > _IDLE_LOBBY + LATE:
        yield f"{table_id}: the lobby is open though nobody has touched it since {last}"
    if view.status is not Status.PLAYING or view.agreed_pause or view.game is None:
        return
    if not any(isinstance(chair, Human) for chair in view.chairs):
        if rest > _DESERTED_AFTER + LATE:
            yield f"{table_id}: everybody has left, and it goes on since {last}"
        return
    awaited = {
        seat
        for seat in view.game.waiting
        if view.clock.seconds is not None or not isinstance(view.chairs[seat], Human)
    }
    timed = {timer.seat for timer in end.timers if timer.kind in _MOVES}
    if timed != awaited or not view.game.waiting:
        yield f"{table_id}: waits for {sorted(awaited)} and has timers for {sorted(timed)}"


def outages(known: Evidence) -> Iterator[str]:
    """An outage is given back whole, and every game is told of it once."""
    notices = [told for told in known.chronicle.told if told.text.startswith(_OUTAGE)]
    expected = 0
    for outage in known.chronicle.outages:
        if abs(outage.credited - outage.length) > _EXACT:
            yield f"the outage until {outage.ended_at} was credited with {outage.credited}"
        playing = _playing_at(known.chronicle, outage.ended_at)
        expected += len(playing)
        heard = Counter(told.channel_id for told in notices)
        for view in playing:
            if heard[view.channel_id] != len(known.chronicle.outages):
                yield f"{view.id} was told of the outage {heard[view.channel_id]} times"
    if len(notices) != expected:
        yield f"{len(notices)} notices of an outage for {expected} games"


def shown(known: Evidence) -> Iterator[str]:
    """Every post stands once in its channel and shows the newest state."""
    yield from (f"{slot} stands more than once" for slot in known.chronicle.posts_doubled)
    yield from (f"{slot} is behind its table" for slot in known.chronicle.posts_behind)


def soundness(known: Evidence) -> Iterator[str]:
    """The bot logged no error, and refused nothing that it had offered."""
    yield from (f"logged: {complaint}" for complaint in known.chronicle.complaints)
    yield from (
        f"{refusal.table_id}: {refusal.kind} at {refusal.at}"
        for refusal in known.chronicle.refused
        if refusal.kind in _BUGS
    )


CHECKS: Mapping[str, Callable[[Evidence], Iterator[str]]] = {
    "every deadline fires once and within 5 s": deadlines,
    "every timer goes off once and in time": timers,
    "every reminder comes once": reminders,
    "nobody is called in quiet hours or on vacation": welcome,
    "no move is lost": moves,
    "what is stored is what was believed": histories,
    "no table is stuck": going_on,
    "an outage is given back and told once": outages,
    "every post stands once and is up to date": shown,
    "nothing went wrong on the way": soundness,
}
"""The promises, each with what looks for faults of it."""


def _calls_by_wait(known: Evidence) -> Mapping[Wait, Sequence[Called]]:
    """All calls to people who are waited for, by the wait in which they came."""
    by_person: dict[tuple[TableId, UserId, str, int], list[Called]] = {}
    for call in known.chronicle.called:
        ping = call.ping
        by_person.setdefault((ping.table_id, ping.user_id, ping.kind, ping.moment), []).append(call)
    found: dict[Wait, Sequence[Called]] = {}
    for wait in known.of_people():
        calls = by_person.get((wait.table_id, _the_person(wait), wait.purpose, wait.moment), [])
        until = wait.until or known.chronicle.ends_at
        found[wait] = [call for call in calls if wait.since <= call.at <= until]
    return found


def _chains(known: Evidence) -> Iterator[Sequence[Wait]]:
    """Waits for the same move of the same person, those after a pause behind those before it."""
    for found in known.waits.values():
        chains: dict[tuple[object, ...], list[Wait]] = {}
        for wait in (wait for wait in found if wait.user_id is not None):
            key = (wait.seat, wait.user_id, wait.purpose, wait.moment)
            if not wait.goes_on and key in chains:
                yield chains.pop(key)
            chains.setdefault(key, []).append(wait)
        yield from chains.values()


def _astray(known: Evidence, by_wait: Mapping[Wait, Sequence[Called]]) -> Iterator[Called]:
    """Calls for a move that nobody waited for; nudges may cross with the move.

    Some calls are for no move: that a lobby is full, only robots are left, or people vote.
    """
    meant = {id(call) for calls in by_wait.values() for call in calls}
    for call in known.chronicle.called:
        if call.ping.kind not in {"full", DESERTED, VOTE} and id(call) not in meant:
            yield call


def _outages_after(known: Evidence, at: datetime) -> timedelta:
    later = (each.length for each in known.chronicle.outages if each.ended_at > at)
    return sum(later, timedelta())


def _length(known: Evidence, wait: Wait) -> timedelta:
    """How long a wait lasted, outages apart."""
    gone = sum((outage.length for outage in known.told.outages(wait)), timedelta())
    return (wait.until or known.chronicle.ends_at) - wait.since - gone


def _playing_at(chronicle: Chronicle, at: datetime) -> Sequence[TableView]:
    """The tables at which a game was under way."""
    found: list[TableView] = []
    for end in chronicle.tables.values():
        before = [entry for entry in end.stored if entry.cause.at < at]
        if before and history.replay(before).table.status is Status.PLAYING:
            found.append(end.view)
    return found


def _cards(event: TableEvent) -> Hand | None:
    if isinstance(event, CardPlayed):
        return frozenset({event.card})
    if isinstance(event, CardsPassed):
        return event.cards
    return frozenset() if isinstance(event, MoonSettled) else None


def _rounded(view: TableView) -> TableView:
    """The same without what is finer than a store keeps."""
    rounded = {
        seat: at.replace(microsecond=at.microsecond // 1_000 * 1_000)
        for seat, at in view.deadlines.items()
    }
    return replace(view, deadlines=rounded)


def _the_person(wait: Wait) -> UserId:
    if wait.user_id is None:
        raise ValueError(f"{wait} is for a robot")
    return wait.user_id


def _said(wait: Wait) -> str:
    who = "a robot" if wait.user_id is None else f"person {wait.user_id}"
    return f"{wait.table_id}: {who}, {wait.purpose} {wait.moment}, since {wait.since},"


def _call(call: Called) -> str:
    ping = call.ping
    what = f"{ping.kind} {ping.moment}, reminder {ping.reminder}"
    return f"{ping.table_id}: the call of person {ping.user_id} ({what}) at {call.at}"
