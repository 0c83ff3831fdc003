"""What anybody is sent depends on no card that is hidden from them (reliability.md 6, row 13).

Two games equal in what a viewer may know and different elsewhere make the very same payloads:
posts, hands, panels, lists, calls, custom ids, disabled buttons, nonces, refusals. At each of the
random positions one seat and the public look on, in the long form every seat; what each may know is
compared as a whole, and one of the payloads as it is sent.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from bot.rules.cards import Card, Seat
from bot.rules.claims import certain_rest
from bot.rules.legal import choice, to_move
from bot.rules.state import Phase
from bot.rules.view import seat_view
from bot.table import posts
from bot.table.plans import QueenWhenPossible
from bot.table.state import Table
from tests.support.forms import times
from tests.support.looks import named_in, unplayed
from tests.support.pairs import Pair, moments, pair
from tests.support.sights import PRIVATE, PUBLIC, Shown, Sight, sent

BATCHES = 2
PAIRS = times(5_000, 50_000)
"""In each batch."""
_A_GAME = 8
"""Positions of one game."""
_OF_THIS_DEAL = frozenset({"newest post", "hand"})
"""In these no card may be named that their viewer does not know; others tell of rules as well."""


def looked_at(pairs: int, seed: str) -> Iterator[tuple[Pair, Mapping[str, Shown]]]:
    """Pairs for one seat and for the public, and what is compared of each."""
    dice = Random(seed)
    for game in islice(moments(dice, each=_A_GAME), pairs):
        seats = range(game.seats)
        viewers = times([dice.choice(seats)], [*seats])
        for seat in viewers:
            yield pair(game, Seat(seat), dice), _some({**PUBLIC, **PRIVATE}, dice)
        yield pair(game, None, dice), _some(PUBLIC, dice)


def _some(sights: Mapping[str, Shown], dice: Random) -> Mapping[str, Shown]:
    name = dice.choice([*sights])
    return {name: sights[name]}


def findings(compared: Pair, sights: Mapping[str, Shown]) -> Iterator[str]:
    """What tells the two tables of a pair apart, and cards that are named too early."""
    views = [_views(compared, which) for which in ("one", "other")]
    if views[0] != views[1]:
        yield "the views differ"
    for name, shown in sights.items():
        one = sent(compared.one, compared.viewer, compared.luck, shown)
        if one != sent(compared.other, compared.viewer, compared.luck, shown):
            yield f"{name} differs"
        if name in _OF_THIS_DEAL:
            named = named_in(one, unknown(compared.one, compared.viewer))
            yield from (f"{name} names {card}" for card in sorted(map(str, named)))


def _views(compared: Pair, which: str) -> object:
    sight = Sight(getattr(compared, which), compared.viewer, compared.luck)
    return sight.view if compared.viewer is None else sight.hand


def unknown(table: Table, viewer: Seat | None) -> set[Card]:
    """The cards of which *viewer* may not read; none, while a deal before is told of as well."""
    game = table.game
    assert game is not None
    if game.past:
        return set()
    if viewer is None:
        return set(unplayed(game))
    own = seat_view(game, viewer)
    known = {card.face for card in own.hand | own.given | own.received | own.widow}
    if QueenWhenPossible() in table.plans.get(viewer, ()):
        known.add("QS")  # whoever plans for her reads of her, whoever holds her
    return {card for card in unplayed(game) if card.face not in known}


@pytest.mark.promise(13)
@pytest.mark.thorough
@pytest.mark.parametrize("batch", range(BATCHES))
def test_b22_b130_nothing_that_anybody_is_sent_depends_on_what_is_hidden(batch: int):
    seen = 0
    for compared, sights in looked_at(PAIRS, f"pairs {batch}"):
        seen += 1
        assert list(findings(compared, sights)) == [], compared.one.ruleset.id
    print(f"promise 13: {PAIRS:,} positions, {seen:,} viewers, 0 differences")


def _hidden_hand(sight: Sight) -> list[str]:
    """The hand of somebody else, as no viewer may know it."""
    game = sight.table.game
    assert game is not None
    assert game.deal is not None
    others = [sorted(map(str, hand)) for hand in game.deal.hands]
    return max((hand for seat, hand in enumerate(others) if seat != sight.viewer), key=len)


def _lines_in_order_of_a_hand(sight: Sight) -> object:
    """A trick whose lines are sorted by what a seat still holds."""
    return sorted(str(PUBLIC["newest post"](sight)), key=lambda c: hash((c, *_hidden_hand(sight))))


def _disabled_by_the_cards_of_another(sight: Sight) -> object:
    game = sight.table.game
    assert game is not None
    if game.phase is not Phase.PLAYING or sight.viewer in to_move(game):
        return ""
    return [payload_of_hand(sight), {"disabled": len(choice(game).cards) == 1}]


def payload_of_hand(sight: Sight) -> object:
    return PUBLIC["newest post"](sight) if sight.viewer is None else PRIVATE["hand"](sight)


def _nonce_that_counts_plans(sight: Sight) -> object:
    return f"{sight.table.id}.t{len(sight.table.plans)}.1"


def _no_call_for_whoever_has_planned(sight: Sight) -> object:
    planned = {seat + 1 for seat in sight.table.plans}
    return [ping.user_id for ping in posts.pings(sight.table) if ping.user_id not in planned]


def _refusal_that_tells_who_holds_a_card(sight: Sight) -> object:
    return f"Somebody else holds the {_hidden_hand(sight)[:1]}."


def _option_that_tells_a_suit(sight: Sight) -> object:
    return f"K7Q2M9XA, {''.join(_hidden_hand(sight))[1:2]}"


def _claim_that_looks_into_all_hands(sight: Sight) -> object:
    game = sight.table.game
    assert game is not None
    return str(certain_rest(game))


def _word_for_the_next_shuffle(sight: Sight) -> object:
    return dict(sight.table.words)


PLANTED: Mapping[str, Shown] = {
    "lines in the order of a hand": _lines_in_order_of_a_hand,
    "a button disabled by another's cards": _disabled_by_the_cards_of_another,
    "a nonce that counts plans": _nonce_that_counts_plans,
    "no call for whoever has planned": _no_call_for_whoever_has_planned,
    "a refusal that tells who holds a card": _refusal_that_tells_who_holds_a_card,
    "an option that tells a suit": _option_that_tells_a_suit,
    "a claim that looks into all hands": _claim_that_looks_into_all_hands,
    "a word for the next shuffle": _word_for_the_next_shuffle,
}


@pytest.mark.parametrize("leak", PLANTED)
def test_b22_control_a_planted_leak_is_found(leak: str):
    pairs = (compared for compared, _ in looked_at(2_000, leak))
    assert next((f for each in pairs for f in findings(each, {leak: PLANTED[leak]})), None)


@pytest.mark.parametrize("where", sorted(_OF_THIS_DEAL))
def test_b22_control_a_card_that_is_named_too_early_is_found(where: str):
    def telling(sight: Sight) -> object:
        return f"`{_hidden_hand(sight)[0]}`" if _hidden_hand(sight) else ""

    pairs = (compared for compared, _ in looked_at(100, where))
    told = [found for each in pairs for found in findings(each, {where: telling})]
    assert any("names" in found for found in told)


def test_b22_control_a_view_that_holds_a_secret_is_found(monkeypatch):
    real = Sight.view.func
    telling = property(lambda sight: replace(real(sight), version=hash(str(_hidden_hand(sight)))))
    monkeypatch.setattr(Sight, "view", telling)
    pairs = (compared for compared, _ in looked_at(20, "view"))
    assert any("the views differ" in findings(each, {}) for each in pairs)


def test_the_pairs_differ_in_what_is_hidden_and_meet_every_phase_and_payload():
    """Else two renders of one and the same game would have been compared."""
    pairs = [*looked_at(400, "meeting")]
    differ = [each for each, _ in pairs if each.one.game != each.other.game]
    assert len(differ) > 0.7 * len(pairs)
    phases = {each.one.game.phase for each, _ in pairs if each.one.game}
    assert phases >= {Phase.PASSING, Phase.PLAYING, Phase.DEALING}
    assert {name for _, sights in pairs for name in sights} == {*PUBLIC, *PRIVATE}
    assert any(each.one.plans != each.other.plans for each, _ in pairs)
    assert any(each.one.words != each.other.words for each, _ in pairs)
