"""Plain positions in other games than standard; `tests.ai.test_positions` asks the robots."""

from bot.rules.variants import load
from tests.support.positions import Position

JACK = load("red_jack")
REVERSE = load("reverse")
KILLER = load("killer")
JOKERS = load("joker_hearts")
POOLED = load("partnership_pooled")
TEN = load("killer_ancestor_partners")
ALL_BUT_SPADES = (
    "0: 2C 3C 4C 5C, 3: 6C 7C 8C 9C, 2: TC JC QC KC, 1: 2D 3D 4D 5D, 0: 6D 7D 8D 9D, "
    "3: TD JD QD KD, 2: AD 2H 3H AC, 2: 4H 5H 6H 7H, 1: 8H 9H TH JH, 0: QH KH AH 2S, "
    "2: 3S 4S 5S 6S"
)

OF_VARIANTS = [
    Position(
        says="it takes a free jack",
        rules=JACK,
        tricks="0: 2C 5C AC 9C, 2: 9D JD 3D",
        hand="KD 4D 3C 7C TC 4S 8S TS 2H 6H 9H JH",
        wants="KD",
    ),
    Position(
        says="it does not take jack and queen together",
        rules=JACK,
        tricks="0: 2C 5C AC 9C, 2: 9D JD QS",
        hand="KD 4D 3C 7C TC 4S 8S TS 2H 6H 9H JH",
        wants="4D",
    ),
    Position(
        says="it gives a partner the good cards in Reverse",
        rules=REVERSE,
        tricks="3: 2C AC 5C 6C, 0: KC 7C",
        hand="QS JD 9H 3H 4D 8D 2S 5S 7S 3S 6D 9D",
        wants="QS",
    ),
    Position(
        says="it gives the others the jack in Reverse",
        rules=REVERSE,
        tricks="3: 2C JC 5C 6C, 0: TC AC",
        hand="QS JD 9H 3H 4D 8D 2S 5S 7S 3S 6D 9D",
        wants="JD",
    ),
    Position(
        says="it takes the queen in Reverse",
        rules=REVERSE,
        tricks="3: 2C AC 5C 6C, 0: 3S QS",
        hand="AS KS 2S 3D 9H 3H 4D 8D 5S 7S 6D 9D",
        wants="AS KS",
    ),
    Position(
        says="it leaves the jack to the others in Reverse",
        rules=REVERSE,
        tricks="3: 2C AC 5C 6C, 0: 3D JD",
        hand="AD KD 2D 3S 9H 3H 4D 8D 5S 7S 6D 9D",
        wants="2D 4D 6D 8D 9D",
    ),
    Position(
        says="it cancels its partner's king in Killer, so that the queen goes elsewhere",
        rules=KILLER,
        seats=8,
        tricks="1: 2C 4C 5C 6C 7C 8C 9C TC, 0: JC 4C.2 3C KC QS 6C.2 5C.2",
        hand="KC.2 9C.2 AC 2D 5D 9D 3S 6S 9S 2H 6H 8H",
        wants="KC.2",
    ),
    Position(
        says="it leaves another's king alone in Killer where the pair would cost its partner",
        rules=KILLER,
        seats=8,
        tricks="1: 2C 4C 5C 6C 7C 8C 9C TC, 0: 6C.2 4C.2 3C JC KC QS 5C.2",
        hand="KC.2 9C.2 AC 2D 5D 9D 3S 6S 9S 2H 6H 8H",
        wants="9C.2",
    ),
    Position(
        says="it ducks the queen with a joker",
        rules=JOKERS,
        tricks="0: 2C 5C AC 9C, 2: TS QS 3S",
        hand="KS AS JK 3D 7D QD 4D 6C 2H 5H 9H KH JC",
        wants="JK",
    ),
    Position(
        says="it keeps the joker where the trick is free",
        rules=JOKERS,
        tricks="0: 2C 5C AC 9C, 2: TS JS 3S",
        hand="KS AS JK 3D 7D QD 4D 6C 2H 5H 9H KH JC",
        wants="KS AS",
    ),
    Position(
        says="it dumps a joker to save a lead",
        rules=JOKERS,
        tricks=f"{ALL_BUT_SPADES}, 1: 7S 8S 9S JS, 0:",
        hand="KS JK",
        wants="JK",
        needs="sharp",
    ),
    Position(
        says="it catches the ten of Omnibus from the last seat",
        rules=load("omnibus"),
        tricks="0: 2C 5C AC 9C, 2: TD 3D 5D",
        hand="KD 4D 3C 7C TC 4S 8S TS 2H 6H 9H JH",
        wants="KD",
    ),
    Position(
        says="it throws nothing that counts on its partner's trick",
        rules=POOLED,
        tricks="1: 2C 5C 9C AC, 0: TC KC 3H 4C, 1: QD 4D 6H KD, 0: QC 6C",
        hand="QS 4S 6S 7S 9S 8H 5H 3D 7D 8D",
        wants="4S 6S 7S 9S 3D 7D 8D",
        needs="sharp",
    ),
    Position(
        says="it gives its partner the ten that takes points off",
        rules=TEN,
        tricks="0: 2C 5C 9C AC, 3: 7C KC TC",
        hand="TD AH KD 3D 7D 2D 8D 4S 6S AS 8H 2H",
        wants="TD",
    ),
    Position(
        says="it gives the others anything rather than the ten",
        rules=TEN,
        tricks="0: 2C 5C 9C AC, 3: QC TC KC",
        hand="TD AH KD 3D 7D 2D 8D 4S 6S AS 8H 2H",
        wants="AH KD 3D 7D 2D 8D 4S 6S AS 8H 2H",
    ),
    Position(
        says="it throws the ace of hearts first where it costs 14",
        rules=load("spot"),
        tricks="1: 2C 5C 9C AC, 0: KC 3C",
        hand="AH 2H KD QD 7D 2D 8D TD JD 4S 6S 3S",
        wants="AH",
    ),
    Position(
        says="it throws the king of spades where it costs 10",
        rules=load("black_maria"),
        tricks="1: 2C 5C 9C AC, 0: 3S QS 2S JS, 1: KC",
        hand="KS 4S AH QH KD 3D 7D 2D 8D TD 6D",
        wants="KS",
    ),
    Position(
        says="it keeps the same king where it is harmless now",
        tricks="1: 2C 5C 9C AC, 0: 3S QS 2S JS, 1: KC",
        hand="KS 4S AH QH KD 3D 7D 2D 8D TD 6D",
        wants="AH QH KD",
    ),
    Position(
        says="it throws the queen on the other's trick in a draw game",
        rules=load("draw7"),
        seats=2,
        tricks="0: 2C 9C KC",
        hand="QS 5D KD 8S 4H 7H 2D",
        wants="QS",
    ),
    Position(
        says="it keeps the queen from a trick that its own first card takes in a draw game",
        rules=load("draw7"),
        seats=2,
        tricks="0: 2C 9C 4C",
        hand="QS 5D KD 8S 2D 9D 6S",
        wants="5D KD 8S 2D 9D 6S",
    ),
    Position(
        says="it plays the queen under the ace against a single other",
        rules=load("two_player"),
        seats=2,
        tricks="0: 2C AC, 1: AS",
        hand="QS 4S 4C 6C 2D 6D TD AD 2H 6H 8H QH",
        wants="QS",
    ),
    Position(
        says="it keeps the queen under nothing higher against a single other",
        rules=load("two_player"),
        seats=2,
        tricks="0: 2C AC, 1: TS",
        hand="QS 4S 4C 6C 2D 6D TD AD 2H 6H 8H QH",
        wants="4S",
    ),
]
