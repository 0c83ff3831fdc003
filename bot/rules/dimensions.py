"""The dimensions of a ruleset and the values each may have (rules.md 3)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from bot.rules.cards import ALL_RANKS, Card, Rank

SEATS = range(2, 12)
"""Numbers of seats that the engine plays with."""


class Sides(Enum):
    """Who plays together (rules.md 3.1)."""

    SOLO = "solo"
    OPPOSITE = "opposite"
    """Partners sit across from each other; an even number of seats."""
    OPPOSITE_IF_EVEN = "opposite_if_even"
    """As `OPPOSITE` where that is possible, else every seat for itself."""


class SideScore(Enum):
    """Whose a total is."""

    POOLED = "pooled"
    """One total a side; each partner shows it."""
    INDIVIDUAL_SUM_AT_END = "individual_sum_at_end"
    """One total a seat; at the end the side with the better sum wins (rules.md 1.19)."""


class GoodScore(Enum):
    """Whether points are bad or good."""

    LOW = "low"
    HIGH = "high"


class Rest(Enum):
    """What becomes of the cards that hands leave over."""

    NONE = "none"
    """No card is left over."""
    WIDOW = "widow"
    STOCK = "stock"
    """Drawn from during the deal."""


class WidowPositions(Enum):
    """Where in the deal the cards of the widow come from."""

    LAST = "last"
    MIDDLE = "middle"
    FIRST_LAST = "first_last"
    """The first card and the last (rules.md 1.10); written as a list of the two words."""


class WidowTake(Enum):
    """Whose the widow is."""

    DEAD = "dead"
    FIRST_TRICK = "first_trick"
    FIRST_PENALTY = "first_penalty"
    """With the first captured card that costs points (rules.md 2.3.6)."""
    LAST_TRICK = "last_trick"


class WidowSeen(Enum):
    """Who may look into the widow."""

    NONE = "none"
    TAKER = "taker"
    SIDE = "side"
    """The taker and the taker's partner."""
    ALL_AT_END = "all_at_end"


class Draw(Enum):
    """How cards come from the stock."""

    NONE = "none"
    AFTER_EACH_CARD = "after_each_card"
    """Whoever played a card draws one, while there are any (rules.md 1.13)."""


class FirstLead(Enum):
    """Who leads the first trick of a deal, and with what (rules.md 3.4)."""

    LOWEST_CLUB = "lowest_club"
    """The lowest club in any hand is led by its holder; nobody holds one: the seat after the
    dealer leads."""
    HOLDER_ANY_CLUB = "holder_any_club"
    LEFT_OF_DEALER = "left_of_dealer"


class VoidPlay(Enum):
    """Whether a hand may choose freely when it cannot follow, or has to shed the queen."""

    ANY = "any"
    QS_FIRST_CHANCE = "qs_first_chance"
    """The queen of spades goes the first time its holder cannot follow."""
    QS_WHEN_SAFE = "qs_when_safe"
    """As before, and also under the ace or king of spades on a spade trick."""


class FirstTrickExempt(Enum):
    """What a hand of nothing but banned cards may play to the first trick (rules.md 2.4.4)."""

    ANY = "any"
    QS_FIRST = "qs_first"


class HeartsLead(Enum):
    """When hearts may be led."""

    FREE = "free"
    AFTER_BROKEN = "after_broken"


class LeadExempt(Enum):
    """Which hand may lead a heart although hearts are not broken (rules.md 2.4.3)."""

    ONLY_HEARTS = "only_hearts"
    HEARTS_OR_QS = "hearts_or_qs"


class Duplicates(Enum):
    """What two equal cards on a trick do to each other (rules.md 3.5)."""

    NONE = "none"
    """There are no two equal cards."""
    CANCEL_PAIRS = "cancel_pairs"
    """Pairs of the suit led lose their power, never their points; of three the last is live."""
    LATER_WINS = "later_wins"
    EARLIER_WINS = "earlier_wins"


class NoWinnerLast(Enum):
    """Whose the cards are that nobody has won when the last trick is over."""

    DEAD = "dead"
    PREVIOUS_WINNER = "previous_winner"
    """Of whoever won the latest trick that had a winner."""
    LEADER = "leader"
    """Of whoever led the last trick."""


class HeartScale(Enum):
    """What hearts cost (rules.md 3.6)."""

    ONES = "ones"
    """As the ``H*`` entry of ``points`` says."""
    PIP14 = "pip14"
    """Pips, jack 11, queen 12, king 13, ace 14: 104 in all."""
    GREEK = "greek"
    """Pips, courts 10, ace 15: 99 in all."""
    LOW = "low"
    """Pips, jack 2, queen 3, king 4, ace 5: 68 in all."""
    HALF_HI = "half_hi"
    """2 4 6 8 T Q A cost 1 2 3 4 5 6 7 (rules.md 1.10)."""
    HALF_LO = "half_lo"
    """A 2 4 6 8 T Q cost 1 2 3 4 5 6 7 (rules.md 1.10)."""


