"""Check a deal of Hearts yourself: ``python verify.py DEAL.json``, or - for standard input.

The file is what ``/hearts verify`` gives once a deal is over. This program needs nothing but
Python 3.11; copy it anywhere, and read it: docs/fairness.md says what it computes and proves.
"""

import hashlib
import hmac
import json
import sys
from collections.abc import Sequence
from pathlib import Path

Cards = list[str]


def seal(seed: bytes, label: str) -> str:
    """What stood in public before the deal began: it leaves no other seed."""
    return hashlib.sha256(f"hearts-commit-v1|{label}|".encode() + seed).hexdigest()


def order(deck: Cards, seed: bytes, label: str, cuts: list[str] | None) -> Cards:
    """Shuffle *deck*; *cuts* stand by seat, ``None`` for a deal into which nobody could cut."""
    if cuts is not None:
        words = b"".join(b"%d:%b," % (len(cut.encode()), cut.encode()) for cut in cuts)
        seed = hmac.digest(seed, f"hearts-cuts-v1|{label}|".encode() + words, "sha256")
    cards, numbers, blocks = list(deck), list[int](), 0
    for size in range(len(cards), 1, -1):  # Fisher and Yates, from the last card on
        number = 2**32
        while number >= 2**32 - 2**32 % size:  # it would favour some cards
            if not numbers:
                block = hmac.digest(seed, f"hearts-deal-v1|{label}|{blocks}".encode(), "sha256")
                numbers = [int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4)]
                blocks += 1
            number = numbers.pop(0)
        other = number % size
        cards[size - 1], cards[other] = cards[other], cards[size - 1]
    return cards


def hands(cards: Cards, seats: int, dealer: int, aside: list[int], never: Cards) -> list[Cards]:
    """Deal one card at a time, the seat after *dealer* first; seats and places count from 0.

    The places *aside* go to nobody. A card that may *never* lie there is exchanged for another.
    """
    dealt, others = list(cards), set(range(len(cards))) - set(aside)
    for place in aside:
        if dealt[place].split(".")[0] in never:
            fit = sorted(at for at in others if dealt[at].split(".")[0] not in never)
            other = fit[_number(cards[fit[0]]) % len(fit)]
            dealt[place], dealt[other] = dealt[other], dealt[place]
    left = [card for at, card in enumerate(dealt) if at not in aside]
    return [left[(seat - dealer - 1) % seats :: seats] for seat in range(seats)]


def _number(card: str) -> int:
    face, _, copy = card.partition(".")
    suit, rank = "CDSHK".index(face[1]), "  23456789TJQKA".find(face[0])
    return (suit * 16 + (15 if face == "JK" else rank)) * 4 + int(copy or 1)


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("it would steer your terminal")
    return text


def verify(arguments: Sequence[str]) -> int:
    """Print the deal of a file; leave with 0 if all agrees with it, else with 1."""
    if len(arguments) != 1 or arguments[0] in {"-h", "--help"}:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        text = sys.stdin.read() if arguments[0] == "-" else Path(arguments[0]).read_text("utf-8")
        told = json.loads(text)
        seed, label = bytes.fromhex(told["seed"]), _printable(told["label"])
        deck = _printable(told["deck"]).split()
        found = order(deck, seed, label, told["cuts"])
        held = hands(found, told["seats"], told["dealer"], told["aside"], told["never"])
        agrees = {
            "seal": told["seal"] == seal(seed, label),
            "deck": deck == sorted(set(deck), key=_number),  # laid otherwise it could make any deal
            "order": told["order"].split() == found,
            "hands": [set(hand.split()) for hand in told["hands"]] == list(map(set, held)),
        }
    except (LookupError, OSError, ValueError, TypeError, AttributeError, RecursionError) as fault:
        print(f"That is no file of a deal: {type(fault).__name__}, {fault}.", file=sys.stderr)
        return 2
    print(f"label   {label}\ndealer  seat {told['dealer'] + 1}\ncuts    {told['cuts']!a}")
    print(f"seal    {seal(seed, label)}\norder   {' '.join(found)}")
    rows = [" ".join(sorted(hand, key=_number)) for hand in held]
    print("\n".join(f"seat {seat:<2} {row}" for seat, row in enumerate(rows, 1)))
    for what, fits in agrees.items():
        print(f"{what:<7} {'agrees' if fits else 'differs'}")
    return 0 if all(agrees.values()) else 1


if __name__ == "__main__":
    sys.exit(verify(sys.argv[1:]))
