"""One switch of the rules at a time: a position, the values, and what each of them makes of it.

A look takes rules and says what is seen under them at one position in notation: the cards that may
be played, points, places. The table of all switches is `tests/support/switch_table.py`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from bot.rules.cards import Seat, parse_cards, sorted_cards, write_cards
from bot.rules.commands import BeginDeal
from bot.rules.decide import new_game
from bot.rules.errors import RulesetError
from bot.rules.legal import choice, to_move
from bot.rules.moon import needs_choice
from bot.rules.passing import pass_count
from bot.rules.ruleset import Ruleset
from bot.rules.ruleset_io import from_dict
from bot.rules.scoring import score
from bot.rules.settlement import Standing, standing_after, standing_now
from bot.rules.state import Game, Score
from bot.rules.view import seat_view
from tests.support.deals import after, deal_in_play, deal_opening, played
from tests.support.taken import deal_taken

Look = Callable[[Ruleset], object]
REFUSED = "refused"
ASKED = "the shooter is asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """One key of a ruleset, and what its values change."""

    key: str
    """Dotted path."""
    look: Look
    seen: tuple[tuple[Any, object], ...]
    """Values in the spelling of records, each with what is seen; all unlike the first."""
    under: Mapping[str, Any] = field(default_factory=dict)
    """What else these rules say, beyond BASE for four."""

    def shown(self, value: object) -> object:
        """What is seen under *value*."""
        try:
            return self.look(self.rules(value))
        except RulesetError:
            return REFUSED

    def rules(self, value: object) -> Ruleset:
        outer, _, inner = self.key.partition(".")
        plain: dict[str, Any] = {"players": [4], "remove": []} | dict(self.under)
        if inner:
            plain[outer] = {**plain.get(outer, {}), inner: value}
        else:
            plain[outer] = value
        return from_dict(plain)


def playable(*hands: str, plays: str = "", stock: str = "") -> Look:
    """What may be played past the first trick, once *plays* have been laid down.

    Cards come from *stock* in its order.
    """

    def look(rules: Ruleset) -> str:
        game = deal_in_play(*hands, ruleset=rules)
        assert game.deal is not None
        drawn = (None,) * game.seats if stock else ()
        deal = replace(game.deal, stock=parse_cards(stock), drawn=drawn)
        return write_cards(choice(played(replace(game, deal=deal), plays)).cards)

    return look


def first_playable(*hands: str, plays: str = "") -> Look:
    """Who is to play to the first trick, once *plays* have been laid down, and what may be."""

    def look(rules: Ruleset) -> str:
        game = played(deal_opening(*hands, ruleset=rules), plays)
        return f"{to_move(game)[0]}: {write_cards(choice(game).cards)}"

    return look


def opening_of(last: str = "") -> Look:
    """What may be led from the sorted deck, dealt out with the card *last* at its end."""

    def look(rules: Ruleset) -> str:
        return write_cards(choice(_dealt(rules, last)).cards)

    return look


def dealt(of_game: Callable[[Game], object]) -> Look:
    """Something of a game whose sorted deck has been dealt out."""
    return lambda rules: of_game(_dealt(rules))


def _dealt(rules: Ruleset, last: str = "") -> Game:
    seats = rules.players[0]
    deck = rules.deck(seats)
    order = (*(card for card in deck if card.face != last), *parse_cards(last))
    return after(new_game(rules, seats, Seat(seats - 1)), BeginDeal(order))


def points(*piles: str, **more: Any) -> Look:
    """Points of a deal, from what each seat has taken."""

    def look(rules: Ruleset) -> object:
        game = deal_taken(*piles, ruleset=rules, **more)
        return ASKED if needs_choice(game) else score(game, None).points

    return look


def totals(*piles: str, before: tuple[int, ...]) -> Look:
    return lambda rules: _scored(rules, piles, totals=before)[1].totals


def places(*piles: str) -> Look:
    return lambda rules: _standing(rules, piles).places()


def settlement(*piles: str) -> Look:
    return lambda rules: [str(part) for part in _standing(rules, piles).settlement()]


def _standing(rules: Ruleset, piles: tuple[str, ...]) -> Standing:
    return standing_after(*_scored(rules, piles))


def _scored(rules: Ruleset, piles: tuple[str, ...], **more: Any) -> tuple[Game, Score]:
    game = deal_taken(*piles, ruleset=rules, **more)
    return game, score(game, None)


def worth(cards: str) -> Look:
    """What all of *cards* cost their taker."""
    return lambda rules: sum(map(rules.points_of, parse_cards(cards)))


def deck_worth(rules: Ruleset) -> int:
    return sum(map(rules.points_of, rules.deck(rules.players[0])))


def tiebreak_points(*piles: str) -> Look:
    def look(rules: Ruleset) -> object:
        game = deal_taken(*piles, ruleset=rules)
        assert game.deal is not None
        return score(replace(game, deal=replace(game.deal, is_tiebreak=True)), None).points

    return look


def seated(seats: int) -> Look:
    return lambda rules: new_game(rules, seats, Seat(0)).seats


def passed(rules: Ruleset) -> int:
    """How many cards a seat gives away in the first deal."""
    game = _dealt(rules)
    return pass_count(game.deal.step, game.seats) if game.deal else 0


def ends(rules: Ruleset) -> tuple[bool, ...]:
    """Over at 101 points in the first deal; after three deals; once a deal was called the last."""
    seats = (0, 20, 30, 50)
    of = {"ruleset": rules, "deal": 1, "totals": seats}
    high, late, called = {"totals": (0, 20, 30, 101)}, {"deal": 3}, {"last_deal": True}
    return tuple(Standing(**(of | more)).is_end() for more in (high, late, called))  # type: ignore[arg-type]  # keys of one dataclass


def after_a_tie(rules: Ruleset) -> tuple[bool, str]:
    """Whether all at 100 end the game, and what a further deal would begin with."""
    tied = (100,) * 4
    last = Score(deal=1, points=tied, lines=(), moon=None, totals=tied)
    game = replace(new_game(rules, 4, Seat(3)), totals=tied, scores=(last,))
    further = after(game, BeginDeal(rules.deck(4)))
    return standing_now(game).is_end(), further.phase.value


def winner_of(trick: str) -> Look:
    """Who wins a trick that holds all that is left."""

    def look(rules: Ruleset) -> object:
        game = played(deal_in_play(*trick.split(), ruleset=rules), trick)
        return game.deal and game.deal.tricks[-1].winner

    return look


def last_trick_points(trick: str) -> Look:
    """Points of a last trick that nobody wins, after a trick that was won, and as the only one."""

    def look(rules: Ruleset) -> object:
        later = deal_in_play(*trick.split(), ruleset=rules, leader=1)
        alone = deal_opening(*trick.split(), ruleset=rules, dealer=0)
        order = " ".join(trick.split()[1:] + trick.split()[:1])
        return tuple(played(game, order).scores[-1].points for game in (later, alone))

    return look


def who_sees_the_widow(*piles: str, widow: str) -> Look:
    """Seats that may look into it before the last trick, and after the deal."""

    def look(rules: Ruleset) -> object:
        over = deal_taken(*piles, ruleset=rules, widow=widow)
        assert over.deal is not None
        *done, last = over.deal.tricks
        held = {play.seat: frozenset({play.card}) for play in last.plays}
        hands = tuple(held[Seat(seat)] for seat in range(over.seats))
        deal = replace(over.deal, tricks=tuple(done), hands=hands)
        return tuple(
            tuple(seat for seat in range(over.seats) if seat_view(game, Seat(seat)).widow)
            for game in (replace(over, deal=deal), over)
        )

    return look


def sizes(game: Game) -> tuple[int, int]:
    """Cards of the widow and of the stock."""
    assert game.deal is not None
    return len(game.deal.widow), len(game.deal.stock)


def widow_of(game: Game) -> str:
    assert game.deal is not None
    return write_cards(game.deal.widow)


def hand_after_a_card(game: Game) -> int:
    """How many cards the leader holds once it has played one."""
    (seat,) = to_move(game)
    card = sorted_cards(choice(game).cards)[0]
    then = played(game, str(card)).deal
    assert then is not None
    return len(then.hands[seat])


def tricks_after(plays: str, *hands: str) -> Look:
    """How many tricks are full once *plays* have been laid down, the first of them included."""

    def look(rules: Ruleset) -> object:
        game = played(deal_in_play(*hands, ruleset=rules), plays)
        return game.deal and len(game.deal.tricks)

    return look
