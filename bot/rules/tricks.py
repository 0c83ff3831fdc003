"""Who leads a trick, who is next, and who takes it."""

from bot.rules.cards import Card, Hand, Seat, Suit
from bot.rules.ruleset import FirstLead, Ruleset
from bot.rules.state import Trick


def after(seat: Seat, seats: int, places: int = 1) -> Seat:
    """The seat so many *places* to the left of *seat*; negative: to the right."""
    return Seat((seat + places) % seats)


def lowest_club(hands: tuple[Hand, ...]) -> Card | None:
    """The lowest club in any hand; ``None`` if nobody holds one."""
    clubs = [card for hand in hands for card in hand if card.suit is Suit.CLUBS]
    return min(clubs, key=lambda card: card.order, default=None)


def opening_seat(ruleset: Ruleset, hands: tuple[Hand, ...], dealer: Seat) -> Seat:
    """Who leads the first trick, after passing (rules.md 3.4)."""
    left = after(dealer, len(hands))
    lowest = lowest_club(hands)
    if ruleset.first_lead is FirstLead.LEFT_OF_DEALER or lowest is None:
        return left
    return next(Seat(i) for i, hand in enumerate(hands) if lowest in hand)


def next_to_play(trick: Trick, seats: int) -> Seat:
    """Whose turn it is in a trick that is not full."""
    return after(trick.leader, seats, len(trick.plays))


def winner(trick: Trick) -> Seat:
    """Who takes a full trick: the highest card of the suit led, whatever else lies there."""
    led = trick.plays[0].card.suit
    following = [play for play in trick.plays if play.card.suit is led]
    return max(following, key=lambda play: play.card.rank).seat
