"""`python -m bot replay` and `export`, as another program or a player meets them (record.md)."""

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot import OperatorError
from bot.__main__ import main
from bot.cli import records
from bot.settings import Settings
from bot.table.ids import TableId
from db.migrate import upgrade
from tests.support.records import RECORD, moon_record, planted
from tests.support.store import fresh_stores, lobby, put, url_of
from tests.support.stored_games import stored_table

ROOT = Path(__file__).parents[2]
ILLEGAL = planted("deals.0.plays", ["2C", "9S"])

Bot = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def bot(tmp_path: Path) -> Bot:
    """Run ``python -m bot`` in an empty folder; *said* is its standard input."""

    def call(*arguments: str, said: str = "", **changes: str) -> "subprocess.CompletedProcess[str]":
        fields = Settings.model_fields
        inherited = {name: word for name, word in os.environ.items() if name.lower() not in fields}
        return subprocess.run(
            [sys.executable, "-m", "bot", *arguments],
            cwd=tmp_path,
            check=False,
            env=inherited | {"PYTHONPATH": str(ROOT)} | changes,
            input=said,
            capture_output=True,
            text=True,
            timeout=60,
        )

    return call


def printed(done: "subprocess.CompletedProcess[str]") -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def the_one_line(done: "subprocess.CompletedProcess[str]") -> str:
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith("hearts: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_a_legal_record_leaves_with_0(bot: Bot, tmp_path: Path):
    file = tmp_path / "game.json"
    file.write_text(json.dumps(RECORD, indent=2), encoding="utf-8-sig")
    done = bot("replay", str(file))
    assert done.returncode == 0, done.stderr
    assert printed(done)[-1] == {"turn": 2, "legal": ["4C", "8C", "QC"]}


def test_a_move_against_the_rules_leaves_with_1(bot: Bot):
    done = bot("replay", "-", said=json.dumps(ILLEGAL))
    assert done.returncode == 1
    assert printed(done)[-1]["reason"] == "MUST_FOLLOW"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("", "Standard input is not a record: line 1 column 1: not JSON"),
        ("{\n{}\n}", "not JSON"),
        ("[]", "record: [] is not a table"),
        (json.dumps(planted("deals.0.hands.2", "2C")), "deals[0].hands[2]: 1 cards"),
        ("[" * 100_000, "nested too deeply"),
        ('{"hearts": ' + "1" * 5_000 + "}", "thousands of digits"),
    ],
)
def test_what_is_no_record_leaves_with_2_and_one_line_that_names_the_place(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, said: str, words: str
):
    assert words in refused(monkeypatch, said.encode())
    assert capsys.readouterr().out == ""


def test_the_door_prints_a_refusal_as_one_line(bot: Bot):
    assert "record: [] is not a table" in the_one_line(bot("replay", "-", said="[]"))
    assert "No such file" in the_one_line(bot("replay", "nowhere.json"))


def test_bytes_that_are_no_text_are_refused(monkeypatch: pytest.MonkeyPatch):
    assert "not UTF-8 text (byte 1)" in refused(monkeypatch, b'"\xff"')


class _Bytes:
    """Standard input with these bytes in it."""

    def __init__(self, said: bytes) -> None:
        self._said = said
        self.buffer = self

    def read(self) -> bytes:
        return self._said


def replayed(monkeypatch: pytest.MonkeyPatch, said: bytes) -> int:
    monkeypatch.setattr(sys, "stdin", _Bytes(said))
    return records.replay(["-"])


def refused(monkeypatch: pytest.MonkeyPatch, said: bytes) -> str:
    with pytest.raises(OperatorError) as caught:
        replayed(monkeypatch, said)
    assert caught.value.exit_code == 2
    return str(caught.value)


@pytest.mark.parametrize(
    ("texts", "code"),
    [
        ([json.dumps(RECORD), json.dumps(moon_record(moon="add"))], 0),
        ([json.dumps(ILLEGAL), json.dumps(RECORD)], 1),
        ([json.dumps(ILLEGAL), '{"hearts": 1}', json.dumps(RECORD)], 2),
        ([json.dumps(RECORD), '{"hearts": 1, '], 2),
    ],
    ids=["all legal", "one illegal", "one no record", "one cut off"],
)
def test_of_many_records_each_is_played_whatever_became_of_the_others(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    texts: list[str],
    code: int,
):
    said = "\n\n".join(texts) + "\n"
    assert replayed(monkeypatch, said.encode()) == code
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    starts = [place for place, line in enumerate(lines) if "record" in line]
    assert [lines[place]["record"] for place in starts] == list(range(len(texts)))
    ends = [lines[place - 1] for place in [*starts[1:], len(lines)]]
    assert ["error" in line for line in ends] == [
        text not in {json.dumps(RECORD), json.dumps(moon_record(moon="add"))} for text in texts
    ]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    said=st.binary(max_size=60)
    | st.text(max_size=60).map(lambda text: text.encode("utf-8", "replace"))
)
def test_whatever_is_piped_in_ends_in_words(monkeypatch: pytest.MonkeyPatch, said: bytes):
    assert refused(monkeypatch, said)


