"""Moves of robots: whom to ask, with what dice, after what delay."""

import random
from hashlib import sha256

from bot.ai import LEVELS
from bot.rules.cards import write_cards
from bot.rules.commands import Command, PassCards, PlayCard, PlayedBy, SettleMoon
from bot.rules.state import Phase
from bot.rules.view import SeatView
from bot.table.clocks import MoveClock
from bot.table.moments import turn
from bot.table.plans import natural_delay
from bot.table.ports import Seeds

_LIVE_DELAY = (0.8, 1.4)
_SLOW_DELAY = (2.0, 5.0)
_LIVE_SECONDS = 60


class Robots:
    """Answers for robots of all levels. Rules of thumb are quick and are asked inline.

    Args:
        seeds: where the delays are drawn from.
        scale: what a delay is multiplied by; a demonstration is impatient.
    """

    def __init__(self, seeds: Seeds, *, scale: float = 1.0) -> None:
        self._seeds = seeds
        self._scale = scale

    def delay(self, clock: MoveClock) -> float:
        """Draw how many seconds a robot waits: about one at a live clock, a few at a slow one.

        The range knows nothing of any hand, so that speed tells nothing.
        """
        live = clock.seconds is not None and clock.seconds <= _LIVE_SECONDS
        shortest, longest = _LIVE_DELAY if live else _SLOW_DELAY
        return self._scale * (shortest + (longest - shortest) * self._seeds.fraction())

    def plan_delay(self, clock: MoveClock) -> float:
        """Draw how many seconds a card waits that a person has planned; see `natural_delay`."""
        return self._scale * natural_delay(clock, self._seeds.fraction())

    async def move(self, level: str, view: SeatView) -> Command:
        """What a robot of *level* does in the seat of *view*, which is to move.

        The same view gets the same answer, also after a restart.

        Raises:
            KeyError: there is no such level.
        """
        player, dice = LEVELS[level], dice_of(view)
        match view.public.phase:
            case Phase.PASSING:
                return PassCards(view.seat, player.choose_pass(view, dice))
            case Phase.PLAYING:
                return PlayCard(view.seat, player.choose_card(view, dice), PlayedBy.ROBOT)
            case Phase.MOON_CHOICE:
                return SettleMoon(view.seat, player.choose_moon(view, dice))
            case Phase.DEALING | Phase.OVER:
                raise ValueError(f"seat {view.seat} has nothing to decide")


def dice_of(view: SeatView) -> random.Random:
    """Dice for one decision: repeatable by us, guessable by nobody who does not know the hand."""
    public = view.public
    told = f"{write_cards(view.dealt)}|{view.seat}|{public.deal}|{turn(public)}"
    return random.Random(sha256(f"hearts-robot-v1|{told}".encode()).digest())  # noqa: S311  no secret is drawn from it
