"""The moment of a game: what a button, a timer or a ping was made for."""

from bot.rules.state import Game, Phase


def moment(game: Game) -> int:
    """The trick under way in play; the deal while cards are passed or a moon is settled.

    Both are counted from 1 through the whole game. 0 where the game waits for nobody.
    """
    match game.phase:
        case Phase.PLAYING:
            return game.trick_number
        case Phase.PASSING | Phase.MOON_CHOICE:
            return game.deal.number if game.deal else 0
        case Phase.DEALING | Phase.OVER:
            return 0
