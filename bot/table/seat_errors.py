"""Errors about seats that change hands during a game, and about the host.

TableError
├── NotOneOfUsError
│   └── SeatGivenError     the person's seat is somebody else's by now
├── NotAtTableError        the other person does not sit here
├── NoSubstituteError      there is no game whose seats could be taken over
├── SeatTakenError         no robot plays that seat
└── OtherHandSeenError     the person has seen another hand of the game
"""

from bot.rules.sentence import Sentence
from bot.table.errors import NotOneOfUsError, TableError


class SeatGivenError(NotOneOfUsError):
    """The person's seat is somebody else's by now."""

    sentence = Sentence(
        "Somebody else has taken over your seat at this table and plays it to the end. "
        "`/hearts start` opens a new table."
    )


class NotAtTableError(TableError):
    """The person named does not sit there in person."""

    sentence = Sentence(
        "That person does not sit at this table now. Choose somebody who plays here."
    )


class NoSubstituteError(TableError):
    """No game runs whose seats could be taken over."""

    sentence = Sentence(
        "Seats are taken over while a game runs, and none does at this table. "
        "In a lobby, press Join instead."
    )


class SeatTakenError(TableError):
    """No robot plays that seat."""

    sentence = Sentence(
        "Somebody sits there already. `/hearts substitute` shows which seats robots play."
    )


class OtherHandSeenError(TableError):
    """The person sat in another seat of the game and has seen the hand there."""

    sentence = Sentence(
        "You played in another seat of this game and saw its cards, so you cannot take this one."
    )
