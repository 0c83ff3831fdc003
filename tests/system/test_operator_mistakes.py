"""What the operator gets wrong ends in one line and an exit code, never in a traceback."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest

from bot import OperatorError
from bot import __main__ as door
from bot.settings import Settings

ROOT = Path(__file__).parents[2]
TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4OQ.Gplant.notARealTokenButOfTheRightShape0123"

Bot = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def bot(tmp_path: Path) -> Bot:
    """Run ``python -m bot`` in an empty folder, with no setting but those given."""

    def call(
        *arguments: str, stdout: int | IO[str] = subprocess.PIPE, **settings: str
    ) -> "subprocess.CompletedProcess[str]":
        inherited = {
            name: value
            for name, value in os.environ.items()
            if name.lower() not in Settings.model_fields
        }
        return subprocess.run(
            [sys.executable, "-m", "bot", *arguments],
            cwd=tmp_path,
            check=False,
            env=inherited | {"PYTHONPATH": str(ROOT)} | settings,
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
        )

    return call


def the_one_line(done: "subprocess.CompletedProcess[str]") -> str:
    assert done.returncode == 2, done.stderr
    assert not done.stdout
    assert done.stderr.startswith("hearts: ")
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.case("B101")
@pytest.mark.parametrize("written", [None, "", "   ", '""', "'  '"])
def test_a_missing_token_is_one_line_with_the_way_to_one(bot: Bot, written: str | None):
    done = bot("run") if written is None else bot("run", DISCORD_TOKEN=written)
    line = the_one_line(done)
    assert "DISCORD_TOKEN" in line
    assert "Developer Portal" in line
    assert "make demo" in line


@pytest.mark.case("B101")
@pytest.mark.parametrize("command", ["run", "sync"])
def test_a_token_of_strange_shape_is_never_printed(bot: Bot, command: str):
    line = the_one_line(bot(command, DISCORD_TOKEN=f"{TOKEN} {TOKEN}"))
    assert "DISCORD_TOKEN" in line
    assert TOKEN not in line


@pytest.mark.parametrize("command", ["run", "migrate"])
def test_a_host_that_loses_its_disk_refuses_sqlite(bot: Bot, command: str):
    line = the_one_line(bot(command, DYNO="worker.1", DISCORD_TOKEN=TOKEN))
    assert "PostgreSQL" in line
    assert "DYNO" in line


@pytest.mark.parametrize("command", ["run", "sync", "migrate", "export TABLE"])
@pytest.mark.thorough
def test_a_database_that_is_none_is_one_line_from_every_command(
    bot: Bot, tmp_path: Path, command: str
):
    file = tmp_path / "hearts.db"
    file.write_bytes(b"no database" * 1_000)
    line = the_one_line(bot(*command.split(), DISCORD_TOKEN=TOKEN))
    assert "hearts.db" in line
    assert "not a database" in line


@pytest.mark.parametrize("port", ["1", "99999", "port"])
def test_a_server_that_does_not_answer_is_one_line_without_its_password(bot: Bot, port: str):
    address = f"postgresql+asyncpg://hearts:secret@127.0.0.1:{port}/hearts"
    line = the_one_line(bot("migrate", DATABASE_URL=address))
    assert "127.0.0.1" in line or "DATABASE_URL has no port" in line
    assert "secret" not in line


def test_all_faults_stand_in_the_one_line(bot: Bot):
    line = the_one_line(bot("run", LOG_LEVEL="LOUD", DEV_GUILD_ID="x"))
    for name in ("DISCORD_TOKEN", "LOG_LEVEL", "DEV_GUILD_ID"):
        assert name in line


def test_no_command_and_an_unknown_one_list_those_there_are(bot: Bot):
    for done in (bot(), bot("deal")):
        assert "run, demo, migrate" in the_one_line(done)


def test_a_wrong_option_is_one_line(bot: Bot):
    assert "--loud" in the_one_line(bot("run", "--loud"))


def test_help_is_no_mistake(bot: Bot):
    done = bot("help")
    assert done.returncode == 0
    assert all(name in done.stdout for name in door.COMMANDS)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is full")
def test_output_that_finds_no_room_is_one_line(bot: Bot):
    with Path("/dev/full").open("w") as full:
        line = the_one_line(bot("selfplay", "--deals", "1", stdout=full))
    assert "No space left" in line


def test_a_reader_who_has_seen_enough_ends_the_output_in_silence(bot: Bot):
    gone, ours = os.pipe()
    os.close(gone)
    with os.fdopen(ours, "w") as pipe:
        done = bot("selfplay", "--deals", "1", stdout=pipe)
    assert done.returncode == 1
    assert done.stderr == ""


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], int]:
    """Call the door with a command that raises what is given."""

    def call(error: BaseException) -> int:
        def command(argv: object) -> int:
            raise error

        monkeypatch.setattr("bot.cli.run.check", command)
        return door.main(["check"])

    return call


def test_an_operators_error_keeps_its_own_exit_code(planted, capsys):
    assert planted(OperatorError("The disk\nis full.", exit_code=3)) == 3
    assert capsys.readouterr().err == "hearts: The disk is full.\n"


def test_a_missing_package_names_the_way_to_it(planted, capsys):
    assert planted(ModuleNotFoundError("no", name="simcord.preview")) == 2
    line = capsys.readouterr().err
    assert "simcord" in line
    assert "make demo" in line


def test_stopping_from_the_keyboard_is_no_fault(planted, capsys):
    assert planted(KeyboardInterrupt()) == 130
    assert capsys.readouterr().err == ""


def test_a_fault_of_our_own_is_not_hidden(planted):
    for bug in (ModuleNotFoundError("no", name="bot.gone"), ValueError("a bug")):
        with pytest.raises(type(bug)):
            planted(bug)
