"""What a finished game leaves behind for boards and statistics. Pure."""

from bot.rules.cards import Seat
from bot.rules.state import Game, Phase
from bot.table import lobby
from bot.table.ids import Human, UserId
from bot.table.state import Table
from bot.table.storing import GameResult

PEOPLE_OF_A_RATED_GAME = 2


def results(table: Table) -> tuple[GameResult, ...]:
    """One result a seat, or none while the game is not over.

    A seat belongs to whoever sits there at the end: what a robot finishes is nobody's. The game
    counts for the leaderboard if at least two people finish it in their seats.
    """
    game = table.game
    if game is None or game.phase is not Phase.OVER:
        return ()
    rated = len(lobby.people(table.chairs)) >= PEOPLE_OF_A_RATED_GAME
    return tuple(_result(table, game, seat, rated=rated) for seat in range(game.seats))


def _result(table: Table, game: Game, seat: int, *, rated: bool) -> GameResult:
    chair = table.chairs[seat]
    user_id: UserId | None = chair.user_id if isinstance(chair, Human) else None
    return GameResult(
        seat=Seat(seat),
        user_id=user_id,
        family=table.ruleset.id,
        place=game.places[seat],
        points=game.totals[seat],
        deals=len(game.scores),
        moons=sum(seat in score.moon.seats for score in game.scores if score.moon),
        rated=rated,
    )
