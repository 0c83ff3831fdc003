"""What games are called on a command line."""

from collections.abc import Iterable

from bot import OperatorError
from bot.rules import variants
from bot.rules.errors import RulesetError
from bot.rules.ruleset import Ruleset


def variant(name: str) -> tuple[Ruleset, int | None]:
    """The preset *name*, and the number of seats if it says one, as ``killer_10`` does.

    Raises:
        OperatorError: there is none, or it cannot be played; says which there are.
    """
    preset, _, number = name.rpartition("_")
    known = variants.names()
    if name not in known and not (preset in known and number.isdecimal()):
        raise OperatorError(f"There is no variant {name!r}; there are {listed(known)}.")
    try:
        return variants.with_seats(name)
    except RulesetError as error:
        raise OperatorError(f"The variant {name} cannot be played: {error}.") from error


def listed(items: Iterable[object]) -> str:
    """All *items* in one line."""
    return ", ".join(map(str, items))


def table_of(name: str, seats: int | None) -> tuple[Ruleset, int]:
    """The preset *name* and how many play: *seats*, else what the name says, else as usual.

    Raises:
        OperatorError: there is none, or it is not played by so many.
    """
    ruleset, named = variant(name)
    if named is not None and seats not in {None, named}:
        raise OperatorError(f"{name} is played by {named}, not by {seats}.")
    number = seats or named or ruleset.default_players
    if number not in ruleset.players:
        raise OperatorError(
            f"{ruleset.title} is played by {listed(ruleset.players)}, not by {number}."
        )
    return ruleset, number
