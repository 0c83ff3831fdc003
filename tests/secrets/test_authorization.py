"""Nobody does what their role does not allow, in any phase (reliability.md 6, row 16).

`who_may_what.toml` is the one table of rules. Every cell of it is tried at the door of the bot,
with a press or a command that fits the table in that phase: whoever may, does.
"""

import tomllib
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.table import seating, votes
from cogs import choosing, tables
from cogs.managing import Managing
from tests.support import stage
from tests.support.attempts import COMMANDS, KINDS, chosen, press
from tests.support.door import Door, Effect, door
from tests.support.stage import Role, Stage

_LETTERS = {Effect.DOES: "D", Effect.OWN: "O", Effect.SEES: "S", Effect.REFUSED: "-"}
_RULES: Mapping[str, Mapping[str, list[str]]] = tomllib.loads(
    Path(__file__).with_name("who_may_what.toml").read_text(encoding="utf-8")
)
_TABLES = stage.tables()
Cells = Mapping[Stage, str]


def cells(rows: list[str]) -> Cells:
    """The letters of each stage, from rows in which ``*`` stands for all others."""
    found: dict[Stage, str] = {}
    for row in rows:
        letters, *named = row.split()
        left = [each for each in Stage if each not in found]
        for each in left if named == ["*"] else [Stage[name] for name in named]:
            assert each not in found, row
            found[each] = letters
    assert found.keys() == set(Stage), rows
    assert {len(letters) for letters in found.values()} == {len(Role)}, rows
    return found


@pytest.fixture
async def at_the_door(tmp_path: Path) -> AsyncIterator[Door]:
    async with door(tmp_path) as opened:
        yield opened


Try = Callable[[Door, str, Role, Stage], Any]


async def pressed(at: Door, word: str, role: Role, phase: Stage) -> str:
    table = _TABLES[phase]
    outcome = await at.press(role, press(word, role, table), **chosen(word, role, table))
    return _LETTERS[outcome.effect]


async def typed(at: Door, name: str, role: Role, _phase: Stage) -> str:
    command, _, _ = name.partition(" (")
    outcome = await at.command(role, command, **COMMANDS[name])
    return _LETTERS[outcome.effect]


async def differences(at: Door, rules: Mapping[str, list[str]], tries: Try) -> list[str]:
    """The cells in which something else came of it than the table says."""
    found = []
    for phase in Stage:
        at.put_on(_TABLES[phase])
        for name, rows in rules.items():
            letters = "".join([await tries(at, name, role, phase) for role in Role])
            wanted = cells(rows)[phase]
            if letters != wanted:
                found.append(f"{name} in {phase.name}: {letters}, and not {wanted}")
    return found


@pytest.mark.promise(16)
@pytest.mark.thorough
async def test_b78_every_press_does_in_every_phase_what_its_role_allows(at_the_door: Door):
    rules = _RULES["press"]
    assert await differences(at_the_door, rules, pressed) == []
    print(f"promise 16: {len(rules) * len(Role) * len(Stage):,} presses as the table says")


@pytest.mark.promise(16)
@pytest.mark.thorough
async def test_every_command_does_in_every_phase_what_its_role_allows(at_the_door: Door):
    rules = _RULES["command"]
    assert await differences(at_the_door, rules, typed) == []
    print(f"promise 16: {len(rules) * len(Role) * len(Stage):,} commands as the table says")


@pytest.mark.promise(16)
def test_no_press_is_without_its_row():
    assert set(_RULES["press"]) == set(KINDS)


@pytest.mark.promise(16)
async def test_no_command_is_without_its_row(at_the_door: Door):
    known = {command.qualified_name for command in at_the_door.bot.tree.walk_commands()}
    groups = {name.rpartition(" ")[0] for name in known}
    rows = {name.partition(" (")[0] for name in _RULES["command"]}
    assert rows == known - groups
    assert set(COMMANDS) == set(_RULES["command"])


async def test_discord_itself_keeps_the_settings_to_those_who_manage_the_server(
    at_the_door: Door,
):
    """The command trusts Discord, which lets in whom the server's own Integrations page names."""
    command: Any = at_the_door.bot.tree.get_command("settings")
    assert command.default_permissions == discord.Permissions(manage_guild=True)


def _holes() -> Iterator[tuple[str, object, str, object]]:
    """What may be forgotten: a name, where it stands, and a check that checks nothing."""

    async def look(interaction: Any, table_id: Any) -> Any:
        return await interaction.client.services.tables.view(table_id)

    def nothing(*_: Any, **__: Any) -> None:
        return None

    yield "end_sure", tables, "may_moderate", lambda *_: True
    yield "score", choosing, "look_at", look
    yield "join", choosing, "look_at", look
    yield "host", seating, "demand_host", nothing
    yield "set_clock", Managing, "may", lambda *_: True
    yield "vote", votes, "_check_voter", nothing


@pytest.mark.parametrize(("word", "place", "check", "hole"), [*_holes()])
async def test_control_a_check_that_is_forgotten_is_found(
    word, place, check, hole, at_the_door: Door, monkeypatch
):
    monkeypatch.setattr(place, check, hole)
    assert await differences(at_the_door, {word: _RULES["press"][word]}, pressed)


@pytest.mark.parametrize("phase", Stage)
def test_the_table_of_each_stage_is_in_it(phase: Stage):
    """Else cells would be refused for another reason than the one that is meant."""
    table = _TABLES[phase]
    allowed = [word for word, rows in _RULES["press"].items() if "D" in cells(rows)[phase]]
    assert allowed
    assert (table.game is None) == (phase in {Stage.LOBBY, Stage.FULL})
