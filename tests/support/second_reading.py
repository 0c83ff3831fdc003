"""States and results of a game, held against `tests.support.referee`, which reads the rules anew.

A wrong one fails an assertion. `tests/rules/test_pairwise.py` has the controls.
"""

from collections import Counter
from functools import cache

from bot.rules.cards import Suit
from bot.rules.legal import choice, to_move
from bot.rules.ruleset_io import to_dict
from bot.rules.state import Phase
from tests.support import referee


def check_state(game):
    deal = game.deal
    on_trick = deal.trick.plays if deal.trick else ()
    fallen = [play.card for trick in deal.tricks for play in trick.plays]
    fallen += [play.card for play in on_trick]
    held = [card for hand in deal.hands for card in hand]
    cards = [*fallen, *held, *deal.stock, *deal.widow]
    assert len(cards) == len(game.ruleset.deck(game.seats))
    if game.phase is Phase.PLAYING:
        check_choice(game)
    if not on_trick:
        assert set(cards) == set(game.ruleset.deck(game.seats))
        assert len({len(hand) for hand in deal.hands}) == 1
    if game.phase in {Phase.DEALING, Phase.OVER}:
        check_score(game)


def check_choice(game):
    (seat,) = to_move(game)
    deal, offered = game.deal, choice(game).cards
    assert offered
    assert offered <= deal.hands[seat]
    clubs = (card for hand in deal.hands for card in hand if card.suit is Suit.CLUBS)
    lowest = min(clubs, key=lambda card: card.rank, default=None)
    moment = referee.Moment(
        hand=faces(deal.hands[seat]),
        laid=faces(play.card for play in deal.trick.plays),
        done=[faces(play.card for play in trick.plays) for trick in deal.tricks],
        lowest_club=lowest and lowest.face,
    )
    assert {*faces(offered)} == referee.allowed(plain_of(game.ruleset), moment)


def faces(cards):
    return [card.face for card in cards]


@cache
def plain_of(rules):
    return to_dict(rules)


def check_score(game):
    """Against a second reading of the rules, and against the sums that must come out."""
    score, plain = game.scores[-1], plain_of(game.ruleset)
    before = game.scores[-2].totals if len(game.scores) > 1 else (0,) * game.seats
    verdict = referee.judge(plain, dealt(game, before))
    assert {*verdict.shooters} == {*(score.moon.seats if score.moon else ())}
    assert by_side(plain, score.points) == by_side(plain, verdict.points)
    own = [sum(line.points for line in score.lines if line.seat == n) for n in range(game.seats)]
    assert sums(plain, own) == sums(plain, score.points, pooled=True)
    added = [a + b for a, b in zip(before, score.points, strict=True)]
    assert list(score.totals) == [game.ruleset.exact.get(total, total) for total in added]
    found = sum(verdict.captured, Counter()) + verdict.dead
    assert found == Counter(card.face for card in game.ruleset.deck(game.seats))
    if score.moon is None and not plain["no_trick_bonus"]["points"]:
        lost = sum(referee.worth(plain, face) for face in verdict.dead.elements())
        assert sum(own) == sum(referee.worth(plain, face) for face in found.elements()) - lost


def dealt(game, totals):
    moon = game.scores[-1].moon
    return referee.Dealt(
        tricks=[[(play.seat, play.card.face) for play in t.plays] for t in game.deal.tricks],
        widow=[card.face for card in game.deal.widow],
        totals=totals,
        tiebreak=game.deal.is_tiebreak,
        payoff=moon.payoff.value if moon else "",
    )


def by_side(plain, points):
    """Points that stand apart are compared by side: which partner of two is paid is no rule."""
    return list(points) if plain["side_score"] == "pooled" else sums(plain, points)


def sums(plain, by_seat, *, pooled=False):
    """By side, in order of lowest seats. *pooled*: partners show their side's sum each."""
    seats = len(by_seat)
    sides = dict.fromkeys(referee.partners(plain, seats, seat) for seat in range(seats))
    if pooled and plain["side_score"] == "pooled":
        return [by_seat[side[0]] for side in sides]
    return [sum(by_seat[seat] for seat in side) for side in sides]
