import os
import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from bot.settings import _WANTED, OperatorError, Settings, load, readable_env_warning

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4OQ.Gplant.notARealTokenButOfTheRightShape0123"
POSTGRES = "postgresql+asyncpg://hearts:s3cret@db.example/hearts"


@pytest.fixture(autouse=True)
def empty_surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)


def faults(*, token_wanted: bool = False) -> str:
    with pytest.raises(OperatorError) as caught:
        load(token_wanted=token_wanted)
    assert caught.value.exit_code == 2
    return str(caught.value)


def test_without_a_word_games_go_into_a_file_here():
    settings = load(token_wanted=False)
    assert settings.database_url == "sqlite+aiosqlite:///hearts.db"
    assert settings.log_level == "INFO"
    assert settings.dev_guild_id is None


@pytest.mark.parametrize(
    "written", [TOKEN, f"  {TOKEN}\n", f'"{TOKEN}"', f" '{TOKEN}' ", f"“{TOKEN}”"]
)
def test_a_token_survives_being_pasted(monkeypatch: pytest.MonkeyPatch, written: str):
    monkeypatch.setenv("DISCORD_TOKEN", written)
    assert load(token_wanted=True).token == TOKEN


@pytest.mark.parametrize("written", [None, "", "   ", '""', "' '"])
def test_a_missing_token_says_where_one_comes_from(
    monkeypatch: pytest.MonkeyPatch, written: str | None
):
    if written is not None:
        monkeypatch.setenv("DISCORD_TOKEN", written)
    sentence = faults(token_wanted=True)
    assert sentence.startswith("DISCORD_TOKEN is not set")
    assert "Developer Portal" in sentence
    assert "`make demo` needs none" in sentence


def test_asking_for_a_token_that_nobody_gave_is_the_operators_mistake():
    with pytest.raises(OperatorError, match="DISCORD_TOKEN is not set"):
        load(token_wanted=False).token  # noqa: B018  reading it is what raises


def test_a_token_with_a_space_inside_is_refused_without_quoting_it(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setenv("DISCORD_TOKEN", f"Bot {TOKEN}")
    assert TOKEN not in faults()


def test_the_token_is_in_no_picture_of_the_settings(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("DATABASE_URL", POSTGRES)
    settings = load(token_wanted=True)
    for picture in (repr(settings), str(settings), settings.model_dump_json()):
        assert TOKEN not in picture
    assert "s3cret" not in repr(settings)
    assert settings.token == TOKEN  # the control: it was there to be shown


@pytest.mark.parametrize(("written", "meant"), [("", None), ("0", 0), (" 3 ", 3)])
def test_robots_may_think_in_a_few_processes_in_so_many_or_in_none(monkeypatch, written, meant):
    monkeypatch.setenv("ROBOT_PROCESSES", written)
    assert load(token_wanted=False).robot_processes == meant


def test_less_than_no_process_is_a_fault(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ROBOT_PROCESSES", "-1")
    assert "ROBOT_PROCESSES" in faults()


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("LOG_LEVEL", "LOUD"),
        ("LOG_FORMAT", "xml"),
        ("DEV_GUILD_ID", "my server"),
        ("ROBOT_PROCESSES", "-1"),
        ("ROBOT_PROCESSES", "two"),
        ("BACKUP_HOURS", "often"),
        ("BACKUP_HOURS", "-6"),
        ("BACKUP_HOURS", "nan"),
        ("BACKUP_KEEP", "0"),
        ("BACKUP_KEEP", "2.5"),
        ("HEALTH_PORT", "70000"),
        ("HEALTH_PORT", "http"),
    ],
)
def test_a_setting_that_cannot_be_is_told_in_our_own_words(monkeypatch, name, written):
    monkeypatch.setenv(name, written)
    sentence = faults()
    assert re.match(rf"{name} is ", sentence)
    for words in ("input", "Input", "valid", "parse", "\n"):
        assert words not in sentence


def test_there_are_words_for_every_setting():
    """Text takes any value and is looked at by code of ours; of all others a word is wanted."""
    written_by_hand = {"dyno", "discord_token", "database_url", "backup_dir"}
    assert set(Settings.model_fields) - written_by_hand == set(_WANTED)


def test_backups_and_health_are_as_the_example_says(monkeypatch: pytest.MonkeyPatch):
    settings = load(token_wanted=False)
    assert (settings.backup_hours, settings.backup_keep, settings.backup_dir) == (6, 28, None)
    assert settings.health_port is None
    for name, written in (("BACKUP_HOURS", "0.5"), ("BACKUP_DIR", " /b "), ("HEALTH_PORT", "8080")):
        monkeypatch.setenv(name, written)
    settings = load(token_wanted=False)
    assert (settings.backup_hours, settings.backup_dir) == (0.5, Path("/b"))
    assert settings.health_port == 8080


def test_all_faults_are_named_at_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LOG_LEVEL", "LOUD")
    monkeypatch.setenv("DEV_GUILD_ID", "my server")
    monkeypatch.setenv("DATABASE_URL", "mysql://somewhere")
    sentence = faults(token_wanted=True)
    for name in ("DISCORD_TOKEN", "LOG_LEVEL", "DEV_GUILD_ID", "DATABASE_URL"):
        assert name in sentence
    assert "\n" not in sentence


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("sqlite:///games.db", "sqlite+aiosqlite:///games.db"),
        ("sqlite+aiosqlite:////var/lib/hearts.db", "sqlite+aiosqlite:////var/lib/hearts.db"),
        ("postgres://u:p@host/name", "postgresql+asyncpg://u:p@host/name"),
        ('"postgresql://u:p@host/name" ', "postgresql+asyncpg://u:p@host/name"),
        (
            "postgres://u:p@host:1/name?sslmode=require",
            "postgresql+asyncpg://u:p@host:1/name?ssl=require",
        ),
        (POSTGRES, POSTGRES),
    ],
)
def test_a_database_is_reached_by_an_asynchronous_driver(
    monkeypatch: pytest.MonkeyPatch, written: str, meant: str
):
    monkeypatch.setenv("DATABASE_URL", written)
    assert load(token_wanted=False).database_url == meant


