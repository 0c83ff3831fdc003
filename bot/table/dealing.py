"""Ends a deal that is certain, and deals the next one in the moment it becomes due.

Each deal's seed is drawn one deal ahead and sealed: what is published of it leaves no other seed,
and tells nothing of the cards. The order follows from the seed and the cuts of the people there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from bot.rules.cards import Card
from bot.rules.claims import certain_rest
from bot.rules.commands import BeginDeal, ClaimRest
from bot.rules.decide import decide
from bot.rules.events import DealScored, Event
from bot.rules.shuffle import commitment, cut, shuffle
from bot.rules.state import Game, Phase
from bot.table.cuts import Cut, by_seat
from bot.table.events import DealRevealed, DealSealed, TableEvent
from bot.table.ids import TableId
from bot.table.ports import Seeds
from bot.table.state import Status, Table
from bot.table.storing import Cause, Drawer, SecretDeal


@dataclass(frozen=True, slots=True)
class Dealing:
    """What the end of a deal and the beginning of the next bring about."""

    events: tuple[TableEvent, ...] = ()
    drawn: tuple[SecretDeal, ...] = ()
    """Deals whose seeds were drawn with it."""
    cuts: Mapping[int, tuple[Cut, ...]] = field(default_factory=dict, repr=False)
    """By number, of deals that began with it and were sealed before."""
    revealed: tuple[int, ...] = ()


def rest(table: Table) -> tuple[Event, ...]:
    """The cards of a deal whose rest is certain, at a table where such a deal ends by itself."""
    game = table.game
    plays = table.status is Status.PLAYING and not table.agreed_pause
    if not plays or not table.claims_itself or game is None or certain_rest(game) is None:
        return ()
    return decide(game, ClaimRest())


def is_due(table: Table) -> bool:
    """Whether the game waits for nothing but a shuffled deck."""
    game = table.game
    return table.status is Status.PLAYING and game is not None and game.phase is Phase.DEALING


def ended(events: Sequence[TableEvent]) -> tuple[int, ...]:
    """The numbers of the deals that ended with *events*."""
    return tuple(event.score.deal for event in events if isinstance(event, DealScored))


def follow(
    table: Table, over: Sequence[int], drawer: Drawer, cause: Cause, seeds: Seeds
) -> Dealing:
    """Reveal the deals that are *over*, and deal if *table* waits for it."""
    secrets = (drawer.deals[number] for number in over if number in drawer.deals)
    reveals = tuple(DealRevealed(each.deal, each.seed, each.cuts) for each in secrets if each.cuts)
    dealt = deal(table, drawer, cause, seeds) if is_due(table) else Dealing()
    return replace(dealt, events=(*reveals, *dealt.events), revealed=tuple(over))


def deal(table: Table, drawer: Drawer, cause: Cause, seeds: Seeds) -> Dealing:
    """Shuffle for a table whose deal is due, and seal the one after it.

    A deal that nobody sealed, as at tables older than that, is dealt by a fresh seed alone.
    """
    game = _game(table)
    number = len(game.scores) + 1
    before = drawer.deals.get(number)
    cuts = _cuts(table, drawer, cause)
    secret = replace(before, cuts=cuts) if before else sealed(table.id, number, seeds)
    following = sealed(table.id, number + 1, seeds)
    began = decide(game, BeginDeal(order(table, secret)))
    return Dealing(
        events=(*began, DealSealed(following.deal, following.commitment)),
        drawn=(following,) if before else (secret, following),
        cuts={number: cuts} if before else {},
    )


def _cuts(table: Table, drawer: Drawer, cause: Cause) -> tuple[Cut, ...]:
    """By seat; the press that brings the deal about is the last that counts."""
    presses = dict(drawer.presses)
    if cause.user_id is not None and cause.interaction_id is not None:
        presses[cause.user_id] = cause.interaction_id
    return by_seat(table.chairs, table.words, presses)


def sealed(table_id: TableId, number: int, seeds: Seeds) -> SecretDeal:
    """A fresh seed for a deal, which counts from 1, and the commitment to it."""
    seed = seeds.seed()
    return SecretDeal(deal=number, seed=seed, commitment=commitment(seed, label(table_id, number)))


def order(table: Table, secret: SecretDeal) -> tuple[Card, ...]:
    """The order of the deck that a seed, and cuts where there are any, stand for."""
    game, name = _game(table), label(table.id, secret.deal)
    cuts = None if secret.cuts is None else [each.text for each in secret.cuts]
    key = secret.seed if cuts is None else cut(secret.seed, name, cuts)
    return shuffle(game.ruleset.deck(game.seats), key, name)


def label(table_id: TableId, number: int) -> str:
    """What a deal is called in its shuffle and its commitment; *number* counts from 1."""
    return f"{table_id}|{number}"


def _game(table: Table) -> Game:
    if table.game is None:
        raise ValueError(f"{table.id} has no game to deal for")
    return table.game
