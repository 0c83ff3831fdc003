"""When a game is over, who wins it, and what changes hands, in plain words (rules.md 3.8)."""

from collections.abc import Mapping
from typing import assert_never

from bot.rules.dimensions import (
    DealCount,
    GoodScore,
    Minutes,
    OpenCount,
    Settle,
    Single,
    Target,
    Tie,
)
from bot.rules.phrases import Topic
from bot.rules.ruleset import Ruleset
from bot.rules.sentence import Sentence
from bot.rules.sides import has_partners, is_pooled


def end(ruleset: Ruleset, seats: int) -> Sentence:
    """When the game is over."""
    match ruleset.end:
        case Target(points):
            one, many = _TARGETS[is_pooled(ruleset, seats)]
            return Sentence(one, {"count": points}, many)
        case DealCount(deals):
            return Sentence(
                "The game is over after {count} deal.",
                {"count": deals},
                "The game is over after {count} deals.",
            )
        case OpenCount():
            return Sentence("The game is over after the deal that the host calls the last.")
        case Minutes(minutes):
            return Sentence(
                "The game is over after the deal under way {count} minute after the start.",
                {"count": minutes},
                "The game is over after the deal under way {count} minutes after the start.",
            )
        case Single():
            return Sentence("Every deal is a game of its own.")
        case _:
            assert_never(ruleset.end)


_TARGETS = {
    False: (
        "The game is over after the deal in which somebody reaches {count} point.",
        "The game is over after the deal in which somebody reaches {count} points.",
    ),
    True: (
        "The game is over after the deal in which a pair reaches {count} point.",
        "The game is over after the deal in which a pair reaches {count} points.",
    ),
}
"""By whether partners share a total."""


def exact(ruleset: Ruleset, _: int) -> Topic:
    """What becomes of a total that is hit exactly."""
    return tuple(
        Sentence(
            "If your total is exactly {total} after a deal, it becomes {becomes}.",
            {"total": total, "becomes": becomes},
        )
        for total, becomes in sorted(ruleset.exact.items())
    )


def winning(ruleset: Ruleset, seats: int) -> Topic:
    """Who wins, and what a tie leads to."""
    return (winner(ruleset, seats), *_tie(ruleset))


def winner(ruleset: Ruleset, seats: int) -> Sentence:
    """Who wins."""
    if ruleset.settle is Settle.SUPER:
        return Sentence("You win by receiving the most counters.")
    high = ruleset.good_score is GoodScore.HIGH
    if is_pooled(ruleset, seats):
        return Sentence(_PAIR_WINS[high])
    if has_partners(ruleset, seats):
        return Sentence(_SUM_WINS[high])
    return Sentence(_ONE_WINS[high])


_ONE_WINS = {
    False: "You win with the lowest total.",
    True: "You win with the highest total: here points are good.",
}
_PAIR_WINS = {
    False: "You and your partner win with the lowest total.",
    True: "You and your partner win with the highest total: here points are good.",
}
_SUM_WINS = {
    False: "In the end the totals of partners are added up, and the pair with the lowest sum wins.",
    True: (
        "In the end the totals of partners are added up, and the pair with the highest sum wins: "
        "here points are good."
    ),
}
"""By whether points are good."""


def _tie(ruleset: Ruleset) -> Topic:
    match ruleset.tie:
        case Tie.SHARE:
            return (Sentence("In a tie for first place, the win is shared."),)
        case Tie.EXTRA_HANDS:
            text = "In a tie for first place, you play on until one is alone in front."
            return (Sentence(text),)
        case Tie.TIEBREAK_NO_PASS:
            text = (
                "In a tie for first place, you play on without passing until one is alone in front."
            )
            if not ruleset.moon.on:
                return (Sentence(text),)
            moon = Sentence(_TIEBREAK_MOONS[ruleset.tiebreak_moon])
            return (Sentence(text), moon)
        case _:
            assert_never(ruleset.tie)


_TIEBREAK_MOONS = {
    True: "In those deals, too, you may shoot the moon.",
    False: "In those deals there is no moon.",
}


def settlement(ruleset: Ruleset, seats: int) -> Topic:
    """What changes hands beside points, and in which direction."""
    high = ruleset.good_score is GoodScore.HIGH
    match ruleset.settle:
        case Settle.NONE:
            return ()
        case Settle.SUPER:
            return _SUPER
        case Settle.WILSON:
            told = _WILSON[high]
        case Settle.DIFF_FROM_MEAN:
            told = _MEAN[high]
        case Settle.HOWELL:
            told = _HOWELL[high]
        case _:
            assert_never(ruleset.settle)
    if not has_partners(ruleset, seats):
        return told
    return (
        *told,
        Sentence("Two partners count as one player, and each of them shows the result of both."),
    )


_BySign = Mapping[bool, Topic]
_SUPER = (
    Sentence(
        "Each deal is settled at once: whoever has the fewest points, but at least one, is paid "
        "the difference in counters by everybody else who has points."
    ),
    Sentence("Without points you neither pay nor receive; if several have the fewest, they share."),
)
_EQUAL = Sentence("Equal totals pay and receive as one and share alike.")
_WILSON: _BySign = {
    False: (
        Sentence(
            "When the game is over, you are paid the difference in counters by whoever is next "
            "above you in points, and pay the difference to whoever is next below."
        ),
        _EQUAL,
    ),
    True: (
        Sentence(
            "When the game is over, you pay the difference in counters to whoever is next above "
            "you in points, and are paid the difference by whoever is next below."
        ),
        _EQUAL,
    ),
}
_MEAN: _BySign = {
    False: (
        Sentence(
            "When the game is over, you pay a counter for each point by which your total is above "
            "the mean of all, or receive one for each point below it."
        ),
    ),
    True: (
        Sentence(
            "When the game is over, you receive a counter for each point by which your total is "
            "above the mean of all, or pay one for each point below it."
        ),
    ),
}
_HOWELL: _BySign = {
    False: (
        Sentence(
            "When the game is over, you pay a counter to everybody else for each point of your "
            "total, and receive one from everybody else for each point of theirs."
        ),
    ),
    True: (
        Sentence(
            "When the game is over, you receive a counter from everybody else for each point of "
            "your total, and pay one to everybody else for each point of theirs."
        ),
    ),
}
"""By whether points are good."""
