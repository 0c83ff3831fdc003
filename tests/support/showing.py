"""Tables from games, their posts, and a room whose publisher puts them into channels."""

import logging
from typing import Any

from bot.rules.cards import Seat
from bot.rules.state import Game
from bot.table import posts, viewing
from bot.table.clocks import move_clock
from bot.table.errors import PosterBusyError
from bot.table.ids import Human, MessageId, Occupant, TableId
from bot.table.posting import Post, Slot
from bot.table.publisher import Publisher
from bot.table.state import Status, Table
from bot.table.storing import Timer
from bot.table.timekeeper import Timekeeper
from tests.support.fakes import RecordingPoster, slot_of
from tests.support.tables import ANN, CHANNEL, FOUR, GUILD, STANDARD, Room

FOUR_PEOPLE: tuple[Occupant | None, ...] = tuple(map(Human, FOUR))


def table_of(game: Game | None, **changes) -> Table:
    """A table at which a game is played, or a lobby, with four people on its chairs."""
    facts: dict[str, Any] = {
        "id": "TABLE234",
        "guild_id": GUILD,
        "channel_id": CHANNEL,
        "host": ANN,
        "status": Status.LOBBY if game is None else Status.PLAYING,
        "ruleset": STANDARD if game is None else game.ruleset,
        "clock": move_clock("24h"),
        "chairs": FOUR_PEOPLE,
        "invited": (),
        "game": game,
    }
    return Table(**(facts | changes))


def post_of(table: Table, slot: Slot, timers: tuple[Timer, ...] = ()) -> Post:
    """What stands in a post of *table*."""
    view = viewing.table_view(table, version=1, timers=timers, names={}, newest_message=None)
    return posts.post(table, view, slot)


def seats(*numbers: int) -> tuple[Seat, ...]:
    return tuple(map(Seat, numbers))


class ShownRoom(Room):
    """A room whose publisher writes into the channels of a `RecordingPoster`."""

    def __init__(self) -> None:
        super().__init__()
        self.poster = RecordingPoster()
        self.publisher = self.another_publisher()
        self.timekeeper = Timekeeper(self.memory, self.tables, self.clock)
        self.tables.listen(self.publisher.wake)

    def another_publisher(self) -> Publisher:
        """A publisher that knows nothing yet, as after a restart."""
        log = logging.getLogger("tests.publisher")
        return Publisher(self.memory, self.tables, self.persons, self.poster, self.clock, log)

    def slots(self) -> list[Slot | None]:
        """Which posts stand in the channels, oldest message first; ``None``: pings and notices."""
        found = [slot_of(message.content) for message in self.poster.messages.values()]
        return [None if slot is None else slot[1] for slot in found]

    def message_of(self, slot: Slot) -> MessageId:
        """The newest message that fills a slot."""
        return [
            key
            for key, message in self.poster.messages.items()
            if (slot_of(message.content) or ("", ""))[1] == slot
        ][-1]

    def calls(self, name: str) -> int:
        """How many calls of one kind came through."""
        return sum(called == name for called, _ in self.poster.calls)

    async def to_first_lead(self) -> TableId:
        """Four people have passed, the leader has led, and all of it is shown."""
        table_id = (await self.started()).id
        await self.everybody_passes(table_id)
        await self.one_move(table_id)
        await self.publisher.flush()
        return table_id

    async def one_move(self, table_id: TableId) -> None:
        """The person whose turn it is plays a card."""
        (hand,) = await self.waited_for(table_id)
        await self.move(hand)

    async def lose_answer_of_next_trick(self, table_id: TableId) -> None:
        """Trick 1 is finished and trick 2 led; its post is delivered, but we never hear of it."""
        for _ in range(3):
            await self.one_move(table_id)
        await self.publisher.flush()
        await self.one_move(table_id)
        self.poster.lost_answers = [PosterBusyError(5, sent_unknown=True)]
        await self.publisher.flush()
        assert "trick:2" in self.slots()
        assert self.poster.lost_answers == []
