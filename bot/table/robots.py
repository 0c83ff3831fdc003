"""Moves of robots: whom to ask, with what dice, after what delay."""

import random
from hashlib import sha256

from bot.ai import LEVELS
from bot.ai.rule_of_thumb import RuleOfThumb
from bot.ai.tempers import Temper
from bot.rules.cards import write_cards
from bot.rules.commands import Command
from bot.rules.view import SeatView
from bot.table import thought
from bot.table.clocks import MoveClock
from bot.table.moments import turn
from bot.table.plans import natural_delay
from bot.table.ports import Seeds
from bot.table.seating import STAND_IN_LEVEL
from bot.table.thinking import NoThoughtError, Thinking

LEVEL_NAMES = tuple(LEVELS)
"""What robots a table may have."""

_LIVE_DELAY = (0.8, 1.4)
_SLOW_DELAY = (2.0, 5.0)
_LIVE_SECONDS = 60


class Robots:
    """Answers for robots of all levels: rules of thumb at once, those that search when they may.

    Args:
        seeds: where the delays are drawn from.
        scale: what a delay is multiplied by; a demonstration is impatient.
        thinking: where those think that search; ``None``: all play by rules of thumb.
    """

    def __init__(
        self, seeds: Seeds, *, scale: float = 1.0, thinking: Thinking | None = None
    ) -> None:
        self._seeds = seeds
        self._scale = scale
        self._thinking = thinking
        self._nobody_thinks = thinking is None or thinking.most == 0

    def delay(self, clock: MoveClock) -> float:
        """Draw how many seconds a robot waits: about one at a live clock, a few at a slow one.

        The range knows nothing of any hand, so that speed tells nothing. Who searches thinks in
        that time.
        """
        live = clock.seconds is not None and clock.seconds <= _LIVE_SECONDS
        shortest, longest = _LIVE_DELAY if live else _SLOW_DELAY
        return self._scale * (shortest + (longest - shortest) * self._seeds.fraction())

    def plan_delay(self, clock: MoveClock) -> float:
        """Draw how many seconds a card waits that a person has planned; see `natural_delay`."""
        return self._scale * natural_delay(clock, self._seeds.fraction())

    def is_quick(self, level: str, view: SeatView) -> bool:
        """Whether `move` answers at once: by rules of thumb, or since nothing is left to choose."""
        return self._nobody_thinks or thought.is_quick(_present(level), view)

    async def move(self, level: str, view: SeatView) -> Command:
        """What a robot of *level* does in the seat of *view*, which is to move.

        The same view gets the same answer, also after a restart, unless so many robots think that
        each has to hurry. Where no thought comes at all, rules of thumb decide.

        Raises:
            ValueError: the seat has nothing to decide.
        """
        level, seed = _present(level), _seed_of(view)
        if thought.is_quick(level, view):
            return thought.answer(thought.Question(level=level, view=view, seed=seed))
        try:
            if self._thinking is not None:
                return await self._thinking.ask(level, view, seed)
        except NoThoughtError:
            pass  # its warning stands in the log, and the game goes on
        return thought.decide(LEVELS[STAND_IN_LEVEL], view, dice_of(view))

    async def stand_in(self, temper: Temper, view: SeatView) -> Command:
        """What a person of this temper would do, by rules of thumb and at once.

        Raises:
            ValueError: the seat has nothing to decide.
        """
        return thought.decide(RuleOfThumb(temper.weights), view, dice_of(view))


def _present(level: str) -> str:
    """The level, or the usual one: a game may be older than the levels of today."""
    return level if level in LEVELS else STAND_IN_LEVEL


def dice_of(view: SeatView) -> random.Random:
    """Dice for one decision: repeatable by us, guessable by nobody who does not know the hand."""
    return random.Random(_seed_of(view))  # noqa: S311  no secret is drawn from it


def _seed_of(view: SeatView) -> bytes:
    public = view.public
    told = f"{write_cards(view.dealt)}|{view.seat}|{public.deal}|{turn(public)}"
    return sha256(f"hearts-robot-v1|{told}".encode()).digest()
