"""A second reading of the rules of play and points, from faces of cards and a plain ruleset.

It shares no code with the engine: cards are texts, rules are the table that `ruleset_io.to_dict`
writes, and what may be played and what a deal brings is found anew (rules.md 3.4 to 3.7).

>>> rules = {"duplicates": "cancel_pairs"}
>>> taker(rules, [(0, "2S"), (1, "AS"), (2, "AS"), (3, "KS"), (4, "QS"), (5, "QS")])
3
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Rules = Mapping[str, Any]
Laid = tuple[int, str]
"""Who laid down which face."""

STRENGTH = "23456789TJQKA"
JOKER = "JK"
_COURTS = {"J": 11, "Q": 12, "K": 13, "A": 14}
_SCALES = {
    "pip14": _COURTS,
    "greek": {"J": 10, "Q": 10, "K": 10, "A": 15},
    "low": {"J": 2, "Q": 3, "K": 4, "A": 5},
}
_HALVES = {"half_hi": "2468TQA", "half_lo": "A2468TQ"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A seat's turn in a deal."""

    hand: Sequence[str]
    laid: Sequence[str]
    """The trick under way."""
    done: Sequence[Sequence[str]]
    """The tricks before it."""
    lowest_club: str | None
    """In any hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """A deal that has been played out."""

    tricks: Sequence[Sequence[Laid]]
    widow: Sequence[str] = ()
    totals: Sequence[int]
    """By seat, before this deal."""
    tiebreak: bool = False
    payoff: str = ""
    """What was applied to a moon, by the shooter's choice or by a look at the totals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a deal brought."""

    captured: Sequence[Counter[str]]
    """By seat: cards, a widow among them."""
    dead: Counter[str]
    """Cards that nobody got, a widow among them."""
    points: Sequence[int]
    """By seat; partners with one total show their sum."""
    shooters: Sequence[int]
    """Seats that shot the moon."""
    add_would_bring: Sequence[int]
    """By seat: the points, had the moon been added to the others. *points* without a moon."""


def worth(rules: Rules, face: str) -> int:
    """What a card costs its taker."""
    points: Mapping[str, int] = rules["points"]
    rank, suit = face[:-1], face[-1]
    if face == JOKER:
        return points.get("rank:JK", 0)
    for selector in (face, f"rank:{rank}"):
        if selector in points:
            return points[selector]
    if suit == "H" and rules["heart_scale"] != "ones":
        return _scaled(rules["heart_scale"], rank)
    return points.get(f"{suit}*", 0)


def allowed(rules: Rules, moment: Moment) -> set[str]:
    """What may be played: every rule in turn, as long as it leaves a card (rules.md 3.9)."""
    cards = set(moment.hand)
    for rule in (_opening, _following, _first_trick, _shedding, _leading):
        cards = rule(rules, moment, cards) or cards
    return cards


def _opening(rules: Rules, moment: Moment, cards: set[str]) -> set[str]:
    if moment.done or moment.laid or rules["first_lead"] == "left_of_dealer":
        return cards
    if rules["first_lead"] == "holder_any_club":
        return {face for face in cards if face.endswith("C")}
    return cards & {moment.lowest_club}


def _following(_: Rules, moment: Moment, cards: set[str]) -> set[str]:
    led = _led(moment.laid)
    follow = {face for face in cards if _suit(face) == led}
    return follow | (cards & {JOKER}) if led and follow else cards


def _first_trick(rules: Rules, moment: Moment, cards: set[str]) -> set[str]:
    if moment.done:
        return cards
    harmless = {face for face in cards if not _is_among(rules["first_trick_ban"], face)}
    queen_goes = not harmless and rules["first_trick_exempt"] == "qs_first"
    return cards & {"QS"} if queen_goes else harmless


def _shedding(rules: Rules, moment: Moment, cards: set[str]) -> set[str]:
    led = _led(moment.laid)
    if rules["void_play"] == "any" or not led:
        return cards
    void = led not in map(_suit, cards)
    safe = led == "S" and not {"KS", "AS"}.isdisjoint(moment.laid)
    sheds = void or (rules["void_play"] == "qs_when_safe" and safe)
    return cards & {"QS"} if sheds else cards


