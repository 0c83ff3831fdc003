"""Deals the next deal in the moment it becomes due: a fresh seed, and the order that follows."""

from bot.rules.commands import BeginDeal
from bot.rules.decide import decide
from bot.rules.events import Event
from bot.rules.shuffle import commitment, shuffle
from bot.rules.state import Phase
from bot.table.ids import TableId
from bot.table.ports import Seeds
from bot.table.state import Status, Table
from bot.table.storing import SecretDeal


def is_due(table: Table) -> bool:
    """Whether the game waits for nothing but a shuffled deck."""
    game = table.game
    return table.status is Status.PLAYING and game is not None and game.phase is Phase.DEALING


def deal(table: Table, seeds: Seeds) -> tuple[tuple[Event, ...], SecretDeal]:
    """Shuffle for a table whose deal is due, and say where the order came from."""
    game = table.game
    if game is None:
        raise ValueError(f"{table.id} has no game to deal for")
    number = len(game.scores) + 1
    seed, name = seeds.seed(), label(table.id, number)
    order = shuffle(game.ruleset.deck(game.seats), seed, name)
    secret = SecretDeal(deal=number, seed=seed, commitment=commitment(seed, name))
    return decide(game, BeginDeal(order)), secret


def label(table_id: TableId, number: int) -> str:
    """What a deal is called in its shuffle and its commitment; *number* counts from 1."""
    return f"{table_id}|{number}"
