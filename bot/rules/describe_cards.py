"""Who plays, and with which cards, in plain words (rules.md 3.1, 3.2)."""

from collections import Counter
from typing import assert_never

from bot.rules.cards import ALL_RANKS, Card, Suit
from bot.rules.dimensions import (
    GoodScore,
    Rest,
    SideScore,
    WidowPositions,
    WidowSeen,
    WidowTake,
)
from bot.rules.phrases import Topic, and_list, faces, or_list, rank_name, the_card
from bot.rules.ruleset import Ruleset
from bot.rules.sentence import Sentence
from bot.rules.sides import has_partners, sides


def players(ruleset: Ruleset, seats: int) -> Topic:
    """Partners, opponents, and whose a total is."""
    if together := partners(ruleset, seats):
        pooled = ruleset.side_score is SideScore.POOLED
        return (*together, Sentence(_WHOSE_TOTAL[pooled]))
    return (
        Sentence(
            "You play against one opponent.",
            {"count": seats - 1},
            "You play for yourself against {count} others.",
        ),
    )


def partners(ruleset: Ruleset, seats: int) -> Topic:
    """Who plays together, where anybody does."""
    if not has_partners(ruleset, seats):
        return ()
    return (
        Sentence(
            "You and the player across from you are partners, against one other pair.",
            {"count": len(sides(ruleset, seats)) - 1},
            "You and the player across from you are partners, against {count} other pairs.",
        ),
    )


_WHOSE_TOTAL = {
    True: "The two of you share one total.",
    False: "Each of you keeps a total of your own.",
}
"""By whether it is one for both."""


def deck(ruleset: Ruleset, seats: int) -> Topic:
    """What the deck is made of, and how many of its cards a seat is dealt."""
    facts = {"cards": len(ruleset.deck(seats)), "count": ruleset.hand_size(seats)}
    if ruleset.rest_size(seats):
        dealt = Sentence("Of the {cards} cards each of you gets {count}.", facts)
    else:
        dealt = Sentence("All {cards} cards are dealt: {count} to each of you.", facts)
    return (
        *packs(ruleset),
        *_put_aside(ruleset, seats),
        *_added(ruleset, seats),
        *joker_count(ruleset, seats),
        dealt,
    )


def packs(ruleset: Ruleset) -> Topic:
    """Two packs, or a pack of few ranks; nothing of a pack of 52."""
    full = ruleset.ranks == ALL_RANKS
    if full and ruleset.packs == 1:
        return ()
    if full:
        return (Sentence("You play with two packs shuffled together."),)
    facts = {
        "cards": len(Suit) * len(ruleset.ranks),
        "ranks": and_list([rank_name(rank) for rank in ruleset.ranks]),
    }
    if ruleset.packs == 1:
        return (Sentence("You play with {cards} cards: {ranks} of each suit.", facts),)
    return (Sentence("You play with two packs of {cards} cards: {ranks} of each suit.", facts),)


def joker_count(ruleset: Ruleset, seats: int) -> Topic:
    """How many jokers there are, if any."""
    count = ruleset.jokers.get(seats, 0)
    text, plural = "There is one joker in the deck.", "There are {count} jokers in the deck."
    return (Sentence(text, {"count": count}, plural),) if count else ()


def widow(ruleset: Ruleset, seats: int) -> Topic:
    """The cards that belong to no hand: where they lie, whose they are, who may see them."""
    if not has_widow(ruleset, seats):
        return ()
    return (
        widow_cards(ruleset, seats),
        *_never_in_widow(ruleset, seats),
        _widow_taker(ruleset),
        _widow_seen(ruleset, seats),
    )


def has_widow(ruleset: Ruleset, seats: int) -> bool:
    return ruleset.rest.get(seats) is Rest.WIDOW and ruleset.rest_size(seats) > 0


def widow_cards(ruleset: Ruleset, seats: int) -> Sentence:
    """How many cards lie in the widow, and where in the deal they come from."""
    one, many = _WIDOW_CARDS[ruleset.widow.positions]
    return Sentence(one, {"count": ruleset.rest_size(seats)}, many)


