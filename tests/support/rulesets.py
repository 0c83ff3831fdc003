"""The rules to try a test with: every preset's, and random ones as Hypothesis strategies."""

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from bot.rules import variants
from bot.rules.ruleset import Ruleset
from bot.rules.variants import load
from tests.support.deals import house_rules

EVERY_TABLE = tuple((name, seats) for name in variants.names() for seats in load(name).players)
"""Every preset, with each of its numbers of seats."""
HAND_SIZES = {3: 17, 4: 13, 5: 10, 6: 8}

_BANS: tuple[list[str], ...] = (["H*", "QS"], ["H*"], ["QS"], ["H*", "rank:Q"], ["C*"], [])
_BREAKERS: tuple[list[str], ...] = (["H*", "QS"], ["H*"], ["QS"], [])
_POINTS: tuple[Mapping[str, int], ...] = (
    {},
    {"JD": -10},
    {"TD": -10},
    {"QS": 0},
    {"QS": 7, "KS": 10, "AS": 7},
    {"rank:Q": 13, "QH": 0},
)
_ENDS: tuple[object, ...] = ({"target": 50}, {"target": 100}, {"hands": 3}, "single")
_PAYOFFS = (
    "add_others",
    "subtract_self",
    "shooter_choice",
    "add_unless_shooter_then_loses",
)


def steps(seats: int) -> st.SearchStrategy[object]:
    """Any way to pass that so many seats can carry out."""
    size = HAND_SIZES[seats]
    places = st.integers(1 - seats, seats - 1).filter(bool)
    to = st.fixed_dictionaries({"to": places, "n": st.integers(1, size)})
    scatter = st.fixed_dictionaries({"scatter": st.integers(1, size // (seats - 1))})
    return st.one_of(st.just("hold"), to, scatter)


@st.composite
def keys_of_rulesets(draw: st.DrawFn) -> dict[str, Any]:
    """Keys that change the preset ``standard`` into other rules which can be played."""
    options: dict[str, st.SearchStrategy[Any]] = {
        "first_lead": st.sampled_from(["lowest_club", "holder_any_club", "left_of_dealer"]),
        "first_trick_ban": st.sampled_from(_BANS),
        "first_trick_exempt": st.sampled_from(["any", "qs_first"]),
        "hearts_lead": st.sampled_from(["free", "after_broken"]),
        "breakers": st.sampled_from(_BREAKERS),
        "break_on_lead": st.booleans(),
        "lead_exempt": st.sampled_from(["only_hearts", "hearts_or_qs"]),
        "points": st.sampled_from(_POINTS),
        "moon": st.fixed_dictionaries(
            {},
            optional={
                "on": st.booleans(),
                "bonus_score": st.sampled_from(["separate", "absorbed"]),
                "payoff": st.sampled_from(_PAYOFFS),
                "value": st.sampled_from(["sum", 26, 50]),
            },
        ),
        "end": st.sampled_from(_ENDS),
        "exact": st.sampled_from([{}, {"100": 50}, {"100": 0}, {"50": 0}]),
        "tie": st.sampled_from(["extra_hands", "share"]),
        "pass_cycle": st.fixed_dictionaries(
            {}, optional={str(n): st.lists(steps(n), min_size=1, max_size=4) for n in HAND_SIZES}
        ),
    }
    return draw(st.fixed_dictionaries({}, optional=options))


def rulesets() -> st.SearchStrategy[Ruleset]:
    """Rulesets that can be played with three to six seats."""
    return keys_of_rulesets().map(house_rules)
