"""Errors about seats that change hands, hosts, pauses, votes and the place of a table.

TableError
├── NotOneOfUsError
│   ├── SeatGivenError     the person's seat is somebody else's by now
│   └── RemovedError       the person was sent away
├── PausedError            the people at the table agreed to pause
├── NotPausedError         they did not, or somebody let it go on
├── SamePlaceError         the table stands there already
├── NudgedError            people were called once more already
├── NobodyToNudgeError     the game waits for nobody else
├── NoGameError            there is no game to vote about
├── TooManyVotesError      as many votes are open as may be
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


class RemovedError(NotOneOfUsError):
    """The person was sent away."""

    sentence = Sentence(
        "The seat that you had at this table was given to a robot. "
        "The host can invite you back with `/hearts substitute`."
    )


class PausedError(TableError):
    """The people at the table agreed to pause."""

    sentence = Sentence(
        "This table is paused, as everybody at it agreed. "
        "Press Go on at its newest post when you want to play."
    )


class NotPausedError(TableError):
    """There is no pause to end."""

    sentence = Sentence("This table is not paused. `/hearts hand` shows your cards.")


class SamePlaceError(TableError):
    """The table stands there already."""

    sentence = Sentence(
        "This table stands here already. `/hearts table` brings its newest post back to the end."
    )


class NudgedError(TableError):
    """People were called once more for this move, or a short while ago."""

    sentence = Sentence(
        "They have been called once more already. That is done once for a move, "
        "and at most every six hours."
    )


class NobodyToNudgeError(TableError):
    """The game waits for nobody else."""

    sentence = Sentence(
        "This table waits for nobody else right now. `/hearts hand` shows whose turn it is."
    )


class NoGameError(TableError):
    """There is no game to vote about."""

    sentence = Sentence(
        "There is nothing to vote about before the game begins. "
        "Ask the host, or open a table of your own with `/hearts start`."
    )


class TooManyVotesError(TableError):
    """As many votes are open as may be."""

    sentence = Sentence(
        "Three votes are open at this table. Vote about those first, in its newest post."
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
