import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rules.cards import Seat, pack
from bot.rules.commands import BeginDeal, PassCards
from bot.rules.decide import decide, new_game
from bot.rules.evolve import replay
from bot.rules.legal import choice
from bot.rules.state import Phase, Score
from bot.rules.variants import load
from bot.rules.view import public_view, seat_view
from tests.support.deals import (
    STANDARD,
    after,
    begun,
    cards,
    deal_in_play,
    deal_to_pass,
    house_rules,
    next_command,
    played,
)
from tests.support.rulesets import rulesets


def test_before_the_first_deal_there_is_nothing_to_see():
    game = new_game(STANDARD, 5, Seat(4))
    public = public_view(game)
    assert (public.deal, public.step, public.trick, public.trick_number) == (0, None, None, 0)
    assert public.hand_sizes == public.taken == public.totals == (0,) * 5
    assert public.passed == (False,) * 5
    own = seat_view(game, Seat(0))
    assert own.hand == own.dealt == own.given == own.received == frozenset()
    assert own.choice is None


def test_everybody_sees_who_has_passed_and_only_the_giver_what():
    game = deal_to_pass("2C 3C 4C 5C", "2D 3D 4D 5D", "2S 3S 4S 5S", "2H 3H 4H 5H")
    game = after(game, PassCards(Seat(1), cards("2D 3D 4D")))
    assert public_view(game).passed == (False, True, False, False)
    assert public_view(game).waiting == (0, 2, 3)
    assert seat_view(game, Seat(1)).given == cards("2D 3D 4D")
    assert seat_view(game, Seat(1)).hand == cards("2D 3D 4D 5D")
    assert seat_view(game, Seat(2)).given == frozenset()
    assert seat_view(game, Seat(2)).received == frozenset()


def test_once_cards_have_moved_a_seat_sees_what_came_in():
    game = deal_to_pass("2C 3C", "2D 3D", "2S 3S", "2H 3H", step=house_rules().step(4, 1))
    game = replace(game, deal=replace(game.deal, step=replace(game.deal.step, count=1)))
    game = after(game, *(PassCards(Seat(i), cards(f"2{s}")) for i, s in enumerate("CDSH")))
    own = seat_view(game, Seat(1))
    assert (own.received, own.dealt) == (cards("2C"), cards("2D 3D"))
    assert own.hand == cards("2C 3D")
    assert own.public.passed == (True,) * 4


def test_only_the_seat_on_turn_gets_its_choice():
    game = deal_in_play("2S 3H", "4S 5D", "6D 7D", "8D 9D")
    assert seat_view(game, Seat(0)).choice == choice(game)
    assert seat_view(game, Seat(1)).choice is None


def test_where_nothing_is_passed_nobody_is_waited_for():
    public = public_view(deal_in_play("2S 3H", "4S 5D", "6D 7D", "8D 9D"))
    assert public.passed == (True,) * 4
    assert public.waiting == (0,)


def test_everybody_sees_the_tricks_and_the_points_taken_so_far():
    game = deal_in_play("2S 3H", "4S 5D", "QS 7D", "9H 9D", hearts_broken=True)
    public = public_view(played(game, "2S 4S QS 9H 7D"))
    assert public.taken == (0, 0, 14, 0)
    assert public.hand_sizes == (1, 1, 0, 1)
    assert [trick.winner for trick in public.tricks] == [0, 2]
    assert [str(play.card) for play in public.trick.plays] == ["7D"]
    assert (public.waiting, public.trick_number) == ((3,), 3)
    assert public.hearts_broken


def test_between_deals_the_last_one_can_still_be_seen():
    game = played(deal_in_play("AD", "3D", "4D", "5D"), "AD 3D 4D 5D")
    public = public_view(game)
    assert (public.phase, public.deal, len(public.tricks)) == (Phase.DEALING, 1, 2)
    assert (public.waiting, public.scores) == ((), game.scores)
    assert seat_view(game, Seat(0)).choice is None


