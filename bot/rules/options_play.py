"""The catalogue of rules about leading and following, as data (rules.md 3.4)."""

from bot.rules.option import Group, Option, OptionValue
from bot.rules.sentence import Sentence

NO_QUEEN = frozenset({"plain", "spot_plain"})
"""The presets in which the queen of spades is like any other spade."""
"""Presets in which the queen of spades costs nothing."""
PLAY = (
    Option(
        id="first_lead",
        group=Group.PLAY,
        title=Sentence("The first lead"),
        meaning=Sentence("Who opens a deal, and with which card."),
        values=(
            OptionValue(
                "lowest_club",
                Sentence("Whoever holds the lowest club leads it"),
                {"first_lead": "lowest_club"},
            ),
            OptionValue(
                "any_club",
                Sentence("Whoever holds the lowest club leads any club"),
                {"first_lead": "holder_any_club"},
            ),
            OptionValue(
                "left_of_dealer",
                Sentence("The player after the dealer leads any card"),
                {"first_lead": "left_of_dealer"},
            ),
        ),
    ),
    Option(
        id="first_trick",
        group=Group.PLAY,
        title=Sentence("Points on the first trick"),
        meaning=Sentence("Whether hearts and the queen of spades may fall on the first trick."),
        values=(
            OptionValue(
                "banned",
                Sentence("Not while you hold anything else"),
                {"first_trick_ban": ["H*", "QS"]},
            ),
            OptionValue("allowed", Sentence("They may"), {"first_trick_ban": []}),
        ),
    ),
    Option(
        id="first_trick_exempt",
        group=Group.PLAY,
        title=Sentence("A first trick with nothing but penalty cards"),
        meaning=Sentence("What you play then, if points are barred from the first trick."),
        never=NO_QUEEN,
        values=(
            OptionValue("any", Sentence("Any of them"), {"first_trick_exempt": "any"}),
            OptionValue(
                "queen_first",
                Sentence("The queen of spades first"),
                {"first_trick_exempt": "qs_first"},
            ),
        ),
    ),
    Option(
        id="hearts_lead",
        group=Group.PLAY,
        title=Sentence("Leading hearts"),
        meaning=Sentence("Whether a heart has to fall before hearts may be led."),
        values=(
            OptionValue(
                "after_broken", Sentence("Once they are broken"), {"hearts_lead": "after_broken"}
            ),
            OptionValue("free", Sentence("At any time"), {"hearts_lead": "free"}),
        ),
    ),
    Option(
        id="breakers",
        group=Group.PLAY,
        title=Sentence("What breaks hearts"),
        meaning=Sentence("Which card has to be played before hearts may be led."),
        never=NO_QUEEN,
        values=(
            OptionValue("hearts", Sentence("A heart"), {"breakers": ["H*"]}),
            OptionValue(
                "queen",
                Sentence("A heart or the queen of spades"),
                {"breakers": ["H*", "QS"]},
            ),
        ),
    ),
    Option(
        id="lead_exempt",
        group=Group.PLAY,
        title=Sentence("Leading a heart all the same"),
        meaning=Sentence("Which hands may lead an unbroken heart because they must."),
        never=NO_QUEEN,
        values=(
            OptionValue("hearts", Sentence("Only hearts"), {"lead_exempt": "only_hearts"}),
            OptionValue(
                "queen",
                Sentence("Only hearts and the queen of spades"),
                {"lead_exempt": "hearts_or_qs"},
            ),
        ),
    ),
    Option(
        id="break_on_lead",
        group=Group.PLAY,
        title=Sentence("A heart that had to be led"),
        meaning=Sentence("Whether it breaks hearts, as one that falls on a trick does."),
        values=(
            OptionValue("yes", Sentence("Breaks hearts, too"), {"break_on_lead": True}),
            OptionValue("no", Sentence("Breaks nothing"), {"break_on_lead": False}),
        ),
    ),
    Option(
        id="void_play",
        group=Group.PLAY,
        title=Sentence("Shedding the queen of spades"),
        meaning=Sentence("Whether its holder may wait for a better trick to be rid of it."),
        never=NO_QUEEN,
        values=(
            OptionValue("any", Sentence("Whenever you like"), {"void_play": "any"}),
            OptionValue(
                "first_chance",
                Sentence("As soon as you cannot follow suit"),
                {"void_play": "qs_first_chance"},
            ),
            OptionValue(
                "when_safe",
                Sentence("When you cannot follow suit, or under the ace or king of spades"),
                {"void_play": "qs_when_safe"},
            ),
        ),
    ),
)
