"""The catalogue of rules about moon and sun, as data (rules.md 3.7)."""

from collections.abc import Iterator, Mapping
from typing import Any

from bot.rules.option import Group, Keys, Option, OptionValue, Presets
from bot.rules.options_cards import KILLERS, TWO_PLAYERS
from bot.rules.sentence import Sentence

SPOTS_OF_TWO = frozenset({"two_player_spot_hi", "two_player_spot_lo"})
_SPOTS = frozenset({"spot", "spot_omnibus", "spot_red_jack", "spot_plain"})
_SPOTS_OF_124 = frozenset({"spot_alt", "black_maria_c"})
_SPOTS_OF_129 = frozenset({"spot_pagat"})
_ALL_SPOTS = _SPOTS | _SPOTS_OF_124 | _SPOTS_OF_129
_PARTNERS = frozenset({"partnership_pooled", "killer_ancestor_partners", "killer"})
_SEATS_OF_PARTNERS = frozenset({4, 6, 8, 10})
"""Numbers of seats at which nobody is alone where opposite players are partners."""
_CHEAP, _DEAR = 7, 13
"""What the queen of spades costs in Spot for two; the moon counts on the cheap one."""
_SAVED = 5
"""What the bonus card of a game for two takes off."""


def worth_of_two(rules: Mapping[str, Any]) -> Keys:
    """What a moon for two is worth: a needed bonus adds to it (rules.md 2.1.3c and l)."""
    is_spot = rules["heart_scale"] in {"half_hi", "half_lo"}
    moon, queen = rules["moon"], rules["points"].get("QS")
    worth = 35 if is_spot else 14
    if is_spot and queen == _DEAR:
        worth += _DEAR - _CHEAP
    if moon["bonus"] and moon["bonus_score"] == "absorbed":
        worth += _SAVED
    return {"moon": {"value": worth}}


def _bonus_of_two(
    ending: str, only: Presets = frozenset(), never: Presets = frozenset()
) -> Iterator[OptionValue]:
    """Whether the bonus card is needed, which tells what a moon is worth (rules.md 2.1.3l)."""
    yield OptionValue(
        "apart" + ending,
        Sentence("Not needed, and counts for whoever takes it"),
        {"moon": {"bonus": False, "bonus_score": "separate"}},
        also=worth_of_two,
        only=only,
        never=never,
    )
    yield OptionValue(
        "needed" + ending,
        Sentence("Needed, and saves nothing more"),
        {"moon": {"bonus": True, "bonus_score": "absorbed"}},
        also=worth_of_two,
        only=only,
        never=never,
    )


def _moon_of_two(
    *worths: int, only: Presets = frozenset(), never: Presets = frozenset()
) -> Iterator[OptionValue]:
    for points in worths:
        label = Sentence("{points} points", {"points": points})
        yield OptionValue(str(points), label, {"moon": {"value": points}}, only=only, never=never)


def _sun(points: int, only: Presets = frozenset(), never: Presets = frozenset()) -> OptionValue:
    """One that is worth more than a moon of the game; twice as much is usual."""
    label = Sentence("{points} points, paid as a moon is", {"points": points})
    keys = {"sun": {"value": points}}
    return OptionValue(str(points), label, keys, only=only, never=never)


