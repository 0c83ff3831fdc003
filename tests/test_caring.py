"""What the operator decides about people's data."""

from datetime import timedelta
from pathlib import Path

import pytest

from bot.caring import Care, care_of
from bot.settings import OperatorError, Settings, load
from bot.table.privacy import Contacts
from bot.table.retention import Kept


@pytest.fixture(autouse=True)
def empty_surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)


def test_without_a_word_games_are_kept_and_nobody_is_named():
    assert care_of(load(token_wanted=False)) == Care(Contacts(), Kept(None))


def test_what_is_set_is_what_people_see(monkeypatch: pytest.MonkeyPatch):
    for name, value in (
        ("RETENTION_DAYS", "400"),
        ("SUPPORT_CONTACT", " privacy@club.example "),
        ("PRIVACY_URL", "https://club.example/privacy"),
        ("TERMS_URL", '"https://club.example/terms"'),
    ):
        monkeypatch.setenv(name, value)
    care = care_of(load(token_wanted=False))
    assert care.kept == Kept(timedelta(days=400))
    assert care.contacts == Contacts(
        support="privacy@club.example",
        privacy_url="https://club.example/privacy",
        terms_url="https://club.example/terms",
    )


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("RETENTION_DAYS", "0", "RETENTION_DAYS is a whole number from 1 to 36500"),
        ("RETENTION_DAYS", "9" * 11, "RETENTION_DAYS is a whole number from 1 to 36500"),
        ("PRIVACY_URL", "club.example", "PRIVACY_URL is an address that begins with https://"),
        ("TERMS_URL", "https://a)b", "TERMS_URL is an address that begins with https://"),
        ("SUPPORT_CONTACT", "x" * 201, "SUPPORT_CONTACT is one line of at most 200 characters"),
    ],
)
def test_a_mistake_is_told_in_words(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str
):
    monkeypatch.setenv(name, value)
    with pytest.raises(OperatorError, match="^" + said):
        load(token_wanted=False)
