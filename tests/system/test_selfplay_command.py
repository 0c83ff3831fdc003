"""`python -m bot selfplay`, as whoever tries a variant meets it (record.md)."""

import json
import re

import pytest

from bot import OperatorError
from bot.cli import robots
from bot.rules import playback, record

LINE = re.compile(r"^ +(\d)  steady +(-?\d+\.\d\d) ± \d+\.\d\d$")


def seats_of(said: str) -> list[float]:
    """Mean points a deal by seat, as printed."""
    return [float(found[2]) for line in said.splitlines() if (found := LINE.match(line))]


def test_it_prints_what_each_seat_paid_and_how_fast_it_went(capsys):
    assert robots.selfplay(["--deals", "6", "--seed", "4"]) == 0
    said = capsys.readouterr().out
    assert len(seats_of(said)) == 4
    assert re.search(r"^6 deals in \d+\.\d s, \d+ deals a second$", said, re.MULTILINE)


def test_without_a_moon_all_seats_together_pay_26_a_deal(capsys):
    robots.selfplay(["--deals", "4", "--seed", "2"])
    assert sum(seats_of(capsys.readouterr().out)) == pytest.approx(26, abs=0.02)


def test_the_same_seed_prints_the_same_means_and_another_seed_does_not(capsys):
    said = []
    for seed in ("3", "3", "4"):
        robots.selfplay(["--deals", "3", "--seed", seed])
        said.append(seats_of(capsys.readouterr().out))
    assert said[0] == said[1] != said[2]


def test_records_stand_alone_on_standard_output_and_replay(capsys):
    robots.selfplay(["--deals", "12", "--json", "--seats", "5"])
    printed = capsys.readouterr()
    games = [json.loads(line) for line in printed.out.splitlines()]
    assert sum(len(game["deals"]) for game in games) == 12
    assert "deals a second" in printed.err
    for game in games:
        results = [line for line in playback.lines(record.from_dict(game)) if "totals" in line]
        assert len(results) >= len(game["deals"])


def test_one_deal_has_a_mean_and_no_error_to_speak_of(capsys):
    assert robots.selfplay(["--deals", "1"]) == 0
    assert "± 0.00" in capsys.readouterr().out


def test_levels_may_stand_apart(capsys):
    assert robots.selfplay(["--levels", "steady, casual,steady ,steady", "--deals", "1"]) == 0
    assert "   1  casual  " in capsys.readouterr().out


def test_levels_by_seat_say_how_many_play(capsys):
    robots.selfplay(["--deals", "1", "--levels", "steady,steady,steady"])
    assert len(seats_of(capsys.readouterr().out)) == 3


def test_a_name_with_a_number_says_how_many_play(capsys):
    """rules.md 4.0: `killer_10` is `killer` with ten seats."""
    robots.selfplay(["--deals", "1", "--variant", "bicycle_5"])
    assert len(seats_of(capsys.readouterr().out)) == 5


@pytest.mark.parametrize(
    ("name", "seats"),
    [
        ("cancellation_7", 7),
        ("draw7", 2),
        ("joker_hearts_3", 3),
        ("killer_6", 6),
        ("killer_ancestor_jokers_10", 10),
        ("reverse", 4),
        ("super_hearts", 4),
        ("two_player_spot_lo", 2),
        ("wilson_5", 5),
    ],
)
def test_robots_play_kinds_of_hearts_that_differ_in_cards_sides_and_money(capsys, name, seats):
    """rules.md 4.1: what is printed as a record replays to as many results."""
    assert robots.selfplay(["--deals", "2", "--json", "--variant", name]) == 0
    printed = capsys.readouterr()
    assert len(seats_of(printed.err)) == seats
    games = [json.loads(line) for line in printed.out.splitlines()]
    assert {game["seats"] for game in games} == {seats}
    assert sum(len(game["deals"]) for game in games) == 2
    for game in games:
        results = [line for line in playback.lines(record.from_dict(game)) if "totals" in line]
        assert len(results) >= len(game["deals"])


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--deals", "0"], "0 is less than 1"),
        (["--deals", "many"], "'many' is not a whole number"),
        (["--levels", "genius"], "There is no level 'genius'; there are casual"),
        (["--levels", "steady,steady,steady", "--seats", "4"], "3 robots for 4 seats"),
        (["--seats", "2"], "is played by 3, 4, 5, 6, not by 2"),
        (["--variant", "bridge"], "There is no variant 'bridge'; there are "),
        (["--variant", "bridge_4"], "There is no variant 'bridge_4'; there are "),
        (["--variant", "killer_5"], "killer is played by 6, 7, 8, 9, 10, not by 5."),
        (["--variant", "killer_6", "--seats", "8"], "killer_6 is played by 6, not by 8."),
    ],
)
def test_what_cannot_be_played_is_said_in_one_sentence(arguments, complaint):
    with pytest.raises(OperatorError, match=re.escape(complaint)):
        robots.selfplay(arguments)
