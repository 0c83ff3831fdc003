"""What holds in every game, whatever the rules of the house."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rules.cards import Seat
from bot.rules.decide import decide, new_game
from bot.rules.evolve import replay
from bot.rules.legal import choice, refusal, to_move
from bot.rules.piles import captured
from bot.rules.state import Phase
from tests.support.deals import STANDARD, next_command
from tests.support.rulesets import rulesets

MOST_COMMANDS = 100
"""Nearly two deals: a whole one, and the passing and play of another."""


FEWER = settings(max_examples=settings().max_examples // 4)
"""Every example is a hundred moves, each of them a chance to be wrong."""


def course_of(rules, seats, seed):
    """Yield a random legal game, state by state, with the events that led there."""
    dice = random.Random(seed)
    game = new_game(rules, seats, Seat(dice.randrange(seats)))
    for _ in range(MOST_COMMANDS):
        if game.phase is Phase.OVER:
            return
        events = decide(game, next_command(game, dice.sample))
        game = replay(game, events)
        yield game, events


GAMES = {
    "rules": rulesets(),
    "seats": st.integers(3, 6),
    "seed": st.integers(0, 2**32 - 1),
}


def cards_anywhere(deal):
    fallen = [play.card for trick in deal.tricks for play in trick.plays]
    fallen += [play.card for play in deal.trick.plays] if deal.trick else []
    return [*fallen, *(card for hand in deal.hands for card in hand)]


@FEWER
@given(**GAMES)
def test_cards_are_never_made_or_lost(rules, seats, seed):
    deck = rules.deck(seats)
    for game, _ in course_of(rules, seats, seed):
        for found in (cards_anywhere(game.deal), [c for hand in game.deal.dealt for c in hand]):
            assert len(found) == len(deck)
            assert set(found) == set(deck)


@FEWER
@given(**GAMES)
def test_hands_stay_even_between_tricks(rules, seats, seed):
    for game, _ in course_of(rules, seats, seed):
        trick = game.deal.trick
        if trick is None or not trick.plays:
            left = rules.hand_size(seats) - len(game.deal.tricks)
            assert {len(hand) for hand in game.deal.hands} == {left}


@FEWER
@given(**GAMES)
def test_the_choice_is_never_empty_and_comes_from_the_hand(rules, seats, seed):
    for game, _ in course_of(rules, seats, seed):
        if game.phase is not Phase.PLAYING:
            continue
        hand = game.deal.hands[to_move(game)[0]]
        offered = choice(game)
        assert offered.cards
        assert offered.cards <= hand
        assert (offered.because is None) == (offered.cards == hand)
        assert {card for card in hand if refusal(game, card) is None} == offered.cards


@FEWER
@given(**GAMES)
def test_replay_equals_play(rules, seats, seed):
    start = new_game(rules, seats, Seat(random.Random(seed).randrange(seats)))
    log = []
    for game, events in course_of(rules, seats, seed):
        log += events
        last = game
    assert replay(start, log) == last
    half = len(log) // 2
    assert replay(replay(start, log[:half]), log[half:]) == last


@FEWER
@given(**GAMES)
def test_the_game_waits_for_somebody_unless_a_deal_or_the_game_is_over(rules, seats, seed):
    for game, _ in course_of(rules, seats, seed):
        waits = game.phase in {Phase.PASSING, Phase.PLAYING, Phase.MOON_CHOICE}
        assert bool(to_move(game)) == waits
        assert (game.trick_number > 0) == (game.phase is Phase.PLAYING)


@FEWER
@given(**GAMES)
def test_every_captured_card_lies_with_the_highest_of_its_suit_led(rules, seats, seed):
    """rules.md 1.1."""
    for game, _ in course_of(rules, seats, seed):
        for trick in game.deal.tricks:
            led = trick.plays[0].card.suit
            best = max(play.card.rank for play in trick.plays if play.card.suit is led)
            taken = next(play.card for play in trick.plays if play.seat == trick.winner)
            assert (taken.suit, taken.rank) == (led, best)


@FEWER
@given(**GAMES)
def test_trick_numbers_only_rise(rules, seats, seed):
    """house.md 4.4: a button of an earlier trick can be told by its number."""
    highest = 0
    for game, _ in course_of(rules, seats, seed):
        if game.phase is Phase.PLAYING:
            assert highest <= game.trick_number <= highest + 1
            highest = game.trick_number


@FEWER
@given(seats=st.integers(3, 6), seed=st.integers(0, 2**32 - 1))
def test_all_points_of_the_deck_are_captured(seats, seed):
    """rules.md 1.1: 26 a deal, at every number of seats (3.9 strips no penalty card)."""
    for game, _ in course_of(STANDARD, seats, seed):
        if game.phase in {Phase.DEALING, Phase.OVER}:
            piles = captured(game.ruleset, game.deal)
            assert sum(STANDARD.points_of(card) for pile in piles for card in pile) == 26
