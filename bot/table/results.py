"""What a finished game leaves behind for boards and statistics. Pure."""

from bot.rules.cards import Seat
from bot.rules.dimensions import GoodScore, Settle
from bot.rules.ruleset import Ruleset
from bot.rules.sides import sides
from bot.rules.state import Game, Phase
from bot.table.ids import Human, UserId
from bot.table.state import Table
from bot.table.storing import GameResult

SIDES_OF_A_RATED_GAME = 2


def results(table: Table) -> tuple[GameResult, ...]:
    """One result a seat, or none while the game is not over.

    A seat belongs to whoever sits there at the end: what a robot finishes is nobody's, and counts
    for nothing. The game counts for the others if people of at least two sides finish it in their
    seats: partners who beat robots have beaten nobody. Partners share a place, so both win. A deal
    that is a game of its own counts as one.
    """
    game = table.game
    if game is None or game.phase is not Phase.OVER:
        return ()
    rated = _sides_with_people(table, game) >= SIDES_OF_A_RATED_GAME
    return tuple(_result(table, game, seat, rated=rated) for seat in range(game.seats))


def _sides_with_people(table: Table, game: Game) -> int:
    seated = {seat for seat, chair in enumerate(table.chairs) if isinstance(chair, Human)}
    parties = sides(game.ruleset, game.seats)
    return sum(not seated.isdisjoint(party) for party in parties)


def _do_fewer_points_win(ruleset: Ruleset) -> bool:
    """Not where points are good, nor where every deal is paid by itself (rules.md 1.11, 1.15)."""
    return ruleset.good_score is GoodScore.LOW and ruleset.settle is not Settle.SUPER


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
        rated=rated and user_id is not None,
        low_wins=_do_fewer_points_win(game.ruleset),
    )
