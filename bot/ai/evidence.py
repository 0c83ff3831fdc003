"""What the cards that have fallen tell of the hands that are hidden, on bit sets.

Every rule of play narrows a hand while it leaves a card, so a card that a rule keeps back was
played for want of others: all that a play tells is which cards its seat did not hold.
"""

from bot.ai.compiled import CompiledRules
from bot.ai.position import CardSet, Position
from bot.rules.cards import Seat, Suit
from bot.rules.dimensions import Draw, FirstLead
from bot.rules.state import Trick
from bot.rules.view import PublicView, SeatView


class Evidence:
    """The public course of the deal under way, as the seat of *view* may read it.

    Attributes:
        at: the position in play: piles, the trick under way. Hands, stock and widow are not in it.
        played: by seat, the cards it has played.
        is_drawn_to: whether hands are not those of the first lead less what was played.
        lacks: by seat, cards that it cannot hold. Where cards are drawn, what a play told before
            the stock was used up tells nothing of the hand of today, and is left out.
    """

    def __init__(self, rules: CompiledRules, view: SeatView) -> None:
        public = view.public
        self._rules = rules
        self._public = public
        self.is_drawn_to = rules.ruleset.draw is not Draw.NONE
        self.lacks: list[CardSet] = [0] * rules.seats
        self.played: list[CardSet] = [0] * rules.seats
        self.at = Position(self.played, 0)
        self.at.moon_counts = rules.ruleset.tiebreak_moon or not public.is_tiebreak
        # A bit that is no card's stands for the widow: who takes it does not depend on what it is.
        self.at.widow = (rules.every + 1) * bool(public.widow)
        self._replay(_tricks(public))
        own = rules.set_of(view.hand) | self.played[view.seat]
        self._read_opening(_tricks(public), view.seat, own)

    def _replay(self, tricks: tuple[Trick, ...]) -> None:
        at, rules = self.at, self._rules
        draws = rules.ruleset.rest_size(rules.seats) if self.is_drawn_to else 0
        for trick in tricks:
            at.leader = at.turn = trick.leader
            for play in trick.plays:
                card = rules.bit[play.card]
                if draws <= 0:
                    self.lacks[play.seat] |= self._told_by(card)
                draws -= 1
                self.played[play.seat] |= card
                rules.play(at, card)

    def _told_by(self, card: CardSet) -> CardSet:
        """Cards that the seat to move does not hold if it plays *card*."""
        at, rules = self.at, self._rules
        held, lacks = rules.every, 0
        if at.led:
            if card & rules.jokers:
                return 0
            is_void = not card & at.led
            lacks = at.led * is_void
            held = rules.every & ~at.led if is_void else at.led | rules.jokers
        elif at.is_first and not at.laid:
            held = self._openers(card)
        if at.is_first:
            lacks |= self._told_on_first_trick(card, held)
            held &= rules.banned_first if card & rules.banned_first else ~rules.banned_first
        if not at.led:
            return lacks | self._told_by_lead(card, held)
        return lacks | self._told_by_keeping(card, held)

    def _openers(self, card: CardSet) -> CardSet:
        """All that might have been led first where *card* was."""
        rules, clubs = self._rules, self._rules.suits[Suit.CLUBS]
        first_lead = rules.ruleset.first_lead
        if not card & clubs or first_lead is FirstLead.LEFT_OF_DEALER:
            return rules.every
        return rules.group[card] if first_lead is FirstLead.LOWEST_CLUB else clubs

    def _told_on_first_trick(self, card: CardSet, held: CardSet) -> CardSet:
        rules = self._rules
        if not card & rules.banned_first:
            return 0
        queens = 0 if card & rules.queens_first else rules.queens_first
        return held & (~rules.banned_first | queens)

    def _told_by_lead(self, card: CardSet, held: CardSet) -> CardSet:
        rules = self._rules
        if self.at.broken or not rules.waits_for_hearts or not card & rules.hearts:
            return 0
        return held & ~rules.hearts & ~rules.exempt_queens

    def _told_by_keeping(self, card: CardSet, held: CardSet) -> CardSet:
        """A queen that has to go at the first chance is not held if it does not go."""
        rules, at = self._rules, self.at
        if not rules.sheds or card & rules.queens:
            return 0
        is_beaten = bool(rules.over_queen & at.led) and any(
            other & rules.over_queen for other in at.laid
        )
        return held & rules.queens if is_beaten or not card & at.led else 0

    def _read_opening(self, tricks: tuple[Trick, ...], seat: Seat, own: CardSet) -> None:
        """Whoever leads first tells who holds no low club (rules.md 3.4)."""
        rules = self._rules
        first_lead = rules.ruleset.first_lead
        if not tricks or self.is_drawn_to or first_lead is FirstLead.LEFT_OF_DEALER:
            return
        clubs, leader = rules.suits[Suit.CLUBS], tricks[0].leader
        led = rules.set_of(play.card for play in tricks[0].plays[:1])
        if leader == seat:
            lowest = own & clubs & -(own & clubs)
        elif first_lead is FirstLead.LOWEST_CLUB or not led & clubs:
            lowest = led & clubs
        else:
            return  # it led any club; its lowest is hidden
        lower = clubs & (lowest & -lowest) - 1 if lowest else clubs
        like = rules.group[lowest] if lowest else 0
        for other in range(rules.seats):
            self.lacks[other] |= lower & ~like
        other = rules.next_seat[self._public.dealer]
        while other != leader:
            self.lacks[other] |= like
            other = rules.next_seat[other]


def _tricks(public: PublicView) -> tuple[Trick, ...]:
    """All tricks of the deal, the one under way included, even if nothing lies there."""
    return (*public.tricks, public.trick) if public.trick else public.tricks
