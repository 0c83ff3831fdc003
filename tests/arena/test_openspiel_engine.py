"""OpenSpiel's searching bot as a yardstick: it is told the deal as it was (docs/robots.md)."""

import json
from random import Random

from bot.ai import LEVELS
from bot.arena import match, question
from bot.rules.legal import to_move
from bot.rules.view import seat_view
from tests.support.deals import STANDARD, begun, house_rules
from tests.support.openspiel_engine import Ismcts, replies


def test_it_plays_deals_by_the_rules_in_every_direction_of_passing():
    """OpenSpiel would refuse a card that it does not know in a hand; ours an illegal one."""
    players = [Ismcts(2), *[LEVELS["casual"]] * 3]
    game = match.play_game(STANDARD, players, Random(1), deals=4)
    assert len(game.scores) == 4


def test_it_answers_as_other_programs_do():
    held = house_rules(pass_cycle={"4": ["hold"]})
    game = begun(tuple(Random(1).sample(held.deck(4), 52)), held)
    view = seat_view(game, to_move(game)[0])
    (reply,) = replies([json.dumps(question.of_view(view)).encode()], 2)
    assert json.loads(reply) == {"cards": ["2C"]}
