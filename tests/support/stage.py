"""Tables in every phase, and people in every role, for the matrix of who may do what when."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from enum import Enum

from bot.rules.cards import Card, Seat
from bot.rules.claims import known_rest
from bot.rules.commands import BeginDeal, SettleMoon
from bot.rules.decide import new_game
from bot.rules.dimensions import MoonPayoff
from bot.rules.frozen import FrozenMap
from bot.rules.legal import to_move
from bot.rules.state import Game, Phase
from bot.table.ballots import OpenVote, Pause
from bot.table.clocks import move_clock
from bot.table.ids import ChannelId, GuildId, Human, Robot, TableId, UserId
from bot.table.state import Status, Table
from tests.support.deals import after, deal_in_play, house_rules, next_command, played

GUILD, ELSEWHERE = GuildId(10), GuildId(77)
CHANNEL, OTHER_CHANNEL = ChannelId(20), ChannelId(21)
TABLE = TableId("K7Q2M9XA")


class Role(Enum):
    """Who asks, in the server of the table and in its channel unless it says otherwise."""

    HOST = 1
    """Host, on seat 0; somebody else is on turn."""
    TURN = 2
    """On seat 1, and on turn; the shooter, where a moon is settled."""
    LEFT = 3
    """Has left seat 2, which a robot keeps."""
    REMOVED = 4
    """Was sent away from seat 3, which a robot has."""
    BYSTANDER = 5
    MODERATOR = 6
    """May manage messages in the channel, and sits nowhere."""
    ADMIN = 7
    """May manage the server, and sits nowhere."""
    NEXT_DOOR = 8
    """May manage messages in another channel of the server, and asks there."""
    STRANGER = 9
    """Manages another server, and asks there."""
    OWNER = 10
    """The host, who may manage the server as well."""

    @property
    def user(self) -> UserId:
        return Role.HOST.user if self is Role.OWNER else UserId(self.value)


class Stage(Enum):
    """How far the table is."""

    LOBBY = "lobby"
    """A chair is free."""
    FULL = "full lobby"
    PASSING = "passing"
    PLAYING = "playing"
    MOON = "moon choice"
    CERTAIN = "rest certain"
    """Everybody sees that nothing is left that counts."""
    VOTE = "vote open"
    """About a pause; the host is for it."""
    AGREED = "agreed pause"
    LOST = "place lost"
    OVER = "over"
    CLOSED = "closed"


def tables() -> Mapping[Stage, Table]:
    """A table in each phase, with the same people."""
    playing = _table(_until_on_turn(_passed(_dealt())))
    moon = _shot()
    over = after(moon, SettleMoon(_SEAT_ON_TURN, MoonPayoff.ADD_OTHERS))
    pause = OpenVote(
        number=1, subject=Pause(), in_favour=frozenset({Role.HOST.user}), against=frozenset()
    )
    free = (Human(Role.HOST.user), Human(Role.TURN.user), Robot("steady"), None)
    lobby = replace(_table(None), chairs=free, removed=frozenset())
    return {
        Stage.LOBBY: lobby,
        Stage.FULL: replace(lobby, chairs=(*free[:3], Robot("steady"))),
        Stage.PASSING: _table(_dealt()),
        Stage.PLAYING: playing,
        Stage.MOON: _table(moon),
        Stage.CERTAIN: _table(_certain()),
        Stage.VOTE: replace(playing, votes=(pause,), votes_called=1),
        Stage.AGREED: replace(playing, agreed_pause=True),
        Stage.LOST: replace(playing, status=Status.PAUSED),
        Stage.OVER: replace(_table(over), status=Status.OVER),
        Stage.CLOSED: replace(playing, status=Status.CLOSED, closed_because="host"),
    }


_OPEN_END = house_rules(end={"hands": "open"})
_SEAT_ON_TURN = Seat(1)


def _table(game: Game | None) -> Table:
    return Table(
        id=TABLE,
        guild_id=GUILD,
        channel_id=CHANNEL,
        host=Role.HOST.user,
        status=Status.LOBBY if game is None else Status.PLAYING,
        ruleset=_OPEN_END if game is None else game.ruleset,
        clock=move_clock("24h"),
        chairs=(
            Human(Role.HOST.user),
            Human(Role.TURN.user),
            Robot("steady", keeps_for=Role.LEFT.user),
            Robot("steady"),
        ),
        invited=(),
        game=game,
        banks=() if game is None else (timedelta(),) * 4,
        removed=frozenset({Role.REMOVED.user}),
        seals=FrozenMap({1: "0" * 64, 2: "1" * 64}),
    )


def _dealt() -> Game:
    """The first deal of a game that ends when its host says so."""
    deck = tuple(sorted(_OPEN_END.deck(4), key=lambda card: (card.rank, str(card))))
    return after(new_game(_OPEN_END, 4, Seat(3)), BeginDeal(deck))


def _first(cards: Sequence[Card], count: int) -> Sequence[Card]:
    return cards[:count]


def _passed(game: Game) -> Game:
    while game.phase is Phase.PASSING:
        game = after(game, next_command(game, _first))
    return game


def _until_on_turn(game: Game) -> Game:
    while to_move(game) != (_SEAT_ON_TURN,):
        game = after(game, next_command(game, _first))
    return game


def _shot() -> Game:
    """Seat 1 has taken all that counts, in the only deal of its game."""
    rules = house_rules(
        moon={"payoff": "shooter_choice", "value": 13}, points={"H*": 0}, end="single"
    )
    last = deal_in_play("QS", "AH", "2H", "3H", ruleset=rules, leader=_SEAT_ON_TURN)
    return played(last, "AH 2H 3H QS")


def _certain() -> Game:
    """Two tricks are left, and all that counts has fallen."""
    hands = ("2C 3C", "4C 5C", "6C 7C", "8C 9C")
    game = deal_in_play(*hands, ruleset=_OPEN_END, leader=_SEAT_ON_TURN, hearts_broken=True)
    assert known_rest(game, None)
    return game
