"""What cards cost and bring, in plain words (rules.md 3.6)."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from bot.rules.cards import Card, Rank, Suit
from bot.rules.dimensions import GoodScore
from bot.rules.phrases import (
    QUEEN,
    Topic,
    and_list,
    faces,
    or_list,
    points_word,
    rank_name,
    the_cards,
)
from bot.rules.piles import points_in
from bot.rules.ruleset import Ruleset
from bot.rules.sentence import Sentence


def points(ruleset: Ruleset, seats: int) -> Topic:
    """Every card that counts, the dearest first, and what all of them make."""
    total = points_in(ruleset, frozenset(ruleset.deck(seats)))
    return (
        *_named_cards(ruleset, seats, bonus=False),
        *_without_points(ruleset, seats),
        *_hearts(ruleset, seats),
        *named_bonuses(ruleset, seats),
        Sentence("In all, that makes {points} in a deal.", {"points": points_word(total)}),
    )


def named_bonuses(ruleset: Ruleset, seats: int) -> Topic:
    """Cards that count the other way round than hearts."""
    return _named_cards(ruleset, seats, bonus=True)


def no_trick_bonus(ruleset: Ruleset, _: int) -> Topic:
    """What taking no trick at all saves, if anything."""
    bonus = ruleset.no_trick_bonus
    if not bonus.points:
        return ()
    saved = {"points": points_word(-bonus.points)}
    told = [Sentence("If you take no trick in a deal, you save {points}.", saved)]
    if ruleset.moon.on:
        text = (
            "You save them in a deal with a moon, too."
            if bonus.if_moon
            else "In a deal with a moon you do not save them."
        )
        told.append(Sentence(text))
    if bonus.floor_zero:
        told.append(Sentence("They bring no total below 0."))
    return tuple(told)


def _named_cards(ruleset: Ruleset, seats: int, *, bonus: bool) -> Topic:
    """Cards that cost points, or bonus cards, but for what is said of hearts as a suit."""
    worth: dict[int, list[Card]] = defaultdict(list)
    apart = {card.face for card in _apart(ruleset, seats)}
    deck = ruleset.deck(seats)
    for card in faces(deck):
        count = ruleset.points_of(card)
        told = card.suit is not Suit.HEARTS or card.face in apart
        if told and count and (count < 0) is bonus:
            worth[abs(count)].append(card)
    copies = Counter(card.face for card in deck)
    texts = _texts(ruleset, bonus=bonus)
    return tuple(
        _worth(texts, cards, count, copies) for count, cards in sorted(worth.items(), reverse=True)
    )


_Texts = Sequence[tuple[str, str]]
_COSTS: _Texts = (
    ("Taking {cards} costs you {count} point.", "Taking {cards} costs you {count} points."),
    (
        "Each {card} costs you {count} point, and there are {copies} of them.",
        "Each {card} costs you {count} points, and there are {copies} of them.",
    ),
    (
        "Each of these costs you {count} point: {cards}.",
        "Each of these costs you {count} points: {cards}.",
    ),
)
_SAVES: _Texts = (
    ("Taking {cards} saves you {count} point.", "Taking {cards} saves you {count} points."),
    (
        "Each {card} saves you {count} point, and there are {copies} of them.",
        "Each {card} saves you {count} points, and there are {copies} of them.",
    ),
    (
        "Each of these saves you {count} point: {cards}.",
        "Each of these saves you {count} points: {cards}.",
    ),
)
_BRINGS: _Texts = (
    ("Taking {cards} brings you {count} point.", "Taking {cards} brings you {count} points."),
    (
        "Each {card} brings you {count} point, and there are {copies} of them.",
        "Each {card} brings you {count} points, and there are {copies} of them.",
    ),
    (
        "Each of these brings you {count} point: {cards}.",
        "Each of these brings you {count} points: {cards}.",
    ),
)


def _texts(ruleset: Ruleset, *, bonus: bool) -> _Texts:
    if ruleset.good_score is GoodScore.HIGH:
        return _COSTS if bonus else _BRINGS
    return _SAVES if bonus else _COSTS


def _worth(texts: _Texts, cards: Sequence[Card], count: int, copies: Mapping[str, int]) -> Sentence:
    one_card, equal_cards, some_cards = texts
    equal = copies[cards[0].face]
    one, many = some_cards if len(cards) > 1 else equal_cards if equal > 1 else one_card
    facts = {"count": count, "card": cards[0], "cards": the_cards(cards), "copies": equal}
    return Sentence(one, facts, many)


def _hearts(ruleset: Ruleset, seats: int) -> Topic:
    """What hearts cost, all alike but for a few, or each by its rank."""
    worth = _by_rank(ruleset, seats)
    if not worth:
        return ()
    usual = _usual(worth)
    high = ruleset.good_score is GoodScore.HIGH
    if usual is None:
        return (Sentence(_GRADED[high], {"list": _graded(worth)}),)
    if not usual:
        return (Sentence("Hearts are worth no points."),)
    kind = "costs" if (usual > 0) is not high else "brings" if high else "saves"
    texts = _EVERY_OTHER_HEART if _apart(ruleset, seats) else _EACH_HEART
    one, many = texts[kind]
    return (Sentence(one, {"count": abs(usual)}, many),)


_GRADED = {
    False: "A heart costs you points by its rank: {list}.",
    True: "A heart brings you points by its rank: {list}.",
}
"""By whether points are good."""
_EACH_HEART = {
    "costs": ("Each heart costs you {count} point.", "Each heart costs you {count} points."),
    "saves": ("Each heart saves you {count} point.", "Each heart saves you {count} points."),
    "brings": ("Each heart brings you {count} point.", "Each heart brings you {count} points."),
}
_EVERY_OTHER_HEART = {
    "costs": (
        "Every other heart costs you {count} point.",
        "Every other heart costs you {count} points.",
    ),
    "saves": (
        "Every other heart saves you {count} point.",
        "Every other heart saves you {count} points.",
    ),
    "brings": (
        "Every other heart brings you {count} point.",
        "Every other heart brings you {count} points.",
    ),
}


def _by_rank(ruleset: Ruleset, seats: int) -> Mapping[Rank, int]:
    hearts = [card for card in ruleset.deck(seats) if card.suit is Suit.HEARTS]
    return {card.rank: ruleset.points_of(card) for card in hearts}


def _usual(worth: Mapping[Rank, int]) -> int | None:
    """What most hearts cost; ``None`` where no worth is that of most."""
    [(usual, ranks)] = Counter(worth.values()).most_common(1)
    return usual if 2 * ranks > len(worth) else None


def _apart(ruleset: Ruleset, seats: int) -> tuple[Card, ...]:
    """Hearts that cost something else than most of their suit."""
    worth = _by_rank(ruleset, seats)
    usual = _usual(worth) if worth else None
    if usual is None:
        return ()
    return tuple(Card(rank, Suit.HEARTS) for rank, each in worth.items() if each != usual)


def _graded(worth: Mapping[Rank, int]) -> Sentence:
    """“its number from 2 to 10, 11 for the jack and 12 for the queen”."""
    pips = [rank for rank in worth if rank <= Rank.TEN]
    numbered = len(pips) > 1 and all(worth[rank] == rank for rank in pips)
    told: list[Sentence] = []
    if numbered:
        facts = {"lowest": min(pips).value, "highest": max(pips).value}
        told.append(Sentence("its number from {lowest} to {highest}", facts))
    by_worth: dict[int, list[Rank]] = defaultdict(list)
    for rank, count in worth.items():
        if not (numbered and rank in pips):
            by_worth[count].append(rank)
    told += [_for_ranks(count, ranks) for count, ranks in sorted(by_worth.items())]
    return and_list(told)


def _for_ranks(count: int, ranks: Sequence[Rank]) -> Sentence:
    names = or_list([rank_name(rank) for rank in ranks])
    return Sentence("{points} for the {ranks}", {"points": count, "ranks": names})


def _without_points(ruleset: Ruleset, seats: int) -> Topic:
    """Cards of which people expect that they count, and which do not."""
    apart = {card.face for card in _apart(ruleset, seats)}
    return tuple(
        Sentence("The {card} is worth no points.", {"card": card})
        for card in faces(ruleset.deck(seats))
        if (card == QUEEN or card.face in apart) and not ruleset.points_of(card)
    )
