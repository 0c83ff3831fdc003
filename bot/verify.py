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
    cards, at = list(deck), 0
    for size in range(len(cards), 1, -1):  # Fisher and Yates, from the last card on
        number = 2**32
        while number >= 2**32 - 2**32 % size:  # it would favour some cards
            block = hmac.digest(seed, f"hearts-deal-v1|{label}|{at // 8}".encode(), "sha256")
            number = int.from_bytes(block[at % 8 * 4 :][:4], "big")
            at += 1
        cards[size - 1], cards[number % size] = cards[number % size], cards[size - 1]
    return cards


def hands(cards: Cards, seats: int, dealer: int, aside: list[int], never: Cards) -> list[Cards]:
    """Deal one card at a time, the seat after *dealer* first, and none from the places *aside*."""
    dealt, others = list(cards), set(range(len(cards))) - set(aside)
    for place in aside:  # a card that may never lie there is exchanged for another
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


def _check(text: str) -> tuple[list[str], dict[str, bool | None]]:
    told = json.loads(text[:30_000])  # no deal is longer
    seats, dealer, aside, cuts = (told[name] for name in ("seats", "dealer", "aside", "cuts"))
    seed, label, deck = bytes.fromhex(told["seed"]), told["label"], told["deck"].split()
    whole = {*map(type, [seats, dealer, *aside])} == {int} and {*aside} <= {*range(len(deck))}
    plain = f"{label}{told['deck']}"
    if not (whole and 0 <= dealer < seats and 1 < seats < 11 and ascii(plain) == f"'{plain}'"):
        raise ValueError("it would steer your terminal, or is for no such table")
    sealed, agrees = seal(seed, label), dict[str, bool | None]()
    lines = [f"label   {label}\ndealer  seat {dealer + 1}\ncuts    {cuts!a}\nseal    {sealed}"]
    agrees["seal"] = told["seal"] == sealed
    agrees["deck"] = deck == sorted(set(deck), key=_number)  # laid otherwise it makes any deal
    if None in (cuts or []):
        return lines, {**agrees, "order": None, "hands": None}
    found = order(deck, seed, label, cuts)
    held = hands(found, seats, dealer, aside, told["never"])
    rows = enumerate((" ".join(sorted(hand, key=_number)) for hand in held), 1)
    lines += [f"order   {' '.join(found)}", *(f"seat {seat:<2} {row}" for seat, row in rows)]
    agrees["order"] = told["order"].split() == found
    agrees["hands"] = [set(hand.split()) for hand in told["hands"]] == list(map(set, held))
    return lines, agrees


def verify(arguments: Sequence[str]) -> int:
    """Print the deal of a file; leave with 0 if all agrees, 1 if not, 2 if there is no deal."""
    wants_words = not {"-h", "--help"}.isdisjoint(arguments)
    if wants_words or len(arguments) != 1:
        print(__doc__, file=sys.stdout if wants_words else sys.stderr)
        return 0 if wants_words else 2
    try:
        name = arguments[0]
        lines, agrees = _check(sys.stdin.read() if name == "-" else Path(name).read_text("utf-8"))
    except (LookupError, OSError, ValueError, TypeError, AttributeError, RecursionError) as fault:
        known = {KeyError: f"It has no {fault}", json.JSONDecodeError: "It is not written in JSON"}
        why = getattr(fault, "strerror", known.get(type(fault), "Something in it cannot be"))
        print(f"That is no file of a deal. {why}.", file=sys.stderr)
        return 2
    words = {True: "agrees", False: "differs", None: "cannot be checked, since a cut was erased"}
    print(*lines, *(f"{what:<7} {words[fits]}" for what, fits in agrees.items()), sep="\n")
    return 0 if all(agrees.values()) else 1


if __name__ == "__main__":
    sys.exit(verify(sys.argv[1:]))