def _leading(rules: Rules, moment: Moment, cards: set[str]) -> set[str]:
    if _led(moment.laid) or rules["hearts_lead"] == "free" or _is_broken(rules, moment):
        return cards
    others = {face for face in cards if _suit(face) != "H"}
    exempt = rules["lead_exempt"] == "hearts_or_qs" and others <= {"QS"}
    return cards if exempt else others


def _is_broken(rules: Rules, moment: Moment) -> bool:
    for laid in (*moment.done, moment.laid):
        first = next((place for place, face in enumerate(laid) if face != JOKER), 0)
        counts = laid if rules["break_on_lead"] else laid[first + 1 :]
        if any(_is_among(rules["breakers"], face) for face in counts):
            return True
    return False


def _is_among(selectors: Sequence[str], face: str) -> bool:
    return any(text in (face, f"{_suit(face)}*", f"rank:{face[:-1]}") for text in selectors)


def _led(laid: Iterable[str]) -> str:
    """The suit to follow; nothing before it is known."""
    return next((face[-1] for face in laid if face != JOKER), "")


def _suit(face: str) -> str:
    return "" if face == JOKER else face[-1]


def taker(rules: Rules, laid: Sequence[Laid]) -> int | None:
    """Who wins a full trick."""
    led = next((face[-1] for _, face in laid if face != JOKER), None)
    following = [(seat, face) for seat, face in laid if face != JOKER and face[-1] == led]
    if rules["duplicates"] == "cancel_pairs":
        copies = Counter(face for _, face in following)
        following = [play for play in following if copies[play[1]] % 2]
    if not following:
        return None
    best = max(STRENGTH.index(face[0]) for _, face in following)
    winners = [seat for seat, face in following if STRENGTH.index(face[0]) == best]
    return winners[0] if rules["duplicates"] == "earlier_wins" else winners[-1]


def judge(rules: Rules, dealt: Dealt) -> Verdict:
    """Count a deal that has been played out."""
    seats = len(dealt.totals)
    captured, dead, widow_is_dead = _captured(rules, dealt)
    shooters = _shooters(rules, dealt, captured, dead, widow_is_dead=widow_is_dead)
    raw = [sum(worth(rules, face) for face in pile.elements()) for pile in captured]
    paid = _with_moon(rules, dealt, captured, raw, shooters, dealt.payoff)
    added = _with_moon(rules, dealt, captured, raw, shooters, "add_others")
    if widow_is_dead:
        dead = dead + Counter(dealt.widow)
    return Verdict(
        captured=captured,
        dead=dead,
        points=_by_side(rules, seats, _with_bonus(rules, dealt, captured, paid, shooters)),
        shooters=shooters,
        add_would_bring=_by_side(rules, seats, added),
    )


