"""A ruleset in plain words, for the people who play by it.

A topic is one sentence or a few that need each other. Topics stand by themselves, so that those
which differ from standard Hearts can come first. What they say stands in the files
``describe_*.py``.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice

from bot.rules import describe_cards as cards
from bot.rules import describe_end as ends
from bot.rules import describe_moon as moons
from bot.rules import describe_play as play
from bot.rules import describe_points as points
from bot.rules import ruleset_io, variants
from bot.rules.describe_passing import passing
from bot.rules.dimensions import Hold, PassStep
from bot.rules.frozen import FrozenMap
from bot.rules.phrases import Topic, order_to_pass, whole_steps
from bot.rules.ruleset import Ruleset
from bot.rules.sentence import Sentence

_GLANCE = 6
"""How many short facts a lobby has room for."""


def describe(ruleset: Ruleset, seats: int) -> tuple[Sentence, ...]:
    """The rules as whole sentences, what differs from standard Hearts first.

    Args:
        ruleset: what is played.
        seats: a number of seats that *ruleset* can be played with.
    """
    usual = _usual_topics(seats)
    topics = sorted(_topics(ruleset, seats), key=lambda topic: topic in usual)
    return _sentences(topics)


def differences(ruleset: Ruleset, seats: int) -> tuple[Sentence, ...]:
    """The sentences at the head of `describe` that standard Hearts does not have; maybe none."""
    usual = _usual_topics(seats)
    return _sentences([topic for topic in _topics(ruleset, seats) if topic not in usual])


def at_a_glance(ruleset: Ruleset, seats: int) -> tuple[Sentence, ...]:
    """Three to six short facts for a lobby: what people ask about first."""
    return tuple(islice(_facts(ruleset, seats), _GLANCE))


def introduction(ruleset: Ruleset) -> Sentence:
    """What is special about a ruleset, in its own words; its title where it has none.

    Rules that people have changed are no longer what their preset says of itself.
    """
    if ruleset.id in variants.names():
        preset = variants.load(ruleset.id)
        if ruleset == preset:
            return Sentence(preset.text)
        return Sentence("{title}, with rules of this table's own.", {"title": preset.title})
    text = "{text}" if ruleset.text else "{title} is a game of Hearts."
    return Sentence(text, {"text": ruleset.text, "title": ruleset.title})


def direction(step: PassStep, seats: int) -> Sentence:
    """What to pass in this deal and to whom, as in “Pass 3 cards to the left”."""
    return order_to_pass(step, seats)


def passed(step: PassStep, seats: int) -> Sentence:
    """What was passed in a deal, as in “Passed: 3 cards to the left”."""
    if isinstance(step, Hold):
        return order_to_pass(step, seats)
    return Sentence("Passed: {what}.", {"what": whole_steps((step,), seats)})


def _facts(ruleset: Ruleset, seats: int) -> Iterator[Sentence]:
    """What people ask about, the most urgent first."""
    yield ends.end(ruleset, seats)
    yield ends.winner(ruleset, seats)
    yield play.breaking(ruleset, seats)[-1]
    yield from cards.partners(ruleset, seats)
    yield from cards.packs(ruleset)
    yield from cards.joker_count(ruleset, seats)
    if cards.has_widow(ruleset, seats):
        yield cards.widow_cards(ruleset, seats)
    yield from cards.stock(ruleset, seats)[:1]
    yield from points.named_bonuses(ruleset, seats)
    yield from ends.exact(ruleset, seats)
    yield passing(ruleset, seats)[0]
    yield moons.moon_paid(ruleset, seats)


_TOPICS: Sequence[Callable[[Ruleset, int], Topic]] = (
    cards.players,
    cards.deck,
    cards.widow,
    cards.stock,
    passing,
    play.opening,
    play.following,
    play.jokers,
    play.equal_cards,
    play.unwon_tricks,
    play.first_trick,
    play.forced_queen,
    play.breaking,
    points.points,
    points.no_trick_bonus,
    moons.moon,
    lambda ruleset, seats: (ends.end(ruleset, seats),),
    ends.exact,
    ends.winning,
    ends.settlement,
)


def _topics(ruleset: Ruleset, seats: int) -> list[Topic]:
    return [topic for find in _TOPICS if (topic := find(ruleset, seats))]


@cache
def _usual_topics(seats: int) -> list[Topic]:
    """Of standard Hearts; for numbers of seats that it is not meant for, as it would be there."""
    standard = variants.load("standard")
    if seats not in standard.players:
        # Odd cards have to go somewhere for the rules to be read; then nothing is said of them.
        there = {"extends": "standard", "players": [seats], "rest": "widow"}
        standard = replace(ruleset_io.from_dict(there), rest=FrozenMap({}))
    return _topics(standard, seats)


def _sentences(topics: Sequence[Topic]) -> tuple[Sentence, ...]:
    return tuple(sentence for topic in topics for sentence in topic)
