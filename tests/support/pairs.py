"""Two tables that somebody cannot tell apart, at a random moment of a random game of any preset.

They are equal in all that the viewer may know, and differ in what is hidden: where the cards lie,
what others plan, which of their moves they made by hand, which word they gave for the next shuffle.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from bot.rules import variants
from bot.rules.cards import Seat, sorted_cards
from bot.rules.claims import known_rest
from bot.rules.frozen import FrozenMap
from bot.rules.state import Game, Phase
from bot.table.ballots import EndDeal, OpenVote, Pause
from bot.table.clocks import MOVE_CLOCKS
from bot.table.ids import Human, Occupant, Robot, UserId
from bot.table.moments import Mark, mark
from bot.table.plans import AllForced, LowestOfSuitLed, OneCard, Plan, QueenWhenPossible
from bot.table.state import Status, Table
from tests.support.hidden import otherwise
from tests.support.looks import table
from tests.support.rulesets import EVERY_TABLE
from tests.support.seeded import course

NOBODY: frozenset[UserId] = frozenset()
_PLANS: tuple[Plan, ...] = (LowestOfSuitLed(), QueenWhenPossible(), AllForced())
_SELDOM = 0.05


@dataclass(frozen=True, slots=True)
class Pair:
    """Two tables, and who cannot tell them apart."""

    one: Table
    other: Table
    viewer: Seat | None
    """``None``: whoever only looks on."""
    luck: int
    """Decides what the viewer tries."""


def person(seat: int) -> UserId:
    """Who sits, or sat, in a seat."""
    return UserId(seat + 1)


def moments(dice: Random, *, each: int) -> Iterator[Game]:
    """Positions of random games, without end: so many of each game."""
    while True:
        name, seats = dice.choice(EVERY_TABLE)
        deals = 2 if dice.random() < 0.1 else 1
        found = [
            game
            for game, _ in course(variants.load(name), seats, dice, deals=deals)
            if game.deal is not None
        ]
        yield from dice.sample(found, min(each, len(found)))


def pair(game: Game, viewer: Seat | None, dice: Random) -> Pair:
    """Two tables around *game*, as it is and as it might be for all that *viewer* knows."""
    one = _furnished(game, viewer, dice)
    other = replace(one, game=otherwise(game, viewer, dice))
    first, second = (_with_secrets(around, viewer, dice) for around in (one, other))
    return Pair(first, second, viewer, dice.getrandbits(32))


def _furnished(game: Game, viewer: Seat | None, dice: Random) -> Table:
    """People and robots, a pause or a vote now and then; the viewer has plans and has missed."""
    chairs = tuple(_occupant(Seat(seat), viewer, dice) for seat in range(game.seats))
    people = [chair.user_id for chair in chairs if isinstance(chair, Human)]
    plays = game.phase is not Phase.OVER
    around = table(
        game,
        chairs=chairs,
        status=Status.PAUSED if plays and dice.random() < _SELDOM else None,
        agreed_pause=plays and dice.random() < _SELDOM,
        votes=_votes(game, people, dice),
        last_actor=dice.choice([None, *people]),
        claims_itself=dice.random() < 0.5,
        # Everybody sees who gave a word, and nobody which.
        words=FrozenMap({user: "a word" for user in people if dice.random() < 0.5}),
        seals=FrozenMap({number: f"{number:064x}" for number in range(1, len(game.past) + 3)}),
    )
    own = [] if viewer is None else [viewer]
    return replace(_with_plans(around, own, dice), clock=dice.choice(MOVE_CLOCKS))


def _occupant(seat: Seat, viewer: Seat | None, dice: Random) -> Occupant:
    if dice.random() < (0.9 if seat == viewer else 0.6):
        return Human(person(seat))
    return Robot("steady", keeps_for=person(seat) if seat == viewer else None)


def _votes(game: Game, people: list[UserId], dice: Random) -> tuple[OpenVote, ...]:
    """A vote to end a deal is only called where that deal can be ended, so it tells of that."""
    if game.deal is None or dice.random() > _SELDOM:
        return ()
    is_certain = known_rest(game, None) is not None
    subject = EndDeal(game.deal.number) if is_certain else Pause()
    return (OpenVote(number=1, subject=subject, in_favour=frozenset(people[:1]), against=NOBODY),)


def _with_secrets(around: Table, viewer: Seat | None, dice: Random) -> Table:
    """What all but the viewer have set aside, gone through by hand, and given for a shuffle."""
    others = [Seat(seat) for seat in range(len(around.chairs)) if seat != viewer]
    own = None if viewer is None else person(viewer)
    words = {
        user: word if user == own else f"word {dice.random()}"
        for user, word in around.words.items()
    }
    return replace(_with_plans(around, others, dice), words=FrozenMap(words))


def _with_plans(around: Table, seats: list[Seat], dice: Random) -> Table:
    """The same table; these seats have plans, and newest moves by hand, as chance wants it."""
    game = around.game
    assert game is not None
    assert game.deal is not None
    plans, marks = dict(around.plans), dict(around.marks)
    for seat in seats:
        held = sorted_cards(game.deal.hands[seat])
        if held and game.phase is Phase.PLAYING and dice.random() < 0.5:
            plans[seat] = (dice.choice([OneCard(dice.choice(held)), *_PLANS]),)
        if dice.random() < 0.5:
            now = mark(game)
            marks[person(seat)] = Mark(now.deal, dice.randint(0, now.cards))
    return replace(around, plans=FrozenMap(plans), marks=FrozenMap(marks))
