"""A ruleset: every choice that a table makes before it deals.

Fields, values and nesting are those of rules.md 3; the same keys stand in the preset files, in
text records and in the store.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from bot.rules.cards import Card
from bot.rules.selectors import Selector


class FirstLead(Enum):
    """Who leads the first trick of a deal, and with what (rules.md 3.4)."""

    LOWEST_CLUB = "lowest_club"
    """The lowest club in any hand is led by its holder; nobody holds one: the seat after the
    dealer leads."""
    HOLDER_ANY_CLUB = "holder_any_club"
    LEFT_OF_DEALER = "left_of_dealer"


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


class MoonPayoff(Enum):
    """What becomes of the points when one seat takes them all (rules.md 3.7, 2.4.11)."""

    ADD_OTHERS = "add_others"
    SUBTRACT_SELF = "subtract_self"
    SHOOTER_CHOICE = "shooter_choice"
    ADD_UNLESS_SHOOTER_THEN_LOSES = "add_unless_shooter_then_loses"


class BonusScore(Enum):
    """Whose the bonus card's points are in a deal with a moon."""

    SEPARATE = "separate"
    ABSORBED = "absorbed"


class Tie(Enum):
    """What a tie for the best total at the end leads to."""

    EXTRA_HANDS = "extra_hands"
    SHARE = "share"


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
class MoonRules:
    """The slam: one seat takes every card that costs points (rules.md 3.7)."""

    on: bool = True
    bonus: bool = False
    """Whether the bonus cards are needed as well."""
    bonus_score: BonusScore = BonusScore.SEPARATE
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
class Single:
    """Every deal is a game of its own."""


End = Target | DealCount | Single


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """Every choice a table makes before it deals. Stored whole with the game it governs."""

    id: str
    title: str
    source: str
    """Where the rules come from, as ``rules.md 1.1 [S3]``."""
    players: tuple[int, ...]
    """Numbers of seats it can be played with."""
    default_players: int
    remove: Mapping[int, tuple[Card, ...]]
    """By number of seats: cards taken out of the pack before dealing."""
    pass_cycle: Mapping[int, tuple[PassStep, ...]]
    """By number of seats: one step a deal, repeating."""
    first_lead: FirstLead = FirstLead.LOWEST_CLUB
    first_trick_ban: tuple[Selector, ...] = ()
    first_trick_exempt: FirstTrickExempt = FirstTrickExempt.ANY
    hearts_lead: HeartsLead = HeartsLead.AFTER_BROKEN
    breakers: tuple[Selector, ...] = (Selector("H*"),)
    """Cards that break hearts the moment they are played."""
    break_on_lead: bool = True
    """Whether a breaker that is led breaks them too."""
    lead_exempt: LeadExempt = LeadExempt.ONLY_HEARTS
    points: tuple[tuple[Selector, int], ...] = ((Selector("QS"), 13), (Selector("H*"), 1))
    """Points a card brings its taker, narrowest selector first; the first that fits counts."""
    moon: MoonRules = MoonRules()
    end: End = Target(100)
    exact: Mapping[int, int]
    """A total that is hit exactly becomes another: ``{100: 50}``. Applied before the end test."""
    tie: Tie = Tie.EXTRA_HANDS
