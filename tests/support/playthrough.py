"""Games played at a table by people and robots, with late people, restarts and a look at each step.

What holds after every move is asked after every move: somebody is waited for and has a timer, or
the game is over. At the end the table, its stored events and the rules alone agree.
"""

from itertools import count

from bot.rules.legal import to_move
from bot.rules.ruleset import Ruleset
from bot.rules.state import Game
from bot.table.ids import Human, Robot, TableId, UserId
from bot.table.state import Status
from bot.table.storing import TimerKind
from bot.table.views import TableView
from tests.support.histories import replayed
from tests.support.tables import ANN, BEA, Room

PEOPLE = (ANN, BEA)
LATE_EVERY = 7
"""Each so many moves of people is left to the clock."""
RESTART_EVERY = 11
"""After each so many of them the program starts anew."""
_HOUR = 3_600
_MOVES = {TimerKind.DEADLINE, TimerKind.ROBOT, TimerKind.MOON}


class Playthrough:
    """One game of two people, and robots on all other chairs."""

    def __init__(self, room: Room, table_id: TableId) -> None:
        self.room = room
        self.table_id = table_id
        self.late = 0
        """How often somebody was late."""
        self.restarts = 0
        self._moves = count(1)

    @classmethod
    async def begin(cls, ruleset: Ruleset, seats: int) -> "Playthrough":
        room = Room()
        view = await room.started(*PEOPLE, seats=seats, ruleset=ruleset, clock="1h")
        return cls(room, view.id)

    async def play(self, deals: int) -> TableView:
        """Play until so many deals have their score, or the game is over."""
        while True:
            view = await self.room.tables.view(self.table_id)
            game = view.game
            if game is None or view.status is Status.OVER or len(game.scores) >= deals:
                return view
            self.look()
            await self._step()

    def look(self) -> None:
        """Nothing is stuck: whoever is waited for can move, or will be moved for."""
        table = self.room.memory.state(self.table_id)
        game = game_of(self.room, self.table_id)
        assert table.status is Status.PLAYING
        waiting = to_move(game)
        assert waiting, "a running game waits for somebody"
        timers = self.room.memory.shelves[self.table_id].timers.values()
        assert {timer.seat for timer in timers if timer.kind in _MOVES} == set(waiting)

    async def _step(self) -> None:
        hands = await self.room.waited_for(self.table_id)
        if not hands:
            self.room.clock.move(1.0)
            fired = await self.room.fire_due()
            assert fired, "robots move by themselves"
            return
        number = next(self._moves)
        if number % RESTART_EVERY == 0:
            await self._restart()
        if number % LATE_EVERY == 0:
            await self._be_late()
        else:
            await self.room.move(hands[0])

    async def _restart(self) -> None:
        before = await self.room.tables.view(self.table_id)
        self.room.tables = self.room.another_manager()
        assert await self.room.tables.view(self.table_id) == before
        self.restarts += 1

    async def _be_late(self) -> None:
        """The clock moves for whoever is waited for; they come back at once."""
        version = await self.room.tables.version(self.table_id)
        self.room.clock.move(_HOUR)
        await self.room.fire_due()
        assert await self.room.tables.version(self.table_id) > version
        self.late += 1
        for seat, chair in enumerate(self.room.memory.state(self.table_id).chairs):
            if isinstance(chair, Robot) and chair.keeps_for is not None:
                await self._come_back(chair.keeps_for, seat)

    async def _come_back(self, person: UserId, seat: int) -> None:
        table = self.room.memory.state(self.table_id)
        if table.status is Status.PLAYING:
            await self.room.tables.take_seat_back(self.room.by(person), self.table_id)
            assert self.room.memory.state(self.table_id).chairs[seat] == Human(person)

    async def agree(self) -> Game:
        """The table, what is stored and what the rules make of the moves alone are the same."""
        table = self.room.memory.state(self.table_id)
        assert replayed(await self.room.store.load(self.table_id)) == table
        return game_of(self.room, self.table_id)

    async def draw_all(self) -> int:
        """Ask for every post; how many there are."""
        slots = self.room.memory.shelves[self.table_id].posts
        for slot in slots:
            post, _ = await self.room.tables.post(self.table_id, slot)
            assert post.table.id == self.table_id
        return len(slots)


def game_of(room: Room, table_id: TableId) -> Game:
    game = room.memory.state(table_id).game
    assert game is not None
    return game
