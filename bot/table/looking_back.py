"""The course of a deal, for whoever looks back: all of it once it is over, before that one trick.

As at a real table: of a deal that is played only the last trick may be looked at again.
"""

from bot.rules.sentence import Sentence
from bot.rules.state import Deal, Game, Trick
from bot.table.errors import TableError


class NothingToSeeError(TableError):
    """No trick of that deal is full."""

    sentence = Sentence(
        "There is nothing of that deal to look back at yet. "
        "`/hearts score` lists the deals of this table that are over."
    )


def past_deal(game: Game | None, number: int | None) -> Deal | Trick:
    """What everybody may see again of a deal.

    Args:
        game: ``None`` in a lobby.
        number: which deal, counted from 1; ``None``: the newest that is over, else the one under
            way.

    Returns:
        The whole deal, if it is over; else its last full trick.

    Raises:
        NothingToSeeError: it has none, or has not begun.
    """
    if game is None:
        raise NothingToSeeError
    over = len(game.scores)
    number = over or 1 if number is None else number
    deals = game.past if game.deal is None else (*game.past, game.deal)
    if number > len(deals):
        raise NothingToSeeError
    deal = deals[number - 1]
    if number <= over:
        return deal
    if not deal.tricks:
        raise NothingToSeeError
    return deal.tricks[-1]
