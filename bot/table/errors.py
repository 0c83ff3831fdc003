"""Errors of the table room, under `bot.rules.errors.HeartsError`.

Those about seats that change hands are in `bot.table.seat_errors`, those about cuts and seals in
`bot.table.sealing` and `bot.table.verifying`.

TableError
├── UnknownTableError      no such table
├── NotSeatedError         the person has no seat here
│   └── NotOneOfUsError    the person never sat here; said where no hand was asked for
├── RobotSitsInError       a robot keeps the person's seat; it has to be taken back first
├── NotHostError           only the host (or a moderator) may do that
│   ├── RulesHostError     only the host sets the rules
│   ├── RobotHostError     only the host seats robots
│   └── CallHostError      only the host calls the last deal
├── NoCallError            the rules say themselves when the game ends
├── LastDealCalledError    the last deal has been called already
├── RulesFixedError        the game has begun, so its rules stay
├── SeatsClashError        rules that are not for so many seats as the lobby has
├── TableFullError         no free chair
├── NoRobotError           no robot sits in the lobby
├── TooManyInvitedError    more people are invited than there are chairs
├── AlreadySeatedError     the person sits here
├── ChannelBusyError       another table occupies the channel; carries its id
├── TooManyTablesError     the person or the server has as many as allowed
├── TooFewPlayersError     the lobby has free chairs
├── WrongPhaseError        the table is no longer (or not yet) in the state for that
├── TablePausedError       the table cannot go on before its channel is back
├── RematchGoneError       the rematch of this table has begun or is over
├── TableBrokenError       the stored game no longer follows the rules; the log says where
├── StaleClickError        the button is from an earlier trick or deal; nothing was stored
├── UnknownKeeperError     the score keeper has been closed
├── NotKeeperError         the score keeper is somebody else's
├── KeeperOpenError        the person keeps a score in this channel already
├── UnknownZoneError       no time zone has that name
├── LongQuietError         quiet hours that leave too little of the day
├── StaleVoteError         what was voted about is settled or has changed
│   └── NotCertainError    the rest of the deal is not certain, or the deal is over
├── OwnSeatVoteError       nobody votes about their own seat
├── TooFewVotersError      not even all votes together could pass it
├── RepeatedClickError     this interaction is already on disk; show the present state
└── VersionConflictError   another process wrote first; reload and try again
PostingError               what a `Poster` raises; never shown to players
├── PostGoneError          the message does not exist any more
├── PlaceGoneError         the channel or thread does not exist any more
├── PlaceForbiddenError    we may not post there
├── PlaceArchivedError     the thread is archived and locked
├── DirectRefusedError     the person takes no direct messages from us
├── PostTooOldError        the message is too old to be edited
└── PosterBusyError        try again later; carries seconds to wait
"""

from bot.rules.errors import HeartsError
from bot.rules.sentence import Sentence
from bot.table.ids import ChannelId, TableId


class TableError(HeartsError):
    """Something that cannot be done at this table."""


class UnknownTableError(TableError):
    """No such table."""

    sentence = Sentence("I do not know that table. `/hearts games` lists yours.")


class NotSeatedError(TableError):
    """The person has no seat at the table."""

    sentence = Sentence("You do not sit at this table, so there is no hand to show you.")


class NotOneOfUsError(NotSeatedError):
    """The person has no seat at the table and asked for something that is its people's."""

    sentence = Sentence("Only people who sit at this table can do that.")


class RobotSitsInError(TableError):
    """A robot keeps the person's seat."""

    sentence = Sentence("A robot is playing for you. Take your seat back first, then it is yours.")


class NotHostError(TableError):
    """Only the host or a moderator may do that."""

    sentence = Sentence(
        "Only the host of this table, or somebody who may manage messages here, can do that."
    )


class RulesHostError(NotHostError):
    """Only the host sets the rules."""

    sentence = Sentence(
        "Only the host of this table can change its rules. `/hearts rules` shows them."
    )


class RobotHostError(NotHostError):
    """Only the host seats robots and sends them away."""

    sentence = Sentence(
        "Only the host of this table can add and remove robots. Ask the host for the one you want."
    )


class CallHostError(NotHostError):
    """Only the host calls the last deal."""

    sentence = Sentence(
        "Only the host of this table can call the last deal. Ask the host when you want to stop."
    )


class NoCallError(TableError):
    """The rules say themselves when the game ends."""

    sentence = Sentence(
        "Nobody calls the last deal here: the rules of this table say when the game ends. "
        "`/hearts rules` shows them."
    )


class LastDealCalledError(TableError):
    """The last deal has been called already."""

    sentence = Sentence("The last deal has been called already. Play this one to its end.")


class RulesFixedError(TableError):
    """The rules of a game that has begun never change."""

    sentence = Sentence(
        "The rules of this table stay as they are, because its game has begun or it is closed. "
        "`/hearts rules` shows them."
    )


class SeatsClashError(TableError):
    """The rules are not for so many seats as the lobby has."""

    def __init__(self, choice: Sentence, seats: int) -> None:
        facts = {"choice": choice, "number": seats}
        self.sentence = Sentence(_SEATS_CLASH, facts)
        super().__init__(str(self.sentence))


_SEATS_CLASH = (
    "“{choice}” and a table of {number} seats do not go together. "
    "Choose something else, or open a table with other seats."
)


class TableFullError(TableError):
    """No chair is free for this person."""

    sentence = Sentence(
        "Every seat is taken or kept for somebody. "
        "You can open a table of your own with `/hearts start` in another channel."
    )


