"""What somebody missed, in a few lines: deals that ended, tricks, and cards played in that seat."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.rules.cards import Card
from bot.rules.state import Phase, Score
from bot.rules.view import SeatView
from bot.table.catching_up import Missed, Taken
from bot.table.views import HandView
from cogs.names import Markup
from cogs.ui.faces import chip, chips
from cogs.ui.parties import figure_text
from cogs.ui.parts import bold
from cogs.ui.passing import marked
from cogs.ui.score_sheet import gained, moon_lines
from cogs.words import Voice, capital

_DEALS_TOLD = 2
"""Deals that are told one by one; what earlier ones brought is summed up."""
_TRICKS_TOLD = 3
"""Tricks that are told one by one, the last one included."""


def catch_up(voice: Voice, view: HandView) -> list[Markup]:
    """What happened since the reader's own last move, at most ten lines; else nothing.

    Somebody who moved a moment ago has seen all but the end of one trick, which every hand tells.
    """
    hand, missed = view.hand, view.missed
    if hand is None or missed is None or not has_missed(view):
        return []
    title = voice("Since your last move") if missed.has_moved else voice("So far in this game")
    last = [last_trick(voice, hand, missed.last)] if missed.last else []
    lines = [
        *_deals(voice, hand, missed.scores),
        *_pass(voice, hand, missed),
        *_tricks(voice, [taken for taken in missed.tricks if taken != missed.last]),
        *last,
        _own(voice, missed.own),
    ]
    under_way = hand.public.trick is not None and hand.public.trick.plays
    return [bold(title), *filter(None, lines), *([bold(voice("This trick"))] if under_way else [])]


def has_missed(view: HandView) -> bool:
    """Whether there is more to tell than the end of the trick of the reader's own last card."""
    missed = view.missed
    if view.hand is None or missed is None:
        return False
    return bool(missed.scores or missed.own or _passed_for(view.hand, missed))


def briefer(view: HandView) -> HandView:
    """The same with less of what was missed, for a message that is too long with all of it."""
    missed = view.missed
    if missed is None:
        return view
    scores, tricks = missed.scores[-1:], missed.tricks[-1:]
    if (scores, tricks) == (missed.scores, missed.tricks):
        return replace(view, missed=replace(missed, scores=(), own=(), own_pass=False))
    return replace(view, missed=replace(missed, scores=scores, tricks=tricks))


def last_trick(voice: Voice, hand: SeatView, last: Taken) -> Markup:
    """The newest full trick: every card of it, who took it, and what it cost."""
    names = voice.seat_names
    cards = Markup(", ".join(f"{names[each.seat]} {chip(each.card)}" for each in last.trick.plays))
    what = voice("last trick")
    if last.deal != hand.public.deal:
        what = voice("last trick of deal {number}", number=last.deal)
    return _came_of(voice, capital(what), last, cards)


def _came_of(voice: Voice, what: Markup, taken: Taken, cards: Markup) -> Markup:
    facts: dict[str, object] = {"what": what, "cards": cards}
    if taken.taker is None:
        return voice("{what}, won by nobody: {cards}", **facts)
    facts["seat"] = taken.taker
    if not taken.points:
        return voice("{what} to {seat}: {cards}", **facts)
    one, many = (
        "{what} to {seat}, {count} point: {cards}",
        "{what} to {seat}, {count} points: {cards}",
    )
    return voice(one, many, count=taken.points, **facts)


def _deals(voice: Voice, hand: SeatView, scores: Sequence[Score]) -> list[Markup]:
    """What each deal brought everybody; the last few one by one."""
    early, late = scores[:-_DEALS_TOLD], scores[-_DEALS_TOLD:]
    lines = []
    if early:
        many = voice("{count} earlier deal", "{count} earlier deals", count=len(early))
        lines.append(_brought(voice, hand, many, early))
    for score in late:
        told = _brought(voice, hand, voice("Deal {number}", number=score.deal), [score])
        lines.append(Markup(" · ".join([told, *moon_lines(voice, score)])))
    return lines


def _brought(voice: Voice, hand: SeatView, what: Markup, scores: Iterable[Score]) -> Markup:
    sums = [
        (side, sum(gained(hand.public, score, side[0]) for score in scores))
        for side in hand.public.sides
    ]
    told = (
        f"{voice('{seats}', seats=side)} {figure_text(voice, figure, signed=True)}"
        for side, figure in sums
    )
    return Markup(" · ".join([what, *told]))


def _tricks(voice: Voice, tricks: Sequence[Taken]) -> list[Markup]:
    """The tricks before the last one: the newest with their cards, the others summed up."""
    told = _TRICKS_TOLD - 1
    early, late = tricks[:-told], tricks[-told:]
    lines = [_summary(voice, early)] if early else []
    for taken in late:
        cards = Markup(" ".join(chip(play.card) for play in taken.trick.plays))
        what = voice("Trick {number}", number=taken.number)
        lines.append(_came_of(voice, what, taken, cards))
    return lines


def _summary(voice: Voice, tricks: Sequence[Taken]) -> Markup:
    many = voice("{count} earlier trick", "{count} earlier tricks", count=len(tricks))
    points: Counter[int] = Counter()
    for taken in tricks:
        if taken.taker is not None:
            points[taken.taker] += taken.points
    one, more = "{seat} took {count} point", "{seat} took {count} points"
    told = [
        voice(one, more, seat=seat, count=points[seat]) for seat in sorted(points) if points[seat]
    ]
    if not told:
        return voice("{what}, without a point", what=many)
    return Markup(f"{many}: {', '.join(told)}")


def _passed_for(hand: SeatView, missed: Missed) -> bool:
    cards_moved = hand.public.phase not in {Phase.DEALING, Phase.PASSING}
    return cards_moved and missed.own_pass and bool(hand.given)


def _pass(voice: Voice, hand: SeatView, missed: Missed) -> list[Markup]:
    """What was passed for the reader, and what came in unless the hand tells that anyway."""
    if not _passed_for(hand, missed):
        return []
    given = voice("Passed for you: {cards}", cards=chips(hand.given))
    if marked(hand):
        return [given]
    received = voice("came in: {cards}", cards=chips(hand.received))
    return [Markup(f"{given} · {received}")]


def _own(voice: Voice, own: Sequence[Card]) -> Markup:
    if not own:
        return Markup("")
    return voice("Played for you: {cards}", cards=Markup(" ".join(map(chip, own))))
