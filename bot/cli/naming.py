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
