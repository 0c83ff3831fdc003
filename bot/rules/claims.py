"""Whether the rest of a deal is certain, so that nobody has to play it.

`certain_rest` looks into all hands. What it says is true whatever is played, but that it can be
said tells something of hands that are hidden: who lets a table know it ends the deal by that.
What may be said before is `known_rest`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from bot.rules.cards import Card, Hand, Seat
from bot.rules.dimensions import Duplicates, WidowTake
from bot.rules.moon import shot
from bot.rules.piles import piles
from bot.rules.ruleset import Ruleset
from bot.rules.state import Deal, Game, Phase, Trick
from bot.rules.view import public_widow, seat_view


class Certainty(Enum):
    """Why the rest of a deal is certain."""

    NOTHING_LEFT = "nothing_left"
    """No card that counts can be captured any more, and tricks count for nothing."""
    ONE_TAKES_ALL = "one_takes_all"
    """One seat takes every trick that is left, and all that still lies on the table."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The score of the deal under way is the same, whatever is played from here on."""

    why: Certainty
    taker: Seat | None = None
    """Who takes the rest; ``None`` where it does not matter (`Certainty.NOTHING_LEFT`)."""


def certain_rest(game: Game) -> Claim | None:
    """What is certain about the rest of the deal in play.

    ``None``: nothing, or nothing that can be seen without trying every card. The choice of a
    shooter how the moon is paid stays open where the rules give it.
    """
    return next(_certain(game), None)


def _certain(game: Game) -> Iterator[Claim]:
    """All that is certain about the rest of the deal in play, the simpler reason first."""
    deal = game.deal
    if deal is None or deal.trick is None or game.phase is not Phase.PLAYING:
        return
    if _is_score_decided(game, deal, deal.trick):
        yield Claim(Certainty.NOTHING_LEFT)
    if _leader_takes_all(game.ruleset, deal, deal.trick):
        yield Claim(Certainty.ONE_TAKES_ALL, deal.trick.leader)


def known_rest(game: Game, seat: Seat | None) -> Claim | None:
    """What *seat* can know to be certain from its own cards and the played ones; ``None``: all.

    Everybody sees that nothing is left that counts. That it takes all the rest, only the seat
    itself can see.
    """
    deal = game.deal
    if deal is None:
        return None
    return next((claim for claim in _certain(game) if _is_known(claim, game, deal, seat)), None)


def _is_known(claim: Claim, game: Game, deal: Deal, seat: Seat | None) -> bool:
    """Whether *claim*, which is true, follows from what *seat* can see."""
    # Nobody can tell whether a card that was never seen lies in a hand or in the widow.
    unseen = deal.widow - _visible_widow(game, deal, seat)
    if claim.taker is None:
        return not any(map(game.ruleset.points_of, unseen))
    return seat == claim.taker and all(_beats(card, [*unseen]) for card in deal.hands[seat])


def _visible_widow(game: Game, deal: Deal, seat: Seat | None) -> Hand:
    return public_widow(game.ruleset, deal) if seat is None else seat_view(game, seat).widow


def _is_score_decided(game: Game, deal: Deal, trick: Trick) -> bool:
    """Whether nothing is left that counts: no card, no bonus for no trick, no sun."""
    rules = game.ruleset
    lie = piles(rules, deal)
    open_cards = [*lie.waiting, *deal.stock, *(play.card for play in trick.plays)]
    if rules.widow.take is not WidowTake.DEAD and lie.widow_taker is None:
        open_cards += deal.widow
    if any(map(rules.points_of, [card for hand in deal.hands for card in hand] + open_cards)):
        return False
    if rules.no_trick_bonus.points and not all(lie.by_seat):
        return False
    # All that a moon needs is captured, so it is known who shot one; but not yet who took all.
    return rules.sun is None or shot(game) is None


def _leader_takes_all(rules: Ruleset, deal: Deal, trick: Trick) -> bool:
    """Whether every card of the seat on lead beats all that others hold of its suit.

    Then it keeps the lead to the end, in whatever order it plays, and the cards that wait on the
    table and the widow come to it as well.
    """
    if trick.plays or deal.stock or _can_kill_own_card(rules):
        return False
    others = [card for i, hand in enumerate(deal.hands) if i != trick.leader for card in hand]
    return all(_beats(card, others) for card in deal.hands[trick.leader])


def _can_kill_own_card(rules: Ruleset) -> bool:
    """Whether one seat may lay two equal cards on one trick, which then take nothing."""
    return rules.cards_per_player > 1 and rules.duplicates is not Duplicates.NONE


def _beats(card: Card, others: list[Card]) -> bool:
    """Whether *card*, when it is led, takes the trick; after a joker another seat leads."""
    if card.suit is None:
        return False
    return all(other.suit is not card.suit or other.rank < card.rank for other in others)
