"""How tricks are led, followed and taken, in plain words (rules.md 3.4, 3.5)."""

from collections import Counter
from typing import assert_never

from bot.rules.cards import Card, Rank, Suit
from bot.rules.describe_cards import has_widow
from bot.rules.dimensions import (
    Duplicates,
    FirstLead,
    FirstTrickExempt,
    HeartsLead,
    LeadExempt,
    NoWinnerLast,
    VoidPlay,
)
from bot.rules.phrases import QUEEN, Topic, named, one_of, or_list, the_card
from bot.rules.ruleset import Ruleset
from bot.rules.sentence import Sentence


def opening(ruleset: Ruleset, seats: int) -> Topic:
    """Who leads to the first trick, and with what."""
    clubs = [card for card in ruleset.deck(seats) if card.suit is Suit.CLUBS]
    if not clubs or ruleset.first_lead is FirstLead.LEFT_OF_DEALER:
        return (Sentence(_AFTER_DEALER[seats == 2]),)
    any_club = ruleset.first_lead is FirstLead.HOLDER_ANY_CLUB
    is_held = _is_always_held(ruleset, seats, clubs[0])
    copies = sum(card.face == clubs[0].face for card in clubs)
    facts = {"card": clubs[0]}
    told = [Sentence(_OPENERS[is_held, any_club], facts if is_held else {})]
    if copies > 1:
        told.append(Sentence("If several hold one, it is the first of them after the dealer."))
    if len(clubs) <= ruleset.rest_size(seats):
        told.append(Sentence(_NO_CLUB[seats == 2]))
    return tuple(told)


_AFTER_DEALER = {
    False: (
        "If you sit to the left of the dealer, you lead to the first trick, with any card that may "
        "be led."
    ),
    True: "If you did not deal, you lead to the first trick, with any card that may be led.",
}
_NO_CLUB = {
    False: "If nobody holds a club, the player to the left of the dealer leads what may be led.",
    True: "If nobody holds a club, the player who did not deal leads what may be led.",
}
"""By whether two play."""
_OPENERS = {
    (True, False): "If you hold the {card}, you must lead it to the first trick.",
    (True, True): "If you hold the {card}, you lead to the first trick, with any club you like.",
    (False, False): (
        "If you hold the lowest club of all hands, you must lead it to the first trick."
    ),
    (False, True): (
        "If you hold the lowest club of all hands, you lead to the first trick, with any club you "
        "like."
    ),
}
"""By whether the lowest club is sure to be in a hand, and whether another club may be led."""


def following(ruleset: Ruleset, seats: int) -> Topic:
    """What to follow with, and who takes a trick."""
    follow = Sentence(
        "You must follow the suit that was led; without a card of it you play any card."
    )
    if ruleset.cards_per_player == 1:
        return (
            follow,
            Sentence(
                "The highest card of the suit led takes the trick, and its owner leads the next."
            ),
        )
    cards = {"cards": seats * ruleset.cards_per_player}
    return (
        Sentence("A trick has {cards} cards: each of you plays one in turn, twice around.", cards),
        follow,
        *_drawn(ruleset, seats),
        Sentence(
            "The highest card of the suit led takes all {cards}, and its owner leads the next.",
            cards,
        ),
    )


def _drawn(ruleset: Ruleset, seats: int) -> Topic:
    if not ruleset.rest_size(seats) or has_widow(ruleset, seats):
        return ()
    return (Sentence("A card that you have just drawn counts: you may have to follow with it."),)


def jokers(ruleset: Ruleset, seats: int) -> Topic:
    """What jokers are for, where there are any."""
    if not ruleset.jokers.get(seats):
        return ()
    return (
        Sentence("A joker is worth no points and never takes a trick."),
        Sentence("You may play one at any time, even when you could follow suit."),
        Sentence(
            "If a joker is led, the next card that is not a joker sets the suit, and whoever plays "
            "it is bound by the rules for a lead."
        ),
    )


def equal_cards(ruleset: Ruleset, seats: int) -> Topic:
    """What two equal cards on a trick do to each other, where there are such cards."""
    most = max(_copies(ruleset, seats).values(), default=0)
    if most <= 1:
        return ()
    match ruleset.duplicates:
        case Duplicates.NONE:
            return ()
        case Duplicates.CANCEL_PAIRS:
            cancel = Sentence(
                "Two equal cards of the suit led cancel each other: neither can take the trick, "
                "but their points still count."
            )
            third = Sentence("Of three equal cards the last one played is not cancelled.")
            return (cancel, third) if most > 2 else (cancel,)
        case Duplicates.LATER_WINS:
            return (Sentence("Of two equal cards the one played later is the higher."),)
        case Duplicates.EARLIER_WINS:
            return (Sentence("Of two equal cards the one played earlier is the higher."),)
        case _:
            assert_never(ruleset.duplicates)


def unwon_tricks(ruleset: Ruleset, seats: int) -> Topic:
    """What becomes of a trick that nobody takes, where that can happen."""
    cancelled, joking = can_cancel(ruleset, seats), can_be_all_jokers(ruleset, seats)
    if not cancelled and not joking:
        return ()
    return (
        Sentence(_UNWON[cancelled, joking]),
        Sentence("The same player leads again, with any card that may be led."),
        Sentence(_UNWON_LAST[ruleset.no_winner_last]),
    )


