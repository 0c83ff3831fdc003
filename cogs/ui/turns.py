"""What the game comes to next: who leads, and when a game by minutes is over."""

from bot.rules.state import Phase
from bot.table.views import TableView
from cogs.names import Markup
from cogs.ui.parts import bold
from cogs.ui.times import until
from cogs.words import Voice


def lead_line(voice: Voice, table: TableView) -> Markup:
    """Who is to lead the next trick, and until when; nothing in the middle of one."""
    game = table.game
    if game is None or game.phase is not Phase.PLAYING or (game.trick and game.trick.plays):
        return Markup("")
    [leader] = game.waiting
    name = bold(voice.seat_names[leader])
    deadline = table.deadlines.get(leader)
    if deadline is None:
        return voice("▸ {name} is to lead", name=name)
    return voice("▸ {name} is to lead until {moment}", name=name, moment=until(deadline))


def time_up(voice: Voice, table: TableView) -> list[Markup]:
    """When the time of a game by minutes is over; nothing in any other game."""
    if table.time_up is None:
        return []
    words = "The time of this game is up {moment}. The deal under way then is the last."
    return [voice(words, moment=until(table.time_up))]