_PIPS = {Rank(pips): pips for pips in range(2, 11)}
HEART_POINTS: Mapping[HeartScale, Mapping[Rank, int]] = {
    HeartScale.PIP14: {rank: rank for rank in ALL_RANKS},
    HeartScale.GREEK: {
        **_PIPS,
        Rank.JACK: 10,
        Rank.QUEEN: 10,
        Rank.KING: 10,
        Rank.ACE: 15,
    },
    HeartScale.LOW: {**_PIPS, Rank.JACK: 2, Rank.QUEEN: 3, Rank.KING: 4, Rank.ACE: 5},
    HeartScale.HALF_HI: {
        Rank.TWO: 1,
        Rank.FOUR: 2,
        Rank.SIX: 3,
        Rank.EIGHT: 4,
        Rank.TEN: 5,
        Rank.QUEEN: 6,
        Rank.ACE: 7,
    },
    HeartScale.HALF_LO: {
        Rank.ACE: 1,
        Rank.TWO: 2,
        Rank.FOUR: 3,
        Rank.SIX: 4,
        Rank.EIGHT: 5,
        Rank.TEN: 6,
        Rank.QUEEN: 7,
    },
}
"""By scale: what a heart of each rank costs; none for a rank that the scale does not know."""


class MoonScope(Enum):
    """Who shoots a moon."""

    PLAYER = "player"
    SIDE = "side"


class MissingOk(Enum):
    """Which cards that cost points a moon can do without (rules.md 3.7)."""

    NONE = "none"
    DEAD_TRICKS = "dead_tricks"
    """Those of tricks that nobody has taken."""


class MoonPayoff(Enum):
    """What becomes of the points when one seat or side takes them all (rules.md 3.7, 2.4.11)."""

    ADD_OTHERS = "add_others"
    SUBTRACT_SELF = "subtract_self"
    SHOOTER_CHOICE = "shooter_choice"
    ADD_UNLESS_SHOOTER_THEN_LOSES = "add_unless_shooter_then_loses"
    LOSE_VALUE = "lose_value"
    """Where points are good: the shooter's cards count minus the value instead (1.11)."""


class BonusScore(Enum):
    """Whose the bonus card's points are in a deal with a moon."""

    SEPARATE = "separate"
    ABSORBED = "absorbed"


class Tie(Enum):
    """What a tie for the best total at the end leads to."""

    EXTRA_HANDS = "extra_hands"
    SHARE = "share"
    TIEBREAK_NO_PASS = "tiebreak_no_pass"  # noqa: S105  a word of the rules, not a secret
    """Further deals, in which nothing is passed."""


class Settle(Enum):
    """What changes hands beside points (rules.md 3.8)."""

    NONE = "none"
    WILSON = "wilson"
    """At the end: differences to the next above and below (rules.md 2.1.7)."""
    SUPER = "super"
    """After each deal: the smallest positive score is paid the differences (rules.md 2.7)."""
    DIFF_FROM_MEAN = "diff_from_mean"
    """At the end: differences from the mean of the totals."""
    HOWELL = "howell"
    """At the end: as many counters as the points of all, less the own times the players."""


@dataclass(frozen=True, slots=True)
class Hold:
    """Nothing is passed in this deal."""


@dataclass(frozen=True, slots=True)
class PassTo:
    """Every seat gives *count* cards to the seat *to* places to its left; negative: right."""

    to: int
    count: int


@dataclass(frozen=True, slots=True)
class Scatter:
    """Every seat gives *count* cards to each other seat."""

    count: int


PassStep = Hold | PassTo | Scatter


@dataclass(frozen=True, slots=True, kw_only=True)
class WidowRules:
    """The cards that hands leave over, where there is a widow (rules.md 3.2)."""

    size: int | None = None
    """Number of cards; ``None``: as many as the hands leave over."""
    positions: WidowPositions = WidowPositions.LAST
    take: WidowTake = WidowTake.DEAD
    seen: WidowSeen = WidowSeen.NONE
    never: tuple[Card, ...] = ()
    """Cards that may not lie in it: the dealer exchanges them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoTrickBonus:
    """What a seat gets that takes no trick in a deal."""

    points: int = 0
    """Below 0; 0: nothing."""
    if_moon: bool = False
    """Whether it is paid in a deal with a moon, too."""
    floor_zero: bool = False
    """Whether it stops where it would bring a total below 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoonRules:
    """The slam: one seat or side takes every card that costs points (rules.md 3.7)."""

    on: bool = True
    bonus: bool = False
    """Whether the bonus cards are needed as well."""
    bonus_score: BonusScore = BonusScore.SEPARATE
    scope: MoonScope = MoonScope.PLAYER
    missing_ok: MissingOk = MissingOk.NONE
    widow_points_void: bool = True
    """Whether a needed card in a dead widow makes the moon impossible; else it is excused."""
    payoff: MoonPayoff = MoonPayoff.ADD_OTHERS
    value: int | None = None
    """Points that change hands; ``None`` is ``sum``: as many as the shooter took."""


@dataclass(frozen=True, slots=True)
class Target:
    """Over after the deal in which a total reaches *points* (``>=``)."""

    points: int


@dataclass(frozen=True, slots=True)
class DealCount:
    """Over after so many deals."""

    deals: int


@dataclass(frozen=True, slots=True)
class OpenCount:
    """Over after the deal that the players call the last."""


@dataclass(frozen=True, slots=True)
class Minutes:
    """Over after the deal under way when so many *minutes* have passed since the first."""

    minutes: int


@dataclass(frozen=True, slots=True)
class Single:
    """Every deal is a game of its own."""


End = Target | DealCount | OpenCount | Minutes | Single
