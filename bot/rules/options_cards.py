"""The catalogue of rules about cards and passing, as data (rules.md 3.2, 3.3, 3.5)."""

from collections.abc import Sequence
from typing import Any

from bot.rules.dimensions import SEATS
from bot.rules.option import Group, Keys, Option, OptionValue
from bot.rules.sentence import Sentence

TWO_PLAYERS = frozenset(
    {
        "two_player",
        "two_player_omnibus",
        "two_player_spot_hi",
        "two_player_spot_lo",
        "two_player_gamerules",
    }
)
"""The presets of rules.md 1.10: a small pack for two."""
KILLERS = frozenset({"killer", "killer_ancestor_jokers"})
_OWN_CARDS = (
    TWO_PLAYERS | KILLERS | {"cancellation", "joker_hearts", "draw7", "bicycle_old", "small"}
)
"""Presets whose deck is made for their numbers of players and stays as it is."""
_AROUND = (1, -1, 2, -2, 3, -3, 4, -4, 5, -5)
"""Where cards go, deal after deal, at a table that is large enough (rules.md 3.9)."""


def _to(places: int, count: int = 3) -> dict[str, int]:
    return {"to": places, "n": count}


def _directions(seats: int) -> list[Any]:
    """Left, right and on, until every other seat had its turn."""
    return [_to(places) for places in _AROUND[: seats - 1]]


def _cycles(steps: Sequence[Any]) -> Keys:
    """The same steps at every number of seats."""
    return {"pass_cycle": {str(seats): list(steps) for seats in SEATS}}


def _by_seats(key: str, values: Sequence[tuple[int, object]]) -> Keys:
    return {key: {str(seats): value for seats, value in values}}


_SMALL_TABLES = range(3, 7)
_STRIPPED = {"3": ["2D"], "4": [], "5": ["2D", "2C"], "6": ["2D", "2C", "2S", "3C"]}
"""Cards left out by number of players (rules.md 3.9)."""
_NOTHING_OUT: dict[str, list[str]] = {str(seats): [] for seats in SEATS}


def _kitty(take: str, **deal: object) -> Keys:
    widow = {"take": take, "positions": "middle", "seen": "taker"}
    return {"remove": _NOTHING_OUT, "hand": "even", "rest": "widow", "widow": widow, **deal}


CARDS = (
    Option(
        id="packs",
        group=Group.CARDS,
        title=Sentence("Packs and jokers"),
        meaning=Sentence("How many packs are dealt, with as many jokers as make the hands even."),
        only=frozenset({"joker_hearts"}),
        values=(
            OptionValue(
                "one",
                Sentence("One pack, for three to nine players"),
                {
                    "packs": 1,
                    "remove": _NOTHING_OUT,
                    "jokers": {"3": 2, "4": 4, "5": 3, "6": 2, "7": 4, "8": 4, "9": 2},
                    "players": [3, 4, 5, 6, 7, 8, 9],
                },
            ),
            OptionValue(
                "two",
                Sentence("Two packs, for five to nine players"),
                {
                    "packs": 2,
                    "remove": _NOTHING_OUT,
                    "jokers": {"5": 1, "6": 4, "7": 1, "8": 0, "9": 4},
                    "players": [5, 6, 7, 8, 9],
                },
            ),
        ),
    ),
    Option(
        id="kitty",
        group=Group.CARDS,
        title=Sentence("Kitty"),
        meaning=Sentence("Cards that lie face down until the taker of a trick gets them, too."),
        never=_OWN_CARDS | {"black_maria_a", "black_maria_b", "black_maria_c"},
        values=(
            OptionValue(
                "none",
                Sentence("None; odd low cards are left out"),
                {"remove": _STRIPPED, "hand": "even", "rest": "none"},
            ),
            OptionValue(
                "first_trick",
                Sentence("The odd cards, with the first trick"),
                _kitty("first_trick"),
                seats=frozenset({3, 5, 6}),
            ),
            OptionValue(
                "first_penalty",
                Sentence("The odd cards, with the first card that costs points"),
                _kitty("first_penalty"),
                seats=frozenset({3, 5, 6}),
            ),
            OptionValue(
                "four_cards",
                Sentence("Odd cards, or four if four play, with the first card that costs points"),
                _kitty("first_penalty", hand={"4": 12}),
                seats=frozenset({4}),
            ),
        ),
    ),
    Option(
        id="small_deal",
        group=Group.CARDS,
        title=Sentence("Cards on the table"),
        meaning=Sentence("Two hidden cards count for nobody and keep you guessing, or all play."),
        only=TWO_PLAYERS,
        values=(
            OptionValue(
                "hidden",
                Sentence("13 cards each, and two stay hidden"),
                {
                    "hand": {"2": 13},
                    "rest": "widow",
                    "widow": {"take": "dead", "positions": ["first", "last"]},
                },
            ),
            OptionValue(
                "all",
                Sentence("14 cards each, and nothing is hidden"),
                {"hand": {"2": 14}, "rest": "none"},
            ),
        ),
    ),
    Option(
        id="equal_cards",
        group=Group.CARDS,
        title=Sentence("Two equal cards in a trick"),
        meaning=Sentence("What becomes of a trick in which the same card lies twice."),
        only=KILLERS | {"cancellation", "joker_hearts"},
        values=(
            OptionValue(
                "later", Sentence("The one played later is higher"), {"duplicates": "later_wins"}
            ),
            OptionValue(
                "earlier",
                Sentence("The one played earlier is higher"),
                {"duplicates": "earlier_wins"},
            ),
            OptionValue(
                "cancel", Sentence("They cancel each other"), {"duplicates": "cancel_pairs"}
            ),
        ),
    ),
    Option(
        id="unwon_cards",
        group=Group.CARDS,
        title=Sentence("Cards that nobody has won at the end"),
        meaning=Sentence("Whose they are when everything in the last trick has cancelled."),
        only=KILLERS | {"cancellation", "joker_hearts"},
        values=(
            OptionValue("dead", Sentence("Nobody's"), {"no_winner_last": "dead"}),
            OptionValue(
                "previous",
                Sentence("Of whoever won the trick before"),
                {"no_winner_last": "previous_winner"},
            ),
            OptionValue(
                "leader", Sentence("Of whoever led the last trick"), {"no_winner_last": "leader"}
            ),
        ),
    ),
)

