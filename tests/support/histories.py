"""Tables from events: of a few people, without a store, or of any game that was stored."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.rules import evolve
from bot.rules.cards import Card, Seat, sorted_cards
from bot.rules.decide import new_game
from bot.rules.events import Event
from bot.rules.legal import choice, to_move
from bot.rules.ruleset import Ruleset
from bot.rules.state import Game
from bot.rules.variants import load
from bot.rules.view import seat_view
from bot.table import commands, dealing, history
from bot.table.clocks import move_clock
from bot.table.events import GameStarted, SeatTaken, TableEvent, TableOpened
from bot.table.ids import ChannelId, GuildId, Human, Robot, TableId, UserId
from bot.table.lobby import seat_of
from bot.table.moments import moment
from bot.table.state import Table
from bot.table.storing import Cause, Drawer, StoredEvent
from bot.table.table import decide
from tests.support.clock import NOON
from tests.support.fakes import CountedSeeds
from tests.support.tables import ANN, FOUR, first_move

ROBOT = Robot("steady")


class Story:
    """A table and how it came to be: `decide` and `evolve` alone."""

    def __init__(
        self,
        *people: UserId,
        seats: int = 4,
        invited: tuple[UserId, ...] = (),
        ruleset: Ruleset | None = None,
    ) -> None:
        host, *others = people or (ANN,)
        opened = TableOpened(
            table=TableId("TABLE234"),
            guild_id=GuildId(1),
            channel_id=ChannelId(11),
            host=host,
            ruleset=ruleset or load("standard"),
            seats=seats,
            clock=move_clock("24h"),
            invited=invited,
        )
        self.seeds = CountedSeeds()
        sealed = dealing.sealed(opened.table, 1, self.seeds)
        self.secrets = {1: sealed}
        """By number, deals as a store would lock them away."""
        opened = replace(opened, seal=sealed.commitment)
        self.stored = [StoredEvent(1, opened, Cause(NOON, host))]
        self.table = history.opened(opened)
        self._follow([SeatTaken(Seat(0), Human(host))], host)
        for person in others:
            self.ask(commands.Join(person))

    def ask(self, command: commands.Command) -> tuple[TableEvent, ...]:
        """Decide and carry out, the next deal included; what happened."""
        by = getattr(command, "user_id", None)
        events = decide(self.table, command)
        self._follow(events, by)
        if dealing.is_due(self.table):
            self._deal(by)
        return events

    def _deal(self, by: UserId | None) -> None:
        dealt = dealing.deal(self.table, Drawer(self.secrets), Cause(NOON, by), self.seeds)
        self.secrets |= {secret.deal: secret for secret in dealt.drawn}
        for number, cuts in dealt.cuts.items():
            self.secrets[number] = replace(self.secrets[number], cuts=cuts)
        self._follow(dealt.events, by)

    def fill(self) -> "Story":
        """Robots on all free chairs."""
        while None in self.table.chairs:
            self.ask(commands.AddRobot(self.table.host))
        return self

    def _follow(self, events: Iterable[TableEvent], by: UserId | None) -> None:
        for event in events:
            number = len(self.stored) + 1
            self.stored.append(StoredEvent(number, event, Cause(NOON, by)))
            self.table = history.evolve(self.table, event, by)


def replayed(stored: Sequence[StoredEvent]) -> Table:
    """The table that stored events make; the rules alone make the same game of its moves."""
    past = history.replay(stored)
    assert past.fault is None
    events = [entry.event for entry in stored]
    [began] = [event for event in events if isinstance(event, GameStarted)]
    fresh = new_game(began.ruleset, len(began.chairs), began.first_dealer)
    moves = [event for event in events if isinstance(event, Event)]
    assert evolve.replay(fresh, moves) == past.table.game
    return past.table


def started(*people: UserId, seats: int = 4, ruleset: Ruleset | None = None) -> Story:
    """A game with these people, four if none is named, and robots on the other chairs."""
    story = Story(*(people or FOUR), seats=seats, ruleset=ruleset).fill()
    story.ask(commands.Start(story.table.host, 0.0))
    return story


def game_of(story: Story) -> Game:
    assert story.table.game is not None
    return story.table.game


def stand_in(story: Story, seat: int, *, late: bool) -> commands.StandIn:
    """A robot's first move for a seat, thought for this moment."""
    game = game_of(story)
    move = first_move(seat_view(game, Seat(seat)))
    return commands.StandIn(seat=Seat(seat), move=move, moment=moment(game), late=late)


def pass_of(story: Story, person: UserId) -> commands.PassCards:
    """The first cards that a person may pass."""
    deal = game_of(story).deal
    seat = seat_of(person, story.table.chairs)
    assert deal is not None
    assert seat is not None
    return commands.PassCards(person, frozenset(sorted_cards(deal.hands[seat])[:3]), deal.number)


def in_play(*people: UserId) -> Story:
    """A game whose first deal has been passed."""
    story = started(*people)
    for seat in to_move(game_of(story)):
        chair = story.table.chairs[seat]
        if isinstance(chair, Human):
            story.ask(pass_of(story, chair.user_id))
        else:
            story.ask(stand_in(story, seat, late=False))
    return story


def on_turn(story: Story) -> tuple[UserId, Card]:
    """The person to play, and the first card that person may play."""
    (seat,) = to_move(game_of(story))
    chair = story.table.chairs[seat]
    assert isinstance(chair, Human)
    return chair.user_id, sorted_cards(choice(game_of(story)).cards)[0]
