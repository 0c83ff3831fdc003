"""Players of ours as programs of the arena: a question on each line in, an answer on each out."""

import json
import sys
from collections.abc import Iterable, Iterator
from random import Random

from bot.ai import Player
from bot.arena import answer, question
from bot.arena.imagining import view_of


def replies(lines: Iterable[bytes], player: Player) -> Iterator[str]:
    """An answer to each question."""
    dice = Random(1)
    for line in lines:
        view = view_of(question.from_dict(json.loads(line)))
        yield json.dumps(answer.of_player(player, view, dice))


def serve(player: Player) -> None:
    """Answer questions on standard input until it closes."""
    for reply in replies(sys.stdin.buffer, player):
        print(reply, flush=True)
