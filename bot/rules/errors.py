"""The project's own errors: one tree, each with the sentence that a player is shown.

HeartsError
├── NotationError          a text is no card, hand or record
├── RulesetError           a combination of rules that cannot be played, or an unknown key
├── IllegalMoveError       a move the rules forbid; carries its Reason
├── RecordError            a record that is malformed or stops obeying the rules
└── bot.table.errors       seats, tables, stale clicks, the store
"""

from enum import Enum

from bot.rules.sentence import Sentence


class HeartsError(Exception):
    """Root of the project's own errors. Anything else that escapes is a bug."""

    sentence = Sentence("Something went wrong at the table.")


class NotationError(HeartsError):
    """A text that is not a card."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.sentence = Sentence("“{text}” is not a card.", {"text": text[:40]})
        super().__init__(f"not a card: {text[:40]!r}")


class RulesetError(HeartsError):
    """Rules that contradict each other or name an unknown key.

    Each fault begins with the dotted path of the key, as ``moon.value: …``.
    """

    def __init__(self, faults: list[str]) -> None:
        faults = [*map(_on_one_line, faults)]
        self.faults = tuple(faults)
        self.sentence = Sentence(
            "These rules cannot be played: {faults}", {"faults": "; ".join(faults)}
        )
        super().__init__("; ".join(faults))


class Reason(Enum):
    """Why a move is refused. The value is the sentence, and the key of its translations."""

    NOT_YOUR_TURN = "It is not your turn: waiting for {whom}."
    NOT_NOW = "That cannot be done at this point of the deal."
    NOT_IN_HAND = "You do not hold the {card} any more."
    WRONG_DECK = "These are not the cards of this game."
    OPENING_CARD = "The {card} must be led to the first trick."
    OPENING_CLUB = "The first trick must be led with a club."
    MUST_FOLLOW = "You must follow suit: {suit} were led and you hold some."
    FIRST_TRICK_BAN = (
        "Cards that are barred from the first trick have to wait while you may play others."
    )
    QUEEN_FIRST = (
        "All your cards are barred from the first trick: the queen of spades must go first."
    )
    QUEEN_NOW = "You can be rid of the queen of spades now: by these rules you must play it."
    HEARTS_UNBROKEN = "Hearts are not broken yet; lead something else."
    PASS_COUNT = "Choose exactly {count} card to pass."  # noqa: S105  cards, no secret
    PASS_CLOSED = "The passing is over; the cards have changed hands."  # noqa: S105  the same
    NO_PASSING = "Nothing is passed in this deal."
    UNKNOWN_PAYOFF = "Choose one of the two: the others take the points, or you shed them."


_PLURALS = {Reason.PASS_COUNT: "Choose exactly {count} different cards to pass."}
"""What the sentence of a reason becomes for more than one."""


class IllegalMoveError(HeartsError):
    """A move the rules forbid. Raised before anything is stored, so it costs nothing."""

    def __init__(self, reason: Reason, **facts: object) -> None:
        self.reason = reason
        self.sentence = Sentence(reason.value, facts, _PLURALS.get(reason))
        super().__init__(f"{reason.name}: {self.sentence}")


class RecordError(HeartsError):
    """A text record that cannot be read; *path* says where inside it, as ``deals[0].hands[2]``."""

    def __init__(self, path: str, fault: str) -> None:
        path, fault = _on_one_line(path), _on_one_line(fault)
        self.path = path
        self.sentence = Sentence("{path}: {fault}", {"path": path, "fault": fault})
        super().__init__(f"{path}: {fault}")


def _on_one_line(text: str) -> str:
    """*text*, which may quote a file: what breaks lines or cannot be printed is written out."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)
