"""The log of a whole game, as it would be written at DEBUG, tells no secret (row 13).

Every line of the project's own loggers, and of the libraries as far as they are ever opened, goes
through the real format. No card at all may stand in it, no seed, no word of a cut, and no token.
"""

import base64
import logging
from collections.abc import Callable, Iterator

import pytest

from bot import logs
from bot.rules.cards import Card, pack
from bot.table.ids import Human, TableId
from bot.table.views import TableView
from cogs.ui import ids
from cogs.ui.fair import WORD
from cogs.ui.fair_ids import AskCut
from db.deals import drawer
from tests.support.discord import World, discord_world
from tests.support.games import Player, Watch, deals_done, is_over, play, sit_down
from tests.support.house import server_playing
from tests.support.looks import named_in
from tests.support.seated import plays

_OURS = ("bot", "cogs", "db")
_CUT = "aardvark-on-the-roof"


class Written(logging.Handler):
    """The lines of the log."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(logs.Redacting())
        self.addFilter(logs._add_table)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture
def written() -> Iterator[Written]:
    """All that `bot.logs.configure` would let through at DEBUG."""
    handler, root = Written(), logging.getLogger()
    loggers = [root, *map(logging.getLogger, _OURS)]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.INFO if logger is root else logging.DEBUG)
    root.addHandler(handler)
    yield handler
    root.removeHandler(handler)
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)


async def secrets_of(world: World, table: TableId) -> list[str]:
    """Everything that has to stay out of the log, in each way in which it could be written."""
    locked = await world.database.read(lambda session: drawer(session, table))
    seeds = [secret.seed for secret in locked.deals.values()]
    ways: list[Callable[[bytes], str]] = [
        bytes.hex,
        lambda seed: base64.b64encode(seed).decode(),
        lambda seed: base64.urlsafe_b64encode(seed).decode().rstrip("="),
        repr,
        lambda seed: str(list(seed)),
        lambda seed: str(int.from_bytes(seed)),
    ]
    tokens = [each.token for each in world.env.backend.interactions.values()]
    assert seeds
    assert tokens
    written = [way(seed) for seed in seeds for way in ways]
    return [*written, *tokens, str(world.app.bot.http.token), _CUT]


async def told(world: World, table: TableId, written: Written) -> list[str]:
    """Lines that tell a secret."""
    secrets = await secrets_of(world, table)
    cards: list[Card] = list(pack())
    return [
        line
        for line in written.lines
        if any(secret in line for secret in secrets) or named_in(line, cards)
    ]


def _somebody_is_on_turn(view: TableView) -> bool:
    """Whether a person is to lay down a card, some tricks into the deal."""
    game = view.game
    if game is None or len(game.tricks) < 2:
        return False
    return any(isinstance(view.chairs[seat], Human) for seat in game.waiting)


async def _table(world: World) -> list[Player]:
    settings = server_playing({"end": {"hands": 2}})
    await world.app.bot.services.settings.save_server(world.guild.id, settings)
    return await sit_down(world, [world.person(name) for name in ("Ann", "Bea")], robots=2)


async def _refused(world: World, players: list[Player]) -> None:
    """Forged cards of all kinds, by both, and by somebody who does not sit there."""
    for player in players:
        for card in pack()[::5]:
            forged = ids.PlayCard(player.table, 1, card)
            await world.forge(player.member, player.hand, ids.write(forged))
    eve = world.person("Eve")
    shown = await world.slash(eve, "hearts help")
    await world.forge(eve, shown.response, ids.write(ids.OpenHand(players[0].table)))


async def _cut(world: World, player: Player) -> None:
    asks = AskCut(player.table, 2)
    asked = await world.press(player.member, world.newest_with(asks), asks)
    await player.member.submit_modal(asked, {WORD: _CUT})


async def _with_a_store_that_fails(world: World, players: list[Player], monkeypatch) -> None:
    """An error of the driver that quotes what it was to store, cards and all."""

    async def failing(*_: object, **__: object) -> None:
        quoted = "[SQL: INSERT]\n[parameters: ('QS AS KS', 1)]\n(Background on this error"
        raise OSError(quoted)

    with monkeypatch.context() as patch:
        patch.setattr(type(world.app.bot.services.events), "commit", failing)
        for player in players:
            for press in plays(player)[:1]:
                await world.press(player.member, player.hand, press)
    assert world.incidents.records
    world.incidents.records.clear()


@pytest.mark.promise(13)
@pytest.mark.thorough
async def test_b22_the_log_of_a_whole_game_tells_no_secret(written: Written, monkeypatch):
    async with discord_world() as world:
        players = await _table(world)
        watch = Watch(world, players[0].table)
        await _refused(world, players)
        await _cut(world, players[0])
        await play(players, watch, until=_somebody_is_on_turn)
        await _with_a_store_that_fails(world, players, monkeypatch)
        await world.restart()
        for player in players:
            await player.open_hand()
        await play(players, watch, until=deals_done(1))
        await world.slash(players[0].member, "hearts verify")
        await play(players, watch, until=is_over)
        assert await told(world, players[0].table, written) == []
        assert watch.leaks == []
        assert any("[hidden]" in line for line in written.lines)
        print(f"promise 13: {len(written.lines):,} lines of log, 0 secrets")


@pytest.mark.parametrize("secret", ["card", "seed", "base64", "token", "cut"])
async def test_b22_control_a_secret_in_a_log_line_is_found(written: Written, secret: str):
    async with discord_world() as world:
        players = await _table(world)
        table = players[0].table
        known = await secrets_of(world, table)
        planted = {
            "card": "holds QS",
            "seed": known[0],
            "base64": known[1],
            "token": known[-3],
            "cut": _CUT,
        }[secret]
        assert await told(world, table, written) == []
        logging.getLogger("bot.table.session").debug("table %s: %s", table, planted)
        assert len(await told(world, table, written)) == 1
