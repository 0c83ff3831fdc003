"""What a button or a menu asks for, and how that is written into its custom id.

An id reads ``h1:<action>:<table>:<moment>[:<argument>]``. The moment is the trick or the deal
the button was drawn for, counted from 1 through the whole game; 0 where none matters. A dash
stands for the table where an action belongs to none.
"""

import re
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, Self, get_args

from bot.rules.cards import Card, Hand, sorted_cards
from bot.rules.errors import HeartsError, NotationError
from bot.rules.ruleset import MoonPayoff
from bot.rules.sentence import Sentence
from bot.table.ids import TableId

LONGEST_ID = 100
"""Characters Discord allows in a custom id (discord.md 2.1)."""
_SHAPE = re.compile(r"h1:([a-z_]+):([A-Za-z0-9]{1,16}|-):(\d{1,6})(?::([A-Za-z0-9_.,-]+))?")
_NO_TABLE = "-"


class UnknownButtonError(HeartsError):
    """A custom id that is none of ours, or of a form we no longer write."""

    sentence = Sentence(
        "I do not know that button any more. `/hearts hand` shows your cards, "
        "and `/hearts games` lists your tables."
    )


class Period(Enum):
    """What part of the past a leaderboard counts."""

    ALL = "all"
    DAYS_30 = "30d"


@dataclass(frozen=True, slots=True)
class _Parts:
    table: str = _NO_TABLE
    moment: int = 0
    argument: str = ""

    @property
    def table_id(self) -> TableId:
        if self.table == _NO_TABLE:
            raise ValueError(self.table)
        return TableId(self.table)


@dataclass(frozen=True, slots=True)
class _Anywhere:
    """An action that belongs to no table."""

    word: ClassVar[str]

    def parts(self) -> _Parts:
        return _Parts()

    @classmethod
    def read(cls, _parts: _Parts) -> Self:
        return cls()


@dataclass(frozen=True, slots=True)
class _AtTable:
    """An action at a table for which no moment matters."""

    word: ClassVar[str]
    table: TableId

    def parts(self) -> _Parts:
        return _Parts(self.table)

    @classmethod
    def read(cls, parts: _Parts) -> Self:
        return cls(parts.table_id)


@dataclass(frozen=True, slots=True)
class _WithCard:
    """An action with one card in one trick."""

    word: ClassVar[str]
    table: TableId
    trick: int
    """Counted from 1 through the whole game."""
    card: Card

    def parts(self) -> _Parts:
        return _Parts(self.table, self.trick, str(self.card))

    @classmethod
    def read(cls, parts: _Parts) -> Self:
        return cls(parts.table_id, parts.moment, Card.parse(parts.argument))


@dataclass(frozen=True, slots=True)
class _InDeal:
    """An action in the passing of one deal."""

    word: ClassVar[str]
    table: TableId
    deal: int
    """Counted from 1."""

    def parts(self) -> _Parts:
        return _Parts(self.table, self.deal)

    @classmethod
    def read(cls, parts: _Parts) -> Self:
        return cls(parts.table_id, parts.moment)


class Join(_AtTable):
    """Sit down in the lobby."""

    word = "join"


class LeaveLobby(_AtTable):
    """Stand up again before the game starts."""

    word = "unjoin"


class AddRobot(_AtTable):
    """Put a robot on the first free chair."""

    word = "robot"


class RemoveRobot(_AtTable):
    """Take the last robot away."""

    word = "unrobot"


class Start(_AtTable):
    """Begin the game."""

    word = "start"


class OpenHand(_AtTable):
    """Show my hand in a new private message."""

    word = "hand"


class RefreshHand(_AtTable):
    """Draw the hand anew in the private message that was clicked."""

    word = "refresh"


class ChoosePass(_InDeal):
    """A menu; its values are the cards to pass (see `chosen_cards`). Nothing is decided yet."""

    word = "pick"


@dataclass(frozen=True, slots=True)
class ConfirmPass:
    """Pass these cards."""

    word: ClassVar[str] = "pass"
    table: TableId
    deal: int
    """Counted from 1."""
    cards: Hand

    def parts(self) -> _Parts:
        cards = ",".join(str(card) for card in sorted_cards(self.cards))
        return _Parts(self.table, self.deal, cards)

    @classmethod
    def read(cls, parts: _Parts) -> Self:
        cards = chosen_cards(parts.argument.split(","))
        return cls(parts.table_id, parts.moment, cards)


class ChangePass(_InDeal):
    """Show the menu of cards again."""

    word = "repick"


class PlayCard(_WithCard):
    """Play this card, or ask once more if the person wants that."""

    word = "play"


class ConfirmCard(_WithCard):
    """Play this card; the question was answered with yes."""

    word = "sure"


