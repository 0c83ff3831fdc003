"""Checks a deal by what is stored of it, and writes down what anybody needs to check it. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.rules.cards import Card, Hand, Seat, write_cards
from bot.rules.dealing import places_aside
from bot.rules.dimensions import Rest
from bot.rules.events import DealBegan
from bot.rules.sentence import Sentence
from bot.rules.shuffle import commitment
from bot.rules.state import Deal, Game
from bot.table import history
from bot.table.cuts import Cut
from bot.table.dealing import label, order
from bot.table.errors import TableError
from bot.table.looking_back import never_dealt
from bot.table.sealing import next_deal
from bot.table.state import LIVE, Table
from bot.table.storing import Drawer, SecretDeal, StoredEvent


class NoSuchDealError(TableError):
    """Nothing is known of a deal of that number, or it will never be dealt."""

    def __init__(self, newest: int, *, goes_on: bool) -> None:
        self.sentence = _not_sealed(newest) if goes_on else never_dealt(newest)
        super().__init__(f"the newest deal is {newest}")


def _not_sealed(newest: int) -> Sentence:
    if not newest:
        return Sentence("No deal of this table has begun yet, and none is sealed.")
    return Sentence(
        "That deal of this table has not begun, and is not sealed yet. "
        "The newest is deal {newest}.",
        {"newest": newest},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """All that a deal that is over was made of, and whether it fits together."""

    seed: bytes
    cuts: tuple[Cut, ...] | None
    """By seat; ``None``: the deal was not sealed before it began, so nobody could cut."""
    deck: tuple[Card, ...]
    """All cards, in the order from which they were shuffled."""
    order: tuple[Card, ...]
    """In which they were dealt."""
    dealer: Seat
    dealt: tuple[Hand, ...]
    """By seat, before passing."""
    aside: tuple[int, ...]
    """Places in the order whose cards no seat was dealt, counted from 0."""
    never: tuple[str, ...]
    """Faces of cards that were exchanged where they lay there."""
    seal_agrees: bool
    """Whether the seed is the one to which the seal commits; without a seal: the one stored."""
    order_agrees: bool
    """Whether seed and cuts make the order."""

    @property
    def is_erased(self) -> bool:
        """Whether a word is missing, since its owner was forgotten: no order follows any more."""
        return any(cut.is_erased for cut in self.cuts or ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What may be said of one deal."""

    deal: int
    """Counted from 1."""
    label: str
    """What it is called in its shuffle and its seal."""
    seal: str | None
    """What stood in public before it began; ``None``: nothing did."""
    has_begun: bool
    proof: Proof | None = field(default=None, repr=False)
    """``None`` until it is over."""


def verify(stored: Sequence[StoredEvent], drawer: Drawer, number: int | None) -> Verification:
    """Check a deal, or say what is public of one that is not over.

    Args:
        stored: all events of the table.
        drawer: its seeds; no more of them comes out than of a deal that is over.
        number: which deal, counted from 1; ``None``: the newest that is over, else the next one.

    Raises:
        NoSuchDealError: it has neither begun nor been sealed, or the table was over before.
    """
    table = history.replay(stored).table
    over = 0 if table.game is None else len(table.game.scores)
    deal = over or 1 if number is None else number
    last = next_deal(table.game)
    has_begun = deal < last
    goes_on = table.status in LIVE
    if not has_begun and (deal not in table.seals or not goes_on):
        raise NoSuchDealError(last - 1, goes_on=goes_on)
    secret = drawer.deals.get(deal) if deal <= over else None
    return Verification(
        deal=deal,
        label=label(table.id, deal),
        seal=table.seals.get(deal),
        has_begun=has_begun,
        proof=_proof(table, table.game, stored, secret) if secret and table.game else None,
    )


def _proof(table: Table, game: Game, stored: Sequence[StoredEvent], secret: SecretDeal) -> Proof:
    ruleset, number = game.ruleset, secret.deal
    deal = _deals(game)[number - 1]
    events = (entry.event for entry in stored)
    began = next(each for each in events if isinstance(each, DealBegan) and each.number == number)
    seal = commitment(secret.seed, label(table.id, number))
    return Proof(
        seed=secret.seed,
        cuts=secret.cuts,
        deck=ruleset.deck(game.seats),
        order=began.order,
        dealer=began.dealer,
        dealt=deal.dealt,
        aside=places_aside(ruleset, game.seats),
        never=_never(game),
        seal_agrees=seal == table.seals.get(number, secret.commitment),
        order_agrees=order(table, secret) == began.order,
    )


def _deals(game: Game) -> tuple[Deal, ...]:
    return game.past if game.deal is None else (*game.past, game.deal)


def _never(game: Game) -> tuple[str, ...]:
    if game.ruleset.rest.get(game.seats) is not Rest.WIDOW:
        return ()
    return tuple(card.face for card in game.ruleset.widow.never)


def to_plain(found: Verification) -> Mapping[str, object]:
    """What `bot/verify.py` reads, as JSON values; seats and places count from 0.

    A cut that was erased is ``None``: an empty one would be another cut, and make other cards.

    Raises:
        ValueError: the deal is not over.
    """
    proof = found.proof
    if proof is None:
        raise ValueError(f"deal {found.deal} is not over")
    return {
        "label": found.label,
        "seal": found.seal or commitment(proof.seed, found.label),
        "seed": proof.seed.hex(),
        "cuts": None if proof.cuts is None else [_plain_cut(cut) for cut in proof.cuts],
        "deck": " ".join(map(str, proof.deck)),
        "order": " ".join(map(str, proof.order)),
        "seats": len(proof.dealt),
        "dealer": proof.dealer,
        "aside": list(proof.aside),
        "never": list(proof.never),
        "hands": [write_cards(hand) for hand in proof.dealt],
    }


def _plain_cut(cut: Cut) -> str | None:
    return None if cut.is_erased else cut.text
