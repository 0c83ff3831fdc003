"""Deals that are sealed before they begin, and people who cut the deck: what changes. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, assert_never

from bot.rules.cards import Seat
from bot.rules.frozen import FrozenMap
from bot.rules.sentence import Sentence
from bot.rules.state import Game, Phase
from bot.table import commands, cuts
from bot.table.errors import (
    NotOneOfUsError,
    RobotSitsInError,
    StaleClickError,
    TableError,
    TablePausedError,
    WrongPhaseError,
)
from bot.table.events import DealRevealed, DealSealed, DeckCut
from bot.table.ids import Human, Robot, UserId
from bot.table.lobby import seat_of
from bot.table.state import Status, Table

Fair = DealSealed | DeckCut | DealRevealed
"""Why a deal can be trusted."""

_BETWEEN = frozenset({Phase.DEALING, Phase.OVER})


class LateCutError(StaleClickError):
    """The deal for which the word was meant has begun."""

    def __init__(self, begun: int, following: int) -> None:
        self.sentence = Sentence(
            "Deal {begun} has begun, so it cannot be cut any more. "
            "Deal {following} can: `/hearts verify` has the button for it.",
            {"begun": begun, "following": following},
        )
        super().__init__(f"deal {begun} has begun")


class NotSealedError(TableError):
    """The next deal has no seal, so nobody could tell that the cut was not known before."""

    sentence = Sentence(
        "The next deal of this table is not sealed yet, since the table is older than that. "
        "The one after it can be cut."
    )


class NoWordError(TableError):
    """Nothing was typed that could be kept."""

    sentence = Sentence(
        "There was no word that I can keep. Press Cut the deck again and type a word or two; "
        "without one your last press cuts the deck."
    )


def next_deal(game: Game | None) -> int:
    """The next deal to begin, counted from 1."""
    if game is None:
        return 1
    under_way = game.phase not in _BETWEEN
    return len(game.scores) + 1 + under_way


def decide(table: Table, command: commands.CutDeck) -> tuple[DeckCut, ...]:
    """What happens at *table* if somebody cuts the deck now; the same word again changes nothing.

    Raises:
        TableError: this person may not do that, or not now, or not with this word.
    """
    _demand_cutter(table, command.user_id)
    following = next_deal(table.game)
    if command.seen_deal < following:
        raise LateCutError(command.seen_deal, following)
    if command.seen_deal > following:
        raise StaleClickError
    if following not in table.seals:
        raise NotSealedError
    word = command.word
    if not word.strip() or len(word) > cuts.LONGEST_WORD or not word.isprintable():
        raise NoWordError
    if table.words.get(command.user_id) == word:
        return ()
    return (DeckCut(following, word),)


def _demand_cutter(table: Table, user_id: UserId) -> None:
    seat = seat_of(user_id, table.chairs)
    if seat is None:
        raise NotOneOfUsError
    if table.status is Status.PAUSED:
        raise TablePausedError
    if table.status not in {Status.LOBBY, Status.PLAYING}:
        raise WrongPhaseError
    if isinstance(table.chairs[seat], Robot):
        raise RobotSitsInError


def cutters(table: Table) -> tuple[Seat, ...]:
    """The seats whose people gave a word for the next deal."""
    return tuple(
        Seat(seat)
        for seat, chair in enumerate(table.chairs)
        if isinstance(chair, Human) and chair.user_id in table.words
    )


def evolve(table: Table, event: Fair, by: UserId | None) -> Table:
    """The table after one more event, which *by* caused."""
    match event:
        case DealSealed(deal, commitment):
            return replace(table, seals=FrozenMap({**table.seals, deal: commitment}))
        case DeckCut(_, word):
            given = {} if by is None else {by: word}
            return replace(table, words=FrozenMap({**table.words, **given}))
        case DealRevealed(deal, seed, cut):
            reveal = cuts.Reveal(seed, cut)
            return replace(table, reveals=FrozenMap({**table.reveals, deal: reveal}))
        case _:
            assert_never(event)


def encode(event: Fair) -> tuple[str, Mapping[str, Any]]:
    """The kind of an event, and its body."""
    match event:
        case DealSealed(deal, commitment):
            return DEAL_SEALED, {"deal": deal, "commitment": commitment}
        case DeckCut(deal, word):
            return "deck_cut", {"deal": deal, "word": word}
        case DealRevealed(deal, seed, cut):
            told = {"seed": seed.hex(), "cuts": cuts.encode(cut)}
            return "deal_revealed", {"deal": deal, **told}
        case _:
            assert_never(event)


DEAL_SEALED = "deal_sealed"
"""The kind of `bot.table.events.DealSealed`."""

DECODERS: Mapping[str, Callable[[Mapping[str, Any]], Fair]] = {
    DEAL_SEALED: lambda b: DealSealed(b["deal"], b["commitment"]),
    "deck_cut": lambda b: DeckCut(b["deal"], b["word"]),
    "deal_revealed": lambda b: DealRevealed(
        b["deal"], bytes.fromhex(b["seed"]), cuts.decode(b["cuts"])
    ),
}
"""By kind of event."""
