"""What a button, a timer or a ping was made for (house.md 4.4)."""

from bot.rules.decide import new_game
from bot.rules.state import Phase
from bot.table.moments import moment
from tests.support.deals import STANDARD, deal_in_play, deal_played_out, deal_to_pass, played


def test_the_moment_of_play_is_the_trick_and_of_a_pass_minus_the_deal():
    assert moment(deal_in_play("2C", "3C", "4C", "5C")) == 2
    assert moment(deal_to_pass("2C 3C 4C", "2D 3D 4D", "2S 3S 4S", "2H 3H 4H")) == -1


def test_a_card_does_not_change_the_moment_of_its_trick():
    game = deal_in_play("2C", "3C", "4C", "5C")
    assert moment(played(game, "2C 3C 4C")) == moment(game)


def test_a_game_that_waits_for_nobody_has_no_moment():
    assert moment(new_game(STANDARD, 4, 0)) == 0
    scored, _ = deal_played_out(deal_in_play("2C", "3C", "4C", "5C"), lambda cards, n: cards[:n])
    assert scored.phase is Phase.DEALING
    assert moment(scored) == 0
