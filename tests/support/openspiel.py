"""OpenSpiel's hearts beside ours: what its parameters are called here, and a deal played in both.

Source: ``hearts.h`` and ``hearts.cc`` in ``open_spiel/games/hearts`` of OpenSpiel 2.0, and rules.md
6. Each parameter is a choice that `Ruleset` has too, so no position is left out and none needs an
exception. Only the telling of a deal differs:

- It deals to its seat 0 first, so here seat 3 is the dealer.
- The direction of passing is drawn before the deal; here it is the first step of a cycle. Without
  ``pass_cards`` its ``chance_outcomes`` name the other directions all the same, against its own
  ``legal_actions``; the latter count.
- Cards are passed one by one, seat by seat; here three at once. So a seat may name each time any
  card of its hand that it has not named yet.
- ``can_lead_any_club`` lets the holder of the 2C open with any club. The 2C is in every deal, so
  that is the holder of the lowest club.
- A deal is a whole game, without totals. A seat's return is 26 minus its points.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any

import pyspiel

from bot.rules import (
    BeginDeal,
    Card,
    CardPlayed,
    Choice,
    Command,
    Game,
    Hand,
    PassCards,
    Phase,
    PlayCard,
    PlayedBy,
    Reason,
    Ruleset,
    Seat,
    Suit,
    choice,
    from_dict,
    new_game,
    parse_cards,
    replay,
    sorted_cards,
    to_move,
)
from bot.rules.decide import decide
from bot.rules.evolve import evolve

SEATS = 4
HOLD, LEFT, ACROSS, RIGHT = range(SEATS)
"""Directions of passing, as OpenSpiel numbers them: so many seats further on."""

DEFAULTS: Mapping[str, bool] = {
    "pass_cards": True,
    "no_pts_on_first_trick": True,
    "can_lead_any_club": False,
    "jd_bonus": False,
    "avoid_all_tricks_bonus": False,
    "must_break_hearts": True,
    "qs_breaks_hearts": True,
    "can_lead_hearts_instead_of_qs": False,
}
"""Its parameters, and what it plays if it is told nothing."""

Parameters = Mapping[str, bool]
Picker = Callable[[Game, Seat, Sequence[Card]], Card]
"""Says which of these sorted cards the seat passes or plays."""

(QUEEN,) = parse_cards("QS")
_SUITS, _RANKS = "CDHS", "23456789TJQKA"


class DisagreementError(AssertionError):
    """One of the two allows a card, or counts a point, that the other does not."""


def combinations() -> list[Parameters]:
    """All 256 settings of the parameters."""
    settings = product((False, True), repeat=len(DEFAULTS))
    return [dict(zip(DEFAULTS, values, strict=True)) for values in settings]


def directions(parameters: Parameters) -> list[int]:
    """The directions in which a deal may be passed, ascending."""
    return [HOLD, LEFT, ACROSS, RIGHT] if parameters["pass_cards"] else [HOLD]


def ruleset_of(parameters: Parameters, direction: int) -> Ruleset:
    """The same rules in the keys of rules.md 3, the deal passed in *direction*."""
    return _ruleset(frozenset(name for name, on in parameters.items() if on), direction)


@cache
def _ruleset(on: frozenset[str], direction: int) -> Ruleset:
    def either(parameter: str, then: object, otherwise: object) -> object:
        return then if parameter in on else otherwise

    return from_dict(
        {
            "extends": "standard",
            "players": [SEATS],
            "pass_cycle": {"4": [{"to": direction, "n": 3} if direction else "hold"]},
            "first_trick_ban": either("no_pts_on_first_trick", ["H*", "QS"], []),
            "first_lead": either("can_lead_any_club", "holder_any_club", "lowest_club"),
            "points": either("jd_bonus", {"JD": -10}, {}),
            "no_trick_bonus": {"points": either("avoid_all_tricks_bonus", -5, 0)},
            "hearts_lead": either("must_break_hearts", "after_broken", "free"),
            "breakers": either("qs_breaks_hearts", ["H*", "QS"], ["H*"]),
            "lead_exempt": either("can_lead_hearts_instead_of_qs", "hearts_or_qs", "only_hearts"),
            "moon": {"bonus": False, "payoff": "add_others", "value": 26},
        }
    )


class Both:
    """One deal in both at once; at every step they have to allow the same."""

    def __init__(
        self, parameters: Parameters, direction: int, *, theirs: Parameters | None = None
    ) -> None:
        """Begin with *direction*; *theirs* is what OpenSpiel is told, to plant a difference."""
        self._directions, self._direction = directions(parameters), direction
        self._state = pyspiel.load_game("hearts", dict(theirs or parameters)).new_initial_state()
        self._told: list[Card] = []
        self.game = new_game(ruleset_of(parameters, direction), SEATS, Seat(SEATS - 1))
        self.met: Counter[str] = Counter()
        """How often each of `sights` was met."""

    def play_out(self, order: Sequence[Card], pick: Picker) -> Game:
        """Deal *order*, pass and play as *pick* says, count the points.

        Raises:
            DisagreementError: the two differ; the message says in what, and after which cards.
        """
        self._agree("directions", self._directions, self._state.legal_actions())
        self._state.apply_action(self._direction)
        for card in order:
            self._tell(card)
        self._do(BeginDeal(tuple(order)))
        while seats := to_move(self.game):
            step = self._pass if self.game.phase is Phase.PASSING else self._play
            step(seats[0], pick)
        theirs = [26 - each for each in self._state.returns()]
        self._agree("points", list(self.game.scores[0].points), theirs)
        return self.game

    def _pass(self, seat: Seat, pick: Picker) -> None:
        left = hand_of(self.game, seat)
        named: Hand = frozenset()
        while len(named) < 3:
            card = self._picked(seat, left - named, pick)
            named |= {card}
            self._tell(card)
        self._do(PassCards(seat, named))

    def _play(self, seat: Seat, pick: Picker) -> None:
        allowed, left = choice(self.game), hand_of(self.game, seat)
        self.met.update(sights(self.game, left, allowed))
        card = self._picked(seat, allowed.cards, pick)
        self._tell(card)
        if len(left) > 1:
            # Judged already, and judging every card once more would take most of the time.
            self.game = evolve(self.game, CardPlayed(seat, card, PlayedBy.HAND))
        else:
            self._do(PlayCard(seat, card))

    def _picked(self, seat: Seat, cards: Hand, pick: Picker) -> Card:
        self._agree("seat", seat, self._state.current_player())
        self._agree("cards", sorted(map(number_of, cards)), self._state.legal_actions())
        return pick(self.game, seat, sorted_cards(cards))

    def _tell(self, card: Card) -> None:
        self._state.apply_action(number_of(card))
        self._told.append(card)

    def _do(self, command: Command) -> None:
        self.game = replay(self.game, decide(self.game, command))

    def _agree(self, what: str, ours: object, theirs: Any) -> None:
        if ours != theirs:
            after = " ".join(map(str, self._told))
            raise DisagreementError(f"{what}: {ours} here, {theirs} there, after {after}")


def hand_of(game: Game, seat: Seat) -> Hand:
    """What *seat* holds in the deal under way."""
    if game.deal is None:
        raise ValueError("no deal is under way")
    return game.deal.hands[seat]


def sights(game: Game, hand: Hand, allowed: Choice) -> Iterator[str]:
    """Name what is worth meeting where a card of *hand* is to be played, and these are allowed."""
    deal = game.deal
    if deal is None or deal.trick is None:
        return
    leads = not deal.trick.plays
    if allowed.because is Reason.HEARTS_UNBROKEN:
        yield "hearts may not be led"
    if not leads and not deal.tricks and is_penal(hand):
        yield "a first trick from nothing but penalties"
    if leads and not deal.hearts_broken and is_penal(hand):
        yield "a lead from hearts and the queen" if QUEEN in hand else "a lead from hearts alone"


def results(game: Game) -> Iterator[str]:
    """Name what is worth meeting in the result of the first deal, which is over."""
    score = game.scores[0]
    takers = {line.what: line.seat for line in score.lines}
    if "no_trick" in takers:
        yield "a seat without a trick"
    if score.moon is not None:
        yield "a moon"
    if score.moon is not None and "JD" in takers:
        yield f"a moon with the jack {'taken' if takers['JD'] in score.moon.seats else 'elsewhere'}"


def is_penal(cards: Iterable[Card]) -> bool:
    """Whether all *cards* are hearts or the queen of spades."""
    return all(card.suit is Suit.HEARTS or card == QUEEN for card in cards)


def number_of(card: Card) -> int:
    """OpenSpiel's number of *card*: four times the rank, from 0 for a two, plus the suit."""
    face = card.face
    return len(_SUITS) * _RANKS.index(face[0]) + _SUITS.index(face[1])
