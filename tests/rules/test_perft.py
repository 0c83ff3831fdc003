"""Counts of all ways to play small deals, against a second, plainer reading of the rules."""

import random

import pytest

from bot.rules.cards import Seat
from bot.rules.commands import PlayedBy
from bot.rules.events import CardPlayed
from bot.rules.evolve import evolve
from bot.rules.legal import choice, to_move
from bot.rules.state import Phase
from tests.support.deals import STANDARD, deal_in_play, deal_opening, house_rules


def perft(game, depth):
    """How many different orders of play there are, so many cards deep."""
    if depth == 0 or game.phase is not Phase.PLAYING or not to_move(game):
        return 1
    seat = to_move(game)[0]
    return sum(
        perft(evolve(game, CardPlayed(seat, card, PlayedBy.HAND)), depth - 1)
        for card in choice(game).cards
    )


class Plain:
    """Standard play once more, on texts, written from rules.md 1.1 and 3.4 alone."""

    ORDER = "23456789TJQKA"

    def __init__(self, hands, leader, rules, *, first):
        self.hands, self.leader, self.rules = [list(hand) for hand in hands], leader, rules
        self.trick, self.first, self.broken = [], first, False

    def legal(self, seat):
        hand = self.hands[seat]
        able = [card for card in hand if self.trick and card[1] == self.trick[0][1][1]] or hand
        if self.first and not self.trick:
            clubs = [card for held in self.hands for card in held if card[1] == "C"]
            lowest = min(clubs, key=lambda card: self.ORDER.index(card[0]))
            return [lowest] if self.rules["lowest"] else [c for c in hand if c[1] == "C"]
        if self.first and self.rules["ban"]:
            able = [card for card in able if card[1] != "H" and card != "QS"] or able
        if not self.trick and not self.broken and self.rules["unbroken_barred"]:
            able = [card for card in able if card[1] != "H"] or able
        return able

    def count(self, depth):
        if depth == 0 or not any(self.hands):
            return 1
        seat = (self.leader + len(self.trick)) % len(self.hands)
        return sum(self.after(seat, card).count(depth - 1) for card in self.legal(seat))

    def after(self, seat, card):
        then = Plain(self.hands, self.leader, self.rules, first=self.first)
        then.hands[seat].remove(card)
        then.trick = [*self.trick, (seat, card)]
        breaks = card[1] == "H" or (card == "QS" and self.rules["queen_breaks"])
        then.broken = self.broken or breaks
        if len(then.trick) == len(self.hands):
            led = then.trick[0][1][1]
            following = [play for play in then.trick if play[1][1] == led]
            then.leader = max(following, key=lambda play: self.ORDER.index(play[1][0]))[0]
            then.trick, then.first = [], False
        return then


HOUSES = [
    ({}, {"lowest": True, "ban": True, "unbroken_barred": True, "queen_breaks": True}),
    (
        {"first_trick_ban": [], "breakers": ["H*"]},
        {"lowest": True, "ban": False, "unbroken_barred": True, "queen_breaks": False},
    ),
    (
        {"first_lead": "holder_any_club", "hearts_lead": "free"},
        {"lowest": False, "ban": True, "unbroken_barred": False, "queen_breaks": True},
    ),
]


def small_deal(seats, size, seed):
    """Hands full of what the rules are about, so that every rule bites somewhere."""
    dice = random.Random(seed)
    wanted = [card for card in STANDARD.deck(4) if card.suit.value in "CSH" or card.rank > 11]
    drawn = dice.sample([card for card in wanted if str(card) != "3C"], seats * size - 1)
    drawn.append(next(card for card in wanted if str(card) == "3C"))
    dice.shuffle(drawn)
    return [drawn[seat::seats] for seat in range(seats)]


@pytest.mark.parametrize(("keys", "plain_rules"), HOUSES)
@pytest.mark.parametrize(("seats", "size"), [(3, 4), (4, 3), (5, 2)])
@pytest.mark.parametrize("seed", range(4))
def test_both_readings_count_the_same_ways_to_play(keys, plain_rules, seats, size, seed):
    hands = small_deal(seats, size, seed)
    texts = [" ".join(map(str, hand)) for hand in hands]
    game = deal_opening(*texts, ruleset=house_rules(keys))
    plain = Plain([text.split() for text in texts], to_move(game)[0], plain_rules, first=True)
    depth = 8
    assert perft(game, depth) == plain.count(depth)


def test_a_wrong_reading_counts_otherwise():
    """The control: without the ban some small deal must have more ways."""
    keys, rules = HOUSES[0]
    differing = 0
    for seed in range(4):
        texts = [" ".join(map(str, hand)) for hand in small_deal(4, 3, seed)]
        game = deal_opening(*texts, ruleset=house_rules(keys))
        hands = [text.split() for text in texts]
        wrong = Plain(hands, to_move(game)[0], {**rules, "ban": False}, first=True)
        differing += perft(game, 8) != wrong.count(8)
    assert differing


@pytest.mark.parametrize(
    ("hands", "ways"),
    [
        (("2S 3S", "4S 5S", "6S 7S", "8S 9S"), 2 * 2 * 2 * 2),
        (("2S 3D", "4S 5S", "6S 7S", "8S 9S"), 2 * 2 * 2 + 2 * 2 * 2),
        (("2H 3D", "4S 5S", "6S 7S", "8S 9S"), 2 * 2 * 2),
        (("2S 3S", "4S 5H", "6D 7D", "8S 9S"), 2 * 1 * 2 * 2),
    ],
)
def test_ways_that_can_be_counted_by_hand(hands, ways):
    """Two tricks; the second has no choice left. In the second case 3D lets everybody choose."""
    assert perft(deal_in_play(*hands), 8) == ways


def test_the_seat_on_turn_in_a_small_deal():
    assert to_move(deal_in_play("2S", "3S", "4S", leader=2)) == (Seat(2),)
