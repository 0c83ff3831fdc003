"""What the channel reads before a card of a trick lies: who is to lead (house.md 4.5)."""

from dataclasses import replace

from bot.rules.cards import Card
from bot.rules.variants import load
from bot.table import posts
from cogs.ui.post import render_post
from tests.support.deals import deal_in_play, deal_opening, deal_to_pass, played
from tests.support.looks import post_of, table, texts, view_of

FOUR = ("2C 3H", "AC 4H", "QS 5H", "9C 6H")


def _told(game, slot, **changes):
    return texts(render_post(replace(post_of(table(game), slot), **changes)))


def test_a_deal_in_which_nothing_is_passed_says_who_is_to_lead_and_until_when():
    told = _told(deal_opening(*FOUR), "deal:1", live=True)
    assert "▸ **Maya** is to lead until <t:" in told


def test_without_a_clock_nobody_is_told_to_lead_by_a_time():
    at = table(deal_opening(*FOUR))
    told = texts(render_post(posts.post(at, view_of(at, hours=None), "deal:1")))
    assert "▸ **Maya** is to lead\n" in told


def test_nobody_leads_while_cards_are_passed():
    assert "to lead" not in _told(deal_to_pass(*FOUR), "deal:1", live=True)


def test_a_full_trick_says_who_leads_the_next():
    game = played(deal_opening(*FOUR), "2C AC QS 9C")
    assert "▸ **Theo** is to lead until <t:" in _told(game, "trick:1", live=True)
    assert "to lead" not in _told(game, "trick:1", live=False)
    assert "to lead" not in _told(played(game, "4H"), "trick:2", live=True)


def test_after_the_last_trick_of_a_deal_nobody_is_to_lead():
    game = played(deal_opening("2C", "AC", "QS", "9C"), "2C AC QS 9C")
    assert "to lead" not in _told(game, "trick:1")


def test_a_stock_is_counted_only_where_the_number_holds():
    """rules.md 1.13: every card that is played draws one, and older posts are not drawn anew."""
    game = deal_in_play("2C 3C 4D", "5C 6C 7D", ruleset=load("draw7"))
    stock = (Card.parse("9S"), Card.parse("TS"))
    game = replace(game, deal=replace(game.deal, stock=stock, drawn=(None, None)))
    assert "2 cards to draw" in _told(game, "deal:1", live=True)
    assert "to draw" not in _told(game, "deal:1", live=False)