MOON = (
    Option(
        id="moon",
        group=Group.MOON,
        title=Sentence("Shooting the moon"),
        meaning=Sentence("What happens if one player takes every card that costs points."),
        never=frozenset({"reverse", "super_hearts"}),
        values=(
            OptionValue(
                "add",
                Sentence("All others get points"),
                {"moon": {"on": True, "payoff": "add_others"}},
            ),
            OptionValue(
                "subtract",
                Sentence("Points come off the shooter's total"),
                {"moon": {"on": True, "payoff": "subtract_self"}},
            ),
            OptionValue(
                "choice",
                Sentence("The shooter chooses: points for all others, or off the own total"),
                {"moon": {"on": True, "payoff": "shooter_choice"}},
            ),
            OptionValue(
                "protected",
                Sentence("All others get points, unless the shooter would lose by it"),
                {"moon": {"on": True, "payoff": "add_unless_shooter_then_loses"}},
            ),
            OptionValue("off", Sentence("There is no moon"), {"moon": {"on": False}}),
        ),
    ),
    Option(
        id="slam",
        group=Group.MOON,
        title=Sentence("Taking everything"),
        meaning=Sentence("What a side gets that takes all hearts and the queen of spades."),
        only=frozenset({"reverse"}),
        values=(
            OptionValue("points", Sentence("Its 26 points, as always"), {"moon": {"on": False}}),
            OptionValue(
                "loses",
                Sentence("It loses 26 points instead"),
                {"moon": {"on": True, "payoff": "lose_value", "value": 26, "scope": "side"}},
            ),
        ),
    ),
    Option(
        id="moon_value",
        group=Group.MOON,
        title=Sentence("Points for a moon"),
        meaning=Sentence("How many each of the others gets, or come off the shooter's total."),
        never=TWO_PLAYERS | {"reverse", "super_hearts"},
        values=(
            OptionValue("sum", Sentence("As many as were taken"), {"moon": {"value": "sum"}}),
            OptionValue("26", Sentence("26 points"), {"moon": {"value": 26}}),
            OptionValue(
                "13",
                Sentence("13 points"),
                {"moon": {"value": 13}},
                only=frozenset({"plain"}),
            ),
            OptionValue(
                "43",
                Sentence("43 points"),
                {"moon": {"value": 43}},
                only=frozenset({"black_maria"}),
            ),
            OptionValue("52", Sentence("52 points"), {"moon": {"value": 52}}),
            OptionValue("150", Sentence("150 points, as in Spot"), {"moon": {"value": 150}}),
        ),
    ),
    Option(
        id="moon_of_two",
        group=Group.MOON,
        title=Sentence("Points for a moon"),
        meaning=Sentence("How many your opponent gets, or come off your total."),
        only=TWO_PLAYERS,
        values=(
            *_moon_of_two(14, 19, 20, never=SPOTS_OF_TWO),
            *_moon_of_two(35, 40, 41, 46, only=SPOTS_OF_TWO),
        ),
    ),
    Option(
        id="moon_bonus",
        group=Group.MOON,
        title=Sentence("The bonus card in a moon"),
        meaning=Sentence("Whether the shooter needs it, and whose it is then."),
        never=TWO_PLAYERS | KILLERS | {"reverse", "super_hearts"},
        values=(
            OptionValue(
                "apart",
                Sentence("Not needed, and counts for whoever takes it"),
                {"moon": {"bonus": False, "bonus_score": "separate"}},
            ),
            OptionValue(
                "needed",
                Sentence("Needed, and saves nothing more"),
                {"moon": {"bonus": True, "bonus_score": "absorbed"}},
            ),
            OptionValue(
                "needed_apart",
                Sentence("Needed, and still saves its points"),
                {"moon": {"bonus": True, "bonus_score": "separate"}},
            ),
        ),
    ),
    Option(
        id="moon_bonus_of_two",
        group=Group.MOON,
        title=Sentence("The bonus card in a moon"),
        meaning=Sentence("Whether you need it; then a moon is worth 5 points more."),
        only=TWO_PLAYERS - {"two_player_gamerules"},
        values=(
            *_bonus_of_two("", never=SPOTS_OF_TWO),
            *_bonus_of_two("_spot", only=SPOTS_OF_TWO),
        ),
    ),
    Option(
        id="moon_scope",
        group=Group.MOON,
        title=Sentence("Who can shoot the moon"),
        meaning=Sentence("One player alone, or two partners together."),
        only=_PARTNERS,
        values=(
            OptionValue(
                "side",
                Sentence("Partners together"),
                {"moon": {"scope": "side"}},
                seats=_SEATS_OF_PARTNERS,
            ),
            OptionValue(
                "player",
                Sentence("One player alone"),
                {"moon": {"scope": "player"}},
                seats=_SEATS_OF_PARTNERS,
            ),
        ),
    ),
    Option(
        id="hidden_points",
        group=Group.MOON,
        title=Sentence("A hidden card that costs points"),
        meaning=Sentence("Whether you can shoot the moon without the hidden cards."),
        only=TWO_PLAYERS,
        values=(
            OptionValue(
                "void", Sentence("There is no moon then"), {"moon": {"widow_points_void": True}}
            ),
            OptionValue(
                "excused",
                Sentence("The rest is a moon all the same"),
                {"moon": {"widow_points_void": False}},
            ),
        ),
    ),
    Option(
        id="sun",
        group=Group.MOON,
        title=Sentence("Shooting the sun"),
        meaning=Sentence("Whether taking every trick is worth more than a moon."),
        never=TWO_PLAYERS | KILLERS | {"cancellation", "reverse", "super_hearts"},
        values=(
            OptionValue("off", Sentence("It is a moon like others"), {"sun": "off"}),
            _sun(52, never=_ALL_SPOTS | {"queens"}),
            _sun(104, never=_ALL_SPOTS),
            _sun(248, only=_SPOTS_OF_124),
            _sun(258, only=_SPOTS_OF_129),
            _sun(300),
        ),
    ),
)