_PASSES_OF_TWO: Sequence[tuple[str, tuple[int, ...]]] = (
    ("one_hold", (1, 0)),
    ("one", (1,)),
    ("two", (2,)),
    ("two_hold", (2, 0)),
    ("one_two", (1, 2)),
    ("two_one", (2, 1)),
    ("one_two_hold", (1, 2, 0)),
    ("two_one_hold", (2, 1, 0)),
    ("one_two_three", (1, 2, 3)),
    ("three_two_one", (3, 2, 1)),
    ("three", (3,)),
    ("three_hold", (3, 0)),
    ("none", (0,)),
)
"""How many cards go to the opponent, deal after deal; 0 is a hold (rules.md 1.10, 4.2)."""
_COUNTS = {0: "none", 1: "one card", 2: "two cards", 3: "three cards"}


def _pass_of_two(value_id: str, counts: tuple[int, ...]) -> OptionValue:
    steps = [_to(1, count) if count else "hold" for count in counts]
    words = ", then ".join(_COUNTS[count] for count in counts)
    label = words.capitalize() if len(counts) > 1 else f"Always {words}"
    named = Sentence("Nothing is passed") if counts == (0,) else Sentence(label)
    return OptionValue(value_id, named, {"pass_cycle": {"2": steps}})


def _scattering(last: list[Any]) -> Keys:
    steps = [(n, [*_directions(n), {"scatter": 1}, *last]) for n in _SMALL_TABLES]
    return _by_seats("pass_cycle", steps)


_EVERYWHERE = tuple((seats, seats // 2) for seats in SEATS)
PASSING = (
    Option(
        id="passing",
        group=Group.PASSING,
        title=Sentence("Passing"),
        meaning=Sentence("To whom you pass three cards before the play, deal after deal."),
        never=TWO_PLAYERS | {"killer", "draw7"},
        values=(
            OptionValue(
                "alternating",
                Sentence("Left, right, across or further, then a deal without"),
                _by_seats("pass_cycle", [(n, [*_directions(n), "hold"]) for n in SEATS]),
            ),
            OptionValue(
                "no_hold",
                Sentence("Left, right, across or further, and never a deal without"),
                _by_seats("pass_cycle", [(n, _directions(n)) for n in SEATS]),
            ),
            OptionValue("none", Sentence("Nothing is passed"), _cycles(["hold"])),
            OptionValue("left", Sentence("Always to the left"), _cycles([_to(1)])),
            OptionValue("right", Sentence("Always to the right"), _cycles([_to(-1)])),
            OptionValue(
                "across",
                Sentence("Always across; at an odd table nearly so"),
                _by_seats("pass_cycle", [(n, [_to(half)]) for n, half in _EVERYWHERE]),
            ),
            OptionValue(
                "sides_hold",
                Sentence("Left, right, then a deal without"),
                _cycles([_to(1), _to(-1), "hold"]),
            ),
            OptionValue("sides", Sentence("Left and right in turn"), _cycles([_to(1), _to(-1)])),
            OptionValue(
                "two_each",
                Sentence("Three players: four left, four right, then two to each"),
                {"pass_cycle": {"3": [_to(1, 4), _to(-1, 4), {"scatter": 2}]}},
                seats=frozenset({3}),
            ),
            OptionValue(
                "long_five",
                Sentence("Five players: two deals without, in a cycle of eight"),
                {
                    "pass_cycle": {
                        "5": [
                            _to(1),
                            _to(-1),
                            _to(2),
                            "hold",
                            _to(1),
                            _to(-1),
                            _to(-2),
                            "hold",
                        ]
                    }
                },
                seats=frozenset({5}),
            ),
            OptionValue(
                "scatter",
                Sentence("All directions, then one card to everybody"),
                _scattering([]),
                seats=frozenset(_SMALL_TABLES),
            ),
            OptionValue(
                "scatter_hold",
                Sentence("All directions, then one card to everybody, then none"),
                _scattering(["hold"]),
                seats=frozenset(_SMALL_TABLES),
            ),
        ),
    ),
    Option(
        id="passing_of_two",
        group=Group.PASSING,
        title=Sentence("Passing"),
        meaning=Sentence("How many cards you give your opponent, deal after deal."),
        only=TWO_PLAYERS,
        values=tuple(_pass_of_two(*each) for each in _PASSES_OF_TWO),
    ),
    Option(
        id="passing_on",
        group=Group.PASSING,
        title=Sentence("Passing"),
        meaning=Sentence("Cards go to the left: further away each time, or more of them."),
        only=frozenset({"killer"}),
        values=(
            OptionValue(
                "further",
                Sentence("Three cards, one seat further each deal, then none"),
                _by_seats(
                    "pass_cycle",
                    [(n, [*[_to(k) for k in range(1, n)], "hold"]) for n in range(6, 11)],
                ),
            ),
            OptionValue(
                "more",
                Sentence("One card, then two, then three to the left, then none"),
                _cycles([_to(1, 1), _to(1, 2), _to(1, 3), "hold"]),
            ),
            OptionValue("none", Sentence("Nothing is passed"), _cycles(["hold"])),
        ),
    ),
)