def partners(rules: Rules, seats: int, seat: int) -> tuple[int, ...]:
    """All seats that play together with *seat*, itself among them."""
    paired = rules["sides"] == "opposite" or (
        rules["sides"] == "opposite_if_even" and seats % 2 == 0
    )
    return tuple(sorted({seat, (seat + seats // 2) % seats})) if paired else (seat,)


def _scaled(scale: str, rank: str) -> int:
    if scale in _HALVES:
        return _HALVES[scale].find(rank) + 1
    return _SCALES[scale].get(rank) or (10 if rank == "T" else int(rank))


def _captured(rules: Rules, dealt: Dealt) -> tuple[list[Counter[str]], Counter[str], bool]:
    captured: list[Counter[str]] = [Counter() for _ in dealt.totals]
    table: Counter[str] = Counter()
    widow_lies, widow_goes = bool(dealt.widow), False
    last_winner = None
    for number, laid in enumerate(dealt.tricks):
        is_last = number == len(dealt.tricks) - 1
        faces = [face for _, face in laid]
        table.update(faces)
        widow_goes |= _moves_widow(rules, faces, is_first=number == 0, is_last=is_last)
        seat = taker(rules, laid)
        if seat is None and is_last:
            fallback = {"previous_winner": last_winner, "leader": laid[0][0]}
            seat = fallback.get(rules["no_winner_last"])
        if seat is None:
            continue
        last_winner = seat
        captured[seat] += table
        table = Counter()
        if widow_goes and widow_lies:
            captured[seat] += Counter(dealt.widow)
            widow_lies = False
    return captured, table, widow_lies


def _moves_widow(rules: Rules, faces: Iterable[str], *, is_first: bool, is_last: bool) -> bool:
    moves = {
        "dead": False,
        "first_trick": is_first,
        "last_trick": is_last,
        "first_penalty": any(worth(rules, face) > 0 for face in faces),
    }
    return moves[rules["widow"]["take"]]


def _shooters(
    rules: Rules,
    dealt: Dealt,
    captured: Sequence[Counter[str]],
    dead: Counter[str],
    *,
    widow_is_dead: bool,
) -> tuple[int, ...]:
    moon = rules["moon"]
    if not moon["on"] or (dealt.tiebreak and not rules["tiebreak_moon"]):
        return ()
    missing = Counter() if moon["missing_ok"] == "dead_tricks" else Counter(dead)
    if widow_is_dead and _dead_widow_counts(rules):
        missing += Counter(dealt.widow)
    for seat in range(len(captured)):
        side = partners(rules, len(captured), seat) if moon["scope"] == "side" else (seat,)
        others = sum((captured[n] for n in range(len(captured)) if n not in side), Counter())
        own = sum((captured[n] for n in side), Counter())
        lacking = [worth(rules, face) for face in (others + missing)]
        if any(n > 0 for n in lacking) or (moon["bonus"] and any(n < 0 for n in lacking)):
            continue
        if any(worth(rules, face) > 0 for face in own):
            return side
    return ()


def _dead_widow_counts(rules: Rules) -> bool:
    """A widow that went with a dead trick is one with it; another one has a rule of its own."""
    moon = rules["moon"]
    if rules["widow"]["take"] != "dead" and moon["missing_ok"] == "dead_tricks":
        return False
    return bool(moon["widow_points_void"])


def _with_moon(
    rules: Rules,
    dealt: Dealt,
    captured: Sequence[Counter[str]],
    raw: Sequence[int],
    shooters: Sequence[int],
    payoff: str,
) -> list[int]:
    points = list(raw)
    if not shooters:
        return points
    absorbed = rules["moon"]["bonus_score"] == "absorbed"
    taken = 0
    for seat in shooters:
        worths = [worth(rules, face) for face in captured[seat].elements()]
        taken += sum(n for n in worths if n > 0)
        points[seat] = 0 if absorbed else sum(n for n in worths if n < 0)
    value = rules["moon"]["value"]
    value = taken if value == "sum" else value
    if rules["sun"] != "off" and _took_every_trick(dealt, captured, shooters):
        value = rules["sun"]["value"]
    if payoff != "add_others":
        points[shooters[0]] -= value
        return points
    own = partners(rules, len(points), shooters[0])
    for seat in range(len(points)):
        charged = rules["side_score"] != "pooled" or seat == partners(rules, len(points), seat)[0]
        if seat not in own and charged:
            points[seat] += value
    return points


def _took_every_trick(
    dealt: Dealt, captured: Sequence[Counter[str]], shooters: Sequence[int]
) -> bool:
    played = Counter(face for laid in dealt.tricks for _, face in laid)
    return played <= sum((captured[seat] for seat in shooters), Counter())


def _with_bonus(
    rules: Rules,
    dealt: Dealt,
    captured: Sequence[Counter[str]],
    points: Sequence[int],
    shooters: Sequence[int],
) -> list[int]:
    bonus = rules["no_trick_bonus"]
    if shooters and not bonus["if_moon"]:
        return list(points)
    after = list(points)
    for seat, pile in enumerate(captured):
        if not pile:
            room = dealt.totals[seat] + _by_side(rules, len(points), after)[seat]
            least = -max(room, 0) if bonus["floor_zero"] else bonus["points"]
            after[seat] += max(bonus["points"], least)
    return after


def _by_side(rules: Rules, seats: int, points: Sequence[int]) -> tuple[int, ...]:
    if rules["side_score"] != "pooled":
        return tuple(points)
    return tuple(sum(points[n] for n in partners(rules, seats, seat)) for seat in range(seats))
