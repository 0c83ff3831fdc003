"""Players from outside, by which the arena measures ours (docs/robots.md)."""

import json
from random import Random

import pytest

from bot.ai import LEVELS, Player
from bot.arena import match, question
from bot.rules.legal import to_move
from bot.rules.view import seat_view
from tests.support.deals import STANDARD, begun, house_rules
from tests.support.openspiel_engine import Ismcts
from tests.support.plain_rules import PlainRules
from tests.support.programs import replies

YARDSTICKS = pytest.mark.parametrize(
    "player", [Ismcts(2), PlainRules()], ids=["openspiel", "plain"]
)


@YARDSTICKS
def test_it_plays_deals_by_the_rules_in_every_direction_of_passing(player: Player):
    """OpenSpiel would refuse a card that it does not know in a hand; ours an illegal one."""
    players = [player, *[LEVELS["casual"]] * 3]
    game = match.play_game(STANDARD, players, Random(1), deals=4)
    assert len(game.scores) == 4


@YARDSTICKS
def test_it_answers_as_other_programs_do(player: Player):
    held = house_rules(pass_cycle={"4": ["hold"]})
    game = begun(tuple(Random(1).sample(held.deck(4), 52)), held)
    view = seat_view(game, to_move(game)[0])
    (reply,) = replies([json.dumps(question.of_view(view)).encode()], player)
    assert json.loads(reply) == {"cards": ["2C"]}
