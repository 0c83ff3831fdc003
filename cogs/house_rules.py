"""What a server may change about a variant: closed lists, each choice a few keys of a ruleset."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from bot.rules.sentence import Sentence
from cogs.errors import UnknownChoiceError


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One choice."""

    id: str
    title: Sentence
    keys: Mapping[str, object]
    """What it changes, in the keys of rules.md 3; empty: as the variant has it."""


class HouseMenu(Enum):
    """The menus on the panel of settings."""

    PASSING = "passing"
    """Which cards go where; one choice."""
    END = "end"
    """When a game is over; one choice."""
    MOON = "moon"
    """How a moon is paid; one choice."""
    MORE = "more"
    """Any of the other house rules of rules.md 1.1."""


_AS_IT_IS = "variant"
_SEATS = range(3, 7)


def _every_deal(step: object) -> Mapping[str, object]:
    """The same step of passing in each deal, at every size of table."""
    return {"pass_cycle": {str(seats): [step] for seats in _SEATS}}


_NO_HOLD: Mapping[str, object] = {
    # rules.md 3.9, "all seats", without its last step
    "pass_cycle": {
        str(seats): [{"to": to, "n": 3} for to in (1, -1, 2, -2, 3)[: seats - 1]]
        for seats in _SEATS
    }
}
CHOICES: Mapping[HouseMenu, tuple[HouseRule, ...]] = {
    HouseMenu.PASSING: (
        HouseRule(_AS_IT_IS, Sentence("Passing: as the variant has it"), {}),
        HouseRule("none", Sentence("Nothing is passed"), _every_deal("hold")),
        HouseRule(
            "left", Sentence("Always three cards to the left"), _every_deal({"to": 1, "n": 3})
        ),
        HouseRule(
            "right", Sentence("Always three cards to the right"), _every_deal({"to": -1, "n": 3})
        ),
        HouseRule(
            "no_hold", Sentence("The usual directions, and never a deal without passing"), _NO_HOLD
        ),
    ),
    HouseMenu.END: (
        HouseRule(_AS_IT_IS, Sentence("Length of the game: as the variant has it"), {}),
        HouseRule("50", Sentence("A short game, to 50 points"), {"end": {"target": 50}}),
        HouseRule("75", Sentence("A game to 75 points"), {"end": {"target": 75}}),
        HouseRule("100", Sentence("A game to 100 points"), {"end": {"target": 100}}),
        HouseRule("150", Sentence("A long game, to 150 points"), {"end": {"target": 150}}),
        HouseRule("deal", Sentence("A single deal"), {"end": "single"}),
    ),
    HouseMenu.MOON: (
        HouseRule(_AS_IT_IS, Sentence("Moon: as the variant has it"), {}),
        HouseRule(
            "add",
            Sentence("A moon adds points to all others"),
            {"moon": {"on": True, "payoff": "add_others"}},
        ),
        HouseRule(
            "subtract",
            Sentence("A moon takes points off your total"),
            {"moon": {"on": True, "payoff": "subtract_self"}},
        ),
        HouseRule(
            "choice",
            Sentence("Whoever shoots the moon chooses"),
            {"moon": {"on": True, "payoff": "shooter_choice"}},
        ),
        HouseRule(
            "protected",
            Sentence("A moon adds, unless the shooter would lose by it"),
            {"moon": {"on": True, "payoff": "add_unless_shooter_then_loses"}},
        ),
        HouseRule("off", Sentence("There is no moon"), {"moon": {"on": False}}),
    ),
    HouseMenu.MORE: (
        HouseRule(
            "jack",
            Sentence("The jack of diamonds saves 10 points"),
            {"points": {"JD": -10}},
        ),
        HouseRule(
            "queen",
            Sentence("The queen of spades does not break hearts"),
            {"breakers": ["H*"]},
        ),
        HouseRule(
            "open",
            Sentence("Points may fall on the first trick"),
            {"first_trick_ban": []},
        ),
        HouseRule("free", Sentence("Hearts may be led at any time"), {"hearts_lead": "free"}),
        HouseRule("exact", Sentence("Exactly 100 points become 50"), {"exact": {"100": 50}}),
        HouseRule("share", Sentence("A tie for the best total shares the win"), {"tie": "share"}),
    ),
}


def chosen(rules: Mapping[str, object], menu: HouseMenu) -> tuple[str, ...]:
    """Ids of the choices of *menu* that the overrides *rules* contain."""
    found = tuple(
        choice.id
        for choice in CHOICES[menu]
        if choice.keys and all(rules.get(key) == value for key, value in choice.keys.items())
    )
    return found or (() if menu is HouseMenu.MORE else (_AS_IT_IS,))


def with_choices(
    rules: Mapping[str, object], menu: HouseMenu, values: Sequence[str]
) -> Mapping[str, object]:
    """The overrides *rules* with what *menu* governs replaced by the choices *values*.

    Raises:
        UnknownChoiceError: *menu* does not offer one of them.
    """
    offered = {choice.id: choice for choice in CHOICES[menu]}
    if not set(values) <= set(offered):
        raise UnknownChoiceError
    governed = {key for choice in CHOICES[menu] for key in choice.keys}
    kept = {key: value for key, value in rules.items() if key not in governed}
    for value in values:
        kept.update(offered[value].keys)
    return kept