@pytest.mark.parametrize(
    "written",
    ["hearts.db", "sqlite://", "sqlite:///", "sqlite:///:memory:", "mysql://u:s3cret@h/n"],
)
def test_what_keeps_no_games_is_no_database(monkeypatch: pytest.MonkeyPatch, written: str):
    monkeypatch.setenv("DATABASE_URL", written)
    sentence = faults()
    assert sentence.startswith("DATABASE_URL")
    assert "s3cret" not in sentence


def test_a_host_that_loses_its_disk_gets_no_sqlite(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DYNO", "worker.1")
    assert "PostgreSQL" in faults()
    monkeypatch.setenv("DATABASE_URL", POSTGRES)
    assert load(token_wanted=False).database_url == POSTGRES


def test_the_level_may_be_written_in_small_letters(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LOG_LEVEL", "debug")
    assert load(token_wanted=False).log_level == "DEBUG"


@pytest.mark.parametrize("written", ["-3", "0", "1.5", "general"])
def test_a_server_is_a_positive_number(monkeypatch: pytest.MonkeyPatch, written: str):
    monkeypatch.setenv("DEV_GUILD_ID", written)
    assert "DEV_GUILD_ID" in faults()


def test_the_environment_wins_over_the_file(monkeypatch: pytest.MonkeyPatch):
    Path(".env").write_text(f'DISCORD_TOKEN="{TOKEN}"\nDEV_GUILD_ID=41\nOTHER=1\n', "utf-8")
    monkeypatch.setenv("DEV_GUILD_ID", "42")
    settings = load(token_wanted=True)
    assert (settings.token, settings.dev_guild_id) == (TOKEN, 42)


def test_a_file_that_is_no_text_is_named():
    Path(".env").write_bytes(b"DISCORD_TOKEN=\xff\xfe\x00")
    assert ".env" in faults()


def test_settings_do_not_change():
    settings = load(token_wanted=False)
    with pytest.raises(ValidationError):
        settings.log_level = "DEBUG"


@pytest.mark.skipif(os.name != "posix", reason="file modes are a matter of POSIX systems")
@pytest.mark.parametrize(("mode", "warned"), [(0o644, True), (0o600, False), (0o640, False)])
def test_a_readable_env_is_worth_a_warning(mode: int, warned: bool):
    Path(".env").touch()
    Path(".env").chmod(mode)
    assert (readable_env_warning() is not None) is warned


def test_without_an_env_there_is_nothing_to_warn_of():
    assert readable_env_warning() is None


@pytest.mark.parametrize(
    ("written", "ids"),
    [("", None), ("0", (0,)), ("0,2", (0, 2)), (" '1-3' ", (1, 2, 3)), ("3, 0 - 1", (0, 1, 3))],
)
def test_the_shards_of_a_process_are_numbers_and_spans(
    monkeypatch: pytest.MonkeyPatch, written: str, ids: tuple[int, ...] | None
):
    monkeypatch.setenv("DATABASE_URL", POSTGRES)
    monkeypatch.setenv("SHARD_COUNT", "4")
    monkeypatch.setenv("SHARD_IDS", written)
    assert load(token_wanted=False).shard_ids == ids


@pytest.mark.parametrize("written", ["a", "-1", "0,", "1;2", "0-", "1.5", "99999", "3-1"])
def test_shards_that_are_no_numbers_are_refused_in_words(
    monkeypatch: pytest.MonkeyPatch, written: str
):
    monkeypatch.setenv("SHARD_IDS", written)
    assert faults() == f"{_WANTED['shard_ids']}."


@pytest.mark.parametrize("written", ["0", "1025", "many"])
def test_shards_beyond_what_one_bot_has_are_refused(monkeypatch: pytest.MonkeyPatch, written: str):
    """Each shard of a process is a lease, and a line in its log."""
    monkeypatch.setenv("DATABASE_URL", POSTGRES)
    monkeypatch.setenv("SHARD_COUNT", written)
    assert faults() == f"{_WANTED['shard_count']}."


def test_a_shard_that_there_is_not_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DATABASE_URL", POSTGRES)
    monkeypatch.setenv("SHARD_COUNT", "4")
    monkeypatch.setenv("SHARD_IDS", "2-4")
    assert faults() == "SHARD_IDS names shard 4, but with SHARD_COUNT=4 the last one is 3."


def test_several_processes_need_a_database_for_several(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SHARD_COUNT", "2")
    assert "one PostgreSQL, but DATABASE_URL names an SQLite file" in faults()
