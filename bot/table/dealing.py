"""Ends a deal that is certain, and deals the next one in the moment it becomes due.

The seed is fresh, and the order follows from it.
"""

from bot.rules.claims import certain_rest
from bot.rules.commands import BeginDeal, ClaimRest
from bot.rules.decide import decide
from bot.rules.events import Event
from bot.rules.shuffle import commitment, shuffle
from bot.rules.state import Phase
from bot.table.ids import TableId
from bot.table.ports import Seeds
from bot.table.state import Status, Table
from bot.table.storing import SecretDeal


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
