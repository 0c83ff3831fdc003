"""All running tables: opens, finds and resumes them, and takes every request of the edges."""

from collections.abc import Sequence
from functools import partial

from bot.rules.cards import Card, Hand, Seat
from bot.rules.dimensions import MoonPayoff
from bot.table import adjusting, commands, lobby, nudging, posts, viewing
from bot.table.absences import Absences, absent
from bot.table.errors import NotOneOfUsError, TableBrokenError
from bot.table.firing import Firing, Robots
from bot.table.hosting import Hosting
from bot.table.ids import ChannelId, GuildId, TableId, UserId
from bot.table.lists import Lists
from bot.table.manners import Manners
from bot.table.nameplates import Nameplates
from bot.table.opening import OpenTable
from bot.table.ports import Clock, EventStore, Seeds, Settings
from bot.table.posting import Post, Slot
from bot.table.servers import Servers
from bot.table.session import Belief, Surroundings, TableSession
from bot.table.sessions import Sessions
from bot.table.state import LIVE, Table
from bot.table.storing import Cause, Timer
from bot.table.views import Absent, HandView, TableLine, TableView
from bot.table.waking import Listener, Listeners

__all__ = ["OpenTable", "TableManager"]


class TableManager:
    """What the edges may ask of tables.

    Every method that changes something stores it before it returns; every error that a person can
    cause is a `HeartsError` with a sentence. A click that is already stored is answered with the
    present state.
    """

    def __init__(
        self, *, store: EventStore, settings: Settings, clock: Clock, seeds: Seeds, robots: Robots
    ) -> None:
        self._store = store
        self._names = Nameplates(store)
        self._absences = Absences(settings)
        self._settings = settings
        self._clock = clock
        self._seeds = seeds
        self._listeners = Listeners()
        self._firing = Firing(robots, clock, Manners(store))
        self.foresight = self._firing.foresight
        around = Surroundings(
            store=store,
            absences=self._absences,
            clock=clock,
            seeds=seeds,
            delays=self._firing.delays,
            changed=self._listeners.tell,
            foresee=self.foresight.look,
        )
        self._sessions = Sessions(around)
        self.servers = Servers(store, self._sessions, self._names, clock)
        self._hosting = Hosting(store, seeds, self._sessions)
        self._lists = Lists(store, self._sessions, self._names)

    def listen(self, listener: Listener) -> None:
        """Have *listener* told of each table that changed, after the change is on disk."""
        self._listeners.add(listener)

    async def would_open(self, cause: Cause, wish: OpenTable | TableId) -> bool:
        """Whether *cause* would open a table now: a new one, or the rematch of the one named.

        Raises:
            HeartsError: as `open` and `rematch`, except for what stands in the channel.
        """
        return await self._hosting.would_open(cause, _person(cause), wish)

    async def open(self, cause: Cause, wish: OpenTable) -> TableView:
        """Open a lobby; its host sits in it.

        Raises:
            ChannelBusyError: the channel has a table.
            RulesetError: the rules cannot be played, or not with so many seats.
            TooManyInvitedError: there are not as many chairs.
            TooManyTablesError: the host or the server has as many as allowed.
        """
        session = await self._hosting.open(cause, _person(cause), wish)
        return await self._shown(session)

    async def join(self, cause: Cause, table_id: TableId) -> TableView:
        """Sit down in a lobby.

        Raises:
            AlreadySeatedError: the person sits there.
            TableFullError: no chair is free, or not for this person.
            TooManyTablesError: the person sits at as many tables as allowed.
            WrongPhaseError: it is no lobby any more.
        """
        session = await self._hosting.join(cause, _person(cause), table_id)
        return await self._shown(session)

    async def leave(
        self, cause: Cause, table_id: TableId, *, lobby_only: bool = False
    ) -> TableView:
        """Lobby: the chair becomes free. Game: a robot keeps the seat. Closes when nobody is left.

        Args:
            cause: the press.
            table_id: which table.
            lobby_only: whether a game that has begun meanwhile is not to be left.

        Raises:
            NotOneOfUsError: the person has no seat.
            RobotSitsInError: a robot keeps the seat already.
            WrongPhaseError: the table is over, or no lobby any more.
        """
        command = commands.Leave(_person(cause), lobby_only=lobby_only)
        return await self._submit(command, cause, table_id)

    async def add_robot(
        self, cause: Cause, table_id: TableId, level: str | None = None
    ) -> TableView:
        """Put a robot on the first free chair of a lobby; see `bot.table.commands.AddRobot`.

        Raises:
            RobotHostError: only the host may.
            TableFullError: no chair is free.
            WrongPhaseError: it is no lobby any more.
        """
        return await self._submit(commands.AddRobot(_person(cause), level), cause, table_id)

    async def remove_robot(self, cause: Cause, table_id: TableId) -> TableView:
        """Send the last robot of a lobby away.

        Raises:
            NoRobotError: there is none.
            RobotHostError: only the host may.
            WrongPhaseError: it is no lobby any more.
        """
        return await self._submit(commands.RemoveRobot(_person(cause)), cause, table_id)

    async def choose_rule(
        self, cause: Cause, table_id: TableId, option: str, value: str
    ) -> TableView:
        """Change one rule of a lobby; see `bot.rules.options`.

        Raises:
            ClashError: the choice does not go with another rule.
            RulesFixedError: it is no lobby any more.
            RulesHostError: only the host may.
            SeatsClashError: the choice is for other numbers of seats.
            UnknownOptionError: the table's preset offers no such choice.
        """
        command = commands.ChooseRule(_person(cause), option, value)
        return await self._submit(command, cause, table_id)

    async def start(self, cause: Cause, table_id: TableId) -> TableView:
        """Turn a full lobby into a game and deal. Anybody who sits there may.

        Raises:
            NotOneOfUsError: the person has no seat.
            TooFewPlayersError: chairs are free.
            WrongPhaseError: it is no lobby any more.
        """
        start = commands.Start(_person(cause), self._seeds.fraction())
        return await self._submit(start, cause, table_id)

    async def pass_cards(
        self, cause: Cause, table_id: TableId, cards: Hand, *, seen_deal: int
    ) -> HandView:
        """Choose what to pass, or choose again while somebody else has yet to.

        Raises:
            IllegalMoveError: the rules forbid it.
            TableError: as `play`.
        """
        command = commands.PassCards(_person(cause), cards, seen_deal)
        return await self._move(command, cause, table_id)

    async def play(
        self, cause: Cause, table_id: TableId, card: Card, *, seen_turn: int
    ) -> HandView:
        """Lay down a card.

        Raises:
            IllegalMoveError: the rules forbid it.
            NotSeatedError: the person has no seat.
            RobotSitsInError: a robot keeps the seat.
            StaleClickError: the turn that was seen is over.
            TableBrokenError: the stored game does not follow the rules.
            TablePausedError: the table waits for its channel.
            WrongPhaseError: the table is over, or no game yet.
        """
        command = commands.PlayCard(_person(cause), card, seen_turn)
        return await self._move(command, cause, table_id)

    async def plan(
        self, cause: Cause, table_id: TableId, command: commands.PlanCommand
    ) -> HandView:
        """Set something aside for later turns of the deal, or take it back.

        Raises:
            HeartsError: as `bot.table.planning.decide`, or as `play`.
        """
        return await self._move(command, cause, table_id)

    async def settle_moon(
        self, cause: Cause, table_id: TableId, payoff: MoonPayoff, *, seen_deal: int
    ) -> HandView:
        """Choose how the own moon is paid.

        Raises:
            IllegalMoveError: the rules forbid it.
            TableError: as `play`.
        """
        command = commands.SettleMoon(_person(cause), payoff, seen_deal)
        return await self._move(command, cause, table_id)

    async def take_seat_back(self, cause: Cause, table_id: TableId) -> HandView:
        """Send away the robot that keeps the person's seat.

        Raises:
            AlreadySeatedError: no robot sits there.
            NotOneOfUsError: the person has no seat.
            WrongPhaseError: the table is over.
        """
        return await self._move(commands.TakeSeatBack(_person(cause)), cause, table_id)

    async def substitute(self, cause: Cause, table_id: TableId, seat: Seat) -> HandView:
        """Sit down in a seat that a robot plays, for the rest of the game.

        Raises:
            TableError: as `bot.table.seating.decide`, or this person sits at too many tables.
        """
        person = _person(cause)
        command = commands.Substitute(person, seat)
        session = await self._hosting.substitute(cause, command, table_id)
        return await self._hand(await session.believe(), person)

    async def ask(self, cause: Cause, table_id: TableId, command: commands.Asked) -> TableView:
        """Carry out what the person whom *command* names asks of a table.

        Raises:
            TableError: this person may not do that, or not now.
        """
        return await self._submit(command, cause, table_id)

    async def end(self, cause: Cause, table_id: TableId, *, moderator: bool) -> TableView:
        """End a table before its end; a stopped one too.

        Raises:
            NotHostError: neither the host nor a moderator asks.
            WrongPhaseError: it is over.
        """
        return await self._submit(commands.End(_person(cause), moderator), cause, table_id)

    async def rematch(
        self, cause: Cause, table_id: TableId, place: ChannelId | None = None
    ) -> TableView:
        """Open a lobby for the same people, robots and rules; the second to ask sits down in it.

        It stands in *place*, or where the table stood.

        Raises:
            NotOneOfUsError: the person did not sit at the table.
            RematchGoneError: the rematch is no lobby any more.
            WrongPhaseError: the table is not over yet, or never began.
            TableError: as `open` and `join`.
        """
        session = await self._hosting.rematch(cause, _person(cause), table_id, place)
        return await self._shown(session)

    async def surface(self, cause: Cause, table_id: TableId) -> TableView:
        """Bring the newest post back to the end of the channel; a paused table goes on.

        Raises:
            WrongPhaseError: the table is over.
        """
        return await self._submit(commands.Surface(), cause, table_id)

    async def pause(self, table_id: TableId, reason: str, *, lost: ChannelId | None = None) -> None:
        """Stop a table until its place to post is back; not if it is over, or not in *lost*."""
        await self._by_itself(commands.Pause(reason, lost), table_id)

    async def resume(self, table_id: TableId) -> None:
        """Let a paused table go on. Nothing happens to any other."""
        await self._by_itself(commands.Resume(), table_id)

    async def fire(self, timer: Timer) -> bool:
        """See `bot.table.firing.Firing.fire`; a table whose stored game is broken is paused."""
        session = await self._sessions.find(timer.table_id)
        try:
            return await self._firing.fire(session, timer)
        except TableBrokenError:
            await self.pause(timer.table_id, "broken")
            return True

    async def nudge(self, cause: Cause, table_id: TableId) -> None:
        """Call everybody whom a table waits for once more.

        Raises:
            TableError: as `bot.table.nudging.nudged`.
        """
        session = await self._sessions.find(table_id)
        await session.adjust(partial(nudging.nudged, by=_person(cause)))

    async def reckon_anew(self, user_id: UserId) -> None:
        """Bring the deadlines of a person at all tables to what was chosen, and show it there."""
        rows = await self._store.tables_of(user_id)
        anew = partial(adjusting.redrawn, delays=self._firing.delays)
        await self._sessions.at_each(rows, lambda session: session.adjust(anew))

    async def view(self, table_id: TableId) -> TableView:
        """What everybody may know of a table.

        Raises:
            UnknownTableError: there is no such table.
        """
        return await self._shown(await self._sessions.find(table_id))

    async def hand(self, table_id: TableId, user_id: UserId) -> HandView:
        """What one seated person may know of a table.

        Raises:
            NotSeatedError: the person has no seat.
            UnknownTableError: there is no such table.
        """
        session = await self._sessions.find(table_id)
        return await self._hand(await session.believe(), user_id)

    async def version(self, table_id: TableId) -> int:
        """The number of stored events of a table; the same as before: nothing happened there.

        Raises:
            UnknownTableError: there is no such table.
        """
        return (await (await self._sessions.find(table_id)).believe()).version

    async def post(self, table_id: TableId, slot: Slot) -> tuple[Post, int]:
        """What a slot shows now and the version it shows. For the publisher.

        Raises:
            LookupError: the table has no such slot.
        """
        belief = await (await self._sessions.find(table_id)).believe()
        return posts.post(belief.table, await self._view(belief), slot), belief.version

    async def tables_of(self, user_id: UserId) -> Sequence[TableLine]:
        """The live tables at which a person has a seat, newest first."""
        return await self._lists.of(user_id)

    async def tables_in(self, guild_id: GuildId) -> Sequence[TableLine]:
        """The live tables of a server, newest first, as nobody in particular sees them."""
        return await self._lists.within(guild_id)

    async def _submit(
        self, command: commands.Command, cause: Cause, table_id: TableId
    ) -> TableView:
        session = await self._sessions.find(table_id)
        return await self._view(await session.submit(command, cause))

    async def _move(self, command: commands.Command, cause: Cause, table_id: TableId) -> HandView:
        session = await self._sessions.find(table_id)
        return await self._hand(await session.submit(command, cause), _person(cause))

    async def _by_itself(self, command: commands.Command, table_id: TableId) -> None:
        session = await self._sessions.find(table_id)
        await session.submit(command, Cause(at=self._clock.now()))

    async def _shown(self, session: TableSession) -> TableView:
        return await self._view(await session.believe())

    async def _view(self, belief: Belief) -> TableView:
        table = belief.table
        return viewing.table_view(
            table,
            version=belief.version,
            timers=belief.timers,
            names=await self._names.at(belief),
            newest_message=await self._store.newest_message(table.id),
            away=await self._away(table),
        )

    async def _away(self, table: Table) -> tuple[Absent, ...]:
        """Nobody asks about the people of a table that is over."""
        if table.status not in LIVE:
            return ()
        people = lobby.people(table.chairs)
        return absent(await self._absences.of(table.guild_id, people), self._clock.now())

    async def _hand(self, belief: Belief, user_id: UserId) -> HandView:
        view = await self._view(belief)
        settings = await self._settings.person(user_id)
        return viewing.hand_view(belief.table, view, user_id, settings)


def _person(cause: Cause) -> UserId:
    if cause.user_id is None:
        raise NotOneOfUsError
    return cause.user_id
