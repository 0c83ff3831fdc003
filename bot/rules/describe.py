"""A ruleset in plain words, for the people who play by it.

A topic is one sentence or a few that need each other. Topics stand by themselves, so that those
which differ from standard Hearts can come first.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import assert_never

from bot.rules import variants
from bot.rules.cards import Card, Rank, Suit, pack
from bot.rules.dimensions import (
    BonusScore,
    DealCount,
    FirstLead,
    FirstTrickExempt,
    HeartsLead,
    Hold,
    LeadExempt,
    Minutes,
    MoonPayoff,
    OpenCount,
    PassStep,
    Single,
    Target,
    Tie,
)
from bot.rules.phrases import (
    any_of,
    order_to_pass,
    the_cards,
    ways_to_pass,
    whole_steps,
)
from bot.rules.piles import bonuses, penalties, points_in
from bot.rules.ruleset import Ruleset
from bot.rules.sentence import Sentence

Topic = tuple[Sentence, ...]

_QUEEN = Card(Rank.QUEEN, Suit.SPADES)
_GLANCE = 5
"""How many short facts a lobby has room for."""


def describe(ruleset: Ruleset, seats: int) -> tuple[Sentence, ...]:
    """The rules as whole sentences, what differs from standard Hearts first.

    Args:
        ruleset: what is played.
        seats: a number of seats that *ruleset* and standard Hearts can be played with.
    """
    usual = _topics(variants.load("standard"), seats)
    topics = sorted(_topics(ruleset, seats), key=lambda topic: topic in usual)
    return _sentences(topics)


def differences(ruleset: Ruleset, seats: int) -> tuple[Sentence, ...]:
    """The sentences at the head of `describe` that standard Hearts does not have; maybe none."""
    usual = _topics(variants.load("standard"), seats)
    return _sentences([topic for topic in _topics(ruleset, seats) if topic not in usual])


def at_a_glance(ruleset: Ruleset, seats: int) -> tuple[Sentence, ...]:
    """Four or five short facts for a lobby: what people ask about first."""
    facts = (
        _end(ruleset),
        _passing(ruleset.pass_cycle[seats], seats)[0],
        _breaking(ruleset)[-1],
        _moon_paid(ruleset, seats),
        *_card_points(ruleset, seats, bonus=True),
        *_exact(ruleset),
    )
    return facts[:_GLANCE]


def direction(step: PassStep, seats: int) -> Sentence:
    """What to pass in this deal and to whom, as in “Pass 3 cards to the left”."""
    return order_to_pass(step, seats)


def _topics(ruleset: Ruleset, seats: int) -> list[Topic]:
    topics: list[Topic] = [
        _seats(ruleset, seats),
        _passing(ruleset.pass_cycle[seats], seats),
        _opening(ruleset, seats),
        _following(),
        _first_trick(ruleset),
        _breaking(ruleset),
        _points(ruleset, seats),
        _moon(ruleset, seats),
        (_end(ruleset),),
        _exact(ruleset),
        _winning(ruleset),
    ]
    return [topic for topic in topics if topic]


def _sentences(topics: Sequence[Topic]) -> tuple[Sentence, ...]:
    return tuple(sentence for topic in topics for sentence in topic)


def _seats(ruleset: Ruleset, seats: int) -> Topic:
    dealt = Sentence(
        "You play for yourself against {others} others, and everybody gets {count} cards.",
        {"others": seats - 1, "count": ruleset.hand_size(seats)},
    )
    out = ruleset.remove.get(seats, ())
    if not out:
        return (dealt,)
    stays_out = Sentence(
        "Put aside before dealing, so that the hands are equal: {cards}.",
        {"cards": the_cards(out)},
    )
    return (dealt, stays_out)


def _passing(cycle: tuple[PassStep, ...], seats: int) -> Topic:
    counts = {step.count for step in cycle if not isinstance(step, Hold)}
    if not counts:
        return (Sentence("Nothing is passed: you play the cards you are dealt."),)
    if len(counts) == 1:
        order = Sentence(
            "You pass {count} card, deal by deal: {ways}, and so on.",
            {"count": counts.pop(), "ways": ways_to_pass(cycle, seats)},
            "You pass {count} cards, deal by deal: {ways}, and so on.",
        )
    else:
        steps = {"steps": whole_steps(cycle, seats)}
        order = Sentence("You pass, deal by deal: {steps}, and so on.", steps)
    return (order, Sentence("You choose your cards before you see what comes in."))


def _opening(ruleset: Ruleset, seats: int) -> Topic:
    card = next((card for card in ruleset.deck(seats) if card.suit is Suit.CLUBS), None)
    if card is None or ruleset.first_lead is FirstLead.LEFT_OF_DEALER:
        return (Sentence("If you sit to the left of the dealer, you lead to the first trick."),)
    if ruleset.first_lead is FirstLead.HOLDER_ANY_CLUB:
        text = "If you hold the {card}, you lead to the first trick, with any club you like."
    else:
        text = "If you hold the {card}, you must lead it to the first trick."
    return (Sentence(text, {"card": card}),)


def _following() -> Topic:
    return (
        Sentence("You must follow the suit that was led; without a card of it you play any card."),
        Sentence("The highest card of the suit led takes the trick, and its owner leads the next."),
    )


def _first_trick(ruleset: Ruleset) -> Topic:
    if not ruleset.first_trick_ban:
        return (Sentence("Cards that cost points may fall on the first trick, too."),)
    ban = Sentence(
        "To the first trick you may not play {cards} while you hold another card.",
        {"cards": any_of(ruleset.first_trick_ban)},
    )
    if ruleset.first_trick_exempt is FirstTrickExempt.ANY:
        return (ban,)
    queen = Sentence("If you hold nothing else, the {card} must be played first.", {"card": _QUEEN})
    return (ban, queen)


def _breaking(ruleset: Ruleset) -> Topic:
    if ruleset.hearts_lead is HeartsLead.FREE:
        return (Sentence("You may lead hearts at any time."),)
    if ruleset.lead_exempt is LeadExempt.ONLY_HEARTS:
        text = "You may lead a heart once hearts are broken, or when you hold nothing else."
    else:
        text = (
            "You may lead a heart once hearts are broken, or from a hand of hearts and the {card}."
        )
    return (Sentence(text, {"card": _QUEEN}), _breakers(ruleset))


def _breakers(ruleset: Ruleset) -> Sentence:
    if not ruleset.breakers:
        return Sentence("Nothing breaks hearts.")
    text = (
        "Hearts are broken once {cards} has been played."
        if ruleset.break_on_lead
        else "Hearts are broken once {cards} has been played to a trick that another card led."
    )
    return Sentence(text, {"cards": any_of(ruleset.breakers)})


def _points(ruleset: Ruleset, seats: int) -> Topic:
    total = Sentence(
        "That makes {count} point in a deal.",
        {"count": points_in(ruleset, frozenset(ruleset.deck(seats)))},
        "That makes {count} points in a deal.",
    )
    return (
        *_card_points(ruleset, seats, bonus=False),
        *_card_points(ruleset, seats, bonus=True),
        total,
    )


def _card_points(ruleset: Ruleset, seats: int, *, bonus: bool) -> Topic:
    """What cards cost, the dearest first, or what bonus cards take off, the best first."""
    worth: dict[tuple[int, bool], list[Card]] = defaultdict(list)
    for card in ruleset.deck(seats):
        points = ruleset.points_of(card)
        if points and (points < 0) is bonus:
            worth[abs(points), card.suit is Suit.HEARTS].append(card)
    texts = _TAKES_OFF if bonus else _COSTS
    return tuple(
        _worth(texts, cards, points) for (points, _), cards in sorted(worth.items(), reverse=True)
    )


_COSTS = (
    ("Each heart costs you {count} point.", "Each heart costs you {count} points."),
    ("Taking {cards} costs you {count} point.", "Taking {cards} costs you {count} points."),
    (
        "Each of these costs you {count} point: {cards}.",
        "Each of these costs you {count} points: {cards}.",
    ),
)
_TAKES_OFF = (
    ("Each heart saves you {count} point.", "Each heart saves you {count} points."),
    ("Taking {cards} saves you {count} point.", "Taking {cards} saves you {count} points."),
    (
        "Each of these saves you {count} point: {cards}.",
        "Each of these saves you {count} points: {cards}.",
    ),
)


def _worth(texts: Sequence[tuple[str, str]], cards: Sequence[Card], points: int) -> Sentence:
    all_hearts, one_card, some_cards = texts
    if len(cards) == 1:
        one, many = one_card
    elif cards == [card for card in pack() if card.suit is Suit.HEARTS]:
        one, many = all_hearts
    else:
        one, many = some_cards
    return Sentence(one, {"count": points, "cards": the_cards(cards)}, many)


def _moon(ruleset: Ruleset, seats: int) -> Topic:
    paid = _moon_paid(ruleset, seats)
    if not ruleset.moon.on:
        return (paid,)
    bonus = _bonus_cards(ruleset, seats)
    if ruleset.moon.bonus:
        shot = Sentence(
            "You shoot the moon by taking every card that costs points, and {cards} as well.",
            {"cards": the_cards(bonus)},
        )
    else:
        shot = Sentence("You shoot the moon by taking every card that costs points.")
    return (shot, paid, *_bonus_with_moon(ruleset, bonus))


def _moon_paid(ruleset: Ruleset, seats: int) -> Sentence:
    if not ruleset.moon.on:
        return Sentence("There is no moon: if you take every card, you score every point.")
    one, many = _PAYOFFS[ruleset.moon.payoff]
    return Sentence(one, {"count": _moon_value(ruleset, seats)}, many)


_PAYOFFS = {
    MoonPayoff.ADD_OTHERS: (
        "A moon costs you nothing, and everybody else gets {count} point.",
        "A moon costs you nothing, and everybody else gets {count} points.",
    ),
    MoonPayoff.SUBTRACT_SELF: (
        "A moon costs you nothing, and {count} point comes off your total.",
        "A moon costs you nothing, and {count} points come off your total.",
    ),
    MoonPayoff.SHOOTER_CHOICE: (
        "After a moon you choose: {count} point for everybody else, or off your total.",
        "After a moon you choose: {count} points for everybody else, or off your total.",
    ),
    MoonPayoff.ADD_UNLESS_SHOOTER_THEN_LOSES: (
        "A moon gives all others {count} point, or takes it off your total if you would lose.",
        "A moon gives all others {count} points, or takes them off your total if you would lose.",
    ),
}


def _bonus_with_moon(ruleset: Ruleset, bonus: Sequence[Card]) -> Topic:
    if not bonus:
        return ()
    facts = {"cards": the_cards(bonus)}
    if ruleset.moon.bonus_score is BonusScore.ABSORBED:
        return (Sentence("If you shoot the moon, you save nothing more with {cards}.", facts),)
    return (Sentence("What you save with {cards} counts in a deal with a moon, too.", facts),)


def _bonus_cards(ruleset: Ruleset, seats: int) -> tuple[Card, ...]:
    found = bonuses(ruleset, frozenset(ruleset.deck(seats)))
    return tuple(card for card in ruleset.deck(seats) if card in found)


def _moon_value(ruleset: Ruleset, seats: int) -> int:
    if ruleset.moon.value is not None:
        return ruleset.moon.value
    return points_in(ruleset, penalties(ruleset, frozenset(ruleset.deck(seats))))


def _end(ruleset: Ruleset) -> Sentence:
    match ruleset.end:
        case Target(points):
            return Sentence(
                "The game is over after the deal in which somebody reaches {count} point.",
                {"count": points},
                "The game is over after the deal in which somebody reaches {count} points.",
            )
        case DealCount(deals):
            return Sentence(
                "The game is over after {count} deal.",
                {"count": deals},
                "The game is over after {count} deals.",
            )
        case OpenCount():
            return Sentence("The game is over after the deal that you call the last.")
        case Minutes(minutes):
            return Sentence(
                "The game is over after the deal in which {count} minute has passed.",
                {"count": minutes},
                "The game is over after the deal in which {count} minutes have passed.",
            )
        case Single():
            return Sentence("Every deal is a game of its own.")
        case _:
            assert_never(ruleset.end)


def _exact(ruleset: Ruleset) -> Topic:
    return tuple(
        Sentence(
            "If your total is exactly {total} after a deal, it becomes {becomes}.",
            {"total": total, "becomes": becomes},
        )
        for total, becomes in sorted(ruleset.exact.items())
    )


def _winning(ruleset: Ruleset) -> Topic:
    lowest = Sentence("You win with the lowest total.")
    if ruleset.tie is Tie.SHARE:
        return (lowest, Sentence("If several share it, they share the win."))
    return (lowest, Sentence("If several share it, you play on until one is alone in front."))
