"""A deal in play as integers: what `bot.ai.compiled` moves on."""

from collections.abc import Sequence

CardSet = int
"""Cards as bits; which bit is whose, `CompiledRules.deck` says. A single card is a set of one."""

NOBODY = -1
"""In place of a seat: no seat."""


class Position:
    """All cards of a deal in play, hidden ones too. It changes with each card that falls.

    A search copies it some thousand times a second, so it is a handful of small lists and numbers.

    Attributes:
        hands: by seat.
        leader: of the trick under way.
        turn: whose card is next; of no meaning once all hands are empty.
        laid: the cards of the trick under way, in order.
        led: all cards of the suit to follow; 0 before it is known.
        live: of the trick under way, the card that takes it; where pairs cancel, all live cards of
            the suit led, of which the highest takes it.
        ahead: who laid the card that takes it; not kept where pairs cancel.
        is_first: whether the first trick is not over.
        opening: of these the first card has to be, if the leader holds one; 0: any may be.
        broken: whether hearts are broken.
        piles: by seat, what it has captured, a widow apart.
        tabled: cards of full tricks that nobody has taken.
        last_taker: who took the latest trick that anybody took.
        stock: cards still to be drawn, the next one last.
        widow: the cards that the hands left over, drawn ones apart.
        widow_goes: whether the next taker of a trick gets the widow, or somebody has it.
        widow_taker: who has it.
        moon_counts: whether there is a moon in this deal.
    """

    __slots__ = (
        "ahead",
        "broken",
        "hands",
        "is_first",
        "laid",
        "last_taker",
        "leader",
        "led",
        "live",
        "moon_counts",
        "opening",
        "piles",
        "stock",
        "tabled",
        "turn",
        "widow",
        "widow_goes",
        "widow_taker",
    )

    def __init__(self, hands: Sequence[CardSet], leader: int) -> None:
        self.hands = list(hands)
        self.leader = self.turn = leader
        self.laid: list[CardSet] = []
        self.led: CardSet = 0
        self.live: CardSet = 0
        self.ahead = NOBODY
        self.is_first = True
        self.opening: CardSet = 0
        self.broken = False
        self.piles: list[CardSet] = [0] * len(hands)
        self.tabled: CardSet = 0
        self.last_taker = NOBODY
        self.stock: list[CardSet] = []
        self.widow: CardSet = 0
        self.widow_goes = False
        self.widow_taker = NOBODY
        self.moon_counts = True

    def copy(self) -> "Position":
        """The same deal, to be played on apart."""
        other = Position.__new__(Position)
        other.hands = self.hands[:]
        other.leader = self.leader
        other.turn = self.turn
        other.laid = self.laid[:]
        other.led = self.led
        other.live = self.live
        other.ahead = self.ahead
        other.is_first = self.is_first
        other.opening = self.opening
        other.broken = self.broken
        other.piles = self.piles[:]
        other.tabled = self.tabled
        other.last_taker = self.last_taker
        other.stock = self.stock[:]
        other.widow = self.widow
        other.widow_goes = self.widow_goes
        other.widow_taker = self.widow_taker
        other.moon_counts = self.moon_counts
        return other

    @property
    def is_over(self) -> bool:
        """Whether all cards have been played."""
        return not any(self.hands)