def test_a_view_shows_no_hidden_card_in_its_repr():
    """reliability.md 5: `repr()` of state objects hides hands."""
    own = seat_view(begun(pack()), Seat(0))
    shown = repr(replace(own, public=replace(own.public, ruleset=None)))
    assert "rank=" not in shown
    assert "rank=" in repr(own.hand)


def middle_of_a_game(rules, seats, seed, moves):
    """A game some legal moves after its start, at a moment when somebody has cards."""
    dice = random.Random(seed)
    game = new_game(rules, seats, Seat(dice.randrange(seats)))
    for _ in range(1 + moves):
        if game.phase is not Phase.OVER:
            game = replay(game, decide(game, next_command(game, dice.sample)))
    return game


def with_swapped(game, viewer, one, other):
    """The same game, had *one* and *other* changed places with everybody but *viewer*."""
    exchange = {one: other, other: one}

    def swapped(holdings):
        return tuple(
            held
            if held is None or seat == viewer
            else type(held)(exchange.get(card, card) for card in held)
            for seat, held in enumerate(holdings)
        )

    deal = game.deal
    names = ("dealt", "hands", "passes", "packets", "received")
    return replace(
        game, deal=replace(deal, **{name: swapped(getattr(deal, name)) for name in names})
    )


def leak_found(view, game, viewer):
    """Whether *view* of *viewer* changes when two cards that others hold change places."""
    others = [sorted(hand, key=str) for seat, hand in enumerate(game.deal.hands) if seat != viewer]
    pairs = [(a, b) for x, one in enumerate(others) for two in others[x + 1 :]
             for a, b in zip(one, reversed(two), strict=False)]  # fmt: skip
    seen = view(game, viewer)
    return any(view(with_swapped(game, viewer, *pair), viewer) != seen for pair in pairs)


FEWER = settings(max_examples=settings().max_examples // 2)
GAMES = st.builds(
    middle_of_a_game, rulesets(), st.integers(3, 6), st.integers(0, 2**32), st.integers(0, 70)
)


@FEWER
@given(GAMES)
def test_no_view_of_a_seat_depends_on_what_others_hide(game):
    """house.md 5.2: non-interference; reliability.md 5, leak test 1."""
    for seat in range(game.seats):
        assert not leak_found(seat_view, game, Seat(seat))


@FEWER
@given(GAMES)
def test_the_public_view_depends_on_no_hand_at_all(game):
    assert not leak_found(lambda state, _: public_view(state), game, None)


def _leaks_a_neighbour(game, seat):
    return seat_view(game, Seat((seat + 1) % game.seats)).hand


def _leaks_who_holds_the_queen(game, seat):
    return seat, [any(str(card) == "QS" for card in hand) for hand in game.deal.hands]


def _leaks_a_pass(game, seat):
    return seat, [passed and len(passed & cards("2H 3H 4H")) for passed in game.deal.passes]


@pytest.mark.parametrize(
    ("leak", "moves"),
    [(_leaks_a_neighbour, 0), (_leaks_who_holds_the_queen, 0), (_leaks_a_pass, 4)],
)
def test_a_planted_leak_is_found(leak, moves):
    """The control of the two laws above: each of these must be caught in some game."""
    games = [middle_of_a_game(STANDARD, 4, seed, moves) for seed in range(12)]
    assert any(leak_found(leak, game, Seat(seat)) for game in games for seat in range(4))


def test_everybody_knows_that_a_deal_decides_a_tie():
    """rules.md 3.8 `tiebreak_no_pass`: nothing is passed in it."""
    rules = load("two_player")
    tied = replace(new_game(rules, 2, Seat(0)), totals=(52, 52), scores=(_tied_score(),))
    dealt = after(tied, BeginDeal(rules.deck(2)))
    assert public_view(dealt).is_tiebreak
    assert not public_view(begun(rules.deck(2), rules, 2)).is_tiebreak


def _tied_score():
    return Score(deal=1, points=(52, 52), lines=(), moon=None, totals=(52, 52))
