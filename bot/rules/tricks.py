"""Who leads a trick, who is next, and who takes it."""

from collections import Counter

from bot.rules.cards import Card, Hand, Seat, Suit
from bot.rules.dimensions import Duplicates, FirstLead
from bot.rules.ruleset import Ruleset
from bot.rules.state import Play, Trick


def after(seat: Seat, seats: int, places: int = 1) -> Seat:
    """The seat so many *places* to the left of *seat*; negative: to the right."""
    return Seat((seat + places) % seats)


def lowest_club(hands: tuple[Hand, ...]) -> Card | None:
    """The lowest club in any hand; ``None`` if nobody holds one."""
    clubs = [card for hand in hands for card in hand if card.suit is Suit.CLUBS]
    return min(clubs, key=lambda card: card.order, default=None)


def opening_seat(ruleset: Ruleset, hands: tuple[Hand, ...], dealer: Seat) -> Seat:
    """Who leads the first trick, after passing (rules.md 3.4).

    Of several lowest clubs, the first clockwise from the seat after the dealer is led.
    """
    seats = len(hands)
    left = after(dealer, seats)
    lowest = lowest_club(hands)
    if ruleset.first_lead is FirstLead.LEFT_OF_DEALER or lowest is None:
        return left
    in_turn = (after(left, seats, places) for places in range(seats))
    return next(seat for seat in in_turn if any(card.face == lowest.face for card in hands[seat]))


def next_to_play(trick: Trick, seats: int) -> Seat:
    """Whose turn it is in a trick that is not full."""
    return after(trick.leader, seats, len(trick.plays))


def led_suit(trick: Trick) -> Suit | None:
    """The suit to follow: of the first card that is no joker; ``None`` before it (2.1.2a)."""
    return next((play.card.suit for play in trick.plays if play.card.suit is not None), None)


def winner(ruleset: Ruleset, trick: Trick) -> Seat | None:
    """Who takes a full trick: the highest live card of the suit led, whatever else lies there.

    ``None`` where no card of that suit is live, or all cards are jokers.
    """
    dead = cancelled(ruleset, trick)
    live = [play for play in _following(trick) if play.card not in dead]
    if not live:
        return None
    highest = max(play.card.rank for play in live)
    equal = [play.seat for play in live if play.card.rank is highest]
    return equal[0] if ruleset.duplicates is Duplicates.EARLIER_WINS else equal[-1]


def cancelled(ruleset: Ruleset, trick: Trick) -> Hand:
    """Cards of the suit led that have lost their power to an equal card on *trick*, full or not.

    Cards cancel each other in pairs; of three the last stays live (rules.md 2.3.8).
    """
    if ruleset.duplicates is not Duplicates.CANCEL_PAIRS:
        return frozenset()
    following = [play.card for play in _following(trick)]
    copies = Counter(card.rank for card in following)
    live = {card.rank: card for card in following if copies[card.rank] % 2}
    return frozenset(following) - frozenset(live.values())


def _following(trick: Trick) -> list[Play]:
    led = led_suit(trick)
    return [play for play in trick.plays if play.card.suit is led and led is not None]