_UNWON = {
    (True, False): (
        "If all cards of the suit led are cancelled, nobody takes the trick: it waits for whoever "
        "takes the next one."
    ),
    (False, True): (
        "Nobody takes a trick of jokers alone: it waits for whoever takes the next one."
    ),
    (True, True): (
        "If all cards of the suit led are cancelled, or all cards are jokers, nobody takes the "
        "trick: it waits for whoever takes the next one."
    ),
}
_UNWON_LAST = {
    NoWinnerLast.DEAD: "Tricks that still wait when the hands are empty count for nobody.",
    NoWinnerLast.PREVIOUS_WINNER: (
        "Tricks that still wait when the hands are empty go to whoever took a trick last."
    ),
    NoWinnerLast.LEADER: (
        "Tricks that still wait when the hands are empty go to whoever led the last one."
    ),
}


def can_cancel(ruleset: Ruleset, seats: int) -> bool:
    """Whether all cards of a suit led can be cancelled."""
    return ruleset.duplicates is Duplicates.CANCEL_PAIRS and any(
        count > 1 for count in _copies(ruleset, seats).values()
    )


def first_trick(ruleset: Ruleset, seats: int) -> Topic:
    """What may not fall on the first trick."""
    deck = ruleset.deck(seats)
    banned = named(ruleset.first_trick_ban, deck)
    if not banned:
        return (
            Sentence("If you cannot follow suit, you may play any card to the first trick, too."),
        )
    ban = Sentence(
        "To the first trick you may not play {cards} as long as you may play another card.",
        {"cards": one_of(ruleset.first_trick_ban, deck)},
    )
    queen_first = ruleset.first_trick_exempt is FirstTrickExempt.QS_FIRST
    if not queen_first or QUEEN not in banned or len(banned) == 1:
        return (ban,)
    text = "If you have nothing else to play to it, the {card} must go first."
    return (ban, Sentence(text, {"card": QUEEN}))


def forced_queen(ruleset: Ruleset, seats: int) -> Topic:
    """When the queen of spades must be played, where that is not free."""
    beaters = [card for card in ruleset.deck(seats) if _beats_queen(card)]
    match ruleset.void_play:
        case VoidPlay.ANY:
            return ()
        case _ if QUEEN not in ruleset.deck(seats):
            return ()
        case VoidPlay.QS_WHEN_SAFE if beaters:
            text = (
                "Whenever you cannot follow suit, or {higher} lies on a trick of spades, you must "
                "play the {card} if you may."
            )
            facts = {"card": QUEEN, "higher": or_list([the_card(card) for card in beaters])}
            return (Sentence(text, facts),)
        case VoidPlay.QS_FIRST_CHANCE | VoidPlay.QS_WHEN_SAFE:
            text = "Whenever you cannot follow suit, you must play the {card} if you may."
            return (Sentence(text, {"card": QUEEN}),)
        case _:
            assert_never(ruleset.void_play)


def breaking(ruleset: Ruleset, seats: int) -> Topic:
    """When hearts may be led; how they are broken comes last."""
    if ruleset.hearts_lead is HeartsLead.FREE:
        return (Sentence("You may lead hearts at any time."),)
    deck = ruleset.deck(seats)
    if ruleset.lead_exempt is LeadExempt.ONLY_HEARTS or QUEEN not in deck:
        text = "You may lead a heart once hearts are broken, or when you hold nothing else."
    else:
        text = (
            "You may lead a heart once hearts are broken, or when you hold nothing but hearts and "
            "the {card}."
        )
    return (Sentence(text, {"card": QUEEN}), _breakers(ruleset, seats))


def _breakers(ruleset: Ruleset, seats: int) -> Sentence:
    deck = ruleset.deck(seats)
    if not named(ruleset.breakers, deck):
        return Sentence("Nothing breaks hearts.")
    text = (
        "Hearts are broken once {cards} has been played."
        if ruleset.break_on_lead
        else "Hearts are broken once {cards} has been played to a trick that another card led."
    )
    return Sentence(text, {"cards": one_of(ruleset.breakers, deck)})


def _is_always_held(ruleset: Ruleset, seats: int, card: Card) -> bool:
    """Whether no deal can leave every copy of *card* out of all hands."""
    if has_widow(ruleset, seats) and card.face in {each.face for each in ruleset.widow.never}:
        return True
    copies = sum(each.face == card.face for each in ruleset.deck(seats))
    return copies > ruleset.rest_size(seats)


def _copies(ruleset: Ruleset, seats: int) -> Counter[str]:
    """By face: how many equal cards there are; jokers are no equal cards of a suit."""
    return Counter(card.face for card in ruleset.deck(seats) if card.suit is not None)


def can_be_all_jokers(ruleset: Ruleset, seats: int) -> bool:
    """Whether there are enough jokers for a trick of nothing else."""
    return ruleset.jokers.get(seats, 0) >= seats * ruleset.cards_per_player


def _beats_queen(card: Card) -> bool:
    return card.suit is Suit.SPADES and card.rank in {Rank.KING, Rank.ACE} and card.copy == 1
