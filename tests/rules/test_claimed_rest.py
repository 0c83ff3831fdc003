"""A rest that is certain can be laid down by the table: the deal ends as any order would end it."""

from random import Random

import pytest

from bot.rules import variants
from bot.rules.cards import sorted_cards
from bot.rules.claims import certain_rest
from bot.rules.commands import ClaimRest, PlayCard, PlayedBy
from bot.rules.decide import decide
from bot.rules.errors import IllegalMoveError, Reason
from bot.rules.events import CardPlayed, DealScored
from bot.rules.evolve import replay
from bot.rules.legal import choice, to_move
from bot.rules.state import Game, Phase
from tests.support.deals import deal_in_play, deal_to_pass, played
from tests.support.rulesets import EVERY_TABLE
from tests.support.seeded import course

NOTHING_LEFT = ("2C 3D", "4C 5D", "6C 7D", "8C 9D")
FOUR_EACH = ("2C 3C 4C 5C", "6C 7C 8C 9C", "2D 3D 4D 5D", "6D 7D 8D 9D")


def claimed(game: Game) -> Game:
    return replay(game, decide(game, ClaimRest()))


def by_hand(game: Game, *, last_first: bool) -> Game:
    """The rest of the deal as people might play it."""
    while game.phase is Phase.PLAYING:
        cards = sorted_cards(choice(game).cards)
        card = cards[-1] if last_first else cards[0]
        game = replay(game, decide(game, PlayCard(to_move(game)[0], card)))
    return game


def test_the_rest_is_laid_down_card_by_card_and_scored():
    """Each card is in the record, so a replay needs no rule of its own (record.md)."""
    events = decide(deal_in_play(*NOTHING_LEFT), ClaimRest())
    cards = [event for event in events if isinstance(event, CardPlayed)]
    assert len(cards) == 8
    assert {event.by for event in cards} == {PlayedBy.CLAIM}
    assert isinstance(events[8], DealScored)


def test_the_rest_of_a_trick_is_laid_down_too():
    events = decide(played(deal_in_play(*NOTHING_LEFT), "2C"), ClaimRest())
    assert sum(isinstance(event, CardPlayed) for event in events) == 7


@pytest.mark.parametrize(
    "game",
    [deal_to_pass(*FOUR_EACH), deal_in_play("2C 3H", "4C 5D", "6C 7D", "8C 9D")],
    ids=["cards are passed", "a heart is left"],
)
def test_what_is_not_certain_is_played_out(game):
    with pytest.raises(IllegalMoveError) as refused:
        decide(game, ClaimRest())
    assert refused.value.reason is Reason.NOT_NOW


@pytest.mark.parametrize(("name", "seats"), EVERY_TABLE)
def test_a_claimed_deal_scores_as_the_same_deal_played_out(name, seats):
    """Every preset and number of seats: what is claimed in a random deal is what play brings."""
    ruleset, claims = variants.load(name), 0
    for game, _ in course(ruleset, seats, Random(7), deals=12):
        if game.phase is not Phase.PLAYING or certain_rest(game) is None:
            continue
        claims += 1
        after = claimed(game)
        for last_first in (False, True):
            other = by_hand(game, last_first=last_first)
            assert (after.phase, after.scores, after.totals) == (
                other.phase,
                other.scores,
                other.totals,
            )
    assert claims or name == "draw7", "no claim came up, so nothing was compared"
