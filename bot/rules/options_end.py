"""The catalogue of rules about the end and the settlement, as data (rules.md 3.8)."""

from collections.abc import Iterator

from bot.rules.option import Group, Option, OptionValue, Presets
from bot.rules.options_cards import TWO_PLAYERS
from bot.rules.sentence import Sentence

_NO_TOTAL = frozenset({"super_hearts"})
"""Presets that keep no running total."""
_USUAL_DEALS = (4, 8, 12)
"""Numbers of deals that every preset offers."""


def _targets(
    *totals: int, only: Presets = frozenset(), never: Presets = frozenset()
) -> Iterator[OptionValue]:
    for points in totals:
        label = Sentence("Somebody reaches {points} points", {"points": points})
        yield OptionValue(
            f"to_{points}", label, {"end": {"target": points}}, only=only, never=never
        )


def _deals() -> Iterator[OptionValue]:
    """Where deals are settled one by one, any number of them makes a game (rules.md 1.15)."""
    for count in (2, 4, 6, 8, 10, 12):
        label = Sentence("After {count} deal", {"count": count}, "After {count} deals")
        only = frozenset() if count in _USUAL_DEALS else _NO_TOTAL
        yield OptionValue(f"deals_{count}", label, {"end": {"hands": count}}, only=only)


def _minutes(*lengths: int) -> Iterator[OptionValue]:
    for minutes in lengths:
        label = Sentence(
            "After the deal under way when {minutes} minutes are over", {"minutes": minutes}
        )
        yield OptionValue(f"minutes_{minutes}", label, {"end": {"minutes": minutes}})


END = (
    Option(
        id="end",
        group=Group.END,
        title=Sentence("The end of the game"),
        meaning=Sentence("When it is over: at a total, after so many deals, or after a time."),
        values=(
            *_targets(50, 75, 100, 150, 250, 500, never=_NO_TOTAL),
            OptionValue("single", Sentence("After a single deal"), {"end": "single"}),
            *_deals(),
            *_minutes(30, 60, 90),
            OptionValue(
                "open",
                Sentence("After the deal that you call the last"),
                {"end": {"hands": "open"}},
                only=_NO_TOTAL,
            ),
        ),
    ),
    Option(
        id="tie",
        group=Group.END,
        title=Sentence("A tie for the best total"),
        meaning=Sentence("What happens if several are in front at the end."),
        never=_NO_TOTAL,
        values=(
            OptionValue(
                "extra", Sentence("Further deals until one is ahead"), {"tie": "extra_hands"}
            ),
            OptionValue(
                "no_pass",
                Sentence("Further deals in which nothing is passed"),
                {"tie": "tiebreak_no_pass"},
            ),
            OptionValue("share", Sentence("They share the win"), {"tie": "share"}),
        ),
    ),
    Option(
        id="tiebreak_moon",
        group=Group.END,
        title=Sentence("A moon in a deal that breaks a tie"),
        meaning=Sentence("Whether it counts there, if nothing is passed in such deals."),
        only=TWO_PLAYERS,
        values=(
            OptionValue("yes", Sentence("Counts as always"), {"tiebreak_moon": True}),
            OptionValue("no", Sentence("Does not count"), {"tiebreak_moon": False}),
        ),
    ),
    Option(
        id="settle",
        group=Group.END,
        title=Sentence("Settlement"),
        meaning=Sentence("Counters that change hands when the game is over."),
        never=_NO_TOTAL,
        values=(
            OptionValue("none", Sentence("None"), {"settle": "none"}),
            OptionValue(
                "wilson",
                Sentence("Wilson: differences to the next above and below"),
                {"settle": "wilson"},
            ),
            OptionValue(
                "mean", Sentence("Differences from the mean"), {"settle": "diff_from_mean"}
            ),
        ),
    ),
)
