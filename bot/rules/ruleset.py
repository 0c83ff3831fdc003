"""A ruleset: every choice that a table makes before it deals.

Fields, values and nesting are those of rules.md 3; the same keys stand in the preset files, in
text records and in the store. What each value means is said in `bot.rules.dimensions`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.rules.cards import ALL_RANKS, Card, Rank, Suit, pack, sorted_cards
from bot.rules.dimensions import (
    HEART_POINTS,
    Draw,
    Duplicates,
    End,
    FirstLead,
    FirstTrickExempt,
    GoodScore,
    HeartScale,
    HeartsLead,
    LeadExempt,
    MoonRules,
    NoTrickBonus,
    NoWinnerLast,
    PassStep,
    Rest,
    Settle,
    Sides,
    SideScore,
    Target,
    Tie,
    VoidPlay,
    WidowRules,
)
from bot.rules.frozen import FrozenMap
from bot.rules.selectors import Selector

ALL_HEARTS = Selector("H*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """Every choice a table makes before it deals. Stored whole with the game it governs."""

    id: str
    title: str
    source: str
    """Where the rules come from, as ``rules.md 1.1 [S3]``."""
    aliases: tuple[str, ...] = ()
    """Other names under which people look for it."""
    text: str = ""
    """What is special about it, in one or two sentences."""
    players: tuple[int, ...]
    """Numbers of seats it can be played with, ascending."""
    default_players: int
    sides: Sides = Sides.SOLO
    side_score: SideScore = SideScore.POOLED
    good_score: GoodScore = GoodScore.LOW
    packs: int = 1
    ranks: tuple[Rank, ...] = ALL_RANKS
    """Ranks of every suit that are in the deck, from low to high."""
    jokers: Mapping[int, int] = FrozenMap({})
    """By number of seats: jokers added to the deck."""
    remove: Mapping[int, tuple[Card, ...]]
    """By number of seats, every one of *players*: cards taken out before dealing, one copy an
    entry."""
    add: Mapping[int, tuple[Card, ...]] = FrozenMap({})
    """By number of seats: further copies put in."""
    hand: Mapping[int, int] = FrozenMap({})
    """By number of seats: cards dealt to a seat; elsewhere as many as go out evenly."""
    rest: Mapping[int, Rest] = FrozenMap({})
    """By number of seats: what becomes of the cards left over; elsewhere there are none."""
    widow: WidowRules = WidowRules()
    draw: Draw = Draw.NONE
    pass_cycle: Mapping[int, tuple[PassStep, ...]]
    """By number of seats: one step a deal, repeating."""
    first_lead: FirstLead = FirstLead.LOWEST_CLUB
    void_play: VoidPlay = VoidPlay.ANY
    first_trick_ban: tuple[Selector, ...] = ()
    first_trick_exempt: FirstTrickExempt = FirstTrickExempt.ANY
    hearts_lead: HeartsLead = HeartsLead.AFTER_BROKEN
    breakers: tuple[Selector, ...] = (ALL_HEARTS,)
    """Cards that break hearts the moment they are played."""
    break_on_lead: bool = True
    """Whether a breaker that is led breaks them too."""
    lead_exempt: LeadExempt = LeadExempt.ONLY_HEARTS
    cards_per_player: int = 1
    """Cards that each seat lays down in a trick."""
    duplicates: Duplicates = Duplicates.NONE
    no_winner_last: NoWinnerLast = NoWinnerLast.DEAD
    points: tuple[tuple[Selector, int], ...] = ((Selector("QS"), 13), (ALL_HEARTS, 1))
    """Points a card brings its taker, narrowest selector first; the first that fits counts."""
    heart_scale: HeartScale = HeartScale.ONES
    no_trick_bonus: NoTrickBonus = NoTrickBonus()
    moon: MoonRules = MoonRules()
    sun: int | None = None
    """As the moon's value, for whoever takes all tricks; ``None``: that is a moon like others."""
    end: End = Target(100)
    exact: Mapping[int, int] = FrozenMap({})
    """A total that is hit exactly becomes another: ``{100: 50}``. Applied before the end test."""
    tie: Tie = Tie.EXTRA_HANDS
    tiebreak_moon: bool = True
    """Whether there is a moon in the deals of `Tie.TIEBREAK_NO_PASS`."""
    settle: Settle = Settle.NONE
    _worth: Mapping[tuple[Rank, Suit | None], int] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        # Equal rules are equal values, however they were put together.
        players = tuple(sorted(set(self.players)))
        object.__setattr__(self, "players", players)
        removed = {seats: tuple(self.remove.get(seats, ())) for seats in players}
        cycles = {n: tuple(self.pass_cycle[n]) for n in players if n in self.pass_cycle}
        object.__setattr__(self, "remove", FrozenMap(removed))
        object.__setattr__(self, "pass_cycle", FrozenMap(cycles))
        for name, usual in _USUAL.items():
            table: Mapping[int, object] = getattr(self, name)
            kept = {n: table[n] for n in players if n in table and table[n] != usual}
            object.__setattr__(self, name, FrozenMap(kept))
        object.__setattr__(self, "exact", FrozenMap(self.exact))
        object.__setattr__(self, "points", _needed_entries(self.points, self.heart_scale))
        kinds = [*pack(), Card(Rank.JOKER, None)]
        worth = {(kind.rank, kind.suit): self._look_up(kind) for kind in kinds}
        object.__setattr__(self, "_worth", FrozenMap(worth))

    def deck(self, seats: int) -> tuple[Card, ...]:
        """All cards of a game with so many seats, sorted, undealt."""
        cards = [
            Card(rank, suit, copy)
            for suit in Suit
            for copy in range(1, self.packs + 1)
            for rank in self.ranks
        ]
        for face in self.remove.get(seats, ()):
            copies = [card for card in cards if card.face == face.face]
            if copies:
                cards.remove(copies[-1])
        for face in self.add.get(seats, ()):
            copy = 1 + sum(card.face == face.face for card in cards)
            cards.append(Card(face.rank, face.suit, copy))
        cards += [Card(Rank.JOKER, None, copy + 1) for copy in range(self.jokers.get(seats, 0))]
        return sorted_cards(tuple(cards))

    def hand_size(self, seats: int) -> int:
        """How many cards a seat is dealt."""
        return self.hand.get(seats) or len(self.deck(seats)) // seats

    def rest_size(self, seats: int) -> int:
        """How many cards the hands leave over: the widow, or the stock."""
        return len(self.deck(seats)) - seats * self.hand_size(seats)

    def tricks(self, seats: int) -> int:
        """How many tricks a deal has."""
        cards = len(self.deck(seats))
        if self.rest.get(seats) is Rest.WIDOW:
            cards -= self.rest_size(seats)
        return cards // (seats * self.cards_per_player)

    def step(self, seats: int, deal: int) -> PassStep:
        """How cards are passed in a deal, counted from 1."""
        cycle = self.pass_cycle[seats]
        return cycle[(deal - 1) % len(cycle)]

    def points_of(self, card: Card) -> int:
        """Points that a captured card brings its taker; negative for a bonus card."""
        return self._worth[card.rank, card.suit]

    def _look_up(self, card: Card) -> int:
        return _worth(self.points, self.heart_scale, card)


