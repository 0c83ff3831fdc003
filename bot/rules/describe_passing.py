"""Who passes how many cards to whom, in plain words (rules.md 3.3)."""

from collections.abc import Sequence

from bot.rules.dimensions import Hold, PassStep, PassTo
from bot.rules.passing import pass_count
from bot.rules.phrases import Topic, chained, way_to_pass, whole_steps
from bot.rules.ruleset import Ruleset
from bot.rules.sentence import Sentence

_LONG_WALK = 4
"""From so many steps on, a cycle that goes one seat further each deal is told as that."""


def passing(ruleset: Ruleset, seats: int) -> Topic:
    """The whole cycle, and that cards are chosen unseen."""
    cycle = ruleset.pass_cycle[seats]
    steps = [step for step in cycle if not isinstance(step, Hold)]
    if not steps:
        return (Sentence("Nothing is passed: you play the cards you are dealt."),)
    several = any(pass_count(step, seats) > 1 for step in steps)
    return (_cycle(cycle, steps, seats), _UNSEEN[several])


_UNSEEN = {
    False: Sentence("You choose your card before you see what comes in."),
    True: Sentence("You choose your cards before you see what comes in."),
}
"""By whether more than one card is passed in some deal."""


def _cycle(cycle: Sequence[PassStep], steps: Sequence[PassStep], seats: int) -> Sentence:
    counts = {step.count for step in steps if not isinstance(step, Hold)}
    if len(cycle) == 1:
        what = {"what": whole_steps(cycle, seats)}
        return Sentence("In every deal you pass {what}.", what)
    if len(steps) >= _LONG_WALK and _goes_further(cycle, steps):
        return _walk(cycle, counts.pop())
    if len(counts) > 1 or seats == 2:
        told = {"steps": whole_steps(cycle, seats)}
        return Sentence("You pass, deal by deal: {steps}, and so on.", told)
    return Sentence(
        "You pass {count} card, deal by deal: {ways}, and so on.",
        {"count": counts.pop(), "ways": chained([way_to_pass(step, seats) for step in cycle])},
        "You pass {count} cards, deal by deal: {ways}, and so on.",
    )


def _goes_further(cycle: Sequence[PassStep], steps: Sequence[PassStep]) -> bool:
    """Whether each step goes one seat further left, and at most the last deal is a hold."""
    first = steps[0]
    if not isinstance(first, PassTo) or tuple(cycle) not in {(*steps,), (*steps, Hold())}:
        return False
    return list(steps) == [PassTo(place + 1, first.count) for place in range(len(steps))]


def _walk(cycle: Sequence[PassStep], count: int) -> Sentence:
    held = isinstance(cycle[-1], Hold)
    one, many = _WALKS[held]
    return Sentence(one, {"count": count, "places": len(cycle) - held}, many)


_WALKS = {
    True: (
        (
            "You pass {count} card to your left, first to the next player and then one seat "
            "further each deal, up to {places} seats; then comes a deal without passing, and it "
            "begins anew."
        ),
        (
            "You pass {count} cards to your left, first to the next player and then one seat "
            "further each deal, up to {places} seats; then comes a deal without passing, and it "
            "begins anew."
        ),
    ),
    False: (
        (
            "You pass {count} card to your left, first to the next player and then one seat "
            "further each deal, up to {places} seats; then it begins anew."
        ),
        (
            "You pass {count} cards to your left, first to the next player and then one seat "
            "further each deal, up to {places} seats; then it begins anew."
        ),
    ),
}
"""By whether a deal without passing follows."""
