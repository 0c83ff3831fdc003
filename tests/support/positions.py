"""Positions in which a good player does not hesitate, told by what has fallen.

Only what the seat to move can know is written down: the tricks so far and its own cards. The other
cards are laid somewhere they may have lain, and all is dealt and played by the rules, so every
position is one that a game can come to.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from random import Random

from bot.rules.cards import Card, Hand, Seat, Suit, parse_cards, sorted_cards
from bot.rules.commands import BeginDeal, PassCards, PlayCard
from bot.rules.dealing import Dealt, order_of
from bot.rules.decide import new_game
from bot.rules.dimensions import Draw, Hold, PassStep, PassTo, Rest
from bot.rules.errors import IllegalMoveError
from bot.rules.legal import to_move
from bot.rules.ruleset import Ruleset
from bot.rules.state import Game
from tests.support.deals import STANDARD, after

_TRIES = 200
_PASSED = 3
_Plays = Sequence[tuple[Seat, Card]]
_Lacks = defaultdict[int, set[Suit | None]]


class UnreachableError(AssertionError):
    """No game by the rules comes to a position."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """A turn to play, and what is right there."""

    says: str
    """What a good player does, as a sentence about "it"."""
    tricks: str
    """All tricks, a comma between; of each the seat that leads it, and its cards."""
    hand: str
    """What the seat to move holds."""
    wants: str
    """The cards that are right."""
    gave: str = ""
    """What it passed across; left out, nobody passed."""
    rules: Ruleset = STANDARD
    seats: int = 4
    needs: str = "steady"
    """The lowest level that sees it."""


@cache
def game_of(position: Position) -> Game:
    """The game in that position.

    Raises:
        UnreachableError: there is none.
    """
    plays = _plays(position)
    mover = _mover(position)
    refused: Exception | None = None
    for seed in range(_TRIES):
        dealt = _dealt(position, plays, mover, Random(seed))
        if dealt is None:
            continue
        try:
            return _played(position, dealt, plays, mover)
        except (IllegalMoveError, UnreachableError) as error:
            refused = error
    raise UnreachableError(f"{position.says}: {refused or 'the cards fit nowhere'}")


def _played(position: Position, dealt: Dealt, plays: _Plays, mover: Seat) -> Game:
    """The game that comes to these hands before its first lead, and to the position."""
    game = _opened(position, dealt, mover)
    for seat, card in plays:
        if to_move(game) != (seat,):
            raise UnreachableError(f"{to_move(game)} is to move, not {seat} with {card}")
        game = after(game, PlayCard(seat, card))
    if to_move(game) != (mover,):
        raise UnreachableError(f"{to_move(game)} is to move at the end, not {mover}")
    return game


def _opened(position: Position, dealt: Dealt, mover: Seat) -> Game:
    """A game dealt, and passed if it has to be, so that these are the hands."""
    seats = position.seats
    step: PassStep = PassTo(seats // 2, _PASSED) if position.gave else Hold()
    rules = replace(position.rules, pass_cycle={**position.rules.pass_cycle, seats: (step,)})
    dealer = Seat(seats - 1)
    game = new_game(rules, seats, dealer)
    if not position.gave:
        return after(game, BeginDeal(order_of(rules, dealer, dealt)))
    taken = [
        _packet(position, hand, mover, (seat - seats // 2) % seats)
        for seat, hand in enumerate(dealt.hands)
    ]
    given = [taken[(seat + seats // 2) % seats] for seat in range(seats)]
    hands = tuple(hand - taken[seat] | given[seat] for seat, hand in enumerate(dealt.hands))
    passes = [PassCards(Seat(seat), cards) for seat, cards in enumerate(given)]
    return after(game, BeginDeal(order_of(rules, dealer, replace(dealt, hands=hands))), *passes)


def _packet(position: Position, hand: Hand, mover: Seat, giver: int) -> Hand:
    """What *giver* has passed to whoever holds *hand* now."""
    if giver == mover:
        return frozenset(parse_cards(position.gave))
    return frozenset(sorted_cards(hand)[:_PASSED])


def _plays(position: Position) -> _Plays:
    found = []
    for trick in position.tricks.split(","):
        leader, _, laid = trick.partition(":")
        for place, card in enumerate(parse_cards(laid)):
            found.append((Seat((int(leader) + place) % position.seats), card))
    return found


def _mover(position: Position) -> Seat:
    leader, _, laid = position.tricks.rpartition(",")[2].partition(":")
    return Seat((int(leader) + len(parse_cards(laid))) % position.seats)


def _dealt(position: Position, plays: _Plays, mover: Seat, dice: Random) -> Dealt | None:
    """Some way in which the cards may have lain; nothing if this try found none."""
    own: dict[int, list[Card]] = {seat: [] for seat in range(position.seats)}
    for seat, card in plays:
        own[seat].append(card)
    own[mover] += parse_cards(position.hand)
    taker = own[(mover + position.seats // 2) % position.seats]
    taker += [card for card in parse_cards(position.gave) if card not in taker]
    sizes = _sizes(position, plays)
    if len(own[mover]) != sizes[mover]:
        raise UnreachableError(f"{position.says}: {len(own[mover])} cards for {sizes[mover]}")
    lacks = _voids(position, plays)
    left = []
    for card in _hidden(position, own.values(), lacks, dice):
        free = [s for s in own if len(own[s]) < sizes[s] and card.suit not in lacks[s]]
        if free:
            own[dice.choice(free)].append(card)
        else:
            left.append(card)
    if any(len(held) != sizes[seat] for seat, held in own.items()):
        return None
    return _laid(position, own, plays, left)


def _sizes(position: Position, plays: _Plays) -> Sequence[int]:
    """By seat: how many cards it has had until now, drawn ones among them."""
    rules, seats = position.rules, position.seats
    drawn = Counter(seat for seat, _ in plays if rules.draw is not Draw.NONE)
    return [rules.hand_size(seats) + drawn[Seat(seat)] for seat in range(seats)]


def _hidden(
    position: Position, known: Iterable[Sequence[Card]], lacks: _Lacks, dice: Random
) -> Sequence[Card]:
    """All other cards in a random order, but those with the fewest places first."""
    seen = set(chain.from_iterable(known))
    cards = [card for card in position.rules.deck(position.seats) if card not in seen]
    dice.shuffle(cards)
    return sorted(cards, key=lambda card: -sum(card.suit in suits for suits in lacks.values()))


def _laid(
    position: Position, own: Mapping[int, Sequence[Card]], plays: _Plays, left: list[Card]
) -> Dealt:
    """Hands, widow and stock, where these are all cards that each seat ever has."""
    rules, seats = position.rules, position.seats
    size = rules.hand_size(seats)
    hands = tuple(frozenset(own[seat][:size]) for seat in range(seats))
    drawn = {seat: iter(own[seat][size:]) for seat in range(seats)}
    stock = [next(drawn[seat]) for seat, _ in plays] if rules.draw is not Draw.NONE else []
    if rules.rest.get(seats) is Rest.WIDOW:
        return Dealt(hands, widow=frozenset(left))
    return Dealt(hands, stock=(*stock, *left))


def _voids(position: Position, plays: _Plays) -> _Lacks:
    """By seat: the suits in which it did not follow."""
    lacks: _Lacks = defaultdict(set)
    if position.rules.draw is not Draw.NONE:
        return lacks
    for start in range(0, len(plays), position.seats):
        trick = plays[start : start + position.seats]
        suited = [(seat, card.suit) for seat, card in trick if card.suit]
        for seat, suit in suited[1:]:
            if suit is not suited[0][1]:
                lacks[seat].add(suited[0][1])
    return lacks
