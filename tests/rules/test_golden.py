"""Whole games, read by a person once, and played again here by every change.

A file of ``golden/`` is a record, an empty line, and what `python -m bot replay` prints for it; in
most games without the single cards. How one is made or renewed: `tests/support/golden.py`.
"""

import json
from pathlib import Path

import pytest

from bot.rules import variants
from bot.rules.record import from_dict, to_dict
from tests.support.golden import FOLDER, halves, printed

GAMES = sorted(FOLDER.glob("*.txt"))
STANDARD = FOLDER / "standard.txt"


def test_every_preset_has_a_golden_game():
    assert {game.stem.partition("-")[0] for game in GAMES} == {*variants.names()}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.stem)
def test_a_golden_game_plays_as_it_was_read(game: Path):
    written, read = halves(game)
    assert printed(game.stem, written) == read


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.stem)
def test_a_golden_game_is_a_whole_one(game: Path):
    assert halves(game)[1][-1]["over"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.stem)
def test_a_golden_game_survives_being_written_again(game: Path):
    written, _ = halves(game)
    record = from_dict(written)
    assert from_dict(json.loads(json.dumps(to_dict(record)))) == record


def test_one_card_played_otherwise_is_noticed():
    """The control: another discard than the one that was read."""
    written, read = halves(STANDARD)
    text = json.dumps(written)
    one, other = '"KS", "2D"', '"KS", "4D"'
    assert one in text
    changed = json.loads(text.replace(one, other, 1))
    assert printed("standard", changed) != read
