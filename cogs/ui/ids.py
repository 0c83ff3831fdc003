"""What a button or a menu asks for, and how that is written into its custom id.

An id reads ``h1:<action>:<table>:<moment>[:<argument>]``. The moment is what the button was drawn
for: the turn (see `bot.table.moments.turn`), the deal, or the number of a vote, each counted from 1
through the whole game, or the version of a score keeper; 0 where none matters. A dash stands for
the table where an action belongs to none, and the id of a score keeper stands in its place.
"""

import re
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, Self, get_args

from bot.rules.cards import Card, Hand, sorted_cards
from bot.rules.dimensions import MoonPayoff
from bot.rules.errors import HeartsError, NotationError
from bot.rules.sentence import Sentence
from bot.table.ids import TableId
from cogs.ui.fair_ids import FairAction
from cogs.ui.id_shapes import Anywhere, AtTable, InDeal, Parts, WithCard, whole
from cogs.ui.keeper_ids import KeeperAction
from cogs.ui.plan_ids import PlanAction
from cogs.ui.preference_ids import PreferenceAction
from cogs.ui.privacy_ids import PrivacyAction
from cogs.ui.rule_ids import (
    ChooseVariantFamily,
    HouseAction,
    SettingsAction,
    TableRulesAction,
)
from cogs.ui.seat_ids import SeatAction
from cogs.ui.server_ids import ServerAction
from cogs.ui.vote_ids import VoteAction

LONGEST_ID = 100
"""Characters Discord allows in a custom id (discord.md 2.1)."""
_SHAPE = re.compile(r"h1:([a-z_]+):([A-Za-z0-9]{1,16}|-):(\d{1,6})(?::([A-Za-z0-9_.,-]+))?")


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


class Join(AtTable):
    """Sit down in the lobby."""

    word = "join"


class LeaveLobby(AtTable):
    """Stand up again before the game starts."""

    word = "unjoin"


class AddRobot(AtTable):
    """Put a robot on the first free chair, of the level of the last one there."""

    word = "robot"


class ChooseRobot(AtTable):
    """A menu; its one value is the level of a robot for the first free chair."""

    word = "robot_level"


class RemoveRobot(AtTable):
    """Take the last robot away."""

    word = "unrobot"


class Start(AtTable):
    """Begin the game."""

    word = "start"


class OpenHand(AtTable):
    """Show my hand in a new private message."""

    word = "hand"


class RefreshHand(AtTable):
    """Draw the hand anew in the private message that was clicked."""

    word = "refresh"


class ChoosePass(InDeal):
    """A menu; its values are the cards to pass (see `chosen_cards`). Nothing is decided yet."""

    word = "pick"


@dataclass(frozen=True, slots=True)
class ConfirmPass:
    """Pass these cards."""

    word: ClassVar[str] = "pass"
    table: TableId
    deal: int
    """Counted from 1."""
    cards: Hand = field(repr=False)

    def parts(self) -> Parts:
        cards = ",".join(str(card) for card in sorted_cards(self.cards))
        return Parts(self.table, self.deal, cards)

    @classmethod
    def read(cls, parts: Parts) -> Self:
        cards = chosen_cards(parts.argument.split(","))
        return cls(parts.table_id, parts.moment, cards)


class ChangePass(InDeal):
    """Show the menu of cards again."""

    word = "repick"


class PlayCard(WithCard):
    """Play this card, or ask once more if the person wants that."""

    word = "play"


class ConfirmCard(WithCard):
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

    def parts(self) -> Parts:
        return Parts(self.table, self.deal, self.payoff.value)

    @classmethod
    def read(cls, parts: Parts) -> Self:
        return cls(parts.table_id, parts.moment, MoonPayoff(parts.argument))


class TakeSeatBack(AtTable):
    """Send away the robot that keeps my seat."""

    word = "back"


class AskLeave(AtTable):
    """Ask whether I really want to leave the game."""

    word = "leave"


class ConfirmLeave(AtTable):
    """Leave the game; a robot keeps the seat."""

    word = "leave_sure"


class AskEnd(AtTable):
    """Ask whether the game shall really be ended for everybody."""

    word = "end"


class ConfirmEnd(AtTable):
    """End the game for everybody."""

    word = "end_sure"


class CallLastDeal(InDeal):
    """Say that the deal under way is the last, where the rules leave that to the players."""

    word = "last_deal"


class Rematch(AtTable):
    """Open a table with the same people and rules."""

    word = "rematch"


class Record(AtTable):
    """Send the game as a text record."""

    word = "record"


class ShowRules(AtTable):
    """Show the rules of this table in private."""

    word = "rules"


class ShowScore(AtTable):
    """Show the scores of all deals in private."""

    word = "score"


@dataclass(frozen=True, slots=True)
class ToggleConfirm:
    """Switch "ask once more" on or off for the person, from the hand of this table."""

    word: ClassVar[str] = "confirm"
    table: TableId
    on: bool

    def parts(self) -> Parts:
        return Parts(self.table, argument="on" if self.on else "off")

    @classmethod
    def read(cls, parts: Parts) -> Self:
        return cls(parts.table_id, on=parts.argument == "on")


@dataclass(frozen=True, slots=True)
class ServerBoard:
    """Turn to a page of the server's leaderboard."""

    word: ClassVar[str] = "board"
    period: Period
    page: int
    """Counted from 1."""

    def parts(self) -> Parts:
        return Parts(argument=f"{self.period.value}.{self.page}")

    @classmethod
    def read(cls, parts: Parts) -> Self:
        period, _, page = parts.argument.partition(".")
        return cls(Period(period), whole(page))


class ShowHelp(Anywhere):
    """Show the help in private."""

    word = "help"


class ChooseHelp(Anywhere):
    """A menu; its one value is a `cogs.ui.help.Topic`."""

    word = "topic"


Action = (
    Join
    | LeaveLobby
    | AddRobot
    | ChooseRobot
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
    | CallLastDeal
    | Rematch
    | Record
    | ShowRules
    | ShowScore
    | ToggleConfirm
    | ServerBoard
    | ShowHelp
    | ChooseHelp
    | FairAction
    | KeeperAction
    | PlanAction
    | PreferenceAction
    | PrivacyAction
    | ChooseVariantFamily
    | HouseAction
    | SettingsAction
    | TableRulesAction
    | SeatAction
    | ServerAction
    | VoteAction
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
        action = _BY_WORD[fields[1]].read(Parts(fields[2], int(fields[3]), fields[4] or ""))
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
