"""Whole games, read card by card by a person once, and played again here by every change.

A file of ``golden/`` is a record, an empty line, and what `python -m bot replay` prints for it.
"""

import json
from pathlib import Path

import pytest

from bot.rules import playback, variants
from bot.rules.record import from_dict, to_dict

GAMES = sorted(Path(__file__).with_name("golden").glob("*.txt"))


def halves(game: Path) -> tuple[object, list[object]]:
    written, _, printed = game.read_text("utf-8").partition("\n\n")
    return json.loads(written), [json.loads(line) for line in printed.splitlines()]


def test_every_preset_has_a_golden_game():
    assert {game.stem.partition("-")[0] for game in GAMES} == {*variants.names()}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.stem)
def test_a_golden_game_plays_as_it_was_read(game: Path):
    written, printed = halves(game)
    assert list(playback.lines(from_dict(written))) == printed


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.stem)
def test_a_golden_game_survives_being_written_again(game: Path):
    written, _ = halves(game)
    record = from_dict(written)
    assert from_dict(json.loads(json.dumps(to_dict(record)))) == record


def test_one_card_played_otherwise_is_noticed():
    """The control: another discard than the one that was read."""
    written, printed = halves(GAMES[0])
    text = json.dumps(written)
    one, other = '"KS", "2D"', '"KS", "4D"'
    assert one in text
    changed = json.loads(text.replace(one, other, 1))
    assert list(playback.lines(from_dict(changed))) != printed
