"""One decision of a robot, as it travels to the process that makes it and back.

This file, and all that it imports, is loaded by each process that thinks; see
`bot.table.thinking`.
"""

from dataclasses import dataclass, field
from random import Random

from bot.ai import LEVELS, Player
from bot.ai.player import Searching
from bot.rules.commands import Command, PassCards, PlayCard, PlayedBy, SettleMoon
from bot.rules.state import Phase
from bot.rules.view import SeatView


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a robot needs to decide, and no more."""

    level: str
    view: SeatView
    seed: bytes = field(repr=False)
    """Of its dice. Follows from cards that others do not know."""
    part: float = 1.0
    """Of the level's budget, above 0 and at most 1."""


def answer(question: Question) -> Command:
    """What the robot does.

    Raises:
        KeyError: there is no such level.
        ValueError: its seat has nothing to decide.
    """
    player = LEVELS[question.level]
    if question.part < 1.0 and isinstance(player, Searching):
        player = player.hurried(question.part)
    dice = Random(question.seed)  # noqa: S311  no secret is drawn from it
    return decide(player, question.view, dice)


def decide(player: Player, view: SeatView, dice: Random) -> Command:
    """What *player* does in the seat of *view*.

    Raises:
        ValueError: the seat has nothing to decide.
    """
    match view.public.phase:
        case Phase.PASSING:
            return PassCards(view.seat, player.choose_pass(view, dice))
        case Phase.PLAYING:
            return PlayCard(view.seat, player.choose_card(view, dice), PlayedBy.ROBOT)
        case Phase.MOON_CHOICE:
            return SettleMoon(view.seat, player.choose_moon(view, dice))
        case Phase.DEALING | Phase.OVER:
            raise ValueError(f"seat {view.seat} has nothing to decide")


def is_quick(level: str, view: SeatView) -> bool:
    """Whether a robot of *level* answers at once, be it that nothing is left to choose.

    Raises:
        KeyError: there is no such level.
    """
    if not isinstance(LEVELS[level], Searching) or view.public.phase is Phase.MOON_CHOICE:
        return True
    return view.choice is not None and len(view.choice.cards) == 1
