"""The moment of a game: what a button, a timer or a ping was made for."""

from bot.rules.state import Game, Phase


def moment(game: Game) -> int:
    """The trick under way in play; minus the deal while cards are passed or a moon is settled.

    Both are counted from 1 through the whole game. The sign keeps the passing of the first deal
    apart from its first trick: what was made for one is not for the other. 0 where the game
    waits for nobody.
    """
    match game.phase:
        case Phase.PLAYING:
            return game.trick_number
        case Phase.PASSING | Phase.MOON_CHOICE:
            return -game.deal.number if game.deal else 0
        case Phase.DEALING | Phase.OVER:
            return 0