def stock(ruleset: Ruleset, seats: int) -> Topic:
    """The cards to draw from, if there are any."""
    if ruleset.rest.get(seats) is not Rest.STOCK:
        return ()
    return (
        _stock_cards(ruleset, seats),
        Sentence("Once the stock is used up, you play on until all hands are empty."),
    )


def _stock_cards(ruleset: Ruleset, seats: int) -> Sentence:
    """How many cards there are to draw, and when."""
    return Sentence(
        "One card lies face down as stock: after a card you play, you draw it.",
        {"count": ruleset.rest_size(seats)},
        "Another {count} cards lie face down as stock: after each card you play, you draw one.",
    )


_WIDOW_CARDS = {
    WidowPositions.LAST: (
        "The last card of the deal lies face down on the table: it is the widow.",
        "The last {count} cards of the deal lie face down on the table: they are the widow.",
    ),
    WidowPositions.MIDDLE: (
        "A card from the middle of the deal lies face down on the table: it is the widow.",
        "From the middle of the deal {count} cards lie face down on the table: they are the widow.",
    ),
    WidowPositions.FIRST_LAST: (
        "The first and the last card of the deal lie face down on the table: they are the widow.",
        "The first and the last card of the deal lie face down on the table: they are the widow.",
    ),
}


def _put_aside(ruleset: Ruleset, seats: int) -> Topic:
    out = Counter(card.face for card in ruleset.remove.get(seats, ()))
    if not out:
        return ()
    told = [_copies_out(ruleset, card, out[card.face]) for card in faces(ruleset.remove[seats])]
    return (Sentence("Put aside before dealing: {cards}.", {"cards": and_list(told)}),)


def _copies_out(ruleset: Ruleset, card: Card, count: int) -> Sentence:
    if ruleset.packs == 1:
        return the_card(card)
    if count < ruleset.packs:
        return Sentence("one {card}", {"card": card})
    return Sentence("every {card}", {"card": card})


def _added(ruleset: Ruleset, seats: int) -> Topic:
    more = ruleset.add.get(seats, ())
    in_deck = Counter(card.face for card in ruleset.deck(seats))
    added = Counter(card.face for card in more)
    return tuple(
        Sentence(
            "One more {card} is put in, which makes {copies} of them.",
            {"count": added[card.face], "card": card, "copies": in_deck[card.face]},
            "Another {count} of the {card} are put in, which makes {copies} of them.",
        )
        for card in faces(more)
    )


def _never_in_widow(ruleset: Ruleset, seats: int) -> Topic:
    in_deck = {card.face for card in ruleset.deck(seats)}
    never = [card for card in faces(ruleset.widow.never) if card.face in in_deck]
    if not never:
        return ()
    text = "If {cards} would lie in it, that card is exchanged for another one."
    return (Sentence(text, {"cards": or_list([the_card(card) for card in never])}),)


def _widow_taker(ruleset: Ruleset) -> Sentence:
    match ruleset.widow.take:
        case WidowTake.DEAD:
            return Sentence("The widow is nobody's, and its cards count for nobody.")
        case WidowTake.FIRST_TRICK:
            return Sentence(
                "If you take the first trick, you get the widow too, and its cards count."
            )
        case WidowTake.FIRST_PENALTY if ruleset.good_score is GoodScore.HIGH:
            return Sentence(
                "If you take the first card that brings points, you get the widow too, and its "
                "cards count."
            )
        case WidowTake.FIRST_PENALTY:
            return Sentence(
                "If you take the first card that costs points, you get the widow too, and its "
                "cards count."
            )
        case WidowTake.LAST_TRICK:
            return Sentence(
                "If you take the last trick, you get the widow too, and its cards count."
            )
        case _:
            assert_never(ruleset.widow.take)


def _widow_seen(ruleset: Ruleset, seats: int) -> Sentence:
    seen = ruleset.widow.seen
    if seen is WidowSeen.ALL_AT_END:
        return Sentence("When the deal is over, everybody sees what lay in it.")
    if seen is WidowSeen.NONE or ruleset.widow.take is WidowTake.DEAD:
        return Sentence("Nobody may look into it.")
    if seen is WidowSeen.SIDE and has_partners(ruleset, seats):
        return Sentence("If you get it, you and your partner may look into it.")
    return Sentence("If you get it, you alone may look into it.")
