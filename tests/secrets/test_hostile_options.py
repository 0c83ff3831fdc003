"""Whatever stands in an option of a command is answered or refused in words (row 15).

Discord compares a choice with what a command offers; nothing of the library does.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.table.ids import UserId
from cogs.ui.ids import Period
from tests.support import hostile, stage
from tests.support.attempts import member
from tests.support.door import Door, Effect, door
from tests.support.forms import times
from tests.support.stage import Role, Stage

TRIES = times(40, 2_000)
"""Of each option."""
_STRING, _USER = "string", "user"


def options(at: Door) -> Iterator[tuple[Any, Any]]:
    """Every command, with each of its options that takes text."""
    for command in at.bot.tree.walk_commands():
        for parameter in getattr(command, "parameters", []):
            if parameter.type.name == _STRING:
                yield command, parameter


def _around(command: Any) -> dict[str, Any]:
    """What else the command demands."""
    fill = {_STRING: "x", _USER: member(UserId(Role.TURN.value))}
    return {each.name: fill[each.type.name] for each in command.parameters if each.required}


async def tried(at: Door, dice: Random) -> int:
    """Try all options with all sorts of text; how often."""
    count = 0
    texts = hostile.texts(dice)
    for command, parameter in options(at):
        for _ in range(TRIES):
            given = {**_around(command), parameter.name: next(texts)[:6_000]}
            outcome = await at.command(Role.HOST, command.qualified_name, **given)
            assert isinstance(outcome.effect, Effect)
            count += 1
    return count


@pytest.mark.promise(15)
@pytest.mark.thorough
async def test_every_option_of_every_command_takes_any_text(tmp_path: Path):
    async with door(tmp_path) as at:
        at.put_on(stage.tables()[Stage.PLAYING])
        count = await tried(at, Random("options"))
        assert count > 20 * TRIES
        print(f"promise 15: {count:,} texts in options of commands, each answered in words")


async def test_control_an_option_that_trusts_its_text_is_found(tmp_path: Path, monkeypatch):
    def trusting(_kind: Any, values: list[str]) -> Any:
        return Period(values[0])

    monkeypatch.setattr("cogs.standings.choice_of", trusting)
    async with door(tmp_path) as at:
        at.put_on(stage.tables()[Stage.PLAYING])
        with pytest.raises(ValueError, match="not a valid Period"):
            await tried(at, Random("options"))
