"""The catalogue of rules about points, as data (rules.md 3.6)."""

from collections.abc import Iterator

from bot.rules.option import Group, Option, OptionValue, Presets
from bot.rules.options_cards import KILLERS, TWO_PLAYERS
from bot.rules.options_moon import SPOTS_OF_TWO, worth_of_two
from bot.rules.options_play import NO_QUEEN
from bot.rules.sentence import Sentence

_OWN_POINTS = TWO_PLAYERS | KILLERS | {"reverse", "super_hearts", "draw7", "queens"}
"""Presets whose points are what the game is about, and stay as they are."""


def _hearts(
    ending: str,
    queen: tuple[int, int, int],
    only: Presets = frozenset(),
    never: Presets = frozenset(),
) -> Iterator[OptionValue]:
    """What hearts may cost; *queen* is what the queen of spades then usually does."""
    for value_id, label, keys, usual, target, worth in zip(
        ("one", "face", "greek"),
        (
            "One point each",
            "Spot, face value from jack 11 to ace 14",
            "Spot, face value with courts 10 and the ace 15",
        ),
        (
            {"heart_scale": "ones", "points": {"H*": 1}},
            {"heart_scale": "pip14"},
            {"heart_scale": "greek"},
        ),
        (26, 150, "sum"),
        (100, 500, 500),
        queen,
        strict=True,
    ):
        also = {"points": {"QS": worth}, "moon": {"value": usual}, "end": {"target": target}}
        yield OptionValue(value_id + ending, Sentence(label), keys, also, only=only, never=never)


POINTS = (
    Option(
        id="bonus",
        group=Group.POINTS,
        title=Sentence("Bonus card"),
        meaning=Sentence("A card that takes points off its taker's total."),
        never=TWO_PLAYERS | {"reverse"},
        values=(
            OptionValue("none", Sentence("None"), {"points": {"JD": 0, "TD": 0}}),
            OptionValue(
                "jack",
                Sentence("Jack of diamonds, saves 10 points"),
                {"points": {"JD": -10, "TD": 0}},
            ),
            OptionValue(
                "ten",
                Sentence("Ten of diamonds, saves 10 points"),
                {"points": {"JD": 0, "TD": -10}},
            ),
        ),
    ),
    Option(
        id="bonus_of_two",
        group=Group.POINTS,
        title=Sentence("Bonus card"),
        meaning=Sentence("A card that takes points off its taker's total."),
        only=TWO_PLAYERS,
        values=(
            OptionValue("none", Sentence("None"), {"points": {"TD": 0, "QD": 0}}),
            OptionValue(
                "ten",
                Sentence("Ten of diamonds, saves 5 points"),
                {"points": {"TD": -5, "QD": 0}},
            ),
            OptionValue(
                "queen",
                Sentence("Queen of diamonds, saves 5 points"),
                {"points": {"TD": 0, "QD": -5}},
            ),
        ),
    ),
    Option(
        id="hearts",
        group=Group.POINTS,
        title=Sentence("What hearts cost"),
        meaning=Sentence("One point each, or more the higher they are: Spot Hearts."),
        never=_OWN_POINTS | {"cancellation", "joker_hearts"},
        values=(
            *_hearts("", queen=(13, 50, 25), never=NO_QUEEN),
            *_hearts("_alone", queen=(0, 0, 0), only=NO_QUEEN),
        ),
    ),
    Option(
        id="queen",
        group=Group.POINTS,
        title=Sentence("What the queen of spades costs"),
        meaning=Sentence("13 as a rule; games with more points for hearts count more for her."),
        never=NO_QUEEN | _OWN_POINTS,
        values=(
            OptionValue("13", Sentence("13 points"), {"points": {"QS": 13}}),
            OptionValue("25", Sentence("25 points"), {"points": {"QS": 25}}),
            OptionValue("26", Sentence("26 points"), {"points": {"QS": 26}}),
            OptionValue("50", Sentence("50 points, as in Spot"), {"points": {"QS": 50}}),
            OptionValue("7", Sentence("7 points"), {"points": {"QS": 7}}),
        ),
    ),
    Option(
        id="queen_of_two",
        group=Group.POINTS,
        title=Sentence("What the queen of spades costs"),
        meaning=Sentence(
            "At 13, as in the game for four, a moon is worth 6 points more than at 7."
        ),
        only=SPOTS_OF_TWO,
        values=(
            OptionValue("7", Sentence("7 points"), {"points": {"QS": 7}}, also=worth_of_two),
            OptionValue("13", Sentence("13 points"), {"points": {"QS": 13}}, also=worth_of_two),
        ),
    ),
    Option(
        id="high_spades",
        group=Group.POINTS,
        title=Sentence("King and ace of spades"),
        meaning=Sentence("Whether they cost points beside the queen: Black Maria."),
        never=_OWN_POINTS | NO_QUEEN,
        values=(
            OptionValue("none", Sentence("Cost nothing"), {"points": {"KS": 0, "AS": 0}}),
            OptionValue(
                "maria",
                Sentence("10 and 7 points, as in Black Maria"),
                {"points": {"KS": 10, "AS": 7}},
            ),
        ),
    ),
    Option(
        id="no_trick",
        group=Group.POINTS,
        title=Sentence("Taking no trick at all"),
        meaning=Sentence("Whether that saves points."),
        never=frozenset({"reverse", "super_hearts"}),
        values=(
            OptionValue(
                "nothing",
                Sentence("Saves nothing"),
                {"no_trick_bonus": {"points": 0, "if_moon": False, "floor_zero": False}},
            ),
            OptionValue(
                "five",
                Sentence("Saves 5 points, except in a deal with a moon"),
                {"no_trick_bonus": {"points": -5, "if_moon": False, "floor_zero": False}},
            ),
            OptionValue(
                "five_floor",
                Sentence("Saves up to 5 points down to a total of 0, except in a deal with a moon"),
                {"no_trick_bonus": {"points": -5, "if_moon": False, "floor_zero": True}},
            ),
            OptionValue(
                "five_always",
                Sentence("Saves 5 points, in a deal with a moon, too"),
                {"no_trick_bonus": {"points": -5, "if_moon": True, "floor_zero": False}},
            ),
            OptionValue(
                "five_always_floor",
                Sentence("Saves up to 5 points down to a total of 0, in a deal with a moon, too"),
                {"no_trick_bonus": {"points": -5, "if_moon": True, "floor_zero": True}},
            ),
        ),
    ),
    Option(
        id="exact",
        group=Group.POINTS,
        title=Sentence("Hitting a total exactly"),
        meaning=Sentence("What becomes of a total that is exactly so high after a deal."),
        never=TWO_PLAYERS | {"reverse", "super_hearts", "draw7"},
        values=(
            OptionValue("none", Sentence("Nothing special"), {"exact": {}}),
            OptionValue("half", Sentence("Exactly 100 becomes 50"), {"exact": {"100": 50}}),
            OptionValue("zero", Sentence("Exactly 100 becomes 0"), {"exact": {"100": 0}}),
            OptionValue("fifty", Sentence("Exactly 50 becomes 0"), {"exact": {"50": 0}}),
        ),
    ),
)
