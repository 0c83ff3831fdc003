"""The measurement of backups under load can fail (reliability.md 6, row 17)."""

import shutil
from pathlib import Path

import pytest

from bot.promises import restores

FEW = restores._Size(tables=8, backups=2)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restores, "_SHORT", FEW)
    monkeypatch.setattr(restores, "_WARM_UP", 0.2)
    monkeypatch.setattr(restores, "_GAMES", 5)


def test_backups_made_while_people_play_hold_all_that_was_acknowledged():
    found = restores.measure(short=True)
    assert found.kept, found.figure
    assert found.figure.startswith("0 of ")


def test_the_control_a_file_that_is_copied_alone_lacks_acknowledged_events(
    monkeypatch: pytest.MonkeyPatch,
):
    def copy_alone(file: Path, copy: Path, **_: object) -> None:
        shutil.copyfile(file, copy)

    monkeypatch.setattr("db.backups.copy_soundly", copy_alone)
    found = restores.measure(short=True)
    assert not found.kept
    assert not found.figure.startswith("0 of ")


def test_the_control_backups_that_fail_keep_no_promise(monkeypatch: pytest.MonkeyPatch):
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("db.backups.copy_soundly", fail)
    assert not restores.measure(short=True).kept