async def test_a_finished_game_is_exported_as_a_record_that_replays_to_its_result(
    bot: Bot, tmp_path: Path
):
    game = await stored_table(tmp_path)
    done = bot("export", "abcd2345", DATABASE_URL=url_of(tmp_path / "hearts.db"))
    assert done.returncode == 0, done.stderr
    (plain,) = printed(done)
    assert plain["meta"]["table"] == "ABCD2345"
    assert plain["meta"]["ended"].startswith("2026-03-01T12:00:00")
    again = bot("replay", "-", said=done.stdout)
    assert again.returncode == 0, again.stderr
    assert printed(again)[-1] == {
        "over": True,
        "places": list(game.places),
        "totals": list(game.totals),
        "settlement": None,
    }


async def test_a_game_that_is_not_over_is_not_exported(bot: Bot, tmp_path: Path):
    """A record shows every hand."""
    await stored_table(tmp_path, last_events_lost=1)
    done = bot("export", "ABCD2345", DATABASE_URL=url_of(tmp_path / "hearts.db"))
    assert "ABCD2345 has no game that is over" in the_one_line(done)


async def test_a_lobby_is_not_exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    stores = await fresh_stores(tmp_path)
    await put(stores, lobby("ABCD2345"))
    stored = await stores.events.load(TableId("ABCD2345"))
    await stores.database.close()
    with pytest.raises(OperatorError, match="no game that is over"):
        records._recorded(TableId("ABCD2345"), stored)


async def test_a_table_that_nobody_knows_is_one_line(bot: Bot, tmp_path: Path):
    url = url_of(tmp_path / "hearts.db")
    await upgrade(url)
    done = bot("export", "ZZZZ9999", DATABASE_URL=url)
    assert "There is no table ZZZZ9999" in the_one_line(done)


def test_an_export_in_a_wrong_folder_makes_no_database_there(bot: Bot, tmp_path: Path):
    done = bot("export", "ZZZZ9999", DATABASE_URL=url_of(tmp_path / "wrong" / "hearts.db"))
    assert "There is no file" in the_one_line(done)
    assert not (tmp_path / "wrong").exists()


@pytest.mark.parametrize(
    "deed",
    [
        "UPDATE events SET body = substr(body, 1, 9) WHERE kind = 'card_played'",
        "UPDATE events SET body = '{}' WHERE kind = 'deal_began'",
        "UPDATE events SET kind = 'from_the_future' WHERE seq = 2",
        "UPDATE events SET at = 'noon' WHERE seq = 2",
        "DELETE FROM events WHERE seq = 9",
        "DELETE FROM events WHERE kind = 'game_ended'",
        "DELETE FROM events",
    ],
)
async def test_a_game_with_a_damaged_event_is_one_line_without_a_card(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    deed: str,
):
    await stored_table(tmp_path)
    monkeypatch.setenv("DATABASE_URL", url_of(tmp_path / "hearts.db"))
    monkeypatch.setattr("bot.logs.configure", lambda _level: None)
    with closing(sqlite3.connect(tmp_path / "hearts.db")) as connection, connection:
        connection.execute(deed)
    assert await asyncio.to_thread(main, ["export", "ABCD2345"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == (
        "hearts: The events of table ABCD2345 are damaged, or a newer version wrote them: see with"
        " `python -m bot restore-check` whether they are whole in a backup.\n"
    )


async def test_an_export_leaves_an_older_database_as_it_is(bot: Bot, tmp_path: Path):
    """The bot that keeps it may be an older one, and running."""
    url = url_of(tmp_path / "hearts.db")
    await upgrade(url)
    with closing(sqlite3.connect(tmp_path / "hearts.db")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    line = the_one_line(bot("export", "ZZZZ9999", DATABASE_URL=url))
    assert "at revision 0001" in line
    assert "python -m bot migrate" in line
    with closing(sqlite3.connect(tmp_path / "hearts.db")) as connection:
        assert [*connection.execute("SELECT version_num FROM alembic_version")] == [("0001",)]
