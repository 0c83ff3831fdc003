"""A planned card leaves behind what a card by hand leaves behind (ARCHITECTURE, Playing ahead)."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from random import Random

from bot.rules.cards import Card, Seat, sorted_cards
from bot.rules.commands import PlayCard, PlayedBy
from bot.rules.decide import decide
from bot.rules.legal import choice, to_move
from bot.rules.state import Phase
from bot.table import history, posts, timers
from bot.table.ids import Human, UserId
from bot.table.notices import notices
from bot.table.state import Table
from bot.table.timers import Delays
from tests.support.clock import NOON
from tests.support.looks import everybody_at, states
from tests.support.pairs import person
from tests.support.sights import PUBLIC, sent


def turns() -> Iterator[tuple[Table, Seat, Card]]:
    """Tables at which somebody may lay down a card, and such a card."""
    dice = Random("plans")
    for game in states(dice):
        if len(game.scores) > 1:
            return
        if game.phase is Phase.PLAYING:
            [seat] = to_move(game)
            table = replace(everybody_at(game), banks=(timedelta(),) * game.seats)
            yield table, seat, dice.choice(sorted_cards(choice(game).cards))


def left_behind(table: Table, seat: Seat, card: Card, by: PlayedBy) -> dict[str, object]:
    """All that others may see of a card which that seat's person laid down, or had laid down."""
    assert table.game is not None
    actor: UserId | None = person(seat) if by is PlayedBy.HAND else None
    events = decide(table.game, PlayCard(seat, card, by))
    after = table
    for event in events:
        after = history.evolve(after, event, actor)
    wanted = timers.wanted(after, now=NOON, current=(), delays=Delays(3.0, 5.0), aways={})
    shown = {name: sent(after, None, 1, sight) for name, sight in PUBLIC.items()}
    return {
        **shown,
        "pings": posts.pings(after),
        "standing": posts.standing(after),
        "timers": wanted,
        "notices": notices(after, events, actor),
    }


def test_nothing_that_others_see_tells_whether_a_card_was_planned():
    looked_at = 0
    for table, seat, card in turns():
        by_hand = left_behind(table, seat, card, PlayedBy.HAND)
        by_plan = left_behind(table, seat, card, PlayedBy.PLAN)
        assert by_hand.keys() == by_plan.keys()
        assert [name for name in by_hand if by_hand[name] != by_plan[name]] == []
        assert table.chairs[seat] == Human(person(seat))
        looked_at += 1
    assert looked_at > 50


def test_control_a_card_that_the_clock_played_is_told_of():
    table, seat, card = next(turns())
    by_hand = left_behind(table, seat, card, PlayedBy.HAND)
    assert left_behind(table, seat, card, PlayedBy.CLOCK)["notices"] != by_hand["notices"]