_USUAL: Mapping[str, object] = {"jokers": 0, "add": (), "hand": None, "rest": Rest.NONE}
"""Tables by number of seats, and what holds for a number that they do not name."""

_Points = tuple[tuple[Selector, int], ...]


def _worth(entries: _Points, scale: HeartScale, card: Card) -> int:
    for selector, points in entries:
        if selector.fits(card):
            return points
    if scale is not HeartScale.ONES and card.suit is Suit.HEARTS:
        return HEART_POINTS[scale].get(card.rank, 0)
    return 0


def _needed_entries(points: _Points, scale: HeartScale) -> _Points:
    """Narrowest first, without entries that wider ones make superfluous, as most zeros are."""
    kept = points if scale is HeartScale.ONES else [(s, n) for s, n in points if s != ALL_HEARTS]
    entries = tuple(sorted(kept, key=lambda entry: (-entry[0].precision, entry[0].text)))
    return tuple(
        entry
        for place, entry in enumerate(entries)
        if _is_needed(*entry, entries[place + 1 :], scale)
    )


def _is_needed(selector: Selector, points: int, wider: _Points, scale: HeartScale) -> bool:
    named = [card for card in pack() if selector.fits(card)]
    without = {_worth(wider, scale, card) for card in named} or {0}
    return without != {points}
