"""The score of a game that is played with real cards, as pure values (rules.md 1.1 and 2.4.12).

Nobody deals here: what each player took in a deal is typed in, held against what a deal has to
add up to, and kept. Everything else follows from what was kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from bot.rules.errors import HeartsError
from bot.rules.sentence import Sentence

FEWEST_PLAYERS = 3
MOST_PLAYERS = 10
"""S3 has three to six; more are an extension of ours (rules.md 2.4.12)."""
JACK = -10
"""Points of the jack of diamonds, where it counts (rules.md 1.1)."""
LARGEST = 9_999
"""The largest number that can be kept, of either sign."""


class ScoreKeeperError(HeartsError):
    """Something that cannot be kept. Nothing has changed."""


class PlayersError(ScoreKeeperError):
    """Too few or too many players, or two of one name."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        super().__init__(str(sentence))


class WrongCountError(ScoreKeeperError):
    """Not one number for each player."""

    def __init__(self, found: int, expected: int) -> None:
        self.sentence = Sentence(
            "I read {found} numbers, and there are {expected} players: "
            "type one number for each of them, in seat order, with 0 for nothing.",
            {"found": found, "expected": expected},
        )
        super().__init__(f"{found} numbers for {expected} players")


class WrongSumError(ScoreKeeperError):
    """The points of a deal do not add up."""

    def __init__(self, found: int, expected: int) -> None:
        self.sentence = Sentence(
            "These points add up to {found}, and a deal has to add up to {expected}: "
            "correct them, or choose below who shot the moon.",
            {"found": found, "expected": expected},
        )
        super().__init__(f"points add up to {found} instead of {expected}")


class TooLargeError(ScoreKeeperError):
    """A number that no deal can have, or a rule that makes no sense."""

    sentence = Sentence(
        "Numbers may go up to {largest}, and the target and the moon have to be at least 1: "
        "type smaller ones.",
        {"largest": LARGEST},
    )


class GameOverError(ScoreKeeperError):
    """Points for a game that has ended."""

    sentence = Sentence(
        "This game is over. Undo the last deal if it was typed wrongly, or set a higher target "
        "to play on."
    )


class NothingToUndoError(ScoreKeeperError):
    """No deal has been kept yet."""

    sentence = Sentence("No deal has been entered yet, so there is nothing to undo.")


class NoSuchPlayerError(ScoreKeeperError):
    """A number that stands for none of the players."""

    sentence = Sentence("I do not know that player. Choose from the menu again.")


class MoonForm(Enum):
    """Who pays for a moon (rules.md 1.1)."""

    ADD_OTHERS = "add_others"
    """Everybody else gets the points; the shooter none."""
    SUBTRACT_SELF = "subtract_self"
    """The shooter takes them off the own total; the others get none."""


@dataclass(frozen=True, slots=True)
class KeptRules:
    """What the people at the table have agreed on.

    Raises:
        TooLargeError: a number is out of bounds.
    """

    total: int = 26
    """What the points of a deal add up to, the jack's included; not held against a moon."""
    target: int = 100
    """The game is over after the deal in which somebody reaches so many points."""
    moon: MoonForm = MoonForm.ADD_OTHERS
    moon_value: int = 26
    """Points that one player gets or loses by a moon."""
    jack: bool = False
    """Whether the jack of diamonds takes `JACK` off; then a deal usually adds up to 16."""

    def __post_init__(self) -> None:
        _demand_small([self.total, self.target, self.moon_value])
        if self.target < 1 or self.moon_value < 1:
            raise TooLargeError


@dataclass(frozen=True, slots=True)
class KeptDeal:
    """One deal as it was kept."""

    points: tuple[int, ...]
    """By player, in seat order."""
    shooter: int | None = None
    """Who shot the moon, counted from 0; ``None``: nobody did."""


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """A whole game: who plays, by which rules, and every deal so far.

    Raises:
        PlayersError: too few or too many players, or two of one name.
    """

    players: tuple[str, ...]
    """Names as they were typed, in seat order."""
    rules: KeptRules = field(default_factory=KeptRules)
    deals: tuple[KeptDeal, ...] = ()

    def __post_init__(self) -> None:
        _demand_players(self.players)

    @property
    def totals(self) -> tuple[int, ...]:
        """By player."""
        return tuple(
            sum(deal.points[player] for deal in self.deals) for player in range(len(self.players))
        )

    @property
    def places(self) -> tuple[int, ...]:
        """By player, counted from 1; equal totals share a place."""
        totals = self.totals
        return tuple(1 + sum(other < total for other in totals) for total in totals)

    @property
    def target_reached(self) -> bool:
        """Whether somebody stands at the target now, after the newest deal.

        A moon that is taken off a total can bring everybody below it again (rules.md 2.4.9).
        """
        return bool(self.deals) and max(self.totals) >= self.rules.target

    @property
    def extra_deal(self) -> bool:
        """Whether the game goes on only because the lowest total is shared (rules.md 2.4.9)."""
        return self.target_reached and self.places.count(1) > 1

    @property
    def over(self) -> bool:
        """Whether the game has a winner."""
        return self.target_reached and self.places.count(1) == 1


