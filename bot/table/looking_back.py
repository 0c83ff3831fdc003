"""The course of a deal, for whoever looks back: all of it once it is over, before that one trick.

As at a real table: of a deal that is played only the last trick may be looked at again.
"""

from bot.rules.sentence import Sentence
from bot.rules.state import Deal, Trick
from bot.table.errors import TableError
from bot.table.state import LIVE, Table


class NothingToSeeError(TableError):
    """No trick of that deal is full."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        super().__init__(str(sentence))


_NOTHING_YET = Sentence(
    "Nothing has been played at this table yet. Ask again once the first trick is taken."
)
_NO_TRICK_YET = Sentence(
    "No trick of that deal has been taken yet. `/hearts score` lists the deals that are over."
)
_NO_TRICK_EVER = Sentence("This table was closed before a trick of that deal was taken.")
_NOT_BEGUN = Sentence(
    "That deal has not begun yet. `/hearts score` lists the deals of this table that are over."
)


def never_dealt(begun: int) -> Sentence:
    """Why a table that is over has no further deal.

    Args:
        begun: how many deals began there.
    """
    if not begun:
        return Sentence("This table was closed before its first deal.")
    return Sentence(
        "This game is over. It had {count} deal.",
        {"count": begun},
        "This game is over. It had {count} deals.",
    )


def past_deal(table: Table, number: int | None) -> Deal | Trick:
    """What everybody may see again of a deal.

    Args:
        table: where it was played.
        number: which deal, counted from 1; ``None``: the newest that is over, else the one under
            way.

    Returns:
        The whole deal, if it is over; else its last full trick.

    Raises:
        NothingToSeeError: it has none, or has not begun.
    """
    over, deals = _deals(table)
    number = over or 1 if number is None else number
    if number > len(deals):
        raise NothingToSeeError(_why_none(table, over, len(deals)))
    deal = deals[number - 1]
    if number <= over:
        return deal
    if not deal.tricks:
        raise NothingToSeeError(_why_no_trick(table, over))
    return deal.tricks[-1]


def _deals(table: Table) -> tuple[int, tuple[Deal, ...]]:
    """How many deals are over, and all that began."""
    game = table.game
    if game is None:
        return 0, ()
    return len(game.scores), game.past if game.deal is None else (*game.past, game.deal)


def _why_no_trick(table: Table, over: int) -> Sentence:
    if table.status not in LIVE:
        return _NO_TRICK_EVER
    return _NO_TRICK_YET if over else _NOTHING_YET


def _why_none(table: Table, over: int, begun: int) -> Sentence:
    if table.status not in LIVE:
        return never_dealt(begun)
    return _NOT_BEGUN if over else _NOTHING_YET
