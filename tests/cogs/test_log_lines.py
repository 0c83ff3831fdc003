"""Which table a log line is about, whoever wrote it."""

import asyncio
import contextvars
import logging
from collections.abc import Iterator

import pytest

from bot import logs
from bot.table.manager import TableManager
from bot.table.ports import Poster
from cogs.poster import DiscordPoster
from cogs.ui import ids
from tests.support.discord import discord_world
from tests.support.games import sit_down
from tests.support.seated import four


class Lines(logging.Handler):
    """What the log would write: the table, and the logger whose line it is."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.addFilter(logs._add_table)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)

    def tables(self, logger: str, words: str) -> set[str]:
        """Of the lines of *logger* in which *words* stand."""
        return {
            vars(record)["table"]
            for record in self.records
            if record.name == logger and words in record.getMessage()
        }


@pytest.fixture
def lines() -> Iterator[Lines]:
    handler, ours = Lines(), [logging.getLogger(name) for name in ("bot", "cogs", "db")]
    levels = [logger.level for logger in ours]
    for logger in ours:
        logger.addHandler(handler)
        logger.setLevel(logging.DEBUG)
    yield handler
    for logger, level in zip(ours, levels, strict=True):
        logger.removeHandler(handler)
        logger.setLevel(level)


async def test_a_timer_that_fails_is_told_with_its_table(lines: Lines, monkeypatch):
    async with discord_world() as world:
        [ann] = await sit_down(world, [world.person("Ann")], robots=3)
        real = TableManager.fire

        async def failing(tables, timer):
            await real(tables, timer)
            raise OSError("the disk is gone")

        monkeypatch.setattr(TableManager, "fire", failing)
        await world.pass_time(7)
        monkeypatch.undo()
        assert lines.tables("bot.table.timekeeper", "it failed") == {ann.table}
        world.incidents.records.clear()


async def test_a_post_that_fails_is_told_with_its_table(lines: Lines, monkeypatch):
    async with discord_world() as world:
        players = await four(world)

        async def failing(*_: object) -> None:
            raise ValueError("no such colour")

        for call in ("send_post", "edit_post"):
            assert hasattr(Poster, call)
            monkeypatch.setattr(DiscordPoster, call, failing)
        await players[0].act()
        monkeypatch.undo()
        assert lines.tables("bot.table.publisher", "failed") == {players[0].table}
        world.incidents.records.clear()


async def test_a_press_that_is_refused_is_told_with_its_table(lines: Lines):
    async with discord_world() as world:
        players = await four(world)
        await world.forge(
            world.person("Eve"),
            world.newest_with(ids.OpenHand(players[0].table)),
            ids.write(ids.OpenHand(players[0].table)),
        )
        assert lines.tables("cogs.errors", "refused") == {players[0].table}


async def test_a_command_at_a_table_that_fails_is_told_with_it(lines: Lines, monkeypatch):
    async with discord_world() as world:
        players = await four(world)

        async def failing(*_: object, **__: object) -> None:
            raise OSError("the disk is gone")

        monkeypatch.setattr(type(world.app.bot.services.events), "commit", failing)
        await world.slash(players[0].member, "hearts table")
        monkeypatch.undo()
        assert lines.tables("cogs.errors", "incident") == {players[0].table}
        world.incidents.records.clear()


async def test_what_is_about_no_table_names_none(lines: Lines):
    async with discord_world() as world:
        await four(world)
        asked = world.slash(world.person("Eve"), "hearts move", table="nothing")
        # The test itself has looked at a table; the gateway, whose place it takes here, does not.
        await asyncio.create_task(asked, context=contextvars.Context())
        assert lines.tables("cogs.errors", "refused") == {"-"}