class NoRobotError(TableError):
    """There is no robot to send away."""

    sentence = Sentence("No robot sits at this table.")


class TooManyInvitedError(TableError):
    """More people are invited than the table has chairs beside the host's."""

    sentence = Sentence(
        "You invited more people than this table has seats. Choose more seats, or invite fewer."
    )


class AlreadySeatedError(TableError):
    """The person already sits there."""

    sentence = Sentence("You already sit at this table.")


class ChannelBusyError(TableError):
    """Another table occupies the channel."""

    sentence = Sentence(
        "This channel already has a table. Join that one, end it with `/hearts end`, "
        "or start yours in another channel or thread."
    )

    def __init__(self, table_id: TableId, channel_id: ChannelId) -> None:
        self.table_id = table_id
        self.channel_id = channel_id
        super().__init__(f"channel {channel_id} has table {table_id}")


class TooManyTablesError(TableError):
    """The person or the server has as many tables as allowed."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        super().__init__(str(sentence))


class TooFewPlayersError(TableError):
    """The lobby still has free chairs."""

    sentence = Sentence(
        "There are still free seats. Invite friends, or press Add robot to fill them."
    )


class WrongPhaseError(TableError):
    """The table is not in the state for that."""

    sentence = Sentence("That is not possible at this table any more.")


class TablePausedError(TableError):
    """The place to post is gone or shut."""

    sentence = Sentence(
        "This table is paused, because I cannot post in its channel. "
        "Once I may post there again, use `/hearts table` and it goes on; `/hearts move` lets it "
        "go on in another channel."
    )


class RematchGoneError(TableError):
    """The one rematch of a table is no lobby any more."""

    sentence = Sentence(
        "The rematch of this table has begun or is over. Open a new table with `/hearts start`."
    )


class TableBrokenError(TableError):
    """What is stored of a table no longer follows the rules. It can only be ended."""

    sentence = Sentence(
        "This table is stopped: its stored game does not follow the rules any more. "
        "Nothing was lost or changed. The host can end it with `/hearts end`."
    )


class StaleClickError(TableError):
    """The button is from an earlier moment. Nothing was stored."""

    sentence = Sentence("That moved on in the meantime; this is how things stand now.")


class RepeatedClickError(TableError):
    """This interaction has already been stored. Nothing more was stored."""


class VersionConflictError(TableError):
    """Another writer was faster. Reload and decide again."""

    sentence = Sentence(
        "Somebody else was faster at this table. Look at it again, then press once more."
    )


class UnknownKeeperError(TableError):
    """No such score keeper."""

    sentence = Sentence(
        "This score keeper has been closed. `/hearts scorekeeper` with the names of the players "
        "opens a new one."
    )


class NotKeeperError(TableError):
    """The score keeper is somebody else's."""

    sentence = Sentence(
        "Somebody else keeps this score. Ask them for Post to channel, or keep your own with "
        "`/hearts scorekeeper`."
    )


class KeeperOpenError(TableError):
    """The person keeps a score in this channel already."""

    sentence = Sentence(
        "You keep a score in this channel already. Close it before you begin another, or keep "
        "the other in another channel or thread."
    )


class UnknownZoneError(TableError):
    """No time zone has that name."""

    def __init__(self, text: str) -> None:
        self.sentence = Sentence(
            "I know no time zone “{text}”. Type one like Europe/Berlin, or its city alone; "
            "`/preferences` lists them while you type in its `zone` option.",
            {"text": text[:40]},
        )
        super().__init__(f"no time zone: {text[:40]!r}")


class LongQuietError(TableError):
    """Quiet hours that leave too little of the day to play in."""

    sentence = Sentence(
        "Quiet hours can last 16 hours a day at most. Choose shorter ones, or go on vacation "
        "with `/hearts vacation`."
    )


class StaleVoteError(TableError):
    """What was voted about is settled, or has changed since the vote was called."""

    sentence = Sentence("That vote is over, because the table has moved on. Call a new one.")


class NotCertainError(StaleVoteError):
    """The deal cannot be ended: it is over, or nobody there can know what is left to be certain."""

    sentence = Sentence(
        "This deal cannot be ended now: it is over, or what is left of it can still count."
    )


class OwnSeatVoteError(TableError):
    """Nobody votes about their own seat."""

    sentence = Sentence(
        "This vote is about your own seat, so it is for the others to decide. "
        "If you want to go, use `/hearts leave`."
    )


class TooFewVotersError(TableError):
    """Not even all votes together could pass it: of two people, one cannot send away the other."""

    sentence = Sentence(
        "There are too few people at this table to vote about a seat. "
        "Ask somebody who may manage messages here."
    )


class PostingError(Exception):
    """What a `bot.table.ports.Poster` could not do."""


class PostGoneError(PostingError):
    """The message does not exist any more."""


class PlaceGoneError(PostingError):
    """The channel or thread does not exist any more, or the bot left the server."""


class PlaceForbiddenError(PostingError):
    """The bot may not post there."""


class PlaceArchivedError(PostingError):
    """The thread is archived and cannot be revived."""


class DirectRefusedError(PostingError):
    """The person takes no direct messages from us (50007)."""


class PostTooOldError(PostingError):
    """The message is too old to be edited (30046)."""


class PosterBusyError(PostingError):
    """Discord asks to wait, or did not answer."""

    def __init__(self, seconds: float, *, sent_unknown: bool = False) -> None:
        self.seconds = seconds
        self.sent_unknown = sent_unknown
        """Whether the message may have been delivered all the same."""
        super().__init__(f"try again in {seconds:.1f} s")
