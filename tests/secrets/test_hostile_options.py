"""Whatever somebody with every right sends is answered or refused in words (row 15).

Discord compares choices of commands and values of menus with what was offered; nothing of the
library does. Here the host, who manages the server as well, sends them to tables in every phase.
"""

import dataclasses
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.table.ids import UserId
from cogs.ui import ids
from cogs.ui.ids import Period
from tests.support import hostile, stage
from tests.support.attempts import KINDS, chosen, member, press
from tests.support.door import Door, Effect, door
from tests.support.forms import times
from tests.support.stage import Role, Stage

TRIES = times(40, 2_000)
"""Of each option."""
PRESSES = times(3_000, 200_000)
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


async def pressed(at: Door, dice: Random, tries: int) -> None:
    """Press buttons, menus and forms of all kinds, half of them with a part that does not fit."""
    tables = stage.tables()
    for _ in range(tries):
        phase, role = dice.choice([*Stage]), dice.choice([Role.OWNER, Role.TURN, Role.LEFT])
        at.put_on(tables[phase])
        word = dice.choice([*KINDS])
        fitting = press(word, role, tables[phase])
        strange = hostile.action(KINDS[word], dice, stage.TABLE)
        sent = _mixed(fitting, strange, dice)
        data = dice.choice([chosen(word, role, tables[phase]), _hostile_data(dice)])
        outcome = await at.press(role, sent, **data)
        assert isinstance(outcome.effect, Effect)


def _mixed(fitting: Any, strange: Any, dice: Random) -> ids.Action:
    """The one action, with some fields of the other."""
    names = [field.name for field in dataclasses.fields(fitting)]
    taken = {name: getattr(strange, name) for name in names if dice.random() < 0.4}
    mixed: ids.Action = dataclasses.replace(fitting, **taken)
    return mixed


def _hostile_data(dice: Random) -> Mapping[str, Any]:
    if dice.random() < 0.5:
        return {"values": hostile.values(dice)}
    return hostile.form(dice, ("0", "1", "2", "3", "line", "total", "name", "word", "zone"))


@pytest.mark.promise(15)
@pytest.mark.thorough
async def test_every_press_takes_any_values_and_fields_from_whoever_may(tmp_path: Path):
    async with door(tmp_path) as at:
        await pressed(at, Random("presses"), PRESSES)
        print(f"promise 15: {PRESSES:,} presses of people who may, each answered in words")


async def test_control_an_option_that_trusts_its_text_is_found(tmp_path: Path, monkeypatch):
    def trusting(_kind: Any, values: list[str]) -> Any:
        return Period(values[0])

    monkeypatch.setattr("cogs.standings.choice_of", trusting)
    async with door(tmp_path) as at:
        at.put_on(stage.tables()[Stage.PLAYING])
        with pytest.raises(ValueError, match="not a valid Period"):
            await tried(at, Random("options"))