@dataclass(frozen=True, slots=True)
class SettleMoon:
    """The shooter's choice between the two payoffs."""

    word: ClassVar[str] = "moon"
    table: TableId
    deal: int
    """Counted from 1."""
    payoff: MoonPayoff

    def parts(self) -> _Parts:
        return _Parts(self.table, self.deal, self.payoff.value)

    @classmethod
    def read(cls, parts: _Parts) -> Self:
        return cls(parts.table_id, parts.moment, MoonPayoff(parts.argument))


class TakeSeatBack(_AtTable):
    """Send away the robot that keeps my seat."""

    word = "back"


class AskLeave(_AtTable):
    """Ask whether I really want to leave the game."""

    word = "leave"


class ConfirmLeave(_AtTable):
    """Leave the game; a robot keeps the seat."""

    word = "leave_sure"


class AskEnd(_AtTable):
    """Ask whether the game shall really be ended for everybody."""

    word = "end"


class ConfirmEnd(_AtTable):
    """End the game for everybody."""

    word = "end_sure"


class Rematch(_AtTable):
    """Open a table with the same people and rules."""

    word = "rematch"


class Record(_AtTable):
    """Send the game as a text record."""

    word = "record"


class ShowRules(_AtTable):
    """Show the rules of this table in private."""

    word = "rules"


class ShowScore(_AtTable):
    """Show the scores of all deals in private."""

    word = "score"


@dataclass(frozen=True, slots=True)
class ToggleConfirm:
    """Switch "ask once more" on or off for the person, from the hand of this table."""

    word: ClassVar[str] = "confirm"
    table: TableId
    on: bool

    def parts(self) -> _Parts:
        return _Parts(self.table, argument="on" if self.on else "off")

    @classmethod
    def read(cls, parts: _Parts) -> Self:
        return cls(parts.table_id, on=parts.argument == "on")


@dataclass(frozen=True, slots=True)
class ServerBoard:
    """Turn to a page of the server's leaderboard."""

    word: ClassVar[str] = "board"
    period: Period
    page: int
    """Counted from 1."""

    def parts(self) -> _Parts:
        return _Parts(argument=f"{self.period.value}.{self.page}")

    @classmethod
    def read(cls, parts: _Parts) -> Self:
        period, _, page = parts.argument.partition(".")
        return cls(Period(period), int(page))


class ChooseVariant(_Anywhere):
    """A menu of the settings; its one value is the id of a preset."""

    word = "set_variant"


class ChooseClock(_Anywhere):
    """A menu of the settings; its one value is the id of a move clock."""

    word = "set_clock"


class ChooseChannels(_Anywhere):
    """A menu of the settings; its values are ids of channels, none meaning everywhere."""

    word = "set_channels"


class ResetSettings(_Anywhere):
    """Put a server's settings back to the defaults."""

    word = "set_reset"


class ShowHelp(_Anywhere):
    """Show the help in private."""

    word = "help"


class ChooseHelp(_Anywhere):
    """A menu; its one value is a `cogs.ui.help.Topic`."""

    word = "topic"


Action = (
    Join
    | LeaveLobby
    | AddRobot
    | RemoveRobot
    | Start
    | OpenHand
    | RefreshHand
    | ChoosePass
    | ConfirmPass
    | ChangePass
    | PlayCard
    | ConfirmCard
    | SettleMoon
    | TakeSeatBack
    | AskLeave
    | ConfirmLeave
    | AskEnd
    | ConfirmEnd
    | Rematch
    | Record
    | ShowRules
    | ShowScore
    | ToggleConfirm
    | ServerBoard
    | ChooseVariant
    | ChooseClock
    | ChooseChannels
    | ResetSettings
    | ShowHelp
    | ChooseHelp
)
"""Everything a press can mean: a closed union."""

_BY_WORD: dict[str, type[Action]] = {kind.word: kind for kind in get_args(Action)}


def write(action: Action) -> str:
    """Write *action* as a custom id of at most `LONGEST_ID` characters."""
    parts = action.parts()
    custom_id = f"h1:{action.word}:{parts.table}:{parts.moment}"
    return f"{custom_id}:{parts.argument}" if parts.argument else custom_id


def parse(custom_id: str) -> Action:
    """Read what a press asks for; the reverse of `write`.

    Raises:
        UnknownButtonError: it is not exactly what `write` writes for some action.
    """
    fields = _SHAPE.fullmatch(custom_id)
    if fields is None or fields[1] not in _BY_WORD:
        raise UnknownButtonError(custom_id[:LONGEST_ID])
    try:
        action = _BY_WORD[fields[1]].read(_Parts(fields[2], int(fields[3]), fields[4] or ""))
    except (NotationError, ValueError) as cause:
        raise UnknownButtonError(custom_id) from cause
    if write(action) != custom_id:  # a table where none belongs, a moment of "007"
        raise UnknownButtonError(custom_id)
    return action


def chosen_cards(values: list[str]) -> Hand:
    """Read the values of a `ChoosePass` menu.

    Raises:
        NotationError: one of them is not a card.
    """
    return frozenset(Card.parse(value) for value in values)