def enter(sheet: ScoreSheet, points: Sequence[int]) -> ScoreSheet:
    """Keep a deal without a moon.

    Args:
        sheet: the game before it.
        points: by player, in seat order; single ones may be negative.

    Raises:
        GameOverError: the game has ended.
        WrongCountError: not one number for each player.
        TooLargeError: a number is out of bounds.
        WrongSumError: they do not add up to what a deal has.
    """
    _demand_deal(sheet, points, sheet.rules.total)
    return _with(sheet, KeptDeal(tuple(points)))


def lacks_jack(sheet: ScoreSheet, points: Sequence[int]) -> bool:
    """Whether *points* are all that a deal has but for a jack of diamonds that counts."""
    return sheet.rules.jack and sum(points) == sheet.rules.total - JACK


def enter_without_jack(sheet: ScoreSheet, points: Sequence[int], jack: int | None) -> ScoreSheet:
    """Keep a deal without a moon whose points were typed without the jack of diamonds.

    Args:
        sheet: the game before it.
        points: by player, in seat order, as `lacks_jack` wants them.
        jack: who took the jack, counted from 0; ``None``: nobody did.

    Raises:
        ScoreKeeperError: as `enter`.
        NoSuchPlayerError: *jack* stands for nobody.
    """
    _demand_deal(sheet, points, sheet.rules.total - JACK)
    return _with(sheet, KeptDeal(_less_jack(sheet, points, jack)))


def shoot(sheet: ScoreSheet, shooter: int, jack: int | None = None) -> ScoreSheet:
    """Keep a deal in which *shooter* shot the moon.

    Its points follow from the rules, so they are not held against a deal's total. The jack of
    diamonds counts for whoever took it, the shooter or not (rules.md 2.4.7).

    Args:
        sheet: the game before it.
        shooter: counted from 0.
        jack: who took the jack of diamonds; ``None`` for nobody, or where it does not count.

    Raises:
        GameOverError: the game has ended.
        NoSuchPlayerError: one of the numbers stands for nobody.
    """
    _demand_open(sheet)
    seats = range(len(sheet.players))
    if shooter not in seats:
        raise NoSuchPlayerError
    points = [_moon_points(sheet.rules, shoots=player == shooter) for player in seats]
    taker = jack if sheet.rules.jack else None
    return _with(sheet, KeptDeal(_less_jack(sheet, points, taker), shooter))


def undo(sheet: ScoreSheet) -> ScoreSheet:
    """Take the newest deal back, also one that ended the game.

    Raises:
        NothingToUndoError: there is none.
    """
    if not sheet.deals:
        raise NothingToUndoError
    return replace(sheet, deals=sheet.deals[:-1])


def demand_count(players: int) -> None:
    """Make sure that a score can be kept for so many.

    Raises:
        PlayersError: they are too few or too many.
    """
    if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        raise PlayersError(
            Sentence(
                "I keep the score of {least} to {most} players, and read {found}: "
                "name them in seat order, with commas between them.",
                {"found": players, "least": FEWEST_PLAYERS, "most": MOST_PLAYERS},
            )
        )


def with_rules(sheet: ScoreSheet, rules: KeptRules) -> ScoreSheet:
    """Go on by other rules. Deals that have been kept stay as they are; the end is judged anew."""
    return replace(sheet, rules=rules)


def with_jack(rules: KeptRules, *, counts: bool) -> KeptRules:
    """Let the jack of diamonds count or not; a deal's total goes with it (rules.md 1.1)."""
    change = JACK * (counts - rules.jack)
    return replace(rules, jack=counts, total=rules.total + change)


def _with(sheet: ScoreSheet, deal: KeptDeal) -> ScoreSheet:
    return replace(sheet, deals=(*sheet.deals, deal))


def _moon_points(rules: KeptRules, *, shoots: bool) -> int:
    if rules.moon is MoonForm.ADD_OTHERS:
        return 0 if shoots else rules.moon_value
    return -rules.moon_value if shoots else 0


def _less_jack(sheet: ScoreSheet, points: Sequence[int], jack: int | None) -> tuple[int, ...]:
    if jack is not None and jack not in range(len(sheet.players)):
        raise NoSuchPlayerError
    return tuple(each + JACK * (player == jack) for player, each in enumerate(points))


def _demand_deal(sheet: ScoreSheet, points: Sequence[int], total: int) -> None:
    _demand_open(sheet)
    if len(points) != len(sheet.players):
        raise WrongCountError(len(points), len(sheet.players))
    _demand_small(points)
    if sum(points) != total:
        raise WrongSumError(sum(points), total)


def _demand_open(sheet: ScoreSheet) -> None:
    if sheet.over:
        raise GameOverError


def _demand_small(numbers: Sequence[int]) -> None:
    if any(abs(number) > LARGEST for number in numbers):
        raise TooLargeError


def _demand_players(players: Sequence[str]) -> None:
    demand_count(len(players))
    if len({player.casefold() for player in players}) < len(players):
        raise PlayersError(
            Sentence("Two players have the same name: give each of them a name of their own.")
        )
